//! What a form makes of forces.

use crate::bond::ties::Ties;
use crate::implicit::form::DiscreteForm;

/// The times that forces act for in one step, in s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepWeights {
    pub(crate) step: f64,
    /// From the old positions to where forces are evaluated.
    pub(crate) reach: f64,
    /// On the momenta before the middle of the step: elastic and dissipative.
    pub(crate) elastic: f64,
    pub(crate) dissipative: f64,
    /// On the momenta over the whole step.
    pub(crate) whole_elastic: f64,
    pub(crate) whole_dissipative: f64,
    /// Whether the elastic force is the one of exact energy.
    pub(crate) exact: bool,
    /// Whether the Jacobian is to be the exact one, and whether its symmetric part is to be kept positive definite.
    pub(crate) exact_jacobian: bool,
    pub(crate) convex: bool,
}

impl StepWeights {
    pub(crate) fn new(form: DiscreteForm, step: f64, exact_jacobian: bool) -> Self {
        let alpha = form.alpha();
        let paper = matches!(form, DiscreteForm::Paper { .. });
        Self {
            step,
            reach: alpha * step,
            elastic: (1.0 - alpha) * step,
            dissipative: 0.5 * step,
            whole_elastic: step,
            // The half at the old momenta is in the start of the step.
            whole_dissipative: if paper { 0.5 * step } else { step },
            exact: form == DiscreteForm::ExactEnergy,
            exact_jacobian,
            convex: false,
        }
    }

    /// The dissipative half of the paper's form that is at the old positions and velocities.
    pub(crate) fn at_the_start(self) -> Self {
        Self { reach: 0.0, elastic: 0.0, whole_elastic: 0.0, whole_dissipative: self.dissipative, ..self }
    }
}

/// When forces act, and what acts beside contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) weights: StepWeights,
    pub(crate) ties: Option<&'a Ties>,
    /// Time at the start of the step in s.
    pub(crate) time: f64,
}
