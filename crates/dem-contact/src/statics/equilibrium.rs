use crate::law::contact::Contact;

/// Static equilibrium: contacts, residuals, energies, and the cost of the search.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Equilibrium {
    /// All contacts at equilibrium, in the order of [`ContactForce::contacts`](crate::force::ContactForce::contacts),
    /// with elastic forces only. They are more precise than contacts computed from the state, whose centres are
    /// rounded. At an overlap of 1e-5 of a diameter rounding costs five digits, and more far from the origin.
    pub contacts: Vec<Contact>,
    /// Largest unbalanced force on a body over [`mean_force`](Self::mean_force), or over the largest load without
    /// contacts, before centres are rounded.
    pub residual: f64,
    /// Largest ratio of a body's unbalanced force to the sum of the magnitudes of its load and contact forces.
    pub body_residual: f64,
    /// Number of the body with the largest [`body_residual`](Self::body_residual), if a body can move.
    pub least_balanced: Option<usize>,
    /// Mean normal force of all contacts at equilibrium in N; zero without contacts.
    pub mean_force: f64,
    /// Elastic energy of all contacts at equilibrium in J.
    pub elastic_energy: f64,
    /// Change of elastic energy and energy of the loads, −Σ load · displacement, in J; positive only by rounding.
    pub energy_change: f64,
    /// Number of rattlers: movable bodies without any contact.
    pub rattlers: usize,
    /// Number of steps of dynamic relaxation, each with one evaluation of all forces.
    pub steps: usize,
    /// Number of Newton steps.
    pub iterations: usize,
    /// Iterations of conjugate gradients, summed over all Newton steps.
    pub inner_iterations: usize,
    /// Values of [`residual`](Self::residual) before each of the last Newton steps in a row, and after the last step.
    /// Each step squares the residual once no contact opens or closes.
    pub residuals: Vec<f64>,
}
