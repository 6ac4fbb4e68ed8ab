//! The contacts of a step, and the report of its solvers.

use cd_solve::{ContactJacobian, Report};

use crate::contact_dynamics::rigid_contact::RigidContact;

/// Reports of the solvers of one step without friction; `None` for problems that were not posed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DynamicsReport {
    /// Report of the solver for the contact forces, a complementarity problem; `None` if there was none to solve.
    pub complementarity: Option<Report>,
    /// Report of the solver for the contact forces after impacts with restitution, with the iterations of the impacts.
    pub restitution: Option<Report>,
    /// Number of passes of impacts in the step: an impact that another one causes comes in a later pass.
    pub impact_passes: usize,
    /// Whether impacts were given up after many passes, so that some contacts closed without restitution.
    pub unfinished_impacts: bool,
    /// Largest overlap in m that the step leaves, by linearised gaps: it comes from the solver's tolerance, or from the
    /// compliance of contacts if one is set. Forces and overlaps are larger in a wedge than on a plane.
    pub overlap: f64,
    /// Report of the solver for compatible contact forces, the rigid limit of elastic ones; `None` if it was not used.
    pub compatibility: Option<Report>,
    /// Report of the minimisation for contacts of a small compliance, which replaces the other problems; else `None`.
    pub compliant_step: Option<Report>,
    /// Number of detections of contacts: more than one if bodies moved further than expected.
    pub searches: usize,
    /// Energy in J that contacts took from the bodies and the walls that drive them: force times the mean of the
    /// relative velocities at the start and at the end.
    pub dissipated: f64,
    /// Work in J of walls, and of fixed bodies that move, on the bodies.
    pub wall_work: f64,
    /// Largest overlap in m at the start of a step whose bodies were moved apart before it; else zero.
    pub separated_overlap: f64,
    /// Largest overlap in m left after bodies were moved apart, if above the allowed one; zero if all could be moved
    /// apart.
    pub overlap_left: f64,
    /// Work in J of the force field on bodies that were moved apart: it is negative where they are lifted.
    pub separation_work: f64,
}

impl DynamicsReport {
    /// Sum of the solvers' iterations over all problems of the step.
    pub(crate) fn iterations(&self) -> usize {
        let all = [self.complementarity, self.restitution, self.compatibility, self.compliant_step];
        all.into_iter().flatten().map(|report| report.iterations).sum()
    }
}

/// Contacts of a step without friction, and data for compatible forces by a [`CompatibleLaw`](super::CompatibleLaw).
#[derive(Debug, Default)]
pub(crate) struct StepContacts {
    pub(crate) contacts: Vec<RigidContact>,
    /// Matrix B of the step, which maps velocities of bodies to rates of gaps; `None` without contacts.
    pub(crate) map: Option<ContactJacobian>,
    /// Whether each contact of the step is open, so that it bears no force.
    pub(crate) open: Vec<bool>,
    /// Load of the contact forces on each free body that has contacts, which compatible forces exert as well.
    pub(crate) load: Vec<f64>,
    /// Scale of each entry of `load`, from the sizes of its terms, relative to which the entry is accurate.
    pub(crate) load_size: Vec<f64>,
    pub(crate) report: DynamicsReport,
}
