//! Forces beside contacts, driven grains and measurements leave the same files on any number of ranks.

use std::fs;

use crate::ranks::{SPRINGS, assert_same_on, bed, whole_on_one};
use crate::support::{FRICTION, command, outcome};

/// The bed with these tables before its walls.
fn bed_with(tables: &str) -> String {
    bed(SPRINGS).replacen("    [[walls]]", &format!("    {tables}\n    [[walls]]"), 1)
}

/// The last value in a column of a time series of a run alone.
fn last(text: &str, column: &str) -> f64 {
    let home = tempfile::tempdir().unwrap();
    whole_on_one(text, home.path());
    let series = fs::read_to_string(home.path().join("series.csv")).unwrap();
    let place = series.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    series.lines().last().unwrap().split(',').nth(place).unwrap().parse().unwrap()
}

/// Some of them break, in all tiles and across their borders.
#[test]
fn bonds_that_break_leave_the_same_files_on_ranks() {
    let elastic = "[bonds]\n    gap = 1e-3\n    stretching = 2e3\n    shearing = 900.0\n    bending = 90.0\n    \
                   break-stretch = 0.003";
    let glue = "[bonds]\n    gap = 1e-3\n    parallel = { modulus = 2e4, stiffness-ratio = 2.5, \
                tensile-strength = 100.0, shear-strength = 60.0 }";
    for (bonds, counts) in [(elastic, &[2, 3, 8][..]), (glue, &[5])] {
        let text = bed_with(bonds);
        let broken = last(&text, "broken");
        assert!((200.0..4000.0).contains(&broken), "{broken}");
        assert_same_on(counts, &text, bonds);
    }
}

#[test]
fn ties_leave_the_same_files_on_ranks() {
    assert_same_on(&[2, 3], &bed_with("[ties]\n    stiffness = 3e4"), "ties");
}

#[test]
fn liquid_leaves_the_same_files_on_ranks() {
    let wet = "[liquid]\n    content = 0.02\n    surface-tension = 30.0\n    walls = [\"floor\"]";
    // What sticks to the floor follows it.
    let floor = "    [[walls]]\n    name = \"floor\"\n    servo = { force = 9e3, speed = 0.1 }";
    let text = bed_with(wet).replacen("    [[walls]]", floor, 1);
    let bridges = last(&text, "bridges");
    assert!(bridges > 3000.0, "{bridges}");
    assert_same_on(&[3], &text, "liquid");
    assert_same_on(&[2], &crate::liquid::RAIN.replace("duration = 1.0", "duration = 0.3"), "rain");
}

#[test]
fn elastic_walls_leave_the_same_files_on_ranks() {
    let wall = "[[walls]]\n    elastic = { point = [0.0, 0.0, 0.05], normal = [0.0, 0.0, 1.0], \
                stiffness = 2100.0 }\n    [output]";
    let text = bed(SPRINGS).replace("[output]", wall);
    assert_same_on(&[2, 5], &text, "elastic walls");
}

/// More ranks than tiles, and fixed grains among those that touch them.
#[test]
fn driven_grains_leave_the_same_files_on_ranks() {
    let driven = r#"[[bodies]]
    name = "paddle"
    place = { lattice = { origin = [0.5, 0.6, 33.8], count = [8, 4, 1], spacing = [1.0, 0.99, 1.0] } }
    material = "steel"
    radius = 0.5
    fixed = true
    oscillation = { amplitude = [0.0, 0.02, 0.05], frequency = 40.0 }"#;
    assert_same_on(&[2, 5], &bed_with(driven), "driven grains");
    let of_few = FRICTION.replace("duration = 0.08", "duration = 0.02").replace(
        "mass = 1.0\n    velocity = [0.3, 0.1, -1.0]\n    spin = [0.0, 2.0, 1.0]",
        "fixed = true\n    oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 20.0 }",
    );
    assert_same_on(&[3], &of_few, "few grains");
}

#[test]
fn walls_that_some_feel_leave_the_same_files_on_ranks() {
    let text = bed_with("").replacen("[[bodies]]", "[[bodies]]\n    name = \"low\"", 1);
    let floor = "plane = { point = [0.0, 0.1, 0.0]";
    assert!(text.contains(floor));
    assert_same_on(&[3], &text.replace(floor, &format!("groups = [\"low\"]\n    {floor}")), "felt walls");
}

#[test]
fn measurements_are_the_same_on_ranks() {
    let measures = r#"[[measure]]
    name = "all"
    every = { steps = 10 }
    samples = 3
    [[measure]]
    name = "part"
    every = { steps = 10 }
    region = { box = { low = [1.0, 1.0, 0.5], high = [7.0, 7.0, 18.0] } }
    material = "glass"
    least-contacts = 3
    [[measure]]
    name = "gauss"
    every = { steps = 15 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [8.0, 8.0, 34.0] } }
    grid = { cells = [2, 1, 8], kernel = { gaussian = { width = 0.7 } } }
    [[measure]]
    name = "lucy"
    every = { steps = 15 }
    region = { box = { low = [0.0, 0.0, 0.0], high = [8.0, 8.0, 34.0] } }
    grid = { cells = [1, 2, 5], kernel = { lucy = { range = 1.5 } } }"#;
    assert_same_on(
        &[3],
        &bed_with(measures).replace("[output]", "[output]\n    dissipation = { steps = 7 }"),
        "measurements",
    );
}

#[test]
fn a_body_behind_a_wall_has_the_same_words_on_ranks() {
    let shot = r#"[[bodies]]
    place = { list = [[4.0, 0.7, 40.0]] }
    radius = 0.5
    mass = 1.0
    velocity = [0.0, -1600.0, 0.0]"#;
    let side = "    [[walls]]\n    name = \"side\"\n    plane";
    let text = bed_with(shot).replacen("    [[walls]]\n    plane", side, 1);
    let words = |more: &[&str]| {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("bed.toml"), &text).unwrap();
        let mut command = command();
        command.current_dir(home.path()).args(["run", "bed.toml", "--quiet"]).args(more);
        let (text, code) = outcome(&command.output().unwrap());
        assert!(text.contains("wall 1 is `side`; the body is at [4"), "{text}");
        (text.lines().find(|line| line.contains("wall 1 is")).map(str::to_owned), code)
    };
    assert_eq!(words(&["--ranks", "3"]), words(&[]));
}
