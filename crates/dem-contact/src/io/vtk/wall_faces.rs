//! The walls at one time as VTK polygonal data.

use std::f64::consts::TAU;
use std::io::Write;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::io::vtk::data_array::DataArray;
use crate::io::vtk::poly_data::{PolyData, polygons};
use crate::wall::cylinder::AroundAxis;
use crate::wall::placed::Placed;
use crate::wall::{Shape, Wall};

/// Parts of a turn that a surface of revolution is drawn by.
const PARTS: usize = 48;

/// Walls as a `.vtp` file: their faces where they are at one time.
///
/// Faces carry `wall`, the number of the wall. Meshes have their triangles, surfaces of revolution 48 faces around each
/// piece of the profile. Planes and cylinders without ends are drawn as far as the bounds go, and planes beyond them as
/// squares of their size. Images in a periodic domain and a user's own shapes are not drawn.
#[derive(Debug, Clone, Copy)]
pub struct VtpWalls<'a> {
    walls: &'a [Wall],
    time: f64,
    bounds: [DVec3; 2],
    is_compressed: bool,
}

/// The faces of all walls.
#[derive(Debug, Default)]
struct Faces {
    points: Vec<DVec3>,
    /// By face: the numbers of its points.
    corners: Vec<Vec<usize>>,
    /// By face: the number of its wall.
    walls: Vec<usize>,
}

impl<'a> VtpWalls<'a> {
    /// The walls at `time` (s); `bounds` are the lower and the upper corner (m) of a box around all that is drawn.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for bounds that are not finite.
    pub fn new(walls: &'a [Wall], time: f64, bounds: [DVec3; 2]) -> Result<Self, DemError> {
        for bound in bounds.into_iter().flat_map(|bound| bound.to_array()) {
            finite("each bound of walls that are drawn", bound)?;
        }
        Ok(Self { walls, time, bounds, is_compressed: false })
    }

    /// The same with compressed arrays.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn compressed(self) -> Self {
        Self { is_compressed: true, ..self }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let mut faces = Faces::default();
        for (number, wall) in self.walls.iter().enumerate() {
            self.add(&wall.placed(self.time), &mut faces);
            faces.walls.resize(faces.corners.len(), number);
        }
        let Faces { points, corners, walls } = faces;
        let sections = vec![
            ("PointData", Vec::new()),
            ("CellData", vec![DataArray::integers("wall", walls.into_iter().map(|wall| wall as i64))]),
            ("Points", vec![DataArray::floats("Points", points.iter().map(DVec3::to_array))]),
            ("Polys", polygons(&corners)),
        ];
        PolyData {
            time: self.time,
            points: points.len(),
            vertices: 0,
            lines: 0,
            polygons: corners.len(),
            sections,
            is_compressed: self.is_compressed,
        }
        .write(to)
    }

    fn add(&self, wall: &Placed<'_>, faces: &mut Faces) {
        match wall.shape {
            Shape::Plane(_) => {
                let parts = wall.plane().map(|(point, normal)| self.part_of_plane(point, normal));
                parts.into_iter().for_each(|corners| faces.add_polygon(corners));
            }
            Shape::Cylinder(cylinder) => {
                let [low, high] = self.along(wall, cylinder.axis());
                let profile = [[cylinder.radius(), low], [cylinder.radius(), high]];
                faces.turn(wall, cylinder.axis(), &profile);
            }
            Shape::Revolution(revolution) => faces.turn(wall, revolution.axis(), revolution.profile()),
            Shape::Mesh(mesh) => {
                let first = faces.points.len();
                faces.points.extend(mesh.points().iter().map(|&point| wall.world(point)));
                let corners = |triangle: &[u32; 3]| triangle.iter().map(|&point| first + point as usize).collect();
                faces.corners.extend(mesh.triangles().iter().map(corners));
            }
            Shape::Nowhere | Shape::Own(_) => {}
        }
    }

    /// How far the bounds go along an axis of a wall, seen from the origin of its frame.
    fn along(&self, wall: &Placed<'_>, axis: DVec3) -> [f64; 2] {
        let [low, high] = self.bounds;
        let corner = |code: usize| {
            let pick = |axis: usize| if code >> axis & 1 == 1 { high[axis] } else { low[axis] };
            wall.local(DVec3::new(pick(0), pick(1), pick(2))).dot(axis)
        };
        let all = (0..8).map(corner);
        [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
    }

    /// The corners of the part of a plane that is inside the bounds; of a square as large as they are if none is.
    fn part_of_plane(&self, point: DVec3, normal: DVec3) -> Vec<DVec3> {
        let [low, high] = self.bounds;
        let center = 0.5 * (low + high);
        let foot = center - (center - point).dot(normal) * normal;
        let (x, y) = normal.any_orthonormal_pair();
        let square = |side: f64| [x + y, y - x, -x - y, x - y].map(|corner| foot + 0.5 * side * corner).to_vec();
        let size = (high - low).length();
        // The distance of the foot from the centre is less than half the size if the plane meets the bounds.
        let mut corners = square(4.0 * size);
        for axis in 0..3 {
            corners = cut(&corners, |place| place[axis] - low[axis]);
            corners = cut(&corners, |place| high[axis] - place[axis]);
        }
        if corners.len() > 2 { corners } else { square(size) }
    }
}

/// The part of a convex polygon where `depth`, which is linear, is not negative.
fn cut(corners: &[DVec3], depth: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, &here) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let (from, to) = (depth(here), depth(next));
        if from >= 0.0 {
            kept.push(here);
        }
        if (from < 0.0) != (to < 0.0) {
            kept.push(here + from / (from - to) * (next - here));
        }
    }
    kept
}

impl Faces {
    /// Adds a polygon of its own points.
    fn add_polygon(&mut self, corners: Vec<DVec3>) {
        let first = self.points.len();
        self.corners.push((first..first + corners.len()).collect());
        self.points.extend(corners);
    }

    /// Adds a profile of distances from an axis and heights along it, turned about the axis.
    fn turn(&mut self, wall: &Placed<'_>, axis: DVec3, profile: &[[f64; 2]]) {
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
            let (here, next) = (column(part), column(part + 1));
            let faces = (1..profile.len()).map(|k| vec![here + k - 1, here + k, next + k, next + k - 1]);
            self.corners.extend(faces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall::{Cylinder, Revolution};

    const BOUNDS: [DVec3; 2] = [DVec3::ZERO, DVec3::new(2.0, 3.0, 4.0)];

    fn faces(walls: &[Wall], time: f64) -> Faces {
        let drawn = VtpWalls::new(walls, time, BOUNDS).unwrap();
        let mut faces = Faces::default();
        walls.iter().for_each(|wall| drawn.add(&wall.placed(time), &mut faces));
        faces
    }

    #[test]
    fn planes_end_at_the_bounds() {
        let area = |point: DVec3, normal: DVec3| {
            let Faces { points, corners, .. } = faces(&[Wall::plane(point, normal)], 0.0);
            assert_eq!(corners.len(), 1);
            assert!(points.iter().all(|&place| (place - point).dot(normal).abs() < 1e-12));
            let fan = (2..points.len()).map(|k| (points[k - 1] - points[0]).cross(points[k] - points[0]));
            0.5 * fan.sum::<DVec3>().length()
        };
        assert!((area(DVec3::ONE, DVec3::Z) - 6.0).abs() < 1e-12);
        assert!((area(DVec3::ONE, DVec3::X) - 12.0).abs() < 1e-12);
        // Beyond them it is a square as large as they are.
        assert!((area(DVec3::new(0.0, 0.0, -7.0), DVec3::Z) - 29.0).abs() < 1e-12);
        let slanted = DVec3::new(1.0, 0.0, 1.0).normalize();
        assert!((area(0.5 * BOUNDS[1], slanted) - 3.0 * 8.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn round_walls_and_meshes_are_where_they_have_moved() {
        let pipe = Wall::new(Cylinder::inside(DVec3::Z, 0.5).unwrap(), DVec3::X).moving(DVec3::Y);
        let Faces { points, corners, .. } = faces(&[pipe], 2.0);
        assert_eq!((points.len(), corners.len()), (96, 48));
        for point in points {
            let out = point - DVec3::new(1.0, 2.0, point.z);
            assert!((out.length() - 0.5).abs() < 1e-12 && (point.z.abs() < 1e-12 || (point.z - 4.0).abs() < 1e-12));
        }
        let cone = Revolution::cone_inside(DVec3::X, [0.0, 1.0], [1.0, 2.0]).unwrap();
        // A quarter of a turn about z takes the axis from x to y.
        let cone = Wall::new(cone, DVec3::ZERO).rotating(DVec3::Z);
        let Faces { points, .. } = faces(&[cone], 0.25 * TAU);
        let highest = points.iter().fold(0.0, |highest: f64, point| highest.max(point.y));
        assert!(points.iter().all(|point| point.y > -1e-12) && highest > 0.9, "{highest}");
    }

    #[test]
    fn bounds_without_meaning_are_refused() {
        assert!(VtpWalls::new(&[], 0.0, [DVec3::ZERO, DVec3::INFINITY]).is_err());
    }
}
