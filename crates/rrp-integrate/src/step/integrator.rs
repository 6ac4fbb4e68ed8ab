//! The contract of integrators, and a run of many steps.

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;

/// Properties that an integrator claims to have, and that the tests check.
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
    /// Number of force evaluations in the steps, including the evaluation at a state that came without wrenches.
    pub evaluations: usize,
    /// Iterations of an implicit step, or for [`Map::MoserVeselov`](crate::Map::MoserVeselov) the largest number of
    /// Newton iterations of a body; zero for other explicit steps.
    pub iterations: usize,
}

/// A map from one state of all bodies to the next.
pub trait Integrator {
    /// Time step and order of accuracy of the map, and whether the map is symplectic and reversible.
    fn scheme(&self) -> Scheme;

    /// Takes one step.
    ///
    /// The step starts from the wrenches that the state carries, if it carries any. They must belong to this field and
    /// these bodies: after a change of either call [`State::discard_wrenches`].
    ///
    /// # Errors
    /// Any [`IntegrateError`]. The state, the wrenches that it carries and the committed history of the field are
    /// then as before, to the bit. The integrators of this crate leave them so after a panic of the field too.
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
/// That of the first step that fails; `state` is then the last good one.
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
