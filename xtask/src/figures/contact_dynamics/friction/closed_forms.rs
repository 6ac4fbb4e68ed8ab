//! Table of contact dynamics with friction against closed-form solutions: rolling, inclines, impacts and small piles.
//!
//! Tests of `dem-contact` (`contact_dynamics/moreau_jean/tests`) check most of these solutions with other values. Units
//! are the mass m and diameter d of a sphere, and the acceleration of gravity g.
use anyhow::{Context as _, Result};
use cd_solve::Options;
use cd_solve::friction::CoulombSolver;
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use grains_pages::number::short;
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};
use serde_json::json;

use crate::model::{Artifact, Claim, Context, Table};

const RADIUS: f64 = 0.5;
/// Centre of a sphere that touches the floor z = 0 at the origin.
const TOUCHING: DVec3 = DVec3::new(0.0, 0.0, RADIUS);
/// Time step of contact dynamics in √(d/g), with the diameter d of a sphere and the acceleration of gravity g.
const DT: f64 = 0.02;

/// A value computed by contact dynamics, and its exact value from the closed form.
#[derive(Clone, Copy, Debug)]
struct Pair {
    found: f64,
    exact: f64,
}

fn pair(found: f64, exact: f64) -> Pair {
    Pair { found, exact }
}

/// Returns the pair whose computed value differs most from the exact one; a difference of NaN counts as the largest.
fn worst(pairs: &[Pair]) -> Pair {
    let apart = |pair: &Pair| (pair.found - pair.exact).abs();
    let furthest = pairs.iter().max_by(|a, b| apart(a).total_cmp(&apart(b)));
    furthest.copied().unwrap_or(pair(f64::NAN, f64::NAN))
}

/// Row of the table: the claim that the computed value differs from the exact one by at most `within`.
struct Row {
    text: &'static str,
    unit: &'static str,
    pair: Pair,
    within: f64,
}

impl Row {
    fn new(text: &'static str, unit: &'static str, pair: Pair, within: f64) -> Self {
        Self { text, unit, pair, within }
    }

    fn claim(&self) -> Claim {
        let Pair { found, exact } = self.pair;
        let text = format!("{}: {} found, exact {}; difference", self.text, short(found, 8), short(exact, 8));
        Claim::ours(text, found - exact, -self.within..=self.within).unit(self.unit)
    }
}

/// Equal spheres above the floor z = 0, with the integrator of contact dynamics.
struct Scene {
    bodies: Bodies,
    state: State,
    gravity: Gravity,
    dynamics: MoreauJean<CoulombSolver>,
}

impl Scene {
    fn new(body: Body, places: &[DVec3], coefficients: ContactCoefficients, gravity: DVec3) -> Result<Self> {
        let single = places.len() == 1;
        let options = if single { Options::new(1e-13, 100) } else { Options::new(1e-10, 1000) };
        let list = NeighborList::new(Domain::OPEN, 0.05)?;
        let materials = RigidMaterials::uniform(coefficients)?;
        let dynamics = MoreauJean::new(DT, list, materials, CoulombSolver::new(options))?
            .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])?;
        let mut state = State::at_rest(places.len());
        places.iter().enumerate().for_each(|(i, &place)| state.position_mut().set(i, place));
        let bodies = Bodies::new(vec![body; places.len()])?;
        Ok(Self { bodies, state, gravity: Gravity { acceleration: gravity }, dynamics })
    }

    fn moving(mut self, velocity: DVec3, spin: DVec3) -> Self {
        self.state.velocity_mut().set(0, velocity);
        self.state.set_spin(&self.bodies, 0, spin);
        self
    }

    /// Takes `count` time steps and returns the velocity of the last body.
    fn steps(&mut self, count: usize) -> Result<DVec3> {
        for _ in 0..count {
            self.dynamics.step(&self.bodies, &mut self.gravity, &mut self.state)?;
        }
        Ok(self.state.velocity().get(self.bodies.len() - 1))
    }
}

fn sphere() -> Body {
    Body::sphere(1.0, RADIUS)
}

/// Compares spheres pushed along the floor at speed v₀ = 1, with or without backspin: friction reduces the slip
/// velocity at the rate 7/2 μ g until they roll. Positions have an error of first order in the step, since each step
/// moves bodies with the velocity at its end.
fn rolling() -> Result<Vec<Row>> {
    const MU: f64 = 0.3;
    const STEPS: usize = 250;
    let mut speeds = Vec::new();
    let mut places = Vec::new();
    let mut last = Vec::new();
    for backspin in [0.0, 1.5, 3.0] {
        let slip = 1.0 + backspin;
        let scene = Scene::new(sphere(), &[TOUCHING], ContactCoefficients::new(MU, 0.0), DVec3::NEG_Z)?;
        let mut scene = scene.moving(DVec3::X, DVec3::NEG_Y * (backspin / RADIUS));
        for step in 1..=STEPS {
            let time = DT * step as f64;
            let sliding = time.min(slip / (3.5 * MU));
            let speed = 1.0 - MU * sliding;
            let place = sliding - 0.5 * MU * sliding * sliding + speed * (time - sliding);
            speeds.push(pair(scene.steps(1)?.x, speed));
            places.push(pair((scene.state.position().get(0).x - place) / (DT * slip), 0.0));
        }
        last.push(pair(scene.steps(0)?.x, 1.0 - 2.0 / 7.0 * slip));
    }
    Ok(vec![
        Row::new("speed of a sphere that slides and then rolls, the worst of all steps", "v₀", worst(&speeds), 1e-12),
        Row::new("last speed of the sphere that began without spin, 5/7", "v₀", last[0], 1e-12),
        Row::new("last speed of the sphere that began with a backspin of 3 v₀, −1/7", "v₀", last[2], 1e-12),
        Row::new("error of the place of the sphere over the step times the first slip", "", worst(&places), 0.75),
    ])
}

/// Computes the acceleration in g of a body from rest down an incline with the tangent `tan` of its angle.
fn acceleration(body: Body, friction: f64, tan: f64) -> Result<f64> {
    const STEPS: usize = 10;
    let gravity = DMat3::from_rotation_y(-tan.atan()) * DVec3::NEG_Z;
    let mut scene = Scene::new(body, &[TOUCHING], ContactCoefficients::new(friction, 0.0), gravity)?;
    Ok(scene.steps(STEPS)?.x.abs() / (DT * STEPS as f64))
}

/// Compares accelerations on an incline of angle θ. A sphere rolls at 5/7 g sin θ for tan θ up to 7/2 μ and slides
/// beyond. A body that cannot roll rests for tan θ up to μ.
fn incline() -> Result<Vec<Row>> {
    const MU: f64 = 0.2;
    let block = Body { inertia: DVec3::splat(1e30), ..sphere() };
    let mut rolls = Vec::new();
    let mut slides = Vec::new();
    for k in 1..=24 {
        let tan = 0.05 * f64::from(k);
        let (sin, cos) = tan.atan().sin_cos();
        let sliding = sin - MU * cos;
        rolls.push(pair(acceleration(sphere(), MU, tan)?, sliding.max(5.0 / 7.0 * sin)));
        slides.push(pair(acceleration(block, MU, tan)?, sliding.max(0.0)));
    }
    let rests = acceleration(block, MU, MU * (1.0 - 1e-9))?;
    let creeps = acceleration(block, MU, MU * (1.0 + 1e-9))? / (1e-9 * MU * MU.atan().cos());
    Ok(vec![
        Row::new("acceleration of a sphere down an incline, the worst of 24 angles", "g", worst(&rolls), 1e-12),
        Row::new(
            "acceleration of a body that cannot roll down an incline, the worst of 24 angles",
            "g",
            worst(&slides),
            1e-12,
        ),
        Row::new("acceleration of a body that cannot roll at tan θ = μ (1 − 10⁻⁹)", "g", pair(rests, 0.0), 1e-14),
        Row::new(
            "acceleration of a body that cannot roll at tan θ = μ (1 + 10⁻⁹), over 10⁻⁹ μ g cos θ",
            "",
            pair(creeps, 1.0),
            1e-3,
        ),
    ])
}

/// Compares velocities after a sphere without spin has hit the floor at the normal speed vₙ = 1. Friction reduces the
/// tangential velocity by 2/7 of its value, or by μ times the normal impulse per mass if this is less.
fn impact() -> Result<Vec<Row>> {
    const RESTITUTION: f64 = 0.5;
    let mut along = Vec::new();
    let mut normal = Vec::new();
    for friction in [0.1, 0.3, 0.6] {
        for slip in (0..=16).map(|k| 0.25 * f64::from(k)) {
            let coefficients = ContactCoefficients::new(friction, RESTITUTION);
            let scene = Scene::new(sphere(), &[TOUCHING], coefficients, DVec3::ZERO)?;
            let after = scene.moving(DVec3::new(slip, 0.0, -1.0), DVec3::ZERO).steps(1)?;
            let most = friction * (1.0 + RESTITUTION);
            along.push(pair(slip - after.x, most.min(2.0 / 7.0 * slip)));
            normal.push(pair(after.z, RESTITUTION));
        }
    }
    Ok(vec![
        Row::new("slip that an impact takes, the worst of all", "vₙ", worst(&along), 1e-12),
        Row::new("speed after an impact, the worst of all", "vₙ", worst(&normal), 1e-12),
    ])
}

/// Finds by bisection the least coefficient of friction at which a pile of spheres with these centres stands, that is,
/// at which its last sphere does not fall in one step.
fn least_friction(pile: &[DVec3]) -> Result<f64> {
    const FALLS: f64 = 1e-8;
    let [mut falls, mut stands] = [0.2, 0.4];
    for _ in 0..32 {
        let middle = 0.5 * (falls + stands);
        let mut scene = Scene::new(sphere(), pile, ContactCoefficients::new(middle, 0.0), DVec3::NEG_Z)?;
        let speed = scene.steps(1).with_context(|| format!("{} bodies, μ = {middle}", pile.len()))?.z;
        *if -speed / DT > FALLS { &mut falls } else { &mut stands } = middle;
    }
    Ok(stands)
}

/// Compares the least friction at which one cylinder stands on two, and one sphere on three. Its exact value is the
/// ratio of tangential to normal force at a contact of the upper body.
fn piles() -> Result<Vec<Row>> {
    let across = DVec3::X * 3.0_f64.sqrt().recip();
    let third = |k: i32| TOUCHING + DMat3::from_rotation_z(f64::from(k) * std::f64::consts::TAU / 3.0) * across;
    let upper = |height: f64| TOUCHING + DVec3::Z * height;
    let cylinders = [TOUCHING - DVec3::X * 0.5, TOUCHING + DVec3::X * 0.5, upper(0.75_f64.sqrt())];
    let spheres = [third(0), third(1), third(2), upper((2.0_f64 / 3.0).sqrt())];
    let of_cylinders = pair(least_friction(&cylinders)?, 2.0 - 3.0_f64.sqrt());
    let of_spheres = pair(least_friction(&spheres)?, 3.0_f64.sqrt() - 2.0_f64.sqrt());
    Ok(vec![
        Row::new("least friction at which one cylinder stands on two, 2 − √3", "", of_cylinders, 1e-7),
        Row::new("least friction at which one sphere stands on three, √3 − √2", "", of_spheres, 1e-7),
    ])
}

/// Makes the figure: a table that compares contact dynamics with all closed-form solutions.
pub(super) fn table(_: &Context) -> Result<Artifact> {
    let rows: Vec<Row> = [rolling()?, incline()?, impact()?, piles()?].into_iter().flatten().collect();
    let table = Table::new()
        .text("claim", rows.iter().map(|row| row.text))
        .number("found", "", rows.iter().map(|row| row.pair.found))
        .number("closed form", "", rows.iter().map(|row| row.pair.exact))
        .text("unit", rows.iter().map(|row| row.unit))
        .number("accepted difference", "", rows.iter().map(|row| row.within));
    let artifact = Artifact::new(
        "Numbers of contact dynamics with friction beside their closed forms. A sphere that is pushed along a floor slides \
         and then rolls at v₀ − 2/7 of its first slip, backwards if R ω₀ is above 5/2 v₀. On an incline it rolls while \
         tan θ is at most 7/2 μ; a body that cannot roll rests while tan θ is at most μ. An impact takes 2/7 of the slip \
         if that is within μ times the normal impulse. Two cylinders, or three spheres, carry one more if friction holds \
         them. Velocities have no error of the step; places have one of first order.",
    )
    .table(table)
    .parameters(json!({
        "dt_√(d/g)": DT, "R1": { "one body": 1e-13, "piles": 1e-10 },
        "sliding": { "μ": 0.3, "backspin_v₀": [0.0, 1.5, 3.0], "steps": 250 },
        "incline": { "μ": 0.2, "tan θ": "0.05 to 1.2", "steps": 10, "inertia of a body that cannot roll": 1e30 },
        "impact": { "e": 0.5, "μ": [0.1, 0.3, 0.6], "slip_vₙ": "0 to 4" },
        "piles": { "acceleration that counts as a fall_g": 1e-8 },
    }));
    Ok(rows.iter().fold(artifact, |artifact, row| artifact.claim(row.claim())))
}
