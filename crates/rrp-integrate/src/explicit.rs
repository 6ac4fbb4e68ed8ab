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

impl KickDriftKick<'_> {
    /// Makes `next` from `state`, which has current wrenches.
    fn advance(
        &self,
        field: &mut dyn ForceField,
        state: &State,
        next: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let (before, after) = self.map.kicks();
        self.kick_and_drift(state, next, before * self.h)?;
        next.set_time_after(state, self.h);
        evaluate(self.bodies, field, next, self.h)?;
        if after > 0.0 {
            self.kick_again(next, after * self.h)?;
        } else if let Some(error) = first_bad_wrench(&next.wrenches) {
            // No kick that would have noticed: the next step would start from these.
            return Err(error);
        }
        Ok(StepReport { evaluations: 1, iterations: 0 })
    }

    /// Kick and drift of all bodies, `state` to `next`.
    fn kick_and_drift(&self, state: &State, next: &mut State, kick: f64) -> Result<(), IntegrateError> {
        let (h, turn, bodies) = (self.h, self.map.turn(), self.bodies);
        let constants = (bodies.inverse_mass(), bodies.inertia().slices(), bodies.inverse_inertia().slices());
        let wrenches = [state.wrenches.force.slices(), state.wrenches.torque.slices()];
        let now = (
            state.position.slices(),
            state.attitude.slices(),
            [state.velocity.slices(), state.angular_momentum.slices()],
        );
        let then = (
            next.position.slices_mut(),
            next.attitude.slices_mut(),
            [next.velocity.slices_mut(), next.angular_momentum.slices_mut()],
        );
        let good = par::all_leaves((constants, wrenches, now, then), &|(constants, wrenches, now, then)| {
            let (inverse_mass, inertia, inverse_inertia) = constants;
            let (x, q, motion) = now;
            let (next_x, next_q, mut next_motion) = then;
            // V = v + h/2m F, J P = L + h/2 τ
            let kicked = kick::into(kick, inverse_mass, wrenches, motion, reborrow(&mut next_motion));
            let [next_v, next_l] = next_motion.map(|column| column.map(|component| &*component));
            // x' = x + h V, α' = α ⊕ Δα(P)
            let drifted = drift::into(h, x, next_v, next_x);
            let turned = turn.leaf(h, inertia, inverse_inertia, next_l, q, next_q);
            kicked & drifted & turned
        });
        if good {
            return Ok(());
        }
        let turned = || turn.first_fault(h, bodies, &next.angular_momentum, &state.attitude);
        Err(explain(bodies, state).or_else(turned).unwrap_or_else(|| overflow(bodies, next)))
    }

    /// The second kick, in place.
    fn kick_again(&self, next: &mut State, kick: f64) -> Result<(), IntegrateError> {
        let bodies = self.bodies;
        let wrenches = [next.wrenches.force.slices(), next.wrenches.torque.slices()];
        let motion = [next.velocity.slices_mut(), next.angular_momentum.slices_mut()];
        let good = par::all_leaves((bodies.inverse_mass(), wrenches, motion), &|(inverse_mass, wrenches, motion)| {
            kick::in_place(kick, inverse_mass, wrenches, motion)
        });
        if good {
            return Ok(());
        }
        Err(explain(bodies, next).unwrap_or_else(|| overflow(bodies, next)))
    }
}

/// The same columns for a shorter time.
fn reborrow<'a>(motion: &'a mut [[&mut [f64]; 3]; 2]) -> [[&'a mut [f64]; 3]; 2] {
    motion.each_mut().map(|column| column.each_mut().map(|component| &mut **component))
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
        let Self { map, dt, next } = self;
        let step = KickDriftKick { map: *map, h: *dt, bodies };
        evaluation::step(bodies, field, state, next, |field, state, next| step.advance(field, state, next))
    }
}
