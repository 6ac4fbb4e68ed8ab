//! Liquid in scenes: it is kept while grains come and leave, has columns, and survives a kill.

use std::fs;

use grains::{GrainsError, Scene, Simulation};

use crate::support::{assert_survives_a_kill, whole};

/// Wet grains that fall from a source onto a wet floor, some of which leave through a gate.
pub(crate) const RAIN: &str = r#"
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

/// The liquid on grains, in bridges and gone with grains adds up to what came; the energy balance holds while bridges
/// form and rupture and grains leave.
#[test]
fn liquid_is_kept_while_grains_come_and_leave() {
    let names =
        ["bodies", "bridges", "liquid_on_bodies", "liquid_in_bridges", "liquid_removed", "balance", "capillary_loss"];
    let rows = columns(RAIN, &names);
    let first = &rows[0];
    let last = rows.last().unwrap();
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

/// A wet ball between a floor that goes up and down and a lid, which is gone in the end.
const SHAKEN: &str = r#"
    gravity = [0.0, 0.0, -5.0]
    integrator = "verlet"
    time = { dt = 1e-4 }
    contact = { normal = { hooke = { stiffness = 2000.0 } } }
    liquid = { content = 0.03, surface-tension = 0.5, walls = ["floor", "lid"] }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 3.0 }
    [[walls]]
    name = "dry"
    plane = { point = [5.0, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] }
    [[walls]]
    name = "lid"
    plane = { point = [0.0, 0.0, 1.005], normal = [0.0, 0.0, -1.0] }
    [[stage]]
    duration = 0.5
    [[stage]]
    duration = 0.3
    walls = { lid = "gone" }
"#;

#[test]
fn wet_walls_move_bear_what_bridges_pull_and_go() {
    let mut simulation = Simulation::new(&Scene::parse(SHAKEN).unwrap(), ".", false).unwrap();
    simulation.step().unwrap();
    let start = simulation.read().unwrap();
    let [all, balance] = [start.liquid.unwrap().on_bodies + start.liquid.unwrap().in_bridges, start.balance().unwrap()];
    let mut off = 0.0_f64;
    let mut pulled = 0.0_f64;
    let mut bridges = [0_usize; 2];
    let mut work = 0.0_f64;
    while simulation.step().unwrap() < simulation.steps() {
        let reading = simulation.read().unwrap();
        let liquid = reading.liquid.unwrap();
        assert!(((liquid.on_bodies + liquid.in_bridges) / all - 1.0).abs() < 1e-12);
        off = off.max((reading.balance().unwrap() - balance).abs());
        work = work.max(reading.energies.wall_work.unwrap().abs());
        // Without a contact, the force on the lid is the downward pull of its bridge.
        let has_contact = reading.contacts.iter().any(|contact| contact.b.wall() == Some(2));
        let is_first = reading.time < 0.50005;
        bridges[usize::from(!is_first)] = bridges[usize::from(!is_first)].max(liquid.bridges);
        if is_first && liquid.bridges == 2 && !has_contact {
            assert!(reading.wall_forces[2].z < 0.0);
            pulled = pulled.max(-reading.wall_forces[2].z);
        }
        assert!(reading.wall_forces[1].length() <= 0.0);
    }
    // 4 π r γ where they touch.
    let most = 4.0 * std::f64::consts::PI * 0.5 * 0.5;
    println!("off by {off:.1e}, work {work:.2e}, the lid is pulled by {pulled:.2} of {most:.2} N; {bridges:?} bridges");
    assert!(bridges == [2, 1] && pulled > 0.8 * most && pulled <= most, "{bridges:?} {pulled}");
    assert!(work > 0.02 && off < 1e-3 * work, "{off} {work}");
}

/// A start knows wet walls by their names, whatever their order; bridges to those that are not there give theirs back.
#[test]
fn a_start_knows_wet_walls_by_their_names() {
    let home = tempfile::tempdir().unwrap();
    let first = SHAKEN.split("[[stage]]").next().unwrap().replace("dt = 1e-4 }", "dt = 1e-4, duration = 0.2 }");
    whole(&first, &home.path().join("first"));
    let (before, rest) = first.split_once("[[bodies]]").unwrap();
    let walls: Vec<&str> = rest.split("[[walls]]").skip(1).collect();
    let begun = |walls: [&str; 3], wet: &str| {
        let walls = walls.map(|wall| format!("[[walls]]{wall}")).concat();
        let text = format!("start = \"first/checkpoint.grains\"\n{before}{walls}").replace("\"floor\", \"lid\"", wet);
        let mut simulation = Simulation::new(&Scene::parse(&text).unwrap(), home.path(), false).unwrap();
        simulation.step().unwrap();
        let reading = simulation.read().unwrap();
        (reading.liquid.unwrap(), reading.wall_forces)
    };
    let (same, same_forces) = begun([walls[0], walls[1], walls[2]], "\"floor\", \"lid\"");
    let (other, forces) = begun([walls[2], walls[0], walls[1]], "\"lid\", \"floor\"");
    assert!(same.bridges == 2 && same == other, "{same:?} {other:?}");
    for (one, other) in [forces[1], forces[2], forces[0]].into_iter().zip(&same_forces) {
        assert!((one - *other).length() < 1e-9, "{forces:?} {same_forces:?}");
    }
    assert!(same_forces[2].z < 0.0);
    let (dry, _) = begun([walls[0], walls[1], walls[2]], "\"floor\"");
    assert!(dry.bridges == 1 && dry.on_bodies > same.on_bodies);
    assert!(((dry.on_bodies + dry.in_bridges) / (same.on_bodies + same.in_bridges) - 1.0).abs() < 1e-12);
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
    assert!(refused("contact-angle = 0.1", "contact-angle = 1.6").to_string().contains("contact-angle"));
    assert!(refused("walls = [\"floor\"]", "walls = [\"flor\"]").to_string().contains("floor"));
    assert!(refused("walls = [\"floor\"]", "walls = [\"floor\", \"floor\"]").to_string().contains("named twice"));
    let plane = "plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n    [[sources]]";
    let round = "cylinder = { point = [0.0, 0.0, 4.0], axis = [0.0, 1.0, 0.0], radius = 4.0 }\n    [[sources]]";
    assert!(refused(plane, round).to_string().contains("only planes and boxes"));
    let text = RAIN.split("[[sources]]").next().unwrap().replace("    tangential", "    #");
    let scene = Scene::parse(&text.replace("\"verlet\"", "\"exact-energy\"")).unwrap();
    let error = Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("liquid bridges need an explicit integrator"), "{error}");
    let strained = "boundary = [\"open\", \"periodic\", \"open\"], strain-rate = [0.0, 0.1, 0.0] }";
    let scene = Scene::parse(&text.replace("boundary = [\"open\", \"periodic\", \"open\"] }", strained)).unwrap();
    let error = Simulation::new(&scene, ".", false).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("deform"), "{error}");
}
