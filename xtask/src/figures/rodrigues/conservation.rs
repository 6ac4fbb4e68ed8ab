//! `[BG21]` Fig. 1, third and fourth panels, and a figure of our own: constants of motion of the pendulum.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Plot, Series};
use serde_json::json;

use super::method::Method;
use super::pendulum::Pendulum;
use crate::model::{Artifact, Claim, Context};

/// Function that returns a constant of motion of the pendulum.
type Quantity = fn(&Pendulum) -> f64;

/// Simulates the pendulum with the time step `h` (s), and returns the time and the deviation of `quantity` from its
/// initial value after every step.
fn deviations(method: Method, h: f64, steps: usize, quantity: impl Fn(&Pendulum) -> f64) -> Result<Vec<(f64, f64)>> {
    let mut pendulum = Pendulum::start()?;
    let mut map = method.integrator(h)?;
    let first = quantity(&pendulum);
    let mut points = vec![(0.0, 0.0)];
    for _ in 0..steps {
        pendulum.step(map.as_mut())?;
        points.push((pendulum.state.time(), quantity(&pendulum) - first));
    }
    Ok(points)
}

/// Returns the largest absolute deviation of a series.
fn largest(points: &[(f64, f64)]) -> f64 {
    points.iter().fold(0.0, |largest, &(_, deviation)| larger(largest, deviation.abs()))
}

/// Thins a series to about 500 points, each with the largest absolute deviation in its time window.
fn envelope(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let window = points.len().div_ceil(500);
    points.chunks(window).map(|chunk| (chunk[0].0, largest(chunk))).collect()
}

/// Returns a note on how many of the time steps a figure at quick effort takes; none at full effort.
fn cut(context: &Context) -> Option<&'static str> {
    context.pick(None, Some("1e4 of 1e5 steps"))
}

/// Makes the figure of one constant of motion: for each map the envelope of its deviation over time, and a claim.
fn constant(
    context: &Context,
    plot: Plot,
    caption: &str,
    quantity: Quantity,
    claim: impl Fn(Method, f64) -> Claim,
) -> Result<Artifact> {
    let steps = context.pick(100_000, 10_000);
    let h = 0.1;
    let mut plot = plot;
    let mut claims = Vec::new();
    context.progress.total(Method::ALL.len() as u64);
    for method in Method::ALL {
        let points = deviations(method, h, steps, quantity)?;
        claims.push(claim(method, largest(&points)));
        plot = plot.series(method.line(envelope(&points)));
        context.progress.advance(1);
    }
    let artifact = Artifact::new(caption)
        .plot(plot)
        .parameters(json!({ "pendulum": Pendulum::parameters(), "h_s": h, "steps": steps }));
    Ok(artifact.claims(claims).shortened(cut(context)))
}

/// Makes `[BG21]` Fig. 1, third panel: deviation of the spin of the pendulum along its arm.
pub(super) fn axial_spin(context: &Context) -> Result<Artifact> {
    let plot = Plot::semilog(
        "axial-spin",
        "Largest deviation of Rρ₀·Ω in each window, h = 0.1 s",
        ("time", "s"),
        ("|Rρ₀·Ω − (Rρ₀·Ω)₀|", "rad m/s"),
    );
    let caption = "The spin along the arm, whose torque vanishes. The explicit maps keep it to rounding; the implicit \
                   (26) does not.";
    constant(
        context,
        plot,
        caption,
        |pendulum| pendulum.arm().dot(pendulum.spin()),
        |method, value| {
            let text = format!("largest deviation of Rρ₀·Ω, {}", method.name());
            match method {
                Method::Rodrigues23 | Method::Rodrigues25 => {
                    Claim::as_paper(text, "exact, to machine precision", value, 0.0..=5e-13)
                }
                Method::Rodrigues27 => Claim::ours(text, value, 0.0..=5e-13),
                Method::ImplicitHalf | Method::Implicit => {
                    Claim::ours(format!("{text}: it is not conserved"), value, 0.17..=0.25)
                }
            }
        },
    )
}

/// Makes `[BG21]` Fig. 1, fourth panel: deviation of the length of the pendulum's arm.
pub(super) fn length(context: &Context) -> Result<Artifact> {
    let plot = Plot::linear(
        "length",
        "Largest deviation of |Rρ₀| in each window, h = 0.1 s",
        ("time", "s"),
        ("||Rρ₀| − 1|", "m"),
    );
    let caption = "A turn is a product of quaternions and a division by the length, which is one up to rounding; no \
                   matrix is projected. So the arm keeps its length with every map. Because rotating a vector divides \
                   by the length too, the length of the stored quaternion is a claim of its own.";
    let steps = context.pick(100_000, 10_000);
    let mut artifact = constant(
        context,
        plot,
        caption,
        |pendulum| pendulum.arm().length(),
        |method, value| {
            let text = format!("largest deviation of |Rρ₀|, {}", method.name());
            match method {
                Method::Rodrigues23 | Method::Rodrigues25 => {
                    Claim::as_paper(text, "exact, to machine precision", value, 0.0..=2e-15)
                }
                _ => Claim::ours(text, value, 0.0..=2e-15),
            }
        },
    )?;
    for method in Method::ALL {
        let excess = |pendulum: &Pendulum| pendulum.attitude().to_quaternion().length() - 1.0;
        let value = largest(&deviations(method, 0.1, steps, excess)?);
        let text = format!("largest deviation of the stored quaternion's length, {}", method.name());
        artifact = artifact.claim(Claim::ours(text, value, 0.0..=1e-15));
    }
    Ok(artifact.shortened(cut(context)))
}

/// Makes the figure of two modified energies of the pendulum that maps of `[BG21]` conserve exactly for any time step
/// h: E − h²|τ|²/8J by map (25) and E + h Ω·τ/2 by map (27), with energy E, torque τ, spin Ω and moment of inertia J.
/// Both hold for any potential that is linear in the rotation matrix.
pub(super) fn exact_energy(context: &Context) -> Result<Artifact> {
    let steps = context.pick(100_000, 10_000);
    let rodrigues25 = |h: f64| move |p: &Pendulum| p.energy() - h * h / 8.0 * p.torque().length_squared();
    let euler = |h: f64| move |p: &Pendulum| p.energy() + 0.5 * h * p.spin().dot(p.torque());
    let mut artifact = Artifact::new(
        "For a potential that is linear in R, which uniform gravity is, two of the maps have an exact invariant near the \
         energy. It follows from R' − R = h S(P)(R + R')/2 for the Cayley step and is not in the paper. Hence \
         |E − E₀| ≤ h²/16 along (25). The map (23) has no such invariant of this form.",
    )
    .parameters(json!({ "pendulum": Pendulum::parameters(), "h_s": [0.1, 0.5, 1.5], "steps": steps }));
    let mut plot =
        Plot::semilog("drift", "Largest deviation in each window, h = 0.1 s", ("time", "s"), ("|deviation|", "J"));
    context.progress.total(8);
    for h in [0.1, 0.5, 1.5] {
        for (name, method, points) in [
            ("E − h²|τ|²/8J of (25)", Method::Rodrigues25, deviations(Method::Rodrigues25, h, steps, rodrigues25(h))?),
            ("E + hΩ·τ/2 of (27)", Method::Rodrigues27, deviations(Method::Rodrigues27, h, steps, euler(h))?),
        ] {
            if h < 0.2 {
                plot = plot.series(Series::line(name, envelope(&points)).colour(method.colour()));
            }
            let text = format!("deviation of {name}, h = {h} s");
            artifact = artifact.claim(Claim::ours(text, largest(&points), 0.0..=2e-13));
            context.progress.advance(1);
        }
    }
    let energy = deviations(Method::Rodrigues25, 0.1, steps, Pendulum::energy)?;
    let none = deviations(Method::Rodrigues23, 0.1, steps, rodrigues25(0.1))?;
    plot = plot
        .series(Series::line("E of (25)", envelope(&energy)).colour(3))
        .series(Series::line("E − h²|τ|²/8J of (23)", envelope(&none)).colour(Method::Rodrigues23.colour()));
    context.progress.advance(2);
    let bound = 0.1 * 0.1 / 16.0;
    let claims = [
        Claim::ours("|E − E₀| of (25), at most h²/16, h = 0.1 s", largest(&energy), 0.99 * bound..=1.000_001 * bound),
        Claim::ours("(23) does not conserve the invariant of (25), h = 0.1 s", largest(&none), 7.5e-3..=7.7e-3),
    ];
    Ok(claims.into_iter().fold(artifact.plot(plot), Artifact::claim).shortened(cut(context)))
}
