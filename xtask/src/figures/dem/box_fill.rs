//! `[DK21]` Fig. 11: kinetic energy and velocity spread while 218 spheres fall into a box, compared with LAMMPS.
use anyhow::Result;
use grains_pages::plot::{Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::filling::{DAMPING, Filling, Sample};
use super::scene::Scene;
use super::scheme::Scheme;
use crate::model::{Artifact, Claim, Context};

/// Ends in √(d/g) of the time windows in which simulations are compared. Spheres arrive until 6, then the bed settles.
const ENDS: [f64; 10] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 25.0];

/// Function that returns one plotted quantity of a sample.
type Quantity = fn(&Sample) -> f64;
/// Panels of the figure: id, name of the quantity with its equation in `[DK21]`, unit, function.
const PANELS: [(&str, &str, &str, Quantity); 2] =
    [("kinetic", "K̄ (35)", "m g d", |s| s.kinetic), ("spread", "δv (36)", "g d", |s| s.spread)];

/// Computes the mean of the decimal logarithm of a quantity in each time window of [`ENDS`] that ends by `end`.
fn windows(samples: &[Sample], of: Quantity, end: f64) -> Vec<f64> {
    let mut means = Vec::new();
    let mut from = 0.0;
    for until in ENDS.into_iter().take_while(|&until| until <= end + 1e-9) {
        let inside = samples.iter().filter(|sample| (from..until).contains(&sample.time));
        let logarithms: Vec<f64> = inside.map(|sample| of(sample).log10()).collect();
        means.push(logarithms.iter().sum::<f64>() / logarithms.len() as f64);
        from = until;
    }
    means
}

/// Returns the lowest and the highest value of [`windows`] over some simulations, for each time window.
fn ranges(runs: &[&[Sample]], of: Quantity, end: f64) -> Vec<(f64, f64)> {
    let mut ranges = vec![(f64::MAX, f64::MIN); ENDS.len()];
    for run in runs {
        for (range, value) in ranges.iter_mut().zip(windows(run, of, end)) {
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    ranges
}

/// Counts the time windows, over both quantities, in which the simulation `run` lies outside the range of the
/// simulations `peers`, widened on each side by its own width.
fn outside(run: &[Sample], peers: &[&[Sample]], end: f64) -> usize {
    let mut count = 0;
    for (.., of) in PANELS {
        for (value, (low, high)) in windows(run, of, end).into_iter().zip(ranges(peers, of, end)) {
            let width = high - low;
            count += usize::from(!(low - width..=high + width).contains(&value));
        }
    }
    count
}

/// Returns the largest number of time windows in which one simulation of LAMMPS lies outside the widened range of the
/// other simulations of LAMMPS.
fn outside_of_their_own(peers: &[&[Sample]], end: f64) -> usize {
    let count = |out: usize| {
        let others: Vec<&[Sample]> = (0..peers.len()).filter(|&k| k != out).map(|k| peers[k]).collect();
        outside(peers[out], &others, end)
    };
    (0..peers.len()).map(count).max().unwrap_or(0)
}

/// Plots one quantity over time: the range of the simulations by LAMMPS as a band, and a line for each of our schemes.
fn panel(index: usize, filling: Filling, runs: &[(Scheme, Vec<Sample>)], peers: &[Vec<Sample>], end: f64) -> Plot {
    let (id, quantity, unit, of) = PANELS[index];
    let title = format!("{quantity} of 218 spheres, {}, h = t_c/32", filling.name());
    let plot = Plot::semilog(id, title, ("t", "√(d/g)"), (quantity, unit));
    let row = |k: usize| {
        let values = || peers.iter().map(|peer| of(&peer[k]));
        (peers[0][k].time, values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max))
    };
    let shortest = peers.iter().map(Vec::len).min().unwrap_or(0);
    let band: Vec<_> = (0..shortest).map(row).take_while(|row| row.0 <= end).collect();
    let plot = plot.series(Series::band("LAMMPS, four steps", &band));
    runs.iter().fold(plot, |plot, (scheme, samples)| {
        plot.series(scheme.line(samples.iter().filter(|s| s.time <= end).map(|sample| (sample.time, of(sample)))))
    })
}

/// Makes `[DK21]` Fig. 11, the statistics of the filling of a box.
pub(super) fn statistics(context: &Context) -> Result<Artifact> {
    let end = context.pick(25.0, 1.0);
    let cut = context.pick(None, Some("to t = 1 only, before the bed settles, from one start, two schemes of five"));
    // Runs from other starts end when most spheres have arrived.
    let others = Filling::ALL[1..]
        .iter()
        .flat_map(|&filling| [(filling, Scheme::Verlet, 8.0), (filling, Scheme::Midpoint, 8.0)]);
    let schemes = context.pick(&Scheme::ALL[..], &[Scheme::Verlet, Scheme::Midpoint]);
    let tasks: Vec<(Filling, Scheme, f64)> =
        schemes.iter().map(|&scheme| (Filling::ALL[0], scheme, end)).chain(others.take(context.pick(6, 0))).collect();
    context.progress.total(tasks.len() as u64);
    let run = |&(filling, scheme, end): &(Filling, Scheme, f64)| {
        let samples = filling.run(scheme, end);
        context.progress.advance(1);
        samples
    };
    let runs = tasks.par_iter().map(run).collect::<Result<Vec<_>>>()?;
    let mut artifact = Artifact::new(
        "Mean kinetic energy (35) and spread of the velocities (36), which is a variance though the paper calls it δv, while \
         218 spheres fall into a box and settle. The grey band is the range of four runs of LAMMPS that differ in the step \
         alone. The motion is chaotic: after a few collisions no two runs agree sphere by sphere, and when the bed comes to \
         rest the energies of LAMMPS' own runs differ by a factor of ten. Each scheme is compared with the range in windows \
         of time, widened by its width on each side; LAMMPS' runs, each against the others, leave that range in up to a few \
         windows of twenty, and no more is asked of ours.",
    )
    .parameters(json!({
        "common": Scene::parameters(), "gamma_n": DAMPING, "t_c_over_h": 32, "box_d": [6, 6, 120], "end": end,
        "window_ends": ENDS, "lammps_t_c_over_h": [16.1, 32, 64, 160],
    }));
    let first: Vec<(Scheme, Vec<Sample>)> = tasks
        .iter()
        .zip(&runs)
        .filter(|task| task.0.0 == Filling::ALL[0])
        .map(|task| (task.0.1, task.1.clone()))
        .collect();
    let peers = Filling::ALL[0].peers()?;
    for index in 0..PANELS.len() {
        artifact = artifact.plot(panel(index, Filling::ALL[0], &first, &peers, end));
    }
    for (&(filling, scheme, end), samples) in tasks.iter().zip(&runs) {
        let peers = filling.peers()?;
        let peers: Vec<&[Sample]> = peers.iter().map(Vec::as_slice).collect();
        let text = format!(
            "windows of log K̄ and log δv until t = {end} outside the widened range of LAMMPS' runs, {}, {}; LAMMPS' own \
             have up to the accepted number",
            scheme.name(),
            filling.name()
        );
        let value = outside(samples, &peers, end) as f64;
        let own = outside_of_their_own(&peers, end) as f64;
        artifact = artifact.claim(
            match scheme {
                Scheme::Verlet | Scheme::ExactEnergy => Claim::ours(text, value, 0.0..=own),
                _ => Claim::as_paper(
                    text,
                    "the statistical quantities show excellent agreement with LAMMPS",
                    value,
                    0.0..=own,
                ),
            }
            .shortened(cut),
        );
    }
    Ok(artifact)
}
