//! Small piles that stand at enough friction.
use anyhow::{Context as _, Result};
use cd_solve::Options;
use cd_solve::friction::CoulombSolver;
use dem_contact::contact_dynamics::{ContactCoefficients, MoreauJean, RigidMaterials};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Gravity, Integrator, State};
use serde_json::json;

use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::plot::{Axis, Marker, Plot, Series};

/// Residual R₁ of the step.
const TOLERANCE: f64 = 1e-10;
const DT: f64 = 0.01;
/// Acceleration of the top, in g, above which a pile counts as falling.
const FALLS: f64 = 1e-8;

/// A pile with the least friction at which it stands.
struct Pile {
    name: &'static str,
    places: Vec<DVec3>,
    least: f64,
}

fn piles_that_stand() -> [Pile; 2] {
    let across = 3.0_f64.sqrt().recip();
    let up = (2.0_f64 / 3.0).sqrt();
    let third = |k: i32| f64::from(k) * std::f64::consts::TAU / 3.0;
    let below = |k| DVec3::new(across * third(k).cos(), across * third(k).sin(), 0.5);
    [
        Pile {
            name: "one cylinder on two",
            places: vec![
                DVec3::new(-0.5, 0.0, 0.5),
                DVec3::new(0.5, 0.0, 0.5),
                DVec3::new(0.0, 0.0, 0.5 + 0.75_f64.sqrt()),
            ],
            least: 2.0 - 3.0_f64.sqrt(),
        },
        Pile {
            name: "one sphere on three",
            places: vec![below(0), below(1), below(2), DVec3::Z * (0.5 + up)],
            least: 3.0_f64.sqrt() - 2.0_f64.sqrt(),
        },
    ]
}

/// The downward acceleration of the last body in a step from rest, in g.
fn acceleration(pile: &Pile, friction: f64) -> Result<f64> {
    let count = pile.places.len();
    let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5)))?;
    let mut state = State::at_rest(count);
    pile.places.iter().enumerate().for_each(|(i, &place)| state.position_mut().set(i, place));
    let materials = RigidMaterials::uniform(ContactCoefficients::new(friction, 0.0))?;
    let solver = CoulombSolver::new(Options::new(TOLERANCE, 1000));
    let mut dynamics = MoreauJean::new(DT, NeighborList::new(Domain::OPEN, 0.05)?, materials, solver)?
        .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])?;
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z };
    dynamics.step(&bodies, &mut gravity, &mut state).with_context(|| format!("{}, μ = {friction}", pile.name))?;
    Ok(-state.velocity().get(count - 1).z / DT)
}

/// The friction at which a pile begins to stand, by bisection.
fn least(pile: &Pile) -> Result<f64> {
    let [mut falls, mut stands] = [0.2, 0.4];
    for _ in 0..32 {
        let middle = 0.5 * (falls + stands);
        if acceleration(pile, middle)? > FALLS { falls = middle } else { stands = middle }
    }
    Ok(stands)
}

/// The figure of piles of three cylinders and of four spheres.
pub(super) fn piles(_: &Context) -> Result<Artifact> {
    let mut plot = Plot::new(
        "fall",
        "The uppermost body of a pile on a floor",
        Axis::linear("μ", ""),
        Axis::linear("acceleration downwards", "g"),
    );
    let mut artifact = Artifact::new(
        "Two cylinders, or three spheres, carry one more. Contacts of the upper one push the lower ones apart; friction \
         has to hold them there and at the floor. The force across over the force along a contact is 2 − √3 = 0.26795 of \
         cylinders and √3 − √2 = 0.31784 of spheres. With less friction the pile falls from its first step on.",
    );
    for (colour, pile) in piles_that_stand().into_iter().enumerate() {
        let mut found = Vec::new();
        for k in 0..=40 {
            let friction = 0.01 * f64::from(k);
            found.push((friction, acceleration(&pile, friction)?));
        }
        plot = plot.series(Series::line(pile.name, found).marker(Marker::Circle).colour(colour));
        artifact = artifact.claim(Claim::ours(
            format!("least friction at which {} stands, less that of the closed form", pile.name),
            least(&pile)? - pile.least,
            -1e-7..=1e-7,
        ));
    }
    Ok(artifact.plot(plot).parameters(json!({ "dt_√(d/g)": DT, "R1": TOLERANCE, "taken for falling_g": FALLS })))
}
