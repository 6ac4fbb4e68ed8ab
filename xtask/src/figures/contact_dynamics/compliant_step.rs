//! Figure of the compliant step, which finds compatible forces by one minimisation per time step instead of a
//! complementarity problem and a compatibility problem.
use anyhow::{Result, ensure};
use cd_solve::{CompliantStep, CompliantStepInput, CompliantStepProblem, Options};
use grains_pages::plot::{Marker, Plot, Series};
use serde_json::json;

use super::law::Law;
use super::pile::{Pile, distance};
use super::runs::LAYERS;
use crate::model::{Artifact, Claim, Context, Measured};

/// Returns the constant C of the law ‖f − f compatible‖ = C ε ‖f compatible‖, by which the forces f of the compliant
/// step with compliance ε differ from compatible ones; from an independent program, for the pyramid of twenty layers.
fn constant(law: Law) -> f64 {
    match law {
        Law::Hooke => 39.8,
        Law::Multi => 112.0,
        Law::Hertz => 26.5,
    }
}

/// Computes the contact forces in m g of one compliant step of the pyramid from rest, with the compliance `eps`.
fn forces(pile: &Pile, eps: f64) -> Result<Vec<f64>> {
    let mut velocity = pile.load().to_vec();
    // Bodies of unit mass and weight start from rest and fall freely for a unit of time.
    velocity.iter_mut().for_each(|load| *load = -*load);
    let free = velocity.clone();
    let gap = vec![0.0; pile.contacts()];
    let input = CompliantStepInput {
        free_velocity: &free,
        gap_rate: &gap,
        stiffness: pile.stiffness(),
        exponent: pile.law.exponent(),
        compliance: eps,
    };
    let problem = CompliantStepProblem::new(pile.map(), pile.inverse_mass(), input)?;
    let mut force = vec![0.0; pile.contacts()];
    let report = CompliantStep::new(Options::new(1e-13, 500)).solve(&problem, &mut velocity, &mut force)?;
    ensure!(report.residual < 1e-10, "one step with ε = {eps}: {report:?}");
    Ok(force)
}

/// Makes the figure of the difference between the forces of a compliant step and compatible forces over the compliance.
pub(super) fn compliance(_: &Context) -> Result<Artifact> {
    let mut plot = Plot::loglog(
        "compliance",
        "One-step forces against compatible ones",
        ("compliance ε", ""),
        ("‖f − f compatible‖/‖f compatible‖", ""),
    );
    let mut artifact = Artifact::new(
        "The paper announces a method that needs one problem in place of two and lets a compliance go to zero. Here it is: \
         its error is C ε, so any accuracy is at hand down to rounding, and (10 f(ε/10) − f(ε))/9 takes the first order out.",
    )
    .parameters(json!({ "layers": LAYERS }));
    for law in Law::ALL {
        let pile = Pile::new(LAYERS, law)?;
        let compatible = pile.compatible()?;
        let run = |exponent: i32| {
            let eps = 10f64.powi(-exponent);
            let force = forces(&pile, eps)?;
            Ok((eps, distance(&force, &compatible), force))
        };
        let runs = (2..=12).map(run).collect::<Result<Vec<_>>>()?;
        let points: Vec<(f64, f64)> = runs.iter().map(|run| (run.0, run.1)).collect();
        let coarse = &runs[2].2;
        let fine = &runs[3].2;
        let better: Vec<f64> = coarse.iter().zip(fine).map(|(coarse, fine)| (10.0 * fine - coarse) / 9.0).collect();
        let c = runs[6].1 / runs[6].0;
        artifact = artifact
            .claim(Claim::as_paper(
                format!("order in ε, from 10⁻⁴ to 10⁻⁹, {}", law.name()),
                "contact compliance is driven to zero; a single problem per time step",
                Measured::slope(&points[2..8])?,
                0.99..=1.01,
            ))
            .claim(Claim::ours(
                format!("C at ε = 10⁻⁸ over that of an independent program, {}", law.name()),
                c / constant(law),
                0.98..=1.02,
            ))
            .claim(Claim::ours(format!("error at ε = 10⁻¹², {}", law.name()), points[10].1, 0.0..=1e-9))
            .claim(Claim::ours(
                format!("extrapolated from ε = 10⁻⁴ and 10⁻⁵ over the error at 10⁻⁵, {}", law.name()),
                distance(&better, &compatible) / runs[3].1,
                0.0..=0.1,
            ));
        let marker = [Marker::Circle, Marker::Triangle, Marker::Square][law as usize];
        plot = plot.series(Series::line(law.name(), points).marker(marker));
    }
    Ok(artifact.plot(plot.slope(1.0)))
}
