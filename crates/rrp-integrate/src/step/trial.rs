use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::step::evaluation::evaluate;
use crate::step::integrator::StepReport;

/// A step from `state` to `next` that may still fail. [`accept`](Self::accept) exchanges the two states. A trial that
/// is dropped, because of an error or a panic of the field, leaves `state` as it was, to the bit.
pub(crate) struct Trial<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) next: &'a mut State,
    /// Whether the state came without wrenches. If the step fails, the wrenches evaluated for it are discarded: they
    /// may have caused the failure.
    came_without_wrenches: bool,
    /// Whether the angular momenta of the state are lent to `next`, not copied, since a step without torques keeps
    /// them.
    momenta_are_lent: bool,
}

impl<'a> Trial<'a> {
    /// Prepares `next` for the new state, and evaluates the field if the state came without wrenches.
    pub(crate) fn begin(
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &'a mut State,
        next: &'a mut State,
    ) -> Result<Self, IntegrateError> {
        state.check_length(bodies.len())?;
        next.make_room_after(state);
        let came_without_wrenches = !state.wrenches_current;
        if came_without_wrenches {
            evaluate(bodies, field, state, 0.0)?;
        }
        Ok(Self { state, next, came_without_wrenches, momenta_are_lent: false })
    }

    /// Lends the angular momenta of the state to `next` if the state has no torques: such a step does not change them.
    pub(crate) fn lend_momenta(&mut self) {
        if self.state.wrenches.torque.is_untouched() {
            self.exchange_momenta();
        }
    }

    /// Replaces lent angular momenta by a copy if `next` has torques, which will change them.
    pub(crate) fn copy_lent_momenta(&mut self) {
        if self.momenta_are_lent && !self.next.wrenches.torque.is_untouched() {
            self.exchange_momenta();
            self.next.angular_momentum.resize(self.state.len());
            self.next.angular_momentum.copy_from(&self.state.angular_momentum);
        }
    }

    fn exchange_momenta(&mut self) {
        std::mem::swap(&mut self.state.angular_momentum, &mut self.next.angular_momentum);
        self.momenta_are_lent = !self.momenta_are_lent;
    }

    /// Ends the step: commits the field and makes `next` the state. Returns `report`, with the evaluation by
    /// [`begin`](Self::begin) counted.
    pub(crate) fn accept(mut self, field: &mut dyn ForceField, report: StepReport) -> StepReport {
        field.commit();
        std::mem::swap(self.state, self.next);
        self.momenta_are_lent = false;
        let evaluations = report.evaluations + usize::from(std::mem::take(&mut self.came_without_wrenches));
        StepReport { evaluations, ..report }
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if self.momenta_are_lent {
            self.exchange_momenta();
        }
        if self.came_without_wrenches {
            self.state.discard_wrenches();
        }
    }
}
