//! Walls of a scene.

use std::path::Path;

use dem_contact::bond::ElasticWall;
use dem_contact::error::{DemError, WallError};
use dem_contact::force::ContactForce;
use dem_contact::neighbor::{Boundary, NeighborList};
use dem_contact::wall::{Cylinder, Revolution, Solid, StlImport, TriangleMesh, Wall};
use rrp_geom::glam::DVec3;

use super::domain::domain;
use super::drives;
use crate::error::{GrainsError, Location};
use crate::files;
use crate::laws::laws_of_touch;
use crate::scene::Scene;
use crate::scene::walls::motion::WallMotion;
use crate::scene::walls::{Side, WallGroup, WallShape};
use crate::value::{corners, direction, not_negative, positive, vector, word_of};

/// Largest memory in bytes per byte of a binary mesh file, which has 50 bytes per triangle. Faces of a source take one
/// byte more at most.
const MEMORY: u64 = 13;

/// Makes the walls of `scene` for the contact law. Meshes are read from `folder`.
///
/// # Errors
/// For invalid walls; the error names the key.
pub(crate) fn walls(scene: &Scene, folder: &Path) -> Result<Vec<Wall>, GrainsError> {
    let mut walls = Vec::new();
    for (index, group) in scene.walls.iter().enumerate() {
        let at = format!("walls[{index}]");
        walls.extend(shapes(group, &at, folder)?);
    }
    check(scene, &walls, |group| format!("walls[{group}]"))?;
    Ok(walls)
}

/// Makes the elastic walls of `scene`, whose forces are independent of the contact law.
///
/// # Errors
/// For invalid walls; the error names the key.
pub(super) fn elastic_walls(scene: &Scene) -> Result<Vec<ElasticWall>, GrainsError> {
    let mut elastic_walls = Vec::new();
    for (index, group) in scene.walls.iter().enumerate() {
        let at = format!("walls[{index}]");
        if let WallShape::Elastic { point, normal, stiffness } = &group.shape {
            let point = vector(format!("{at}.elastic.point"), *point)?;
            let normal = direction(format!("{at}.elastic.normal"), *normal)?;
            let sides = domain(scene)?.boundary();
            // Same tolerance as that of plane walls.
            let crosses = |c: usize| sides[c] == Boundary::Periodic && normal.normalize()[c].abs() > 1e-12;
            if (0..3).any(crosses) {
                let problem = "an elastic wall stands across a periodic direction";
                return Err(GrainsError::conflict(format!("{at}.elastic.normal"), problem));
            }
            let wall = ElasticWall::new(point, normal, *stiffness);
            elastic_walls.push(wall.map_err(GrainsError::refused_number(format!("{at}.elastic")))?);
        }
    }
    Ok(elastic_walls)
}

/// Makes the walls of one group: the sides of a box, or a single wall.
fn shapes(group: &WallGroup, at: &str, folder: &Path) -> Result<Vec<Wall>, GrainsError> {
    let kind = word_of(&group.shape);
    let key = |name: &str| format!("{at}.{kind}.{name}");
    let WallMotion { velocity, spin, pivot, .. } = group.motion();
    let velocity = vector(key("velocity"), velocity)?;
    let spin = vector(key("spin"), spin)?;
    let pivot = pivot.map(|pivot| vector(key("pivot"), pivot)).transpose()?;
    let wall = match &group.shape {
        WallShape::Plane { point, normal, .. } => {
            Wall::plane(vector(key("point"), *point)?, direction(key("normal"), *normal)?)
        }
        WallShape::Box { low, high, without } => {
            let [low, high] = corners(&format!("{at}.box"), *low, *high)?;
            let all = Wall::inside_of_box(low, high).into_iter().zip(Side::ALL);
            return Ok(all.filter(|(_, side)| !without.contains(side)).map(|(wall, _)| wall).collect());
        }
        WallShape::Cylinder { point, axis, radius, outside, .. } => {
            let axis = direction(key("axis"), *axis)?;
            let cylinder = if *outside { Cylinder::outside(axis, *radius) } else { Cylinder::inside(axis, *radius) };
            let cylinder = cylinder.map_err(GrainsError::refused_number(format!("{at}.cylinder")))?;
            Wall::new(cylinder, vector(key("point"), *point)?)
        }
        WallShape::Revolution { point, axis, profile, .. } => {
            let turned = Revolution::new(direction(key("axis"), *axis)?, profile.iter().copied());
            Wall::new(turned.map_err(GrainsError::refused(key("profile")))?, vector(key("point"), *point)?)
        }
        WallShape::Stl { path, scale, point, closed, inside, join, .. } => {
            let scale = positive(key("scale"), *scale)?;
            let join = join.map(|join| not_negative(key("join"), join)).transpose()?;
            let solid = match (inside, closed) {
                (Some(true), _) => Solid::Around,
                (Some(false), _) | (None, true) => Solid::Inside,
                (None, false) => Solid::IfClosed,
            };
            let mesh = read_mesh(&folder.join(path), StlImport { solid, scale, join }, key("path"))?;
            Wall::new(mesh, vector(key("point"), *point)?)
        }
        WallShape::Elastic { .. } => return Ok(Vec::new()),
    };
    let wall = drives::driven(wall.moving(velocity).rotating(spin), &group.drive, at)?;
    Ok(vec![match pivot {
        Some(pivot) => wall.about(pivot),
        None => wall,
    }])
}

/// Reads the mesh in the file at `path`, which `key` names.
///
/// # Errors
/// [`GrainsError::Unreadable`], [`GrainsError::TooLarge`] and [`GrainsError::Refused`].
pub(super) fn read_mesh(path: &Path, import: StlImport, key: String) -> Result<TriangleMesh, GrainsError> {
    let bytes = files::read(path, Location::of(key.as_str()), MEMORY)?;
    import.read(&bytes[..]).map_err(GrainsError::refused(key))
}

/// Checks that the contact force accepts the walls. `key` returns the key of a group of walls.
///
/// # Errors
/// [`GrainsError::Refused`] with the key of the group of the first wall that is refused.
pub(crate) fn check(scene: &Scene, walls: &[Wall], key: impl Fn(usize) -> String) -> Result<(), GrainsError> {
    let list = NeighborList::new(domain(scene)?, 1.0).map_err(GrainsError::refused("box"))?;
    let Err(error) = ContactForce::new(list, laws_of_touch()?).with_walls(walls.iter().cloned()) else {
        return Ok(());
    };
    let wall = match &error {
        DemError::Wall(WallError::InvalidWall { wall, .. })
        | DemError::Wall(WallError::TooManyImages { wall, .. })
        | DemError::Wall(WallError::WallAcrossPeriodic { wall, .. }) => *wall,
        _ => 0,
    };
    let group = group_of(scene, wall);
    if let DemError::Wall(WallError::WallAcrossPeriodic { direction, .. }) = error {
        let is_periodic = |boundary| boundary == Boundary::Periodic;
        let periodic = scene.simulation_box.as_ref().map_or([false; 3], |space| space.boundary.map(is_periodic));
        return Err(across_periodic(&scene.walls[group], direction, periodic, key(group)));
    }
    Err(GrainsError::refused(key(group))(error))
}

/// Makes the error for an infinite wall that crosses the periodic axis with index `direction`, with advice on what to
/// write instead. `periodic` says which axes of the box are periodic.
fn across_periodic(group: &WallGroup, direction: usize, periodic: [bool; 3], key: String) -> GrainsError {
    let along = ["x", "y", "z"][direction];
    let unit = |vector: [f64; 3]| DVec3::from_array(vector).normalize_or_zero();
    // A stage has one key for the whole change of a wall.
    let of = |name: &str| if key.starts_with("walls[") { format!("{key}.{name}") } else { key.clone() };
    let (key, problem) = match group.shape {
        WallShape::Plane { normal, .. } if unit(normal)[direction].abs() > 1.0 - 1e-12 => (
            of("plane.normal"),
            format!(
                "is along {along}, where the box is periodic: bodies come back at the other side, so no \
                 plane can bound it. Leave the wall out, or make the box `open` along {along}"
            ),
        ),
        WallShape::Plane { normal, .. } if unit(normal)[direction].abs() > 1e-12 => (
            of("plane.normal"),
            format!(
                "has a part along {along}, where the box is periodic, so the plane cannot continue there: keep it \
                 level, and incline `gravity`, such as [g sin(a), 0, -g cos(a)] for a slope of the angle a along x"
            ),
        ),
        WallShape::Cylinder { axis, .. } if unit(axis)[direction].abs() < 1.0 - 1e-12 => {
            let remedy = if periodic.into_iter().filter(|&is_periodic| is_periodic).count() > 1 {
                "in a box that is periodic in several directions no endless cylinder can: take a `revolution`, which \
                 has ends"
                    .to_owned()
            } else {
                format!("lay it along {along}, or take a `revolution`, which has ends")
            };
            let problem = format!(
                "is not along {along}, where the box is periodic, so the cylinder cannot continue there: {remedy}"
            );
            (of("cylinder.axis"), problem)
        }
        WallShape::Box { ref without, .. } => {
            let is_left_out = |(number, side): (usize, Side)| {
                (periodic[number / 2] || without.contains(&side)).then(|| word_of(&side))
            };
            let left_out: Vec<_> = Side::ALL.into_iter().enumerate().filter_map(is_left_out).collect();
            let problem = format!(
                "has sides along {along}, where the box of the scene is periodic: bodies come back at the other \
                 side, so no wall can bound it. Write `without = {left_out:?}`, or make the box of the scene `open` \
                 along {along}"
            );
            (of("box"), problem)
        }
        _ => {
            let motion = group.motion();
            let (key, axis) = match motion.turn {
                Some(turn) => ("turn.axis".to_owned(), format!("the axis {:?}", turn.axis)),
                None => (format!("{}.spin", word_of(&group.shape)), format!("the spin {:?}", motion.spin)),
            };
            let problem = format!(
                "turns the wall out of {along}, where the box is periodic: with {axis} it cannot continue there. A \
                 plane turns about its normal, a cylinder about its axis"
            );
            (of(&key), problem)
        }
    };
    GrainsError::WallAcrossPeriodic { at: Location::of(key), problem }
}

pub(crate) fn group_of(scene: &Scene, wall: usize) -> usize {
    let mut groups =
        scene.walls.iter().enumerate().flat_map(|(index, group)| std::iter::repeat_n(index, group.shape.count()));
    groups.nth(wall).unwrap_or(0)
}

/// Returns the name of the group to which a wall belongs. `wall` counts all walls but elastic ones.
pub(crate) fn name_of_wall(scene: &Scene, wall: usize) -> Option<&String> {
    scene.walls.get(group_of(scene, wall)).and_then(|group| group.name.as_ref())
}
