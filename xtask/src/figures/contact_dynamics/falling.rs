//! `[OK18]` Figs. 6 and 7: the pyramid of spheres at rest, and the pyramid that falls onto its fixed base layer.
use anyhow::{Context as _, Result};
use cd_solve::{Apgd, LcpSolver, Options, ProjectedGaussSeidel};
use dem_contact::contact_dynamics::{CompatibleLaw, ContactDynamics};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::packing::CannonballPyramid;
use grains_pages::number::larger;
use grains_pages::plot::{Marker, Plot, Series};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, Integrator, State};
use serde_json::json;

use super::law::Law;
use super::pile::{Pile, distance, maximum};
use super::runs::LAYERS;
use super::spheres::{Ball, Panel};
use crate::figures::colour::{self, GREY};
use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, Drawing, Frame, INK, View};

/// Radius of the spheres in m.
const RADIUS: f64 = 1.25e-3;
/// Density of the spheres in kg/m³.
const DENSITY: f64 = 2000.0;
/// Acceleration of gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Time step of contact dynamics in s.
const DT: f64 = 1e-3;
/// Numbers of the time steps after which the falling pyramid is drawn, as in `[OK18]` Fig. 7.
const FRAMES: [usize; 4] = [0, 4, 8, 16];
/// Upper end of the colour scale of speeds in m/s; the top sphere, which is the fastest, lands at 0.15 m/s.
const FASTEST: f64 = 0.16;

/// Counts the free layers of the pyramid in which no sphere moves faster than a twentieth of `speed` (m/s).
fn layers_at_rest(shot: &Shot, layers: usize, speed: f64) -> usize {
    let mut first = layers * layers;
    let sides = (1..layers).rev();
    let resting = sides.filter(|side| {
        let layer = &shot.speeds[first..first + side * side];
        first += side * side;
        layer.iter().copied().fold(0.0, larger) < 0.05 * speed
    });
    resting.count()
}

/// Simulation of the falling pyramid by contact dynamics with one classic solver.
struct Fall {
    /// Positions and speeds of the spheres at the start and after each step.
    film: Vec<Shot>,
    /// First time step, counted from one, with a contact force on the top sphere of the pyramid.
    apex: usize,
    /// Time in ms, and height of the top sphere above its place at rest in diameters, after each step.
    height: Vec<(f64, f64)>,
    /// Relative difference of the compatible forces after the last step from those of the pyramid at rest, for each
    /// contact law.
    errors: [f64; 3],
    /// Ratio of the largest classic force after the last step to the largest compatible force of the pyramid at rest.
    ratio: f64,
    /// Time in ms and largest classic force in m g after each step with contact forces, and the same for compatible
    /// forces of Hooke's law.
    largest: [Vec<(f64, f64)>; 2],
    /// Largest overlap of two spheres at the start of the last step, in diameters.
    overlap: f64,
}

/// Simulates the fall of a pyramid of `layers` layers by contact dynamics with this classic solver.
fn fall(layers: usize, steps: usize, solver: Box<dyn LcpSolver>) -> Result<Fall> {
    let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let (bodies, mut state): (Bodies, State) = CannonballPyramid::new(layers, RADIUS, mass)?.lifted(0.05)?.scene()?;
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z * GRAVITY };
    let list = NeighborList::new(Domain::OPEN, 0.1 * RADIUS)?;
    let mut dynamics = ContactDynamics::new(DT, list, solver)?.with_compatible(compatible(Law::Hooke, bodies.len()));
    let last = bodies.len() - 1;
    let rest = (layers as f64 - 1.0) / std::f64::consts::SQRT_2;
    let above = |state: &State| state.position().get(last).z / (2.0 * RADIUS) - rest;
    let mut film = vec![Shot::of(&state)];
    let mut apex = 0;
    let mut height = vec![(0.0, above(&state))];
    let mut largest = [Vec::new(), Vec::new()];
    for step in 1..=steps {
        dynamics.step(&bodies, &mut gravity, &mut state).with_context(|| format!("step {step}"))?;
        let pushed = dynamics.contacts().iter().any(|contact| contact.b == last && contact.force > 0.0);
        if apex == 0 && pushed {
            apex = step;
        }
        film.push(Shot::of(&state));
        let time = 1e3 * state.time();
        height.push((time, above(&state)));
        let contacts = dynamics.contacts();
        let forces = [
            contacts.iter().map(|contact| contact.force).fold(0.0, larger),
            contacts.iter().map(|contact| contact.best_force()).fold(0.0, larger),
        ];
        for (history, force) in largest.iter_mut().zip(forces).filter(|(_, force)| *force > 0.0) {
            history.push((time, force / (mass * GRAVITY)));
        }
    }
    let mut errors = [f64::NAN; 3];
    let mut ratio = f64::NAN;
    for law in Law::ALL {
        let pile = Pile::new(layers, law)?;
        let pairs: Vec<[usize; 2]> = dynamics.contacts().iter().map(|contact| [contact.a, contact.b]).collect();
        let on_pile = |force: &[f64]| -> Vec<f64> {
            let of = |pair: &[usize; 2]| pairs.binary_search(pair).map_or(0.0, |at| force[at] / (mass * GRAVITY));
            pile.pyramid.pairs().iter().map(of).collect()
        };
        let (force, _) = dynamics.compatible_forces(&compatible(law, bodies.len()))?;
        let resting = pile.compatible()?;
        errors[law as usize] = distance(&on_pile(&force), &resting);
        if law == Law::Hooke {
            let classic: Vec<f64> = dynamics.contacts().iter().map(|contact| contact.force).collect();
            ratio = maximum(&on_pile(&classic)) / maximum(&resting);
        }
    }
    let overlap = dynamics.contacts().iter().map(|contact| -contact.gap / (2.0 * RADIUS)).fold(0.0, larger);
    Ok(Fall { film, apex, height, errors, ratio, largest, overlap })
}

/// Returns the law of the compatible forces for this number of spheres. The two species are given by the elastic moduli
/// of the spheres, as a user would do it.
fn compatible(law: Law, spheres: usize) -> CompatibleLaw {
    match law {
        Law::Hooke => CompatibleLaw::hooke(),
        Law::Hertz => CompatibleLaw::hertz(),
        Law::Multi => {
            let modulus = |sphere: usize| if sphere.is_multiple_of(2) { 1.0 } else { 5.0 };
            CompatibleLaw::hooke().with_moduli((0..spheres).map(modulus).collect::<Vec<f64>>())
        }
    }
}

/// Makes `[OK18]` Fig. 6: the pyramid of twenty layers at rest.
pub(super) fn fig6(_: &Context) -> Result<Artifact> {
    let pile = Pile::new(LAYERS, Law::Hooke)?;
    let fixed = pile.pyramid.fixed();
    let balls: Vec<Ball> = pile
        .pyramid
        .centre()
        .iter()
        .enumerate()
        .map(|(i, &centre)| Ball { centre: centre.into(), shade: if i < fixed { GREY } else { 14 } })
        .collect();
    let panel = Panel { corner: (20.0, 40.0), size: (600.0, 440.0), layers: LAYERS };
    let drawing = Drawing::new("pyramid", "Square pyramid of twenty layers, the base fixed", (640.0, 490.0));
    let drawing = drawing.raw(&colour::gradients("rest")).raw(&panel.svg("rest", &balls));
    // Neighbours are one diameter apart, up to rounding.
    let centre = pile.pyramid.centre();
    let mut neighbours = vec![0_usize; centre.len()];
    let mut worst = 0.0_f64;
    for &[a, b] in pile.pyramid.pairs() {
        let square: f64 = (0..3).map(|d| (centre[a][d] - centre[b][d]).powi(2)).sum();
        worst = larger(worst, (square.sqrt() - 1.0).abs());
        neighbours[a] += 1;
        neighbours[b] += 1;
    }
    let most = neighbours.iter().max().copied().unwrap_or(0);
    let view = Frame {
        label: String::new(),
        centres: centre.iter().map(|&centre| centre.into()).collect(),
        // Colours show heights, to distinguish layers.
        values: centre.iter().map(|centre| centre[2]).collect(),
    };
    let top = (LAYERS as f64 - 1.0) / std::f64::consts::SQRT_2;
    let view = View::grains("pyramid-view", "The pyramid", 0.5, fixed).scale("height [d]", top).frame(view);
    Ok(Artifact::new("The pyramid at rest: grey spheres are fixed. Spheres inside touch twelve others.")
        .drawing(drawing)
        .view(view)
        .claim(Claim::as_paper("most neighbours of a sphere", "twelve neighbors", most as f64, 12.0..=12.0))
        .claim(Claim::ours("spheres", centre.len() as f64, 2870.0..=2870.0))
        .claim(Claim::ours("contacts", pile.contacts() as f64, 14440.0..=14440.0))
        .claim(Claim::ours("largest gap or overlap of a contact", worst, 0.0..=1e-14).unit("d"))
        .parameters(json!({ "layers": LAYERS, "diameter_mm": 2e3 * RADIUS, "density_kg/m³": DENSITY })))
}

/// Makes `[OK18]` Fig. 7: the pyramid as its layers fall and land one after the other.
pub(super) fn fig7(context: &Context) -> Result<Artifact> {
    let layers = LAYERS;
    let tolerance = context.pick(1e-10, 1e-9);
    // The last layer lands in step 16.
    let steps = context.pick(50, 22);
    let cut = context.pick(None, Some("22 steps of 50, classic problems solved to 10⁻⁹ instead of 10⁻¹⁰"));
    let options = Options::new(tolerance, 200_000);
    let solvers: [(&str, Box<dyn LcpSolver>); 2] =
        [("PGS", Box::new(ProjectedGaussSeidel::new(options))), ("APGD", Box::new(Apgd::new(options)))];
    context.progress.total(2);
    let mut falls = Vec::new();
    for (name, solver) in solvers {
        falls.push((name, fall(layers, steps, solver)?));
        context.progress.advance(1);
    }
    let lift = (layers as f64 - 1.0) * 0.05 * RADIUS;
    let film = &falls[0].1.film;
    let mut drawing = Drawing::new("frames", "Speed of the spheres as the pyramid lands", (640.0, 560.0));
    drawing = drawing.raw(&colour::gradients("fall"));
    for (k, frame) in FRAMES.into_iter().map(|step| &film[step]).enumerate() {
        let corner = (16.0 + 308.0 * (k % 2) as f64, 44.0 + 230.0 * (k / 2) as f64);
        let panel = Panel { corner, size: (300.0, 224.0), layers };
        let ball = |i: usize| Ball {
            centre: frame.places[i] / (2.0 * RADIUS),
            shade: if i < layers * layers { GREY } else { colour::shade(frame.speeds[i], FASTEST) },
        };
        let balls: Vec<Ball> = (0..frame.places.len()).map(ball).collect();
        let heading = format!("t = {:.3} s", frame.time);
        drawing = drawing.raw(&panel.svg("fall", &balls)).text(
            (corner.0 + 8.0, corner.1 + 18.0),
            &heading,
            13.0,
            "start",
            INK,
            false,
        );
    }
    drawing = colour::bar(drawing, (40.0, 516.0), FASTEST, colour::colour, "speed [m/s]");
    let title = format!("The pyramid falls, PGS; the first {:.0} ms", 1e3 * DT * steps as f64);
    let view = film.iter().fold(
        View::grains("fall", title, 0.5, layers * layers).scale("speed [m/s]", FASTEST),
        |view, frame| {
            let shot = frame.frame(format!("t = {:.0} ms", 1e3 * frame.time));
            view.frame(Frame { centres: shot.centres.iter().map(|place| place / (2.0 * RADIUS)).collect(), ..shot })
        },
    );
    let mut plot = Plot::linear("apex", "Height of the apex above its place at rest", ("time", "ms"), ("height", "d"));
    let free = (0..=40)
        .map(|k| 0.5 * f64::from(k))
        .map(|t| (t, (lift - 0.5 * GRAVITY * (1e-3 * t).powi(2)).max(0.0) / (2.0 * RADIUS)));
    plot = plot.series(Series::line("free fall, rest", free)).series(Series::markers(
        "contact dynamics",
        Marker::Circle,
        falls[0].1.height.iter().copied().take(21),
    ));
    plot = plot.upright(8.0, "[OK18]: still falls").upright(16.0, "[OK18]: is at rest");
    let [classic, compatible] = falls[0].1.largest.clone();
    let forces =
        Plot::semilog("forces", "Largest contact force, PGS with warm starts", ("time", "ms"), ("force", "m g"))
            .series(Series::line("classic", classic).marker(Marker::Cross))
            .series(Series::line("compatible, Hooke", compatible).marker(Marker::Circle));
    let mut artifact = Artifact::new(
        "Every layer starts a twentieth of a radius higher above the one below than that one does, so that all fall alike and \
         land one after the other. The step of 1 ms knows no impacts: a layer that would pass its place stops there. The \
         falls are the same whichever classic solver makes the steps. Classic forces keep a memory of the impacts where a \
         solver starts from those of the last step; compatible forces, found in every step, have none.",
    )
    .drawing(drawing)
    .view(view)
    .plot(plot)
    .plot(forces)
    .parameters(json!({
        "layers": layers, "diameter_mm": 2e3 * RADIUS, "density_kg/m³": DENSITY, "g_m/s²": GRAVITY, "dt_s": DT, "steps": steps,
        "lift of layer k": "k R/20", "residual of classic solvers": tolerance,
    }));
    for (name, fall) in &falls {
        let claims = [
            Claim::as_paper(
                format!("first force on the apex, {name}"),
                "settles between t = 0.008 and t = 0.016",
                DT * fall.apex as f64,
                0.015..=0.016,
            )
            .unit("s"),
            Claim::ours(format!("deepest overlap at the start of the last step, {name}"), fall.overlap, 0.0..=1e-9)
                .unit("d")
                .shortened(cut),
            Claim::ours(
                format!("largest classic force at the end over the largest compatible one, {name}, warm starts"),
                fall.ratio,
                2.5..=4.5,
            )
            .shortened(cut),
        ];
        artifact = claims.into_iter().fold(artifact, |artifact, claim| artifact.claim(claim));
        for law in Law::ALL {
            let text = format!("compatible forces at the end against those at rest, {name}, {}", law.name());
            let claim =
                Claim::as_paper(text, "regardless of the solution algorithm", fall.errors[law as usize], 0.0..=1e-7);
            artifact = artifact.claim(claim.shortened(cut));
        }
    }
    for (frame, step) in FRAMES.into_iter().map(|step| (&film[step], step)).skip(1) {
        // Layer k lands after a fall of k R/20.
        let fallen = 0.5 * GRAVITY * frame.time.powi(2) / (0.05 * RADIUS);
        let resting = layers_at_rest(frame, layers, GRAVITY * frame.time) as f64;
        let expected =
            (fallen.floor().min(layers as f64 - 1.0) - 1.0)..=(fallen.floor() + 1.0).min(layers as f64 - 1.0);
        let claim = Claim::ours(format!("layers at rest after {step} steps"), resting, expected);
        artifact = artifact.claim(claim);
    }
    Ok(artifact)
}
