use std::f64::consts::TAU;

use rrp_geom::glam::DVec3;

use crate::wall::cylinder::AroundAxis;
use crate::wall::placed::Placed;

/// Number of faces around the axis of a wall that is a surface of revolution.
pub(super) const PARTS: usize = 48;

/// Polygons as which all walls of a `.vtp` file are drawn.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) points: Vec<DVec3>,
    /// Indices in `points` of the corners of each face: outer index the face, inner index the corner.
    pub(super) corners: Vec<Vec<usize>>,
    /// Number of the wall of each face.
    pub(super) walls: Vec<usize>,
    /// Index of the first face of each wall.
    pub(super) first: Vec<usize>,
}

impl Faces {
    /// Adds a polygon that shares no corners (m) with other faces.
    pub(super) fn add_polygon(&mut self, corners: Vec<DVec3>) {
        let first = self.points.len();
        self.corners.push((first..first + corners.len()).collect());
        self.points.extend(corners);
    }

    /// Adds a surface of revolution about `axis`; its profile has distances from the axis and heights along it, in m.
    pub(super) fn turn(&mut self, wall: &Placed<'_>, axis: DVec3, profile: &[[f64; 2]]) {
        let AroundAxis { out, along, .. } = AroundAxis::new(axis, DVec3::ZERO);
        let first = self.points.len();
        for part in 0..PARTS {
            let (sin, cos) = (TAU * part as f64 / PARTS as f64).sin_cos();
            let place =
                |&[distance, height]: &[f64; 2]| wall.world(distance * (cos * out + sin * along) + height * axis);
            self.points.extend(profile.iter().map(place));
        }
        for part in 0..PARTS {
            let column = |part: usize| first + part % PARTS * profile.len();
            let here = column(part);
            let next = column(part + 1);
            let faces = (1..profile.len()).map(|k| vec![here + k - 1, here + k, next + k, next + k - 1]);
            self.corners.extend(faces);
        }
    }

    pub(super) fn area(&self, face: usize) -> f64 {
        let corners = &self.corners[face];
        let Some(&first) = corners.first() else { return 0.0 };
        let fan = corners.windows(2).map(|two| {
            let [one, other] = [two[0], two[1]].map(|corner| self.points[corner] - self.points[first]);
            one.cross(other)
        });
        0.5 * fan.sum::<DVec3>().length()
    }
}
