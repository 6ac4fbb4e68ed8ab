//! The part of a step that differs with friction and without: the law of the contacts, and how it is solved.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::detection::{ContactDetector, DetectedContact};
use crate::contact_dynamics::motion::{FreeMotion, Velocities};
use crate::contact_dynamics::report::StepContacts;
use crate::error::DemError;

/// Law of rigid contacts with its solver: assembles and solves the contact problem of a step, and lets bodies bounce.
pub(crate) trait RigidLaw {
    /// Whether contact forces close overlaps, as those of `Φ/dt + B v⁺ ≥ 0` do where Φ < 0. Bodies that overlap are then
    /// moved apart only before a step that follows no contact, else after each step.
    const CLOSES_OVERLAPS: bool;

    /// Finds the forces of the detected contacts and the velocities that they lead to. `before` has the contacts from
    /// whose forces the solver starts: those of the last step, or of an attempt at this step with fewer contacts. Its
    /// report counts such attempts.
    ///
    /// # Errors
    /// Errors of the solver of the contact problem.
    fn solve(
        &mut self,
        step: StepBodies<'_>,
        detected: &[DetectedContact],
        before: StepContacts,
    ) -> Result<Solved, DemError>;

    /// Adds forces that are computed once a step, when its contacts are complete; by default there are none.
    ///
    /// # Errors
    /// Errors of the solver of the contact problem.
    fn complete(&mut self, _contacts: &mut StepContacts) -> Result<(), DemError> {
        Ok(())
    }
}

/// Bodies, state and motion without contacts from which the contact forces of a step are found.
#[derive(Clone, Copy)]
pub(crate) struct StepBodies<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    pub(crate) motion: &'a FreeMotion,
    /// Length of the step in s.
    pub(crate) dt: f64,
    pub(crate) detector: &'a ContactDetector,
    /// Whether the residual of the last step was above the bound that its law accepts.
    pub(crate) was_above: bool,
}

/// Contacts of a step with their forces, and velocities after the step.
pub(crate) struct Solved {
    pub(crate) step_contacts: StepContacts,
    /// Velocities of all bodies after the step.
    pub(crate) velocity: Velocities,
    /// Angular impulses of each contact in kg m²/s, by which body a loses and body b gains angular momentum.
    pub(crate) angular_impulses: Vec<[DVec3; 2]>,
}
