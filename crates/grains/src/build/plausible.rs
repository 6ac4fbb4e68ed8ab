//! Notes on permitted but improbable numbers: mixed units, angles in degrees, contacts that are far too soft.

use std::f64::consts::{PI, TAU};

use dem_contact::wall::Shape;
use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use super::sources::PlannedSource;
use super::walls::group_of;
use crate::error::Note;
use crate::scene::Scene;
use crate::scene::bodies::BodyGroup;
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::scene::sources::{FaceRegion, SourceRegion};
use crate::scene::units::Units;
use crate::scene::walls::{WallGroup, WallShape};
use crate::value::{rounded, word_of};

/// Overlap of a body by its weight alone, relative to its radius, above which contacts count as too soft.
const SOFT: f64 = 0.1;
/// Largest coefficient of friction without a note; a larger number may be meant as an angle.
const ROUGH: f64 = 3.0;
/// Densities of grains in kg/m³ without a note, from foam to tungsten.
const DENSITIES: std::ops::Range<f64> = 10.0..25_000.0;
/// Densities in kg/m³ without a note where bodies are given by their mass. The range is wide, since such scenes may use
/// other units without declaring them.
const DENSITIES_BY_MASS: std::ops::Range<f64> = 0.01..100_000.0;
/// Largest gravity in m/s² without a note; a larger number may be in another unit.
const GRAVITY: f64 = 100.0;
/// Smallest Young's modulus in Pa without a note; a smaller number may be in another unit.
const MODULUS: f64 = 1e4;
/// Largest rate of turn of a wall in rad/s without a note; a larger number may be in degrees per second.
const SPIN: f64 = 30.0;
/// Size of a mesh without `scale`, in radii of the largest grain, above which its file may be in mm.
const HUGE: f64 = 5000.0;

/// Returns notes on permitted but improbable numbers of a scene.
pub(crate) fn doubts(scene: &Scene, bodies: &Bodies) -> Vec<Note> {
    let mut notes = contacts(scene, bodies);
    notes.extend(angles(scene));
    // In other units any number may be plausible.
    if scene.units == Units::default() {
        notes.extend(units(scene, bodies));
    }
    notes
}

fn units(scene: &Scene, bodies: &Bodies) -> Vec<Note> {
    let mut notes = Vec::new();
    let gravity = DVec3::from_array(scene.gravity).length();
    if gravity > GRAVITY {
        let text = format!("{gravity} m/s² is far more than on Earth, 9.81: lengths are in m, not in mm");
        notes.push(Note::new("gravity", text));
    }
    let of_bodies = scene.bodies.iter().enumerate();
    let of_bodies = of_bodies.filter_map(|(k, group)| Some((format!("bodies[{k}].density"), group.density?)));
    let of_sources =
        scene.sources.iter().enumerate().map(|(k, source)| (format!("sources[{k}].density"), source.density));
    for (key, density) in of_bodies.chain(of_sources).filter(|(_, density)| !DENSITIES.contains(density)) {
        notes.push(Note::new(
            key,
            format!(
                "grains hardly have {density} kg/m³: 1 g/cm³ is 1000 kg/m³. If other units are meant, name them in `units`"
            ),
        ));
    }
    let density = |body: usize| bodies.mass()[body] / (4.0 / 3.0 * PI * bodies.radius()[body].powi(3));
    let is_off = |&body: &usize| density(body).is_finite() && !DENSITIES_BY_MASS.contains(&density(body));
    if scene.bodies.iter().any(|group| group.mass.is_some())
        && let Some(body) = (0..bodies.len()).find(is_off)
    {
        let mass = bodies.mass()[body];
        let is_its_mass = |group: &BodyGroup| group.mass.is_some_and(|given| (given / mass - 1.0).abs() < 1e-12);
        let group = scene.bodies.iter().position(is_its_mass).unwrap_or(0);
        let text = format!(
            "a sphere of {} kg and the radius {} m has {:.3e} kg/m³: lengths are in m, masses in kg",
            bodies.mass()[body],
            bodies.radius()[body],
            density(body)
        );
        notes.push(Note::new(format!("bodies[{group}].mass"), text));
    }
    let materials = scene.contact.iter().flat_map(|model| model.materials.iter().enumerate());
    for (index, material) in materials.filter(|(_, material)| material.young > 0.0 && material.young < MODULUS) {
        let young = material.young;
        let [in_gpa, in_mpa] = [1e9, 1e6].map(|unit| rounded(young * unit));
        let text = format!(
            "{young} Pa is softer than jelly: 1 GPa is 1e9 Pa. For {young} GPa write `young = {in_gpa:e}`, for {young} MPa \
             `young = {in_mpa:e}`"
        );
        notes.push(Note::new(format!("contact.materials[{index}].young"), text));
    }
    notes
}

/// Returns notes on meshes whose file may be in mm. `walls` are the walls of the contact law.
pub(crate) fn meshes<'a>(
    scene: &Scene,
    bodies: &Bodies,
    walls: impl Iterator<Item = &'a Shape>,
    sources: &[PlannedSource],
) -> Vec<Note> {
    let there = bodies.radius().iter().copied().fold(0.0, f64::max);
    let largest = sources.iter().map(|source| source.grains.sizes.largest()).fold(there, f64::max);
    let doubt = |size: f64, key: String| {
        let text = format!(
            "the mesh is {size:.3} {0} wide, {1:.0} radii of the largest grain: if its file is in mm, write `scale = 0.001`",
            scene.units.length,
            size / largest
        );
        (largest > 0.0 && size > HUGE * largest).then(|| Note::new(key, text))
    };
    let of_walls = walls.enumerate().filter_map(|(wall, shape)| {
        let Shape::Mesh(mesh) = shape else { return None };
        let index = group_of(scene, wall);
        let bounds = mesh.points().iter().fold(None, |bounds: Option<[DVec3; 2]>, &point| {
            let [low, high] = bounds.unwrap_or([point; 2]);
            Some([low.min(point), high.max(point)])
        });
        let size = bounds.map_or(0.0, |[low, high]| (high - low).max_element());
        let is_unscaled = matches!(scene.walls.get(index)?.shape, WallShape::Stl { scale: 1.0, .. });
        doubt(size, format!("walls[{index}].stl")).filter(|_| is_unscaled)
    });
    let of_sources = sources.iter().enumerate().filter_map(|(index, source)| {
        let is_unscaled =
            matches!(&scene.sources.get(index)?.region, SourceRegion::Faces(FaceRegion { scale: 1.0, .. }));
        doubt(source.faces()?.area().sqrt(), format!("sources[{index}].region.faces")).filter(|_| is_unscaled)
    });
    of_walls.chain(of_sources).collect()
}

fn angles(scene: &Scene) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, WallGroup { shape, drive, .. }) in scene.walls.iter().enumerate() {
        let of_turn = drive.turn.as_ref().and_then(|turn| turn.oscillation);
        let angles = [
            ("oscillation.phase", drive.oscillation.map(|one| one.phase)),
            ("turn.oscillation.phase", of_turn.map(|one| one.phase)),
            ("turn.oscillation.amplitude", of_turn.map(|one| one.amplitude)),
        ];
        for (name, angle) in angles.into_iter().filter_map(|(name, angle)| Some((name, angle?))) {
            if angle.abs() > TAU {
                let text =
                    format!("{angle} rad is more than a turn: {angle} degrees are {:.5} rad", angle.to_radians());
                notes.push(Note::new(format!("walls[{index}].{name}"), text));
            }
        }
        let spin = DVec3::from_array(shape.motion().spin).length();
        let of_table = drive.turn.as_ref().and_then(|turn| turn.table.as_ref());
        let of_table = of_table.map(|rows| (format!("turn.table.{}", word_of(rows)), rows.fastest()));
        let rates = of_table.into_iter().chain([(format!("{}.spin", word_of(shape)), spin)]);
        for (name, rate) in rates.filter(|(_, rate)| *rate > SPIN && scene.units == Units::default()) {
            let text = format!(
                "{rate} rad/s are {:.1} turns a second: {rate} degrees a second are {:.5} rad/s",
                rate / TAU,
                rate.to_radians()
            );
            notes.push(Note::new(format!("walls[{index}].{name}"), text));
        }
    }
    notes
}

/// Returns notes on contacts that are far too soft for the weight of bodies, and on coefficients of friction that look
/// like angles.
fn contacts(scene: &Scene, bodies: &Bodies) -> Vec<Note> {
    let Some(model) = &scene.contact else { return Vec::new() };
    let mut notes = Vec::new();
    for (key, friction) in frictions(model).into_iter().filter(|(_, friction)| *friction > ROUGH) {
        let text = format!(
            "{friction} is very high: friction is the tangent of its angle, for {friction} degrees {:.3}",
            friction.to_radians().tan()
        );
        notes.push(Note::new(key, text));
    }
    let gravity = DVec3::from_array(scene.gravity).length();
    let moduli = model.materials.iter().map(|one| 2.0 / 3.0 * one.young / (1.0 - one.poisson.powi(2)));
    let softest = moduli.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
    let depth = |body: usize| {
        let weight = gravity * bodies.mass()[body];
        let radius = bodies.radius()[body];
        let hertz = |modulus: f64| (weight / (modulus * radius.sqrt())).powf(2.0 / 3.0) / radius;
        match model.normal {
            NormalLaw::Hooke { stiffness } => weight / stiffness / radius,
            NormalLaw::Hertz { modulus } => hertz(modulus),
            NormalLaw::HertzMindlin => hertz(softest.map_or(f64::INFINITY, |(_, modulus)| modulus)),
        }
    };
    let depths = (0..bodies.len()).map(depth).filter(|depth| depth.is_finite());
    let deepest = depths.fold(0.0, f64::max);
    if deepest > SOFT && scene.integrator.is_explicit() {
        let key = match model.normal {
            NormalLaw::Hooke { .. } => "contact.normal.hooke.stiffness".to_owned(),
            NormalLaw::Hertz { .. } => "contact.normal.hertz.modulus".to_owned(),
            NormalLaw::HertzMindlin => {
                format!("contact.materials[{}].young", softest.map_or(0, |(index, _)| index))
            }
        };
        let text = format!(
            "contacts are so soft that the weight of a body alone presses it {deepest:.1e} radii into a floor: make this \
             larger, or look at units of radii and densities"
        );
        notes.push(Note::new(key, text));
    }
    notes
}

fn frictions(model: &ContactModel) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let of_laws = model.tangential_laws().filter_map(|(key, law)| Some((key, word_of(&law), law.friction()?)));
    found.extend(of_laws.map(|(key, name, friction)| (format!("{key}.tangential.{name}.friction"), friction)));
    for (index, material) in model.materials.iter().enumerate() {
        found.push((format!("contact.materials[{index}].friction"), material.friction));
    }
    for (index, pair) in model.pairs.iter().enumerate() {
        found.extend(pair.friction.map(|friction| (format!("contact.pairs[{index}].friction"), friction)));
    }
    found
}
