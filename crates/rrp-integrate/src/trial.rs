//! A step in place that may still be given up.

use std::sync::Mutex;

use crate::evaluation::evaluate;
use crate::kept::{Keeper, Kept, Number};
use crate::kick_drift_kick::KickDriftKick;
use crate::recovered::recover;
use crate::{AttitudeColumn, ForceField, IntegrateError, State, VectorColumn, Wrenches, drift, kick, par};

/// What a step started from, as far as it cannot be worked out from where it leads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Former {
    pub(crate) attitude: AttitudeColumn,
    velocity: VectorColumn,
    angular_momentum: VectorColumn,
    /// Of the positions.
    kept: Kept,
    clock: (f64, f64),
}

/// A state that a step has begun to change. Unless the step is [accepted](Self::accept) it is put back as it was, to the bit but for wrenches
/// that were written over.
pub(crate) struct Trial<'a> {
    step: &'a KickDriftKick<'a>,
    pub(crate) state: &'a mut State,
    pub(crate) former: &'a mut Former,
    /// Whether there were torques, so that angular momenta have changed.
    pub(crate) spun: bool,
    is_finite: bool,
    is_evaluated: bool,
    is_accepted: bool,
}

impl<'a> Trial<'a> {
    /// Kicks, moves and turns all bodies of `state`, whose wrenches are current. What it is put back to has had the kick that is `owed`.
    pub(crate) fn begin(step: &'a KickDriftKick<'a>, state: &'a mut State, former: &'a mut Former, owed: bool) -> Self {
        let spun = !state.wrenches.torque.is_untouched();
        former.velocity.resize(state.len());
        if spun {
            former.angular_momentum.resize(state.len());
        }
        if former.attitude.len() != state.attitude.len() {
            former.attitude = AttitudeColumn::identity(state.attitude.len());
        }
        former.kept.clear();
        former.clock = state.clock();
        let mut trial = Self { step, state, former, spun, is_finite: false, is_evaluated: false, is_accepted: false };
        if !owed {
            trial.exchange_momenta();
        }
        trial.is_finite = trial.kick_and_drift(owed);
        trial.exchange_attitudes();
        trial.state.advance_clock(step.h);
        trial
    }

    /// Whether all bodies are somewhere.
    pub(crate) fn is_finite(&self) -> bool {
        self.is_finite
    }

    /// Evaluates the field where the bodies are now, over the wrenches that they came with.
    pub(crate) fn evaluate(&mut self, field: &mut dyn ForceField) -> Result<(), IntegrateError> {
        self.is_evaluated = true;
        evaluate(self.step.bodies, field, self.state, self.step.h)
    }

    /// The state is the next one.
    pub(crate) fn accept(mut self) {
        self.is_accepted = true;
    }

    /// Kick, drift and turn of all bodies, attitudes to the former ones; true if all is finite. Velocities and angular momenta are
    /// kicked from the former ones; if one more is `owed` from before, where they are, and the former ones get the outcome of that.
    fn kick_and_drift(&mut self, owed: bool) -> bool {
        let Self { step, state, former, .. } = self;
        let (h, kick, turn, bodies) = (step.h, step.map.kicks().0 * step.h, step.map.turn(), step.bodies);
        let turns = state.has_attitudes();
        let (force, torque) = (state.wrenches.force.touch().slices(), state.wrenches.torque.slices());
        let kept = Mutex::new(&mut former.kept);
        let translation = (
            [state.velocity.slices_mut(), former.velocity.slices_mut(), state.position.slices_mut()],
            force,
            bodies.inverse_mass().piece(),
            0..bodies.len(),
        );
        // L where it stays, and τ and L where it does not.
        let (same, kicked) = match torque {
            None => (Some(state.angular_momentum.slices()), None),
            Some(torque) => {
                let momenta = [state.angular_momentum.slices_mut(), former.angular_momentum.slices_mut()];
                (None, Some((momenta, torque)))
            }
        };
        let moments = (bodies.inertia().pieces(), bodies.inverse_inertia().pieces());
        let turned = turns.then(|| (state.attitude.slices(), moments, former.attitude.slices_mut()));
        par::all_leaves((translation, same, kicked, turned), &|(translation, same, kicked, turned)| {
            let ([mut v, from, x], force, inverse_mass, numbers) = translation;
            let mut room = None;
            let inverse_mass = inverse_mass.leaf(&mut room);
            // V = v + h/2m F
            let mut good = match owed {
                true => kick::twice_in_place(kick, inverse_mass, force, reborrow(&mut v), from),
                false => kick::into(kick, inverse_mass, force, shared(from), reborrow(&mut v)),
            };
            // x' = x + h V
            let mut keeper = Keeper::new(&kept);
            good &= drift::ahead(h, shared(v), x, |at, column, value| {
                keeper.keep(Number { body: numbers.start + at, column, value });
            });
            // J P = L + h/2 τ
            let kicked = kicked.map(|([mut l, from], torque)| {
                good &= match owed {
                    true => kick::momentum_twice_in_place(kick, torque, reborrow(&mut l), from),
                    false => kick::momentum_into(kick, torque, shared(from), reborrow(&mut l)),
                };
                shared(l)
            });
            // α' = α ⊕ Δα(P)
            if let (Some(l), Some((q, moments, next_q))) = (kicked.or(same), turned) {
                good &= turn.leaf(h, moments, l, q, next_q);
            }
            good
        })
    }

    /// Has the wrenches again that the step was begun with: as they were if nobody has written over them, else those that lead to where
    /// the first kick has led. False if they cannot be told.
    fn restore_wrenches(&mut self) -> bool {
        let Self { step, state, former, spun, .. } = self;
        let wrenches = &mut state.wrenches;
        if wrenches.check_length(step.bodies.len()).is_err() {
            *wrenches = Wrenches::zeros(step.bodies.len());
        }
        if !*spun {
            // There were none, whatever the field has begun with.
            wrenches.torque.clear();
        }
        if wrenches.force.resume() && (!*spun || wrenches.torque.resume()) {
            return true;
        }
        wrenches.clear();
        let (kick, inverse_mass) = (step.map.kicks().0 * step.h, step.bodies.inverse_mass());
        let kick_of = |body: usize| kick * inverse_mass[body];
        let turn_of = |body: usize| if step.bodies.get(body).is_fixed() { 0.0 } else { kick };
        recover(kick_of, &former.velocity, &state.velocity, &mut wrenches.force)
            && (!*spun || recover(turn_of, &former.angular_momentum, &state.angular_momentum, &mut wrenches.torque))
    }

    fn exchange_momenta(&mut self) {
        std::mem::swap(&mut self.state.velocity, &mut self.former.velocity);
        if self.spun {
            std::mem::swap(&mut self.state.angular_momentum, &mut self.former.angular_momentum);
        }
    }

    fn exchange_attitudes(&mut self) {
        std::mem::swap(&mut self.state.attitude, &mut self.former.attitude);
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if self.is_accepted {
            return;
        }
        if self.is_evaluated {
            self.state.wrenches_current = self.restore_wrenches();
        }
        let State { position, velocity, .. } = &mut *self.state;
        drift::back(self.step.h, velocity.slices(), position.slices_mut());
        for number in self.former.kept.numbers() {
            position.slices_mut()[number.column][number.body] = number.value;
        }
        self.exchange_momenta();
        self.exchange_attitudes();
        self.state.restore_clock(self.former.clock);
    }
}

/// The same column for a shorter time.
fn reborrow<'a>(column: &'a mut [&mut [f64]; 3]) -> [&'a mut [f64]; 3] {
    column.each_mut().map(|component| &mut **component)
}

/// The same column to read.
fn shared(column: [&mut [f64]; 3]) -> [&[f64]; 3] {
    column.map(|component| &*component)
}
