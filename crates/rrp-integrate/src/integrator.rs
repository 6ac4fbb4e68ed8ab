//! What every integrator offers, and a run of many steps.

use crate::{Bodies, ForceField, IntegrateError, State};

/// What an integrator states about itself; the tests hold it to that.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scheme {
    /// Time step h in s.
    pub dt: f64,
    /// Order of accuracy of positions, attitudes and momenta for smooth forces.
    pub order: u32,
    /// Whether the map preserves the symplectic form for conservative forces.
    pub symplectic: bool,
    /// Whether a step with reversed momenta undoes a step.
    pub reversible: bool,
}

/// What one step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepReport {
    /// Force evaluations, including that of a state which came without wrenches.
    pub evaluations: usize,
    /// Iterations of an implicit step, zero for an explicit one.
    pub iterations: usize,
}

/// A map from one state to the next.
pub trait Integrator {
    /// Step length, order and structure of the map.
    fn scheme(&self) -> Scheme;

    /// Takes one step.
    ///
    /// The step starts from the wrenches that the state carries, if it carries any: those of the field and bodies that
    /// its last step was taken with. After a change of either call [`State::discard_wrenches`].
    ///
    /// # Errors
    /// Any [`IntegrateError`]; the state and the committed memory of the field are then as before, and a step like this one, if it succeeds,
    /// leads to the same bits as if there had been no other. Where forces had been written over, [wrenches](State::wrenches) may differ in what
    /// rounding takes from a kick, or be gone where that is not little: the next step then evaluates them anew.
    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError>;
}

/// Takes `steps` steps and shows each new state to `observe`.
///
/// # Errors
/// That of the first step that cannot be taken; `state` is then the last good one.
pub fn run(
    integrator: &mut dyn Integrator,
    bodies: &Bodies,
    field: &mut dyn ForceField,
    state: &mut State,
    steps: usize,
    mut observe: impl FnMut(&State),
) -> Result<(), IntegrateError> {
    for _ in 0..steps {
        integrator.step(bodies, field, state)?;
        observe(state);
    }
    Ok(())
}

/// Passes a finite positive time step.
pub(crate) fn check_time_step(dt: f64) -> Result<(), IntegrateError> {
    if dt.is_finite() && dt > 0.0 { Ok(()) } else { Err(IntegrateError::InvalidTimeStep { dt }) }
}
