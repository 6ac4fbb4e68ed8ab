//! What a minimisation comes to.

use crate::law::contact::Contact;

/// A static equilibrium, and what it took to find it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Equilibrium {
    /// All contacts, in the order of [`ContactForce::contacts`](crate::force::ContactForce::contacts), elastic forces only.
    ///
    /// These are more precise than what can be read from the state, whose centres are rounded: at an overlap of 1e-5 of a
    /// diameter that costs five digits, and more far from the origin.
    pub contacts: Vec<Contact>,
    /// Largest unbalanced force on a body over [`mean_force`](Self::mean_force); before centres are rounded into the state.
    pub residual: f64,
    /// Mean normal force of all contacts in N; zero without contacts.
    pub mean_force: f64,
    /// Elastic energy of the contacts in J.
    pub elastic_energy: f64,
    /// Elastic energy and that of the load, −Σ load · displacement, less the same at the start, in J; positive by rounding at most.
    pub energy_change: f64,
    /// Bodies without any contact.
    pub rattlers: usize,
    /// Steps of relaxation, one evaluation of all forces each.
    pub steps: usize,
    /// Newton steps.
    pub iterations: usize,
    /// Iterations of conjugate gradients in all of them.
    pub inner_iterations: usize,
    /// The residual before each step of the last series of Newton steps, and at its end: it is squared from step to step once no
    /// contact opens or closes.
    pub residuals: Vec<f64>,
}
