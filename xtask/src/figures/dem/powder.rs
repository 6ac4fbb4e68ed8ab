//! Figure of cohesive grains: with strong adhesion they arch over a hole and make a steep heap, with weak adhesion they
//! run out through the hole and make a flat heap.
//!
//! The simulations are like the scenes `arch` and `cohesive_heap` of `grains run`, with a hole in a thick sheet and a
//! floor for grains that run out. Units are the mass m and diameter d of a mean grain, and gravity g.
use grains_pages::number;
use grains_pages::plot::{Axis, Marker, Plot, Series};
use std::f64::consts::PI;

use anyhow::Result;
use rayon::prelude::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Both, Explicit, Gravity, Integrator, Map, State};
use serde_json::json;

use dem_contact::force::{ContactForce, Ledger, contact_time};
use dem_contact::law::{Damping, Hertz, Jkr, Laws, MindlinSpring, Rolling, SpringSlider};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::packing::random_packing;
use dem_contact::wall::{Revolution, Wall};

use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, INK, View, edges};

const GRAINS: usize = 80;
/// Smallest and largest radius of the grains in d; radii are uniformly distributed between them.
const RADII: [f64; 2] = [0.45, 0.55];
const RESTITUTION: f64 = 0.5;
const FRICTION: f64 = 0.5;
/// Speed in √(g d) of the fastest expected impact, for which the contact time is computed.
const SPEED: f64 = 4.0;
/// Number of time steps in the contact time of the fastest expected impact of two grains.
const PER_CONTACT: f64 = 25.0;
/// Radius in d of the hole over which grains arch.
const HOLE: f64 = 2.0;
/// Radius in d of the cylinder above the hole that holds the grains.
const CYLINDER: f64 = 3.0;
/// Thickness in d of the sheet with the hole. It is not zero, since outflowing grains may touch its lower side.
const SHEET: f64 = 0.4;
/// Height in d of the floor below the sheet, whose upper side is at zero.
const FLOOR: f64 = -6.0;
/// Radius in d of the pan on the floor, and of the sheet.
const PAN: f64 = 5.0;
/// Work of adhesion in m g/d at which the grains arch over the hole.
const ARCHING: f64 = 60.0;
/// Work of adhesion in m g/d at which the grains run out through the hole.
const RUNNING: f64 = 0.5;
/// Work of adhesion in m g/d of the grains that make a steep heap.
const HEAPING: f64 = 10.0;

/// Returns the Bond number for this work of adhesion (m g/d): the pull-off force between two grains of mean size over
/// the weight of one.
fn bond_number(adhesion: f64) -> f64 {
    1.5 * PI * adhesion * 0.25
}

/// Elastic moduli and rolling friction of the grains.
#[derive(Clone, Copy, Debug)]
struct Material {
    /// Modulus K of Hertz's law, and modulus 8 G* of Mindlin's tangential spring, in m g/d².
    moduli: [f64; 2],
    rolling: f64,
}

/// Material of the grains over the hole.
const ARCH: Material = Material { moduli: [5e4, 4e4], rolling: 0.1 };
/// Material of the grains of the heap, with Young's modulus 1e5 m g/d² and Poisson's ratio 0.3.
const HEAP: Material = Material { moduli: [7.326e4, 9.050e4], rolling: 0.05 };

/// Result of one simulation: pictures over time, and the balance of energy.
#[derive(Clone, Debug)]
struct Course {
    film: Vec<Shot>,
    radii: Vec<f64>,
    /// Error of the energy balance: the change of the sum of mechanical and dissipated energy, over the dissipated
    /// energy.
    imbalance: f64,
}

impl Course {
    /// Returns the final centres of the grains.
    fn end(&self) -> &[DVec3] {
        self.film.last().map_or(&[], |shot| &shot.places)
    }

    /// Returns the number of grains that are above the sheet at the end.
    fn left(&self) -> usize {
        self.end().iter().filter(|place| place.z > 0.0).count()
    }

    /// Returns the mean height in d of the centres at the end.
    fn height(&self) -> f64 {
        self.end().iter().map(|place| place.z).sum::<f64>() / GRAINS as f64
    }
}

/// Makes grains at rest at random positions in the box from `low` to `high`, and returns their radii too.
fn grains(low: DVec3, high: DVec3) -> Result<(Bodies, State, Vec<f64>)> {
    let even = |k: usize| (0.618_033_988_749_894_9 * (k + 1) as f64).fract();
    let radii: Vec<f64> = (0..GRAINS).map(|k| RADII[0] + even(k) * (RADII[1] - RADII[0])).collect();
    let bodies = Bodies::new(radii.iter().map(|&radius| Body::sphere(8.0 * radius.powi(3), radius)))?;
    let mut state = State::at_rest(GRAINS);
    let centres = random_packing(&Domain::new(low, high, [Boundary::Closed; 3])?, &radii, 1)?;
    centres.into_iter().enumerate().for_each(|(grain, centre)| state.position_mut().set(grain, centre));
    Ok((bodies, state, radii))
}

/// Simulates grains that start in the box from `low` to `high`: for the first of `times` (√(d/g)) with all walls, then
/// for the second without the last wall.
fn course(
    material: Material,
    adhesion: f64,
    [low, high]: [DVec3; 2],
    walls: Vec<Wall>,
    times: [f64; 2],
) -> Result<Course> {
    let (bodies, mut state, radii) = grains(low, high)?;
    let damping = Damping::restitution(RESTITUTION)?;
    let [modulus, tangential] = material.moduli;
    let law = Jkr::new(Hertz::new(modulus, damping)?, adhesion)?;
    let dt = contact_time(&law, 0.25, 0.5, SPEED)? / PER_CONTACT;
    let spring = MindlinSpring::new(tangential, 0.0, FRICTION)?.damped(damping);
    let rolling = Rolling::new(spring, SpringSlider::coefficient(material.rolling)?);
    let list = NeighborList::new(Domain::OPEN, 0.2)?;
    let last = walls.len() - 1;
    let contacts = ContactForce::new(list, Laws::of(law, rolling)).with_walls(walls)?.with_ledger();
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, contacts);
    let mut map = Explicit::new(Map::Verlet, dt)?;
    let balance = |field: &Both<Gravity, ContactForce>, state: &State| -> Result<[f64; 2]> {
        let ledger = Ledger::read(&field.1, &field.0, &bodies, state)?;
        Ok([ledger.balance(), ledger.dissipated])
    };
    let shot = |state: &State| Shot { time: state.time() - times[0], ..Shot::of(state) };
    let mut film = Vec::new();
    let mut steps = 0_usize;
    let mut imbalance = 0.0;
    let every = ((times[0] + times[1]) / 40.0 / dt).ceil() as usize;
    for (phase, time) in times.into_iter().enumerate().filter(|(_, time)| *time > 0.0) {
        if phase > 0 {
            field.1 = field.1.without_wall(last)?;
            state.discard_wrenches();
        }
        let begin = balance(&field, &state)?;
        let until = state.time() + time;
        while state.time() < until {
            if steps.is_multiple_of(every) {
                film.push(shot(&state));
            }
            map.step(&bodies, &mut field, &mut state)?;
            steps += 1;
        }
        let end = balance(&field, &state)?;
        imbalance = number::larger(imbalance, ((end[0] - begin[0]) / (end[1] - begin[1])).abs());
    }
    film.push(shot(&state));
    Ok(Course { film, radii, imbalance })
}

/// Simulates grains with this work of adhesion (m g/d) that settle on a covered hole until the cover is removed.
fn arch(adhesion: f64, times: [f64; 2]) -> Result<Course> {
    let sheet = [[PAN, -SHEET], [HOLE, -SHEET], [HOLE, 0.0], [CYLINDER, 0.0], [CYLINDER, 20.0]];
    let walls = vec![
        Wall::new(Revolution::new(DVec3::Z, sheet)?, DVec3::ZERO),
        Wall::plane(DVec3::Z * FLOOR, DVec3::Z),
        Wall::new(Revolution::new(DVec3::Z, [[PAN, FLOOR], [PAN, 0.5 * FLOOR]])?, DVec3::ZERO),
        Wall::plane(DVec3::ZERO, DVec3::Z),
    ];
    course(ARCH, adhesion, [DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, 2.0, 8.0)], walls, times)
}

/// Simulates a column of grains with this work of adhesion (m g/d) that collapses on a floor.
fn heap(adhesion: f64, time: f64) -> Result<Course> {
    let walls = vec![Wall::plane(DVec3::ZERO, DVec3::Z)];
    course(HEAP, adhesion, [DVec3::new(-1.5, -1.5, 0.0), DVec3::new(1.5, 1.5, 12.0)], walls, [time, 0.0])
}

/// Scale of the drawings in pixels per d.
const SCALE: f64 = 28.0;

/// Position of one picture in a drawing.
#[derive(Clone, Copy, Debug)]
struct Panel {
    /// Horizontal position of the axis of the hole or heap in pixels.
    axis: f64,
    /// Vertical position of the height zero in pixels.
    zero: f64,
}

impl Panel {
    fn at(self, x: f64, z: f64) -> (f64, f64) {
        (self.axis + SCALE * x, self.zero - SCALE * z)
    }

    fn line(self, drawing: Drawing, from: [f64; 2], to: [f64; 2]) -> Drawing {
        drawing.line(self.at(from[0], from[1]), self.at(to[0], to[1]), 2.0, INK, "none")
    }

    /// Draws the grains at the end of a simulation from the side, nearer ones in brighter colours. Grains nearer than
    /// `front` (coordinate y in d) are left out.
    fn grains(self, mut drawing: Drawing, run: &Course, front: f64) -> Drawing {
        let mut seen: Vec<_> =
            run.end().iter().zip(&run.radii).filter(|(place, _)| place.y > front && place.x.abs() < PAN).collect();
        // The farthest grain first, so that nearer ones cover it.
        seen.sort_by(|one, other| other.0.y.total_cmp(&one.0.y));
        let far = seen.first().map_or(1.0, |grain| grain.0.y);
        let near = seen.last().map_or(0.0, |grain| grain.0.y);
        for (place, radius) in seen {
            let t = (far - place.y) / (far - near).max(1e-9);
            let channel = |far: f64, near: f64| (far + t * (near - far)).round() as u8;
            let fill =
                format!("#{:02x}{:02x}{:02x}", channel(38.0, 122.0), channel(70.0, 184.0), channel(110.0, 232.0));
            drawing = drawing.circle(self.at(place.x, place.z), SCALE * radius, &fill, INK);
        }
        drawing
    }
}

/// Returns a caption with the Bond number for this work of adhesion.
fn named(adhesion: f64, what: &str) -> String {
    format!("Bond number {}: {what}", number::short(bond_number(adhesion), 2))
}

/// Draws the final grains of two simulations over the hole, cut through the axis: `held` arches, `failed` runs out.
fn arches([held, failed]: [&Course; 2]) -> Drawing {
    let mut drawing = Drawing::new("arch", "Grains over a hole, some time after its cover has gone", (640.0, 480.0));
    for (axis, run, adhesion) in [(165.0, held, ARCHING), (475.0, failed, RUNNING)] {
        let panel = Panel { axis, zero: 290.0 };
        drawing = drawing.text(
            (axis, 52.0),
            &named(adhesion, &format!("{} of {GRAINS} stay", run.left())),
            13.0,
            "middle",
            INK,
            false,
        );
        drawing = panel.grains(drawing, run, -0.1);
        for side in [-1.0, 1.0] {
            drawing = panel.line(drawing, [side * PAN, -SHEET], [side * HOLE, -SHEET]);
            drawing = panel.line(drawing, [side * HOLE, -SHEET], [side * HOLE, 0.0]);
            drawing = panel.line(drawing, [side * HOLE, 0.0], [side * CYLINDER, 0.0]);
            drawing = panel.line(drawing, [side * CYLINDER, 0.0], [side * CYLINDER, 8.0]);
            drawing = panel.line(drawing, [side * PAN, FLOOR], [side * PAN, 0.5 * FLOOR]);
        }
        drawing = panel.line(drawing, [-PAN, FLOOR], [PAN, FLOOR]);
    }
    drawing.text((320.0, 474.0), "the half in front is left out", 12.0, "middle", FAINT, false)
}

/// Draws the heaps of grains with adhesion (`sticky`) and without (`dry`).
fn heaps([sticky, dry]: [&Course; 2]) -> Drawing {
    let mut drawing = Drawing::new("heap", "Columns after their collapse", (640.0, 270.0));
    for (axis, run, adhesion) in [(165.0, sticky, HEAPING), (475.0, dry, 0.0)] {
        let panel = Panel { axis, zero: 255.0 };
        let height = format!("mean height {} d", number::short(run.height(), 3));
        drawing = drawing.text((axis, 52.0), &named(adhesion, &height), 13.0, "middle", INK, false);
        drawing = panel.grains(drawing, run, f64::NEG_INFINITY);
        drawing = panel.line(drawing, [-5.4, 0.0], [5.4, 0.0]);
    }
    drawing
}

/// Makes an animated view of the grains over the hole.
fn film(id: &'static str, title: &str, run: &Course) -> View {
    let hole = [[HOLE, -SHEET], [HOLE, 0.0], [CYLINDER, 0.0], [CYLINDER, 8.0]];
    let pan = [[PAN, FLOOR], [PAN, 0.5 * FLOOR]];
    let view = View::grains(id, title, 0.5, 0)
        .radii(&run.radii)
        .scale("speed [√(g d)]", 3.0)
        .seen_from(DVec3::new(1.0, -1.4, 0.15), DVec3::Z)
        .edges(edges::of_revolution(&hole, 12))
        .edges(edges::of_revolution(&pan, 12));
    run.film.iter().fold(view, |view, shot| {
        let label = format!("t = {} √(d/g)", number::short(number::rounded(shot.time, 2), 3));
        view.frame(shot.frame(label))
    })
}

/// Makes the figure of a powder that bridges a hole above a certain Bond number.
pub(super) fn bridging(context: &Context) -> Result<Artifact> {
    let works: &[f64] = context.pick(&[RUNNING, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, ARCHING], &[RUNNING, 8.0, ARCHING]);
    let (times, collapse) = context.pick(([5.0, 20.0], 12.0), ([1.5, 5.0], 4.0));
    let cut = context.pick(None, Some("a third of the time"));
    context.progress.total((works.len() + 2) as u64);
    let run = |k: usize| {
        let made = match works.get(k) {
            Some(&adhesion) => arch(adhesion, times),
            None => heap(if k == works.len() { HEAPING } else { 0.0 }, collapse),
        };
        context.progress.advance(1);
        made
    };
    let runs = (0..works.len() + 2).into_par_iter().map(run).collect::<Result<Vec<Course>>>()?;
    let (over_hole, on_floor) = runs.split_at(works.len());
    let ([failed, .., held], [sticky, dry]) = (over_hole, on_floor) else { anyhow::bail!("too few runs") };
    let left = works.iter().zip(over_hole).map(|(&adhesion, run)| (bond_number(adhesion), run.left() as f64));
    let plot = Plot::new(
        "left",
        "Grains that stay above the sheet",
        Axis::log("Bond number", ""),
        Axis::linear("grains that stay", ""),
    )
    .series(Series::line("of 80", left.clone()).marker(Marker::Circle));
    let imbalance = runs.iter().map(|run| run.imbalance).fold(0.0, number::larger);
    Ok(Artifact::new(
        "Eighty grains settle on a covered hole of four diameters, and then the cover goes. By the law of Johnson, Kendall \
         and Roberts they stick; the Bond number is the pull-off force between two of them over the weight of one. Above \
         some number they arch over the hole; below it those over the hole run out, and those on the sheet beside it \
         stay. A column of grains that stick collapses to a steep heap, without adhesion to a flat one. The scenes \
         `arch` and `cohesive_heap` are the same for `grains run`.",
    )
    .drawing(arches([held, failed]))
    .drawing(heaps([sticky, dry]))
    .view(film("arch-holds", "They arch over the hole", held))
    .view(film("arch-fails", "They run out", failed))
    .plot(plot)
    .claims([
        Claim::ours(
            format!("grains of 80 that stay above the sheet, {}", named(ARCHING, "they arch")),
            held.left() as f64,
            78.0..=80.0,
        ),
        Claim::ours(format!("the same, {}", named(RUNNING, "they run out")), failed.left() as f64, 0.0..=65.0),
        Claim::ours(
            "mean height of the heap of grains that stick over that without",
            sticky.height() / dry.height(),
            1.2..=3.0,
        ),
        Claim::ours(
            "change of all energy, with what was dissipated, over what was dissipated, the worst of all runs: contacts \
             that break lose energy too",
            imbalance,
            0.0..=2e-2,
        ),
    ])
    .shortened(cut)
    .parameters(json!({
        "grains": GRAINS, "radii_d": RADII, "sheet_d": SHEET, "restitution": RESTITUTION, "friction": FRICTION,
        "works of adhesion_m g/d": works, "of the heap_m g/d": HEAPING, "hole_d": HOLE, "cylinder_d": CYLINDER,
        "K and 8 G* of the arch_m g/d²": ARCH.moduli, "rolling friction of the arch": ARCH.rolling,
        "K and 8 G* of the heap_m g/d²": HEAP.moduli, "rolling friction of the heap": HEAP.rolling,
        "t_c/h": PER_CONTACT, "times_√(d/g)": times, "time of the heap_√(d/g)": collapse,
    })))
}
