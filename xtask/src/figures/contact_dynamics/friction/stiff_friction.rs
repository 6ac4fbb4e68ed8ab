//! Figure of a pyramid of stiff elastic spheres with friction, compared with infinitely stiff spheres.
use anyhow::Result;
use cd_solve::friction::FrictionLaw;
use grains_pages::plot::{Marker, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::ramp::{Ramp, settle};
use super::slow_loading::{FrictionPile, KAPPA, apart};
use crate::model::{Artifact, Claim, Context, Measured};

/// Time at full weight after the weight has grown, in √(m/k), in which vibrations die out.
const REST: f64 = 400.0;
/// Time in √(m/k) in which the weight grows, in the series of simulations that vary the stiffness.
const RISE: f64 = 1000.0;
/// Contact stiffness in m g/d, in the series of simulations that vary the time in which the weight grows.
const STIFF: f64 = 1e6;
/// Coefficient of friction at which all contacts stick.
const STICKS: f64 = 1.0;
/// Coefficient of friction at which a third of the contacts slides.
const SLIDES: f64 = 0.2;

/// Makes the figure of the error of elastic spheres over their stiffness, and over the time in which the weight grows.
pub(super) fn stiffness(context: &Context) -> Result<Artifact> {
    let layers = context.pick(4, 3);
    let pile = FrictionPile::new(layers)?;
    let forces = |friction| pile.forces(friction, FrictionLaw::Coulomb).map(|found| pile.world(&found));
    let sticking = forces(STICKS)?;
    let sliding = forces(SLIDES)?;
    let stiffnesses: Vec<f64> = context
        .pick(vec![4.0, 4.5, 5.0, 5.5, 6.0], vec![4.0, 5.0, 6.0])
        .into_iter()
        .map(|power| 10f64.powf(power))
        .collect();
    let stiffer = |&k: &f64| {
        let rest = settle(&pile, k, STICKS, Ramp { rise: RISE, rest: REST })?;
        Ok((k, apart(&rest, &sticking)))
    };
    let by_stiffness = stiffnesses.par_iter().map(stiffer).collect::<Result<Vec<_>>>()?;
    let ramps: Vec<f64> = context.pick(vec![1e3, 4e3, 1.6e4, 6.4e4], vec![1e3, 2e3, 4e3]);
    let slower = |&rise: &f64| {
        let rest = settle(&pile, STIFF, SLIDES, Ramp { rise, rest: REST })?;
        Ok((rise, apart(&rest, &sliding)))
    };
    let by_ramp = ramps.par_iter().map(slower).collect::<Result<Vec<_>>>()?;
    let cut = context.pick(None, Some("three layers of four"));
    let shorter = context.pick(None, Some("three layers of four, ramps of 1000, 2000 and 4000 √(m/k) alone"));
    let error = "‖f − f slow loading‖/‖f slow loading‖";
    let plots = [
        Plot::loglog(
            "stiffness",
            format!("Elastic spheres against slow loading: all contacts stick, {layers} layers"),
            ("κ = k d/(m g)", ""),
            (error, ""),
        )
        .series(Series::line("μ = 1", by_stiffness.clone()).marker(Marker::Circle))
        .slope(-1.0),
        Plot::loglog(
            "ramp",
            format!("Elastic spheres against slow loading: some contacts slide, {layers} layers"),
            ("time in which the weight grows", "√(m/k)"),
            (error, ""),
        )
        .series(Series::line("μ = 0.2, κ = 10⁶", by_ramp.clone()).marker(Marker::Circle))
        .slope(-1.0),
    ];
    let artifact = Artifact::new(
        "Elastic spheres with friction springs tend to the forces of slow loading, which one system of equations gives. \
         Where all contacts stick, the error is that of overlaps, inverse to stiffness. Where contacts slide, friction \
         remembers every vibration, and the error is that of the ramp by which the weight grows.",
    )
    .claims([
        Claim::ours(
            "slope of the error over stiffness, all contacts stick",
            Measured::slope(&by_stiffness)?,
            -1.1..=-0.9,
        )
        .shortened(cut),
        Claim::ours("error at κ = 10⁶, all contacts stick", by_stiffness[by_stiffness.len() - 1].1, 0.0..=1e-6)
            .shortened(cut),
        Claim::ours("slope of the error over the time of the ramp", Measured::slope(&by_ramp)?, -1.2..=-0.8)
            .shortened(shorter),
    ])
    .parameters(json!({
        "layers": layers, "contacts": pile.contacts(), "κ": KAPPA, "rise_√(m/k)": RISE, "rest_√(m/k)": REST,
    }));
    Ok(artifact.plots(plots))
}
