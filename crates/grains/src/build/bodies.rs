//! Bodies and their first state.

use std::ops::Range;
use std::path::Path;

use dem_contact::neighbor::Domain;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::crowds::crowd;
use super::parts::domain;
use super::place::{self, Group, Placed, place};
use super::radii::radii;
use super::sizes;
use super::table::Row;
use crate::error::{GrainsError, Location, Note};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::value::{material_number, positive, vector};

/// Bodies, their first state, and the groups of the scene that they are of.
#[derive(Debug)]
pub(crate) struct InitialBodies {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    groups: Vec<Range<usize>>,
    /// Of each group: the type of each body in a LAMMPS data file; empty for others.
    types: Vec<Vec<u32>>,
    /// What files of bodies have and the scene does not take over.
    pub(crate) notes: Vec<Note>,
}

impl InitialBodies {
    /// The bodies of all groups of `scene`. Files are read from `folder`.
    ///
    /// # Errors
    /// Those of groups without meaning, with the key.
    pub(crate) fn new(scene: &Scene, folder: &Path) -> Result<Self, GrainsError> {
        sizes::refuse_too_many(scene)?;
        let (mut rows, mut motions, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        let (mut types, mut notes) = (Vec::new(), Vec::new());
        for (index, values) in scene.bodies.iter().enumerate() {
            let (first, key) = (rows.len(), format!("bodies[{index}]"));
            let group = Group { values, key: &key, folder, simulation_box: scene.simulation_box.as_ref() };
            let Source { types: of_group, left_out, domain } = add(&group, &mut rows, &mut motions)?;
            check_types(scene, values, &of_group, &key)?;
            let at = || Location::of(format!("{key}.place.file.path"));
            let mut note = |what: String| notes.push(Note { at: at(), text: format!("{what}: not taken over") });
            left_out.into_iter().for_each(&mut note);
            if let (Some(domain), None) = (domain, &scene.simulation_box) {
                note(format!(
                    "the box from {:?} to {:?} (the scene has none)",
                    domain.low().to_array(),
                    domain.high().to_array()
                ));
            }
            if is_mixed(&of_group) && types_of(values).is_empty() {
                note("the types of its atoms, which are materials with `types`".to_owned());
            }
            types.push(of_group);
            groups.push(first..rows.len());
            sizes::refuse_bodies(rows.len(), &key)?;
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
        if let Some([first, second]) = crowd(&bodies, &state, domain(scene)?) {
            let apart = state.position().get(second) - state.position().get(first);
            let [one, other] = [first, second].map(|body| bodies.radius()[body]);
            let (at, overlap) =
                (Location::of(key(first)), one + other - domain(scene)?.separation(DVec3::ZERO, apart).length());
            return Err(GrainsError::Overlap { at, first, second, overlap, radius: one.min(other) });
        }
        Ok(Self { bodies, state, groups, types, notes })
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
    /// What the file has beside these.
    pub(crate) left_out: Vec<String>,
}

/// Reads the bodies of a table, a frame or a LAMMPS data file. Bodies without a mass have density one.
///
/// # Errors
/// Those of reading, and [`GrainsError::MissingKey`] for bodies without a radius.
pub(crate) fn of_file(path: &Path) -> Result<BodyFile, GrainsError> {
    let group = BodyGroup { density: Some(1.0), ..BodyGroup::default() };
    let (mut rows, mut motions) = (Vec::new(), Vec::new());
    let Placed { rows: placed, types, mut left_out, domain, .. } = place::file(path, "convert")?;
    if is_mixed(&types) {
        left_out.push("the types of its atoms".to_owned());
    }
    for row in placed {
        let missing = |name: &str| {
            let at = Location { file: Some(path.to_owned()), line: None, key: "convert".to_owned() };
            GrainsError::MissingKey { at, missing: name.to_owned() }
        };
        let radius = row.radius.ok_or_else(|| missing("radius"))?;
        rows.push(body(&group, &row, radius).ok_or_else(|| missing("mass"))?);
        motions.push(Motion {
            position: row.position,
            velocity: row.velocity.unwrap_or_default(),
            spin: row.spin.unwrap_or_default(),
        });
    }
    let (at, file) = (Location::of("convert"), path.to_owned());
    let bodies = Bodies::new(rows);
    let bodies = bodies.map_err(|error| GrainsError::File { at, path: file, source: Box::new(error.into()) })?;
    let state = state(&bodies, motions);
    Ok(BodyFile { bodies, state, domain, left_out })
}

/// The materials of the types in the file of a group.
fn types_of(group: &BodyGroup) -> &[String] {
    match &group.place {
        Place::File { types, .. } => types,
        _ => &[],
    }
}

/// Whether atoms are of more than one type.
fn is_mixed(types: &[u32]) -> bool {
    types.iter().any(|&kind| kind != types[0])
}

/// Checks that the types in the file of a group have a material where materials differ.
fn check_types(scene: &Scene, group: &BodyGroup, types: &[u32], key: &str) -> Result<(), GrainsError> {
    let at = || Location::of(format!("{key}.place.file.types"));
    let conflict = |problem| Err(GrainsError::Conflict { at: at(), problem });
    let (named, most) = (types_of(group), types.iter().copied().max().unwrap_or(0) as usize);
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

/// What the file of a group says beside its bodies.
struct Source {
    types: Vec<u32>,
    left_out: Vec<String>,
    domain: Option<Domain>,
}

/// Adds the bodies of one group.
fn add(group: &Group<'_>, rows: &mut Vec<Body>, motions: &mut Vec<Motion>) -> Result<Source, GrainsError> {
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
    let Placed { rows: placed, fixed, types, mut left_out, domain } = place(group, &radii)?;
    let (given, from_file) = (&values.velocities, placed.iter().any(|row| row.velocity.is_some()));
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
    if from_file && !given.is_empty() {
        left_out.push("velocities, for which the scene has others".to_owned());
    }
    Ok(Source { types, left_out, domain })
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
