//! Loads of bodies on the faces as which walls are drawn.

use std::f64::consts::TAU;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::io::vtk::data_array::DataArray;
use crate::io::vtk::faces::{Faces, PARTS};
use crate::law::contact::Partner;
use crate::measure::Touch;
use crate::wall::cylinder::AroundAxis;
use crate::wall::placed::Placed;
use crate::wall::{Shape, Wall};

/// Difference of distances, over the body's radius, up to which wall faces count as equally far from a contact.
const EQUAL: f64 = 1e-9;

/// Contacts of bodies with walls, whose loads are drawn on the faces of walls.
#[derive(Debug, Clone, Copy)]
pub(super) struct WallContacts<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) touches: &'a [Touch],
    /// Periods of the domain in m, zero along axes that are not periodic.
    pub(super) periods: DVec3,
}

#[derive(Debug, Clone, Copy, Default)]
struct FaceLoad {
    force: DVec3,
    /// Sum of the normal forces in N; `tangential` is the sum of the forces across the normals.
    normal: f64,
    tangential: DVec3,
}

#[derive(Debug)]
pub(super) struct FaceLoads {
    loads: Vec<FaceLoad>,
    areas: Vec<f64>,
}

impl WallContacts<'_> {
    /// Returns the loads of the contacts on the faces of `walls` at `time` (s), summed in the order of the contacts.
    pub(super) fn on(&self, faces: &Faces, walls: &[Wall], time: f64) -> FaceLoads {
        let mut loads = vec![FaceLoad::default(); faces.corners.len()];
        let placed: Vec<Placed<'_>> = walls.iter().map(|wall| wall.placed(time)).collect();
        for touch in self.touches {
            let Partner::Wall(number) = touch.b else { continue };
            let Some(wall) = placed.get(number) else { continue };
            let radius = self.bodies.radius()[touch.a];
            let point = self.state.position().get(touch.a) + (radius - touch.overlap) * touch.normal;
            let Some(face) = self.face(wall, point, radius) else { continue };
            let Some(load) = loads.get_mut(faces.first[number] + face) else { continue };
            let normal = touch.force.dot(touch.normal);
            load.force += touch.force;
            load.normal += normal;
            load.tangential += touch.force - normal * touch.normal;
        }
        FaceLoads { loads, areas: (0..faces.corners.len()).map(|face| faces.area(face)).collect() }
    }

    /// Returns the face of a wall that a body of this radius (m) touches at `point` (m), counted from the first face of
    /// this wall; `None` for a wall without faces.
    fn face(&self, wall: &Placed<'_>, point: DVec3, radius: f64) -> Option<usize> {
        match wall.shape {
            Shape::Plane(_) => Some(0),
            Shape::Cylinder(cylinder) => Some(part_of_turn(cylinder.axis(), wall.local(point))),
            Shape::Revolution(revolution) => {
                let axis = revolution.axis();
                let profile = revolution.profile();
                let piece = |local: DVec3| {
                    let place = [AroundAxis::new(axis, local).distance, local.dot(axis)];
                    let distances = profile.windows(2).map(|ends| distance_from_piece(place, [ends[0], ends[1]]));
                    distances.enumerate().fold((f64::INFINITY, 0), |(least, nearest), (piece, distance)| {
                        if distance < least - EQUAL * radius { (distance, piece) } else { (least, nearest) }
                    })
                };
                let local = self.nearest_image(wall, point, radius, |local| piece(local).0);
                Some(part_of_turn(axis, local) * (profile.len() - 1) + piece(local).1)
            }
            Shape::Mesh(mesh) => {
                let local = self.nearest_image(wall, point, radius, |local| mesh.distance(local));
                mesh.first_nearest(local, EQUAL * radius)
            }
            Shape::Nowhere | Shape::Own(_) => None,
        }
    }

    /// Returns the periodic image of a point that is nearest to the wall, in the frame of the wall's shape.
    fn nearest_image(&self, wall: &Placed<'_>, point: DVec3, radius: f64, distance: impl Fn(DVec3) -> f64) -> DVec3 {
        let images = wall.shifts(point, radius, self.periods).into_iter().map(|shift| wall.local(point + shift));
        let with_distances = images.map(|local| (distance(local), local));
        let nearest = with_distances.reduce(|best, image| if image.0 < best.0 { image } else { best });
        nearest.map_or_else(|| wall.local(point), |(_, local)| local)
    }
}

impl FaceLoads {
    /// Returns the loads on all faces as cell data: force, pressure and shear stress.
    pub(super) fn arrays(&self) -> [DataArray; 3] {
        let Self { loads, areas } = self;
        let over_area =
            |sums: Vec<f64>| sums.into_iter().zip(areas).map(|(sum, &area)| [sum / area.max(f64::MIN_POSITIVE)]);
        let normal = loads.iter().map(|load| load.normal).collect();
        let tangential = loads.iter().map(|load| load.tangential.length()).collect();
        [
            DataArray::floats("force", loads.iter().map(|load| load.force.to_array())),
            DataArray::floats("pressure", over_area(normal)),
            DataArray::floats("shear", over_area(tangential)),
        ]
    }
}

/// Returns the number of the face at the point `local` among the `PARTS` faces of a surface of revolution around the
/// unit vector `axis` through the origin.
fn part_of_turn(axis: DVec3, local: DVec3) -> usize {
    // The first face begins at the direction that `AroundAxis` gives a point on the axis.
    let AroundAxis { out, along, .. } = AroundAxis::new(axis, DVec3::ZERO);
    let turns = local.dot(along).atan2(local.dot(out)).rem_euclid(TAU) / TAU;
    ((turns * PARTS as f64) as usize).min(PARTS - 1)
}

/// Returns the distance in m of the point `place` from a piece of the profile of a surface of revolution; points are
/// (distance from the axis, height along it).
fn distance_from_piece(place: [f64; 2], [from, to]: [[f64; 2]; 2]) -> f64 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let seen = [place[0] - from[0], place[1] - from[1]];
    let square = way[0] * way[0] + way[1] * way[1];
    let share = ((seen[0] * way[0] + seen[1] * way[1]) / square).clamp(0.0, 1.0);
    (seen[0] - share * way[0]).hypot(seen[1] - share * way[1])
}

#[cfg(test)]
mod tests {
    use rrp_integrate::Body;

    use super::*;
    use crate::io::VtpWalls;
    use crate::law::contact::PowerByMotion;
    use crate::wall::{Cylinder, Revolution, TriangleMesh};

    /// Makes a wall of two triangles that form a unit square in the plane z = 0, the first at x and the second at y.
    fn plate() -> Wall {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        Wall::new(TriangleMesh::open(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap(), DVec3::ZERO)
    }

    /// Returns the loads on the faces of `wall` at `time` from spheres with these centres and forces.
    fn loads(wall: Wall, time: f64, periods: DVec3, spheres: &[(DVec3, DVec3)]) -> Vec<FaceLoad> {
        let bodies = Bodies::new(vec![Body::sphere(1.0, 0.5); spheres.len()]).unwrap();
        let mut state = State::at_rest(spheres.len());
        let touch = |(a, &(centre, force)): (usize, &(DVec3, DVec3))| {
            state.position_mut().set(a, centre);
            let normal = -DVec3::Z;
            let power = PowerByMotion::default();
            Touch { a, b: Partner::Wall(0), normal, overlap: 0.01, force, couple: DVec3::ZERO, power }
        };
        let touches: Vec<Touch> = spheres.iter().enumerate().map(touch).collect();
        let walls = [wall];
        let faces = VtpWalls::new(&walls, time, [DVec3::ZERO, DVec3::ONE]).unwrap().faces();
        let contacts = WallContacts { bodies: &bodies, state: &state, touches: &touches, periods };
        contacts.on(&faces, &walls, time).loads
    }

    #[test]
    fn forces_are_summed_face_by_face() {
        let down = |force: f64| DVec3::new(0.1, 0.0, -force);
        let spheres = [
            (DVec3::new(0.7, 0.2, 0.49), down(2.0)),
            (DVec3::new(0.2, 0.7, 0.49), down(3.0)),
            (DVec3::new(0.8, 0.1, 0.49), down(4.0)),
            // A contact on the common edge, within rounding, counts for the first face.
            (DVec3::new(0.5, 0.5 + 1e-13, 0.49), down(8.0)),
        ];
        let [first, second] = loads(plate(), 0.0, DVec3::ZERO, &spheres)[..] else { panic!() };
        assert!((first.force - DVec3::new(0.3, 0.0, -14.0)).length() < 1e-14, "{first:?}");
        assert!((first.normal - 14.0).abs() < 1e-14 && (first.tangential - 0.3 * DVec3::X).length() < 1e-14);
        assert!((second.force - down(3.0)).length() < 1e-15, "{second:?}");
        // A quarter turn about z takes the first face to the side along y.
        let quarter = plate().rotating(DVec3::Z);
        let turned = [(DVec3::new(-0.2, 0.7, 0.49), down(2.0))];
        let [first, second] = loads(quarter, 0.25 * TAU, DVec3::ZERO, &turned)[..] else { panic!() };
        assert!(first.normal > 1.9 && second.normal.abs() < 1e-300, "{first:?} {second:?}");
        // A body that has crossed the periodic side twice touches an image of the wall.
        let [first, _] = loads(plate(), 0.0, 3.0 * DVec3::X, &[(DVec3::new(6.7, 0.2, 0.49), down(2.0))])[..] else {
            panic!()
        };
        assert!(first.normal > 1.9, "{first:?}");
    }

    #[test]
    fn each_face_is_found_at_its_middle() {
        let funnel = Revolution::new(DVec3::new(0.6, 0.0, 0.8), [[0.2, -1.0], [1.0, 0.0], [1.0, 2.0]]).unwrap();
        let pipe = Cylinder::inside(DVec3::Y, 0.7).unwrap();
        let shell = Revolution::cone_inside(DVec3::Z, [0.3, 0.0], [1.0, 1.0]).unwrap().mesh(12).unwrap();
        let place = DVec3::new(0.3, -0.2, 0.4);
        let walls = [
            Wall::new(funnel, place).rotating(DVec3::new(0.1, 0.2, 0.3)),
            Wall::new(pipe, place),
            Wall::new(shell, place).rotating(DVec3::X),
            Wall::plane(place, DVec3::Z),
        ];
        let faces = VtpWalls::new(&walls, 0.7, [-DVec3::ONE, DVec3::ONE]).unwrap().faces();
        let bodies = Bodies::new(vec![Body::sphere(1.0, 0.1)]).unwrap();
        let state = State::at_rest(1);
        let contacts = WallContacts { bodies: &bodies, state: &state, touches: &[], periods: DVec3::ZERO };
        for (face, corners) in faces.corners.iter().enumerate() {
            let middle = corners.iter().map(|&corner| faces.points[corner]).sum::<DVec3>() / corners.len() as f64;
            let wall = faces.walls[face];
            let found = contacts.face(&walls[wall].placed(0.7), middle, 0.1);
            assert_eq!(found.map(|found| faces.first[wall] + found), Some(face), "wall {wall}");
            assert!(faces.area(face) > 0.0);
        }
        assert_eq!(faces.first.len(), 4);
    }
}
