//! The part of a step that depends on friction: the law of the contacts and its solution.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::detection::{ContactDetector, DetectedContact};
use crate::contact_dynamics::motion::{FreeMotion, Velocities};
use crate::contact_dynamics::report::StepContacts;
use crate::error::DemError;

/// Law of rigid contacts: assembles and solves the contact problem of a step, with impacts.
pub(super) trait RigidLaw {
    /// Whether contact forces close overlaps, as those of `Φ/dt + B v⁺ ≥ 0` do where Φ < 0. Overlapping bodies are then
    /// separated only before a step that follows no contact, else after each step.
    const CLOSES_OVERLAPS: bool;

    /// Finds the forces of the detected contacts and the resulting velocities. The solver starts from the forces of
    /// `before`: the contacts of the last step, or of an attempt at this step with fewer contacts, whose report has the
    /// numbers of problems and iterations so far.
    ///
    /// # Errors
    /// Errors of the solver of the contact problem.
    fn solve(
        &mut self,
        step: StepBodies<'_>,
        detected: &[DetectedContact],
        before: StepContacts,
    ) -> Result<Solved, DemError>;

    /// Adds compatible forces to the contacts, once a step, when no contact is missing any more; by default does
    /// nothing.
    ///
    /// # Errors
    /// Errors of the solver of the contact problem.
    fn complete(&mut self, _contacts: &mut StepContacts) -> Result<(), DemError> {
        Ok(())
    }
}

/// Bodies, state and motion without contacts from which contact forces are found.
#[derive(Clone, Copy)]
pub(super) struct StepBodies<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) motion: &'a FreeMotion,
    pub(super) dt: f64,
    pub(super) detector: &'a ContactDetector,
    /// Whether the residual of the friction problem of the step before exceeded the bound of `Unsolved::Accept`; a
    /// second such step in a row fails.
    pub(super) was_above: bool,
}

/// Contacts of a step with their forces, and velocities after the step.
pub(super) struct Solved {
    pub(super) step_contacts: StepContacts,
    pub(super) velocity: Velocities,
    /// Angular impulses of each contact in kg m²/s: body a loses the first one, body b gains the second one.
    pub(super) angular_impulses: Vec<[DVec3; 2]>,
}
