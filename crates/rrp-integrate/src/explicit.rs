//! The explicit maps: kick, drift and turn, kick.

use crate::evaluation::{self, evaluate, explain, first_bad_wrench, overflow};
use crate::integrator::check_time_step;
use crate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport, Turn, drift, kick, par};

/// The explicit maps of `[BG21]` and their relatives for bodies of any shape. One force evaluation per step each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Map {
    /// `[BG21] (23)`, which is (21) in world-frame variables: order 2, [`Turn::Legendre`], needs h|P| < 1.
    Legendre,
    /// `[BG21] (25)`, à la explicit Newmark: order 2, [`Turn::Cayley`]. The default choice for spheres.
    Newmark,
    /// `[BG21] (27)`, symplectic Euler: order 1, [`Turn::Cayley`] after one whole kick.
    SymplecticEuler,
    /// Velocity Verlet with quaternions: order 2, [`Turn::Exponential`], for comparison.
    VelocityVerlet,
    /// Bodies of any shape, order 2, [`Turn::Newton`]: a free body keeps energy and momentum to round-off.
    Newton,
    /// Bodies of any shape, order 2, [`Turn::CayleySplitting`]: explicit.
    CayleySplitting,
}

impl Map {
    /// The turn between the kicks.
    #[must_use]
    pub fn turn(self) -> Turn {
        match self {
            Self::Legendre => Turn::Legendre,
            Self::Newmark | Self::SymplecticEuler => Turn::Cayley,
            Self::VelocityVerlet => Turn::Exponential,
            Self::Newton => Turn::Newton,
            Self::CayleySplitting => Turn::CayleySplitting,
        }
    }

    /// Shares of h that the kicks before and after the turn take.
    fn kicks(self) -> (f64, f64) {
        match self {
            Self::SymplecticEuler => (1.0, 0.0),
            _ => (0.5, 0.5),
        }
    }
}

/// An explicit map with its time step.
#[derive(Debug, Clone)]
pub struct Explicit {
    map: Map,
    dt: f64,
    /// The next state while it is being made; the state of the caller is read until the step is accepted.
    next: State,
}

impl Explicit {
    /// `map` with the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(map: Map, dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { map, dt, next: State::at_rest(0) })
    }
}

/// One step of a map.
struct KickDriftKick<'a> {
    map: Map,
    h: f64,
    bodies: &'a Bodies,
}

/// Where a step went wrong.
enum Trouble {
    /// In the first kick, the drift or the turn.
    Before,
    /// In the force field, or after it.
    After(IntegrateError),
}

impl KickDriftKick<'_> {
    /// Makes `next` from `state`, which has current wrenches.
    ///
    /// Without torques the angular momenta are those of both states; `next` has them until they are to differ.
    fn advance(
        &self,
        field: &mut dyn ForceField,
        state: &mut State,
        next: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let mut lent = state.wrenches.torque.is_untouched();
        if lent {
            std::mem::swap(&mut state.angular_momentum, &mut next.angular_momentum);
        } else {
            next.angular_momentum.resize(state.len());
        }
        let outcome = self.kick_drift_kick(field, state, next, &mut lent);
        outcome.map(|()| StepReport { evaluations: 1, iterations: 0 }).map_err(|trouble| {
            let (bodies, turn) = (self.bodies, self.map.turn());
            let lost = overflow(bodies, next);
            let turned = state.has_attitudes();
            let turned = turned.then(|| turn.first_fault(self.h, bodies, &next.angular_momentum, &state.attitude));
            if lent {
                std::mem::swap(&mut state.angular_momentum, &mut next.angular_momentum);
            }
            match trouble {
                Trouble::Before => explain(bodies, state).or(turned.flatten()).unwrap_or(lost),
                Trouble::After(error) => error,
            }
        })
    }

    fn kick_drift_kick(
        &self,
        field: &mut dyn ForceField,
        state: &mut State,
        next: &mut State,
        lent: &mut bool,
    ) -> Result<(), Trouble> {
        let (before, after) = self.map.kicks();
        if !self.kick_and_drift(state, next, before * self.h) {
            return Err(Trouble::Before);
        }
        next.set_time_after(state, self.h);
        evaluate(self.bodies, field, next, self.h).map_err(Trouble::After)?;
        if after > 0.0 {
            if *lent && !next.wrenches.torque.is_untouched() {
                state.angular_momentum.resize(next.len());
                state.angular_momentum.copy_from(&next.angular_momentum);
                *lent = false;
            }
            return self.kick_again(next, after * self.h).map_err(Trouble::After);
        }
        // No kick that would have noticed: the next step would start from these.
        first_bad_wrench(&next.wrenches).map_or(Ok(()), |error| Err(Trouble::After(error)))
    }

    /// Kick, drift and turn of all bodies, `state` to `next`; true if all is finite.
    fn kick_and_drift(&self, state: &State, next: &mut State, kick: f64) -> bool {
        let (h, turn, bodies) = (self.h, self.map.turn(), self.bodies);
        let (Some(force), torque) = (state.wrenches.force.slices(), state.wrenches.torque.slices()) else {
            return false;
        };
        let moments = (bodies.inertia().pieces(), bodies.inverse_inertia().pieces());
        let translation = (
            [state.position.slices(), state.velocity.slices(), force],
            bodies.inverse_mass().piece(),
            [next.position.slices_mut(), next.velocity.slices_mut()],
        );
        // L where it stays, and τ, L and room for J P where it does not.
        let (same, kicked) = match torque {
            None => (Some(next.angular_momentum.slices()), None),
            Some(torque) => {
                (None, Some(([torque, state.angular_momentum.slices()], next.angular_momentum.slices_mut())))
            }
        };
        let turned = state.has_attitudes().then(|| (state.attitude.slices(), moments, next.attitude.slices_mut()));
        par::all_leaves((translation, same, kicked, turned), &|(translation, same, kicked, turned)| {
            let ([x, v, force], inverse_mass, [next_x, mut next_v]) = translation;
            // V = v + h/2m F, x' = x + h V
            let mut good = kick::into(kick, inverse_mass.leaf(), force, v, reborrow(&mut next_v));
            good &= drift::into(h, x, next_v.map(|component| &*component), next_x);
            // J P = L + h/2 τ
            let kicked = kicked.map(|([torque, l], mut next_l)| {
                good &= kick::momentum_into(kick, torque, l, reborrow(&mut next_l));
                next_l.map(|component| &*component)
            });
            // α' = α ⊕ Δα(P)
            if let (Some(l), Some((q, moments, next_q))) = (kicked.or(same), turned) {
                good &= turn.leaf(h, moments, l, q, next_q);
            }
            good
        })
    }

    /// The second kick, in place.
    fn kick_again(&self, next: &mut State, kick: f64) -> Result<(), IntegrateError> {
        let bodies = self.bodies;
        let force = next.wrenches.force.slices();
        let translation = (next.velocity.slices_mut(), bodies.inverse_mass().piece(), force);
        let rotation = next.wrenches.torque.slices().map(|torque| (torque, next.angular_momentum.slices_mut()));
        let good = par::all_leaves((translation, rotation), &|((v, inverse_mass, force), rotation)| {
            // v' = V + h/2m F', L' = J P + h/2 τ'
            let moved = force.is_none_or(|force| kick::in_place(kick, inverse_mass.leaf(), force, v));
            let spun = rotation.is_none_or(|(torque, l)| kick::momentum_in_place(kick, torque, l));
            moved & spun
        });
        if good {
            return Ok(());
        }
        Err(explain(bodies, next).unwrap_or_else(|| overflow(bodies, next)))
    }
}

/// The same column for a shorter time.
fn reborrow<'a>(column: &'a mut [&mut [f64]; 3]) -> [&'a mut [f64]; 3] {
    column.each_mut().map(|component| &mut **component)
}

impl Integrator for Explicit {
    fn scheme(&self) -> Scheme {
        let first_order = self.map == Map::SymplecticEuler;
        Scheme { dt: self.dt, order: if first_order { 1 } else { 2 }, symplectic: true, reversible: !first_order }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        self.map.turn().check_inertia(bodies)?;
        if !state.has_attitudes() {
            bodies.check_spherical().map_err(|_| IntegrateError::NoAttitudes)?;
        }
        let Self { map, dt, next } = self;
        let step = KickDriftKick { map: *map, h: *dt, bodies };
        evaluation::step(bodies, field, state, next, |field, state, next| step.advance(field, state, next))
    }
}
