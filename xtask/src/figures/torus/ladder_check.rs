//! Claims that compare energy errors of the torus with those of an independent program.
use anyhow::Result;
use dem_contact::bond::ShearForm;
use grains_pages::number::larger;
use rayon::prelude::*;
use rrp_integrate::{Explicit, Map};
use rrp_verify::{EnergyError, Motion, Trapezoid, norm_error};

use super::MAPS;
use super::ring::Ring;
use crate::figures::dem::lammps::Data;
use crate::figures::rodrigues::method::Method;
use crate::model::{Claim, Context, Effort};

/// Diameter `D_t` of the torus of the independent program in m: its grains have a diameter of one minus 3e-5.
pub(super) const TORUS: f64 = 25.470691;
/// Simulated time of the torus in s.
const DURATION: f64 = 10.0;
/// Largest time step in s with which the torus is simulated.
const COARSEST: f64 = 1e-2;

/// CSV data of the independent program: energy errors (38) of the maps (23), (25) and (27) over ten seconds, for time
/// steps h that are halved from row to row.
const ERRORS: &str = include_str!("../../../data/bg21/torus_energy_errors.csv");

/// Energy error (38) and squared norm of the trajectory in one simulation.
struct Found {
    energy: f64,
    /// Squared norm |q|² of the trajectory, `[BG21] (35)`.
    norm_squared: f64,
}

/// Simulates the torus by one map with the time step `h` (s).
fn run(map: Map, h: f64) -> Result<Found> {
    let mut ring = Ring::of_diameter(TORUS, ShearForm::Printed, map)?;
    let start = ring.ledger().mechanical();
    let mut stepper = Explicit::new(map, h)?;
    let mut energy = EnergyError::new(h, start)?;
    let mut norm = Trapezoid::new(h)?;
    let mut motions = Vec::new();
    for step in 0..=(DURATION / h).round() as usize {
        if step > 0 {
            ring.step(&mut stepper)?;
        }
        energy.push(if step > 0 { ring.energy() } else { start });
        ring.motions(&mut motions);
        norm.push(motions.iter().map(Motion::norm_squared).sum());
    }
    Ok(Found { energy: energy.error()?, norm_squared: norm.integral() })
}

/// Claims that the errors of the energy (38) for time steps halved again and again, and one error of the configuration,
/// are those of an independent program.
pub(super) fn claims(context: &Context) -> Result<Vec<Claim>> {
    // The last two rungs of the three maps take three quarters of the time.
    let rungs = context.pick(6, 4);
    let cut = context.pick(None, Some("four of six steps, and the norm of a run that is not extrapolated"));
    let runs: Vec<(Map, usize)> = MAPS.iter().flat_map(|&map| (0..rungs).map(move |rung| (map, rung))).collect();
    let runs = runs
        .into_par_iter()
        .map(|(map, rung)| run(map, COARSEST / f64::from(1 << rung)).map(|found| (map, found)))
        .collect::<Result<Vec<_>>>()?;
    let of_map = |map: Map| runs.iter().filter(move |run| run.0 == map).map(|run| &run.1);
    let mut claims = Vec::new();
    let data = Data::parse(ERRORS)?;
    for (map, column) in MAPS.into_iter().zip(["23", "25", "27"]) {
        let pairs = of_map(map).zip(data.column(column)?);
        let worst = pairs.fold(0.0, |worst, (found, error)| larger(worst, (found.energy / error - 1.0).abs()));
        let text = format!(
            "largest relative difference of the E-errors (38), {}, h = 1e-2 … 3.125e-4, from an independent program, \
             D_t = {TORUS}",
            Method::from(map).name()
        );
        claims.push(Claim::ours(text, worst, 0.0..=1e-6).shortened(cut));
    }
    let norms: Vec<f64> = of_map(Map::Rodrigues25).map(|found| found.norm_squared).collect();
    // The norm converges with second order; the steps of a quick run are too coarse to show this.
    let exact = match context.effort {
        Effort::Full => extrapolated(norms[rungs - 2], norms[rungs - 1]),
        Effort::Quick => run(Map::Rodrigues25, COARSEST / 32.0)?.norm_squared,
    };
    let text = format!("q-error (37), (25), h = 1e-2, where an independent program has 1.472e-2, D_t = {TORUS}");
    let error = norm_error(norms[0], exact)?;
    claims.push(Claim::ours(text, error, 1.4715e-2..=1.4725e-2).shortened(cut));
    Ok(claims)
}

/// Extrapolates a quantity that converges with second order to a vanishing time step, from its values at a time step
/// and at half of it.
fn extrapolated(coarse: f64, fine: f64) -> f64 {
    fine + (fine - coarse) / 3.0
}
