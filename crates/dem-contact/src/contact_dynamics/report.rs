//! The contacts of a step, and the report of its solvers.

use cd_solve::friction::FrictionReport;
use cd_solve::{ContactJacobian, Report};

use crate::contact_dynamics::rigid_contact::RigidContact;

/// Report of one step of contact dynamics: [`ContactDynamics`](crate::contact_dynamics::ContactDynamics) or
/// [`MoreauJean`](crate::contact_dynamics::MoreauJean). Reports of solvers are `None` for problems that were not posed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DynamicsReport {
    /// Report of the solver for the contact forces without friction, a complementarity problem.
    pub complementarity: Option<Report>,
    /// Report of the solver for the contact forces without friction after impacts with restitution, with the iterations
    /// of the impacts.
    pub restitution: Option<Report>,
    /// Report of the solver for compatible contact forces, the rigid limit of elastic ones.
    pub compatibility: Option<Report>,
    /// Report of the minimisation for contacts of a small compliance, which replaces the other problems.
    pub compliant_step: Option<Report>,
    /// Report of the last friction problem of the step; `None` if no contact closes.
    pub friction: Option<FrictionReport>,
    /// Whether the residual of the friction problem is above the bound of
    /// [`Unsolved::Accept`](crate::contact_dynamics::Unsolved::Accept); a second such step in a row fails.
    pub above_bound: bool,
    /// Number of friction problems that were solved: more than one if contacts that had been left out closed, if
    /// impacts were repeated without restitution, or if islands of contacts were solved one by one.
    pub problems: usize,
    /// Iterations of the solvers, summed over all problems of the step; with friction sweeps and factorisations.
    pub iterations: usize,
    /// Number of detections of contacts: more than one if bodies moved further than expected.
    pub searches: usize,
    /// Number of contacts with friction in islands whose impacts were repeated without restitution, because they would
    /// have gained energy or were not solved, as in a wedge narrower than the friction angle; summed over passes.
    pub without_restitution: usize,
    /// Number of passes of impacts, also of those that were given up. An impact that another one causes comes in a
    /// later pass. With friction there is no pass unless an impact closes another contact.
    pub impact_passes: usize,
    /// Whether impacts were given up after many passes, so that some contacts closed without restitution. With friction
    /// all impacts of the step then happen at once.
    pub unfinished_impacts: bool,
    /// Energy in J that contacts took from the bodies and the walls that drive them: force times the mean of the
    /// relative velocities at the start and at the end.
    pub dissipated: f64,
    /// Work in J of walls, and of fixed bodies that move, on the bodies.
    pub wall_work: f64,
    /// Largest overlap in m that the step leaves. Without friction it is that of linearised gaps, and comes from the
    /// solver's tolerance, or from the compliance of contacts if one is set; it is larger in a wedge than on a plane.
    /// With friction it is the one before bodies were moved apart.
    pub overlap: f64,
    /// Number of moves that took overlapping bodies apart in the step.
    pub separations: usize,
    /// Largest overlap in m left after bodies were moved apart, if above the allowed one; zero if all could be moved
    /// apart.
    pub overlap_left: f64,
    /// Work in J of the force field on bodies that were moved apart: it is negative where they are lifted.
    pub separation_work: f64,
}

impl DynamicsReport {
    /// Adds a solved friction problem and the iterations of its solver to the counts of this report.
    pub(crate) fn count(&mut self, solved: &FrictionReport) {
        self.problems += 1;
        self.iterations += solved.sweeps + solved.factorizations;
    }
}

/// Contacts of a step with its report.
#[derive(Debug, Default)]
pub(crate) struct StepContacts {
    pub(crate) contacts: Vec<RigidContact>,
    pub(crate) report: DynamicsReport,
    /// Loads of the contact forces without friction; `None` without contacts.
    pub(crate) loads: Option<ContactLoads>,
}

/// Loads of contact forces without friction on bodies, from which compatible forces by a
/// [`CompatibleLaw`](super::CompatibleLaw) are found.
#[derive(Debug)]
pub(crate) struct ContactLoads {
    /// Matrix B of the step, which maps velocities of bodies to rates of gaps.
    pub(crate) map: ContactJacobian,
    /// Whether each contact of the step is open, so that it bears no force.
    pub(crate) open: Vec<bool>,
    /// Load of the contact forces on each free body that has contacts, which compatible forces exert as well.
    pub(crate) load: Vec<f64>,
    /// Scale of each entry of `load`, from the sizes of its terms, relative to which the entry is accurate.
    pub(crate) load_size: Vec<f64>,
}
