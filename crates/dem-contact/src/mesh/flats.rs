//! What is flat, but for the rounding of coordinates.

use rrp_geom::glam::DVec3;

use super::topology::{NONE, Topology};
use crate::Patch;

/// The faces, edges and corners that are in one plane with what is beside them, but for rounding. A strip as narrow as its
/// coordinates are rounded is turned by any angle, and its edges stick out of the plane by that rounding.
#[derive(Debug, Clone)]
pub(super) struct Flats {
    /// How far out of its plane a point may be, in m.
    rounding: f64,
    /// By feature: faces, then edges, then corners. By how much rounding may have turned its normal, in rad; zero for what is not
    /// flat, infinite for edges and corners that are, whose normals point to whoever touches them.
    turned: Vec<f64>,
}

/// How far points that are rounded to single precision are out of the plane of others, in terms of the largest coordinate.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;
/// Out of a plane by more than this, in terms of the reach, is never flat: far from the origin a rounding may be as large as a body.
const LARGEST: f64 = 0.01;
/// Triangles that rounding may turn by more than this, in rad, stick out at their outer edges too, where the plane ends.
const SLIVER: f64 = 1e-3;

impl Flats {
    pub(super) fn new(points: &[DVec3], triangles: &[[u32; 3]], normals: &[DVec3], topology: &Topology) -> Self {
        let place = |corner: u32| points[corner as usize];
        let largest = triangles.iter().flatten().map(|&corner| place(corner).abs().max_element()).fold(0.0, f64::max);
        let rounding = ROUNDING * largest;
        let (faces, edges) = (triangles.len(), topology.sharing.len());
        let mut turned = vec![0.0; faces + edges + points.len()];
        // Whether the corner of one triangle that is not on another is in its plane.
        let lies = |one: u32, other: u32| {
            let (corners, plane) = (&triangles[one as usize], &triangles[other as usize]);
            let height = |corner: u32| (place(corner) - place(plane[0])).dot(normals[other as usize]).abs();
            corners.iter().all(|corner| plane.contains(corner) || height(*corner) < rounding)
        };
        for &[one, other] in topology.sharing.iter().filter(|sharing| sharing[1] != NONE) {
            for (one, other) in [(one, other), (other, one)] {
                if lies(one, other) {
                    turned[one as usize] = rounding / narrowest(triangles[one as usize].map(place));
                }
            }
        }
        turned[faces + edges..].fill(f64::INFINITY);
        for (edge, &[one, other]) in topology.sharing.iter().enumerate() {
            let is_sliver = |triangle: u32| triangle != NONE && turned[triangle as usize] > SLIVER;
            let is_inside = other != NONE && (lies(one, other) || lies(other, one));
            if is_inside || is_sliver(one) || is_sliver(other) {
                turned[faces + edge] = f64::INFINITY;
            }
        }
        for (corners, of_triangle) in triangles.iter().zip(&topology.edges) {
            for (side, &edge) in of_triangle.iter().enumerate() {
                if turned[faces + edge as usize] <= 0.0 {
                    for corner in [corners[side], corners[(side + 1) % 3]] {
                        turned[faces + edges + corner as usize] = 0.0;
                    }
                }
            }
        }
        Self { rounding, turned }
    }

    /// Whether a patch is a part of the plane that another one touches, for a body of this reach.
    pub(super) fn lies(&self, patch: &Patch, plane: &Patch, reach: f64) -> bool {
        // The plane may be a strip that is turned too.
        let turned = 2.0 * self.turned[patch.feature as usize];
        if turned <= 0.0 || (patch.normal - plane.normal).length_squared() > turned * turned {
            return false;
        }
        let apart = patch.normal * patch.distance - plane.normal * plane.distance;
        apart.dot(plane.normal).abs() < self.rounding.min(LARGEST * reach)
    }
}

/// The smallest height of a triangle in m.
fn narrowest([a, b, c]: [DVec3; 3]) -> f64 {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    (b - a).cross(c - a).length() / longest
}
