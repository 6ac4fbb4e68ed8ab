use std::io::Write;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::io::vtk::data_array::{DataArray, VtpEncoding};
use crate::io::vtk::faces::Faces;
use crate::io::vtk::poly_data::{PolyData, polygons};
use crate::io::vtk::wall_contacts::WallContacts;
use crate::measure::{Touch, check_touches};
use crate::util::length::check_length;
use crate::wall::placed::Placed;
use crate::wall::{Shape, Wall};

/// Walls as a `.vtp` file: polygons of their surfaces at one time.
///
/// Faces carry `wall`, the number of the wall. Meshes have their triangles, surfaces of revolution 48 faces around each
/// piece of the profile. Planes and endless cylinders are drawn up to the bounds, planes outside the bounds as squares
/// of the size of the bounds, and [sides of boxes](Self::with_boxes) as a whole. Periodic images and shapes defined by
/// the user are not drawn. With [`with_contacts`](Self::with_contacts) faces carry the loads of the bodies.
#[derive(Debug, Clone, Copy)]
pub struct VtpWalls<'a> {
    walls: &'a [Wall],
    time: f64,
    bounds: [DVec3; 2],
    /// Corners of the box of which each wall is a side, if any; empty if no wall is a side of a box.
    boxes: &'a [Option<[DVec3; 2]>],
    contacts: Option<WallContacts<'a>>,
    encoding: VtpEncoding,
}

impl<'a> VtpWalls<'a> {
    /// Prepares a `.vtp` file of the walls at `time` (s); [`write`](Self::write) writes it. `bounds` (m) are the lower
    /// and the upper corner of the drawn region.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for bounds that are not finite.
    pub fn new(walls: &'a [Wall], time: f64, bounds: [DVec3; 2]) -> Result<Self, DemError> {
        for bound in bounds.into_iter().flat_map(|bound| bound.to_array()) {
            finite("each bound of walls that are drawn", bound)?;
        }
        Ok(Self { walls, time, bounds, boxes: &[], contacts: None, encoding: VtpEncoding::default() })
    }

    /// Draws sides of boxes up to the edges of the box. `boxes` has for each wall the lower and the upper corner (m) of
    /// the box of which the wall is a side, if any.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for boxes of another number of walls.
    pub fn with_boxes(self, boxes: &'a [Option<[DVec3; 2]>]) -> Result<Self, DemError> {
        check_length("boxes of walls", self.walls.len(), boxes.len())?;
        Ok(Self { boxes, ..self })
    }

    /// Adds the load on each face by the contacts `touches` of the bodies at `state`, in a domain with these `periods`
    /// (m, zero along axes that are not periodic), as cell data: `force` (N), the sum over the contacts of the face;
    /// `pressure` (Pa), the sum of the normal forces over the area; and `shear` (Pa), the magnitude of the sum of the
    /// tangential forces over the area. A contact on an edge or a corner counts for the first face there, in the order
    /// of the mesh. Contacts with periodic images of a wall count for the wall.
    ///
    /// # Errors
    /// Errors of [`State::check_columns`] inside [`DemError::Integrate`], and [`DemError::InvalidParameter`] for a
    /// contact of a body that does not exist.
    pub fn with_contacts(
        self,
        bodies: &'a Bodies,
        state: &'a State,
        touches: &'a [Touch],
        periods: DVec3,
    ) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        check_touches(touches, bodies.len())?;
        Ok(Self { contacts: Some(WallContacts { bodies, state, touches, periods }), ..self })
    }

    /// Sets the encoding of the arrays: compressed, single precision, or neither.
    #[must_use]
    pub fn encoded(self, encoding: VtpEncoding) -> Self {
        Self { encoding, ..self }
    }

    /// Writes the `.vtp` file of walls.
    ///
    /// # Errors
    /// [`DemError::Io`].
    pub fn write(&self, to: &mut dyn Write) -> Result<(), DemError> {
        let faces = self.faces();
        let mut cells = vec![DataArray::integers("wall", faces.walls.iter().map(|&wall| wall as i64))];
        if let Some(contacts) = self.contacts {
            cells.extend(contacts.on(&faces, self.walls, self.time).arrays());
        }
        let Faces { points, corners, .. } = faces;
        let sections = vec![
            ("PointData", Vec::new()),
            ("CellData", cells),
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
            encoding: self.encoding,
        }
        .write(to)
    }

    pub(super) fn faces(&self) -> Faces {
        let mut faces = Faces::default();
        for (number, wall) in self.walls.iter().enumerate() {
            faces.first.push(faces.corners.len());
            self.add(number, &wall.placed(self.time), &mut faces);
            faces.walls.resize(faces.corners.len(), number);
        }
        faces
    }

    fn add(&self, number: usize, wall: &Placed<'_>, faces: &mut Faces) {
        match wall.shape {
            Shape::Plane(_) => {
                let corners = |(point, normal)| match self.boxes.get(number) {
                    Some(&Some(bounds)) => side_of_box(bounds, point, normal),
                    _ => self.part_of_plane(point, normal),
                };
                let parts = wall.plane().map(corners);
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

    /// Lowest and highest coordinate in m of the bounds' corners along an axis through the origin of a wall's frame.
    fn along(&self, wall: &Placed<'_>, axis: DVec3) -> [f64; 2] {
        let [low, high] = self.bounds;
        let corner = |code: usize| {
            let pick = |axis: usize| if code >> axis & 1 == 1 { high[axis] } else { low[axis] };
            wall.local(DVec3::new(pick(0), pick(1), pick(2))).dot(axis)
        };
        let all = (0..8).map(corner);
        [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
    }

    /// Returns the corners of the part of a plane inside the bounds, or else of a square as large as the bounds.
    fn part_of_plane(&self, point: DVec3, normal: DVec3) -> Vec<DVec3> {
        let [low, high] = self.bounds;
        let center = 0.5 * (low + high);
        let foot = center - (center - point).dot(normal) * normal;
        let (x, y) = normal.any_orthonormal_pair();
        let square = |side: f64| [x + y, y - x, -x - y, x - y].map(|corner| foot + 0.5 * side * corner).to_vec();
        let size = (high - low).length();
        // If the plane meets the bounds, the foot is less than half the size away from the centre.
        let mut corners = square(4.0 * size);
        for axis in 0..3 {
            corners = cut(&corners, |place| place[axis] - low[axis]);
            corners = cut(&corners, |place| high[axis] - place[axis]);
        }
        if corners.len() > 2 { corners } else { square(size) }
    }
}

/// Returns the corners of the side of a box through `point` with this normal along an axis.
fn side_of_box(bounds: [DVec3; 2], point: DVec3, normal: DVec3) -> Vec<DVec3> {
    let axis = (0..3).fold(0, |most, c| if normal[c].abs() > normal[most].abs() { c } else { most });
    let [one, other] = [(axis + 1) % 3, (axis + 2) % 3];
    let corner = |[from_one, from_other]: [usize; 2]| {
        let mut corner = point;
        corner[one] = bounds[from_one][one];
        corner[other] = bounds[from_other][other];
        corner
    };
    [[0, 0], [1, 0], [1, 1], [0, 1]].map(corner).to_vec()
}

/// Returns the part of a convex polygon where the linear function `depth` is not negative.
fn cut(corners: &[DVec3], depth: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, &here) in corners.iter().enumerate() {
        let next = corners[(index + 1) % corners.len()];
        let from = depth(here);
        let to = depth(next);
        if from >= 0.0 {
            kept.push(here);
        }
        if (from < 0.0) != (to < 0.0) {
            kept.push(here + from / (from - to) * (next - here));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::wall::{Cylinder, Revolution};

    const BOUNDS: [DVec3; 2] = [DVec3::ZERO, DVec3::new(2.0, 3.0, 4.0)];

    fn faces(walls: &[Wall], time: f64) -> Faces {
        VtpWalls::new(walls, time, BOUNDS).unwrap().faces()
    }

    #[test]
    fn sides_of_boxes_are_drawn_whole() {
        let [low, high] = [DVec3::new(-1.0, 1.0, 0.1), DVec3::new(9.0, 3.0, 7.0)];
        let walls: Vec<Wall> = Wall::inside_of_box(low, high).into_iter().chain([Wall::plane(low, DVec3::Z)]).collect();
        let mut boxes = vec![Some([low, high]); 6];
        boxes.push(None);
        let drawn = VtpWalls::new(&walls, 0.0, BOUNDS).unwrap().with_boxes(&boxes).unwrap().faces();
        let area = |face: usize| {
            let [a, b, _, d] = [0, 1, 2, 3].map(|corner| drawn.points[drawn.corners[face][corner]]);
            (b - a).cross(d - a).length()
        };
        let size = high - low;
        let expected = [size.y * size.z, size.x * size.z, size.x * size.y];
        for side in 0..6 {
            assert!((area(side) / expected[side / 2] - 1.0).abs() < 1e-15, "{side}");
            let place = if side % 2 == 0 { low } else { high };
            let on_side = |&corner: &usize| (drawn.points[corner] - place)[side / 2].abs() < 1e-15;
            assert!(drawn.corners[side].iter().all(on_side), "{side}");
        }
        // A plane that is no side of a box ends at the bounds.
        assert!((area(6) - 6.0).abs() < 1e-12);
        assert!(VtpWalls::new(&walls, 0.0, BOUNDS).unwrap().with_boxes(&boxes[1..]).is_err());
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
        // A plane outside the bounds is a square of their size.
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
        // A quarter turn about z takes the axis from x to y.
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
