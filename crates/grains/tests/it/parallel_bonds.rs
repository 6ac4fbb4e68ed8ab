//! Parallel bonds in scenes: a bar across periodic sides, ruptures with their columns, what is refused.

use std::fs;

use grains::{GrainsError, Scene, Simulation};

use crate::support::{assert_survives_a_kill, whole};

/// A row of spheres along x that fills a periodic box, thrown about.
const ROW: &str = r#"
    integrator = "rodrigues-25"
    time = { dt = 1e-3, duration = 0.2 }
    box = { low = [0.0, -2.0, -2.0], high = [6.0, 2.0, 2.0], boundary = ["periodic", "open", "open"] }
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    [bonds]
    gap = 1e-6
    parallel = { radius-multiplier = 0.6, modulus = 1e4, stiffness-ratio = 2.5, tensile-strength = 1e3 }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.0, 0.0], count = [6, 1, 1], spacing = [1.0, 1.0, 1.0] } }
    velocities = [[0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    radius = 0.5
    mass = 1.0
    [output]
    series = { steps = 10 }
    frames = { steps = 100 }
    checkpoints = { steps = 30 }
"#;

/// Columns of the series by name, the last line.
fn last(text: &str, names: &[&str]) -> Vec<f64> {
    let home = tempfile::tempdir().unwrap();
    whole(text, home.path());
    let series = fs::read_to_string(home.path().join("series.csv")).unwrap();
    let (mut lines, split) = (series.lines(), |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = split(lines.next().unwrap());
    let line = split(lines.last().unwrap());
    let column = |name: &&str| line[header.iter().position(|found| found == name).unwrap()].parse().unwrap();
    names.iter().map(column).collect()
}

/// Six spheres in a periodic row have six bonds. One breaks; what it took is in its columns, and the balance holds.
#[test]
fn ruptures_have_columns_and_the_balance_holds() {
    let simulation = Simulation::new(&Scene::parse(ROW).unwrap(), ".", false).unwrap();
    assert_eq!(simulation.bonds().unwrap().len(), 6);
    let start = simulation.read().unwrap().balance().unwrap();
    let [broken, released, jump, balance, bonds] =
        last(ROW, &["broken", "released", "jump_work", "balance", "bonds"])[..]
    else {
        panic!()
    };
    println!("{broken} broken, {released} J released, {jump} J jumped, balance {start} -> {balance}");
    assert!((1.0..6.0).contains(&broken) && released > 1.0 && jump < -0.01 && bonds > 0.1);
    assert!((balance - start).abs() < 5e-3 * start, "{start} -> {balance}");
}

#[test]
fn bonds_and_their_ruptures_survive_a_kill() {
    assert_survives_a_kill(ROW, 45, "parallel bonds");
}

#[test]
fn what_makes_no_bond_is_refused() {
    let refused = |from: &str, to: &str| {
        assert!(ROW.contains(from), "{from}");
        let scene = Scene::parse(&ROW.replace(from, to)).unwrap();
        Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err()
    };
    for (from, to, key) in [
        ("modulus = 1e4", "modulus = 0.0", "bonds.parallel.modulus"),
        ("radius-multiplier = 0.6", "radius-multiplier = -1.0", "bonds.parallel.radius-multiplier"),
        ("stiffness-ratio = 2.5", "stiffness-ratio = nan", "bonds.parallel.stiffness-ratio"),
        ("tensile-strength = 1e3", "tensile-strength = 0.0", "bonds.parallel.tensile-strength"),
    ] {
        let error = refused(from, to);
        assert!(matches!(error, GrainsError::OutOfRange { .. }) && error.to_string().contains(key), "{error}");
    }
    let error = refused("gap = 1e-6", "gap = 1e-6\nbending = 1.0").to_string();
    assert!(error.contains("bonds.bending") && error.contains("bonds.parallel"), "{error}");
    let error = refused(
        "[\"periodic\", \"open\", \"open\"]",
        "[\"periodic\", \"open\", \"open\"], strain-rate = [0.1, 0.0, 0.0]",
    );
    assert!(error.to_string().contains("deform"), "{error}");
}
