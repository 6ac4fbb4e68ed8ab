//! Bodies and their first state.

use std::ops::Range;
use std::path::Path;

use dem_contact::io::LammpsData;
use dem_contact::neighbor::{Boundary, Domain};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::place::{self, Placed, place};
use super::random::Random;
use super::table::Row;
use super::{above, positive, vector};
use crate::scene::{BodyGroup, Place, Radii, Scene};
use crate::{GrainsError, Location};

/// Bodies, their first state, and which group they are of.
#[derive(Debug)]
pub(crate) struct Populace {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    groups: Vec<Range<usize>>,
}

impl Populace {
    /// All groups of `scene`, with files read from `folder`.
    pub(crate) fn new(scene: &Scene, folder: &Path) -> Result<Self, GrainsError> {
        let (mut rows, mut motion, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        for (index, group) in scene.bodies.iter().enumerate() {
            let first = rows.len();
            add(scene, group, (&format!("bodies[{index}]"), folder), &mut rows, &mut motion)?;
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
        let state = state(&bodies, motion);
        Ok(Self { bodies, state, groups })
    }

    /// The number of the material of each body; empty if there is one only.
    pub(crate) fn materials(&self, scene: &Scene) -> Result<Vec<u16>, GrainsError> {
        let Some(model) = &scene.contact else { return Ok(Vec::new()) };
        let names = model.names();
        let mut numbers = Vec::with_capacity(self.bodies.len());
        for (index, (group, range)) in scene.bodies.iter().zip(&self.groups).enumerate() {
            let number = match &group.material {
                Some(name) => material(&names, name, &format!("bodies[{index}].material"))?,
                None => 0,
            };
            numbers.extend(range.clone().map(|_| number));
        }
        Ok(if names.len() > 1 { numbers } else { Vec::new() })
    }

    /// The key of the group that `body` is of.
    pub(crate) fn key(&self, body: usize) -> String {
        group_key(&self.groups, body)
    }
}

/// The bodies of a table, a frame or a LAMMPS data file, with the box that the latter states; those without a mass are of the
/// density one.
pub(crate) fn of_file(path: &Path) -> Result<(Bodies, State, Option<Domain>), GrainsError> {
    let group = BodyGroup { density: Some(1.0), ..BodyGroup::default() };
    let (mut rows, mut motion) = (Vec::new(), Vec::new());
    for row in place::file(path, "convert")? {
        let missing = |name: &str| GrainsError::MissingKey { at: Location::of("convert"), missing: name.to_owned() };
        let radius = row.radius.ok_or_else(|| missing("radius"))?;
        rows.push(body(&group, &row, radius).ok_or_else(|| missing("mass"))?);
        motion.push([row.position, row.velocity.unwrap_or_default(), row.spin.unwrap_or_default()]);
    }
    let bodies = Bodies::new(rows).map_err(|error| GrainsError::refused("convert")(error.into()))?;
    let state = state(&bodies, motion);
    let has_no_box = path.extension().is_some_and(|ending| ending == "csv" || ending == "vtp");
    let domain = if has_no_box {
        None
    } else {
        let data = LammpsData::read_path(path).map_err(GrainsError::refused("convert"))?;
        Some(data.domain([Boundary::Open; 3]).map_err(GrainsError::refused("convert"))?)
    };
    Ok((bodies, state, domain))
}

/// The first state of bodies with these centres, velocities and spins.
fn state(bodies: &Bodies, motion: Vec<[DVec3; 3]>) -> State {
    let mut state = State::at_rest(bodies.len());
    for (i, [position, velocity, spin]) in motion.into_iter().enumerate() {
        state.position_mut().set(i, position);
        state.velocity_mut().set(i, velocity);
        state.set_spin(bodies, i, spin);
    }
    state
}

/// The number of a material.
pub(crate) fn material(names: &[String], name: &str, key: &str) -> Result<u16, GrainsError> {
    let number = names.iter().position(|known| known == name).and_then(|number| u16::try_from(number).ok());
    number.ok_or_else(|| GrainsError::UnknownName {
        at: Location::of(key),
        found: name.into(),
        nearest: crate::source::nearest(name, names),
        known: names.to_vec(),
    })
}

fn group_key(groups: &[Range<usize>], body: usize) -> String {
    format!("bodies[{}]", groups.iter().position(|group| group.contains(&body)).unwrap_or(0))
}

/// Adds the bodies of one group.
fn add(
    scene: &Scene,
    group: &BodyGroup,
    (key, folder): (&str, &Path),
    rows: &mut Vec<Body>,
    motion: &mut Vec<[DVec3; 3]>,
) -> Result<(), GrainsError> {
    let conflict =
        |name: &str, problem| Err(GrainsError::Conflict { at: Location::of(format!("{key}.{name}")), problem });
    if group.radius.is_some() && group.radii.is_some() {
        return conflict("radii", "`radius` and `radii` exclude each other");
    }
    if group.mass.is_some() && group.density.is_some() {
        return conflict("density", "`mass` and `density` exclude each other");
    }
    if group.radii.is_some() && matches!(group.place, Place::Pyramid { .. }) {
        return conflict("radii", "a pyramid is of equal spheres: give `radius`");
    }
    for (name, value) in
        [("radius", group.radius), ("mass", group.mass), ("density", group.density), ("inertia", group.inertia)]
    {
        value.map(|value| positive(format!("{key}.{name}"), value)).transpose()?;
    }
    let velocity = vector(format!("{key}.velocity"), group.velocity)?;
    let spin = vector(format!("{key}.spin"), group.spin)?;
    let radii = match place::count(group, key)? {
        Some(count) => radii(group, count, key)?,
        None => Vec::new(),
    };
    let Placed { rows: placed, fixed } = place(group, &radii, (key, folder), scene.region.as_ref())?;
    let given = &group.velocities;
    if !given.is_empty() && given.len() != placed.len() {
        let at = Location::of(format!("{key}.velocities"));
        return Err(GrainsError::WrongLength { at, expected: placed.len(), found: given.len() });
    }
    for (i, row) in placed.into_iter().enumerate() {
        let missing = |name: &str| GrainsError::MissingKey { at: Location::of(key), missing: name.to_owned() };
        let radius = row.radius.or_else(|| radii.get(i).copied()).or(group.radius);
        let radius = radius.ok_or_else(|| missing("radius"))?;
        let is_fixed = group.fixed || i < fixed;
        rows.push(if is_fixed {
            Body::fixed(radius)
        } else {
            body(group, &row, radius).ok_or_else(|| missing("mass"))?
        });
        let velocity = match given.get(i) {
            Some(&velocity) => vector(format!("{key}.velocities[{i}]"), velocity)?,
            None => row.velocity.unwrap_or(velocity),
        };
        let at_rest = is_fixed && !group.fixed;
        motion.push([row.position, if at_rest { DVec3::ZERO } else { velocity }, row.spin.unwrap_or(spin)]);
    }
    Ok(())
}

/// A body that the group does not fix, though its mass may be infinite; none if nothing says how heavy it is.
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

/// The radii of a group of `count` bodies.
fn radii(group: &BodyGroup, count: usize, key: &str) -> Result<Vec<f64>, GrainsError> {
    let under = |name: &str| format!("{key}.radii.{name}");
    match (&group.radii, group.radius) {
        (None, Some(radius)) => Ok(vec![radius; count]),
        (None, None) => Err(GrainsError::MissingKey { at: Location::of(key), missing: "radius".into() }),
        (Some(Radii::Uniform { low, high, seed }), _) => {
            let low = positive(under("uniform.low"), *low)?;
            above(under("uniform.high"), *high, low)?;
            let mut random = Random::new(*seed);
            Ok((0..count).map(|_| random.between(low, *high)).collect())
        }
        (Some(Radii::Mix { radius, share, seed }), _) => {
            if radius.len() != share.len() || radius.is_empty() {
                let at = Location::of(under("mix.share"));
                return Err(GrainsError::WrongLength { at, expected: radius.len(), found: share.len() });
            }
            radius.iter().try_for_each(|&radius| positive(under("mix.radius"), radius).map(|_| ()))?;
            let total = share.iter().try_fold(0.0, |sum, &share| Ok(sum + positive(under("mix.share"), share)?))?;
            let mut random = Random::new(*seed);
            let mut draw = || {
                let mut left = total * random.unit();
                let found = radius.iter().zip(share).find(|(_, share)| {
                    left -= **share;
                    left < 0.0
                });
                found.map_or(radius[0], |(radius, _)| *radius)
            };
            Ok((0..count).map(|_| draw()).collect())
        }
    }
}
