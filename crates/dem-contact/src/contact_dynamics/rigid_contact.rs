use rrp_geom::glam::DVec3;

use crate::law::PowerByMotion;

/// Contact of rigid bodies in one step, with the conventions of [`Contact`](crate::law::contact::Contact).
///
/// All contacts that could have closed within the step are listed. Contacts that stayed open have a positive slack and
/// no force. Of two bodies, a has the lower number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidContact {
    /// Number of body a of the contact.
    pub a: usize,
    /// Number of body b of the contact, or of the wall.
    pub b: usize,
    /// Whether `b` is the number of a wall, not of a body.
    pub with_wall: bool,
    /// Number of the cuboid's corner that touches the wall; zero for all other contacts.
    pub corner: u8,
    /// Number of the touched part of the wall; zero for planes and pairs.
    pub feature: u32,
    /// Unit normal n of the contact from a to b, world frame.
    pub normal: DVec3,
    /// Contact point in m at the start of the step, at the image of body a that the state holds: in the middle of the
    /// gap of two spheres, else on the cuboid or the wall.
    pub point: DVec3,
    /// Gap Φ of the contact in m at the start of the step, negative where bodies or wall overlap.
    pub gap: f64,
    /// Slack λ = Φ/dt + B v⁺ of `[OK18] (16)` in m/s: the gap that the step leaves, over dt. With
    /// [`MoreauJean`](crate::contact_dynamics::MoreauJean) overlaps count as gaps of zero.
    pub slack: f64,
    /// Normal force of the contact in N, not negative, in the mean of the step.
    pub force: f64,
    /// Tangential force on b in N, in the mean of the step; zero without friction.
    pub tangential_force: DVec3,
    /// Couple on b in N m that resists rolling and twisting, in the mean of the step; zero without such resistance.
    pub couple: DVec3,
    /// Power in W that the contact dissipates, in the mean of the step: its forces times the mean of the relative
    /// velocities at the start and at the end. It includes the work of walls.
    pub power_by_motion: PowerByMotion,
    /// Compatible force in N, see [`CompatibleLaw`](crate::contact_dynamics::CompatibleLaw), if the step computed one.
    pub compatible_force: Option<f64>,
    /// Reduced radius of the contact in m: that of the sphere at a cuboid or wall, zero at a cuboid's corner.
    pub radius: f64,
}

impl RigidContact {
    /// Compatible force of the contact in N if the step computed one, else [`force`](Self::force).
    #[must_use]
    pub fn best_force(&self) -> f64 {
        self.compatible_force.unwrap_or(self.force)
    }

    /// Key that identifies a contact from step to step and sorts contacts, pairs of bodies first.
    pub(super) fn key(&self) -> (bool, usize, usize, u8, u32) {
        (self.with_wall, self.a, self.b, self.corner, self.feature)
    }

    /// Returns the contact with the same key among the sorted `contacts` of another solution.
    pub(super) fn find_in<'a>(&self, contacts: &'a [Self]) -> Option<&'a Self> {
        contacts.binary_search_by_key(&self.key(), Self::key).ok().map(|at| &contacts[at])
    }
}
