//! A contact of rigid bodies, as it is read out.

use rrp_geom::glam::DVec3;

/// One contact of a step of rigid bodies, with the conventions of [`Contact`](crate::law::contact::Contact).
///
/// Listed are all contacts that could have closed within the step; those that did not have a positive slack and no force.
/// Two spheres are a < b, and so are a sphere and a plank, by the numbers of their bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidContact {
    /// Body a.
    pub a: usize,
    /// Body b, or the number of the wall.
    pub b: usize,
    /// Whether `b` is a wall.
    pub with_wall: bool,
    /// Which corner of a plank touches the wall; zero for all other contacts.
    pub corner: u8,
    /// Which part of the wall it touches; zero for planes and all other contacts.
    pub feature: u32,
    /// Unit normal n from a to b, world frame.
    pub normal: DVec3,
    /// The contact point in m at the start of the step, at the image of a that the state holds: in the middle of the gap of
    /// two spheres, on the plank or the wall otherwise.
    pub point: DVec3,
    /// Gap Φ in m at the start of the step, negative where the two overlap.
    pub gap: f64,
    /// Slack λ = Φ/dt + B v⁺ of `[OK18] (16)` in m/s: the gap that the step leaves, over dt.
    pub slack: f64,
    /// Force f ≥ 0 in N of the complementarity problem or of the one-step form; the mean over the step.
    pub force: f64,
    /// Compatible force in N, where the step was asked for it.
    pub compatible_force: Option<f64>,
    /// Reduced radius in m; that of the sphere for a plank or a wall, zero for a corner.
    pub radius: f64,
}

impl RigidContact {
    /// The compatible force where there is one, else the other, in N.
    #[must_use]
    pub fn best_force(&self) -> f64 {
        self.compatible_force.unwrap_or(self.force)
    }

    /// What tells contacts apart, and sorts them: pairs of bodies first.
    pub(crate) fn key(&self) -> (bool, usize, usize, u8, u32) {
        (self.with_wall, self.a, self.b, self.corner, self.feature)
    }
}
