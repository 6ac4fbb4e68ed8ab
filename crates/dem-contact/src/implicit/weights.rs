use crate::bond::ties::Ties;
use crate::implicit::form::DiscreteForm;

/// Times in s for which forces act in one implicit step, by its discrete form, and the wanted kind of Jacobian.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepWeights {
    pub(super) step: f64,
    /// Time α h in s from the start of the step to the point where forces are evaluated.
    pub(super) evaluation_time: f64,
    /// Time (1 − α) h in s for which elastic forces act in the equation of the velocities.
    pub(super) elastic: f64,
    /// Time h/2 in s for which dissipative forces act in the equation of the velocities.
    pub(super) dissipative: f64,
    /// Time in s for which elastic forces act over the whole step.
    pub(super) whole_elastic: f64,
    /// Time in s for which dissipative forces act over the whole step.
    pub(super) whole_dissipative: f64,
    /// Whether the elastic force is the discrete gradient of the energy (form of exact energy).
    pub(super) exact: bool,
    /// Whether the exact Jacobian is wanted rather than its symmetric part.
    pub(super) exact_jacobian: bool,
    /// Whether negative stiffnesses are left out of the symmetric part, to keep it positive definite.
    pub(super) convex: bool,
}

impl StepWeights {
    pub(super) fn new(form: DiscreteForm, step: f64, exact_jacobian: bool) -> Self {
        let alpha = form.alpha();
        let paper = matches!(form, DiscreteForm::Paper { .. });
        Self {
            step,
            evaluation_time: alpha * step,
            elastic: (1.0 - alpha) * step,
            dissipative: 0.5 * step,
            whole_elastic: step,
            // The paper's half impulse at the old momenta is known before the step.
            whole_dissipative: if paper { 0.5 * step } else { step },
            exact: form == DiscreteForm::ExactEnergy,
            exact_jacobian,
            convex: false,
        }
    }

    /// Returns these times for the dissipative half impulse at the start of the step, `[DK21] (13)-(16)`.
    pub(super) fn at_the_start(self) -> Self {
        Self { evaluation_time: 0.0, elastic: 0.0, whole_elastic: 0.0, whole_dissipative: self.dissipative, ..self }
    }
}

/// Parameters of the equations of one implicit step: times for which forces act, ties, and the start of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub(super) weights: StepWeights,
    pub(super) ties: Option<&'a Ties>,
    pub(super) time: f64,
}
