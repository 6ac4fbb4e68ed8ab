//! One step of an explicit map, alone or in a run.

use crate::evaluation::{evaluate, explain, first_bad_wrench, overflow};
use crate::{Bodies, ForceField, IntegrateError, Map, State, StepReport, drift, kick, par};

/// One step of a map.
pub(crate) struct KickDriftKick<'a> {
    pub(crate) map: Map,
    pub(crate) h: f64,
    pub(crate) bodies: &'a Bodies,
}

/// The kick that ends a step and the one that begins the next are by the same forces: in a run they are taken in one pass, and until
/// then a state owes its last kick.
#[derive(Clone, Copy)]
pub(crate) struct Debt {
    /// Whether the state that the step starts from owes its last kick.
    pub(crate) owed: bool,
    /// Whether the next state may.
    pub(crate) may_owe: bool,
}

/// Where a step went wrong.
enum Trouble {
    /// In the first kick, the drift or the turn.
    Before,
    /// In the force field, or after it.
    After(IntegrateError),
}

impl KickDriftKick<'_> {
    /// Makes `next` from `state`, which has current wrenches; returns whether `next` owes its last kick.
    ///
    /// Without torques the angular momenta are those of both states; `next` has them until they are to differ.
    pub(crate) fn advance(
        &self,
        field: &mut dyn ForceField,
        state: &mut State,
        next: &mut State,
        debt: Debt,
    ) -> Result<(StepReport, bool), IntegrateError> {
        let mut lent = state.wrenches.torque.is_untouched();
        if lent {
            std::mem::swap(&mut state.angular_momentum, &mut next.angular_momentum);
        } else {
            next.angular_momentum.resize(state.len());
        }
        let outcome = self.kick_drift_kick(field, state, next, (debt, &mut lent));
        outcome.map(|owes| (StepReport { evaluations: 1, iterations: 0 }, owes)).map_err(|trouble| {
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
        (debt, lent): (Debt, &mut bool),
    ) -> Result<bool, Trouble> {
        let (before, after) = self.map.kicks();
        if !self.kick_and_drift(state, next, (before * self.h, debt.owed)) {
            return Err(Trouble::Before);
        }
        next.set_time_after(state, self.h);
        evaluate(self.bodies, field, next, self.h).map_err(Trouble::After)?;
        if after > 0.0 {
            let torques_appear = *lent && !next.wrenches.torque.is_untouched();
            if torques_appear {
                state.angular_momentum.resize(next.len());
                state.angular_momentum.copy_from(&next.angular_momentum);
                *lent = false;
            }
            // Momenta that nothing was added to yet have not been looked at.
            let owes = debt.may_owe && !torques_appear && self.is_bound_to_succeed(next, after * self.h);
            return if owes { Ok(true) } else { self.kick_again(next).map(|()| false).map_err(Trouble::After) };
        }
        // No kick that would have noticed: the next step would start from these.
        first_bad_wrench(&next.wrenches).map_or(Ok(false), |error| Err(Trouble::After(error)))
    }

    /// Kick, after the same one if `state` owes it, drift and turn of all bodies, `state` to `next`; true if all is finite.
    fn kick_and_drift(&self, state: &State, next: &mut State, (kick, owed): (f64, bool)) -> bool {
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
            let mut good = kick::into((kick, owed), inverse_mass.leaf(), force, v, reborrow(&mut next_v));
            good &= drift::into(h, x, next_v.map(|component| &*component), next_x);
            // J P = L + h/2 τ
            let kicked = kicked.map(|([torque, l], mut next_l)| {
                good &= kick::momentum_into((kick, owed), torque, l, reborrow(&mut next_l));
                next_l.map(|component| &*component)
            });
            // α' = α ⊕ Δα(P)
            if let (Some(l), Some((q, moments, next_q))) = (kicked.or(same), turned) {
                good &= turn.leaf(h, moments, l, q, next_q);
            }
            good
        })
    }

    /// Whether the second kick cannot but lead to finite numbers: it is far too small to carry one beyond the range of f64. To find that
    /// out reads less than to kick, and writes nothing.
    fn is_bound_to_succeed(&self, next: &State, kick: f64) -> bool {
        let Some(force) = next.wrenches.force.slices() else { return false };
        let (inverse_mass, torque) = (self.bodies.inverse_mass().piece(), next.wrenches.torque.slices());
        par::all_leaves((force, inverse_mass, torque), &|(force, inverse_mass, torque)| {
            let pushes = kick::is_small(kick, inverse_mass.leaf(), force);
            pushes & torque.is_none_or(|torque| kick::is_small_momentum(kick, torque))
        })
    }

    /// The second kick of the step that led to `state`, in place.
    pub(crate) fn kick_again(&self, state: &mut State) -> Result<(), IntegrateError> {
        let (bodies, kick) = (self.bodies, self.map.kicks().1 * self.h);
        let force = state.wrenches.force.slices();
        let translation = (state.velocity.slices_mut(), bodies.inverse_mass().piece(), force);
        let rotation = state.wrenches.torque.slices().map(|torque| (torque, state.angular_momentum.slices_mut()));
        let good = par::all_leaves((translation, rotation), &|((v, inverse_mass, force), rotation)| {
            // v' = V + h/2m F', L' = J P + h/2 τ'
            let moved = force.is_none_or(|force| kick::in_place(kick, inverse_mass.leaf(), force, v));
            let spun = rotation.is_none_or(|(torque, l)| kick::momentum_in_place(kick, torque, l));
            moved & spun
        });
        if good {
            return Ok(());
        }
        Err(explain(bodies, state).unwrap_or_else(|| overflow(bodies, state)))
    }
}

/// The same column for a shorter time.
fn reborrow<'a>(column: &'a mut [&mut [f64]; 3]) -> [&'a mut [f64]; 3] {
    column.each_mut().map(|component| &mut **component)
}
