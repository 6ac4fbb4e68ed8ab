//! A sphere that slides and rolls, on a floor and on an incline.
use anyhow::Result;
use dem_contact::contact_dynamics::ContactCoefficients;
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::Body;
use serde_json::json;

use super::one_sphere::{OneSphere, RADIUS, TOLERANCE};
use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::number::larger;
use crate::plot::{Axis, Marker, Plot, Series};

const FRICTION: f64 = 0.3;
const DT: f64 = 0.02;
const STEPS: usize = 250;
/// Moment of inertia in m d² of the body that cannot roll.
const NO_ROLLING: f64 = 1e30;

/// Steps between two markers.
const MARKED: usize = 10;

/// Backspin R ω₀ over the speed v₀, and the name of the case.
const SPINS: [(f64, &str); 3] = [(0.0, "no spin"), (1.5, "backspin 1.5 v₀"), (3.0, "backspin 3 v₀: it returns")];

/// The figure of a sphere that slides at first and then rolls.
pub(super) fn rolling(_: &Context) -> Result<Artifact> {
    let mut plot = Plot::new(
        "velocity",
        "A sphere pushed along a floor, μ = 0.3",
        Axis::linear("time", "√(d/g)"),
        Axis::linear("velocity of the centre", "v₀"),
    );
    let mut speed_error = 0.0;
    let mut place_error = 0.0;
    let mut ends = Vec::new();
    for (colour, (spin, name)) in SPINS.into_iter().enumerate() {
        let coefficients = ContactCoefficients::new(FRICTION, 0.0);
        let mut sphere = OneSphere::new(OneSphere::sphere(), coefficients, DVec3::NEG_Z, DT)?
            .moving(DVec3::X, DVec3::NEG_Y * (spin / RADIUS));
        // The slip falls at 7/2 μ g.
        let slip = 1.0 + spin;
        let stops = slip / (3.5 * FRICTION);
        let velocity = |time: f64| 1.0 - FRICTION * time.min(stops);
        let place = |time: f64| {
            let sliding = time.min(stops);
            sliding - 0.5 * FRICTION * sliding * sliding + velocity(stops) * (time - sliding)
        };
        let mut marked = vec![(0.0, 1.0)];
        for step in 1..=STEPS {
            sphere.step()?;
            let time = DT * step as f64;
            let found = sphere.velocity().x;
            speed_error = larger(speed_error, (found - velocity(time)).abs());
            place_error = larger(place_error, (sphere.place().x - place(time)).abs() / (DT * slip));
            if step % MARKED == 0 {
                marked.push((time, found));
            }
        }
        ends.push(sphere.velocity().x);
        let closed = (0..=200).map(|k| 0.005 * f64::from(k) * DT * STEPS as f64).map(|time| (time, velocity(time)));
        plot = plot
            .series(Series::line(format!("closed form, {name}"), closed).colour(colour))
            .series(Series::markers(name, Marker::Circle, marked).colour(colour));
    }
    Ok(Artifact::new(
        "A sphere is pushed along a floor, without spin and with backspin. Friction slows the slip at 7/2 μ g, until the \
         sphere rolls at v₀ − 2/7 of its first slip: at 5/7 v₀ without spin, and backwards if R ω₀ is above 5/2 v₀. \
         Velocities of contact dynamics have no error of the step. Places have one of first order, since a step has its \
         last velocity from its start on.",
    )
    .plot(plot)
    .claim(Claim::ours("velocity against the closed form, the worst of all steps", speed_error, 0.0..=1e-12).unit("v₀"))
    .claim(Claim::ours("velocity without spin in the end, less 5/7", ends[0] - 5.0 / 7.0, -1e-12..=1e-12).unit("v₀"))
    .claim(Claim::ours("velocity with backspin of 3 v₀ in the end, plus 1/7", ends[2] + 1.0 / 7.0, -1e-12..=1e-12))
    .claim(Claim::ours("place against the closed form over the step times the first slip", place_error, 0.0..=0.75))
    .parameters(json!({ "μ": FRICTION, "dt_√(d/g)": DT, "steps": STEPS, "R1": TOLERANCE, "v₀_√(g d)": 1.0 })))
}

/// Acceleration down an incline, from rest.
fn acceleration(body: Body, friction: f64, angle: f64) -> Result<f64> {
    const STEPS: usize = 10;
    let gravity = DMat3::from_rotation_y(-angle) * DVec3::NEG_Z;
    let mut sphere = OneSphere::new(body, ContactCoefficients::new(friction, 0.0), gravity, DT)?;
    for _ in 0..STEPS {
        sphere.step()?;
    }
    Ok(sphere.velocity().x.abs() / (DT * STEPS as f64))
}

/// The figure of bodies that roll or slide down an incline.
pub(super) fn incline(_: &Context) -> Result<Artifact> {
    const MU: f64 = 0.2;
    let inertia = DVec3::splat(NO_ROLLING);
    let block = || Body { inertia, ..OneSphere::sphere() };
    let mut plot = Plot::new(
        "acceleration",
        "Acceleration down an incline, μ = 0.2",
        Axis::linear("tan θ", ""),
        Axis::linear("acceleration", "g"),
    );
    let sliding = |angle: f64| angle.sin() - MU * angle.cos();
    let rolls = |angle: f64| if angle.tan() <= 3.5 * MU { 5.0 / 7.0 * angle.sin() } else { sliding(angle) };
    let rests = |angle: f64| if angle.tan() <= MU { 0.0 } else { sliding(angle) };
    type Closed<'a> = &'a dyn Fn(f64) -> f64;
    let bodies: [(&str, Body, Closed<'_>); 2] =
        [("sphere", OneSphere::sphere(), &rolls), ("body that cannot roll", block(), &rests)];
    let mut worst = 0.0;
    for (colour, (name, body, closed)) in bodies.into_iter().enumerate() {
        let mut found = Vec::new();
        for k in 1..=24 {
            let angle = (0.05 * f64::from(k)).atan();
            let value = acceleration(body, MU, angle)?;
            worst = larger(worst, (value - closed(angle)).abs());
            found.push((angle.tan(), value));
        }
        let line = (0..=240).map(|k| 0.005 * f64::from(k)).map(|tan| (tan, closed(tan.atan())));
        plot = plot
            .series(Series::line(format!("closed form, {name}"), line).colour(colour))
            .series(Series::markers(name, Marker::Circle, found).colour(colour));
    }
    let near = |sign: f64| acceleration(block(), MU, (MU * (1.0 + sign * 1e-9)).atan());
    Ok(Artifact::new(
        "A sphere rolls down an incline at 5/7 g sin θ while tan θ is at most 7/2 μ, and slides with spin beyond. A body \
         that cannot roll rests while tan θ is at most μ.",
    )
    .plot(plot)
    .claim(Claim::ours("acceleration against the closed form, the worst of all", worst, 0.0..=1e-12).unit("g"))
    .claim(Claim::ours("acceleration of the other body at tan θ = μ (1 − 10⁻⁹)", near(-1.0)?, 0.0..=1e-14).unit("g"))
    .claim(
        Claim::ours("acceleration of the other body at tan θ = μ (1 + 10⁻⁹), over 10⁻⁹ μ cos θ", {
            near(1.0)? / (1e-9 * MU * MU.atan().cos())
        }, 0.999..=1.001),
    )
    .parameters(json!({ "μ": MU, "dt_√(d/g)": DT, "R1": TOLERANCE, "inertia of the other body_m d²": NO_ROLLING })))
}
