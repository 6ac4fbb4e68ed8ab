//! A contact of rigid bodies.

use rrp_geom::glam::DVec3;

/// One contact of a step of rigid bodies, with the conventions of [`Contact`](crate::law::contact::Contact).
///
/// All contacts that could have closed within the step are listed. Those that did not close have a positive slack and
/// no force. Two bodies are a < b by their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidContact {
    /// Body a.
    pub a: usize,
    /// Body b, or the number of the wall.
    pub b: usize,
    /// Whether `b` is a wall.
    pub with_wall: bool,
    /// The corner of a cuboid that touches the wall; zero for all other contacts.
    pub corner: u8,
    /// The part of the wall that is touched; zero for planes and pairs.
    pub feature: u32,
    /// Unit normal n from a to b, world frame.
    pub normal: DVec3,
    /// The contact point in m at the start of the step, at the image of a that the state holds. It is in the middle of
    /// the gap of two spheres, and on the cuboid or the wall otherwise.
    pub point: DVec3,
    /// Gap Φ in m at the start of the step, negative where the two overlap.
    pub gap: f64,
    /// Slack λ = Φ/dt + B v⁺ of `[OK18] (16)` in m/s: the gap that the step leaves, over dt.
    pub slack: f64,
    /// Force f ≥ 0 in N of the complementarity problem or of the compliant step, in the mean of the step.
    pub force: f64,
    /// Compatible force in N, if the step was asked for it.
    pub compatible_force: Option<f64>,
    /// Reduced radius in m; that of the sphere for a cuboid or a wall, zero for a corner.
    pub radius: f64,
}

impl RigidContact {
    /// The compatible force in N if there is one, else [`force`](Self::force).
    #[must_use]
    pub fn best_force(&self) -> f64 {
        self.compatible_force.unwrap_or(self.force)
    }

    /// The key that identifies and sorts contacts: pairs of bodies first.
    pub(crate) fn key(&self) -> (bool, usize, usize, u8, u32) {
        (self.with_wall, self.a, self.b, self.corner, self.feature)
    }
}
