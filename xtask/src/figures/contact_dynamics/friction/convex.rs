//! Figure that compares the convex friction law, which many programs use as a relaxation, with Coulomb's law.
use anyhow::{Result, ensure};
use cd_solve::Options;
use cd_solve::faer::Mat;
use cd_solve::friction::{
    BlockMatrix, ConvexNewton, CoulombSolver, FrictionCoefficients, FrictionLaw, FrictionMatrix, FrictionProblem,
    FrictionSolver,
};
use grains_pages::number::larger;
use grains_pages::plot::{Marker, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::ramp::{Ramp, settle};
use super::slow_loading::{FrictionPile, KAPPA, apart};
use crate::model::{Artifact, Claim, Context};

/// Velocity g dt that a block gains in one time step of free fall; it sets the unit of speed, 10 g dt.
const FALL: f64 = 0.1;
/// Residual at which the friction solvers stop.
const TOLERANCE: f64 = 1e-11;
/// Normal stiffness of the elastic reference spheres in m g/d.
const STIFF: f64 = 1e5;

/// Returns the normal velocity (unit 10 g dt) after one step of a block of unit mass that slides at `speed` on a floor
/// without rotation. Coulomb's law gives zero; the convex law lifts the block.
fn lift(speed: f64, friction: f64, law: FrictionLaw) -> Result<f64> {
    let matrix = BlockMatrix::from_dense(3, Mat::<f64>::identity(3, 3).as_ref())?;
    let offset = [-FALL, speed, 0.0];
    let friction = [friction];
    let coefficients = FrictionCoefficients::sliding(&friction);
    let problem = FrictionProblem::new(FrictionMatrix::Blocks(&matrix), &offset, coefficients)?.with_law(law);
    let options = Options::new(TOLERANCE, 1000);
    let mut solver: Box<dyn FrictionSolver> = match law {
        FrictionLaw::Coulomb => Box::new(CoulombSolver::new(options)),
        FrictionLaw::Convex => Box::new(ConvexNewton::new(options)),
    };
    let mut force = [0.0; 3];
    let mut velocity = [0.0; 3];
    let report = solver.solve(&problem, &mut force)?;
    ensure!(report.converged(), "block at {speed}: {report:?}");
    problem.velocity(&force, &mut velocity, &mut Vec::new())?;
    Ok(velocity[0])
}

/// Makes the figure of the convex law against Coulomb's: a sliding block, and the pyramid of three layers.
pub(super) fn law(context: &Context) -> Result<Artifact> {
    let mut lifts = Plot::linear(
        "block",
        "A block that slides on a floor",
        ("speed", "10 g dt"),
        ("normal velocity after the step", "10 g dt"),
    );
    let mut convex_error = 0.0;
    let mut exact_error = 0.0;
    for (colour, friction) in [0.1, 0.3, 0.6].into_iter().enumerate() {
        // rₙ = (g dt + μ v)/(1 + μ²), uₙ = μ (v − μ rₙ) during sliding.
        let closed = |speed: f64| {
            let normal = (FALL + friction * speed) / (1.0 + friction * friction);
            (friction * (speed - friction * normal)).max(0.0)
        };
        let mut found = Vec::new();
        for k in 0..=20 {
            let speed = 0.05 * f64::from(k);
            let lifted = lift(speed, friction, FrictionLaw::Convex)?;
            convex_error = larger(convex_error, (lifted - closed(speed)).abs());
            exact_error = larger(exact_error, lift(speed, friction, FrictionLaw::Coulomb)?.abs());
            found.push((speed, lifted));
        }
        let line = (0..=200).map(|k| 0.005 * f64::from(k)).map(|speed| (speed, closed(speed)));
        lifts = lifts
            .series(Series::line(format!("closed form, convex law, μ = {friction}"), line).colour(colour))
            .series(Series::markers(format!("convex law, μ = {friction}"), Marker::Circle, found).colour(colour));
    }
    let lifts = lifts.series(Series::line("Coulomb's law", [(0.0, 0.0), (1.0, 0.0)]).colour(3));
    let pile = FrictionPile::new(3)?;
    let frictions: Vec<f64> = context.pick((1..=12).map(|k| 0.05 * f64::from(k)).collect(), vec![0.2, 0.3]);
    let ramp = Ramp { rise: context.pick(1e4, 2e3), rest: 400.0 };
    let compare = |&friction: &f64| {
        let exact = pile.world(&pile.forces(friction, FrictionLaw::Coulomb)?);
        let convex = pile.world(&pile.forces(friction, FrictionLaw::Convex)?);
        let elastic = settle(&pile, STIFF, friction, ramp)?;
        Ok([(friction, apart(&exact, &elastic)), (friction, apart(&convex, &elastic))])
    };
    let compared = frictions.par_iter().map(compare).collect::<Result<Vec<_>>>()?;
    let [exact, convex] = [0, 1].map(|k| compared.iter().map(|row| row[k]).collect::<Vec<_>>());
    let worst = exact.iter().map(|point| point.1).fold(0.0, larger);
    let at = |points: &[(f64, f64)], friction: f64| {
        points.iter().find(|point| (point.0 - friction).abs() < 1e-9).map_or(f64::NAN, |point| point.1)
    };
    let cut = context.pick(None, Some("μ = 0.2 and 0.3 alone, a ramp of 2000 √(m/k) in the place of 10⁴"));
    Ok(Artifact::new(
        "Many programs replace Coulomb's law by a convex one, which has a minimum in its place. A block that slides then \
         rises at μ times its speed. On the pyramid of three layers its forces of least energy differ by per cent from \
         those of elastic spheres that are loaded slowly, whose forces the exact law has.",
    )
    .plot(lifts)
    .plot(
        Plot::semilog("pyramid", "The pyramid of three layers against elastic spheres", ("μ", ""), ("‖f − f elastic‖/‖f elastic‖", ""))
        .series(Series::line("Coulomb's law, slow loading", exact.clone()).marker(Marker::Circle))
        .series(Series::line("convex law, least energy", convex.clone()).marker(Marker::Square)),
    )
    .claims([
        Claim::ours("convex law: normal velocity of the block against its closed form", convex_error, 0.0..=1e-9)
            .unit("10 g dt"),
        Claim::ours("Coulomb's law: normal velocity of the block", exact_error, 0.0..=1e-10).unit("10 g dt"),
        Claim::ours("Coulomb's law against elastic spheres, the worst μ", worst, 0.0..=3e-4).shortened(cut),
        Claim::ours("convex law against elastic spheres at μ = 0.2", at(&convex, 0.2), 0.004..=0.006).shortened(cut),
        Claim::ours("convex law against elastic spheres at μ = 0.3", at(&convex, 0.3), 0.026..=0.030).shortened(cut),
    ])
    .parameters(json!({
        "g dt": FALL, "κ": KAPPA, "k d/(m g)": STIFF, "rise_√(m/k)": ramp.rise, "R1": TOLERANCE,
    })))
}
