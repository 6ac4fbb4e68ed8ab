//! E-errors against those of an independent program.
use anyhow::Result;
use dem_contact::bond::ShearForm;
use rayon::prelude::*;
use rrp_integrate::{Explicit, Map};
use rrp_verify::{EnergyError, Motion, Trapezoid, norm_error};

use super::maps;
use super::ring::Ring;
use crate::claim::Claim;
use crate::context::Context;
use crate::number::larger;

/// `D_t` of that program in m: its grains have a diameter of one less 3e-5 of it.
pub(super) const TORUS: f64 = 25.470691;
const DURATION: f64 = 10.0;
const COARSEST: f64 = 1e-2;

/// The E-errors (38) over ten seconds for h = 1e-2, and for halves of that down to 3.125e-4.
const FOUND: [(Map, [f64; 6]); 3] = [
    (
        Map::Rodrigues23,
        [
            3.3262746600730344e-4,
            4.318998570361495e-5,
            8.433199825626583e-6,
            2.1421890107274253e-6,
            1.0915255224265388e-6,
            2.456306049416131e-7,
        ],
    ),
    (
        Map::Rodrigues25,
        [
            3.333592417709632e-4,
            4.286850142714687e-5,
            8.445832607196294e-6,
            2.1393621316649918e-6,
            1.0889011285070453e-6,
            2.4501567080876773e-7,
        ],
    ),
    (
        Map::Rodrigues27,
        [
            1.8878515322539005e-3,
            7.969510540579664e-4,
            3.895415205659796e-4,
            1.931907305334046e-4,
            9.612345768208399e-5,
            4.803444874766515e-5,
        ],
    ),
];

/// One motion: its E-error (38) and the square of its norm.
fn run(map: Map, h: f64) -> Result<(f64, f64)> {
    let mut ring = Ring::of_diameter(TORUS, ShearForm::Printed, map)?;
    let start = ring.ledger().mechanical();
    let (mut stepper, mut energy, mut norm) = (Explicit::new(map, h)?, EnergyError::new(h, start)?, Trapezoid::new(h)?);
    let mut motions = Vec::new();
    for step in 0..=(DURATION / h).round() as usize {
        if step > 0 {
            ring.step(&mut stepper)?;
        }
        energy.push(ring.ledger().mechanical());
        ring.motions(&mut motions);
        norm.push(motions.iter().map(Motion::norm_squared).sum());
    }
    Ok((energy.error()?, norm.integral()))
}

/// The E-errors of the ladder and one q-error.
pub(super) fn claims(context: &Context) -> Result<Vec<Claim>> {
    // The last two rungs of the three maps are three quarters of the work.
    let rungs = context.pick(6, 4);
    let cut = context.pick(None, Some("four of six steps, and a reference with steps four times as large"));
    let runs: Vec<(Map, usize, f64)> =
        FOUND.iter().flat_map(|&(map, errors)| (0..rungs).map(move |rung| (map, rung, errors[rung]))).collect();
    let runs = runs
        .into_par_iter()
        .map(|(map, rung, found)| run(map, COARSEST / f64::from(1 << rung)).map(|run| (map, rung, found, run)))
        .collect::<Result<Vec<_>>>()?;
    let mut claims = Vec::new();
    for (map, _) in FOUND {
        let of_map = runs.iter().filter(|run| run.0 == map);
        let worst = of_map.fold(0.0, |worst, (_, _, found, run)| larger(worst, (run.0 / found - 1.0).abs()));
        let text = format!(
            "largest relative difference of the E-errors (38), {}, h = 1e-2 … 3.125e-4, from an independent program, \
             D_t = {TORUS}",
            maps::name(map)
        );
        claims.push(Claim::ours(text, worst, 0.0..=1e-6).shortened(cut));
    }
    // The norm converges with the second order of the map.
    let finest = run(Map::Rodrigues25, COARSEST / f64::from(1 << context.pick(7, 5)))?.1;
    let coarsest = runs.iter().find(|run| run.0 == Map::Rodrigues25 && run.1 == 0).map_or(f64::NAN, |run| run.3.1);
    let text = format!("q-error (37), (25), h = 1e-2, where an independent program has 1.472e-2, D_t = {TORUS}");
    claims.push(Claim::ours(text, norm_error(coarsest, finest)?, 1.4715e-2..=1.4725e-2).shortened(cut));
    Ok(claims)
}
