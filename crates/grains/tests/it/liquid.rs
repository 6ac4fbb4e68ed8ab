//! Liquid in scenes: it is kept while grains come and leave, has columns, and survives a kill.

use std::fs;

use grains::{GrainsError, Scene, Simulation};

use crate::support::{assert_survives_a_kill, whole};

/// Wet grains that fall from a source onto a wet floor, some of which leave through a gate.
const RAIN: &str = r#"
    gravity = [1.0, 0.0, -9.0]
    integrator = "verlet"
    time = { dt = 5e-4, duration = 1.0 }
    box = { low = [0.0, 0.0, -1.0], high = [4.0, 4.0, 9.0], boundary = ["open", "periodic", "open"] }
    liquid = { content = 0.01, surface-tension = 0.8, contact-angle = 0.1, walls = ["floor"] }
    [contact]
    normal = { hooke = { stiffness = 2000.0 } }
    damping = { restitution = 0.6 }
    tangential = { friction-spring = { stiffness = 600.0, friction = 0.3 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.5, 0.51], count = [3, 3, 1], spacing = [1.05, 1.05, 1.0] } }
    radius = 0.5
    mass = 1.0
    velocity = [2.0, 0.3, 0.0]
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[sources]]
    region = { box = { low = [0.5, 0.5, 1.6], high = [3.5, 3.5, 3.0] } }
    sizes = { radius = 0.3 }
    density = 2.0
    total = { count = 12 }
    [[gates]]
    shape = { plane = { point = [3.0, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] } }
    remove = true
    [output]
    series = { steps = 50 }
    checkpoints = { steps = 300 }
"#;

/// The columns of these names, line by line.
fn columns(text: &str, names: &[&str]) -> Vec<Vec<f64>> {
    let home = tempfile::tempdir().unwrap();
    whole(text, home.path());
    let series = fs::read_to_string(home.path().join("series.csv")).unwrap();
    let header: Vec<&str> = series.lines().next().unwrap().split(',').collect();
    let places: Vec<usize> = names.iter().map(|name| header.iter().position(|found| found == name).unwrap()).collect();
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), header.len());
        places.iter().map(|&place| fields[place].parse().unwrap()).collect()
    };
    series.lines().skip(1).map(line).collect()
}

/// What is on grains, in bridges and gone is what came; the balance holds over all that begins, breaks and leaves.
#[test]
fn liquid_is_kept_while_grains_come_and_leave() {
    let names =
        ["bodies", "bridges", "liquid_on_bodies", "liquid_in_bridges", "liquid_removed", "balance", "capillary_loss"];
    let rows = columns(RAIN, &names);
    let (first, last) = (&rows[0], rows.last().unwrap());
    let of_ball = |radius: f64| 0.01 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let came = 9.0 * of_ball(0.5) + 12.0 * of_ball(0.3);
    let liquid = |row: &Vec<f64>| row[2] + row[3] + row[4];
    println!("{first:?}\n{last:?}");
    assert!((liquid(last) / came - 1.0).abs() < 1e-12, "{} of {came}", liquid(last));
    let most = rows.iter().map(|row| row[1]).fold(0.0, f64::max);
    assert!(most > 8.0 && last[4] > 0.0 && last[0] < 21.0 && last[6] > 0.05, "{most} {last:?}");
    assert!((last[5] - first[5]).abs() < 2e-2 * last[6], "{} -> {}", first[5], last[5]);
}

#[test]
fn wet_runs_survive_a_kill() {
    assert_survives_a_kill(RAIN, 1111, "liquid");
}

/// A ball that touches all six sides of a box has a bridge to each.
#[test]
fn all_sides_of_a_box_are_wet() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-4, duration = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        liquid = { content = 0.01, surface-tension = 1e-3, walls = ["cell"] }
        [[bodies]]
        place = { list = [[0.0, 0.0, 0.5]] }
        radius = 0.5
        mass = 1.0
        [[walls]]
        name = "cell"
        box = { low = [-0.5, -0.5, 0.0], high = [0.5, 0.5, 1.0] }
    "#;
    let mut simulation = Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.read().unwrap().liquid.unwrap().bridges, 6);
}

#[test]
fn what_cannot_be_wet_is_refused() {
    let refused = |from: &str, to: &str| {
        assert!(RAIN.contains(from), "{from}");
        let scene = Scene::parse(&RAIN.replace(from, to)).unwrap();
        Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err()
    };
    for (from, to) in [
        ("content = 0.01", "content = 1.5"),
        ("content = 0.01", "content = -0.1"),
        ("surface-tension = 0.8", "surface-tension = 0.0"),
        ("content = 0.01", "content = 0.01, share = 0.0"),
    ] {
        let error = refused(from, to);
        assert!(matches!(error, GrainsError::OutOfRange { .. }), "{to}: {error}");
    }
    assert!(refused("contact-angle = 0.1", "contact-angle = 1.6").to_string().contains("contact angle"));
    assert!(refused("walls = [\"floor\"]", "walls = [\"flor\"]").to_string().contains("floor"));
    assert!(refused("walls = [\"floor\"]", "walls = [\"floor\", \"floor\"]").to_string().contains("named twice"));
    let moving = "normal = [0.0, 0.0, 1.0], velocity = [0.0, 0.0, 0.1] }\n    [[sources]]";
    assert!(refused("normal = [0.0, 0.0, 1.0] }\n    [[sources]]", moving).to_string().contains("at rest"));
    let text = RAIN.split("[[sources]]").next().unwrap().replace("    tangential", "    #");
    let scene = Scene::parse(&text.replace("\"verlet\"", "\"exact-energy\"")).unwrap();
    let error = Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("liquid bridges need an explicit integrator"), "{error}");
    let strained = "boundary = [\"open\", \"periodic\", \"open\"], strain-rate = [0.0, 0.1, 0.0] }";
    let scene = Scene::parse(&text.replace("boundary = [\"open\", \"periodic\", \"open\"] }", strained)).unwrap();
    let error = Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("deform"), "{error}");
}
