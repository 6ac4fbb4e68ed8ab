//! One step of an explicit map: kick, drift, turn, force, kick. The formulas follow `[BG21]` (23) and (25), with the
//! angular momentum L = J Ω in place of Ω:
//!
//! | | (23) | (25) |
//! |---|---|---|
//! | kick | V = v + h/2m F, J P = L + h/2 τ | the same |
//! | drift | x' = x + h V | the same |
//! | turn | α' = α ⊕ 2h/(1 + √(1 − h²\|P\|²)) P | α' = α ⊕ h P |
//! | force | F', τ' at x', α' | the same |
//! | kick | v' = V + h/2m F', L' = J P + h/2 τ' | the same |
//!
//! Map (27) takes all of h in the first kick and has no last one. The other maps differ only in the turn. The step
//! reads the old state and writes the next one. Without torques L' = L: the column of L is lent to the next state, not
//! copied.

use std::sync::atomic::{AtomicUsize, Ordering};

use rrp_parallel::all_parts;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::column::vector::shared;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::kernel::{drift, kick};
use crate::leaves::leaves;
use crate::step::columns::{AngularKick, Translation, Turning};
use crate::step::evaluation::{evaluate, explain, first_bad_wrench, overflow};
use crate::step::integrator::StepReport;
use crate::step::kick_in_place::kick_in_place;
use crate::step::map::Map;
use crate::step::trial::Trial;

/// One step of an explicit map with the time step h.
pub(crate) struct KickDriftKick<'a> {
    pub(crate) map: Map,
    pub(crate) h: f64,
    pub(crate) bodies: &'a Bodies,
}

impl KickDriftKick<'_> {
    /// Takes one step from `state`; `next` is memory for the new state.
    pub(crate) fn step(
        &self,
        field: &mut dyn ForceField,
        state: &mut State,
        next: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let mut trial = Trial::begin(self.bodies, field, state, next)?;
        trial.next.set_time_after(trial.state, self.h);
        let newton = AtomicUsize::new(0);
        if !self.kick_drift_turn(trial.state, trial.next, &newton) {
            return Err(self.why_not_moved(trial));
        }
        trial.lend_momenta();
        evaluate(self.bodies, field, trial.next, self.h)?;
        trial.copy_lent_momenta();
        let [_, last] = self.map.kicks();
        // The next step starts from these wrenches, so they are checked even if there is no last kick.
        let good = match last > 0.0 {
            true => kick_in_place(self.bodies, trial.next, last * self.h),
            false => first_bad_wrench(&trial.next.wrenches).is_none(),
        };
        if !good {
            return Err(explain(self.bodies, trial.next).unwrap_or_else(|| overflow(self.bodies, trial.next)));
        }
        let iterations = newton.load(Ordering::Relaxed);
        Ok(trial.accept(field, StepReport { evaluations: 1, iterations }))
    }

    /// Takes the first kick, the drift and the turn of all bodies, from `state` to `next`; true if all values are
    /// finite.
    fn kick_drift_turn(&self, state: &mut State, next: &mut State, newton: &AtomicUsize) -> bool {
        let (h, turn, [first, _]) = (self.h, self.map.turn(), self.map.kicks());
        let turns = state.has_attitudes();
        let momentum = state.angular_momentum.slices();
        let translation = Translation {
            inverse_mass: self.bodies.inverse_mass().piece(),
            force: state.wrenches.force.touch().slices(),
            velocity: state.velocity.slices(),
            position: state.position.slices(),
            next_velocity: next.velocity.slices_mut(),
            next_position: next.position.slices_mut(),
        };
        let kick = state.wrenches.torque.slices().map(|torque| {
            next.angular_momentum.resize(self.bodies.len());
            AngularKick { torque, next_momentum: next.angular_momentum.slices_mut() }
        });
        let turning = turns.then(|| Turning {
            moments: self.bodies.moments(),
            attitude: state.attitude.slices(),
            next_attitude: next.attitude.slices_mut(),
        });
        let columns = (translation, momentum, kick, turning);
        all_parts(leaves(self.bodies.len()), columns, &|_, (mut t, mut momentum, kick, turning)| {
            // V = v + h/2m F
            let mass = t.inverse_mass;
            let mut good = kick::velocities(first * h, mass.leaf(), t.force, t.velocity, &mut t.next_velocity);
            // x' = x + h V
            good &= drift::positions(h, shared(t.next_velocity), t.position, t.next_position);
            // J P = L + h/2 τ
            if let Some(AngularKick { torque, mut next_momentum }) = kick {
                good &= kick::momenta(first * h, torque, momentum, &mut next_momentum);
                momentum = shared(next_momentum);
            }
            // α' = α ⊕ Δα(P)
            if let Some(Turning { moments, attitude, next_attitude }) = turning {
                good &= turn.leaf(h, moments, momentum, attitude, next_attitude, newton);
            }
            good
        })
    }

    fn why_not_moved(&self, mut trial: Trial<'_>) -> IntegrateError {
        if let Some(error) = explain(self.bodies, trial.state) {
            return error;
        }
        trial.lend_momenta();
        let state = &*trial.state;
        let next = &*trial.next;
        let fault = || self.map.turn().first_fault(self.h, self.bodies, &next.angular_momentum, &state.attitude);
        state.has_attitudes().then(fault).flatten().unwrap_or_else(|| overflow(self.bodies, next))
    }
}
