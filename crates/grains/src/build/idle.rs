//! What a scene has and a run makes nothing of: sources behind gates, walls that slide along themselves, servos that
//! pull, ends that never come.

use rrp_geom::glam::DVec3;

use crate::error::{Location, Note};
use crate::plan::ends::PlannedEnd;
use crate::plan::{Plan, PlannedStage};
use crate::scene::Scene;
use crate::scene::contact::{ContactModel, DampingLaw, NormalLaw, TangentLaw};
use crate::scene::sources::{GateRegion, SourceRegion};
use crate::scene::space::Units;
use crate::scene::stages::WallChange;
use crate::scene::walls::WallShape;

/// What hardly does what is meant, in all stages of `scene`.
pub(crate) fn idle(scene: &Scene, plan: &Plan) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(sources_behind_gates(scene));
    notes.extend(smooth_and_elastic(scene));
    notes.extend(gravity_in_other_units(scene));
    for stage in &plan.stages {
        notes.extend(sliding_cylinders(stage));
        notes.extend(pulling_servos(stage));
        notes.extend(endless(stage));
    }
    notes
}

fn note(key: String, text: String) -> Note {
    Note { at: Location::of(key), text }
}

/// The middle of a region.
fn middle(region: &SourceRegion) -> DVec3 {
    match *region {
        SourceRegion::Box { low, high } => 0.5 * (DVec3::from_array(low) + DVec3::from_array(high)),
        SourceRegion::Cylinder { point, axis, .. } => DVec3::from_array(point) + 0.5 * DVec3::from_array(axis),
        SourceRegion::Disc { point, .. } => DVec3::from_array(point),
    }
}

/// Sources whose grains are taken away as they come.
fn sources_behind_gates(scene: &Scene) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, source) in scene.sources.iter().enumerate() {
        for (number, gate) in scene.gates.iter().enumerate().filter(|(_, gate)| gate.remove) {
            let GateRegion::Plane { point, normal } = gate.shape else { continue };
            let [point, normal] = [point, normal].map(DVec3::from_array);
            if (middle(&source.region) - point).dot(normal) < 0.0 {
                let (source, gate) = (source.column(index), gate.column(number));
                let text = format!(
                    "the source `{source}` is behind the gate `{gate}`, which takes its grains away as they come: reverse \
                     the `normal` of the gate, which is against the way of the grains"
                );
                notes.push(note(format!("gates[{number}].shape.plane.normal"), text));
            }
        }
    }
    notes
}

/// Materials whose restitution and friction nobody gave.
fn smooth_and_elastic(scene: &Scene) -> Vec<Note> {
    let Some(model) = scene.contact.as_ref().filter(|model| model.normal == NormalLaw::HertzMindlin) else {
        return Vec::new();
    };
    let materials = model.materials.iter().enumerate();
    let ideal = materials.filter(|(_, one)| one.friction <= 0.0 && one.restitution >= 1.0 && model.pairs.is_empty());
    let ideal = ideal.map(|(index, one)| {
        let text = format!("`{}` is smooth and rebounds without loss: give it `friction` and `restitution`", one.name);
        note(format!("contact.materials[{index}]"), text)
    });
    ideal.collect()
}

/// Gravity in m/s² where lengths are named otherwise.
fn gravity_in_other_units(scene: &Scene) -> Option<Note> {
    let gravity = DVec3::from_array(scene.gravity).length();
    let is_of_earth = (9.7..9.9).contains(&gravity) && scene.units.time == Units::default().time;
    let shorter = match scene.units.length.as_str() {
        "mm" => 1e3,
        "cm" => 1e2,
        _ => return None,
    };
    let length = &scene.units.length;
    let there = gravity * shorter;
    let text =
        format!("{gravity} is in m/s²; in {length}/s² it is {there:.0}: all numbers are in the units that are named");
    is_of_earth.then(|| note("gravity".to_owned(), text))
}

/// Cylinders without ends that move along themselves.
fn sliding_cylinders(stage: &PlannedStage) -> Vec<Note> {
    let mut notes = Vec::new();
    for (group, change) in &stage.changes {
        let (WallChange::Move(motion), Some(wall)) = (change, stage.scene.walls.get(*group)) else { continue };
        let WallShape::Cylinder { axis, .. } = wall.shape else { continue };
        let [axis, velocity] = [axis, motion.velocity].map(DVec3::from_array);
        if velocity.length() > 0.0 && velocity.cross(axis).length() < 1e-9 * velocity.length() * axis.length() {
            let text = "a `cylinder` has no ends: along its axis it only drags the grains. A tube that is lifted is a \
                        `revolution` with a profile such as [[0.04, 0.0], [0.04, 0.2]]";
            notes.push(note(stage.key_of_wall(*group), text.to_owned()));
        }
    }
    notes
}

/// Servos that pull at the bodies.
fn pulling_servos(stage: &PlannedStage) -> Vec<Note> {
    let walls = stage.scene.walls.iter().enumerate();
    let pulls = |wanted: Option<f64>| wanted.is_some_and(|wanted| wanted < 0.0);
    let servos = walls.filter_map(|(index, wall)| Some((index, wall.drive.servo.as_ref()?)));
    let pulling = servos.filter(|(_, servo)| pulls(servo.force) || pulls(servo.pressure));
    let text = "a wall that should bear less than nothing goes away from the bodies: compression is positive";
    pulling.map(|(index, _)| note(super::drives::key_of_motion(stage, index), text.to_owned())).collect()
}

/// Ends by rest where nothing takes energy away.
fn endless(stage: &PlannedStage) -> Option<Note> {
    let is_lossless = |model: &ContactModel| {
        let is_smooth = matches!(model.tangential, None | Some(TangentLaw::Frictionless));
        let is_elastic =
            model.normal != NormalLaw::HertzMindlin && matches!(model.damping, None | Some(DampingLaw::None));
        is_smooth && is_elastic && model.plastic.is_none() && model.pairs.is_empty()
    };
    let scene = &stage.scene;
    let waits = matches!(stage.end, Some(PlannedEnd::KineticEnergy(_))) && scene.integrator.is_explicit();
    let text = "nothing takes energy away, neither `damping` nor friction: the stage will last its `duration`";
    let never = waits && scene.global_damping.is_none() && scene.contact.as_ref().is_some_and(is_lossless);
    never.then(|| note(stage.key_of("end.kinetic-energy"), text.to_owned()))
}
