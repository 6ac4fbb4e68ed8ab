//! `[DK21]` Fig. 5: drawings of the initial configurations of all tests.
use anyhow::Result;
use grains_pages::number::larger;
use rrp_geom::glam::DVec3;
use serde_json::json;

use super::filling::Filling;
use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;
use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, INK, View, edges};

const BLUE: &str = "#0072B2";
const BALL: &str = "<defs><radialGradient id=\"grain\" cx=\"0.36\" cy=\"0.32\" r=\"0.75\"><stop offset=\"0\" stop-color=\"#fff\"/>\
     <stop offset=\"0.35\" stop-color=\"#56B4E9\"/><stop offset=\"1\" stop-color=\"#004B75\"/></radialGradient></defs>\n";
const GRAIN: &str = "url(#grain)";

/// Draws the tests with few spheres: (a) two colliding spheres, (b) a sphere between two walls, (c) a bonded pair that
/// is hit.
fn few() -> Drawing {
    let size = (640.0, 250.0);
    let radius = 34.0;
    let mut drawing = Drawing::new("few", "Configurations of the tests with few spheres", size).raw(BALL);
    let sphere = |drawing: Drawing, x: f64, y: f64, velocity: f64| {
        let drawing = drawing.circle((x, y), radius, GRAIN, "none");
        drawing.arrow((x, y), (x + 46.0 * velocity, y), INK)
    };
    // (a)
    drawing = drawing.text((120.0, 62.0), "(a) impact", 14.0, "middle", INK, true);
    drawing = sphere(sphere(drawing, 60.0, 164.0, 1.0), 180.0, 134.0, -1.0);
    for y in [134.0, 164.0] {
        drawing = drawing.line((44.0, y), (226.0, y), 1.0, FAINT, "4 4");
    }
    drawing = drawing.text((230.0, 153.0), "Δy", 13.0, "start", FAINT, false);
    drawing = drawing.text((120.0, 222.0), "x = ±d, velocities ∓v", 12.0, "middle", FAINT, false);
    // (b)
    drawing = drawing.text((340.0, 62.0), "(b) between walls", 14.0, "middle", INK, true);
    drawing = sphere(drawing, 340.0, 149.0, 1.0);
    for side in [-1.0, 1.0] {
        let x = 340.0 + side * (radius + 3.0);
        drawing = drawing.line((x, 92.0), (x, 200.0), 3.0, INK, "none");
    }
    drawing = drawing.text((340.0, 222.0), "1.01 d apart, gap not to scale", 12.0, "middle", FAINT, false);
    // (c)
    drawing = drawing.text((535.0, 62.0), "(c) bonded pair", 14.0, "middle", INK, true);
    let first = (515.0, 142.0);
    let second = (467.0, 190.0);
    let third = (597.0, 134.0);
    drawing = sphere(sphere(sphere(drawing, first.0, first.1, 1.0), second.0, second.1, 1.0), third.0, third.1, -1.0);
    drawing = drawing.line(first, second, 4.0, BLUE, "none");
    for (name, place) in [("1", first), ("2", second), ("3", third)] {
        drawing = drawing.text((place.0 - 6.0, place.1 - 12.0), name, 13.0, "middle", INK, true);
    }
    drawing.text((632.0, 240.0), "bond where |δ| < d/100 at the start", 12.0, "end", FAINT, false)
}

/// Draws the spheres in the box at several times, seen along y, from the farthest sphere to the nearest.
fn filling(frames: &[(f64, Vec<DVec3>)]) -> Drawing {
    let scale = 9.0;
    let floor = 446.0;
    let width = 6.0;
    let mut drawing =
        Drawing::new("box", "(d) 218 spheres settle in a box of 6 d × 6 d, seen from the side", (640.0, 480.0))
            .raw(BALL);
    for (k, (time, places)) in frames.iter().enumerate() {
        let left = 62.0 + 150.0 * k as f64;
        let at = |x: f64, z: f64| (left + scale * x, floor - scale * z);
        let mut order: Vec<&DVec3> = places.iter().collect();
        order.sort_by(|a, b| b.y.total_cmp(&a.y));
        for place in order {
            drawing = drawing.circle(at(place.x, place.z), 0.5 * scale, GRAIN, "none");
        }
        for x in [0.0, width] {
            drawing = drawing.line(at(x, 0.0), at(x, 43.0), 1.5, INK, "none");
        }
        drawing = drawing.line(at(0.0, 0.0), at(width, 0.0), 1.5, INK, "none");
        let heading = format!("t = {time:.0}");
        drawing = drawing.text(at(0.5 * width, -2.2), &heading, 13.0, "middle", FAINT, false);
    }
    drawing
}

/// Makes `[DK21]` Fig. 5, the configurations of the tests.
pub(super) fn all(context: &Context) -> Result<Artifact> {
    let (per_contact, cut) = context.pick((16, None), (8, Some("t_c/8 instead of t_c/16")));
    let times = [0.0, 2.0, 4.0, 20.0];
    let mut view = View::grains("box-view", "218 spheres fall into the box", 0.5, 0).scale("speed [√(g d)]", 5.0);
    let mut run = Run::new(Filling::ALL[0].scene()?, Scheme::Verlet, contact_time() / f64::from(per_contact))?;
    let mut frames = Vec::new();
    let mut shown = 0.0;
    for time in times {
        loop {
            // Frames are dense at first, since the spheres are at rest long before the end.
            if run.state.time() >= shown {
                view = view.frame(Shot::of(&run.state).frame(format!("t = {:.1} √(d/g)", run.state.time())));
                shown += if shown < 6.0 { 0.1 } else { 2.0 };
            }
            if run.state.time() >= time {
                break;
            }
            run.step()?;
        }
        frames.push((time, run.state.position().iter().collect::<Vec<_>>()));
    }
    let settled = &frames[3].1;
    let outside =
        settled.iter().map(|x| (-x.x).max(x.x - 6.0).max(-x.y).max(x.y - 6.0).max(-x.z) + 0.5).fold(f64::MIN, larger);
    let height = settled.iter().map(|x| x.z).sum::<f64>() / settled.len() as f64;
    let caption = format!(
        "What the tests start from. Impact: Figures 6 to 8. Between walls: Figure 9. Bonded pair: Figure 10, here with the \
         bond at 45°. The box: Figure 11, from a falling state that LAMMPS made, \
         moved on by velocity Verlet with t_c/{per_contact}; t in √(d/g).",
    );
    let artifact = Artifact::new(caption);
    Ok(artifact
        .drawing(few())
        .drawing(filling(&frames))
        .view(
            view.seen_from(DVec3::new(1.0, -1.2, 0.35), DVec3::Z)
                .edges(edges::of_box(DVec3::ZERO, DVec3::new(6.0, 6.0, 43.0))),
        )
        .claim(
            Claim::as_paper(
                "largest overlap with a wall of the box at t = 20",
                "all particles settle at the bottom of the box",
                outside,
                0.0..=1e-3,
            )
            .unit("d"),
        )
        .claim(Claim::ours("mean height of the centres at t = 20, as in LAMMPS' runs", height, 2.6..=3.0).unit("d"))
        .shortened(cut)
        .parameters(json!({ "common": Scene::parameters(), "times": times, "start": Filling::ALL[0].name() })))
}
