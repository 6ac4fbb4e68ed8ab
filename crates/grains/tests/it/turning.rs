//! Rotating groups of fixed grains.

use std::fs;

use grains::Simulation;
use rrp_geom::glam::DVec3;

use crate::refused::{assert_refused, assert_refused_in};
use crate::support::{change_of_balance, each_step, made_in, notes, simulation, whole};
use crate::table::Table;

/// A ball that rotates on the spot touches only a ball that is free to spin.
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

/// A ring of fixed grains that rotates around loose ones.
pub(crate) const WHEEL: &str = include_str!("../data/wheel.toml");

#[test]
fn a_ball_that_turns_turns_another_until_their_surfaces_go_together() {
    let off = |dt: &str| {
        let mut simulation = simulation(&GEARS.replace("1e-4", dt));
        let (reading, change) = change_of_balance(&mut simulation);
        let spin = simulation.state().spin(simulation.bodies(), 1);
        assert!((spin - DVec3::new(0.0, 0.0, -6.0)).length() < 0.02, "{spin}");
        assert_eq!(simulation.state().position().get(0), DVec3::ZERO);
        change.abs() / reading.energies.wall_work.unwrap()
    };
    let [coarse, fine] = ["1e-4", "5e-5"].map(off);
    println!("the ledger is off by {coarse:.1e} and {fine:.1e} of the work");
    assert!(fine < 1e-3 && fine < 0.4 * coarse, "{coarse} {fine}");
}

#[test]
fn a_group_turns_about_its_pivot_and_its_work_is_in_the_ledger() {
    let mut simulation = simulation(WHEEL);
    let places = |simulation: &Simulation| -> Vec<DVec3> { simulation.state().position().iter().take(20).collect() };
    let first = places(&simulation);
    let start = simulation.read().unwrap().balance().unwrap();
    let mut stage = 0;
    let mut work = 0.0_f64;
    each_step(&mut simulation, |simulation| {
        let reading = simulation.read().unwrap();
        work = work.max(reading.energies.wall_work.unwrap());
        let now = places(simulation);
        let centre = now.iter().sum::<DVec3>() / 20.0;
        assert!(now.iter().all(|place| ((place - centre).length() - 3.0).abs() < 1e-11));
        let off = (reading.balance().unwrap() - start).abs();
        let largest = work.max(reading.kinetic.total());
        assert!(off < 5e-3 * largest.max(10.0), "{off} {largest}");
        if simulation.stage() == 0 && (simulation.state().time() - 1.0).abs() < 1e-9 {
            let off = now.iter().zip(&first).map(|(now, then)| (now - then).length());
            assert!(off.fold(0.0, f64::max) < 1e-11);
            stage += 1;
        }
    });
    // A quarter of a turn back, and a motion along x.
    let expected = first[5] - DVec3::X;
    let last = places(&simulation)[10] - DVec3::new(1.25, 0.0, 0.0);
    assert!((last - DVec3::new(expected.x, expected.y, 0.0)).length() < 1e-9, "{last} {expected}");
    assert!(stage == 1 && work > 10.0, "{work}");
    assert!(simulation.state().velocity().iter().take(20).all(|velocity| velocity == DVec3::ZERO));
}

#[test]
fn what_cannot_turn_is_refused_with_its_key() {
    let table = r#"
        fixed = true => mass = 1.0 | bodies[0] | about a `pivot`
        pivot = [1.0, 0.0, 0.0]\n => pivot = [nan, 0.0, 0.0]\n | bodies[0].pivot | finite
        [contact] => bonds = { gap = 1e-4, stretching = 1e-3 }\n[contact] | bodies[0].spin | bonds
        spin = [0.0, 0.0, 6.283185307179586]\n => | bodies[0].pivot | give its `spin`
        spin = [0.0, 0.0, -6.283185307179586], => | stage[1].bodies.wheel.pivot | give its `spin`
        fixed = true => fixed = true\nvelocities = VELOCITIES | bodies[0].velocities | one velocity
        ring = { centre = [1.0, 0.0, 0.0], diameter = 6.0, count = 20 } => file = { path = "two.csv" }
            | bodies[0].place.file.path | one velocity
    "#;
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("two.csv"), "x,y,z,vx,vy,vz\n0,0,0,1,0,0\n0,3,0,-1,0,0\n").unwrap();
    assert_refused_in(home.path(), WHEEL, &table.replace("VELOCITIES", &format!("{:?}", [[1.0, 0.0, 0.0]; 20])));
    let free = WHEEL.replace("blocked = [\"z\", \"spin-x\", \"spin-y\"]", "");
    assert_refused(&free, "\"verlet\" => \"exact-energy\" | `bodies[0].spin` | `verlet`");
}

#[test]
fn spins_that_fixed_bodies_do_not_take_are_noted() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("two.csv"), "x,y,z,wx,wy,wz\n0,0,0,0,0,0\n0,3,0,0,0,5\n").unwrap();
    let about_fixed = |bodies: &str| {
        let text = GEARS.replace(
            "place = { list = [[0.749, 0.0, 0.0]] }",
            &format!("place = {{ {bodies} }}\nspin = [0.0, 0.0, 1.0]"),
        );
        let text = text.replace("[[0.0, 0.0, 0.0]]", "[[9.0, 0.0, 0.0]]");
        let simulation = made_in(home.path(), &text).unwrap();
        notes(&simulation).into_iter().filter(|note| note.contains("fixed")).collect::<Vec<_>>()
    };
    let of_pyramid = about_fixed("pyramid = { layers = 2 }");
    assert!(of_pyramid.len() == 1 && of_pyramid[0].contains("bodies[1].spin"), "{of_pyramid:?}");
    assert!(of_pyramid[0].contains("4 of its bodies"), "{of_pyramid:?}");
    assert!(about_fixed("list = [[0.749, 0.0, 0.0]]").is_empty());
    let text = GEARS.replace("list = [[0.0, 0.0, 0.0]]", "file = { path = \"two.csv\" }");
    let simulation = made_in(home.path(), &text).unwrap();
    let told = notes(&simulation);
    assert!(told.iter().any(|note| note.contains("spins of fixed bodies") && note.contains("place.file")), "{told:?}");
}

#[test]
fn the_first_reading_knows_how_surfaces_slip() {
    let home = tempfile::tempdir().unwrap();
    let run = |every: usize| {
        let text = GEARS.replace("duration = 0.4", "duration = 3e-3");
        let outputs = "[output]\nseries = { steps = 30 }\ncontacts = { steps = 1000 }\n";
        whole(&format!("{text}{outputs}dissipation = {{ steps = {every} }}\n"), &home.path().join(every.to_string()));
        ["contacts.csv", "series.csv"].map(|name| Table::read(home.path().join(every.to_string()).join(name)))
    };
    let [contacts, series] = run(7);
    // The ball slips at 1.5 m/s at first; friction limits the viscous force of 300 kg/s.
    assert!(contacts.column("dissipated_power")[0] > 50.0, "{contacts:?}");
    // The last row is of step 30; step 28 is the last multiple of seven.
    let [seldom, often] = [&series, &run(1)[1]].map(|series| series.column("dissipated_sliding")[1]);
    println!("{seldom} J and {often} J");
    assert!(often > 0.1 && (seldom - often).abs() < 0.02 * often, "{seldom} {often}");
}

#[test]
fn a_group_turns_about_its_pivot_wherever_its_oscillation_begins() {
    let motion = "\noscillation = { amplitude = [0.5, 0.0, 0.0], frequency = 2.0, phase = 1.0 }\nfixed = true";
    let mut simulation =
        simulation(&WHEEL.replacen("\nfixed = true", motion, 1).replace("duration = 1.0", "duration = 0.2"));
    while simulation.stage() == 0 {
        simulation.step().unwrap();
        if simulation.stage() > 0 {
            break;
        }
        let time = simulation.state().time();
        let path = 0.5 * ((4.0 * std::f64::consts::PI * time + 1.0).sin() - 1.0_f64.sin());
        let pivot = DVec3::new(1.0 + path, 0.0, 0.0);
        let farthest =
            simulation.state().position().iter().take(20).map(|place| ((place - pivot).length() - 3.0).abs());
        assert!(farthest.fold(0.0, f64::max) < 1e-11, "{time}");
    }
}
