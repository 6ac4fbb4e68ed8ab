//! Figure of the forces of elastic spheres in the pyramid, which tend to compatible forces as their stiffness grows.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Marker, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::law::Law;
use super::pile::{Pile, distance};
use super::runs::LAYERS;
use super::stiff::{self, Rest};
use crate::model::{Artifact, Claim, Context, Measured};

/// Returns the values of the dimensionless stiffness κ (see [`Law::stiffness`]) at which one law is simulated, up to
/// the largest at which the error of the forces still exceeds rounding.
fn stiffnesses(law: Law) -> Vec<f64> {
    let decades = if law == Law::Hertz { 9..=20 } else { 6..=13 };
    decades.map(|half| 10f64.powf(0.5 * f64::from(half))).collect()
}

/// Returns the points from which the slope of the error is fitted: the half with the larger stiffness, but at least
/// three.
fn stiffer(points: &[(f64, f64)]) -> &[(f64, f64)] {
    &points[(points.len() / 2).min(points.len().saturating_sub(3))..]
}

/// Makes the figure of the difference between elastic and compatible forces over the stiffness, for all contact laws.
pub(super) fn stiffness(context: &Context) -> Result<Artifact> {
    let layers = context.pick(LAYERS, 10);
    let plot = |id, law, slope, x| {
        let title = format!("Elastic spheres of {law}'s law against compatible forces, {layers} layers");
        Plot::loglog(id, title, (x, ""), ("‖f − f compatible‖/‖f compatible‖", "")).slope(slope)
    };
    let mut hooke = plot("hooke", "Hooke", -1.0, "κ = k d/(m g)");
    let mut hertz = plot("hertz", "Hertz", -2.0 / 3.0, "κ = k d^(3/2)/(m g)");
    let mut artifact = Artifact::new(
        "The forces of elastic spheres tend to the compatible ones as stiffness grows, at the rate at which overlaps vanish: \
         δ/d is of order (f/κ)^(1/(p−1)), and so is what overlaps change of the directions of the contacts. That is the \
         slope −1 for Hooke's law and −2/3 for Hertz's. So soft as κ = 10³, the pyramid of two species and twenty layers \
         leans to one side or to the other: its equilibrium is not unique, and the error lies above the line.",
    )
    .parameters(json!({ "layers": layers, "p": Law::ALL.map(Law::exponent), "to rest by": "a drag on velocities" }));
    let cut = context.pick(None, Some("10 layers of 20, every other stiffness"));
    let every = context.pick(1, 2);
    for law in Law::ALL {
        let pile = Pile::new(layers, law)?;
        let compatible = pile.compatible()?;
        let error = |&k: &f64| {
            let dynamics = stiff::settle(&pile, k, Rest::Drag)?.force;
            let minimum = stiff::minimum(&pile, k)?.force;
            let apart = pile.distance_or_mirrored(&dynamics, &minimum);
            Ok([(k, distance(&dynamics, &compatible)), (k, distance(&minimum, &compatible)), (k, apart)])
        };
        let stiffnesses: Vec<f64> = stiffnesses(law).into_iter().step_by(every).collect();
        let errors = stiffnesses.par_iter().map(error).collect::<Result<Vec<_>>>()?;
        let [points, minima, apart] = [0, 1, 2].map(|k| errors.iter().map(|row| row[k]).collect::<Vec<_>>());
        let expected = -1.0 / (law.exponent() - 1.0);
        artifact = artifact.claim(Claim::as_paper(
            format!("slope over the stiffer half, {}", law.name()),
            "the forces of a penalty-based DEM in the limit of infinitely stiff particles",
            Measured::slope(stiffer(&points))?,
            expected - 0.05..=expected + 0.05,
        ));
        artifact = artifact.claim(Claim::ours(
            format!("slope of the minima of the energy over the stiffer half, {}", law.name()),
            Measured::slope(stiffer(&minima))?,
            expected - 0.05..=expected + 0.05,
        ));
        artifact = artifact.claim(Claim::ours(
            format!(
                "explicit dynamics against the minimum of the energy or its mirror image, the worst of all, {}",
                law.name()
            ),
            apart.iter().map(|point| point.1).fold(0.0, larger),
            0.0..=1e-7,
        ));
        let marker = [Marker::Circle, Marker::Triangle, Marker::Square][law as usize];
        let plot = if law == Law::Hertz { &mut hertz } else { &mut hooke };
        plot.series.push(Series::line(format!("{}, at rest", law.name()), points).marker(marker).colour(law as usize));
        let minima = Series::markers(format!("{}, minimum", law.name()), Marker::Cross, minima);
        plot.series.push(minima.colour(law as usize));
    }
    Ok(artifact.plot(hooke).plot(hertz).shortened(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_that_of_three_points_or_more() {
        let points: Vec<(f64, f64)> = (1..=8).map(|k| (f64::from(k), 1.0)).collect();
        assert_eq!(stiffer(&points).len(), 4);
        assert_eq!(stiffer(&points[..4]).len(), 3);
        assert_eq!(stiffer(&points[..2]).len(), 2);
    }
}
