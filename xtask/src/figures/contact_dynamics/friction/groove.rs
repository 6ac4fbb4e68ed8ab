//! A grain in a groove that is loaded and unloaded.
use anyhow::{Result, ensure};
use cd_solve::friction::{CompatibleFriction, CompatibleFrictionProblem, ContactMap, Resistance};
use cd_solve::{BodyBlocks, Options};
use serde_json::json;

use super::slow_loading::KAPPA;
use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::number::larger;
use crate::plot::{Axis, Marker, Plot, Series};

/// Angle of the normals from the vertical, in rad.
const BETA: f64 = 0.5;

/// Normal and tangential force of one flank.
#[derive(Clone, Copy, Debug)]
struct Flank {
    normal: f64,
    tangential: f64,
}

/// A point mass between two flanks.
struct Groove {
    map: ContactMap,
    friction: f64,
}

impl Groove {
    fn new(friction: f64) -> Result<Self> {
        let (sin, cos) = BETA.sin_cos();
        let mut rows = Vec::new();
        for side in [-1.0, 1.0] {
            // The axes are the normal, up the flank, and along the groove. A point mass has no arms and does not turn.
            for axis in [[side * sin, 0.0, cos], [-side * cos, 0.0, sin], [0.0, 1.0, 0.0]] {
                rows.extend([0.0; 6]);
                rows.extend(axis);
                rows.extend([0.0; 3]);
            }
        }
        let mass = BodyBlocks::scalar(6, vec![1.0])?;
        let map = ContactMap::from_rows(Resistance::Sliding, &[[None, Some(0)]; 2], &rows, mass)?;
        Ok(Self { map, friction })
    }

    /// Returns the forces under `weight` that follow the forces `history`.
    fn loaded(&self, weight: f64, history: Option<&[f64]>) -> Result<Vec<f64>> {
        let load = [0.0, 0.0, weight, 0.0, 0.0, 0.0];
        let friction = [self.friction; 2];
        let mut problem = CompatibleFrictionProblem::new(&self.map, &load, &[1.0; 2], KAPPA, &friction)?;
        if let Some(history) = history {
            problem = problem.with_history(history)?;
        }
        let mut force = vec![0.0; 6];
        let report = CompatibleFriction::new(Options::new(1e-14, 100)).solve(&problem, &mut force)?;
        ensure!(report.residual < 1e-12, "groove under {weight}: {report:?}");
        Ok(force)
    }

    /// Closed form of the forces on a flank while the weight rises to one.
    fn rising(&self, weight: f64) -> Flank {
        let (sin, cos) = BETA.sin_cos();
        let tan = sin / cos;
        if KAPPA * tan <= self.friction {
            let normal = weight / (2.0 * cos * (1.0 + KAPPA * tan * tan));
            return Flank { normal, tangential: KAPPA * tan * normal };
        }
        let normal = weight / (2.0 * (cos + self.friction * sin));
        Flank { normal, tangential: self.friction * normal }
    }

    /// Closed form of the forces on a flank while the weight falls from one.
    fn falling(&self, weight: f64) -> Flank {
        let (sin, cos) = BETA.sin_cos();
        let tan = sin / cos;
        let top = self.rising(1.0);
        let fall = (1.0 - weight) / (2.0 * cos * (1.0 + KAPPA * tan * tan));
        let flank = Flank { normal: top.normal - fall, tangential: top.tangential - KAPPA * tan * fall };
        if flank.tangential >= -self.friction * flank.normal {
            return flank;
        }
        let normal = weight / (2.0 * (cos - self.friction * sin));
        Flank { normal, tangential: -self.friction * normal }
    }
}

/// The figure of a groove that is loaded and unloaded.
pub(super) fn loading(_: &Context) -> Result<Artifact> {
    const STEPS: u32 = 20;
    let mut plot = Plot::new(
        "groove",
        "A grain in a groove, loaded to 1 and unloaded",
        Axis::linear("weight", ""),
        Axis::linear("tangential force of a flank", ""),
    );
    let mut worst = 0.0;
    for (colour, friction) in [0.1, 0.3].into_iter().enumerate() {
        let groove = Groove::new(friction)?;
        let mut up = Vec::new();
        let mut down = Vec::new();
        let mut take = |weight: f64, force: &[f64], closed: Flank| {
            worst = larger(worst, (force[0] - closed.normal).abs());
            worst = larger(worst, (force[1] - closed.tangential).abs());
            (weight, force[1])
        };
        let mut history: Option<Vec<f64>> = None;
        for k in 1..=STEPS {
            let weight = f64::from(k) / f64::from(STEPS);
            let force = groove.loaded(weight, history.as_deref())?;
            up.push(take(weight, &force, groove.rising(weight)));
            history = Some(force);
        }
        for k in (1..STEPS).rev() {
            let weight = f64::from(k) / f64::from(STEPS);
            let force = groove.loaded(weight, history.as_deref())?;
            down.push(take(weight, &force, groove.falling(weight)));
            history = Some(force);
        }
        let weights = || (0..=200).map(|k| 0.005 * f64::from(k));
        let rising = weights().map(|weight| (weight, groove.rising(weight).tangential));
        let falling = weights().rev().map(|weight| (weight, groove.falling(weight).tangential));
        plot = plot
            .series(Series::line(format!("closed form, μ = {friction}"), rising.chain(falling)).colour(colour))
            .series(Series::markers(format!("loading, μ = {friction}"), Marker::Circle, up).colour(colour))
            .series(Series::markers(format!("unloading, μ = {friction}"), Marker::Triangle, down).colour(colour));
    }
    Ok(Artifact::new(
        "A point mass lies in a groove whose normals are 0.5 rad from the vertical. Its weight grows slowly to one, and \
         falls again. At one weight there are forces of loading and other ones of unloading: they are a function of the \
         history, not of the load. With little friction the grain slides while it is loaded, sticks at first when it is \
         unloaded, and slides the other way in the end.",
    )
    .plot(plot)
    .claim(Claim::ours("forces against the closed form, the worst of all", worst, 0.0..=1e-12))
    .parameters(json!({ "β_rad": BETA, "κ": KAPPA, "μ": [0.1, 0.3], "steps up and down": STEPS })))
}
