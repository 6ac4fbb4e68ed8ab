//! Figure with drawings of the contact forces after slow loading of the pyramid, for several coefficients of friction.
use anyhow::Result;
use cd_solve::friction::FrictionLaw;
use grains_pages::plot::{Marker, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::super::law::Law;
use super::super::network;
use super::super::pile::{Pile, distance, maximum};
use super::slow_loading::{Forces, FrictionPile, KAPPA};
use crate::model::{Artifact, Claim, Context};

/// Coefficients of friction μ for which the pyramid is drawn, with the ids of the drawings.
const DRAWN: [(f64, &str); 4] = [(0.0, "mu-0"), (0.1, "mu-01"), (0.3, "mu-03"), (0.5, "mu-05")];

/// Largest normal force in m g at μ = 0.3 from an independent program, for pyramids of ten layers and of six.
const LARGEST: [f64; 2] = [1.589_281_409_41, 0.905_971_583_40];

/// Makes the figure of the pyramid's contact forces after slow loading, for coefficients of friction from 0 to 0.5.
pub(super) fn friction(context: &Context) -> Result<Artifact> {
    let layers = context.pick(10, 6);
    let pile = FrictionPile::new(layers)?;
    let frictionless = Pile::new(layers, Law::Hooke)?;
    let solve = |&friction: &f64| Ok((friction, pile.forces(friction, FrictionLaw::Coulomb)?));
    let frictions: Vec<f64> = (0..=10).map(|k| 0.05 * f64::from(k)).collect();
    let found = frictions.par_iter().map(solve).collect::<Result<Vec<(f64, Forces)>>>()?;
    let at = |friction: f64| {
        let near = |one: &&(f64, Forces)| (one.0 - friction).abs() < 1e-9;
        found.iter().find(near).map(|one| one.1.normal()).unwrap_or_default()
    };
    let most = maximum(&at(0.0));
    let mut artifact = Artifact::new(
        "The pyramid under its own weight, with the forces that slow loading leaves. Lines join the centres of spheres that \
         press on each other. Without friction these are the compatible forces of [OK18]. With friction contacts bear a part \
         of the weight along their planes, and normal forces are smaller.",
    );
    for (friction, id) in DRAWN {
        let title = format!("Normal forces of slow loading, μ = {friction}");
        artifact = artifact.drawing(network::drawing(id, &title, &frictionless, &at(friction), most));
    }
    let cut = context.pick(None, Some("six layers of ten"));
    let largest: Vec<(f64, f64)> = found.iter().map(|(mu, force)| (*mu, maximum(&force.normal()))).collect();
    // The point at μ = 0 is left out, since without friction every contact slides.
    let sliding: Vec<(f64, f64)> = found.iter().skip(1).map(|(mu, force)| (*mu, force.sliding(*mu))).collect();
    let slide_least = sliding.last().map_or(f64::NAN, |last| last.1);
    let compatible = frictionless.compatible()?;
    Ok(artifact
        .plot(
            Plot::linear("largest", "Largest normal force", ("μ", ""), ("force", "m g"))
                .series(Series::line(format!("{layers} layers"), largest).marker(Marker::Circle)),
        )
        .plot(
            Plot::linear("sliding", "Closed contacts that slide", ("μ", ""), ("part", ""))
                .series(Series::line(format!("{layers} layers"), sliding).marker(Marker::Circle)),
        )
        .claim(Claim::ours(
            "without friction: ‖f − f compatible‖/‖f‖, compatible forces of [OK18]",
            distance(&at(0.0), &compatible),
            0.0..=1e-9,
        ))
        .claim(
            Claim::ours(
                "largest force at μ = 0.3 less that of an independent program",
                maximum(&at(0.3)) - context.pick(LARGEST[0], LARGEST[1]),
                -1e-9..=1e-9,
            )
            .unit("m g"),
        )
        .claim(Claim::ours("part of the contacts that slide at μ = 0.5", slide_least, 0.0..=0.2))
        .shortened(cut)
        .parameters(json!({ "layers": layers, "contacts": pile.contacts(), "κ": KAPPA })))
}
