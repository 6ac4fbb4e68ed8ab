//! Time scales of a scene that are known before a run, and the longest time steps that resolve them.

use dem_contact::force::{ContactMotion, ContactRate, STEPS_PER_CONTACT, STEPS_PER_HALF_PERIOD};
use rrp_geom::glam::DVec3;

use super::adhesion::speed_of_sticking;
use super::bodies::smallest_radius;
use super::bonds::shortest_half_period;
use super::half_period::half_period;
use super::situation::{MaterialNumbers, Situation};
use super::speeds::{half_period_of_walls, speed};
use crate::error::GrainsError;
use crate::laws::elastic_laws;
use crate::scene::Scene;
use crate::scene::contact::{ContactModel, NormalLaw};
use crate::scene::integrator::Method;
use crate::scene::resistance::{Resistance, Stiffness};
use crate::scene::tangential::TangentLaw;
use crate::value::vector;

/// Longest explicit step, relative to the duration of the shortest contact, and to the time between turning points of a
/// driven motion.
const LONGEST: f64 = 0.5;
/// Number of recommended steps in half a period of the stiffest tangential spring.
const STEPS_PER_SLIP: f64 = STEPS_PER_HALF_PERIOD;
/// Largest stable product of an explicit step and the rate of a contact; see [`dem_contact::force::damped_rate`].
const STABLE: f64 = 2.0;
/// Relative excess of the rate of springs and dampers over the same rate from another formula, below which rounding
/// could decide which formula gives the step.
const ROUNDING: f64 = 1e-9;

/// A bound on a time step, and the name of the contact or motion that sets it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub(super) time: f64,
    pub(super) by: String,
}

impl Bound {
    fn none() -> Self {
        Self { time: f64::INFINITY, by: "nothing".to_owned() }
    }

    /// Replaces the bound by `time` (s) if that is shorter; `by` names its cause.
    fn shorten(&mut self, time: f64, by: impl FnOnce() -> String) {
        if time < self.time {
            *self = Self { time, by: by() };
        }
    }

    fn times(&self, share: f64) -> Self {
        Self { time: share * self.time, by: self.by.clone() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeScales {
    /// Duration in s of the shortest contact, or half the shortest period of a tangential spring if that is shorter.
    pub(super) contact: f64,
    /// Longest step that an explicit integrator may take, with the contact or motion that sets it.
    pub(super) longest: Bound,
    /// The recommended step: the shortest of all time scales, each with a margin.
    pub(super) recommended: Bound,
    /// Recommended step by driven motions alone, for integrators whose steps need not resolve contacts.
    pub(super) driven: Bound,
}

/// Returns the time scales of `scene`: of impacts, springs and dampers of contacts, of ties, bonds and elastic walls,
/// and of driven motions. Rigid contacts have no time scale.
///
/// # Errors
/// For invalid laws.
pub(super) fn time_scales(scene: &Scene, situation: &Situation<'_>) -> Result<TimeScales, GrainsError> {
    let turning = half_period_of_walls(scene).min(situation.driven.half_period);
    let driven = Bound { time: turning, by: "half the shortest period of a driven wall or group".to_owned() };
    let of_drive = driven.times(1.0 / STEPS_PER_HALF_PERIOD);
    if matches!(scene.integrator, Method::ContactDynamics(_)) {
        let time = contact_dynamics_step(scene, situation)?;
        let mut recommended =
            Bound { time, by: "the motion of the fastest body by a tenth of the smallest radius".to_owned() };
        recommended.shorten(of_drive.time, || of_drive.by.clone());
        let contact = f64::INFINITY;
        return Ok(TimeScales { contact, longest: Bound::none(), recommended, driven: of_drive });
    }
    let Shortest { contact, slipping, fastest } = shortest_contact(scene, situation)?;
    let mut recommended = contact.times(1.0 / STEPS_PER_CONTACT);
    let mut longest = contact.times(LONGEST);
    let of_spring = || "tangential springs of contacts".to_owned();
    recommended.shorten(slipping / STEPS_PER_SLIP, of_spring);
    longest.shorten(LONGEST * slipping, of_spring);
    // Implicit steps are stable for any damper.
    if let Some(fastest) = fastest.filter(|_| scene.integrator.is_explicit()) {
        let by = || in_words(&fastest, scene);
        if fastest.step() < (1.0 - ROUNDING) * recommended.time {
            recommended.shorten(fastest.step(), by);
        }
        longest.shorten(STABLE / fastest.rate, by);
    }
    recommended.shorten(of_drive.time, || of_drive.by.clone());
    longest.shorten(LONGEST * turning, || driven.by.clone());
    Ok(TimeScales { contact: contact.time.min(slipping), longest, recommended, driven: of_drive })
}

fn in_words(fastest: &ContactRate, scene: &Scene) -> String {
    let &ContactRate { motion, is_of_damper, inertia, materials, .. } = fastest;
    let part = if is_of_damper { "damper" } else { "spring" };
    let names = scene.contact.as_ref().map_or_else(Vec::new, ContactModel::names);
    let between = match materials.map(|number| names.get(usize::from(number))) {
        [Some(a), Some(b)] if names.len() > 1 => format!(" between `{a}` and `{b}`"),
        _ => String::new(),
    };
    let turning = match motion {
        ContactMotion::Approach => String::new(),
        ContactMotion::Slip | ContactMotion::Rolling | ContactMotion::Twisting => {
            format!(", on a moment of inertia of {inertia:.3e}")
        }
    };
    format!("the {part} against {motion} of contacts{between}{turning}")
}

/// Shortest durations in s of impacts and springs in a scene, and the fastest rate of a contact.
#[derive(Debug, Clone, PartialEq)]
struct Shortest {
    /// Shortest duration of impacts of contacts, ties, bonds and elastic walls.
    contact: Bound,
    /// Shortest half period in s of tangential springs.
    slipping: f64,
    /// Fastest rate of springs and dampers of contacts; none if nothing touches.
    fastest: Option<ContactRate>,
}

fn shortest_contact(scene: &Scene, situation: &Situation<'_>) -> Result<Shortest, GrainsError> {
    let bodies = situation.bodies;
    let model = scene.contact_model()?;
    let laws = elastic_laws(model)?;
    let speed = speed(scene, situation).max(speed_of_sticking(scene, bodies));
    let MaterialNumbers { bodies: of_body, walls: of_walls } = situation.materials;
    let mut shortest = Bound::none();
    let mut fastest = None;
    if speed > 0.0 {
        let impact = laws.shortest_contact_time(bodies, (of_body, of_walls), speed);
        shortest.shorten(impact.map_err(GrainsError::refused("contact"))?, || "impacts of contacts".to_owned());
        let found = laws.fastest_contact_rate(bodies, (of_body, of_walls), speed);
        fastest = found.map_err(GrainsError::refused("contact"))?;
    }
    let all = || bodies.mass().iter().zip(bodies.inertia().iter().map(DVec3::min_element));
    let free = || all().enumerate().filter(|(_, (mass, _))| mass.is_finite());
    let mass = free().fold(f64::INFINITY, |least, (_, (&mass, _))| least.min(mass));
    // The shortest period is that of a body at a wall: a resistance acts on its whole inertia, and rolling has the
    // body's radius as lever arm.
    let of_body = if of_body.is_empty() { vec![0; bodies.len()] } else { of_body.clone() };
    let of_free = free().map(|(body, _)| of_body[body]).collect();
    let [rolling, twisting] = model.largest_resistances(of_free, [&of_body[..], of_walls].concat());
    if rolling.max(twisting) > 0.0 {
        let turning = |body: usize| (rolling * bodies.radius()[body].powi(2)).max(twisting);
        let times = free().map(|(body, (_, inertia))| half_period(inertia, 0.5 * turning(body)));
        let time = times.fold(f64::INFINITY, f64::min);
        shortest.shorten(time, || "springs against rolling and twisting".to_owned());
    }
    let slipping = half_period_of_slip(model, mass, shortest.time);
    let elastic = scene.walls.iter().filter_map(|wall| wall.shape.elastic_stiffness()).fold(0.0, f64::max);
    if elastic > 0.0 && speed > 0.0 {
        // F = K/r (δ/r)^{3/2} is Hertz' law, whose impact lasts 2.94 δ/v.
        let deepest = |mass: f64, radius: f64| (1.25 * mass * speed.powi(2) * radius.powf(2.5) / elastic).powf(0.4);
        let times = free().map(|(body, (&mass, _))| 2.94 * deepest(mass, bodies.radius()[body]) / speed);
        let time = times.filter(|&time| time > 0.0).fold(f64::INFINITY, f64::min);
        shortest.shorten(time, || "impacts on elastic walls".to_owned());
    }
    if let Some(ties) = &scene.ties {
        shortest.shorten(half_period(mass, ties.stiffness), || "the stiffness of `ties`".to_owned());
    }
    let time = shortest_half_period(&scene.bonds, situation)?;
    shortest.shorten(time, || "the stiffness of `bonds`".to_owned());
    Ok(Shortest { contact: shortest, slipping, fastest })
}

/// Computes half the period in s of the stiffest tangential spring. The spring acts on 2/7 of the mass of a solid
/// sphere, since slip also turns the sphere. `mass` is that of the lightest body, `contact` the duration of the
/// shortest impact.
fn half_period_of_slip(model: &ContactModel, mass: f64, contact: f64) -> f64 {
    // Slip and rolling on a spring k R² are coupled in two modes; the faster one has the stiffness (3 + √6.5) k.
    let is_of_slip = |(_, one): (String, Resistance)| one.stiffness == Some(Stiffness::Tangential);
    let share = if model.resistances().any(is_of_slip) { 3.0 + 6.5_f64.sqrt() } else { 3.5 };
    let laws = std::iter::once(model.clone()).chain(model.pairs.iter().map(|pair| model.with(pair)));
    let half = laws.map(|law| match (law.normal, law.tangential.unwrap_or_default()) {
        (_, TangentLaw::FrictionSpring { stiffness, .. }) => half_period(mass, share * stiffness),
        // Both stiffnesses grow with the contact radius a: 3/2 k_n a and k_t a.
        (
            NormalLaw::Hertz { modulus: normal },
            TangentLaw::MindlinSpring { modulus: Some(modulus), .. }
            | TangentLaw::MindlinDeresiewicz { modulus: Some(modulus), .. },
        ) => contact * (1.5 * normal / (share * modulus)).sqrt(),
        // No time scale: there is no spring, or its stiffness depends on an unknown overlap (`mindlin-spring` beside
        // Hooke's law), or it follows from the normal one. The match has no wildcard, so that a new law must be named.
        (_, TangentLaw::Frictionless | TangentLaw::Viscous { .. } | TangentLaw::CoulombViscous { .. })
        | (
            NormalLaw::Hooke { .. } | NormalLaw::Hertz { .. } | NormalLaw::HertzMindlin,
            TangentLaw::MindlinSpring { .. } | TangentLaw::MindlinDeresiewicz { .. },
        ) => f64::INFINITY,
    });
    half.fold(f64::INFINITY, f64::min)
}

/// Computes a step in s of contact dynamics in which no body moves by more than a tenth of the smallest radius.
fn contact_dynamics_step(scene: &Scene, situation: &Situation<'_>) -> Result<f64, GrainsError> {
    let way = 0.1 * smallest_radius(situation.bodies);
    let gravity = vector("gravity", scene.gravity)?.length();
    let fastest = situation.state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let falling = (2.0 * way / gravity).sqrt();
    let flying = way / fastest;
    Ok(falling.min(flying))
}
