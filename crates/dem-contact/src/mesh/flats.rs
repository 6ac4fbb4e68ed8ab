//! What is flat, but for the rounding of coordinates.

use rrp_geom::glam::DVec3;

use super::topology::{NONE, Topology};
use crate::wall::BEND;

/// The faces, edges and corners that are in one plane with all that is beside them, but for rounding. A strip as narrow as its
/// coordinates are rounded is turned by any angle, and its edges stick out of the plane by that rounding.
#[derive(Debug, Clone)]
pub(super) struct Flats {
    /// How far out of its plane a point may be, in m.
    rounding: f64,
    /// By feature: faces, then edges, then corners.
    flat: Vec<bool>,
}

/// How far points that are rounded to single precision are out of the plane of others, in terms of the largest coordinate.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;
/// Out of a plane by more than this, in terms of the reach, is never flat: far from the origin a rounding may be as large as a body.
const LARGEST: f64 = 0.01;

impl Flats {
    pub(super) fn new(points: &[DVec3], triangles: &[[u32; 3]], normals: &[DVec3], topology: &Topology) -> Self {
        let place = |corner: u32| points[corner as usize];
        let largest = triangles.iter().flatten().map(|&corner| place(corner).abs().max_element()).fold(0.0, f64::max);
        let rounding = ROUNDING * largest;
        let (faces, edges) = (triangles.len(), topology.sharing.len());
        let mut flat = vec![false; faces + edges + points.len()];
        flat[faces + edges..].fill(true);
        // How far the corner of one triangle that is not on another is out of its plane.
        let height = |of: usize, from: usize| {
            let tip = triangles[of].iter().find(|corner| !triangles[from].contains(corner));
            tip.map_or(0.0, |&tip| (place(tip) - place(triangles[from][0])).dot(normals[from]).abs())
        };
        for (t, of_triangle) in topology.edges.iter().enumerate() {
            for (side, &edge) in of_triangle.iter().enumerate() {
                let [one, other] = topology.sharing[edge as usize];
                let beside = if one as usize == t { other } else { one };
                let is_flat = beside != NONE && height(t, beside as usize).min(height(beside as usize, t)) < rounding;
                flat[faces + edge as usize] = is_flat;
                for corner in [triangles[t][side], triangles[t][(side + 1) % 3]] {
                    flat[faces + edges + corner as usize] &= is_flat;
                }
                // One wider than this is turned by less than what makes two planes.
                let is_narrow = is_flat && height(t, beside as usize) < rounding;
                flat[t] |= is_narrow && narrowest(triangles[t].map(place)) * BEND < rounding;
            }
        }
        Self { rounding, flat }
    }

    /// How far a feature may be out of the plane that a body of this reach touches, and be a part of it; in m.
    pub(super) fn tolerance(&self, feature: u32, reach: f64) -> f64 {
        if self.flat[feature as usize] { self.rounding.min(LARGEST * reach) } else { 0.0 }
    }
}

/// The smallest height of a triangle in m.
fn narrowest([a, b, c]: [DVec3; 3]) -> f64 {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    (b - a).cross(c - a).length() / longest
}
