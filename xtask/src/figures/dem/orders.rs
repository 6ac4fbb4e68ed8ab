//! Figure of the orders of accuracy of the schemes within one contact of two spheres.
use anyhow::Result;
use grains_pages::plot::Plot;
use rrp_geom::glam::DVec3;
use rrp_verify::OrderFit;
use serde_json::json;

use super::exact::CentralImpact;
use super::run::Run;
use super::scene::{STIFFNESS, Scene, contact_time};
use super::scheme::Scheme;
use crate::model::{Artifact, Claim, Context, Measured};

/// Numbers of time steps h in the contact time `t_c` for which errors are computed.
const STEPS: [usize; 6] = [16, 32, 64, 128, 256, 512];
/// Normal damping rate `γ_n` of the damped contact in √(g/d).
const DAMPING: f64 = 60.0;
/// Time after the touch in contact times `t_c` at which undamped velocities are compared; the spheres separate at one.
const SHARE: f64 = 0.9;

/// Simulates the contact of two spheres from the touch for the time `share` (in `t_c`) in `steps` time steps, and
/// returns the error of the velocity in √(g d) against the closed solution.
fn error(scheme: Scheme, damping: f64, share: f64, steps: usize) -> Result<f64> {
    let scene = Scene::spheres(&[(DVec3::X * 0.5, -DVec3::X), (DVec3::X * -0.5, DVec3::X)])?.damped(damping);
    let time = share * contact_time();
    let mut run = Run::new(scene, scheme, time / steps as f64)?;
    for _ in 0..steps {
        run.step()?;
    }
    let exact = CentralImpact { stiffness: STIFFNESS, damping, speed: 1.0 };
    Ok((run.state.velocity().get(0).x - exact.velocity(time)).abs())
}

/// Plots the velocity errors of all schemes over the time step, and returns the fitted order of each scheme.
fn panel(id: &'static str, title: String, damping: f64, share: f64) -> Result<(Plot, Vec<(Scheme, Measured)>)> {
    let mut plot = Plot::loglog(id, title, ("h/t_c", ""), ("error of the velocity", "√(g d)"));
    let mut orders = Vec::new();
    for scheme in Scheme::ALL {
        let rung = |&steps: &usize| Ok((share / steps as f64, error(scheme, damping, share, steps)?));
        let points = STEPS.iter().map(rung).collect::<Result<Vec<_>>>()?;
        orders.push((scheme, OrderFit::new(1e-13)?.fit(&points)?.into()));
        plot = plot.series(scheme.line(points).marker(scheme.marker()));
    }
    Ok((plot.slope(1.0).slope(2.0), orders))
}

/// Makes the figure of orders within one contact, which `[DK21]` does not measure.
pub(super) fn inside_a_contact(_: &Context) -> Result<Artifact> {
    let (damped, with) = panel("damped", format!("Inside one contact, γ_n = {DAMPING}, at s = t_c"), DAMPING, 1.0)?;
    let (undamped, without) = panel("undamped", "Inside one contact, undamped, at s = 0.9 t_c".into(), 0.0, SHARE)?;
    let mut artifact = Artifact::new(
        "From the touch on, so that no kink of the law is crossed. Without damping all schemes but α = 0 are of second \
         order. With it the printed form (13)-(16) falls back to the first order: the momentum (16) that it hands on \
         carries no share of the damping, and Q^p takes it at the start of the next step instead. In the form of Marsden \
         and West both ends of the step carry half of it, and the order is two; that form is the default. Velocity Verlet \
         takes the damping at the half-kicked velocity, as LAMMPS does: order one.",
    )
    .parameters(json!({ "common": Scene::parameters(), "gamma_n": DAMPING, "t_c_over_h": STEPS }))
    .plot(damped)
    .plot(undamped);
    for (scheme, mut order) in with {
        let mut text = format!("order of the velocity with damping, {}", scheme.name());
        if scheme == Scheme::Verlet {
            // At t_c the second-order error of velocity Verlet hides the first-order one until steps are very small.
            let rung = |&steps: &usize| Ok((1.0 / steps as f64, error(scheme, DAMPING, SHARE, steps)?));
            let points = STEPS[2..].iter().map(rung).collect::<Result<Vec<_>>>()?;
            order = OrderFit::new(1e-13)?.fit(&points)?.into();
            text += ", from t_c/64 on, at s = 0.9 t_c";
        }
        artifact = artifact.claim(match scheme {
            Scheme::Printed => Claim::paper_differs(
                text,
                "α = 1/2 gives a second-order integrator",
                "the printed form is of first order as soon as Q ≠ 0",
                order,
                0.95..=1.05,
            ),
            Scheme::Midpoint => Claim::as_paper(text, "α = 1/2 gives a second-order integrator", order, 1.95..=2.05),
            Scheme::First => {
                Claim::as_paper(text, "α = 0 leads to a first-order accurate integrator", order, 0.95..=1.05)
            }
            Scheme::Verlet | Scheme::AlgorithmOne => Claim::ours(text, order, 0.9..=1.1),
            Scheme::ExactEnergy => Claim::ours(text, order, 1.95..=2.05),
        });
    }
    for (scheme, order) in without {
        let text = format!("order of the velocity without damping, {}", scheme.name());
        artifact = artifact.claim(match scheme {
            Scheme::First => {
                Claim::as_paper(text, "α = 0 leads to a first-order accurate integrator", order, 0.95..=1.05)
            }
            Scheme::Printed | Scheme::Midpoint => {
                Claim::as_paper(text, "α = 1/2 gives a second-order integrator", order, 1.95..=2.05)
            }
            _ => Claim::ours(text, order, 1.95..=2.05),
        });
    }
    Ok(artifact)
}
