//! What can be wrong with a scene that was built.

use dem_contact::error::ContactError;
use dem_contact::error::ListError;
use std::path::Path;

use dem_contact::error::DemError;
use dem_contact::force::ContactForce;
use dem_contact::law::{Damping, Frictionless, Hooke, LawTable};
use dem_contact::neighbor::NeighborList;
use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use super::bodies::Populace;
use super::parts::{Parts, wall_materials};
use super::{not_negative, positive};
use crate::engine::{Normal, Tangent, WithLaws, with_all_laws};
use crate::scene::{ContactModel, Method, NormalLaw, Scene, TangentLaw, TimeStep, WallGroup};
use crate::{GrainsError, Location};

/// Share of the smaller radius by which two bodies may overlap at the start.
const OVERLAP: f64 = 0.1;
/// Share of a contact time that an explicit step may be.
const LONGEST: f64 = 0.5;
/// Recommended steps in half a period of the stiffest tangential spring.
const STEPS_PER_SLIP: f64 = 8.0;
/// Most steps of a run.
const MOST: f64 = 1e13;

/// Passes a scene whose bodies overlap neither each other nor walls by much.
pub(crate) fn apart(populace: &Populace, parts: &Parts) -> Result<(), GrainsError> {
    let Populace { bodies, state, .. } = populace;
    let hooke = Hooke::new(1.0, Damping::NONE).map_err(GrainsError::refused("contact"))?;
    let list =
        NeighborList::new(*parts.list.domain(), parts.list.skin()).map_err(GrainsError::refused("contact.skin"))?;
    let probe = ContactForce::new(list, hooke, Frictionless).with_walls(parts.walls.iter().cloned());
    let probe = probe.map_err(GrainsError::refused("walls"))?;
    let overlap = |[first, second]: [usize; 2], overlap, radius| {
        let at = Location::of(populace.key(first));
        Err(GrainsError::Overlap { at, first, second, overlap, radius })
    };
    let through = |body: usize, wall, overlap, radius| {
        Err(GrainsError::WallThroughBody { at: Location::of(populace.key(body)), wall, body, overlap, radius })
    };
    let contacts = match probe.contacts(bodies, state) {
        Ok(contacts) => contacts,
        Err(DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap: depth, radius })) => {
            return overlap(bodies, depth, radius);
        }
        Err(DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius })) => {
            return through(body, wall, overlap, radius);
        }
        Err(
            error @ (DemError::List(ListError::OutsideDomain { body, .. })
            | DemError::List(ListError::PositionNotFinite { body, .. })),
        ) => {
            return Err(GrainsError::refused(populace.key(body))(error));
        }
        Err(error) => return Err(GrainsError::refused("box")(error)),
    };
    for contact in contacts {
        let radius = bodies.radius()[contact.a];
        if contact.with_wall {
            if contact.overlap > OVERLAP * radius {
                return through(contact.a, contact.b, contact.overlap, radius);
            }
            continue;
        }
        let radius = radius.min(bodies.radius()[contact.b]);
        if contact.overlap > OVERLAP * radius {
            return overlap([contact.a, contact.b], contact.overlap, radius);
        }
    }
    Ok(())
}

/// The time step in s, and the number of steps.
pub(crate) fn steps(scene: &Scene, populace: &Populace, quick: bool) -> Result<(f64, u64), GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok((1.0, 1));
    }
    not_negative("time.duration", scene.time.duration)?;
    let at = if quick && scene.time.quick.is_some() { "time.quick" } else { "time.duration" };
    let duration = not_negative(at, scene.duration(quick))?;
    let (contact, advice) = scales(scene, populace)?;
    let dt = match scene.time.dt {
        TimeStep::Fixed(dt) => positive("time.dt", dt)?,
        TimeStep::Auto if advice.is_finite() => advice,
        TimeStep::Auto => {
            let problem = "nothing sets a time scale: no contact, no motion";
            return Err(GrainsError::NoAutomaticStep { at: Location::of("time.dt"), problem });
        }
    };
    let limit = LONGEST * contact;
    if scene.integrator.is_explicit() && dt > limit {
        return Err(GrainsError::StepTooLong { at: Location::of("time.dt"), dt, contact, limit, advice });
    }
    if dt > scene.time.duration.max(duration) && duration > 0.0 {
        let (at, range) = (Location::of("time.dt"), "at most the duration");
        return Err(GrainsError::OutOfRange { at, range, value: dt });
    }
    // A duration that is a whole number of steps, up to rounding, takes that number.
    let steps = (duration / dt * (1.0 - 1e-12)).ceil();
    if steps > MOST {
        return Err(GrainsError::TooManySteps { at: Location::of("time.dt"), steps, limit: MOST });
    }
    Ok((dt, steps as u64))
}

/// Duration of the shortest contact and the recommended step in s, infinite where nothing sets them.
fn scales(scene: &Scene, populace: &Populace) -> Result<(f64, f64), GrainsError> {
    if matches!(scene.integrator, Method::ContactDynamics(_)) {
        return Ok((f64::INFINITY, rigid_step(scene, populace)?));
    }
    let (contact, slipping) = shortest_contact(scene, populace)?;
    let advice = (contact / dem_contact::force::STEPS_PER_CONTACT).min(slipping / STEPS_PER_SLIP);
    Ok((contact.min(slipping), advice))
}

/// The recommended step in s, if anything sets one.
pub(crate) fn advice(scene: &Scene, folder: &Path) -> Result<Option<f64>, GrainsError> {
    if matches!(scene.integrator, Method::Static(_)) {
        return Ok(None);
    }
    let (_, advice) = scales(scene, &Populace::new(scene, folder)?)?;
    Ok(Some(advice).filter(|advice| advice.is_finite()))
}

/// Duration of the shortest impact in s, of contacts, ties and bonds, and half the shortest period of tangential springs.
fn shortest_contact(scene: &Scene, populace: &Populace) -> Result<(f64, f64), GrainsError> {
    let (bodies, model) = (&populace.bodies, scene.law()?);
    model.check_materials()?;
    let [of_body, of_walls] = [populace.materials(scene)?, wall_materials(scene)?];
    let speed = speed(scene, populace);
    let work = Shortest { bodies, materials: (&of_body, &of_walls), speed };
    let mut shortest = with_all_laws(model, work)?.map_err(GrainsError::refused("contact"))?;
    let all = || bodies.mass().iter().zip(bodies.inertia().iter().map(DVec3::min_element));
    let free = || all().enumerate().filter(|(_, (mass, _))| mass.is_finite());
    let (mass, inertia) =
        free().fold((f64::INFINITY, f64::INFINITY), |(mass, inertia), (_, (&m, j))| (mass.min(m), inertia.min(j)));
    let radius = smallest_radius(bodies);
    // Against a wall, where a resistance turns the whole inertia of a body, and rolling acts at its radius.
    let of_body = if of_body.is_empty() { vec![0; bodies.len()] } else { of_body };
    let of_free = free().map(|(body, _)| of_body[body]).collect();
    let [rolling, twisting] = model.stiffest(of_free, [&of_body[..], &of_walls].concat());
    if rolling.max(twisting) > 0.0 {
        let turning = |body: usize| (rolling * bodies.radius()[body].powi(2)).max(twisting);
        let times = free().map(|(body, (_, inertia))| half_period(inertia, 0.5 * turning(body)));
        shortest = times.fold(shortest, f64::min);
    }
    let slipping = slipping(model, mass, shortest);
    let elastic = scene.walls.iter().filter_map(WallGroup::elastic_stiffness).fold(0.0, f64::max);
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
        let stiffness = bonds.stretching.max(bonds.shearing) / (2.0 * radius).powi(2);
        shortest = shortest.min(half_period(mass, stiffness)).min(half_period(inertia, bonds.bending + bonds.shearing));
    }
    Ok((shortest, slipping))
}

/// Half the period in s of two bodies of this mass on a spring between them.
fn half_period(mass: f64, stiffness: f64) -> f64 {
    std::f64::consts::PI * (0.5 * mass / stiffness).sqrt()
}

/// Half the period in s of the stiffest tangential spring of solid spheres, which turn and so feel it 7/2 times as stiff;
/// `mass` is that of the lightest body, `contact` the duration of the shortest impact.
fn slipping(model: &ContactModel, mass: f64, contact: f64) -> f64 {
    let laws = std::iter::once(model.clone()).chain(model.pairs.iter().map(|pair| model.with(pair)));
    let half = laws.map(|law| match (law.normal, law.tangential.unwrap_or_default()) {
        (_, TangentLaw::FrictionSpring { stiffness, .. }) => half_period(mass, 3.5 * stiffness),
        // Both grow with the overlap alike, that of the normal force as 3/2 k_n.
        (NormalLaw::Hertz { stiffness: normal }, TangentLaw::MindlinSpring { stiffness, .. }) => {
            contact * (1.5 * normal / (3.5 * stiffness)).sqrt()
        }
        _ => f64::INFINITY,
    });
    half.fold(f64::INFINITY, f64::min)
}

/// The smallest radius of a body that has one, in m; one if there is none.
pub(crate) fn smallest_radius(bodies: &Bodies) -> f64 {
    let radii = bodies.radius().iter().copied().filter(|&radius| radius > 0.0);
    Some(radii.fold(f64::INFINITY, f64::min)).filter(|radius| radius.is_finite()).unwrap_or(1.0)
}

/// The speed of the fastest impact that is to be expected: that of the fastest body or wall, and of a fall through the scene.
fn speed(scene: &Scene, populace: &Populace) -> f64 {
    let Populace { bodies, state, .. } = populace;
    let fastest = state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let gravity = DVec3::from_array(scene.gravity);
    let heights = || state.position().iter().map(|position| position.dot(gravity));
    let fall = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    let small = gravity.length() * smallest_radius(bodies);
    // What a wall meets that turns is no farther from its point than the bodies are.
    let of_wall = |wall: &WallGroup| {
        let [velocity, spin] = wall.motion().map(|motion| DVec3::from_array(motion).length());
        let point = DVec3::from_array(wall.point());
        let reach =
            state.position().iter().zip(bodies.radius().iter()).map(|(at, radius)| (at - point).length() + radius);
        velocity + if spin > 0.0 { spin * reach.fold(0.0, f64::max) } else { 0.0 }
    };
    let walls = scene.walls.iter().map(of_wall).fold(0.0, f64::max);
    (2.0 * fastest).max((2.0 * (fall + small)).sqrt()).max(2.0 * walls)
}

struct Shortest<'a> {
    bodies: &'a Bodies,
    /// Of bodies and of walls.
    materials: (&'a [u16], &'a [u16]),
    speed: f64,
}

impl WithLaws for Shortest<'_> {
    type Output = Result<f64, DemError>;

    fn with<L: Normal, T: Tangent>(self, laws: LawTable<L, T>) -> Self::Output {
        let speed = if self.speed > 0.0 { self.speed } else { return Ok(f64::INFINITY) };
        laws.shortest_contact_time(self.bodies, self.materials, speed)
    }
}

/// A step of contact dynamics in which nothing moves by more than a tenth of the smallest radius.
fn rigid_step(scene: &Scene, populace: &Populace) -> Result<f64, GrainsError> {
    let way = 0.1 * smallest_radius(&populace.bodies);
    let gravity = super::vector("gravity", scene.gravity)?.length();
    let fastest = populace.state.velocity().iter().map(DVec3::length).fold(0.0, f64::max);
    let (falling, flying) = ((2.0 * way / gravity).sqrt(), way / fastest);
    Ok(falling.min(flying))
}
