//! One step of an explicit map, alone or in a run.

use crate::evaluation::{explain, first_bad_wrench, overflow};
use crate::trial::{Former, Trial};
use crate::{Bodies, ForceField, IntegrateError, Map, State, kick, par};

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

impl KickDriftKick<'_> {
    /// Takes `state`, which has current wrenches, to the next one; returns whether that owes its last kick. If the step cannot be taken the
    /// state is as before and owes nothing; wrenches that were written over are recovered, or gone.
    pub(crate) fn advance(
        &self,
        field: &mut dyn ForceField,
        state: &mut State,
        former: &mut Former,
        debt: Debt,
    ) -> Result<bool, IntegrateError> {
        let mut trial = Trial::begin(self, state, former, debt.owed);
        if !trial.is_finite() {
            let (lost, turned) = self.why_not_finite(&trial);
            drop(trial);
            return Err(explain(self.bodies, state).or(turned).unwrap_or(lost));
        }
        trial.evaluate(field)?;
        let kick = self.map.kicks().1 * self.h;
        if kick > 0.0 {
            // Momenta that nothing was added to yet have not been looked at.
            let torques_appear = !trial.spun && !trial.state.wrenches.torque.is_untouched();
            let sure = !torques_appear && self.is_bound_to_succeed(trial.state, kick);
            if !sure && !self.leads_to_finite(trial.state, kick) {
                return Err(self.why_not_kicked(trial.state));
            }
            let owes = sure && debt.may_owe;
            if !owes {
                self.kick_again(trial.state);
            }
            trial.accept();
            return Ok(owes);
        }
        // No kick that would have noticed: the next step would start from these.
        first_bad_wrench(&trial.state.wrenches).map_or(Ok(()), Err)?;
        trial.accept();
        Ok(false)
    }

    /// What is not finite after the first kick, the drift and the turn, and what is wrong with the turn.
    fn why_not_finite(&self, trial: &Trial<'_>) -> (IntegrateError, Option<IntegrateError>) {
        let (state, attitude) = (&*trial.state, &trial.former.attitude);
        let fault = || self.map.turn().first_fault(self.h, self.bodies, &state.angular_momentum, attitude);
        (overflow(self.bodies, state), state.has_attitudes().then(fault).flatten())
    }

    /// What would go wrong in the second kick of `state`, which stays as it is.
    fn why_not_kicked(&self, state: &mut State) -> IntegrateError {
        let kept = (state.velocity.clone(), state.angular_momentum.clone());
        self.kick_again(state);
        let error = explain(self.bodies, state).unwrap_or_else(|| overflow(self.bodies, state));
        (state.velocity, state.angular_momentum) = kept;
        error
    }

    /// Whether the second kick cannot but lead to finite numbers: it is far too small to carry one beyond the range of f64. To find that
    /// out reads less than to kick, and writes nothing.
    fn is_bound_to_succeed(&self, next: &State, kick: f64) -> bool {
        let Some(force) = next.wrenches.force.slices() else { return false };
        let (inverse_mass, torque) = (self.bodies.inverse_mass().piece(), next.wrenches.torque.slices());
        par::all_leaves((force, inverse_mass, torque), &|(force, inverse_mass, torque)| {
            let pushes = kick::is_small(kick, inverse_mass.leaf(&mut None), force);
            pushes & torque.is_none_or(|torque| kick::is_small_momentum(kick, torque))
        })
    }

    /// Whether the second kick leads to finite numbers.
    fn leads_to_finite(&self, next: &State, kick: f64) -> bool {
        let Some(force) = next.wrenches.force.slices() else { return false };
        let translation = (force, self.bodies.inverse_mass().piece(), next.velocity.slices());
        let rotation = next.wrenches.torque.slices().map(|torque| (torque, next.angular_momentum.slices()));
        par::all_leaves((translation, rotation), &|((force, inverse_mass, v), rotation)| {
            let moved = kick::leads_to_finite(kick, inverse_mass.leaf(&mut None), force, v);
            moved & rotation.is_none_or(|(torque, l)| kick::leads_to_finite_momentum(kick, torque, l))
        })
    }

    /// The second kick of the step that led to `state`, in place.
    fn kick_again(&self, state: &mut State) {
        let (bodies, kick) = (self.bodies, self.map.kicks().1 * self.h);
        let force = state.wrenches.force.slices();
        let translation = (state.velocity.slices_mut(), bodies.inverse_mass().piece(), force);
        let rotation = state.wrenches.torque.slices().map(|torque| (torque, state.angular_momentum.slices_mut()));
        par::all_leaves((translation, rotation), &|((v, inverse_mass, force), rotation)| {
            // v' = V + h/2m F', L' = J P + h/2 τ'
            let moved = force.is_none_or(|force| kick::in_place(kick, inverse_mass.leaf(&mut None), force, v));
            let spun = rotation.is_none_or(|(torque, l)| kick::momentum_in_place(kick, torque, l));
            moved & spun
        });
    }
}
