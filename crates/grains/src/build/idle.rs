//! Notes on parts of a scene without effect: sources behind gates, walls that slide along themselves, servos that pull,
//! ends that never come.

use dem_contact::law::Damping;
use dem_contact::source::GateShape;
use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use super::damping::damping;
use super::sources::PlannedSource;
use crate::error::Note;
use crate::plan::ends::PlannedEnd;
use crate::plan::{Plan, PlannedStage};
use crate::scene::Scene;
use crate::scene::bonds::BondGroup;
use crate::scene::contact::{ContactModel, NormalLaw, PairLaw};
use crate::scene::stages::WallChange;
use crate::scene::tangential::TangentLaw;
use crate::scene::units::Units;
use crate::scene::walls::motion::WallMotion;
use crate::scene::walls::{WallGroup, WallShape};
use crate::scene::wanted::Wanted;

/// Returns notes on parts of `scene` that probably have no effect in any stage of a run with these initial bodies.
pub(crate) fn idle(scene: &Scene, bodies: &Bodies, plan: &Plan, sources: &[PlannedSource]) -> Vec<Note> {
    let mut notes = Vec::new();
    notes.extend(sources_behind_gates(scene, sources));
    notes.extend(smooth_and_elastic(scene));
    notes.extend(gravity_in_other_units(scene));
    notes.extend(endless_fall(scene, bodies));
    notes.extend(springs_of_other_laws(scene));
    for given in given_motions(scene, plan) {
        notes.extend(sliding_cylinder(&given));
        notes.extend(pulling_servo(&given));
    }
    notes.extend(plan.stages.iter().filter_map(endless));
    notes
}

/// Returns notes on sources behind a gate that removes each of their grains as soon as it appears.
fn sources_behind_gates(scene: &Scene, sources: &[PlannedSource]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, (source, planned)) in scene.sources.iter().zip(sources).enumerate() {
        for (number, gate) in scene.gates.iter().enumerate().filter(|(_, gate)| gate.remove) {
            let GateShape::Plane { point, normal } = gate.shape else { continue };
            if (planned.grains.region.middle() - point).dot(normal) < 0.0 {
                let source = source.column(index);
                let gate = gate.column(number);
                let text = format!(
                    "the source `{source}` is behind the gate `{gate}`, which removes its grains as soon as they \
                     are inserted: reverse the `normal` of the gate, which points against the flow of the grains"
                );
                notes.push(Note::new(format!("gates[{number}].shape.plane.normal"), text));
            }
        }
    }
    notes
}

/// Returns notes on materials without friction and with full restitution, whose contacts dissipate nothing. Materials
/// with adhesion get no note: their contacts dissipate energy at separation.
fn smooth_and_elastic(scene: &Scene) -> Vec<Note> {
    let is_meant = |model: &&ContactModel| model.normal == NormalLaw::HertzMindlin && model.adhesion.is_none();
    let Some(model) = scene.contact.as_ref().filter(is_meant) else { return Vec::new() };
    let materials = model.materials.iter().enumerate();
    let ideal = materials.filter(|(_, one)| one.friction <= 0.0 && one.restitution >= 1.0 && model.pairs.is_empty());
    let ideal = ideal.map(|(index, one)| {
        let text = format!("`{}` is smooth and rebounds without loss: give it `friction` and `restitution`", one.name);
        Note::new(format!("contact.materials[{index}]"), text)
    });
    ideal.collect()
}

/// Returns a note on a gravity of about 9.8 in a scene whose unit of length is not m.
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
    let text = format!("{gravity} is gravity in m/s²; in {length}/s², by the `units` of this scene, it is {there:.0}");
    is_of_earth.then(|| Note::new("gravity", text))
}

fn endless_fall(scene: &Scene, bodies: &Bodies) -> Option<Note> {
    let gravity = DVec3::from_array(scene.gravity);
    let down = gravity.try_normalize()?;
    let holds = |wall: &WallGroup| match wall.shape {
        WallShape::Plane { normal, .. } => DVec3::from_array(normal).dot(down) < 0.0,
        WallShape::Cylinder { axis, .. } => DVec3::from_array(axis).cross(down).length() > 0.0,
        _ => true,
    };
    let is_held = scene.walls.iter().any(holds)
        || !bodies.fixed().is_empty()
        || scene.gates.iter().any(|gate| gate.remove)
        || !scene.blocked.is_empty();
    let text = "nothing is below the bodies, neither a wall nor fixed bodies: they fall for ever. A floor is \
                `[[walls]]` with `plane = { point = [0, 0, 0], normal = [0, 0, 1] }`";
    (!is_held).then(|| Note::new("gravity", text))
}

/// Returns notes on tangential springs that do not suit the normal law: a constant stiffness beside Hertz' law, or a
/// stiffness that grows with the overlap beside Hooke's law.
fn springs_of_other_laws(scene: &Scene) -> Vec<Note> {
    let Some(model) = &scene.contact else { return Vec::new() };
    let is_own = |pair: &PairLaw| pair.normal.is_some() || pair.tangential.is_some();
    let pairs = model.pairs.iter().enumerate().filter(|(_, pair)| is_own(pair));
    let of_pairs = pairs.map(|(index, pair)| (format!("contact.pairs[{index}]"), model.with(pair)));
    let all = std::iter::once(("contact".to_owned(), model.clone())).chain(of_pairs);
    all.filter_map(|(key, model)| spring_of_other_law(&key, &model)).collect()
}

fn spring_of_other_law(key: &str, model: &ContactModel) -> Option<Note> {
    let text = match (model.normal, model.tangential?) {
        (NormalLaw::Hertz { modulus }, TangentLaw::FrictionSpring { friction, .. }) => format!(
            "its stiffness does not depend on the overlap, as in Hooke's law: with `hertz` use `mindlin-spring = {{ \
             modulus = {:.3e}, friction = {friction} }}`, which is for a Poisson's ratio of 1/3",
            1.2 * modulus
        ),
        (NormalLaw::Hooke { stiffness }, TangentLaw::MindlinSpring { friction: Some(friction), .. }) => format!(
            "its stiffness grows with the overlap, as in Hertz' law: with `hooke` use `friction-spring = {{ \
             stiffness = {:.3e}, friction = {friction} }}`",
            2.0 / 7.0 * stiffness
        ),
        _ => return None,
    };
    Some(Note::new(format!("{key}.tangential"), text))
}

/// A motion that a scene or a stage gives a wall, with its key.
struct GivenMotion<'a> {
    key: String,
    shape: &'a WallShape,
    motion: WallMotion,
}

fn given_motions<'a>(scene: &'a Scene, plan: &'a Plan) -> Vec<GivenMotion<'a>> {
    let walls = scene.walls.iter().enumerate();
    let of_walls = walls.map(|(index, wall)| GivenMotion {
        key: format!("walls[{index}]"),
        shape: &wall.shape,
        motion: wall.motion(),
    });
    let mut given: Vec<GivenMotion<'_>> = of_walls.collect();
    for stage in &plan.stages {
        for (group, change) in &stage.changes {
            let WallChange::Move(motion) = change else { continue };
            let key = format!("{}.move", stage.key_of_wall(*group));
            given.push(GivenMotion { key, shape: &scene.walls[*group].shape, motion: motion.as_ref().clone() });
        }
    }
    given
}

/// Returns a note on a cylinder without ends that moves along its axis, so that the wall only drags the grains.
fn sliding_cylinder(given: &GivenMotion<'_>) -> Option<Note> {
    let WallShape::Cylinder { axis, .. } = given.shape else { return None };
    let [axis, velocity] = [*axis, given.motion.velocity].map(DVec3::from_array);
    let slides = velocity.length() > 0.0 && velocity.cross(axis).length() < 1e-9 * velocity.length() * axis.length();
    let text = "a `cylinder` has no ends: moving along its axis it only drags the grains. For a tube that is \
                lifted use a `revolution` with a profile such as [[0.04, 0.0], [0.04, 0.2]]";
    slides.then(|| Note::new(given.key.clone(), text))
}

fn pulling_servo(given: &GivenMotion<'_>) -> Option<Note> {
    let servo = given.motion.servo.as_ref()?;
    let pulls = |wanted: &Option<Wanted>| wanted.iter().flat_map(Wanted::values).any(|(_, wanted)| wanted < 0.0);
    let text = "a wall that should bear less than nothing goes away from the bodies: compression is positive";
    (pulls(&servo.force) || pulls(&servo.pressure)).then(|| Note::new(format!("{}.servo", given.key), text))
}

fn endless(stage: &PlannedStage) -> Option<Note> {
    let scene = &stage.scene;
    let key = match stage.end {
        Some(PlannedEnd::KineticEnergy(_)) => "end.kinetic-energy",
        Some(PlannedEnd::KineticTranslation(_)) => "end.kinetic-translation",
        _ => return None,
    };
    let waits = scene.integrator.is_explicit();
    let loses = scene.bonds.all().iter().any(breaks) || scene.liquid.is_some() || takes_grains_away(scene);
    let is_damped = !matches!(damping(scene), Ok(None));
    let never = waits && !loses && !is_damped && scene.contact.as_ref().is_some_and(is_lossless);
    let text = "nothing takes energy away, neither `damping` nor friction: the stage will last its `duration`";
    never.then(|| Note::new(stage.key_of(key), text))
}

fn is_lossless(model: &ContactModel) -> bool {
    let is_smooth = matches!(model.tangential, None | Some(TangentLaw::Frictionless));
    let is_elastic = model.normal != NormalLaw::HertzMindlin && model.damping.unwrap_or(Damping::NONE) == Damping::NONE;
    let is_free_to_turn = model.rolling.is_none() && model.twisting.is_none();
    let sticks = model.adhesion.is_some() || model.plastic.is_some();
    is_smooth && is_elastic && is_free_to_turn && !sticks && model.pairs.is_empty()
}

/// Returns whether bonds of this table may break, which dissipates their energy.
fn breaks(bonds: &BondGroup) -> bool {
    let glue_breaks = bonds.parallel.is_some_and(|glue| glue.tensile_strength.or(glue.shear_strength).is_some());
    bonds.break_stretch.is_some() || bonds.break_force.is_some() || glue_breaks
}

fn takes_grains_away(scene: &Scene) -> bool {
    scene.gates.iter().any(|gate| gate.remove)
}
