//! Malformed scenes: each is refused with its line and key, and exit code 2.

use std::fs;

use grains::{Run, RunOptions};

use crate::refused::{Case, cases};
use crate::support::{called, scene_file, with};

const GOOD: &str = r#"title = "good"
gravity = [0.0, 0.0, -1.0]
integrator = "verlet"

[time]
dt = 1e-3
duration = 0.01

[contact]
normal = { hooke = { stiffness = 1000.0 } }
damping = { restitution = 0.5 }
tangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }

[[bodies]]
place = { list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]] }
radius = 0.5
mass = 1.0

[[walls]]
plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }

[output]
series = { steps = 2 }
"#;

/// Cases in which `line N` in parts of messages is a line of the scene.
const TABLE: &str = include_str!("../data/malformed.txt");

/// Cases of the scene with other integrators, and without friction.
const OF_METHODS: [(&str, &str); 3] = [
    (
        "\"exact-energy\"",
        "[contact] => [contact]\\ntwisting = { stiffness = 1.0, friction = 0.1 } | line 10 | `contact.twisting` | explicit",
    ),
    (
        "{ static = {} }",
        "LAWS => between = [\"a\", \"a\"]\\ntwisting = { stiffness = 1.0, friction = 0.1 }
            | line 13 | `contact.pairs[0].twisting` | resistance",
    ),
    (
        "{ contact-dynamics = {} }",
        "LAWS => between = [\"a\", \"a\"]\\ntangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }
            | line 13 | `contact.pairs[0].tangential` | without friction",
    ),
];

#[test]
fn malformed_scenes_are_refused_with_line_and_key() {
    let (home, scene) = scene_file(GOOD);
    assert_eq!(called!["run", &scene, "--quiet"].1, 0);
    let tables = OF_METHODS.map(|(integrator, table)| (with(GOOD, "\"verlet\"", integrator), table));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (good, table) in tables.into_iter().chain([(GOOD.to_owned(), TABLE)]) {
        for Case { from, to, parts } in cases(table) {
            let laws =
                "damping = { restitution = 0.5 }\ntangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }";
            let good = if from == "LAWS" { with(&good, laws, "[[contact.pairs]]\nLAWS") } else { good.clone() };
            assert!(good.contains(&from), "{from}");
            fs::write(&scene, good.replacen(&from, &to, 1)).unwrap();
            let Err(error) = Run::of_file(&scene, Some(&home.path().join("other")), RunOptions::default()) else {
                panic!("{from} => {to} is taken")
            };
            let text = error.report(false);
            let shown = |part: &&String| match part.strip_prefix("line ") {
                Some(line) => text.contains(&format!("scene.toml:{line}:")),
                None => text.contains(part.as_str()),
            };
            let silent = parts.iter().find(|part| !shown(part));
            if error.exit_code() != 2 || silent.is_some() {
                wrong.push(format!("{from} => {to}: code {}, without {silent:?}: {text}", error.exit_code()));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty() && count >= 83, "{}", wrong.join("\n"));
}

#[test]
fn a_scene_that_is_not_there_is_an_error_of_input() {
    let (text, code) = called!["run", "nowhere/none.toml"];
    assert!(code == 2 && text.contains("none.toml"), "{code}: {text}");
}

#[test]
fn a_table_with_a_bad_row_names_line_and_column() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let file = "file = { path = \"bodies.csv\" }";
    fs::write(&scene, GOOD.replace("list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]", file)).unwrap();
    for (table, expected) in [
        ("x,y,z\n0,0,1\n0,zero,3\n", ["line 3", "`y`"]),
        ("x,y\n0,0\n", ["line 1", "`z`"]),
        ("x,y,z,colour\n0,0,1,2\n", ["line 1", "`colour`"]),
        ("x,y,z\n0,0,1\n0,0\n", ["line 3", "`z`"]),
        ("# comment\n\nx,y,z\r\n0,0,1\r\n\n# comment\n  # another\n0,zero,3", ["line 8", "`y`"]),
        ("# comment\n\n", ["line 1", "is empty"]),
    ] {
        fs::write(home.path().join("bodies.csv"), format!("\u{feff}{table}")).unwrap();
        let (text, code) = called!["check", &scene];
        assert!(code == 2 && expected.iter().all(|part| text.contains(part)), "{code}: {text}");
    }
}
