use rrp_integrate::State;

use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::report::{DynamicsReport, StepContacts};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::separation::CLOSED;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;
use crate::wall::Wall;

/// Integrator of rigid bodies whose contacts obey the law `L`: [`ContactDynamics`](super::ContactDynamics) without
/// friction, [`MoreauJean`](super::MoreauJean) with it.
///
/// Contacts form between the same bodies, walls and cuboids as for penalty forces; corners of cuboids touch walls, too.
/// Pairs within the skin of the list are always detected: the solver gets all of them without friction, and with
/// friction those that may close within the step. If other pairs close in a step, the step is solved again with them.
/// Fixed bodies and walls keep their velocities.
///
/// A step that is not solved to the tolerance of its solver fails with
/// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved), boxed in
/// [`IntegrateError::Method`](rrp_integrate::IntegrateError::Method), and changes nothing.
pub struct RigidDynamics<L> {
    pub(super) dt: f64,
    pub(super) detector: ContactDetector,
    pub(super) law: L,
    /// Overlap over the reduced radius of a contact up to which overlapping bodies are not separated.
    pub(super) overlap: f64,
    pub(super) warm_start: bool,
    pub(super) last: StepContacts,
    pub(super) began: f64,
    pub(super) next: State,
}

impl<L> RigidDynamics<L> {
    pub(super) fn with_law(dt: f64, list: NeighborList, law: L) -> Result<Self, DemError> {
        list.domain().check_at_rest("contact dynamics")?;
        Ok(Self {
            dt: positive("the time step", dt)?,
            detector: ContactDetector::new(list),
            law,
            overlap: CLOSED,
            warm_start: true,
            last: StepContacts::default(),
            began: 0.0,
            next: State::at_rest(0),
        })
    }

    /// Replaces the walls that rigid bodies may touch.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`](crate::error::WallError::InvalidWall) or
    /// [`WallError::WallAcrossPeriodic`](crate::error::WallError::WallAcrossPeriodic).
    pub fn with_walls(mut self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        self.detector.set_walls(walls)?;
        Ok(self)
    }

    /// Replaces the cuboids among the rigid bodies.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid).
    pub fn with_cuboids(mut self, cuboids: impl IntoIterator<Item = Cuboid>) -> Result<Self, DemError> {
        self.detector.set_cuboids(cuboids)?;
        Ok(self)
    }

    /// Sets whether solvers start from the forces of the last step (a warm start), which is the default, or from zero.
    ///
    /// The start affects forces that are not unique. Velocities and compatible forces without friction are unique.
    #[must_use]
    pub fn with_warm_start(self, warm_start: bool) -> Self {
        Self { warm_start, ..self }
    }

    /// Sets the overlap, over the reduced radius of a contact, up to which bodies are not moved apart; the default is
    /// 1e-9. With friction, gaps up to 1e-9 of the reduced radius count as closed, whatever this overlap.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless the overlap is finite and positive.
    pub fn with_allowed_overlap(self, overlap: f64) -> Result<Self, DemError> {
        Ok(Self { overlap: positive("the allowed overlap", overlap)?, ..self })
    }

    /// Continues a stored run with the same bits: the last step began at the time `began` (s) and ended with these
    /// contacts, from whose forces the next step starts.
    #[must_use]
    pub fn with_contacts(mut self, contacts: impl IntoIterator<Item = RigidContact>, began: f64) -> Self {
        self.began = began;
        let contacts = contacts.into_iter().collect();
        self.last = StepContacts { contacts, report: self.last.report, loads: None };
        self.last.contacts.sort_unstable_by_key(RigidContact::key);
        self
    }

    /// Time in s at which the last step of contact dynamics began.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Contacts that could close within the last step, sorted by the numbers of their bodies, contacts with walls last.
    /// Forces with friction are those before overlapping bodies were moved apart.
    #[must_use]
    pub fn contacts(&self) -> &[RigidContact] {
        &self.last.contacts
    }

    /// Report of the last step of contact dynamics.
    #[must_use]
    pub fn report(&self) -> &DynamicsReport {
        &self.last.report
    }

    /// Walls that rigid bodies may touch.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.detector.walls
    }

    /// Cuboids among the rigid bodies.
    #[must_use]
    pub fn cuboids(&self) -> &[Cuboid] {
        &self.detector.cuboids
    }
}

impl<L: std::fmt::Debug> std::fmt::Debug for RigidDynamics<L> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RigidDynamics")
            .field("dt", &self.dt)
            .field("law", &self.law)
            .field("overlap", &self.overlap)
            .field("walls", &self.detector.walls)
            .field("cuboids", &self.detector.cuboids)
            .finish_non_exhaustive()
    }
}
