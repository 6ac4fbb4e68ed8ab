//! Bodies and their first state.

use std::ops::Range;
use std::path::Path;

use dem_contact::io::LammpsData;
use dem_contact::neighbor::{Boundary, Domain};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::place::{self, Group, Placed, place};
use super::radii::radii;
use super::table::Row;
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
        let (mut rows, mut motions, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for (index, values) in scene.bodies.iter().enumerate() {
            let (first, key) = (rows.len(), format!("bodies[{index}]"));
            let group = Group { values, key: &key, folder, simulation_box: scene.simulation_box.as_ref() };
            add(&group, &mut rows, &mut motions)?;
            groups.push(first..rows.len());
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

/// Adds the bodies of one group.
fn add(group: &Group<'_>, rows: &mut Vec<Body>, motions: &mut Vec<Motion>) -> Result<(), GrainsError> {
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
    for (name, value) in
        [("radius", values.radius), ("mass", values.mass), ("density", values.density), ("inertia", values.inertia)]
    {
        value.map(|value| positive(format!("{key}.{name}"), value)).transpose()?;
    }
    let velocity = vector(format!("{key}.velocity"), values.velocity)?;
    let spin = vector(format!("{key}.spin"), values.spin)?;
    let radii = match place::count(values, key)? {
        Some(count) => radii(values, count, key)?,
        None => Vec::new(),
    };
    let Placed { rows: placed, fixed } = place(group, &radii)?;
    let given = &values.velocities;
    if !given.is_empty() && given.len() != placed.len() {
        let at = Location::of(format!("{key}.velocities"));
        return Err(GrainsError::WrongLength { at, expected: placed.len(), found: given.len() });
    }
    for (i, row) in placed.into_iter().enumerate() {
        let missing = |name: &str| GrainsError::MissingKey { at: Location::of(key), missing: name.to_owned() };
        let radius = row.radius.or_else(|| radii.get(i).copied()).or(values.radius);
        let radius = radius.ok_or_else(|| missing("radius"))?;
        let is_fixed = values.fixed || i < fixed;
        rows.push(if is_fixed {
            Body::fixed(radius)
        } else {
            body(values, &row, radius).ok_or_else(|| missing("mass"))?
        });
        let velocity = match given.get(i) {
            Some(&velocity) => vector(format!("{key}.velocities[{i}]"), velocity)?,
            None => row.velocity.unwrap_or(velocity),
        };
        let at_rest = is_fixed && !values.fixed;
        motions.push(Motion {
            position: row.position,
            velocity: if at_rest { DVec3::ZERO } else { velocity },
            spin: row.spin.unwrap_or(spin),
        });
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
