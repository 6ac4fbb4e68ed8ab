//! Times for which forces act in one step, which depend on the discrete form.

use crate::bond::ties::Ties;
use crate::implicit::form::DiscreteForm;

/// Times in s for which forces act in one step, and the kind of Jacobian that is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepWeights {
    /// The time step h.
    pub(crate) step: f64,
    /// Time from the start of the step to where forces are evaluated: α h.
    pub(crate) evaluation_time: f64,
    /// Time for elastic forces in the equation of the velocities: (1 − α) h.
    pub(crate) elastic: f64,
    /// Time for dissipative forces in the equation of the velocities: h/2.
    pub(crate) dissipative: f64,
    /// Time for elastic forces over the whole step.
    pub(crate) whole_elastic: f64,
    /// Time for dissipative forces over the whole step.
    pub(crate) whole_dissipative: f64,
    /// Whether the elastic force is the discrete gradient of the energy.
    pub(crate) exact: bool,
    /// Whether the Jacobian is the exact one rather than its symmetric part.
    pub(crate) exact_jacobian: bool,
    /// Whether negative stiffnesses are left out of the symmetric part, which keeps it positive definite.
    pub(crate) convex: bool,
}

impl StepWeights {
    pub(crate) fn new(form: DiscreteForm, step: f64, exact_jacobian: bool) -> Self {
        let alpha = form.alpha();
        let paper = matches!(form, DiscreteForm::Paper { .. });
        Self {
            step,
            evaluation_time: alpha * step,
            elastic: (1.0 - alpha) * step,
            dissipative: 0.5 * step,
            whole_elastic: step,
            // The paper's half at the old momenta is known before the step.
            whole_dissipative: if paper { 0.5 * step } else { step },
            exact: form == DiscreteForm::ExactEnergy,
            exact_jacobian,
            convex: false,
        }
    }

    /// The weights of the dissipative half in the paper's form that is evaluated at the old positions and velocities.
    pub(crate) fn at_the_start(self) -> Self {
        Self { evaluation_time: 0.0, elastic: 0.0, whole_elastic: 0.0, whole_dissipative: self.dissipative, ..self }
    }
}

/// The parameters of the equations of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) weights: StepWeights,
    pub(crate) ties: Option<&'a Ties>,
    /// Time at the start of the step in s.
    pub(crate) time: f64,
}
