//! Groups of fixed grains that turn.

use grains::{Scene, Simulation};
use rrp_geom::glam::DVec3;

use crate::support::assert_survives_a_kill;

/// A ball that turns on the spot touches one that is free to spin, and nothing else.
const GEARS: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-4, duration = 0.4 }
    blocked = ["x", "y", "z"]
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 300.0, friction = 0.5 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0]] }
    radius = 0.5
    fixed = true
    spin = [0.0, 0.0, 3.0]
    [[bodies]]
    place = { list = [[0.749, 0.0, 0.0]] }
    radius = 0.25
    mass = 1.0
"#;

/// Fixed grains around a circle, some loose ones in it.
const WHEEL: &str = r#"
    gravity = [0.0, -9.81, 0.0]
    integrator = "verlet"
    blocked = ["z", "spin-x", "spin-y"]
    time = { dt = 2e-4 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 2.0, friction = 0.5 } }
    [[bodies]]
    name = "wheel"
    place = { ring = { centre = [1.0, 0.0, 0.0], diameter = 6.0, count = 20 } }
    radius = 0.48
    fixed = true
    spin = [0.0, 0.0, 6.283185307179586]
    pivot = [1.0, 0.0, 0.0]
    [[bodies]]
    name = "loose"
    place = { list = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, -1.0, 0.0]] }
    radius = 0.4
    mass = 1.0
    [output]
    series = { steps = 100 }
    checkpoints = { steps = 300 }
    [[stage]]
    duration = 1.0
    [[stage]]
    duration = 0.25
    bodies = { wheel = { spin = [0.0, 0.0, -6.283185307179586], pivot = [1.0, 0.0, 0.0], velocity = [1.0, 0.0, 0.0] } }
    [[stage]]
    duration = 0.05
    bodies = { wheel = {} }
"#;

fn simulation(text: &str) -> Simulation {
    Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap()
}

#[test]
fn a_ball_that_turns_turns_another_until_their_surfaces_go_together() {
    let off = |dt: &str| {
        let mut simulation = simulation(&GEARS.replace("1e-4", dt));
        let start = simulation.read().unwrap().balance().unwrap();
        while !simulation.is_over() {
            simulation.step().unwrap();
        }
        let spin = simulation.state().spin(simulation.bodies(), 1);
        assert!((spin - DVec3::new(0.0, 0.0, -6.0)).length() < 0.02, "{spin}");
        assert_eq!(simulation.state().position().get(0), DVec3::ZERO);
        let reading = simulation.read().unwrap();
        (reading.balance().unwrap() - start).abs() / reading.energies.wall_work.unwrap()
    };
    let [coarse, fine] = ["1e-4", "5e-5"].map(off);
    println!("the ledger is off by {coarse:.1e} and {fine:.1e} of the work");
    assert!(fine < 1e-3 && fine < 0.4 * coarse, "{coarse} {fine}");
}

#[test]
fn a_group_turns_about_its_pivot_and_its_work_is_in_the_ledger() {
    let mut simulation = simulation(WHEEL);
    let places = |simulation: &Simulation| -> Vec<DVec3> { simulation.state().position().iter().take(20).collect() };
    let (first, start) = (places(&simulation), simulation.read().unwrap().balance().unwrap());
    let (mut stage, mut work) = (0, 0.0_f64);
    while !simulation.is_over() {
        simulation.step().unwrap();
        let reading = simulation.read().unwrap();
        work = work.max(reading.energies.wall_work.unwrap());
        let centre = places(&simulation).iter().sum::<DVec3>() / 20.0;
        assert!(places(&simulation).iter().all(|place| ((place - centre).length() - 3.0).abs() < 1e-11));
        let (off, largest) = ((reading.balance().unwrap() - start).abs(), work.max(reading.kinetic.total()));
        assert!(off < 5e-3 * largest.max(10.0), "{off} {largest}");
        if simulation.stage() == 0 && (simulation.state().time() - 1.0).abs() < 1e-9 {
            // A whole turn.
            let now = places(&simulation);
            let off = now.iter().zip(&first).map(|(now, then)| (now - then).length());
            assert!(off.fold(0.0, f64::max) < 1e-11);
            stage += 1;
        }
    }
    // A quarter of a turn back, and on along x.
    let expected = first[5] - DVec3::X;
    let last = places(&simulation)[10] - DVec3::new(1.25, 0.0, 0.0);
    assert!((last - DVec3::new(expected.x, expected.y, 0.0)).length() < 1e-9, "{last} {expected}");
    assert!(stage == 1 && work > 10.0, "{work}");
    assert!(simulation.state().velocity().iter().take(20).all(|velocity| velocity == DVec3::ZERO));
}

#[test]
fn kills_while_a_group_turns_change_no_byte() {
    let short = WHEEL.replace("duration = 1.0", "duration = 0.1").replace("duration = 0.25", "duration = 0.05");
    for step in [1, 499, 501, 760] {
        assert_survives_a_kill(&short, step, &format!("after {step} steps"));
    }
}

#[test]
fn what_cannot_turn_is_refused_with_its_key() {
    let refused = |from: &str, to: &str, key: &str, problem: &str| {
        assert!(WHEEL.contains(from), "{from}");
        let made = Scene::parse(&WHEEL.replacen(from, to, 1)).and_then(|scene| Simulation::new(&scene, ".", false));
        let error = made.err().unwrap_or_else(|| panic!("{to} is taken")).to_string();
        assert!(error.contains(key) && error.contains(problem), "{to}: {error}");
    };
    refused("fixed = true", "mass = 1.0", "bodies[0]", "about a `pivot`");
    refused("pivot = [1.0, 0.0, 0.0]\n", "pivot = [nan, 0.0, 0.0]\n", "bodies[0].pivot", "finite");
    let bonds = "bonds = { gap = 1e-4, stretching = 1e-3 }\n    [contact]";
    refused("[contact]", bonds, "bodies[0].spin", "bonds");
}
