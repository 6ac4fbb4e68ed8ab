//! `[DK21]` Fig. 3: Hamilton's principle, drawn, and tested on the discrete path of a sphere that hits a wall.
use grains_pages::number::larger;
use grains_pages::plot::Plot;
use std::f64::consts::PI;

use anyhow::Result;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use serde_json::json;

use super::run::Run;
use super::scene::{STIFFNESS, Scene, contact_time};
use super::scheme::Scheme;
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, INK};

const BLUE: &str = "#0072B2";
/// Number of time steps in the simulated impact of a sphere on a wall.
const STEPS: usize = 32;

/// Draws continuous and discrete paths between fixed ends, each with two variations.
fn drawing() -> Drawing {
    let mut drawing = Drawing::new("principle", "Hamilton's principle, continuous and discrete", (640.0, 290.0));
    let path = |left: f64, s: f64, bulge: f64| {
        let height =
            56.0 + 92.0 * s + 46.0 * (PI * s).sin() + bulge * (PI * s).sin() + 0.3 * bulge * (2.0 * PI * s).sin();
        (left + 40.0 + 210.0 * s, 262.0 - height)
    };
    for (panel, name) in ["(a) all paths q(t): δS = 0", "(b) paths of steps q_k: dS_d = 0"].into_iter().enumerate() {
        let left = 20.0 + 310.0 * panel as f64;
        drawing = drawing.text((left + 150.0, 52.0), name, 14.0, "middle", INK, true);
        drawing = drawing.arrow((left + 20.0, 242.0), (left + 280.0, 242.0), FAINT).arrow(
            (left + 20.0, 242.0),
            (left + 20.0, 76.0),
            FAINT,
        );
        drawing = drawing.text((left + 282.0, 258.0), "t", 13.0, "end", FAINT, false);
        drawing = drawing.text((left + 8.0, 88.0), "q", 13.0, "middle", FAINT, false);
        let pieces = if panel == 0 { 60 } else { 7 };
        let at = |k: usize, bulge: f64| path(left, k as f64 / pieces as f64, bulge);
        for (bulge, colour, width) in [(-30.0, FAINT, 1.2), (27.0, FAINT, 1.2), (0.0, BLUE, 2.4)] {
            for k in 0..pieces {
                drawing = drawing.line(at(k, bulge), at(k + 1, bulge), width, colour, "none");
            }
            for k in (0..=pieces).filter(|_| panel == 1) {
                drawing = drawing.circle(at(k, bulge), if bulge.abs() > 0.0 { 2.5 } else { 4.0 }, colour, "none");
            }
        }
        let first = at(0, 0.0);
        let last = at(pieces, 0.0);
        let ends = if panel == 0 { ["q(t_i)", "q(t_f)"] } else { ["q₀", "q_N"] };
        for (end, name, side) in [(first, ends[0], 1.0), (last, ends[1], -1.0)] {
            drawing = drawing.circle(end, 5.0, INK, "none");
            drawing = drawing.text((end.0 + side * 4.0, end.1 + 20.0), name, 13.0, "middle", INK, false);
        }
        let middle = at(pieces / 2, 27.0);
        drawing = drawing.text((middle.0 - 16.0, middle.1 + 2.0), "q + δq", 13.0, "end", FAINT, false);
    }
    drawing
}

/// Simulates a sphere that hits a wall, from touch to release, and returns the time step and the positions in d.
fn path(scheme: Scheme) -> Result<(f64, Vec<f64>)> {
    let mut scene = Scene::spheres(&[(DVec3::ZERO, DVec3::NEG_X)])?;
    scene.walls = vec![Wall::plane(DVec3::X * -0.5, DVec3::X)];
    let h = 0.999 * 2f64.sqrt() * contact_time() / STEPS as f64;
    let mut run = Run::new(scene, scheme, h)?;
    let mut places = vec![0.0];
    for _ in 0..STEPS {
        run.step()?;
        places.push(run.state.position().get(0).x);
    }
    Ok((h, places))
}

/// Computes the discrete action, `[DK21] (3)` with the Lagrangian (28), of a sphere at a wall. The potential is
/// evaluated at the point that divides each step of length h in the ratio `alpha`.
fn action(alpha: f64, h: f64, places: &[f64]) -> f64 {
    let term = |pair: &[f64]| {
        let v = (pair[1] - pair[0]) / h;
        let x = (1.0 - alpha) * pair[0] + alpha * pair[1];
        h * (0.5 * v * v - 0.5 * STIFFNESS * x.min(0.0).powi(2))
    };
    places.windows(2).map(term).sum()
}

/// Varies a path by a bump of height `amplitude` (d) that leaves both ends fixed.
fn varied(places: &[f64], amplitude: f64) -> Vec<f64> {
    let wave = |k: usize| amplitude * (PI * k as f64 / STEPS as f64).sin().powi(2);
    places.iter().enumerate().map(|(k, x)| x + wave(k)).collect()
}

/// Makes `[DK21]` Fig. 3, the action principle.
pub(super) fn action_principle(_: &Context) -> Result<Artifact> {
    let mut plot = Plot::loglog(
        "action",
        "Change of the discrete action with a variation of the path",
        ("amplitude of the variation", "d"),
        ("|S_d(q + εη) − S_d(q)|", "m d √(g d)"),
    );
    let mut artifact = Artifact::new(
        "Of all paths between two places, that which a system takes makes the action stationary; of all sequences of steps, \
         that which a variational integrator takes makes the discrete action (3) stationary. The plot shows it for a sphere \
         that runs into a wall, h = t/32: about the path of the integrator the action changes with the square of the \
         variation, about the path of another one, or of other steps, in proportion to it.",
    )
    .drawing(drawing())
    .parameters(json!({ "common": Scene::parameters(), "steps": STEPS, "h": "0.999 √2 t_c/32", "variation": "ε sin²(π k/32)" }));
    for (scheme, alpha) in [(Scheme::Midpoint, 0.5), (Scheme::First, 0.0)] {
        let (h, places) = path(scheme)?;
        let change = |sign: f64, amplitude: f64, alpha: f64| {
            action(alpha, h, &varied(&places, sign * amplitude)) - action(alpha, h, &places)
        };
        let amplitudes = (-24..=-8).map(|k| 10f64.powf(0.25 * f64::from(k)));
        let own = amplitudes.clone().map(|e| (e, change(1.0, e, alpha).abs()));
        let other = amplitudes.map(|e| (e, change(1.0, e, 0.5 - alpha).abs()));
        plot = plot.series(scheme.line(own).marker(scheme.marker()));
        let name = format!("path of {}, action of α = {}", scheme.name(), 0.5 - alpha);
        plot = plot.series(grains_pages::plot::Series::line(name, other).colour(scheme.colour() + 3));
        // |dS/dε| by central differences, which cancel the second order.
        let slope = |alpha: f64| ((change(1.0, 1e-6, alpha) - change(-1.0, 1e-6, alpha)) / 2e-6).abs();
        let text = format!(
            "|dS_d/dε| on the path of {}, its own action, over that with the action of α = {}",
            scheme.name(),
            0.5 - alpha
        );
        artifact = artifact.claim(Claim::as_paper(
            text,
            "variational integrators are the discrete realisation of Hamilton's principle",
            larger(slope(alpha) / slope(0.5 - alpha), 0.0),
            0.0..=1e-6,
        ));
    }
    Ok(artifact.plot(plot.slope(1.0).slope(2.0)))
}
