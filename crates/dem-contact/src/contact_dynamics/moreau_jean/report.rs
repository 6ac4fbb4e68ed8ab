//! The report of a step with friction.

use cd_solve::friction::FrictionReport;

/// Report of a step of [`MoreauJean`](crate::contact_dynamics::MoreauJean).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrictionStepReport {
    /// Report of the last friction problem of the step; `None` if no contact closes.
    pub friction: Option<FrictionReport>,
    /// Number of friction problems that were solved: more than one if contacts that had been left out closed, if
    /// impacts were repeated without restitution, or if islands of contacts were solved one by one.
    pub problems: usize,
    /// Sweeps and factorisations of the friction solver, summed over all friction problems of the step.
    pub iterations: usize,
    /// Number of detections of contacts: more than one if bodies moved further than expected.
    pub searches: usize,
    /// Number of contacts in islands whose impacts were repeated without restitution, because they would have gained
    /// energy or were not solved, as in a wedge narrower than the friction angle; summed over passes.
    pub without_restitution: usize,
    /// Number of passes of impacts, also of those that were given up; zero if no impact closed another contact.
    pub impact_passes: usize,
    /// Whether passes of impacts were given up: all impacts of the step then happen at once, and contacts that they
    /// close do not rebound.
    pub unfinished_impacts: bool,
    /// Energy in J that contacts took from the bodies and the walls that drive them: force times the mean of the
    /// relative velocities at the start and at the end.
    pub dissipated: f64,
    /// Work in J of walls, and of fixed bodies that move, on the bodies.
    pub wall_work: f64,
    /// Largest overlap in m of bodies after the step, before they were moved apart; zero without overlaps.
    pub overlap: f64,
    /// Number of moves that took overlapping bodies apart in the step.
    pub separations: usize,
    /// Largest overlap in m left after bodies were moved apart, if above the allowed one; zero if all could be moved
    /// apart.
    pub overlap_left: f64,
    /// Work in J of the force field on bodies that were moved apart: it is negative where they are lifted.
    pub separation_work: f64,
}

impl FrictionStepReport {
    /// Adds a solved friction problem and the iterations of its solver to the counts of this report.
    pub(super) fn count(&mut self, solved: &FrictionReport) {
        self.problems += 1;
        self.iterations += solved.sweeps + solved.factorizations;
    }
}
