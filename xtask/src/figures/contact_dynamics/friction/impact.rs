//! A sphere that strikes a floor with slip.
use anyhow::Result;
use dem_contact::contact_dynamics::ContactCoefficients;
use rrp_geom::glam::DVec3;
use serde_json::json;

use super::one_sphere::{OneSphere, TOLERANCE};
use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::number::larger;
use crate::plot::{Axis, Marker, Plot, Series};

const RESTITUTION: f64 = 0.5;
const FRICTIONS: [f64; 3] = [0.1, 0.3, 0.6];
const DT: f64 = 0.01;

/// The figure of the slip that friction takes away in an impact.
pub(super) fn impacts(_: &Context) -> Result<Artifact> {
    let mut plot = Plot::new(
        "impact",
        "Impact of a sphere on a floor at unit speed, e = 0.5",
        Axis::linear("slip before", "vₙ"),
        Axis::linear("change of the tangential velocity", "vₙ"),
    );
    let mut tangential = 0.0;
    let mut normal = 0.0;
    for (colour, friction) in FRICTIONS.into_iter().enumerate() {
        // The contact sticks at the end of the impact if the slip is at most 7/2 μ (1 + e) vₙ.
        let closed = |slip: f64| (2.0 / 7.0 * slip).min(friction * (1.0 + RESTITUTION));
        let mut found = Vec::new();
        for k in 0..=16 {
            let slip = 0.25 * f64::from(k);
            let coefficients = ContactCoefficients::new(friction, RESTITUTION);
            let start = DVec3::new(slip, 0.0, -1.0);
            let mut sphere =
                OneSphere::new(OneSphere::sphere(), coefficients, DVec3::ZERO, DT)?.moving(start, DVec3::ZERO);
            sphere.step()?;
            let change = slip - sphere.velocity().x;
            tangential = larger(tangential, (change - closed(slip)).abs());
            normal = larger(normal, (sphere.velocity().z - RESTITUTION).abs());
            found.push((slip, change));
        }
        let line = (0..=160).map(|k| 0.025 * f64::from(k)).map(|slip| (slip, closed(slip)));
        plot = plot
            .series(Series::line(format!("closed form, μ = {friction}"), line).colour(colour))
            .series(Series::markers(format!("μ = {friction}"), Marker::Circle, found).colour(colour));
    }
    Ok(Artifact::new(
        "A sphere strikes a floor with slip. Friction takes 2/7 of the slip if that is within μ times the normal impulse, \
         and then the sphere leaves rolling. Else it takes all that it can.",
    )
    .plot(plot)
    .claim(Claim::ours("change of the tangential velocity against the closed form", tangential, 0.0..=1e-12).unit("vₙ"))
    .claim(Claim::ours("normal velocity after the impact, less e vₙ", normal, 0.0..=1e-12).unit("vₙ"))
    .parameters(json!({ "e": RESTITUTION, "μ": FRICTIONS, "dt_d/vₙ": DT, "R1": TOLERANCE })))
}
