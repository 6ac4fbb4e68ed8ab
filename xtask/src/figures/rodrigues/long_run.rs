//! Figure of the pendulum over ten million time steps: bounds and secular slopes of its energy and spin.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::Plot;
use rayon::prelude::*;
use rrp_verify::{ConservationMonitor, ConservationReport};
use serde_json::json;

use super::method::Method;
use super::pendulum::Pendulum;
use crate::model::{Artifact, Claim, Context};

/// Time step in s with which the pendulum is simulated.
const H: f64 = 0.1;

/// Conservation of energy, of the spin along the arm and of the vertical spin in a simulation by one map.
struct Run {
    method: Method,
    energy: ConservationReport,
    axial_spin: ConservationReport,
    vertical_spin: ConservationReport,
    /// Time in s, and largest energy error |E − E₀| in J, of each of two hundred time windows.
    envelope: Vec<(f64, f64)>,
}

/// Simulates the pendulum by one map for this number of time steps.
fn long_run(context: &Context, method: Method, steps: usize) -> Result<Run> {
    let mut pendulum = Pendulum::start()?;
    let mut map = method.integrator(H)?;
    let mut monitors = [ConservationMonitor::new(), ConservationMonitor::new(), ConservationMonitor::new()];
    let window = steps / 200;
    let first = pendulum.energy();
    let mut envelope = Vec::new();
    let mut largest = 0.0_f64;
    for k in 0..=steps {
        if k > 0 {
            pendulum.step(map.as_mut())?;
        }
        let time = pendulum.state.time();
        let energy = pendulum.energy();
        let spin = pendulum.spin();
        for (monitor, value) in monitors.iter_mut().zip([energy, pendulum.arm().dot(spin), spin.z]) {
            monitor.push(time, value);
        }
        largest = larger(largest, (energy - first).abs());
        if (k + 1) % window == 0 {
            envelope.push((time, std::mem::take(&mut largest)));
            context.progress.advance(1);
        }
    }
    let [energy, axial_spin, vertical_spin] = &monitors;
    Ok(Run {
        method,
        energy: energy.report()?,
        axial_spin: axial_spin.report()?,
        vertical_spin: vertical_spin.report()?,
        envelope,
    })
}

/// Makes the figure of the energy error of the pendulum over 1e7 time steps. By backward error analysis the energy
/// error of a symplectic map is bounded for exponentially long times.
pub(super) fn slopes(context: &Context) -> Result<Artifact> {
    let steps = context.pick(10_000_000, 200_000);
    context.progress.total(600);
    let runs =
        Method::EXPLICIT.par_iter().map(|&method| long_run(context, method, steps)).collect::<Result<Vec<_>>>()?;
    let shortened = context.pick(None, Some("2e5 of 1e7 steps"));
    let mut plot =
        Plot::semilog("envelope", "Largest energy error of each window, h = 0.1 s", ("time", "s"), ("|E − E₀|", "J"));
    let mut artifact = Artifact::new(
        "Bound and secular slope are separate findings. The slope is that of a line through batch means, its standard \
         error takes the correlation of an oscillating signal into account.",
    )
    .parameters(json!({ "pendulum": Pendulum::parameters(), "h_s": H, "steps": steps }));
    for run in &runs {
        let name = run.method.name();
        plot = plot.series(run.method.line(run.envelope.iter().copied()));
        let bound = match run.method {
            Method::Rodrigues23 => 8.22e-3,
            Method::Rodrigues25 => 6.25e-4,
            _ => 7.09e-2,
        };
        let energy = &run.energy;
        let claims = [
            Claim::as_paper(
                format!("largest |E − E₀|, {name}"),
                "the energy error is bounded",
                energy.largest_deviation,
                0.99 * bound..=1.01 * bound,
            )
            .unit("J"),
            Claim::as_paper(
                format!("largest |E − E₀| of the last 5 % over that of the first 5 %, {name}"),
                "and does not exhibit a drift",
                energy.last_window / energy.first_window,
                0.999..=1.001,
            ),
            Claim::as_paper(
                format!("|slope| in standard errors, {name}"),
                "and does not exhibit a drift",
                energy.slope.abs() / energy.slope_error,
                0.0..=5.0,
            ),
            Claim::ours(
                format!("|slope| × duration over the largest |E − E₀|, {name}"),
                energy.secular_change().abs() / energy.largest_deviation,
                0.0..=1e-4,
            ),
            Claim::as_paper(
                format!("largest deviation of Rρ₀·Ω, {name}"),
                "exact, to machine precision",
                run.axial_spin.largest_deviation,
                0.0..=5e-13,
            ),
            Claim::ours(
                format!("largest deviation of Ω·e₃, {name}: conserved, not listed by the paper"),
                run.vertical_spin.largest_deviation,
                0.0..=1e-15,
            ),
        ];
        artifact = claims.into_iter().fold(artifact, |artifact, claim| artifact.claim(claim.shortened(shortened)));
    }
    Ok(artifact.plot(plot))
}
