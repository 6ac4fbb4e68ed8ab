//! `[BG21]` Fig. 7: convergence of the torus's motion over ten seconds in the energy error (38), in the norm error
//! (37), and in the distance between trajectories.
use grains_pages::plot::Plot;
use std::ops::Range;

use anyhow::Result;
use dem_contact::bond::ShearForm;
use rayon::prelude::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Explicit, Map};
use rrp_verify::{EnergyError, Motion, PathComparison, Trapezoid};
use serde_json::json;

use super::ring::{GRAINS, Reading, Ring, parameters};
use super::{MAPS, ladder_check};
use crate::figures::rodrigues::method::Method;
use crate::model::{Artifact, Claim, Context, Effort, Measured};

/// Number of different time steps with which each integration map is simulated.
const RUNGS: usize = 5;

/// Simulations of the torus in one reading of its size, with time steps that are halved repeatedly.
struct Ladder {
    reading: Reading,
    /// Largest time step in s; each further time step is half of the one before.
    coarsest: f64,
    /// Simulated time in s.
    duration: f64,
    /// Number of time steps of the reference simulation per smallest time step.
    refinement: usize,
}

/// Simulation of the torus by one map with one time step, which advances beside the reference simulation.
struct Run {
    map: Map,
    h: f64,
    /// Number of samples per time step; a sample is taken after every smallest time step.
    stride: usize,
    ring: Ring,
    stepper: Explicit,
    energy: EnergyError,
    path: PathComparison,
}

impl Run {
    /// Continues the simulation through the samples from the number `first` on, and compares it there with `theirs`,
    /// the motions of the reference simulation.
    fn follow(&mut self, first: usize, theirs: &[Vec<Motion>]) -> Result<()> {
        let mut ours = Vec::new();
        for (sample, theirs) in (first..).zip(theirs).filter(|(sample, _)| sample % self.stride == 0) {
            if sample > 0 {
                self.ring.step(&mut self.stepper)?;
                self.energy.push(self.ring.energy());
            }
            self.ring.motions(&mut ours);
            self.path.push(&ours, theirs)?;
        }
        Ok(())
    }
}

/// Reference simulation of the torus with a very small time step.
struct Reference {
    ring: Ring,
    stepper: Explicit,
    /// Number of time steps between two samples.
    refinement: usize,
}

impl Reference {
    /// Continues the reference simulation through these samples, and returns the motions of all grains at each of them.
    fn motions(&mut self, samples: Range<usize>) -> Result<Vec<Vec<Motion>>> {
        let sampled = |sample| {
            if sample > 0 {
                self.ring.run(&mut self.stepper, self.refinement)?;
            }
            let mut motions = Vec::new();
            self.ring.motions(&mut motions);
            Ok(motions)
        };
        samples.map(sampled).collect()
    }
}

/// Number of samples by which the reference simulation is ahead of the others. More samples would need more memory,
/// fewer would leave threads waiting more often.
const AHEAD: usize = 500;

/// Errors of one map, with a row for each time step: time step in s, energy error (38), norm error (37), and distance
/// from the reference trajectory in the H¹ norm.
type Rows = Vec<[f64; 4]>;

impl Ladder {
    /// Returns the smallest time step in s.
    fn finest(&self) -> f64 {
        self.coarsest / f64::from(1 << (RUNGS - 1))
    }

    /// Simulates all maps with all time steps side by side, with the reference slightly ahead, so that no trajectory
    /// has to be stored, and returns their errors.
    fn climb(&self, context: &Context) -> Result<Vec<(Map, Rows)>> {
        let finest = self.finest();
        let samples = (self.duration / finest).round() as usize;
        let mut runs = Vec::new();
        for map in MAPS {
            for k in 0..RUNGS {
                let h = self.coarsest / f64::from(1 << k);
                let ring = Ring::new(self.reading, ShearForm::Printed, map)?;
                let mut energy = EnergyError::new(h, ring.ledger().mechanical())?;
                energy.push(ring.ledger().mechanical());
                let stepper = Explicit::new(map, h)?;
                let path = PathComparison::new(h)?;
                runs.push(Run { map, h, stride: 1 << (RUNGS - 1 - k), ring, stepper, energy, path });
            }
        }
        // The finest runs start first, since they take longest.
        runs.sort_by_key(|run| run.stride);
        let mut reference = Reference {
            ring: Ring::new(self.reading, ShearForm::Printed, Map::Rodrigues25)?,
            stepper: Explicit::new(Map::Rodrigues25, finest / self.refinement as f64)?,
            refinement: self.refinement,
        };
        let mut exact = Trapezoid::new(finest)?;
        context.progress.total(samples as u64);
        let part = |first: usize| first.min(samples + 1)..(first + AHEAD).min(samples + 1);
        let mut first = 0;
        let mut theirs = reference.motions(part(0))?;
        while !theirs.is_empty() {
            let (next, followed) = rayon::join(
                || reference.motions(part(first + AHEAD)),
                || runs.par_iter_mut().with_max_len(1).try_for_each(|run| run.follow(first, &theirs)),
            );
            followed?;
            theirs.iter().for_each(|theirs| exact.push(theirs.iter().map(Motion::norm_squared).sum()));
            context.progress.advance(theirs.len() as u64);
            (first, theirs) = (first + AHEAD, next?);
        }
        let exact = exact.integral();
        let mut ladder: Vec<(Map, Rows)> = MAPS.map(|map| (map, Rows::new())).into();
        for run in runs.into_iter().rev() {
            let norm = rrp_verify::norm_error(run.path.norm_squared(), exact)?;
            let row = [run.h, run.energy.error()?, norm, (run.path.distance_squared() / exact).sqrt()];
            ladder.iter_mut().filter(|(map, _)| *map == run.map).for_each(|(_, rows)| rows.push(row));
        }
        Ok(ladder)
    }
}

/// Computes the energy error (38) of a simulation with the time step `h` (s) that starts with one grain shifted
/// outwards by `member` times 1e-13 m.
fn energy_error(ladder: &Ladder, map: Map, h: f64, member: usize) -> Result<f64> {
    let mut ring = Ring::new(ladder.reading, ShearForm::Printed, map)?;
    ring.state.position_mut().add(GRAINS / 4, DVec3::Y * 1e-13 * member as f64);
    let start = ring.ledger().mechanical();
    let mut stepper = Explicit::new(map, h)?;
    let mut energy = EnergyError::new(h, start)?;
    energy.push(start);
    for _ in 0..(ladder.duration / h).round() as usize {
        ring.step(&mut stepper)?;
        energy.push(ring.energy());
    }
    Ok(energy.error()?)
}

/// Returns the number of simulations with slightly different starts over which the energy errors of a map are averaged,
/// for each time step, the largest first. The error of map (27) is mainly of first order and scatters less.
fn members(map: Map) -> [usize; RUNGS] {
    if map == Map::Rodrigues27 { [8, 4, 4, 4, 4] } else { [16; RUNGS] }
}

/// Replaces the energy error in each row by the geometric mean over simulations with slightly different starts, one of
/// which is in the row already.
fn average(ladder: &Ladder, rows: &mut [(Map, Rows)]) -> Result<()> {
    let of_map = |(map, rows): &(Map, Rows)| {
        let map = *map;
        let steps = rows.iter().map(|row| row[0]).collect::<Vec<_>>();
        steps.into_iter().zip(members(map)).flat_map(move |(h, count)| (1..count).map(move |member| (map, h, member)))
    };
    let mut runs: Vec<(Map, f64, usize)> = rows.iter().flat_map(of_map).collect();
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    let errors = runs
        .par_iter()
        .with_max_len(1)
        .map(|&(map, h, member)| energy_error(ladder, map, h, member))
        .collect::<Result<Vec<_>>>()?;
    for (map, rows) in rows {
        for row in rows {
            let of_row =
                runs.iter().zip(&errors).filter(|(run, _)| run.0 == *map && run.1.to_bits() == row[0].to_bits());
            let (count, sum) =
                of_row.fold((1.0, row[1].ln()), |(count, sum), (_, error)| (count + 1.0, sum + error.ln()));
            row[1] = (sum / count).exp();
        }
    }
    Ok(())
}

/// Returns one column of errors over the time step.
fn points(rows: &Rows, column: usize) -> Vec<(f64, f64)> {
    rows.iter().map(|row| (row[0], row[column])).collect()
}

/// Fits the order of one column of errors: the slope of a line through all points on two logarithmic axes. This also
/// works for errors that do not converge.
fn order(rows: &Rows, column: usize) -> Result<Measured> {
    Measured::slope(&points(rows, column))
}

/// Returns the range within `width` of `value`, with ends rounded to three decimals.
fn near(value: f64, width: f64) -> std::ops::RangeInclusive<f64> {
    let rounded = |edge: f64| (edge * 1e3).round() / 1e3;
    rounded(value - width)..=rounded(value + width)
}

/// Plotted error measures: id of the plot, title, name on the axis.
const MEASURES: [(&str, &str, &str); 3] = [
    ("energy", "E-error (38)", "E-error"),
    ("norm", "q-error (37)", "q-error"),
    ("distance", "True H¹ distance", "H¹ distance"),
];

/// Plots the three error measures over the time step, the first `converging` of them with guides of slope one and two.
fn plots(artifact: Artifact, ladder: &[(Map, Rows)], what: &str, converging: usize) -> Artifact {
    MEASURES.into_iter().enumerate().fold(artifact, |artifact, (k, (id, title, axis))| {
        let plot = Plot::loglog(id, format!("{title}, {what}"), ("time step h", "s"), (axis, ""));
        let plot = if k < converging { plot.slope(2.0).slope(1.0) } else { plot };
        let plot = ladder.iter().fold(plot, |plot, (map, rows)| {
            let method = Method::from(*map);
            plot.series(method.line(points(rows, k + 1)).marker(method.marker()))
        });
        artifact.plot(plot)
    })
}

/// Returns the parameters of the simulations, for the record of the figure.
fn record(ladder: &Ladder) -> serde_json::Value {
    json!({
        "torus": parameters(), "reading": ladder.reading.name(), "duration_s": ladder.duration,
        "steps_s": (0..RUNGS).map(|k| ladder.coarsest / f64::from(1 << k)).collect::<Vec<_>>(),
        "reference": "(25), steps below the finest by the factor", "reference_factor": ladder.refinement,
    })
}

/// Makes `[BG21]` Fig. 7 for grains of the diameter `D_p` = 1 m, where energy and trajectory converge.
pub(super) fn unit_grains(context: &Context) -> Result<Artifact> {
    let refinement = context.pick(8, 4);
    let ladder = Ladder { reading: Reading::UnitGrains, coarsest: 5e-3, duration: 10.0, refinement };
    let rows = ladder.climb(context)?;
    let artifact = Artifact::new(
        "With grains of diameter one the torus touches the wall all the time up to t = 10, and neighbouring motions part \
         slowly. The energy converges with an order a little below two, since the 3/2-power contact is not smooth; (37) \
         is a root of a difference of squares and shows half an order. The true distance is beside it. (27) shares its \
         positions with (25) here, because the torus starts without forces.",
    )
    .parameters(record(&ladder));
    let mut artifact = plots(artifact, &rows, "Dₚ = 1, T = 10 s", 3);
    for ((map, rows), [energy, norm, distance]) in
        rows.iter().zip([[1.79, 1.04, 1.87], [1.79, 1.04, 1.87], [1.01, 0.99, 1.13]])
    {
        let name = Method::from(*map).name();
        let first_order = *map == Map::Rodrigues27;
        let quadratic = if first_order { "linear convergence of energy" } else { "quadratic convergence of energy" };
        let instead = "quadratic: linear is what (37) makes of it";
        let text = format!("order of the true H¹ distance, {name}");
        let claims = [
            Claim::as_paper(format!("order of the E-error, {name}"), quadratic, order(rows, 1)?, near(energy, 0.1)),
            Claim::as_paper(
                format!("order of the q-error (37), {name}"),
                "linear convergence of trajectories",
                order(rows, 2)?,
                near(norm, 0.1),
            ),
            if first_order {
                Claim::as_paper(text, "linear convergence of trajectories", order(rows, 3)?, near(distance, 0.1))
            } else {
                let paper = "linear convergence of trajectories in the H¹ norm";
                Claim::paper_differs(text, paper, instead, order(rows, 3)?, near(distance, 0.1))
            },
        ];
        let cut = context.pick(None, Some("reference with steps a fourth, not an eighth, of the finest"));
        artifact = claims.into_iter().fold(artifact, |artifact, claim| artifact.claim(claim.shortened(cut)));
    }
    Ok(ladder_check::claims(context)?.into_iter().fold(artifact, Artifact::claim))
}

/// Makes `[BG21]` Fig. 7 for a torus of the printed diameter `D_t` = 3 m, where the energy converges but the chaotic
/// trajectory cannot.
pub(super) fn printed(context: &Context) -> Result<Artifact> {
    // The motion is chaotic within ten seconds; a quick run covers the first second only.
    let duration = context.pick(10.0, 1.0);
    let ladder = Ladder { reading: Reading::Printed, coarsest: 1e-3, duration, refinement: 4 };
    let mut rows = ladder.climb(context)?;
    // Chaos makes the E-error of a single motion scatter by a half from step to step.
    if context.effort == Effort::Full {
        average(&ladder, &mut rows)?;
    }
    let mut artifact = Artifact::new(
        "With the printed diameter the motion is chaotic: a difference of 1e-12 is one of 2e-3 after four seconds. The \
         energy converges nevertheless, here as the geometric mean of the E-errors of 16 motions, 4 to 8 of (27), that differ by 1e-13 at \
         the start. The trajectory does not: its true distance from the reference is a fifth of its \
         norm at every step, and (37), a difference of two numbers, scatters around that without a trend.",
    )
    .parameters(record(&ladder));
    if context.effort == Effort::Full {
        artifact.parameters["motions_averaged"] =
            MAPS.map(|map| (Method::from(map).name(), json!(members(map)))).into_iter().collect();
    }
    let mut artifact = plots(artifact, &rows, &format!("Dₜ = 3, T = {duration} s"), context.pick(1, 3));
    let cut = context.pick(
        None,
        Some("one motion over 1 of 10 s, where the trajectory still converges, before its asymptotic range"),
    );
    let instead = context.pick(
        "no convergence within ten seconds: the motion is chaotic",
        "after one second it still converges, with no clear order; the full run shows that after ten it does not",
    );
    let expected = context.pick(
        [[1.94, 0.3, 0.05], [1.92, 0.3, 0.05], [1.01, 0.3, 0.05]],
        [[1.96, 1.26, 2.44], [1.96, 1.26, 2.44], [0.99, 0.24, 1.76]],
    );
    for ((map, rows), [energy, norm, distance]) in rows.iter().zip(expected) {
        let name = Method::from(*map).name();
        let quadratic = if *map == Map::Rodrigues27 { "linear" } else { "quadratic" };
        let claims = [
            Claim::as_paper(
                format!("order of the E-error, {name}"),
                format!("{quadratic} convergence of energy"),
                order(rows, 1)?,
                near(energy, 0.1),
            ),
            Claim::paper_differs(
                format!("order of the q-error (37), {name}"),
                "linear convergence of trajectories",
                instead,
                order(rows, 2)?,
                near(norm, 0.35),
            ),
            Claim::paper_differs(
                format!("order of the true H¹ distance, {name}"),
                "linear convergence of trajectories in the H¹ norm",
                instead,
                order(rows, 3)?,
                near(distance, 0.2),
            ),
        ];
        artifact = claims.into_iter().fold(artifact, |artifact, claim| artifact.claim(claim.shortened(cut)));
    }
    Ok(artifact)
}
