//! `[DK21]` Fig. 4: the potential energy of a contact over the overlap.
use anyhow::Result;
use dem_contact::law::{ContactLaw, Damping, Hertz, Hooke};
use grains_pages::number::larger;
use grains_pages::plot::{Plot, Series};

use super::scene::{STIFFNESS, Scene};
use crate::model::{Artifact, Claim, Context};

/// Largest plotted overlap in d, which two spheres reach in an impact at the speed 3 √(g d).
const DEEPEST: f64 = 0.01;

/// Returns the largest difference |dV/dδ − F|/(k d) between the contact force F of a law and the derivative of its
/// potential V by the overlap δ, taken by central differences.
fn mismatch(law: &impl ContactLaw, radius: f64) -> f64 {
    let energy = |overlap: f64| if overlap > 0.0 { law.energy(overlap, radius) } else { 0.0 };
    let at = |k: i32| DEEPEST * f64::from(k) / 50.0;
    let difference = |overlap: f64| (energy(overlap + 1e-6) - energy(overlap - 1e-6)) / 2e-6;
    (1..=50).map(|k| (difference(at(k)) - law.force(at(k), radius)).abs() / STIFFNESS).fold(0.0, larger)
}

/// Makes `[DK21]` Fig. 4, with the potentials of Hertz's law and of a bond, which the paper names in its text.
pub(super) fn potential(_: &Context) -> Result<Artifact> {
    let hooke = Hooke::new(STIFFNESS, Damping::NONE)?;
    // The reduced radius of two unit spheres is 1/4, so that F = k δ^(3/2) with this modulus.
    let radius = 0.25_f64;
    let hertz = Hertz::new(STIFFNESS / radius.sqrt(), Damping::NONE)?;
    let overlap = |k: i32| DEEPEST * f64::from(k) / 100.0;
    let curve = |energy: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        (-100..=100).map(|k| (overlap(k), if k > 0 { energy(overlap(k)) } else { 0.0 })).collect()
    };
    let bond = (-100..=100).map(|k| (overlap(k), 0.5 * STIFFNESS * overlap(k).powi(2)));
    let plot = Plot::linear("potential", "Potential of a contact over the overlap", ("overlap δ", "d"), ("V", "m g d"))
        .series(Series::line("bond, k δ²/2 for both signs", bond).colour(5))
        .series(Series::line("Hooke (27)", curve(&|overlap| hooke.energy(overlap, radius))).colour(0))
        .series(Series::line("Hertz, ⅖ k δ^(5/2)", curve(&|overlap| hertz.energy(overlap, radius))).colour(1));
    Ok(Artifact::new(
        "Spheres that do not overlap, δ < 0, do not feel each other: the potential (27) has a continuous force, and a jump \
         in its second derivative at the touch, which is what limits the order of every scheme over a whole impact and \
         what Newton's iteration has to get across. The Hertzian potential named in the text is softer at the touch. The \
         bond of section 3.3 keeps its potential on both sides.",
    )
    .plot(plot)
    .claims([Claim::as_paper(
        "largest |dV/dδ − F|/(k d), Hooke",
        "the force (20) without damping is the derivative of (27)",
        mismatch(&hooke, radius),
        0.0..=1e-8,
    ), Claim::as_paper(
        "largest |dV/dδ − F|/(k d), Hertz",
        "V ∝ ⅖ δ^(5/2)",
        mismatch(&hertz, radius),
        0.0..=1e-8,
    )])
    .parameters(Scene::parameters()))
}
