//! The surface of a wall near a centre: patches, saddles, and the trait that shapes implement.

use rrp_geom::glam::{DMat3, DVec3};

/// Patch of a wall: a local minimum of the distance of a sphere's centre from the surface. A growing sphere around this
/// centre touches the surface there first.
///
/// Lengths in m, in the frame of the shape. The point is `centre − distance · normal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Number of the face, edge or corner of the shape on which the point is. Contact histories are kept by this
    /// number, so it must have the same meaning in each step. If the body moves to a neighbouring part of the surface,
    /// the history moves with it.
    pub feature: u32,
    /// Unit normal of the wall at the patch, from the wall towards the sphere's centre.
    pub normal: DVec3,
    /// Distance in m of the sphere's centre from the patch along the normal, negative behind the surface.
    pub distance: f64,
    /// Derivative of the normal by the sphere's centre in 1/m, a symmetric matrix: zero on a plane, (I − n nᵀ)/distance
    /// at a corner. Implicit steps, static equilibrium and explicit steps with friction need it.
    pub turning: DMat3,
    /// Saddle between this patch and a nearer one, if the saddle is within reach. Explicit and implicit steps and
    /// static equilibrium subtract the overlap that both patches share. Contact dynamics has a constraint for each
    /// patch.
    pub saddle: Option<Saddle>,
}

impl Patch {
    /// Makes a patch (nearest point) on a flat face of a wall, without a saddle to another patch.
    #[must_use]
    pub fn flat(feature: u32, normal: DVec3, distance: f64) -> Self {
        Self { feature, normal, distance, turning: DMat3::ZERO, saddle: None }
    }
}

/// Adds a patch of a wall to the nearer patches in `found` from index `first` on, unless it is the same point as one of
/// them: pieces of a surface that share a point are touched there once.
pub(super) fn push_apart(found: &mut Vec<Patch>, first: usize, patch: Patch, reach: f64) {
    let same = |nearer: &Patch| {
        let apart = patch.normal * patch.distance - nearer.normal * nearer.distance;
        nearer.feature == patch.feature || apart.length() < ONE_POINT * reach
    };
    if !found[first..].iter().any(same) {
        found.push(patch);
    }
}

/// Distance below which two points of a surface count as one point, over the reach of the sphere.
const ONE_POINT: f64 = 1e-9;

/// Returns the outer product v vᵀ of a vector v with itself.
pub(super) fn square(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Curvature (1/m) of a wall at a contact: `even` in all directions across the normal, plus `more` along the direction
/// `ridge`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bend {
    pub(crate) even: f64,
    pub(crate) ridge: DVec3,
    pub(crate) more: f64,
}

impl Bend {
    pub(crate) fn new(normal: DVec3, turning: &DMat3) -> Self {
        if *turning == DMat3::ZERO {
            return Self::default();
        }
        let first = normal.any_orthonormal_vector();
        let second = normal.cross(first);
        let form = |u: DVec3, v: DVec3| 0.5 * (u.dot(*turning * v) + v.dot(*turning * u));
        let a = form(first, first);
        let b = form(first, second);
        let c = form(second, second);
        let mean = 0.5 * (a + c);
        let spread = (0.25 * (a - c) * (a - c) + b * b).sqrt();
        // The direction of the larger eigenvalue, from the row of the matrix without cancellation.
        let along = if a >= c {
            DVec3::new(0.5 * (a - c) + spread, b, 0.0)
        } else {
            DVec3::new(b, 0.5 * (c - a) + spread, 0.0)
        };
        let along = along.normalize_or(DVec3::X);
        Self { even: mean - spread, ridge: first * along.x + second * along.y, more: 2.0 * spread }
    }
}

/// Saddle between two patches of a wall: the point of largest distance from the sphere's centre on the best path over
/// the surface from one [`Patch`] to a nearer one; in a fold it lies on the concave edge.
///
/// The overlap up to the saddle is counted once. With the overlap δ₀ at the saddle, the energy of the contact at the
/// farther patch is U(δ) − U(δ₀), and its force is U'(δ) n − U'(δ₀) n₀. Damping and friction are scaled by 1 −
/// U'(δ₀)/U'(δ).
///
/// In a steep fold the edge is out of reach, so both faces bear fully. On a nearly smooth surface of facets the next
/// facet begins with zero force, and all facets together bear as one. Where two paths are equally good, around a pit,
/// the energy has a kink: n₀ jumps from one path to the other.
///
/// Lengths in m, in the frame of the shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saddle {
    /// Unit vector from the saddle to the centre of the sphere.
    pub normal: DVec3,
    /// Distance in m of the sphere's centre from the saddle, at least the distance from the patch.
    pub distance: f64,
    /// Derivative of the normal at the saddle by the sphere's centre in 1/m.
    pub turning: DMat3,
}

impl Saddle {
    pub(crate) fn overlap(&self, radius: f64) -> Option<f64> {
        Some(radius - self.distance).filter(|&overlap| overlap > 0.0)
    }
}

/// Sides of a surface on which bodies can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sidedness {
    /// Front side of a surface, to which normals point. A centre behind the surface, nearer than the radius of its
    /// body, is an error.
    #[default]
    Front,
    /// Both sides of a thin sheet, which pushes each body to the side of its centre. A centre that goes through within
    /// an explicit step of [`ContactForce`](crate::force::ContactForce) is an error. Other steps do not notice this:
    /// call [`Wall::crossing`](crate::wall::Wall::crossing).
    Both,
}

/// Surface of a wall that spheres touch: implement this trait to add a shape.
///
/// Coordinates are those of the shape, in m; a [`Wall`](crate::wall::Wall) places and moves the shape. Both required
/// methods are called often and from several threads.
pub trait WallShape: std::fmt::Debug + Send + Sync {
    /// Adds to `pieces` the numbers of all pieces of the surface that may be nearer to `centre` than `reach` (m).
    ///
    /// A shape of one piece adds any one number if it may be near. A shape that adds no number is not touched.
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>);

    /// Adds to `found` every point of the surface whose distance from `centre` is below `reach` (m) and a local
    /// minimum. `pieces` includes all numbers that [`near`](Self::near) gives for this centre and reach.
    ///
    /// Where a sphere may overlap the path from one patch to a nearer one, the farther patch needs a [`Saddle`];
    /// without the saddle its force begins with a jump. A saddle beyond `reach` is left out.
    ///
    /// On a surface with one side, a centre behind the surface and nearer than `reach` has a negative distance.
    fn patches(&self, centre: DVec3, reach: f64, pieces: &[u32], found: &mut Vec<Patch>);

    /// Low and high corner in m of a box around the shape. In a periodic domain bodies touch all images of the shape
    /// that the box can reach. Without a box, bodies touch the shape and the images one period away.
    fn bounds(&self) -> Option<[DVec3; 2]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_is_the_matrix_it_was_made_from() {
        let normal = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        let first = normal.any_orthonormal_vector();
        for angle in [0.0, 0.3, 1.2, 2.5] {
            let first = first * f64::cos(angle) + normal.cross(first) * f64::sin(angle);
            for (one, two) in [(1.0, 0.0), (0.0, -2.0), (3.0, 3.0), (-1.0, 0.5)] {
                let turning = square(first) * one + square(normal.cross(first)) * two;
                let bend = Bend::new(normal, &turning);
                let again = (DMat3::IDENTITY - square(normal)) * bend.even + square(bend.ridge) * bend.more;
                assert!((again - turning).abs_diff_eq(DMat3::ZERO, 1e-14), "{one} {two} {angle}");
            }
        }
    }
}
