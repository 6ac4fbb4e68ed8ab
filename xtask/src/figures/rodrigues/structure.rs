//! Figures of the symplecticity and reversibility of the maps of `[BG21]` for the pendulum.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::Plot;
use rrp_geom::RodriguesVector;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Integrator, State};
use rrp_verify::{SymplecticReport, reversal_defect, symplectic_report};
use serde_json::json;

use super::method::Method;
use super::pendulum::Pendulum;
use crate::model::{Artifact, Claim, Context};

/// Rescaled Rodrigues vector of the attitude at which the derivative of a step is taken. The pendulum is on its stable
/// side there, away from any symmetry that could hide errors.
const ALPHA: DVec3 = DVec3::new(0.3, -0.6, 0.5);
/// Angular momentum of the pendulum in kg m²/s at which the derivative of a step is taken.
const MOMENTUM: DVec3 = DVec3::new(0.5, 0.2, -0.3);

/// Takes one step of the pendulum in canonical coordinates. `z` and `out` hold the Rodrigues vector α and its momentum
/// p = Tᵀ L, where L is the angular momentum and T turns α̇ into the angular velocity; `out` is NaN after a failed
/// step.
fn canonical_step(pendulum: &mut Pendulum, map: &mut dyn Integrator, z: &[f64], out: &mut [f64]) {
    let mut take = || {
        let alpha = RodriguesVector::new(DVec3::from_slice(&z[..3])).ok()?;
        let momentum = alpha.tangent_inverse().transpose() * DVec3::from_slice(&z[3..]);
        pendulum.state.attitude_mut().set(0, alpha.attitude());
        pendulum.state.angular_momentum_mut().set(0, momentum);
        pendulum.step(map).ok()?;
        let alpha = pendulum.attitude().to_rodrigues()?;
        let momentum = alpha.tangent().transpose() * pendulum.state.angular_momentum().get(0);
        Some((alpha.vector(), momentum))
    };
    let (alpha, momentum) = take().unwrap_or((DVec3::NAN, DVec3::NAN));
    out[..3].copy_from_slice(&alpha.to_array());
    out[3..].copy_from_slice(&momentum.to_array());
}

/// Measures how far one step of a map with the time step `h` (s) is from being symplectic.
fn report(method: Method, h: f64) -> Result<SymplecticReport> {
    let mut pendulum = Pendulum::start()?;
    let mut map = method.integrator(h)?;
    let alpha = RodriguesVector::new(ALPHA)?;
    let momentum = alpha.tangent().transpose() * MOMENTUM;
    let point = [alpha.vector().to_array(), momentum.to_array()].concat();
    Ok(symplectic_report(&point, |z, out| canonical_step(&mut pendulum, map.as_mut(), z, out))?)
}

/// Makes the figure of the symplectic defect of one step of each map over the time step.
pub(super) fn symplectic(context: &Context) -> Result<Artifact> {
    let steps = [0.025, 0.05, 0.1, 0.2, 0.3, 0.5];
    let mut plot =
        Plot::loglog("defect", "Symplectic defect of one step", ("time step h", "s"), ("max |Dᵀ W D − W|", ""));
    let mut artifact = Artifact::new(
        "D is the derivative of one step in the canonical coordinates α and p = Tᵀ JΩ, by extrapolated central \
         differences; what the explicit maps show is the error of the differences. The implicit map is not symplectic \
         for φ < 1: it shrinks volumes in phase space here, on the stable side, and swells them on the other.",
    );
    context.progress.total((Method::ALL.len() * steps.len()) as u64);
    for method in Method::ALL {
        let mut points = Vec::new();
        for h in steps {
            let report = report(method, h)?;
            points.push((h, report.defect));
            context.progress.advance(1);
            if (h - 0.3).abs() > 1e-9 {
                continue;
            }
            let name = method.name();
            let defect = format!("symplectic defect of {name}, h = 0.3 s");
            let determinant = format!("det D of {name}, h = 0.3 s");
            let claims = match method {
                Method::ImplicitHalf => [
                    Claim::ours(format!("{defect}: it is not symplectic"), report.defect, 1e-2..=1.0),
                    Claim::ours(format!("{determinant}: volumes shrink"), report.determinant, 0.0..=0.97),
                ],
                Method::Implicit => [
                    Claim::ours(format!("{defect}: it is not symplectic"), report.defect, 1e-2..=1.0),
                    Claim::ours(format!("{determinant}: volumes shrink"), report.determinant, 0.0..=0.94),
                ],
                _ => [
                    Claim::as_paper(defect, "a variational time integrator", report.defect, 0.0..=1e-10),
                    Claim::ours(determinant, report.determinant, 1.0 - 1e-10..=1.0 + 1e-10),
                ],
            };
            artifact = artifact.claims(claims);
        }
        plot = plot.series(method.line(points).marker(method.marker()));
    }
    Ok(artifact.plot(plot).parameters(json!({
 "pendulum": Pendulum::parameters(), "alpha": ALPHA.to_array(), "angular_momentum": MOMENTUM.to_array(), "h_s": steps,
 })))
}

/// Takes N time steps, reverses the momenta, takes N more and reverses them again; returns the distance from the start,
/// which is the angle in rad or the largest component of the angular velocity in rad/s, whichever is larger.
fn reversal_after(method: Method, h: f64, steps: u64) -> Result<f64> {
    let Pendulum { bodies, mut weight, state } = Pendulum::start()?;
    let mut map = method.integrator(h)?;
    let distance = |a: &State, b: &State| {
        let angle = a.attitude().get(0).angle_to(b.attitude().get(0));
        larger(angle, (a.spin(&bodies, 0) - b.spin(&bodies, 0)).abs().max_element())
    };
    let step = |state: &mut State| map.step(&bodies, &mut weight, state).map(drop);
    Ok(reversal_defect(&state, steps, step, State::reverse, distance)?)
}

/// Makes the figure of the pendulum's distance from the start after N steps forwards and N steps backwards by each map.
pub(super) fn reversal(context: &Context) -> Result<Artifact> {
    let h = 0.1;
    let counts = [1, 3, 10, 30, 100, 300, 1000];
    // h²|τ₀| to leading order, with |τ₀| = sin(π/4).
    let one_step = 0.98 * h * h * std::f64::consts::FRAC_1_SQRT_2..=1.02 * h * h * std::f64::consts::FRAC_1_SQRT_2;
    let mut plot = Plot::loglog(
        "return",
        "Miss after N steps there and back, h = 0.1 s",
        ("steps N", ""),
        ("distance from the start", "rad, rad/s"),
    );
    let mut artifact =
        Artifact::new("A reversible map returns to the start, up to rounding, when all momenta are turned around.");
    context.progress.total((Method::ALL.len() * counts.len()) as u64);
    for method in Method::ALL {
        let mut points = Vec::new();
        for count in counts {
            points.push((count as f64, reversal_after(method, h, count)?));
            context.progress.advance(1);
        }
        let one = points[0].1;
        let thousand = points[counts.len() - 1].1;
        let name = method.name();
        artifact = artifact.claim(match method {
            Method::Rodrigues23 | Method::Rodrigues25 => Claim::as_paper(
                format!("miss of {name} after 1000 steps"),
                "symmetry or time-reversibility follows directly",
                thousand,
                0.0..=1e-12,
            ),
            Method::Rodrigues27 => Claim::paper_differs(
                format!("miss of {name} after one step"),
                "reversibility follows from the discrete Lagrangian map",
                "(27) is variational, but not reversible",
                one,
                one_step.clone(),
            ),
            _ => Claim::ours(format!("miss of {name} after one step: not reversible"), one, one_step.clone()),
        });
        plot = plot.series(method.line(points).marker(method.marker()));
    }
    Ok(artifact.plot(plot).parameters(json!({ "pendulum": Pendulum::parameters(), "h_s": h })))
}
