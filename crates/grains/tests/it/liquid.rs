//! Liquid in scenes: conservation with insertion and removal of grains, columns, and kills.

use crate::refused::assert_refused;
use crate::support::{drift, made_in, simulation, whole};
use crate::table::Table;

/// Wet grains that fall onto a wet floor; some of them leave.
pub(crate) const RAIN: &str = include_str!("../data/rain.toml");

#[test]
fn liquid_is_kept_while_grains_come_and_leave() {
    let series = Table::of_series(RAIN);
    let of_ball = |radius: f64| 0.01 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let came = 9.0 * of_ball(0.5) + 12.0 * of_ball(0.3);
    let last = |name: &str| series.last(name);
    let liquid = last("liquid_on_bodies") + last("liquid_in_bridges") + last("liquid_removed");
    println!("{:?}\n{:?}", series.rows[0], series.rows.last());
    assert!((liquid / came - 1.0).abs() < 1e-12, "{liquid} of {came}");
    let most = series.column("bridges").into_iter().fold(0.0, f64::max);
    assert!(most > 8.0 && last("liquid_removed") > 0.0 && last("bodies") < 21.0, "{most} {:?}", series.rows.last());
    let [balance, loss] = ["balance", "capillary_loss"].map(|name| series.column(name));
    assert!(last("capillary_loss") > 0.05, "{loss:?}");
    assert!((last("balance") - balance[0]).abs() < 2e-2 * last("capillary_loss"), "{balance:?}");
}

/// A ball in contact with all six sides of a box has a bridge to each.
#[test]
fn all_sides_of_a_box_are_wet() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-4, duration = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        liquid = { content = 0.01, surface-tension = 1e-3, walls = ["cell"] }
        bodies = [{ place = { list = [[0.0, 0.0, 0.5]] }, radius = 0.5, mass = 1.0 }]
        walls = [{ name = "cell", box = { low = [-0.5, -0.5, 0.0], high = [0.5, 0.5, 1.0] } }]
    "#;
    let mut simulation = simulation(text);
    simulation.step().unwrap();
    assert_eq!(simulation.read().unwrap().liquid.unwrap().bridges, 6);
}

/// A wet ball between a shaking floor and a lid, which a later stage removes.
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
    let mut simulation = simulation(SHAKEN);
    simulation.step().unwrap();
    let start = simulation.read().unwrap();
    let all = start.liquid.unwrap().on_bodies + start.liquid.unwrap().in_bridges;
    let mut pulled = 0.0_f64;
    let mut bridges = [0_usize; 2];
    let mut work = 0.0_f64;
    let off = drift(&mut simulation, 1, |_, reading| {
        let liquid = reading.liquid.unwrap();
        assert!(((liquid.on_bodies + liquid.in_bridges) / all - 1.0).abs() < 1e-12);
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
    });
    // 4 π r γ at contact.
    let most = 4.0 * std::f64::consts::PI * 0.5 * 0.5;
    println!("off by {off:.1e}, work {work:.2e}, the lid is pulled by {pulled:.2} of {most:.2} N; {bridges:?} bridges");
    assert!(bridges == [2, 1] && pulled > 0.8 * most && pulled <= most, "{bridges:?} {pulled}");
    assert!(work > 0.02 && off < 1e-3 * work, "{off} {work}");
}

/// A start matches wet walls by name in any order; bridges to missing walls return their liquid.
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
        let mut simulation = made_in(home.path(), &text).unwrap();
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
    let table = r#"
        content = 0.01 => content = 1.5 | `liquid.content` | must be
        content = 0.01 => content = -0.1 | `liquid.content` | must be
        surface-tension = 0.8 => surface-tension = 0.0 | `liquid.surface-tension` | must be
        content = 0.01 => content = 0.01, share = 0.0 | `liquid.share` | must be
        contact-angle = 0.1 => contact-angle = 1.6 | contact-angle
        walls = ["floor"] => walls = ["flor"] | floor
        walls = ["floor"] => walls = ["floor", "floor"] | named twice
        plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
            => cylinder = { point = [0.0, 0.0, 4.0], axis = [0.0, 1.0, 0.0], radius = 4.0 } | only planes and boxes
    "#;
    assert_refused(RAIN, table);
    let table = r#"
        "verlet" => "exact-energy" | liquid bridges need an explicit integrator
        boundary = ["open", "periodic", "open"] => boundary = ["open", "periodic", "open"], strain-rate = [0.0, 0.1, 0.0]
            | deform
    "#;
    assert_refused(&RAIN.split("[[sources]]").next().unwrap().replace("tangential", "#"), table);
}
