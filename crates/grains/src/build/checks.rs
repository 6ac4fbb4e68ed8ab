//! Checks of bodies and walls, at the start and where a stage adds walls: overlaps, bodies in solids, cracks, blocked
//! motions.

use dem_contact::error::ContactError;
use dem_contact::error::DemError;
use dem_contact::error::ListError;
use dem_contact::force::{ContactForce, FeltWalls};
use dem_contact::law::Partner;
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::source::MeshFaces;
use dem_contact::wall::{Shape, Wall};
use rrp_geom::glam::DVec3;
use rrp_integrate::field::Blocked;
use rrp_integrate::{Bodies, State};

use super::bodies::{InitialBodies, smallest_radius};
use super::parts::Parts;
use super::sources::PlannedSource;
use super::walls::{group_of, name_of_wall};
use crate::error::{GrainsError, Location, Note};
use crate::laws::laws_of_touch;
use crate::scene::bodies::Place;
use crate::scene::integrator::Method;
use crate::scene::walls::WallShape;
use crate::scene::{Scene, space};
use crate::value::word_of;

/// Largest accepted overlap at the start of two bodies, or of a body and a wall, relative to the smaller radius.
const OVERLAP: f64 = 0.1;
/// Overlap of rigid bodies at the start, relative to the radius, above which a note mentions it.
const NOTED: f64 = 1e-6;
/// Width of cracks of a mesh, relative to the smallest radius, below which the mesh is refused; wider gaps are
/// openings.
const CRACK: f64 = 0.05;

/// Returns the components of translation and rotation that the scene blocks for all bodies.
pub(crate) fn blocked(scene: &Scene) -> Blocked {
    use space::Blocked::{SpinX, SpinY, SpinZ, X, Y, Z};
    let [translation, rotation] =
        [[X, Y, Z], [SpinX, SpinY, SpinZ]].map(|motions| motions.map(|motion| scene.blocked.contains(&motion)));
    Blocked { translation, rotation }
}

/// Checks that no body moves along a blocked component, at the start and when a source inserts it.
///
/// # Errors
/// [`GrainsError::Conflict`].
pub(crate) fn refuse_blocked_motion(
    scene: &Scene,
    sources: &[PlannedSource],
    initial: &InitialBodies,
) -> Result<(), GrainsError> {
    let Blocked { translation, rotation } = blocked(scene);
    let moves = |blocked: [bool; 3], motion: DVec3| (0..3).any(|axis| blocked[axis] && motion[axis].abs() > 0.0);
    let any = |velocity: DVec3, spin: DVec3| moves(translation, velocity) || moves(rotation, spin);
    let InitialBodies { bodies, state, .. } = initial;
    let problem = "moves in a direction that is blocked";
    if let Some(body) = (0..bodies.len()).find(|&body| any(state.velocity().get(body), state.spin(bodies, body))) {
        return Err(GrainsError::conflict(initial.key(body), problem));
    }
    for (index, source) in sources.iter().enumerate() {
        let refused = |at: String, problem| Err(GrainsError::conflict(at, problem));
        if any(source.velocity, source.spin) {
            return refused(format!("sources[{index}]"), problem);
        }
        let mut normals = source.faces().into_iter().flat_map(MeshFaces::normals);
        if normals.any(|normal| any(source.speed * normal, DVec3::ZERO)) {
            let problem = "moves grains in a blocked direction, along the normal of a face: choose other faces by \
                           `facing`, or leave `speed` out";
            return refused(format!("sources[{index}].region.faces.speed"), problem);
        }
    }
    Ok(())
}

/// Checks that bodies are on the right side of walls that bound solids, and that meshes have no cracks.
///
/// # Errors
/// [`GrainsError::InSolid`], and [`GrainsError::Refused`] for a crack.
pub(crate) fn refuse_walls(
    scene: &Scene,
    initial: &InitialBodies,
    ids: &[u64],
    parts: &Parts,
) -> Result<(), GrainsError> {
    let InitialBodies { bodies, state, .. } = initial;
    for (wall, shape) in parts.contacts.walls.iter().enumerate() {
        let index = group_of(scene, wall);
        let group = &scene.walls[index].shape;
        if let Shape::Mesh(mesh) = shape.shape() {
            let crack = mesh.check_cracks(CRACK * smallest_radius(bodies));
            crack.map_err(GrainsError::refused(format!("walls[{index}].stl.path")))?;
        }
        let feels = |body: usize| parts.contacts.felt.has(body, wall);
        if let Some(body) = body_in_solid(shape, bodies, state, parts.contacts.list.domain(), feels) {
            let at = Location::of(initial.key(body));
            let wall = format!("walls[{index}].{}", word_of(group));
            return Err(GrainsError::InSolid { at, body: ids[body], wall, remedy: group.remedy() });
        }
    }
    Ok(())
}

/// Returns notes on poured groups that a one-sided wall separates into two parts, such as a tube that acts inward on
/// bodies inside: the wall does not act on the bodies behind it.
pub(crate) fn pours_past_walls(scene: &Scene, initial: &InitialBodies, walls: &[Wall]) -> Vec<Note> {
    let InitialBodies { state, .. } = initial;
    let mut notes = Vec::new();
    let mut first = 0;
    for (index, (group, count)) in scene.bodies.iter().zip(initial.sizes_of_groups()).enumerate() {
        let members = first..first + count;
        first = members.end;
        let key = match group.place {
            Place::Pour { .. } => "place.pour",
            Place::PourWith { .. } => "place.pour-with",
            _ => continue,
        };
        let is_felt = |wall: usize| scene.walls[group_of(scene, wall)].is_felt_by(group.name.as_ref());
        for (wall, shape) in walls.iter().enumerate().filter(|&(wall, _)| is_felt(wall)) {
            let is_outside = |&body: &usize| shape.is_at_back(state.position().get(body), state.time(), f64::INFINITY);
            let outside = members.clone().filter(is_outside).count();
            if outside > 0 && outside < count {
                let wall = wall_in_words(scene, wall);
                let text = format!(
                    "{outside} of {count} bodies are behind the wall {wall}, which has one side: make the pour \
                     narrower, such as a `cylinder` within the wall"
                );
                notes.push(Note::new(format!("bodies[{index}].{key}"), text));
            }
        }
    }
    notes
}

/// Returns notes on free bodies wider than a cylinder around them. Such a body would touch the cylinder all around, but
/// a contact law acts at one point.
pub(crate) fn too_wide_for_cylinders(scene: &Scene, initial: &InitialBodies, ids: &[u64], parts: &Parts) -> Vec<Note> {
    let bodies = &initial.bodies;
    let is_free = |body: usize| bodies.inverse_mass()[body] > 0.0;
    let note = |wall: usize| {
        let index = group_of(scene, wall);
        let WallShape::Cylinder { radius: within, outside: false, .. } = scene.walls.get(index)?.shape else {
            return None;
        };
        let is_too_wide = |&body: &usize| bodies.radius()[body] > within && is_free(body);
        let mut felt = (0..bodies.len()).filter(|&body| parts.contacts.felt.has(body, wall));
        let body = felt.find(is_too_wide)?;
        let id = ids[body];
        let radius = bodies.radius()[body];
        let text = format!(
            "body {id} has the radius {radius} and does not fit in: make the cylinder wider, or set `outside = true` if \
             bodies are around it"
        );
        Some(Note::new(format!("walls[{index}].cylinder.radius"), text))
    };
    (0..parts.contacts.walls.len()).filter_map(note).collect()
}

/// Finds the first free body in the solid behind a wall which acts on this body, at the time of `state`. Planes are
/// left out: a body behind a plane overlaps the plane anyway.
fn body_in_solid(
    wall: &Wall,
    bodies: &Bodies,
    state: &State,
    domain: &Domain,
    feels: impl Fn(usize) -> bool,
) -> Option<usize> {
    let is_in_solid = |&body: &usize| {
        let is_free = bodies.radius()[body] > 0.0 && bodies.fixed().binary_search(&body).is_err();
        is_free && feels(body) && wall.is_in_solid(state.position().get(body), state.time(), domain.periods())
    };
    if matches!(wall.shape(), Shape::Plane(_)) {
        return None;
    }
    (0..bodies.len()).find(is_in_solid)
}

/// Returns the name of a wall's group for messages, or the wall's number if the group has no name. `wall` counts all
/// walls but elastic ones.
pub(crate) fn wall_in_words(scene: &Scene, wall: usize) -> String {
    name_of_wall(scene, wall).map_or_else(|| wall.to_string(), |name| format!("`{name}`"))
}

/// Walls that a stage adds, to be checked against the bodies that are present.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComingWalls<'a> {
    pub(crate) scene: &'a Scene,
    /// Box of the run at the time of `state`.
    pub(crate) domain: Domain,
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    pub(crate) ids: &'a [u64],
    /// All walls as they act in the stage; `came` has the numbers of those that the stage adds.
    pub(crate) walls: &'a [Wall],
    pub(crate) came: &'a [usize],
    pub(crate) felt: &'a FeltWalls,
}

impl ComingWalls<'_> {
    /// Checks that no body is in the solid behind an added wall, or overlaps an added wall by more than a tenth of the
    /// body's radius. `key` returns the key of a group of walls.
    ///
    /// # Errors
    /// [`GrainsError::InSolid`], [`GrainsError::WallThroughBody`], and errors of the neighbour list.
    pub(crate) fn check(&self, key: impl Fn(usize) -> String) -> Result<(), GrainsError> {
        let &Self { scene, domain, bodies, state, ids, walls, came, felt } = self;
        if came.is_empty() || bodies.is_empty() {
            return Ok(());
        }
        let at = |wall: usize| Location::of(key(group_of(scene, wall)));
        for &wall in came {
            if let Some(body) = body_in_solid(&walls[wall], bodies, state, &domain, |body| felt.has(body, wall)) {
                let group = group_of(scene, wall);
                let name = wall_in_words(scene, wall).replace('`', "");
                let remedy = scene.walls[group].shape.remedy();
                return Err(GrainsError::InSolid { at: at(wall), body: ids[body], wall: name, remedy });
            }
        }
        let through = |body: usize, number: usize, overlap, radius| {
            let wall = came[number];
            let at = at(wall);
            let wall = wall_in_words(scene, wall);
            Err(GrainsError::WallThroughBody { at, wall, body: ids[body], overlap, radius })
        };
        let list = NeighborList::new(domain, 0.1 * smallest_radius(bodies)).map_err(GrainsError::refused("box"))?;
        let probe = ContactForce::new(list, laws_of_touch()?);
        let probe = probe.with_walls(came.iter().map(|&wall| walls[wall].clone()));
        let groups_of_wall = came.iter().map(|&wall| felt.groups_of_wall.get(wall).cloned().flatten()).collect();
        let felt = FeltWalls { group_of_body: felt.group_of_body.clone(), groups_of_wall };
        let probe = probe.and_then(|probe| probe.with_felt_walls(felt)).map_err(GrainsError::refused("walls"))?;
        let contacts = match probe.contacts(bodies, state) {
            Ok(contacts) => contacts,
            Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius })) => {
                return through(body, wall, overlap, radius);
            }
            Err(error) => return Err(GrainsError::unreadable(state.time())(error)),
        };
        for contact in contacts {
            let radius = bodies.radius()[contact.a];
            if let Some(wall) = contact.b.wall().filter(|_| contact.overlap > OVERLAP * radius) {
                return through(contact.a, wall, contact.overlap, radius);
            }
        }
        Ok(())
    }
}

/// Checks that bodies overlap each other and walls by a tenth of the smaller radius at most. Bodies of a `start` may
/// overlap each other more, since an earlier run pressed them together. `first` is the scene in its first stage: if
/// bodies are rigid there, returns a note on their overlaps.
///
/// # Errors
/// [`GrainsError::Overlap`], [`GrainsError::WallThroughBody`], and errors of the neighbour list.
pub(crate) fn refuse_overlaps(
    scene: &Scene,
    first: &Scene,
    initial: &InitialBodies,
    ids: &[u64],
    parts: &Parts,
) -> Result<Option<Note>, GrainsError> {
    let InitialBodies { bodies, state, .. } = initial;
    let list = NeighborList::new(*parts.contacts.list.domain(), parts.contacts.list.skin())
        .map_err(GrainsError::refused("contact.skin"))?;
    let probe = ContactForce::new(list, laws_of_touch()?).with_walls(parts.contacts.walls.iter().cloned());
    let probe = probe.and_then(|probe| probe.with_felt_walls(parts.contacts.felt.clone()));
    let probe = probe.map_err(GrainsError::refused("walls"))?;
    let overlap = |[first, second]: [usize; 2], overlap, radius| {
        let at = Location::of(initial.key(first));
        Err(GrainsError::Overlap { at, first: ids[first], second: ids[second], overlap, radius })
    };
    let through = |body: usize, wall, overlap, radius| {
        let at = Location::of(initial.key(body));
        let wall = wall_in_words(scene, wall);
        Err(GrainsError::WallThroughBody { at, wall, body: ids[body], overlap, radius })
    };
    let contacts = match probe.contacts(bodies, state) {
        Ok(contacts) => contacts,
        Err(DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap: depth, radius })) => {
            return overlap(bodies, depth, radius);
        }
        Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius })) => {
            return through(body, wall, overlap, radius);
        }
        Err(
            error @ (DemError::List(ListError::OutsideDomain { body, .. })
            | DemError::List(ListError::PositionNotFinite { body, .. })),
        ) => {
            return Err(GrainsError::refused(initial.key(body))(error));
        }
        Err(error) => return Err(GrainsError::refused("box")(error)),
    };
    let mut deepest = None;
    for contact in contacts {
        let radius = bodies.radius()[contact.a];
        if contact.overlap > deepest.map_or(NOTED * radius, |(overlap, _)| overlap) {
            deepest = Some((contact.overlap, contact.a));
        }
        match contact.b {
            Partner::Wall(wall) => {
                if contact.overlap > OVERLAP * radius {
                    return through(contact.a, wall, contact.overlap, radius);
                }
            }
            Partner::Body(b) => {
                let radius = radius.min(bodies.radius()[b]);
                if scene.start.is_none() && contact.overlap > OVERLAP * radius {
                    return overlap([contact.a, b], contact.overlap, radius);
                }
            }
        }
    }
    let is_rigid = matches!(first.integrator, Method::ContactDynamics(_));
    Ok(deepest.filter(|_| is_rigid).map(|(overlap, body)| {
        let text =
            format!("rigid bodies overlap by up to {overlap:.3e} m at the start: the first step moves them apart");
        Note::new(initial.key(body), text)
    }))
}
