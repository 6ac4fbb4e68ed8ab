//! `[BG21]` Fig. 1, first and second panels, and a figure of our own: convergence of the pendulum's motion over ten
//! seconds in the energy error (38), in the norm error (37), and in the distance between trajectories.
use grains_pages::plot::Plot;
use std::sync::Arc;

use anyhow::Result;
use rrp_integrate::{Explicit, Map};
use rrp_verify::{EnergyError, Motion, OrderFit, PathComparison, Trapezoid};
use serde_json::json;

use super::method::Method;
use super::pendulum::Pendulum;
use crate::model::{Artifact, Claim, Context, Measured};

/// Duration in s for which the pendulum is simulated.
const DURATION: f64 = 10.0;
/// Largest time step in s; the k-th time step is h = 0.2 s/2ᵏ.
const COARSEST: f64 = 0.2;
/// Number k of the smallest time step, h = 0.2 s/2ᵏ.
const FINEST: usize = 8;
/// Number k of the largest time step from which orders are fitted; larger steps are not yet asymptotic.
const FIT_FROM: usize = 3;
/// Number of time steps of the reference solution per smallest time step of the compared maps.
const REFINEMENT: usize = 64;

/// Relative errors of one map with the time step `h` (s): energy error (38), norm error (37), and distance from the
/// reference trajectory.
struct Errors {
    h: f64,
    energy: f64,
    norm: f64,
    distance: f64,
}

/// Returns the number of time steps of length `h` (s) in [`DURATION`].
fn steps(h: f64) -> usize {
    (DURATION / h).round() as usize
}

/// Errors of the pendulum's motion by one integration map for all time steps, the largest step first.
type Rungs = (Method, Vec<Errors>);
/// Errors of the pendulum's motion by all integration maps.
type Ladder = Vec<Rungs>;

/// Reference motion of the pendulum.
struct Exact {
    /// Attitude and spin after each of the smallest time steps of the compared maps.
    path: Vec<Motion>,
    /// Squared norm |q|² of the trajectory, `[BG21] (35)`.
    norm_squared: f64,
}

/// Computes a reference motion by velocity Verlet with `refinement` time steps per `finest` (s), the smallest time step
/// of the compared maps.
fn fine(finest: f64, refinement: usize) -> Result<Exact> {
    let mut pendulum = Pendulum::start()?;
    let h = finest / refinement as f64;
    let mut map = Explicit::new(Map::Verlet, h)?;
    let mut path = vec![pendulum.motion()];
    let mut norm = Trapezoid::new(h)?;
    norm.push(pendulum.motion().norm_squared());
    for _ in 0..steps(finest) {
        for _ in 0..refinement {
            pendulum.step(&mut map)?;
            norm.push(pendulum.motion().norm_squared());
        }
        path.push(pendulum.motion());
    }
    Ok(Exact { path, norm_squared: norm.integral() })
}

/// Computes the reference motion with a norm that is extrapolated from two time steps. The norm needs this accuracy
/// since the error (37) is the root of a difference of squared norms.
fn exact(finest: f64) -> Result<Exact> {
    let coarse = fine(finest, REFINEMENT / 2)?;
    let exact = fine(finest, REFINEMENT)?;
    let norm_squared = exact.norm_squared + (exact.norm_squared - coarse.norm_squared) / 3.0;
    Ok(Exact { norm_squared, ..exact })
}

/// Simulates the pendulum by one map with the time step `h` (s), and computes its errors against the reference.
fn errors(method: Method, h: f64, exact: &Exact) -> Result<Errors> {
    let mut pendulum = Pendulum::start()?;
    let mut map = method.integrator(h)?;
    let stride = (exact.path.len() - 1) / steps(h);
    let mut energy = EnergyError::new(h, pendulum.energy())?;
    let mut path = PathComparison::new(h)?;
    for k in 0..=steps(h) {
        if k > 0 {
            pendulum.step(map.as_mut())?;
        }
        energy.push(pendulum.energy());
        path.push(&[pendulum.motion()], &[exact.path[k * stride]])?;
    }
    // Errors are relative to the norm of the reference motion, not to that of its samples at the coarse times.
    let norm = rrp_verify::norm_error(path.norm_squared(), exact.norm_squared)?;
    let distance = (path.distance_squared() / exact.norm_squared).sqrt();
    Ok(Errors { h, energy: energy.error()?, norm, distance })
}

/// Returns the errors of all maps at all time steps, and the squared norm |q|² of the reference. They are computed once
/// for three figures.
fn ladder(context: &Context) -> Result<Arc<(Ladder, f64)>> {
    context.memo.get("ladder of the pendulum", || climb(context))
}

/// Computes the errors of all maps at all time steps, and the squared norm |q|² of the reference.
fn climb(context: &Context) -> Result<(Ladder, f64)> {
    let exact = exact(COARSEST / f64::from(1 << FINEST))?;
    context.progress.total(((FINEST + 1) * Method::ALL.len()) as u64);
    let mut ladder = Vec::new();
    for method in Method::ALL {
        let mut rows = Vec::new();
        for k in 0..=FINEST {
            rows.push(errors(method, COARSEST / f64::from(1 << k), &exact)?);
            context.progress.advance(1);
        }
        ladder.push((method, rows));
    }
    Ok((ladder, exact.norm_squared))
}

/// Returns one error measure of one map at the k-th time step.
fn rung(ladder: &[Rungs], method: Method, k: usize, measure: fn(&Errors) -> f64) -> f64 {
    ladder.iter().find(|(m, _)| *m == method).map_or(f64::NAN, |(_, rows)| measure(&rows[k]))
}

/// Makes the figure of one error measure over the time step, and claims the order of `what` for each map.
fn figure(
    ladder: &[Rungs],
    plot: Plot,
    caption: &str,
    what: &str,
    measure: fn(&Errors) -> f64,
    claim: fn(Method, String, Measured) -> Claim,
) -> Result<Artifact> {
    let mut plot = plot;
    let mut artifact = Artifact::new(caption).parameters(parameters());
    for (method, rows) in ladder {
        let points: Vec<(f64, f64)> = rows.iter().map(|row| (row.h, measure(row))).collect();
        let order = OrderFit::new(1e-13)?.fit(&points[FIT_FROM..])?;
        let text = format!("order of the {what} of {}", method.name());
        artifact = artifact.claim(claim(*method, text, order.into()));
        plot = plot.series(method.line(points).marker(method.marker()));
    }
    Ok(artifact.plot(plot))
}

fn parameters() -> serde_json::Value {
    json!({
        "pendulum": Pendulum::parameters(), "duration_s": DURATION, "steps": "h = 0.2/2^k s, k = 0..8",
        "orders_fitted_to_k": [FIT_FROM, FINEST],
        "reference": "velocity Verlet, steps 64 times below the finest; its norm extrapolated with that at 32 times",
    })
}

/// Returns the range that claims accept for this order, 0.05 to either side.
fn near(order: f64) -> std::ops::RangeInclusive<f64> {
    order - 0.05..=order + 0.05
}

/// Makes `[BG21]` Fig. 1, first panel: energy error of the pendulum over the time step.
pub(super) fn energy(context: &Context) -> Result<Artifact> {
    let ladder = &ladder(context)?.0;
    let plot = Plot::loglog("energy", "Energy error (38), T = 10 s", ("time step h", "s"), ("E-error", ""))
        .slope(2.0)
        .slope(1.0);
    let caption = "Root mean square of the energy error over ten seconds, relative to the initial energy, against the \
                   time step. (23) and (25) are the maps of the paper's figure; (27) and the implicit (26) are beside \
                   them.";
    let artifact = figure(
        ladder,
        plot,
        caption,
        "E-error",
        |row| row.energy,
        |method, text, order| match method {
            Method::Rodrigues23 | Method::Rodrigues25 => {
                Claim::as_paper(text, "quadratic convergence", order, near(2.0))
            }
            Method::Rodrigues27 => Claim::as_paper(text, "a first-order time integrator", order, near(1.0)),
            Method::ImplicitHalf | Method::Implicit => Claim::ours(text, order, near(1.0)),
        },
    )?;
    // Values at h = 0.1 from an independent computation with 30 digits, to 1e-6.
    let exact = [
        (Method::Rodrigues23, 4.424_357e-3..=4.424_365e-3),
        (Method::Rodrigues25, 5.047_310e-4..=5.047_320e-4),
        (Method::Rodrigues27, 5.564_276e-2..=5.564_286e-2),
    ];
    Ok(artifact.claims(exact.map(|(method, range)| {
        let value = rung(ladder, method, 1, |row| row.energy);
        Claim::ours(format!("E-error of {} at h = 0.1", method.name()), value, range)
    })))
}

/// Makes `[BG21]` Fig. 1, second panel: the paper's norm error of the trajectory over the time step.
pub(super) fn norm(context: &Context) -> Result<Artifact> {
    let plot =
        Plot::loglog("norm", "q-error (37), T = 10 s", ("time step h", "s"), ("q-error", "")).slope(1.0).slope(0.5);
    let (ladder, norm_squared) = &*ladder(context)?;
    let caption = "The paper's error of the trajectory, the root of the difference of two squared norms. A map of order p \
                   shows as p/2 here: the slope one of the second-order maps is an artefact of the measure. Their true \
                   distance from the exact trajectory is in the figure bg21-h1.";
    let artifact = figure(
        ladder,
        plot,
        caption,
        "q-error (37)",
        |row| row.norm,
        |method, text, order| match method {
            Method::Rodrigues23 => Claim::as_paper(text, "linear convergence of trajectories", order, near(1.03)),
            Method::Rodrigues25 => Claim::as_paper(text, "linear convergence of trajectories", order, near(1.0)),
            _ => Claim::ours(text, order, near(0.5)),
        },
    )?;
    // An adaptive Runge-Kutta method with the quadrature split at half turns, where θ folds, gives …074 41.
    Ok(artifact.claim(Claim::ours("|q|² over ten seconds", *norm_squared, 66.863_016_074..=66.863_016_075)))
}

/// Makes the figure of the distance of computed trajectories from the reference: the norm (35) of `[BG21]`, applied to
/// the difference of both.
pub(super) fn distance(context: &Context) -> Result<Artifact> {
    let title = "True H¹ distance, T = 10 s";
    let plot = Plot::loglog("distance", title, ("time step h", "s"), ("H¹ distance", "")).slope(2.0).slope(1.0);
    let caption = "Distance of the computed trajectory from the exact one, relative to the norm of the exact one: \
                   relative rotation angle and difference of angular velocities. This is what order of accuracy means.";
    let ladder = &ladder(context)?.0;
    figure(
        ladder,
        plot,
        caption,
        "true H¹ distance",
        |row| row.distance,
        |method, text, order| match method {
            Method::Rodrigues23 | Method::Rodrigues25 => Claim::paper_differs(
                text,
                "linear convergence of trajectories in the H¹ norm",
                "quadratic; linear is what (37) makes of it",
                order,
                near(2.0),
            ),
            _ => Claim::ours(text, order, near(0.99)),
        },
    )
}
