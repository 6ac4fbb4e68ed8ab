//! Figure of the cost and accuracy of implicit schemes whose time steps exceed the stability limit of velocity Verlet.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Axis, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::scene::Scene;
use super::scheme::Scheme;
use super::settling::{DAMPING, LIFT, Outcome, SAMPLING, Sample, Settling};
use super::stiff_bond::{self, RATIOS};
use crate::model::{Artifact, Claim, Context};

/// Time steps of velocity Verlet in contact times `t_c`, up to the largest stable one; the first is the reference.
const EXPLICIT: [f64; 7] = [1.0 / 160.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 0.2, 0.25];
/// Time steps of the implicit schemes in contact times `t_c`.
const IMPLICIT: [f64; 6] = [1.0 / 8.0, 0.5, 1.0, 2.0, 5.0, 10.0];
const SCHEMES: [Scheme; 3] = [Scheme::Verlet, Scheme::Midpoint, Scheme::ExactEnergy];

/// Simulations of the falling bed of 4000 spheres, for all schemes and time steps.
struct Study {
    rows: Vec<(Settling, Outcome)>,
    duration: f64,
}

impl Study {
    fn run(context: &Context) -> Result<Self> {
        let duration = context.pick(100.0, 20.0);
        let steps = |scheme: Scheme| -> &[f64] {
            match scheme {
                Scheme::Verlet => context.pick(&EXPLICIT[..], &EXPLICIT[2..]),
                Scheme::Midpoint => context.pick(&IMPLICIT[..], &[IMPLICIT[0], IMPLICIT[1], IMPLICIT[3]]),
                _ => context.pick(&IMPLICIT[3..], &IMPLICIT[5..]),
            }
        };
        let all = |scheme| steps(scheme).iter().map(move |&step| Settling { scheme, step });
        let tasks: Vec<Settling> = SCHEMES.into_iter().flat_map(all).collect();
        context.progress.total(tasks.len() as u64);
        let run = |settling: Settling| {
            let outcome = settling.run(duration);
            context.progress.advance(1);
            Ok((settling, outcome?))
        };
        Ok(Self { rows: tasks.into_par_iter().map(run).collect::<Result<_>>()?, duration })
    }

    /// Returns the time step in `t_c` and the outcome of each simulation by one scheme.
    fn of(&self, scheme: Scheme) -> impl Iterator<Item = (f64, &Outcome)> {
        self.rows.iter().filter(move |row| row.0.scheme == scheme).map(|row| (row.0.step, &row.1))
    }

    /// Returns the simulation with the smallest time step, with which all others are compared.
    fn reference(&self) -> &Outcome {
        &self.rows[0].1
    }

    /// Computes the error of a simulation: the root mean square over time of the difference in the bed's mean height
    /// from the reference, over the initial lift of the bed.
    fn error(&self, outcome: &Outcome) -> f64 {
        let pairs = outcome.samples.iter().zip(&self.reference().samples);
        let square = pairs.map(|(a, b)| (a.height - b.height).powi(2)).sum::<f64>();
        (square / outcome.samples.len() as f64).sqrt() / LIFT
    }

    /// Plots one quantity of the bed over time, by velocity Verlet and by implicit schemes with larger time steps.
    fn paths(&self, id: &'static str, title: &str, y: Axis, of: fn(&Sample) -> f64) -> Plot {
        let plot = Plot::new(id, title, Axis::linear("t/t_c", ""), y);
        let shown = |step: f64| [EXPLICIT[2], 2.0, 5.0, 10.0].iter().any(|&wanted| (wanted - step).abs() < 1e-9);
        self.rows.iter().filter(|row| shown(row.0.step)).fold(plot, |plot, (settling, outcome)| {
            let scheme = settling.scheme;
            let step = settling.step;
            let length = if step < 1.0 { format!("t_c/{:.0}", step.recip()) } else { format!("{step} t_c") };
            let series = Series::line(
                format!("{}, h = {length}", scheme.name()),
                outcome.samples.iter().map(|sample| (sample.time, of(sample))),
            );
            // Marks distinguish the exact-energy form from the other implicit form.
            plot.series(if scheme == Scheme::ExactEnergy { series.marker(scheme.marker()) } else { series })
        })
    }

    /// Plots the error of each simulation over its cost in passes over all contacts, with a mark for each time step.
    fn accuracy(&self) -> Plot {
        let x = Axis::log("passes over all contacts in the run", "");
        let plot =
            Plot::new("accuracy", "Error of the mean height over the cost", x, Axis::log("error over the lift", ""));
        SCHEMES.into_iter().fold(plot, |plot, scheme| {
            let points = self.of(scheme).map(|(_, outcome)| (outcome.passes as f64, self.error(outcome)));
            plot.series(scheme.line(points.filter(|point| point.1 > 0.0)).marker(scheme.marker()))
        })
    }

    /// Plots the numbers of Newton iterations and of passes over all contacts per time step of the implicit schemes.
    fn work(&self) -> Plot {
        let plot = Plot::loglog("work", "What a step takes", ("h/t_c", ""), ("Newton iterations, passes", ""));
        SCHEMES[1..].iter().fold(plot, |plot, &scheme| {
            let newton = self.of(scheme).map(|(step, outcome)| (step, median(&outcome.iterations)));
            let passes = self.of(scheme).map(|(step, outcome)| (step, outcome.passes as f64 * step / self.duration));
            let series =
                |name: &str, points: Vec<(f64, f64)>| Series::line(format!("{name}, {}", scheme.name()), points);
            plot.series(series("iterations, median", newton.collect()).marker(scheme.marker()).colour(scheme.colour()))
                .series(series("passes, mean", passes.collect()).colour(scheme.colour()))
        })
    }
}

fn median(values: &[usize]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.get(values.len() / 2).map_or(f64::NAN, |&value| value as f64)
}

/// Points of a plotted curve.
type Curve = Vec<(f64, f64)>;

/// Plots the cost of simulating a bonded pair that is hit, over the stiffness of the bond, and returns the curves of
/// velocity Verlet and of the implicit midpoint scheme.
fn stiff_bonds() -> Result<(Plot, [Curve; 2])> {
    let title = "Cheapest run to within one per cent of the final velocity, bonded pair in line";
    let x = Axis::log("k_B/k", "");
    let mut plot = Plot::new("stiff-bond", title, x, Axis::log("passes over all contacts in 4 t_c", ""));
    let curve = |scheme| -> Result<Curve> {
        let cost = |&ratio: &f64| Ok((ratio, stiff_bond::cost(scheme, ratio)?));
        RATIOS.par_iter().with_max_len(1).map(cost).collect()
    };
    let curves = [curve(Scheme::Verlet)?, curve(Scheme::Midpoint)?];
    for (scheme, curve) in [Scheme::Verlet, Scheme::Midpoint].into_iter().zip(&curves) {
        plot = plot.series(scheme.line(curve.iter().copied()).marker(scheme.marker()));
    }
    Ok((plot.slope(0.5), curves))
}

/// Makes the figure of the cost and accuracy of implicit schemes, to `[DK21]` sections 2 and 4.
pub(super) fn costs(context: &Context) -> Result<Artifact> {
    let study = Study::run(context)?;
    let (bonds, [explicit, implicit]) = stiff_bonds()?;
    let cut = context
        .pick(None, Some("20 t_c only, before the bed rebounds, fewer steps h, against velocity Verlet with t_c/32"));
    let unstable = Settling { scheme: Scheme::Verlet, step: 0.5 }.run(study.duration);
    let beyond = unstable.map_or(f64::INFINITY, |outcome| study.error(&outcome));
    let at = |scheme: Scheme, step: f64| study.of(scheme).find(|run| (run.0 - step).abs() < 1e-9).map(|run| run.1);
    let error = |scheme, step| at(scheme, step).map_or(f64::NAN, |outcome| study.error(outcome));
    let passes = |scheme, step| at(scheme, step).map_or(f64::NAN, |outcome| outcome.passes as f64);
    let gain = |outcome: &Outcome| outcome.samples.iter().map(|sample| sample.energy).fold(f64::NEG_INFINITY, larger);
    let most = |of: &dyn Fn(&Outcome) -> f64| {
        study.of(Scheme::ExactEnergy).map(|run| of(run.1)).fold(f64::NEG_INFINITY, larger)
    };
    let last = |curve: &[(f64, f64)]| curve.last().map_or(f64::NAN, |point| point.1);
    let even = implicit.iter().map(|point| point.1).fold(0.0, larger) / implicit[0].1;
    let paper =
        "implicit schemes: the same limitation on the maximum time step applies, and longer simulation times result";
    let midpoint = Scheme::Midpoint.name();
    let claims = [
        Claim::ours(
            "error of the mean height over the lift, velocity Verlet, h = t_c/4",
            error(Scheme::Verlet, 0.25),
            0.0..=0.01,
        ),
        Claim::ours("the same at h = t_c/2; infinite where the run breaks off", beyond, 1.0..=f64::INFINITY),
        Claim::ours(
            format!("error of the mean height over the lift, {midpoint}, h = t_c/2"),
            error(Scheme::Midpoint, 0.5),
            0.0..=0.02,
        ),
        Claim::as_paper(
            format!("passes of {midpoint} with h = t_c/2 over those of velocity Verlet with h = t_c/4"),
            paper,
            passes(Scheme::Midpoint, 0.5) / passes(Scheme::Verlet, 0.25),
            1.0..=f64::INFINITY,
        ),
        Claim::as_paper(
            format!("largest gain of energy over what the lift put in, {midpoint}, h = 2 t_c"),
            paper,
            at(Scheme::Midpoint, 2.0).map_or(f64::NAN, gain),
            context.pick(1.0, 0.1)..=f64::INFINITY,
        ),
        Claim::ours(
            "error of the mean height over the lift, exact energy, the largest of all steps up to 10 t_c",
            most(&|outcome| study.error(outcome)),
            0.0..=0.5,
        ),
        Claim::ours(
            "largest gain of energy over what the lift put in, exact energy, all steps",
            most(&gain),
            -1.0..=1e-9,
        ),
        Claim::ours(
            format!("median Newton iterations of a step, {midpoint}, h = t_c/8"),
            at(Scheme::Midpoint, 0.125).map_or(f64::NAN, |outcome| median(&outcome.iterations)),
            0.0..=4.0,
        ),
    ];
    let bonded = [
        Claim::ours(
            format!("passes for a bond 10⁶ times as stiff as a contact over those for one as stiff, {midpoint}"),
            even,
            1.0..=2.0,
        ),
        Claim::ours(
            "passes of velocity Verlet over those of the implicit form, bond 10⁶ times as stiff",
            last(&explicit) / last(&implicit),
            10.0..=f64::INFINITY,
        ),
    ];
    let height = Axis::linear("mean height over that at the start", "d");
    let energy = Axis::linear("(E − E₀)/(m g · lift)", "");
    let artifact = Artifact::new(
        "Above: a bed of 4000 spheres, 15 d × 15 d and periodic, lifted by 0.01 d from its floor, falls and rebounds. Velocity \
         Verlet follows it up to its limit near t_c/3, beyond which it breaks off. The Marsden-West form can take any step, \
         but from t_c on contacts that open and close within steps pump energy into the bed until it is thrown up: for \
         forces that only push the midpoint rule is not stable. The exact-energy form is: ten steps of 10 t_c show the fall and \
         the rebound, with an error of a good part of the lift. No implicit run is cheaper than the explicit one at its limit, \
         which needs far fewer passes; a pass is one evaluation of all contacts or one product with their matrix. \
         Below: what an implicit scheme is for. If a few springs are much stiffer than the motion of interest, here the bond \
         of a pair that is hit, explicit steps have to follow the stiffest, and implicit ones need not.",
    )
    .plot(study.paths("height", "A bed of 4000 spheres falls by 0.01 d and rebounds", height, |sample| sample.height))
    .plot(study.paths("energy", "Energy of the bed: damping can only take", energy, |sample| sample.energy))
    .plot(study.accuracy())
    .plot(study.work())
    .plot(bonds)
    .parameters(json!({
        "common": Scene::parameters(), "gamma_n": DAMPING, "gamma_t": 0.0, "lift_d": LIFT, "spheres": 4000,
        "duration_t_c": study.duration, "sampling_t_c": SAMPLING,
        "reference": "velocity Verlet, h = t_c/160, in a quick run t_c/32",
    }));
    let claims = claims.into_iter().map(|claim| claim.shortened(cut)).chain(bonded);
    Ok(artifact.claims(claims))
}
