//! What a step of contact dynamics found.

use cd_solve::{ContactJacobian, Report};

use crate::contact_dynamics::rigid_contact::RigidContact;

/// What the solvers of one step took; `None` for problems that were not posed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DynamicsReport {
    /// The complementarity problem.
    pub complementarity: Option<Report>,
    /// The same problem once more, with the velocities that restitution asks for.
    pub restitution: Option<Report>,
    /// The compatibility problem.
    pub compatibility: Option<Report>,
    /// The one-step form, which takes the place of the others.
    pub one_step: Option<Report>,
    /// How often contacts were searched: more than once where bodies move further than was expected.
    pub searches: usize,
}

impl DynamicsReport {
    /// Iterations of all problems.
    pub(crate) fn iterations(&self) -> usize {
        let all = [self.complementarity, self.restitution, self.compatibility, self.one_step];
        all.into_iter().flatten().map(|report| report.iterations).sum()
    }
}

/// The contacts of a step and what is needed for compatible forces on request.
#[derive(Debug, Default)]
pub(crate) struct StepContacts {
    pub(crate) contacts: Vec<RigidContact>,
    pub(crate) map: Option<ContactJacobian>,
    /// Whether each contact is open: it takes part in no force.
    pub(crate) open: Vec<bool>,
    /// Bᵀ f, which compatible forces balance too.
    pub(crate) load: Vec<f64>,
    pub(crate) report: DynamicsReport,
}
