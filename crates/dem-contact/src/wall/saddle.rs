//! Where two places that a sphere touches are one.

use rrp_geom::glam::{DMat3, DVec3};

/// The farthest point, seen from a centre, of the best way over a surface from one [`Patch`](crate::Patch) to another that is
/// nearer: a point of the edge of a fold that goes in.
///
/// What a sphere overlaps as far as there it overlaps once. So the energy of the contact at the patch is U(δ) − U(δ₀) with the
/// overlap δ₀ at the saddle, its force U'(δ) n − U'(δ₀) n₀, and damping and friction are its own by the share 1 − U'(δ₀)/U'(δ). A
/// fold that is steep has its edge out of reach, and two faces that bear fully; on a surface of facets that is nearly smooth
/// the next facet begins with nothing, and all together bear as one. Where two ways are as good as each other, around a pit, the
/// energy has a kink: n₀ jumps from one to the other.
///
/// Lengths in m, in the frame of the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saddle {
    /// Unit vector from the point to the centre.
    pub normal: DVec3,
    /// Distance of the centre, at least that of the patch.
    pub distance: f64,
    /// Derivative of the normal by the centre in 1/m.
    pub turning: DMat3,
}

impl Saddle {
    /// The overlap of a sphere there, if it reaches so far.
    pub(crate) fn overlap(&self, radius: f64) -> Option<f64> {
        Some(radius - self.distance).filter(|&overlap| overlap > 0.0)
    }
}
