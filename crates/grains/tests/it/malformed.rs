//! Scenes that are none: each is refused with its line and key, and exit code 2.

use std::fs;

use crate::support::{command, outcome};

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

/// Cases: the text that is replaced, its replacement, and parts that the message must have.
const CASES: &[(&str, &str, &[&str])] = &[
    // Not TOML at all.
    ("[time]", "[time", &["line 5"]),
    ("duration = 0.01", "duration = ", &["line 7"]),
    ("duration = 0.01", "duration = 0.01\nduration = 0.02", &["line 8"]),
    ("\"verlet\"", "verlet", &["line 3"]),
    // Names that mean nothing.
    ("gravity", "gravitiy", &["line 2", "`gravitiy`", "did you mean `gravity`"]),
    ("[time]", "[tiem]", &["line 5", "`tiem`", "did you mean `time`"]),
    ("duration = 0.01", "durations = 0.01", &["line 7", "`durations`", "did you mean `duration`"]),
    ("radius = 0.5", "raduis = 0.5", &["line 16", "`raduis`", "did you mean `radius`"]),
    ("damping =", "dampening =", &["line 11", "`dampening`", "did you mean `damping`"]),
    ("stiffness =", "stifness =", &["line 10", "`stifness`", "did you mean `stiffness`"]),
    ("hooke", "hook", &["line 10", "`hook`", "did you mean `hooke`"]),
    ("\"verlet\"", "\"verlett\"", &["line 3", "`integrator`", "did you mean `verlet`"]),
    ("\"verlet\"", "\"rodrigues-24\"", &["line 3", "`integrator`", "did you mean `rodrigues-2"]),
    ("plane", "plain", &["line 20", "`plain`", "did you mean `plane`"]),
    ("normal = [0.0, 0.0, 1.0]", "nomral = [0.0, 0.0, 1.0]", &["line 20", "`nomral`", "did you mean `normal`"]),
    ("steps = 2", "step = 2", &["line 23", "`step`", "did you mean `steps`"]),
    ("series", "serie", &["line 23", "`serie`", "did you mean `series`"]),
    ("list", "lists", &["line 15", "`lists`", "did you mean `list`"]),
    ("friction = 0.5", "frction = 0.5", &["line 12", "`frction`", "did you mean `friction`"]),
    // Names of earlier versions.
    ("hooke = { stiffness", "hertz = { stiffness", &["line 10", "`stiffness`", "did you mean `modulus`"]),
    // Keys that are missing.
    ("integrator = \"verlet\"", "", &["`integrator` is missing"]),
    ("duration = 0.01", "", &["line 5", "`time`", "`duration` is missing"]),
    ("[time]\ndt = 1e-3\nduration = 0.01\n", "", &["`time` is missing"]),
    ("mass = 1.0", "", &["line 14", "`bodies[0]`", "`mass` is missing"]),
    ("radius = 0.5", "", &["line 14", "`bodies[0]`", "`radius` is missing"]),
    ("normal = { hooke = { stiffness = 1000.0 } }", "", &["line 9", "`contact`", "`normal` is missing"]),
    ("point = [0.0, 0.0, 0.0], ", "", &["line 20", "`point` is missing"]),
    ("[[bodies]]", "[[bodies]]\nplace = { list = [] }\n[bodies.sizes]", &["line 16", "`bodies[0].sizes`"]),
    // Values of the wrong kind.
    (
        "radius = 0.5",
        "radius = \"half\"",
        &["line 16", "`bodies[0].radius`", "must be a number, but is the text \"half\""],
    ),
    ("mass = 1.0", "mass = [1.0, 2.0]", &["line 17", "`bodies[0].mass`", "must be a number, but is a list"]),
    (
        "{ restitution = 0.5 }",
        "0.5",
        &["line 11", "`contact.damping`", "must be a word in quotation marks, or a table"],
    ),
    ("list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]", "list = []", &["line 14", "`bodies`", "there are no bodies"]),
    ("gravity = [0.0, 0.0, -1.0]", "gravity = [0.0, -1.0]", &["line 2", "`gravity", "of length 3, but is of length 2"]),
    ("gravity = [0.0, 0.0, -1.0]", "gravity = -1.0", &["line 2", "`gravity`"]),
    ("gravity = [0.0, 0.0, -1.0]", "gravity = [0.0, 0.0, -1.0, 0.0]", &["line 2", "`gravity`", "of length 4"]),
    ("\"verlet\"", "\"static\"", &["line 3", "`integrator", "must be a table, but is a word alone"]),
    ("\"verlet\"", "{ verlet = {}, implicit = {} }", &["line 3", "`integrator`", "a table of one key"]),
    ("dt = 1e-3", "dt = \"automatic\"", &["line 6", "`time.dt`", "auto"]),
    ("dt = 1e-3", "dt = true", &["line 6", "`time.dt`"]),
    ("steps = 2", "steps = -2", &["line 23", "`output.series"]),
    // Numbers out of range.
    ("radius = 0.5", "radius = -0.5", &["line 16", "`bodies[0].radius`", "-0.5"]),
    ("radius = 0.5", "radius = nan", &["line 16", "`bodies[0].radius`", "NaN"]),
    ("mass = 1.0", "mass = 0.0", &["line 17", "`bodies[0].mass`"]),
    ("mass = 1.0", "mass = inf", &["line 17", "`bodies[0].mass`"]),
    ("mass = 1.0", "density = -1.0", &["line 17", "`bodies[0].density`"]),
    ("stiffness = 1000.0", "stiffness = -1000.0", &["line 10", "`contact.normal.hooke.stiffness`"]),
    ("restitution = 0.5", "restitution = 1.5", &["line 11", "`contact.damping", "1.5"]),
    ("gamma = 1.0", "gamma = -1.0", &["line 12", "`contact.tangential.coulomb-viscous.gamma`"]),
    ("gravity = [0.0, 0.0, -1.0]", "gravity = [0.0, nan, -1.0]", &["line 2", "`gravity`"]),
    ("[2.0, 0.0, 0.6]", "[2.0, inf, 0.6]", &["line 15", "`bodies[0].place.list[1]`"]),
    ("normal = [0.0, 0.0, 1.0]", "normal = [0.0, 0.0, 0.0]", &["line 20", "`walls[0].plane.normal`"]),
    ("point = [0.0, 0.0, 0.0]", "point = [0.0, nan, 0.0]", &["line 20", "`walls[0].plane.point`"]),
    ("dt = 1e-3", "dt = -1e-3", &["line 6", "`time.dt`"]),
    ("dt = 1e-3", "dt = 0.0", &["line 6", "`time.dt`"]),
    ("dt = 1e-3", "dt = 5.0", &["line 6", "`time.dt`", "too long"]),
    ("dt = 1e-3", "dt = 1e-300", &["line 6", "`time.dt`", "steps"]),
    ("duration = 0.01", "duration = -1.0", &["line 7", "`time.duration`"]),
    ("duration = 0.01", "duration = nan", &["line 7", "`time.duration`"]),
    ("steps = 2", "time = 0.0", &["line 23", "`output.series.time`"]),
    ("mass = 1.0", "mass = 1.0\nmaterial = \"glass\"", &["line 18", "`bodies[0].material`", "`glass`"]),
    (
        "mass = 1.0",
        "mass = 1.0\nmaterial = \"glas\"\n[[contact.pairs]]\nbetween = [\"glass\", \"other\"]",
        &["line 18", "`bodies[0].material`", "did you mean `glass`"],
    ),
    (
        "mass = 1.0",
        "mass = 1.0\n[[contact.pairs]]\nbetween = [\"a\", \"b\"]\nnormal = { hertz = { modulus = -1.0 } }",
        &["line 20", "`contact.pairs[0].normal.hertz.modulus`", "positive"],
    ),
    // Things that do not go together.
    ("[2.0, 0.0, 0.6]", "[0.3, 0.0, 0.6]", &["line 14", "`bodies[0]`", "bodies 0 and 1 overlap"]),
    ("[2.0, 0.0, 0.6]", "[0.0, 0.0, 0.6]", &["line 14", "`bodies[0]`", "bodies 0 and 1 overlap"]),
    ("[2.0, 0.0, 0.6]", "[2.0, 0.0, 0.1]", &["line 14", "`bodies[0]`", "wall 0 goes through body 1"]),
    ("[2.0, 0.0, 0.6]", "[2.0, 0.0, -0.3]", &["line 14", "`bodies[0]`", "wall 0 goes through body 1"]),
    ("mass = 1.0", "mass = 1.0\ndensity = 1.0", &["line 18", "`bodies[0].density`", "exclude"]),
    ("mass = 1.0", "mass = 1.0\nvelocities = [[1.0, 0.0, 0.0]]", &["line 18", "`bodies[0].velocities`", "not 2"]),
    (
        "list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]",
        "file = { path = \"missing.csv\" }",
        &["line 15", "path`", "missing.csv"],
    ),
    ("list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]", "file = { path = \"scene.toml\" }", &["endings"]),
    (
        "list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]",
        "pour = { low = [0.0, 0.0, 0.0], high = [2.0, 2.0, 2.0], count = 100 }",
        &["line 15", "`bodies[0].place.pour`", "no room was found for 100 bodies"],
    ),
    (
        "list = [[0.0, 0.0, 0.6], [2.0, 0.0, 0.6]]",
        "pour = { low = [0.0, 0.0, 0.0], high = [2.0, 0.9, 2.0], count = 1 }",
        &["line 15", "`bodies[0].place.pour.high`", "the largest diameter"],
    ),
    (
        "[[bodies]]",
        "rolling = { stiffness = 1.0, friction = -0.1 }\n[[bodies]]",
        &["line 14", "`contact.rolling.friction`", "-0.1"],
    ),
    (
        "[[bodies]]",
        "rolling = { stiffness = inf, friction = 0.1 }\n[[bodies]]",
        &["line 14", "`contact.rolling.stiffness`"],
    ),
    (
        "integrator = \"verlet\"\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\n",
        "integrator = \"exact-energy\"\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\n\
         twisting = { stiffness = 1.0, friction = 0.1 }\n",
        &["line 10", "`contact.twisting`", "explicit"],
    ),
    ("\"verlet\"", "{ contact-dynamics = {} }", &["line 12", "`contact.tangential`", "without friction"]),
    ("\"verlet\"", "{ static = {} }", &["line 12", "`contact.tangential`", "without friction"]),
    (
        "\"verlet\"\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\nnormal = { hooke = { stiffness = 1000.0 } }\n\
         damping = { restitution = 0.5 }\ntangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }\n",
        "{ static = {} }\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\nnormal = { hooke = { stiffness = 1000.0 } }\n\
         [[contact.pairs]]\nbetween = [\"a\", \"a\"]\ntwisting = { stiffness = 1.0, friction = 0.1 }\n",
        &["line 13", "`contact.pairs[0].twisting`", "resistance"],
    ),
    (
        "\"verlet\"\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\nnormal = { hooke = { stiffness = 1000.0 } }\n\
         damping = { restitution = 0.5 }\ntangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }\n",
        "{ contact-dynamics = {} }\n\n[time]\ndt = 1e-3\nduration = 0.01\n\n[contact]\nnormal = { hooke = { stiffness = 1000.0 } }\n\
         [[contact.pairs]]\nbetween = [\"a\", \"a\"]\ntangential = { coulomb-viscous = { gamma = 1.0, friction = 0.5 } }\n",
        &["line 13", "`contact.pairs[0].tangential`", "without friction"],
    ),
    (
        "plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }",
        "stl = { path = \"none.stl\" }",
        &["line 20", "none.stl"],
    ),
    ("\"verlet\"", "\"exact-energy\"\nbonds = { gap = 0.1 }", &["line 4", "`bonds`", "explicit"]),
    (
        "[output]",
        "[box]\nlow = [0.0, 0.0, 0.0]\nhigh = [0.0, 1.0, 1.0]\nboundary = [\"open\", \"open\", \"open\"]\n[output]",
        &["line 24", "`box.high`"],
    ),
    (
        "[output]",
        "[box]\nlow = [0.0, 0.0, 0.0]\nhigh = [9.0, 9.0, 9.0]\nboundary = [\"open\", \"open\", \"periodic\"]\n[output]",
        &["line 20", "`walls[0].plane.normal`", "periodic"],
    ),
];

#[test]
fn malformed_scenes_are_refused_with_line_and_key() {
    assert!(CASES.len() >= 50);
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let check = |text: &str| {
        fs::write(&scene, text).unwrap();
        outcome(&command().arg("run").arg(&scene).args(["--quiet", "--overwrite"]).output().unwrap())
    };
    let (text, code) = check(GOOD);
    assert_eq!(code, 0, "{text}");
    let mut wrong = Vec::new();
    for (from, to, expected) in CASES {
        assert!(GOOD.contains(from), "{from}");
        let (text, code) = check(&GOOD.replacen(from, to, 1));
        let shown = |part: &str| match part.strip_prefix("line ") {
            Some(line) => format!("scene.toml:{line}:"),
            None => part.to_owned(),
        };
        let silent = expected.iter().find(|part| !text.contains(&shown(part)));
        if code != 2 || silent.is_some() || text.contains("panicked") {
            wrong.push(format!("{from:?} -> {to:?}: code {code}, without {silent:?}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_scene_that_is_not_there_is_an_error_of_input() {
    let (text, code) = outcome(&command().args(["run", "nowhere/none.toml"]).output().unwrap());
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
        let (text, code) = outcome(&command().arg("check").arg(&scene).output().unwrap());
        assert!(code == 2 && expected.iter().all(|part| text.contains(part)), "{code}: {text}");
    }
}
