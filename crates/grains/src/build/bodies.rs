//! Bodies and their first state.

use std::ops::Range;
use std::path::Path;

use dem_contact::io::LammpsData;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::packing::Sphere;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::place::{self, Group, Placed, place};
use super::pour::{Pour, Present};
use super::radii::radii;
use super::table::Row;
use super::walls::walls;
use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::value::{material_number, positive, vector};

/// Bodies, their first state, and the groups of the scene that they are of.
#[derive(Debug)]
pub(crate) struct InitialBodies {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    groups: Vec<Range<usize>>,
}

impl InitialBodies {
    /// The bodies of all groups of `scene`. Files are read from `folder`.
    ///
    /// # Errors
    /// Those of groups without meaning, with the key.
    pub(crate) fn new(scene: &Scene, folder: &Path) -> Result<Self, GrainsError> {
        let keys: Vec<String> = (0..scene.bodies.len()).map(|index| format!("bodies[{index}]")).collect();
        let mut placed: Vec<PlacedGroup> = Vec::with_capacity(keys.len());
        for (values, key) in scene.bodies.iter().zip(&keys) {
            placed.push(PlacedGroup::new(&Group { values, key, folder })?);
        }
        pour_all(scene, folder, &keys, &mut placed)?;
        let (mut rows, mut motions, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for PlacedGroup { bodies, motions: of_group } in placed {
            groups.push(rows.len()..rows.len() + bodies.len());
            rows.extend(bodies);
            motions.extend(of_group);
        }
        if rows.is_empty() {
            return Err(GrainsError::Conflict { at: Location::of("bodies"), problem: "there are no bodies" });
        }
        let key = |body: usize| group_key(&groups, body);
        let bodies = Bodies::new(rows.iter().copied()).map_err(|error| {
            let first = rows.iter().position(|row| Bodies::new([*row]).is_err()).unwrap_or(0);
            GrainsError::refused(key(first))(error.into())
        })?;
        let state = state(&bodies, motions);
        Ok(Self { bodies, state, groups })
    }

    /// The number of the material of each body; empty if there is only one material.
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
            numbers.extend(range.clone().map(|_| number));
        }
        Ok(if names.len() > 1 { numbers } else { Vec::new() })
    }

    /// The key of the group of `body`.
    pub(crate) fn key(&self, body: usize) -> String {
        group_key(&self.groups, body)
    }
}

/// The bodies of a file that is no scene.
#[derive(Debug)]
pub(crate) struct BodyFile {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    /// The box of a LAMMPS data file.
    pub(crate) domain: Option<Domain>,
}

/// Reads the bodies of a table, a frame or a LAMMPS data file. Bodies without a mass have density one.
///
/// # Errors
/// Those of reading, and [`GrainsError::MissingKey`] for bodies without a radius.
pub(crate) fn of_file(path: &Path) -> Result<BodyFile, GrainsError> {
    let group = BodyGroup { density: Some(1.0), ..BodyGroup::default() };
    let (mut rows, mut motions) = (Vec::new(), Vec::new());
    for row in place::file(path, "convert")? {
        let missing = |name: &str| GrainsError::MissingKey { at: Location::of("convert"), missing: name.to_owned() };
        let radius = row.radius.ok_or_else(|| missing("radius"))?;
        rows.push(body(&group, &row, radius).ok_or_else(|| missing("mass"))?);
        motions.push(Motion {
            position: row.position,
            velocity: row.velocity.unwrap_or_default(),
            spin: row.spin.unwrap_or_default(),
        });
    }
    let bodies = Bodies::new(rows).map_err(|error| GrainsError::refused("convert")(error.into()))?;
    let state = state(&bodies, motions);
    let has_no_box = path.extension().is_some_and(|ending| ending == "csv" || ending == "vtp");
    let domain = if has_no_box {
        None
    } else {
        let data = LammpsData::read_path(path).map_err(GrainsError::refused("convert"))?;
        Some(data.domain([Boundary::Open; 3]).map_err(GrainsError::refused("convert"))?)
    };
    Ok(BodyFile { bodies, state, domain })
}

/// How a body moves at the start.
#[derive(Debug, Clone, Copy)]
struct Motion {
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

/// The first state of bodies.
fn state(bodies: &Bodies, motions: Vec<Motion>) -> State {
    let mut state = State::at_rest(bodies.len());
    for (i, Motion { position, velocity, spin }) in motions.into_iter().enumerate() {
        state.position_mut().set(i, position);
        state.velocity_mut().set(i, velocity);
        state.set_spin(bodies, i, spin);
    }
    state
}

fn group_key(groups: &[Range<usize>], body: usize) -> String {
    format!("bodies[{}]", groups.iter().position(|group| group.contains(&body)).unwrap_or(0))
}

/// The bodies of one group and how they move.
#[derive(Debug, Default)]
struct PlacedGroup {
    bodies: Vec<Body>,
    motions: Vec<Motion>,
}

impl PlacedGroup {
    /// The bodies of a group; none yet if it is poured.
    fn new(group: &Group<'_>) -> Result<Self, GrainsError> {
        let Group { values, key, .. } = *group;
        let conflict =
            |name: &str, problem| Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem });
        if values.radius.is_some() && values.radii.is_some() {
            return conflict("radii", "`radius` and `radii` exclude each other");
        }
        if values.mass.is_some() && values.density.is_some() {
            return conflict("density", "`mass` and `density` exclude each other");
        }
        if values.radii.is_some() && matches!(values.place, Place::Pyramid { .. }) {
            return conflict("radii", "a pyramid is of equal spheres: give `radius`");
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
        let radii = match place::count(values, key)? {
            Some(count) => radii(values, count, key)?,
            None => Vec::new(),
        };
        Self::of_rows(values, key, &radii, place(group, &radii)?)
    }

    /// The bodies of a group in these places.
    fn of_rows(values: &BodyGroup, key: &str, radii: &[f64], placed: Placed) -> Result<Self, GrainsError> {
        let velocity = vector(format!("{key}.velocity"), values.velocity)?;
        let spin = vector(format!("{key}.spin"), values.spin)?;
        let Placed { rows: placed, fixed } = placed;
        let given = &values.velocities;
        if !given.is_empty() && given.len() != placed.len() {
            let at = Location::of(format!("{key}.velocities"));
            return Err(GrainsError::WrongLength { at, expected: placed.len(), found: given.len() });
        }
        let mut made = Self::default();
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
}

/// Pours the groups that are poured, in their order, clear of walls and of all bodies that are there.
fn pour_all(scene: &Scene, folder: &Path, keys: &[String], placed: &mut [PlacedGroup]) -> Result<(), GrainsError> {
    for (values, key) in scene.bodies.iter().zip(keys) {
        if let Place::PourWith { group, .. } = values.place
            && !scene.bodies.get(group).is_some_and(|leader| matches!(leader.place, Place::Pour { .. }))
        {
            let at = Location::of(format!("{key}.place.pour-with.group"));
            return Err(GrainsError::Conflict {
                at,
                problem: "is not the number, from zero, of a group with a `pour`",
            });
        }
    }
    if !scene.bodies.iter().any(|values| matches!(values.place, Place::Pour { .. })) {
        return Ok(());
    }
    let walls = walls(scene, folder)?.walls;
    for (first, key) in keys.iter().enumerate() {
        let Some(pour) = Pour::of(&scene.bodies[first], key, scene.simulation_box.as_ref())? else { continue };
        let is_member = |&index: &usize| {
            index == first || matches!(scene.bodies[index].place, Place::PourWith { group, .. } if group == first)
        };
        let mut members = Vec::new();
        for index in (0..keys.len()).filter(is_member) {
            members.push((index, pour.radii(&scene.bodies[index], &keys[index])?));
        }
        let mut spheres = Vec::new();
        for group in placed.iter() {
            let place = |(body, motion): (&Body, &Motion)| Sphere { center: motion.position, radius: body.radius };
            spheres.extend(group.bodies.iter().zip(&group.motions).map(place).filter(|sphere| sphere.radius > 0.0));
        }
        let all: Vec<f64> = members.iter().flat_map(|(_, radii)| radii.iter().copied()).collect();
        let mut centres = pour.centres(&all, &Present { spheres: &spheres, walls: &walls })?.into_iter();
        for (index, radii) in members {
            let rows = place::of_centres(centres.by_ref().take(radii.len()));
            placed[index] =
                PlacedGroup::of_rows(&scene.bodies[index], &keys[index], &radii, Placed { rows, fixed: 0 })?;
        }
    }
    Ok(())
}

/// A body of a group that is not fixed; it may still have infinite mass. None without a mass.
fn body(group: &BodyGroup, row: &Row, radius: f64) -> Option<Body> {
    let volume = 4.0 * std::f64::consts::PI / 3.0 * radius.powi(3);
    let mass = row.mass.or(group.mass).or(group.density.map(|density| density * volume))?;
    if mass.is_infinite() {
        return Some(Body::fixed(radius));
    }
    Some(match group.inertia {
        Some(inertia) => Body { radius, ..Body::spherical(mass, inertia) },
        None => Body::sphere(mass, radius),
    })
}

/// The smallest radius of a body that has one, in m; one if there is none.
pub(crate) fn smallest_radius(bodies: &Bodies) -> f64 {
    let radii = bodies.radius().iter().copied().filter(|&radius| radius > 0.0);
    Some(radii.fold(f64::INFINITY, f64::min)).filter(|radius| radius.is_finite()).unwrap_or(1.0)
}
