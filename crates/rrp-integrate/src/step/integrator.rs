use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;

/// Properties that an integrator claims; the tests check them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Scheme {
    /// Time step h of the integrator in s.
    pub dt: f64,
    /// Order of accuracy of positions, attitudes and momenta for smooth forces.
    pub order: u32,
    /// Whether the map preserves the symplectic form for conservative forces.
    pub symplectic: bool,
    /// Whether a step with reversed momenta undoes the step before.
    pub reversible: bool,
}

/// Computational work of one step, or of several steps together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepReport {
    /// Number of force evaluations, including the evaluation at an initial state without wrenches.
    pub evaluations: usize,
    /// Iterations of an implicit step, or the largest number of Newton iterations of a body in
    /// [`Map::MoserVeselov`](crate::Map::MoserVeselov); zero for other explicit steps.
    pub iterations: usize,
}

/// A map from one state of all bodies to the next.
pub trait Integrator {
    /// Time step and order of accuracy of the map, and whether it is symplectic and reversible.
    fn scheme(&self) -> Scheme;

    /// Takes one step.
    ///
    /// The step starts from the wrenches of the state, if there are any. They must belong to this field and these
    /// bodies: after changing the field or the bodies, call [`State::discard_wrenches`].
    ///
    /// # Errors
    /// Any [`IntegrateError`]. The state, its wrenches and the committed history of the field are then as before, to
    /// the bit; with the integrators of this crate also after a panic of the field.
    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError>;
}

/// Takes `steps` steps and calls `observe` with each new state.
///
/// # Errors
/// That of the first step that fails; `state` is then the last good state.
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

pub(crate) fn check_time_step(dt: f64) -> Result<(), IntegrateError> {
    if dt.is_finite() && dt > 0.0 { Ok(()) } else { Err(IntegrateError::InvalidTimeStep { dt }) }
}
