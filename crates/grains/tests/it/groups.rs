//! Groups of bodies: driven groups, and measurements and frames of groups.

use std::fs;

use dem_contact::io::VtpPoints;
use grains::{ConvertOptions, convert};
use rrp_geom::glam::DVec3;

use crate::refused::assert_refused;
use crate::support::{drift, made_in, simulation, whole, with};
use crate::table::Table;

/// A driven plate of fixed grains under loose ones.
pub(crate) const PLATE: &str = include_str!("../data/plate.toml");

#[test]
fn fixed_grains_follow_a_table_and_their_work_is_in_the_ledger() {
    let off = |dt: &str| {
        let mut simulation = simulation(&PLATE.replace("2e-4", dt));
        let mut work = 0.0_f64;
        let largest = drift(&mut simulation, 10, |simulation, reading| {
            work = work.max(reading.energies.wall_work.unwrap().abs());
            if (simulation.state().time() - 0.3).abs() < 1e-9 {
                // 0.02 m during acceleration, then motion at 0.4 m/s; 0.005 m and 0.01 m upwards.
                let first = simulation.state().position().get(0);
                assert!((first - DVec3::new(0.1, 0.0, 0.015)).length() < 1e-9, "{first}");
            }
        });
        // The group stopped at the end of an oscillation.
        let first = simulation.state().position().get(0);
        assert!((first.z - 0.015).abs() < 1e-9 && (first.x - 0.1).abs() < 1e-9, "{first}");
        assert!(simulation.state().velocity().get(0).length() < 1e-300);
        [largest, work]
    };
    let [[coarse, _], [fine, work]] = ["2e-4", "5e-5"].map(off);
    println!("off by {coarse:.1e} J, by {fine:.1e} J with a quarter of the step, of {work:.2e} J");
    assert!(work > 0.1 && fine < 1e-3 * work && fine < 0.3 * coarse, "{coarse} {fine} {work}");
}

#[test]
fn a_group_is_measured_and_shown() {
    let home = tempfile::tempdir().unwrap();
    let gate = "[[gates]]\nname = \"loose\"\n\
                shape = { plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0] } }\n[output]";
    whole(&with(PLATE, "[output]", gate), home.path());
    let measured = Table::read(home.path().join("measure-loose.csv"));
    assert!(measured.rows.iter().all(|row| row[2] == "6"), "{measured:?}");
    let frame = fs::read(home.path().join("frames-000001.vtp")).unwrap();
    let (_, marks) = VtpPoints::read_with_marks(&mut &frame[..], usize::MAX).unwrap();
    let expected: Vec<i64> = std::iter::repeat_n(0, 16).chain(std::iter::repeat_n(1, 6)).collect();
    assert_eq!(marks.group.unwrap(), expected);
}

/// The duration of Hertzian contacts scales as v^(-1/5).
#[test]
fn the_time_step_suits_groups_that_are_driven() {
    let table = "table = { velocities = [[0.0, 0.0, 0.0, 0.0], [0.1, 1.0, 0.0, 0.0]] }";
    let slow = r#"
        integrator = "verlet"
        time = { dt = "auto" }
        contact = { normal = { hertz = { modulus = 1e7 } } }
        [[bodies]]
        place = { list = [[0.0, 5.0, 0.0]] }
        velocity = [0.1, 0.0, 0.0]
        radius = 0.5
        mass = 1.0
        [[bodies]]
        name = "plate"
        place = { list = [[0.0, 0.0, 0.0]] }
        radius = 0.5
        fixed = true
        [[stage]]
        duration = 0.2
        [[stage]]
        duration = 0.2
        bodies = { plate = { velocity = [10.0, 0.0, 0.0] } }
    "#;
    let mut driven = simulation(&slow.replace("fixed = true", &format!("fixed = true\n{table}")));
    let by_body = simulation(slow).dt();
    let by_table = driven.dt();
    while driven.stage() == 0 {
        driven.step().unwrap();
    }
    // The three steps are those for speeds of 0.1, 1 and 10 m/s.
    for ratio in [by_table / by_body, driven.dt() / by_table] {
        assert!((ratio * 10.0_f64.powf(0.2) - 1.0).abs() < 1e-3, "{ratio}");
    }
}

#[test]
fn a_group_that_was_driven_rests_in_a_scene_that_begins_with_it() {
    let home = tempfile::tempdir().unwrap();
    let (first, _) = PLATE.split_once("[[stage]]\nduration = 0.2").unwrap();
    whole(first, &home.path().join("first"));
    let (head, rest) = first.split_once("[[bodies]]").unwrap();
    let (_, tail) = rest.split_once("[[measure]]").unwrap();
    let text = format!("start = \"first/checkpoint.grains\"\n{head}[[measure]]{tail}");
    let mut simulation = made_in(home.path(), &text).unwrap();
    let before = simulation.state().position().get(0);
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.state().position().get(0), before);
}

#[test]
fn mistakes_about_groups_are_told_with_their_key() {
    let table = r#"
        fixed = true\n => mass = 1.0\n | bodies[0] | only fixed bodies
        name = "loose"\nplace => name = "plate"\nplace | bodies[1].name | another group
        { plate = {} } => { plte = {} } | stage[2].bodies.plte | `plate`
        { plate = {} } => { loose = {} } | stage[2].bodies.loose | fixed = true
        { plate = {} } => { plate = { velocity = [nan, 0, 0] } } | stage[2].bodies.plate.velocity | finite
        [0.1, 0.4, 0.0, 0.0] => [0.0, 0.4, 0.0, 0.0] | bodies[0].table.velocities | ascending
        frequency = 20.0 => frequency = -2.0 | stage[1].bodies.plate.oscillation.frequency | not negative
        group = "loose" => group = "lose" | measure[0].group | `loose`
        "verlet" => { implicit = { alpha = 0.5 } } | bodies[0] | explicit
    "#;
    assert_refused(PLATE, table);
}

#[test]
fn tables_of_checkpoints_say_which_bodies_they_are_of() {
    let home = tempfile::tempdir().unwrap();
    let (first, _) = PLATE.split_once("[[stage]]\nduration = 0.3").unwrap();
    whole(&format!("{first}[[stage]]\nduration = 0.01"), &home.path().join("run"));
    let table = home.path().join("bodies.csv");
    convert(&home.path().join("run/checkpoint.grains"), &table, ConvertOptions::default()).unwrap();
    let text = fs::read_to_string(&table).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",wx,wy,wz,id,group,material"), "{text}");
    let of = |line: usize| text.lines().nth(line).unwrap().split(',').skip(11).collect::<Vec<_>>().join(",");
    assert_eq!((of(1), of(16), of(22)), ("0,plate,other".into(), "15,plate,other".into(), "21,loose,other".into()));
    // A frame stores the same values as numbers, and converts to an equal frame.
    let [last, frame, again] = ["run/frames-000001.vtp", "a.vtp", "a.csv"].map(|name| home.path().join(name));
    convert(&last, &frame, ConvertOptions::default()).unwrap();
    convert(&frame, &again, ConvertOptions::default()).unwrap();
    let numbered = text.replace(",plate,other", ",0,0").replace(",loose,other", ",1,0");
    // Spins are left out, since they are rounded through angular momenta.
    let fields = |text: &str| -> Vec<String> {
        let kept = |line: &str| {
            let fields = line.split(',').enumerate().filter(|(k, _)| !(8..11).contains(k));
            fields.map(|(_, word)| word).collect::<Vec<_>>().join(",")
        };
        text.lines().map(kept).collect()
    };
    assert_eq!(fields(&fs::read_to_string(&again).unwrap()), fields(&numbered));
    // A scene reads the table, and lists the columns without effect.
    let scene = format!(
        "integrator = \"verlet\"\ntime = {{ dt = 1e-4, duration = 1e-3 }}\ncontact = {{ normal = {{ hooke = {{ stiffness = 1e5 }} }} }}\n\
         [[bodies]]\nplace = {{ file = {{ path = {table:?} }} }}\n"
    );
    let read = simulation(&scene);
    assert_eq!((read.bodies().len(), read.bodies().fixed().len()), (22, 16));
    assert!(read.notes().iter().any(|note| note.text.contains("ids, groups and materials: not taken over")));
}
