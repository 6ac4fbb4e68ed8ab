//! `[BG21]` Fig. 6: conservation of the linear and angular momenta of the torus during and after its impact.
use anyhow::Result;
use dem_contact::bond::{BondLedger, ShearForm};
use grains_pages::number::larger;
use grains_pages::plot::{Plot, Series};
use rayon::prelude::*;
use rrp_integrate::{Explicit, Map};
use serde_json::json;

use super::ring::{Reading, Ring, parameters};
use crate::figures::rodrigues::method::Method;
use crate::model::{Artifact, Claim, Context};

/// Time step in s with which the torus is simulated.
const H: f64 = 1e-3;

/// Function that returns one conserved quantity.
type Quantity = fn(&BondLedger) -> f64;

/// Conserved quantities of the torus with the wall: name, unit, function.
const QUANTITIES: [(&str, &str, Quantity); 5] = [
    ("P_x with the impulse on the wall", "kg m/s", |row| row.linear_balance().x),
    ("P_y", "kg m/s", |row| row.linear_momentum.y),
    ("P_z", "kg m/s", |row| row.linear_momentum.z),
    ("|ΣJΩ|", "kg m²/s", |row| row.spin_momentum.length()),
    ("|L| with the wall's", "kg m²/s", |row| row.angular_balance().length()),
];

/// Simulates the torus, and returns the changes of its momenta since the start at every 25th time step, and the largest
/// deviation of each of [`QUANTITIES`] over every fifth time step.
fn run(reading: Reading, form: ShearForm, map: Map, duration: f64) -> Result<(Vec<BondLedger>, [f64; 5])> {
    let mut ring = Ring::new(reading, form, map)?;
    let mut stepper = Explicit::new(map, H)?;
    let start = ring.ledger();
    let mut rows = vec![start.clone()];
    let mut worst = [0.0_f64; 5];
    for step in 1..=(duration / H).round() as usize {
        ring.step(&mut stepper)?;
        if step % 5 == 0 {
            let row = ring.ledger();
            let differences = BondLedger {
                linear_momentum: row.linear_momentum - start.linear_momentum,
                angular_momentum: row.angular_momentum - start.angular_momentum,
                spin_momentum: row.spin_momentum - start.spin_momentum,
                ..row
            };
            for (worst, (.., quantity)) in worst.iter_mut().zip(QUANTITIES) {
                *worst = larger(*worst, quantity(&differences).abs());
            }
            if step % 25 == 0 {
                rows.push(differences);
            }
        }
    }
    Ok((rows.split_off(1), worst))
}

/// Makes `[BG21]` Fig. 6, and shows that the printed shear law does not conserve the total angular momentum.
pub(super) fn conserved(context: &Context) -> Result<Artifact> {
    let (duration, cut) = context.pick((25.0, None), (10.0, Some("10 of 25 s")));
    let runs = [
        (ShearForm::Printed, Map::Rodrigues23),
        (ShearForm::Printed, Map::Rodrigues25),
        (ShearForm::Decoupled, Map::Rodrigues25),
        (ShearForm::Monotone, Map::Rodrigues25),
    ];
    let all: Vec<(Reading, ShearForm, Map)> =
        Reading::BOTH.into_iter().flat_map(|reading| runs.map(|(form, map)| (reading, form, map))).collect();
    context.progress.total(all.len() as u64);
    let done = |&(reading, form, map): &(Reading, ShearForm, Map)| {
        let run = run(reading, form, map, duration);
        context.progress.advance(1);
        run
    };
    let done = all.par_iter().with_max_len(1).map(done).collect::<Result<Vec<_>>>()?;
    let mut artifact = Artifact::new(
        "Deviations from the first values, every fifth step of h = 1e-3. The momentum along the wall's normal balances \
         with the impulse on the wall to rounding even during the contact. What the printed shear law conserves is the \
         sum of the spins; physical rotations turn places and attitudes together, and the total angular momentum that \
         belongs to them is lost by it. The objective forms A and B conserve the total angular momentum, not the sum of \
         the spins.",
    )
    .parameters(json!({ "torus": parameters(), "h_s": H, "duration_s": duration }));
    let paper = "exact conservation, to machine precision, of linear and angular momenta";
    for (reading, done) in Reading::BOTH.into_iter().zip(done.chunks(runs.len())) {
        let (printed, objective) = done.split_at(2);
        for (map, (rows, worst)) in [Map::Rodrigues23, Map::Rodrigues25].into_iter().zip(printed) {
            if map == Map::Rodrigues25 {
                let id = if reading == Reading::Printed { "printed" } else { "unit-grains" };
                let title = format!("Deviation of momenta, {}, map (25), shear as printed", reading.name());
                let plot = Plot::semilog(id, title, ("time", "s"), ("|deviation|", "SI"));
                artifact = artifact.plot(QUANTITIES.iter().fold(plot, |plot, (name, _, quantity)| {
                    plot.series(Series::line(*name, rows.iter().map(|row| (row.time, quantity(row).abs()))))
                }));
            }
            for ((name, unit, _), value) in QUANTITIES.into_iter().zip(*worst).take(4) {
                let text = format!("largest deviation of {name}, {}, {}", Method::from(map).name(), reading.name());
                artifact = artifact.claim(Claim::as_paper(text, paper, value, 0.0..=1e-12).unit(unit));
            }
            if map == Map::Rodrigues25 && reading == Reading::Printed {
                artifact = artifact.claim(
                    Claim::paper_differs(
                        format!("largest deviation of the total angular momentum, (25), {}", reading.name()),
                        "exact conservation, to machine precision, of angular momenta",
                        "(53) as printed is not objective: it keeps ΣJΩ and loses the total",
                        worst[4],
                        1.0..=20.0,
                    )
                    .unit("kg m²/s"),
                );
            }
        }
        for (name, (_, worst)) in ["A", "B"].into_iter().zip(objective) {
            let text = format!(
                "largest deviation of the total angular momentum with the wall's, form {name}, {}",
                reading.name()
            );
            artifact = artifact.claim(Claim::ours(text, worst[4], 0.0..=1e-12).unit("kg m²/s"));
            let text =
                format!("largest deviation of P_x with the impulse on the wall, form {name}, {}", reading.name());
            artifact = artifact.claim(Claim::ours(text, worst[0], 0.0..=1e-12).unit("kg m/s"));
        }
    }
    Ok(artifact.shortened(cut))
}
