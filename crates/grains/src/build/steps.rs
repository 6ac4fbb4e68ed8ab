//! The time step and the number of steps.

use std::f64::consts::TAU;

use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use super::adhesion::speed_of_sticking;
use super::bodies::smallest_radius;
use super::bonds;
use super::parts::{MaterialNumbers, Situation};
use crate::error::{GrainsError, Location, Note};
use crate::laws::normal_laws;
use crate::scene::Scene;
use crate::scene::bodies::BodyMotion;
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::scene::integrator::Method;
use crate::scene::resistance::LargestResistance;
use crate::scene::space::{BoxMotion, SimulationBox, Units};
use crate::scene::tangential::TangentLaw;
use crate::scene::time::TimeStep;
use crate::scene::walls::WallGroup;
use crate::scene::walls::motion::{MotionRows, WallDrive};
use crate::value::{not_negative, positive, rounded, vector};

/// Longest explicit step, as a share of the shortest contact.
const LONGEST: f64 = 0.5;
/// Recommended steps in half a period of the stiffest tangential spring.
const STEPS_PER_SLIP: f64 = 8.0;
/// Radius in m of grains that are rarely meant to be as large.
const LARGE: f64 = 0.1;
/// Most steps of a run.
const MOST: f64 = 1e13;

/// The steps of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Steps {
    /// Time step in s.
    pub(crate) dt: f64,
    pub(crate) count: u64,
    /// What may be wrong with the step.
    pub(crate) note: Option<Note>,
}

/// Time scales of a scene in s; infinite where nothing sets them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TimeScales {
    /// Duration of the shortest contact, or half the shortest period of a tangential spring.
    contact: f64,
    /// The recommended step.
    recommended: f64,
}

/// The steps of `scene`.
///
/// # Errors
/// For times without meaning, steps that are too long, and too many steps.
pub(crate) fn steps(scene: &Scene, situation: &Situation<'_>, quick: bool) -> Result<Steps, GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok(Steps { dt: 1.0, count: 1, note: None });
    }
    let Some(whole) = scene.time.duration else {
        return Err(GrainsError::MissingKey { at: Location::of("time"), missing: "duration".into() });
    };
    not_negative("time.duration", whole)?;
    let at = if quick && scene.time.quick.is_some() { "time.quick" } else { "time.duration" };
    let duration = not_negative(at, scene.duration(quick))?;
    let TimeScales { contact, recommended } = time_scales(scene, situation)?;
    let dt = match scene.time.dt {
        TimeStep::Fixed(dt) => positive("time.dt", dt)?,
        TimeStep::Auto if recommended.is_finite() => recommended,
        TimeStep::Auto => {
            let problem = "nothing sets a time scale: no contact, no motion".to_owned();
            return Err(GrainsError::NoAutomaticStep { at: Location::of("time.dt"), problem });
        }
    };
    let limit = LONGEST * contact;
    if scene.integrator.is_explicit() && dt > limit {
        return Err(GrainsError::StepTooLong { at: Location::of("time.dt"), dt, contact, limit, advice: recommended });
    }
    if dt > whole.max(duration) && duration > 0.0 {
        let at = Location::of("time.dt");
        return Err(match scene.time.dt {
            TimeStep::Fixed(_) => GrainsError::OutOfRange { at, range: "at most the duration", value: dt },
            TimeStep::Auto => GrainsError::NoAutomaticStep { at, problem: longer_than_duration(scene, situation, dt) },
        });
    }
    // Rounding must not add a step to a duration that is a whole number of steps.
    let count = (duration / dt * (1.0 - 1e-12)).ceil();
    if count > MOST {
        return Err(GrainsError::TooManySteps { at: Location::of("time.dt"), steps: count, limit: MOST });
    }
    let is_implicit = matches!(scene.integrator, Method::Implicit(_) | Method::ExactEnergy);
    let note = (is_implicit && dt > contact).then(|| Note {
        at: Location::of("time.dt"),
        text: format!(
            "is {dt}, longer than the shortest contact, {contact:.3e} s: impacts are not resolved, and energy may grow"
        ),
    });
    Ok(Steps { dt, count: count as u64, note })
}

/// Says that a step that nobody wrote is longer than the run, and what numbers may be wrong.
fn longer_than_duration(scene: &Scene, situation: &Situation<'_>, dt: f64) -> String {
    let Units { length, time, .. } = &scene.units;
    let (step, whole) = (rounded(dt), scene.time.duration.unwrap_or(0.0));
    let radius = smallest_radius(situation.bodies);
    let doubt = if scene.units == Units::default() && radius > LARGE {
        "lengths are in m, so that 5 mm are 0.005"
    } else {
        "make the duration longer, or write a number"
    };
    format!(
        "it would be {step} {time}, longer than the duration of {whole} {time}. The smallest radius is {radius} {length}: \
         {doubt}"
    )
}

fn time_scales(scene: &Scene, situation: &Situation<'_>) -> Result<TimeScales, GrainsError> {
    if matches!(scene.integrator, Method::ContactDynamics(_)) {
        return Ok(TimeScales { contact: f64::INFINITY, recommended: contact_dynamics_step(scene, situation)? });
    }
    let Shortest { contact, slipping } = shortest_contact(scene, situation)?;
    let recommended = (contact / dem_contact::force::STEPS_PER_CONTACT).min(slipping / STEPS_PER_SLIP);
    Ok(TimeScales { contact: contact.min(slipping), recommended })
}

/// The recommended step in s, if anything sets one.
///
/// # Errors
/// Those of laws without meaning.
pub(crate) fn recommended_step(scene: &Scene, situation: &Situation<'_>) -> Result<Option<f64>, GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok(None);
    }
    let TimeScales { recommended, .. } = time_scales(scene, situation)?;
    Ok(Some(recommended).filter(|step| step.is_finite()))
}

/// The shortest durations in s.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shortest {
    /// Of impacts of contacts, ties, bonds and elastic walls.
    contact: f64,
    /// Of half a period of tangential springs.
    slipping: f64,
}

fn shortest_contact(scene: &Scene, situation: &Situation<'_>) -> Result<Shortest, GrainsError> {
    let (bodies, materials, model) = (situation.bodies, situation.materials, scene.contact_model()?);
    model.check_materials()?;
    model.check_sticking()?;
    let speed = speed(scene, situation).max(speed_of_sticking(scene, bodies));
    let (laws, MaterialNumbers { bodies: of_body, walls: of_walls }) = (normal_laws(model)?, materials);
    let mut shortest = f64::INFINITY;
    if speed > 0.0 {
        let impact = laws.shortest_contact_time(bodies, (of_body, of_walls), speed);
        shortest = impact.map_err(GrainsError::refused("contact"))?;
    }
    let all = || bodies.mass().iter().zip(bodies.inertia().iter().map(DVec3::min_element));
    let free = || all().enumerate().filter(|(_, (mass, _))| mass.is_finite());
    let (mass, inertia) =
        free().fold((f64::INFINITY, f64::INFINITY), |(mass, inertia), (_, (&m, j))| (mass.min(m), inertia.min(j)));
    let radius = smallest_radius(bodies);
    // The shortest period is that of a body at a wall: a resistance turns its whole inertia, and rolling acts at its
    // radius.
    let of_body = if of_body.is_empty() { vec![0; bodies.len()] } else { of_body.clone() };
    let of_free = free().map(|(body, _)| of_body[body]).collect();
    let LargestResistance { rolling, twisting } = model.largest_resistance(of_free, [&of_body[..], of_walls].concat());
    if rolling.max(twisting) > 0.0 {
        let turning = |body: usize| (rolling * bodies.radius()[body].powi(2)).max(twisting);
        let times = free().map(|(body, (_, inertia))| half_period(inertia, 0.5 * turning(body)));
        shortest = times.fold(shortest, f64::min);
    }
    let slipping = half_period_of_slip(model, mass, shortest);
    let elastic = scene.walls.iter().filter_map(|wall| wall.shape.elastic_stiffness()).fold(0.0, f64::max);
    if elastic > 0.0 && speed > 0.0 {
        // F = K/r (δ/r)^{3/2} is Hertz' law, whose impact takes 2.94 δ/v.
        let deepest = |mass: f64, radius: f64| (1.25 * mass * speed.powi(2) * radius.powf(2.5) / elastic).powf(0.4);
        let times = free().map(|(body, (&mass, _))| 2.94 * deepest(mass, bodies.radius()[body]) / speed);
        shortest = times.filter(|&time| time > 0.0).fold(shortest, f64::min);
    }
    if let Some(ties) = &scene.ties {
        shortest = shortest.min(half_period(mass, ties.stiffness));
    }
    if let Some(bonds) = &scene.bonds {
        let [stretching, turning] = bonds::stiffest(bonds, radius)?;
        shortest = shortest.min(half_period(mass, stretching)).min(half_period(inertia, turning));
    }
    Ok(Shortest { contact: shortest, slipping })
}

/// Half the period in s of two bodies of this mass on a spring between them.
fn half_period(mass: f64, stiffness: f64) -> f64 {
    std::f64::consts::PI * (0.5 * mass / stiffness).sqrt()
}

/// Half the period in s of the stiffest tangential spring. Solid spheres turn, so that the spring acts on 2/7 of their
/// mass. `mass` is that of the lightest body, `contact` the duration of the shortest impact.
fn half_period_of_slip(model: &ContactModel, mass: f64, contact: f64) -> f64 {
    // Of the two modes of slip and of rolling on a spring k R² the faster one has the stiffness (3 + √6.5) k.
    let share = if model.key_of_tangential_resistance().is_some() { 3.0 + 6.5_f64.sqrt() } else { 3.5 };
    let laws = std::iter::once(model.clone()).chain(model.pairs.iter().map(|pair| model.with(pair)));
    let half = laws.map(|law| match (law.normal, law.tangential.unwrap_or_default()) {
        (_, TangentLaw::FrictionSpring { stiffness, .. }) => half_period(mass, share * stiffness),
        // Both stiffnesses grow with the radius of the contact: 3/2 k_n a and k_t a.
        (
            NormalLaw::Hertz { modulus: normal },
            TangentLaw::MindlinSpring { modulus: Some(modulus), .. }
            | TangentLaw::MindlinDeresiewicz { modulus: Some(modulus), .. },
        ) => contact * (1.5 * normal / (share * modulus)).sqrt(),
        // These set no time. Without a spring there is no period. Beside Hooke's law the stiffness of `mindlin-spring`
        // depends on an overlap that is not known here. By moduli both go together. There is no arm for the rest, so
        // that a new law does not compile before it is named here.
        (_, TangentLaw::Frictionless | TangentLaw::Viscous { .. } | TangentLaw::CoulombViscous { .. })
        | (
            NormalLaw::Hooke { .. } | NormalLaw::Hertz { .. } | NormalLaw::HertzMindlin,
            TangentLaw::MindlinSpring { .. } | TangentLaw::MindlinDeresiewicz { .. },
        ) => f64::INFINITY,
    });
    half.fold(f64::INFINITY, f64::min)
}

/// The speed in m/s of the fastest impact to expect: of the fastest body, driven group or wall, and of a fall through
/// the scene.
fn speed(scene: &Scene, situation: &Situation<'_>) -> f64 {
    let &Situation { bodies, state, driven, .. } = situation;
    let fastest = state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let gravity = DVec3::from_array(scene.gravity);
    let heights = || state.position().iter().map(|position| position.dot(gravity));
    let fall = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    let small = gravity.length() * smallest_radius(bodies);
    // A wall that turns meets bodies no farther from its point than they are now.
    let of_wall = |wall: &WallGroup| {
        let motion = wall.motion();
        let [velocity, spin] = [motion.velocity, motion.spin].map(|motion| DVec3::from_array(motion).length());
        let point = DVec3::from_array(wall.shape.pivot());
        let distances =
            state.position().iter().zip(bodies.radius().iter()).map(|(at, radius)| (at - point).length() + radius);
        velocity + driven_speed(&motion.drive()) + if spin > 0.0 { spin * distances.fold(0.0, f64::max) } else { 0.0 }
    };
    let walls = scene.walls.iter().map(of_wall).fold(0.0, f64::max);
    let images = scene.simulation_box.map_or(0.0, |space| image_speed(&space));
    (2.0 * fastest.max(driven).max(walls)).max((2.0 * (fall + small)).sqrt()).max(images)
}

/// A bound on the speed in m/s of groups of fixed bodies that move like these. Who is in a group is not known here: one
/// that turns as a whole has no body farther from its pivot than any body is now, free ones included. A speed that is
/// too large only asks for shorter steps.
pub(crate) fn speed_of_driven(motions: &[BodyMotion], state: &State) -> f64 {
    let speed = |motion: &BodyMotion| {
        let drive = WallDrive { oscillation: motion.oscillation, table: motion.table.clone(), ..WallDrive::default() };
        let turning = motion.pivot.map_or(0.0, |pivot| {
            let distances = state.position().iter().map(|at| (at - DVec3::from_array(pivot)).length());
            DVec3::from_array(motion.spin).length() * distances.fold(0.0, f64::max)
        });
        DVec3::from_array(motion.velocity).length() + turning + driven_speed(&drive)
    };
    motions.iter().map(speed).fold(0.0, f64::max)
}

/// The speed in m/s at which images of bodies in a box that deforms move at most at first.
fn image_speed(space: &SimulationBox) -> f64 {
    let edges = DVec3::from_array(space.high) - DVec3::from_array(space.low);
    let BoxMotion { strain_rate, shear, servo } = space.motion();
    let strained = strain_rate.map_or(DVec3::ZERO, |rate| DVec3::from_array(rate) * edges);
    let sheared = shear.map_or(0.0, |shear| (shear.rate * edges[shear.across as usize]).abs());
    let pressed = servo.map_or(0.0, |servo| servo.rate * edges.max_element());
    strained.length() + sheared + pressed
}

/// The speed in m/s that an oscillation, a table, a surface that runs or a servo adds at most. That of a spline is
/// taken as half as much again as the mean speed between two rows, its largest speed from rest to rest.
fn driven_speed(drive: &WallDrive) -> f64 {
    let oscillating = drive
        .oscillation
        .map_or(0.0, |oscillation| TAU * oscillation.frequency * DVec3::from_array(oscillation.amplitude).length());
    let length = |[_, x, y, z]: [f64; 4]| DVec3::new(x, y, z).length();
    let tabulated = match &drive.table {
        None => 0.0,
        Some(MotionRows::Velocities(rows)) => rows.iter().map(|&row| length(row)).fold(0.0, f64::max),
        Some(MotionRows::Positions(rows)) => {
            let way = |pair: &[[f64; 4]]| {
                let [_, x, y, z] = pair[1];
                let [before, u, v, w] = pair[0];
                1.5 * length([0.0, x - u, y - v, z - w]) / (pair[1][0] - before)
            };
            rows.windows(2).map(way).fold(0.0, f64::max)
        }
    };
    let running = drive.surface_velocity.map_or(0.0, |velocity| DVec3::from_array(velocity).length());
    oscillating + tabulated + running + drive.servo.and_then(|servo| servo.speed).unwrap_or(0.0)
}

/// A step of contact dynamics in s in which no body moves by more than a tenth of the smallest radius.
fn contact_dynamics_step(scene: &Scene, situation: &Situation<'_>) -> Result<f64, GrainsError> {
    let way = 0.1 * smallest_radius(situation.bodies);
    let gravity = vector("gravity", scene.gravity)?.length();
    let fastest = situation.state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let (falling, flying) = ((2.0 * way / gravity).sqrt(), way / fastest);
    Ok(falling.min(flying))
}
