use cd_solve::friction::FrictionReport;
use cd_solve::{ContactJacobian, Report};

use crate::contact_dynamics::rigid_contact::RigidContact;

/// Report of one step of [`ContactDynamics`](crate::contact_dynamics::ContactDynamics) or
/// [`MoreauJean`](crate::contact_dynamics::MoreauJean). Reports of solvers are `None` for problems that were not posed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DynamicsReport {
    /// Report of the solver for the contact forces without friction, a complementarity problem.
    pub complementarity: Option<Report>,
    /// Report of the solver for the forces after impacts with restitution, including the iterations of the impacts.
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
    /// Number of solved friction problems: more than one if initially omitted contacts closed, if impacts were repeated
    /// without restitution, or if islands of contacts were solved separately.
    pub problems: usize,
    /// Iterations of the solvers, summed over all problems of the step; with friction, sweeps plus factorisations.
    pub iterations: usize,
    /// Number of contact detections: more than one if bodies moved further than expected.
    pub searches: usize,
    /// Number of contacts with friction in islands whose impacts were repeated without restitution, because they would
    /// have gained energy or were not solved, as in a wedge narrower than the friction angle; summed over passes.
    pub without_restitution: usize,
    /// Number of passes of impacts, including those that were given up. An impact that another one causes belongs to a
    /// later pass. With friction there is no pass unless an impact closes another contact.
    pub impact_passes: usize,
    /// Whether impacts were given up after many passes, so that some contacts closed without restitution, or, with
    /// friction, all impacts of the step are taken as simultaneous.
    pub unfinished_impacts: bool,
    /// Energy in J dissipated by contacts: force times the mean of the relative velocities at both ends of the step.
    pub dissipated: f64,
    /// Work in J of walls, and of fixed bodies that move, on the bodies.
    pub wall_work: f64,
    /// Largest overlap in m after the step. Without friction it is the overlap of linearised gaps, caused by the
    /// solver's tolerance or the compliance of contacts, and larger in a wedge than on a plane. With friction it is the
    /// overlap before bodies were moved apart.
    pub overlap: f64,
    /// Number of moves that separated overlapping bodies.
    pub separations: usize,
    /// Largest overlap in m left after the separation, if above the allowed overlap; else zero.
    pub overlap_left: f64,
    /// Work in J of the force field on the separated bodies, negative where they are lifted.
    pub separation_work: f64,
}

impl DynamicsReport {
    pub(super) fn count(&mut self, solved: &FrictionReport) {
        self.problems += 1;
        self.iterations += solved.sweeps + solved.factorizations;
    }
}

#[derive(Debug, Default)]
pub(super) struct StepContacts {
    pub(super) contacts: Vec<RigidContact>,
    pub(super) report: DynamicsReport,
    pub(super) loads: Option<ContactLoads>,
}

/// Loads of contact forces without friction, from which a [`CompatibleLaw`](super::CompatibleLaw) finds its forces.
#[derive(Debug)]
pub(super) struct ContactLoads {
    /// Matrix B of the step, which maps velocities of bodies to rates of gaps.
    pub(super) map: ContactJacobian,
    /// Whether each contact is open, so that it bears no force.
    pub(super) open: Vec<bool>,
    /// Load of the contact forces on each free body with contacts; compatible forces exert the same load.
    pub(super) load: Vec<f64>,
    /// Accuracy scale of each entry of `load`, from the sizes of its terms.
    pub(super) load_size: Vec<f64>,
}
