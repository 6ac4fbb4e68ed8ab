//! Bodies of a scene and their initial state.

use std::ops::Range;
use std::path::Path;

use dem_contact::neighbor::Domain;
use dem_contact::packing::Sphere;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::crowds::crowd;
use super::domain::domain;
use super::place::{self, Group, Placed, place};
use super::pour::{Pour, Present, leaders};
use super::radii::{ball_volume, radii};
use super::sizes;
use super::table::Row;
use super::walls::{group_of, walls};
use crate::error::{GrainsError, Location, Note};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::scene::walls::WallGroup;
use crate::value::{material_number, positive, vector};

#[derive(Debug)]
pub(crate) struct InitialBodies {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    groups: Vec<Range<usize>>,
    /// Type of each body in its group's LAMMPS data file; empty for groups that are placed in another way.
    types: Vec<Vec<u32>>,
    /// Notes on contents of files of bodies that have no effect in the scene.
    pub(crate) notes: Vec<Note>,
}

impl InitialBodies {
    /// Takes over the bodies of an earlier run, which belong to no group of the scene.
    pub(crate) fn continued(bodies: Bodies, state: State, notes: Vec<Note>) -> Self {
        Self { bodies, state, groups: Vec::new(), types: Vec::new(), notes }
    }

    /// Places the bodies of all groups of `scene`. Files are read from `folder`.
    ///
    /// # Errors
    /// Errors of invalid groups; each names its key.
    pub(crate) fn new(scene: &Scene, folder: &Path) -> Result<Self, GrainsError> {
        sizes::refuse_too_many(scene)?;
        let keys: Vec<String> = (0..scene.bodies.len()).map(|index| format!("bodies[{index}]")).collect();
        let mut placed: Vec<PlacedGroup> = Vec::with_capacity(keys.len());
        for (values, key) in scene.bodies.iter().zip(&keys) {
            let group = PlacedGroup::new(&Group { values, key, folder })?;
            check_types(scene, values, &group.types, key)?;
            sizes::refuse_bodies(
                group.bodies.len() + placed.iter().map(|group| group.bodies.len()).sum::<usize>(),
                key,
            )?;
            placed.push(group);
        }
        pour_all(scene, folder, &keys, &mut placed)?;
        let mut rows = Vec::new();
        let mut motions = Vec::new();
        let mut groups = Vec::new();
        let mut types = Vec::new();
        let mut notes = Vec::new();
        for (group, (values, key)) in placed.into_iter().zip(scene.bodies.iter().zip(&keys)) {
            let at = Location::of(format!("{key}.place.file.path"));
            let note = |what| Note { at: at.clone(), text: format!("{what}: not taken over") };
            notes.extend(group.left_out(scene, values).into_iter().map(note));
            notes.extend(group.idle_spin(values, key));
            groups.push(rows.len()..rows.len() + group.bodies.len());
            rows.extend(group.bodies);
            motions.extend(group.motions);
            types.push(group.types);
        }
        if rows.is_empty() && scene.sources.is_empty() {
            return Err(GrainsError::conflict("bodies", "there are no bodies"));
        }
        let key = |body: usize| group_key(&groups, body);
        let bodies = Bodies::new(rows.iter().copied()).map_err(|error| {
            let first = rows.iter().position(|row| Bodies::new([*row]).is_err()).unwrap_or(0);
            GrainsError::refused(key(first))(error.into())
        })?;
        let state = state(&bodies, motions);
        if let Some([first, second]) = crowd(&bodies, &state, domain(scene)?) {
            let apart = state.position().get(second) - state.position().get(first);
            let [one, other] = [first, second].map(|body| bodies.radius()[body]);
            let at = Location::of(key(first));
            let overlap = one + other - domain(scene)?.separation(DVec3::ZERO, apart).length();
            let [first, second] = [first, second].map(|body| body as u64);
            return Err(GrainsError::Overlap { at, first, second, overlap, radius: one.min(other) });
        }
        Ok(Self { bodies, state, groups, types, notes })
    }

    /// Returns the number of the material of each body; empty if there is only one material.
    ///
    /// # Errors
    /// [`GrainsError::UnknownName`].
    pub(crate) fn materials(&self, scene: &Scene) -> Result<Vec<u16>, GrainsError> {
        let Some(model) = &scene.contact else { return Ok(Vec::new()) };
        let names = model.names();
        let mut numbers = Vec::with_capacity(self.bodies.len());
        for (index, (group, range)) in scene.bodies.iter().zip(&self.groups).enumerate() {
            let number = match &group.material {
                Some(name) => material_number(&names, name, &format!("bodies[{index}].material"))?,
                None => 0,
            };
            let of_types = types_of(group)
                .iter()
                .enumerate()
                .map(|(k, name)| material_number(&names, name, &format!("bodies[{index}].place.file.types[{k}]")));
            let of_types = of_types.collect::<Result<Vec<_>, _>>()?;
            let of_body = |body: usize| {
                let kind = self.types[index].get(body).map_or(0, |&kind| kind as usize);
                of_types.get(kind.wrapping_sub(1)).copied().unwrap_or(number)
            };
            numbers.extend((0..range.len()).map(of_body));
        }
        Ok(if names.len() > 1 { numbers } else { Vec::new() })
    }

    /// Returns the number of bodies of each group of the scene; empty for bodies of an earlier run.
    pub(crate) fn sizes_of_groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().map(Range::len)
    }

    /// Returns the key of the group that contains the body with this number, for messages.
    pub(super) fn key(&self, body: usize) -> String {
        group_key(&self.groups, body)
    }
}

/// Returns the materials that the scene names for the types in the group's LAMMPS data file; empty for other places.
fn types_of(group: &BodyGroup) -> &[String] {
    match &group.place {
        Place::File { types, .. } => types,
        _ => &[],
    }
}

/// Returns whether the atoms of a LAMMPS data file have more than one type.
pub(super) fn is_mixed(types: &[u32]) -> bool {
    types.iter().any(|&kind| kind != types[0])
}

/// Checks that each type in the LAMMPS data file of a group has a material, if the scene has several materials.
fn check_types(scene: &Scene, group: &BodyGroup, types: &[u32], key: &str) -> Result<(), GrainsError> {
    let at = || Location::of(format!("{key}.place.file.types"));
    let conflict = |problem| Err(GrainsError::Conflict { at: at(), problem });
    let named = types_of(group);
    let most = types.iter().copied().max().unwrap_or(0) as usize;
    if named.is_empty() {
        let several = scene.contact.as_ref().is_some_and(|model| model.names().len() > 1);
        return if several && is_mixed(types) && group.material.is_none() {
            conflict("is missing: the atoms have several types; say which materials they are, or give one `material`")
        } else {
            Ok(())
        };
    }
    if group.material.is_some() {
        return conflict("`types` and `material` exclude each other");
    }
    if types.is_empty() {
        return conflict("only atoms of LAMMPS data files have types");
    }
    if named.len() < most {
        return Err(GrainsError::WrongLength { at: at(), expected: most, found: named.len() });
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    pub(super) position: DVec3,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
}

pub(super) fn state(bodies: &Bodies, motions: Vec<Motion>) -> State {
    let mut state = State::at_rest(bodies.len());
    for (i, Motion { position, velocity, spin }) in motions.into_iter().enumerate() {
        state.position_mut().set(i, position);
        state.velocity_mut().set(i, velocity);
        state.set_spin(bodies, i, spin);
    }
    state
}

fn group_key(groups: &[Range<usize>], body: usize) -> String {
    if groups.is_empty() {
        return "start".to_owned();
    }
    format!("bodies[{}]", groups.iter().position(|group| group.contains(&body)).unwrap_or(0))
}

/// The bodies of one group and their initial motions, before all groups are joined.
#[derive(Debug, Default)]
struct PlacedGroup {
    bodies: Vec<Body>,
    motions: Vec<Motion>,
    /// Type of each body in the group's LAMMPS data file; empty for groups that are placed in another way.
    types: Vec<u32>,
    /// Contents of the group's file that have no effect on its bodies, in words.
    left_out: Vec<String>,
    /// Box of the group's LAMMPS data file.
    domain: Option<Domain>,
}

impl PlacedGroup {
    /// Places the bodies of a group; a group that is poured gets its bodies later.
    fn new(group: &Group<'_>) -> Result<Self, GrainsError> {
        let Group { values, key, .. } = *group;
        let conflict = |name: &str, problem| Err(GrainsError::conflict(format!("{key}.{name}"), problem));
        if values.radius.is_some() && values.sizes.is_some() {
            return conflict("sizes", "`radius` and `sizes` exclude each other");
        }
        if values.mass.is_some() && values.density.is_some() {
            return conflict("density", "`mass` and `density` exclude each other");
        }
        if values.sizes.is_some() && matches!(values.place, Place::Pyramid { .. }) {
            return conflict("sizes", "a pyramid is of equal spheres: give `radius`");
        }
        let numbers = [
            ("radius", values.radius),
            ("mass", values.mass),
            ("density", values.density),
            ("inertia", values.inertia),
        ];
        for (name, value) in numbers {
            value.map(|value| positive(format!("{key}.{name}"), value)).transpose()?;
        }
        if matches!(values.place, Place::Pour { .. } | Place::PourWith { .. }) {
            return Ok(Self::default());
        }
        let radii = match sizes::count(values, key)? {
            Some(count) => radii(values, count, key)?,
            None => Vec::new(),
        };
        Self::of_rows(values, key, &radii, place(group, &radii)?)
    }

    /// Makes the bodies of a group, with their motions, from the rows in `placed` and the keys of the group.
    fn of_rows(values: &BodyGroup, key: &str, radii: &[f64], placed: Placed) -> Result<Self, GrainsError> {
        let velocity = vector(format!("{key}.velocity"), values.velocity)?;
        let spin = vector(format!("{key}.spin"), values.spin)?;
        let Placed { rows: placed, fixed, types, mut left_out, domain, .. } = placed;
        let given = &values.velocities;
        let from_file = placed.iter().any(|row| row.velocity.is_some());
        if !given.is_empty() && given.len() != placed.len() {
            let at = Location::of(format!("{key}.velocities"));
            return Err(GrainsError::WrongLength { at, expected: placed.len(), found: given.len() });
        }
        if from_file && !given.is_empty() {
            left_out.push("velocities, for which the scene has others".to_owned());
        }
        let mut made = Self { types, left_out, domain, ..Self::default() };
        for (i, row) in placed.into_iter().enumerate() {
            let missing = |name: &str| GrainsError::MissingKey { at: Location::of(key), missing: name.to_owned() };
            let radius = row.radius.or_else(|| radii.get(i).copied()).or(values.radius);
            let radius = radius.ok_or_else(|| missing("radius"))?;
            let is_fixed = values.fixed || i < fixed;
            made.bodies.push(if is_fixed {
                Body::fixed(radius)
            } else {
                body(values, &row, radius).ok_or_else(|| missing("mass"))?
            });
            let velocity = match given.get(i) {
                Some(&velocity) => vector(format!("{key}.velocities[{i}]"), velocity)?,
                None => row.velocity.unwrap_or(velocity),
            };
            let at_rest = is_fixed && !values.fixed;
            made.motions.push(Motion {
                position: row.position,
                velocity: if at_rest { DVec3::ZERO } else { velocity },
                spin: row.spin.unwrap_or(spin),
            });
        }
        Ok(made)
    }

    /// Returns a note if the group has a `spin` although some of its bodies are fixed, so that they do not spin.
    fn idle_spin(&self, values: &BodyGroup, key: &str) -> Option<Note> {
        let is_given = !values.fixed && values.spin.iter().any(|component| component.abs() > 0.0);
        let fixed = self.bodies.iter().filter(|body| body.mass.is_infinite()).count();
        let text = format!("{fixed} of its bodies are fixed and do not spin: only a group with `fixed = true` does");
        (is_given && fixed > 0).then(|| Note::new(format!("{key}.spin"), text))
    }

    /// Lists, in words, contents of the group's file that have no effect in `scene`.
    fn left_out(&self, scene: &Scene, values: &BodyGroup) -> Vec<String> {
        let mut left_out = self.left_out.clone();
        let is_own = |spin: DVec3| spin != DVec3::ZERO && spin != DVec3::from_array(values.spin);
        if self.bodies.iter().zip(&self.motions).any(|(body, motion)| body.mass.is_infinite() && is_own(motion.spin)) {
            left_out.push("spins of fixed bodies, which turn by the `spin` of their group".to_owned());
        }
        if let (Some(domain), None) = (self.domain, &scene.simulation_box) {
            let [low, high] = [domain.low(), domain.high()].map(|corner| corner.to_array());
            left_out.push(format!("the box from {low:?} to {high:?} (the scene has none)"));
        }
        if is_mixed(&self.types) && types_of(values).is_empty() {
            left_out.push("the types of its atoms, which are materials with `types`".to_owned());
        }
        left_out
    }
}

/// Places the bodies of poured groups, in the order of the groups, clear of walls and of all bodies placed before.
fn pour_all(scene: &Scene, folder: &Path, keys: &[String], placed: &mut [PlacedGroup]) -> Result<(), GrainsError> {
    let leaders = leaders(scene, keys)?;
    if !scene.bodies.iter().any(|values| matches!(values.place, Place::Pour { .. })) {
        return Ok(());
    }
    let walls = walls(scene, folder)?;
    for (first, key) in keys.iter().enumerate() {
        let Some(pour) = Pour::of(&scene.bodies[first], key, scene.simulation_box.as_ref())? else { continue };
        let is_member = |&index: &usize| index == first || leaders[index] == Some(first);
        let mut members = Vec::new();
        let mut total: usize = placed.iter().map(|group| group.bodies.len()).sum();
        for index in (0..keys.len()).filter(is_member) {
            let radii = pour.radii(&scene.bodies[index], &keys[index])?;
            total += radii.len();
            sizes::refuse_bodies(total, &format!("{}.place", keys[index]))?;
            members.push((index, radii));
        }
        let mut spheres = Vec::new();
        for group in placed.iter() {
            let place = |(body, motion): (&Body, &Motion)| Sphere { center: motion.position, radius: body.radius };
            spheres.extend(group.bodies.iter().zip(&group.motions).map(place).filter(|sphere| sphere.radius > 0.0));
        }
        let is_felt =
            |wall: &WallGroup| members.iter().any(|(index, _)| wall.is_felt_by(scene.bodies[*index].name.as_ref()));
        let felt = walls.iter().enumerate().filter(|(wall, _)| is_felt(&scene.walls[group_of(scene, *wall)]));
        let felt: Vec<Wall> = felt.map(|(_, wall)| wall.clone()).collect();
        let all: Vec<f64> = members.iter().flat_map(|(_, radii)| radii.iter().copied()).collect();
        let mut centres = pour.centres(&all, &Present { spheres: &spheres, walls: &felt })?.into_iter();
        for (index, radii) in members {
            let rows = place::of_centres(centres.by_ref().take(radii.len()));
            placed[index] =
                PlacedGroup::of_rows(&scene.bodies[index], &keys[index], &radii, Placed { rows, ..Placed::default() })?;
        }
    }
    Ok(())
}

/// Makes a free body, or a fixed one if its mass is infinite. None if neither the row nor the group gives a mass.
pub(super) fn body(group: &BodyGroup, row: &Row, radius: f64) -> Option<Body> {
    let mass = row.mass.or(group.mass).or(group.density.map(|density| density * ball_volume(radius)))?;
    if mass == f64::INFINITY {
        return Some(Body::fixed(radius));
    }
    Some(match group.inertia {
        Some(inertia) => Body { radius, ..Body::spherical(mass, inertia) },
        None => Body::sphere(mass, radius),
    })
}

/// Returns the smallest radius in m of all bodies with a radius; 1 if no body has a radius.
pub(crate) fn smallest_radius(bodies: &Bodies) -> f64 {
    let radii = bodies.radius().iter().copied().filter(|&radius| radius > 0.0);
    Some(radii.fold(f64::INFINITY, f64::min)).filter(|radius| radius.is_finite()).unwrap_or(1.0)
}
