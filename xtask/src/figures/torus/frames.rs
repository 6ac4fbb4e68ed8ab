//! `[BG21]` Fig. 3: drawings of the torus as it hits the wall, is deformed and rebounds.
use anyhow::Result;
use dem_contact::bond::ShearForm;
use grains_pages::number::larger;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Explicit, Map};
use serde_json::json;

use super::ring::{GRAINS, Reading, Ring, parameters};
use crate::figures::colour;
use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, Frame, INK, View};

/// Time step in s with which the torus is simulated.
const H: f64 = 1e-3;
/// Number of time steps between two frames of the animated view.
const STRIDE: usize = 200;
/// Number of panels in a row of the drawing.
const COLUMNS: usize = 5;
/// Width and height of a panel in pixels.
const CELL: (f64, f64) = (176.0, 176.0);

/// Snapshot of the torus with its centre of mass and its widths along the axes in m.
struct Shape {
    shot: Shot,
    centre: DVec3,
    width: DVec3,
}

impl Shape {
    fn of(ring: &Ring) -> Self {
        let shot = Shot::of(&ring.state);
        let low = shot.places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = shot.places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let centre = shot.places.iter().sum::<DVec3>() / GRAINS as f64;
        Self { shot, centre, width: high - low }
    }
}

/// Results of one simulation of the torus.
struct Film {
    shapes: Vec<Shape>,
    /// Frames of the animated view, one every [`STRIDE`] time steps.
    frames: Vec<Frame>,
    /// Last time in s at which the torus touched the wall.
    last_contact: f64,
    /// Whether grains without a common bond ever touched.
    touched_itself: bool,
}

/// Simulates the torus up to the last of `times` (s), at which its shape is recorded.
fn film(context: &Context, reading: Reading, times: &[f64]) -> Result<Film> {
    let mut ring = Ring::new(reading, ShearForm::Printed, Map::Rodrigues25)?;
    let mut map = Explicit::new(Map::Rodrigues25, H)?;
    let mut film = Film { shapes: Vec::new(), frames: vec![frame(&ring)], last_contact: 0.0, touched_itself: false };
    let mut done = 0;
    for &time in times {
        let until = (time / H).round() as usize;
        for step in done..until {
            ring.step(&mut map)?;
            if ring.field.0.1.force().x < 0.0 {
                film.last_contact = ring.state.time();
            }
            if step % 10 == 0 {
                film.touched_itself |= ring.touches_itself();
            }
            if (step + 1) % STRIDE == 0 {
                film.frames.push(frame(&ring));
            }
        }
        done = until;
        film.shapes.push(Shape::of(&ring));
        context.progress.advance(1);
    }
    Ok(film)
}

fn frame(ring: &Ring) -> Frame {
    Shot::of(&ring.state).frame(format!("t = {:.2} s", ring.state.time()))
}

/// Makes an animated view of the torus.
fn view(id: &'static str, reading: Reading, film: &mut Film) -> View {
    let title = format!("The torus through time, {}", reading.name());
    let view = View::grains(id, title, 0.5 * reading.grain_diameter(), 0)
        .scale("speed of the grains [m/s]", FASTEST)
        .seen_from(DVec3::new(0.5, -0.45, 1.0), DVec3::Y)
        .wall(DVec3::ZERO, DVec3::X);
    film.frames.drain(..).fold(view, View::frame)
}

/// Draws the recorded shapes of the torus in rows of panels on a common scale; the wall is the line on the left.
fn drawing(id: &'static str, reading: Reading, film: &Film) -> Drawing {
    let rows = film.shapes.len().div_ceil(COLUMNS);
    let size = (COLUMNS as f64 * CELL.0 + 24.0, rows as f64 * CELL.1 + 72.0);
    let extent = reading.torus_diameter() * 1.45;
    let scale = (CELL.0 - 18.0) / extent;
    let radius = 0.5 * reading.grain_diameter() * scale;
    let title = format!("Deformed states, {}, h = 10⁻³ s, map (25)", reading.name());
    let mut drawing = Drawing::new(id, title, size).raw(&colour::gradients(id));
    drawing = colour::bar(drawing, (250.0, size.1 - 32.0), FASTEST, colour::colour, "speed of the grains [m/s]");
    for (panel, shape) in film.shapes.iter().enumerate() {
        let corner = ((panel % COLUMNS) as f64 * CELL.0 + 12.0, (panel / COLUMNS) as f64 * CELL.1 + 40.0);
        // The panel follows the ring once it has left the wall.
        let left = (shape.centre.x - 0.5 * extent).max(-0.06 * extent);
        let middle = corner.1 + 0.5 * CELL.1;
        let at = |x: DVec3| (corner.0 + 8.0 + (x.x - left) * scale, middle - (x.y - shape.centre.y) * scale);
        let wall = at(DVec3::ZERO).0;
        if wall >= corner.0 {
            drawing = drawing.line((wall, corner.1 + 20.0), (wall, corner.1 + CELL.1 - 6.0), 3.0, INK, "none");
        }
        let heading = format!("t = {:.1} s", shape.shot.time);
        drawing = drawing.text((corner.0 + 0.5 * CELL.0, corner.1 + 12.0), &heading, 12.0, "middle", FAINT, false);
        // Grains are drawn from far to near, seen along −z.
        let mut order: Vec<usize> = (0..GRAINS).collect();
        order.sort_by(|&a, &b| shape.shot.places[a].z.total_cmp(&shape.shot.places[b].z));
        for i in order {
            let shade = colour::shade(shape.shot.speeds[i], FASTEST);
            drawing = drawing.circle(at(shape.shot.places[i]), radius, &format!("url(#{id}{shade})"), "none");
        }
    }
    drawing
}

/// Upper end of the colour scale of speeds in m/s, twice the speed of the impact.
const FASTEST: f64 = 2.0;

/// Results of an independent program: the reading of the torus, the time in s, and in m the centre of mass along the
/// normal of the wall and the widths along and across this normal.
const REFERENCE: [(Reading, f64, [f64; 3]); 6] = [
    (Reading::Printed, 1.0, [1.14552296716978, 2.196189563371325, 3.6642948547973675]),
    (Reading::Printed, 2.0, [1.3820109482706266, 2.9011969210504054, 2.9349685079214622]),
    (Reading::UnitGrains, 4.0, [10.220440899750582, 21.747419591536914, 26.661380571500345]),
    (Reading::UnitGrains, 16.0, [7.87469464811721, 14.793764797890088, 32.59308434754563]),
    (Reading::UnitGrains, 28.0, [13.69700386561819, 26.15240299036236, 24.33320840631974]),
    (Reading::UnitGrains, 35.0, [18.247776526352503, 31.095384282865233, 20.360410705012463]),
];

/// Makes `[BG21]` Fig. 3, the deformed states of the torus.
pub(super) fn deformed(context: &Context) -> Result<Artifact> {
    let times: [&[f64]; 2] = [
        &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 35.0],
        &[0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 35.0],
    ];
    context.progress.total(20);
    let mut artifact = Artifact::new(
        "The ring seen along its axis, the wall on the left, by the map (25) with the shear law as printed. With grains \
         of diameter one the paper's window of 35 s holds exactly one impact; with the printed diameter the wall is left \
         after 2.3 s and what follows is vibration in flight.",
    )
    .parameters(json!({ "torus": parameters(), "h_s": H, "map": "(25)", "times_s": times }));
    for (reading, times) in Reading::BOTH.into_iter().zip(times) {
        let mut film = film(context, reading, times)?;
        let (id, turned) = match reading {
            Reading::Printed => ("printed", "printed-view"),
            Reading::UnitGrains => ("unit-grains", "unit-grains-view"),
        };
        artifact = artifact.drawing(drawing(id, reading, &film)).view(view(turned, reading, &mut film));
        let name = reading.name();
        let narrowest = -film.shapes.iter().map(|shape| -shape.width.x).fold(f64::NEG_INFINITY, larger);
        artifact = artifact.claims([
            Claim::as_paper(
                format!("least width along the normal over D_t, of the states drawn, {name}"),
                "large deformation and vibrations after impact",
                narrowest / reading.torus_diameter(),
                if reading == Reading::Printed { 0.70..=0.78 } else { 0.57..=0.60 },
            ),
            Claim::ours(
                format!("last contact with the wall, {name}"),
                film.last_contact,
                if reading == Reading::Printed { 2.0..=2.5 } else { 25.0..=28.5 },
            )
            .unit("s"),
            Claim::ours(
                format!("grains that are not bonded touch, at every tenth step (0: never), {name}"),
                f64::from(u8::from(film.touched_itself)),
                0.0..=0.0,
            ),
        ]);
        for (_, time, expected) in REFERENCE.into_iter().filter(|(of, ..)| *of == reading) {
            let shape = film.shapes.iter().find(|shape| (shape.shot.time - time).abs() < 0.5 * H);
            let error = shape.map_or(f64::NAN, |shape| {
                let found = [shape.centre.x, shape.width.x, shape.width.y];
                found.into_iter().zip(expected).map(|(f, e)| (f - e).abs()).fold(0.0, larger)
            });
            let text = format!("difference of centre and widths from an independent program, {name}, t = {time} s");
            artifact = artifact.claim(Claim::ours(text, error, 0.0..=1e-6).unit("m"));
        }
    }
    Ok(artifact)
}
