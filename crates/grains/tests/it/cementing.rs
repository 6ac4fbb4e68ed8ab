//! Bonds of several kinds, between groups, and made where a stage begins.

use dem_contact::bond::AnyBondLaw;
use grains::{GrainsError, Scene, Simulation};

use crate::ranks::{assert_same_on, dice};
use crate::support::{assert_survives_a_kill, start};

fn made(text: &str) -> Result<Simulation, GrainsError> {
    Scene::parse(text).and_then(|scene| Simulation::new(&scene, ".", false))
}

/// A ball touches a fixed one from below. Weight and bonds come with the second stage.
const HUNG: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-5 }
    contact = { normal = { hooke = { stiffness = 1e5 } } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0]] }
    radius = 0.5
    fixed = true
    [[bodies]]
    place = { list = [[0.0, 0.0, -1.0]] }
    radius = 0.5
    mass = 2.0
    [[stage]]
    duration = 0.01
    [[stage]]
    duration = 0.06283185307179587
    gravity = [0.0, 0.0, -10.0]
    bonds = { gap = 1e-6, stretching = 2e4 }
"#;

/// The bond is a spring of 2e4 N/m, from which a weight of 20 N hangs 1 mm lower. It swings from 0 to 2 mm below where
/// the bond was made, with a period of 2π/100 s. Without the bond it falls by 20 mm in that time.
#[test]
fn bonds_of_the_second_stage_hold_a_hanging_grain() {
    let fall = |text: &str| {
        let mut simulation = made(text).unwrap();
        let mut lowest = 0.0_f64;
        let mut bonds = Vec::new();
        while !simulation.is_over() {
            simulation.step().unwrap();
            lowest = lowest.min(simulation.state().position().get(1).z + 1.0);
            bonds.push(simulation.bonds().map(|bonds| bonds.len()));
        }
        (lowest, simulation.state().position().get(1).z + 1.0, bonds)
    };
    let (lowest, last, bonds) = fall(HUNG);
    assert_eq!((bonds[0], bonds[999], bonds[1000]), (None, None, Some(1)));
    println!("{lowest} at the lowest, {last} after a period");
    assert!((lowest + 2e-3).abs() < 2e-6 && last.abs() < 2e-6, "{lowest}, {last}");
    let (lowest, ..) = fall(&HUNG.replace("bonds = { gap = 1e-6, stretching = 2e4 }", ""));
    assert!((lowest + 0.5 * 10.0 * 0.0628_f64.powi(2)).abs() < 1e-4, "{lowest}");
}

/// Grains fall on a floor and are cemented there twice, with bonds that break.
pub(crate) const CEMENTED: &str = r#"
    gravity = [0.0, 0.0, -9.0]
    integrator = "rodrigues-25"
    time = { dt = 5e-4 }
    [contact]
    normal = { hooke = { stiffness = 2000.0 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 600.0, gamma = 2.0, friction = 0.5 } }
    [[bodies]]
    name = "bed"
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [3, 2, 2], spacing = [1.0, 0.99, 0.99] } }
    radius = 0.5
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    spin = [0.0, 2.0, 1.0]
    [[bodies]]
    name = "ball"
    place = { list = [[1.5, 1.1, 2.55]] }
    radius = 0.5
    mass = 3.0
    velocity = [0.0, 0.0, -8.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[measure]]
    name = "pieces"
    every = { steps = 10 }
    fragments = {}
    [output]
    series = { steps = 3 }
    frames = { steps = 20 }
    checkpoints = { steps = 7 }
    [[stage]]
    duration = 0.02
    [[stage]]
    duration = 0.05
    bonds = { gap = 0.02, between = ["bed", "bed"], parallel = { modulus = 2e4, tensile-strength = 100.0, shear-strength = 100.0 } }
    [[stage]]
    duration = 0.02
    [[stage.bonds]]
    gap = 0.02
    between = ["bed", "ball"]
    stretching = 900.0
    bending = 20.0
    [[stage.bonds]]
    gap = 0.05
    stretching = 100.0
    shearing = 50.0
    shear = "monotone"
"#;

#[test]
fn kills_beside_stages_that_make_bonds_change_no_byte() {
    let home = tempfile::tempdir().unwrap();
    let mut run = start(CEMENTED, home.path());
    run.complete().unwrap();
    let bonds = run.simulation().bonds().unwrap();
    println!("{} bonds, {} broken", bonds.len(), bonds.ruptures().len());
    assert!(bonds.ruptures().len() > 1 && bonds.intact_pairs().count() >= 12);
    for step in [39, 40, 41, 90, 140, 141, 160] {
        assert_survives_a_kill(CEMENTED, step, &format!("after {step} steps"));
    }
}

/// The energy balance does not change when bonds are made, and a stage reports how many it makes.
#[test]
fn bonds_that_are_made_store_nothing() {
    let drift = |dt: &str| {
        let mut simulation = made(&CEMENTED.replace("5e-4", dt)).unwrap();
        let begin = simulation.read().unwrap().balance().unwrap();
        let mut largest = 0.0_f64;
        while !simulation.is_over() {
            simulation.step().unwrap();
            largest = largest.max((simulation.read().unwrap().balance().unwrap() - begin).abs());
        }
        largest
    };
    let [coarse, fine] = [drift("5e-4"), drift("2.5e-4")];
    println!("balance off by {coarse:.2e}, and {fine:.2e} with half the step");
    assert!(coarse < 0.5 && fine < 0.7 * coarse, "{coarse}, {fine}");
}

/// A chain of three whose last grain leaves: its bond breaks.
const PARTING: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    bonds = { gap = 1e-6, stretching = 100.0, break-stretch = 0.01 }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]] }
    velocities = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    radius = 0.5
    mass = 1.0
    [[stage]]
    duration = 0.02
    [[stage]]
    duration = 0.01
    bonds = { gap = 0.1, stretching = 7.0 }
"#;

#[test]
fn pairs_with_an_intact_bond_get_no_other_one() {
    let home = tempfile::tempdir().unwrap();
    let mut run = start(PARTING, home.path());
    run.complete().unwrap();
    let bonds = run.simulation().bonds().unwrap();
    assert_eq!(bonds.iter().map(|bond| bond.bodies).collect::<Vec<_>>(), [[0, 1], [1, 2], [1, 2]]);
    assert_eq!(bonds.intact_pairs().collect::<Vec<_>>(), [[0, 1], [1, 2]]);
    assert_eq!(bonds.fragments(), [0; 3]);
    assert!(run.take_ended().contains(&"bonds that are made where stage 2 begins: 1".to_owned()));
}

/// A row of four grains, two of each group.
const ROW: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.01 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    [[bodies]]
    name = "hard"
    place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }
    radius = 0.5
    mass = 1.0
    [[bodies]]
    name = "soft"
    place = { list = [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0]] }
    radius = 0.5
    mass = 1.0
"#;

#[test]
fn groups_have_bonds_of_their_own() {
    let bonds = |tables: &str| {
        let simulation = made(&format!("{ROW}{tables}")).unwrap();
        let stretching = |law| match law {
            AnyBondLaw::Elastic(law) => law.stretching,
            AnyBondLaw::Parallel(_) => panic!("no table has parallel bonds"),
        };
        let bonds = simulation.bonds().unwrap().iter();
        bonds.map(|bond| (bond.bodies, stretching(bond.law))).collect::<Vec<_>>()
    };
    let table =
        |between: &str, stretching: f64| format!("[[bonds]]\ngap = 1e-6\n{between}\nstretching = {stretching:?}\n");
    let [hard, soft, both] =
        [["hard", "hard"], ["soft", "soft"], ["soft", "hard"]].map(|[a, b]| format!("between = [\"{a}\", \"{b}\"]"));
    assert_eq!(bonds(&format!("{}{}", table(&hard, 3.0), table(&soft, 2.0))), [([0, 1], 3.0), ([2, 3], 2.0)]);
    assert_eq!(bonds(&table(&both, 1.0)), [([1, 2], 1.0)]);
    // The first table that has a pair bonds it.
    assert_eq!(
        bonds(&format!("{}{}", table(&soft, 2.0), table("", 5.0))),
        [([2, 3], 2.0), ([0, 1], 5.0), ([1, 2], 5.0)]
    );
    assert_eq!(made(&format!("bonds = []\n{ROW}")).unwrap().bonds().map(|bonds| bonds.len()), None);
}

#[test]
fn bonds_without_meaning_are_refused_with_their_key() {
    let staged = |more: &str| format!("{HUNG}    {more}\n");
    let stage = "bonds = { gap = 1e-6, stretching = 2e4 }";
    let changed = |to: &str| HUNG.replace(stage, to);
    let implicit = "[[stage]]\n    duration = 0.01\n    integrator = { implicit = { alpha = 0.5 } }";
    let list = "[[stage.bonds]]\n    gap = 1e-6\n    [[stage.bonds]]\n    gap = 1e-6\n    ";
    let turning = HUNG.replace("fixed = true", "name = \"top\"\n    fixed = true\n    spin = [0.0, 0.0, 1.0]");
    let gate = "[[gates]]\n    remove = true\n    \
                shape = { plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0] } }\n    [[stage]]";
    for (text, key, words) in [
        (changed("bonds = { gap = -1.0 }"), "stage[1].bonds.gap", "not negative"),
        (changed("bonds = 3"), "stage[1].bonds", "a table, or a list of tables"),
        (changed("bonds = { gpa = 1.0 }"), "stage[1].bonds.gpa", "did you mean `gap`"),
        (changed("bonds = { gap = 0.0, break-force = 0.0 }"), "stage[1].bonds.break-force", "positive"),
        (changed(&format!("{list}stretching = -1.0")), "stage[1].bonds[1].stretching", "not negative"),
        (changed(&format!("{list}between = [\"a\", \"b\"]")), "stage[1].bonds[1].between[0]", "there is no `a`"),
        (changed(&format!("{list}between = [\"a\"]")), "stage[1].bonds[1].between", "length"),
        (staged(implicit), "stage[2].integrator", "explicit integrator"),
        (turning.clone(), "bodies[0].spin", "cannot have bonds"),
        (HUNG.replacen("[[stage]]", gate, 1), "gates[0].remove", "cannot be taken away"),
    ] {
        let error = made(&text).unwrap_err().to_string();
        assert!(error.contains(&format!("`{key}`")) && error.contains(words), "{key}: {error}");
    }
    // A group without bonds may turn.
    let others = turning.replace("mass = 2.0", "mass = 2.0\n    name = \"ball\"");
    made(&others.replace("bonds = { ", "bonds = { between = [\"ball\", \"ball\"], ")).unwrap();
}

/// A run that begins with bonds of another one takes more in a stage only.
#[test]
fn a_start_with_bonds_gets_more_in_a_stage() {
    let home = tempfile::tempdir().unwrap();
    let first = ROW.replace(
        "integrator",
        "bonds = { gap = 1e-6, between = [\"hard\", \"hard\"], stretching = 3.0 }\n    integrator",
    );
    let mut run = start(&first, &home.path().join("first"));
    run.complete().unwrap();
    run.finish().unwrap();
    let (head, _) = ROW.split_once("[[bodies]]").unwrap();
    let head = head
        .replace(", duration = 0.01", "")
        .replace("integrator", "start = \"first/checkpoint.grains\"\n    integrator");
    let bonds = "bonds = { gap = 1e-3, stretching = 5.0 }";
    let built = |text: &str| Simulation::new(&Scene::parse(text).unwrap(), home.path(), false);
    let simulation = built(&format!("{head}\n[[stage]]\nduration = 0.01\n{bonds}\n")).unwrap();
    let pairs = simulation.bonds().unwrap().iter().map(|bond| bond.bodies).collect::<Vec<_>>();
    assert_eq!(pairs, [[0, 1], [1, 2], [2, 3]]);
    let error = built(&format!("{bonds}\n{head}\n[[stage]]\nduration = 0.01\n")).unwrap_err().to_string();
    assert!(error.contains("have bonds already") && error.contains("[[stage]]"), "{error}");
}

/// Bonds between heavy bodies say nothing about the steps of light ones.
#[test]
fn the_automatic_step_knows_which_bodies_are_bonded() {
    let (heavy, light) = ROW.split_once("name = \"soft\"").unwrap();
    let light = light.replace("mass = 1.0", "mass = 1e-4\n    velocity = [0.0, 0.1, 0.0]");
    let row = format!("{heavy}name = \"soft\"{light}").replace("dt = 1e-3", "dt = \"auto\"");
    let dt = |tables: &str| made(&format!("{row}{tables}")).unwrap().dt();
    let bonds =
        |group: &str| format!("[[bonds]]\ngap = 1e-6\nbetween = [\"{group}\", \"{group}\"]\nstretching = 1e4\n");
    assert!((dt(&bonds("hard")) / dt("") - 1.0).abs() < 1e-12, "half a period of 0.02 s beside contacts of 7e-4 s");
    assert!(dt(&bonds("soft")) < 0.5 * dt(""), "half a period of 2e-4 s");
}

#[test]
fn the_automatic_step_knows_the_bonds_of_a_start() {
    let home = tempfile::tempdir().unwrap();
    let bonded = ROW.replace("integrator", "bonds = { gap = 1e-6, stretching = 1e6 }\n    integrator");
    let bonded = bonded.replace("dt = 1e-3", "dt = \"auto\"");
    let mut run = start(&bonded, &home.path().join("first"));
    run.complete().unwrap();
    run.finish().unwrap();
    let (head, _) = bonded.split_once("[[bodies]]").unwrap();
    let head = head.replace("bonds = { gap = 1e-6, stretching = 1e6 }", "start = \"first/checkpoint.grains\"");
    let dt = Simulation::new(&Scene::parse(&head).unwrap(), home.path(), false).unwrap().dt();
    let expected = made(&bonded).unwrap().dt();
    assert!((dt / expected - 1.0).abs() < 0.01, "{dt} and {expected}");
}

#[test]
fn tables_that_make_no_bonds_get_a_note() {
    let simulation = made(&format!("{ROW}[[bonds]]\ngap = 1e-6\n[[bonds]]\ngap = 1e-7\n")).unwrap();
    let keys: Vec<&str> = simulation.notes().iter().map(|note| note.at.key.as_str()).collect();
    assert_eq!(keys, ["bonds[1]"]);
}

/// A ring of four grains in a periodic box that shrinks along x, and is cemented in the shape that it then has. A later
/// stage pulls nothing.
const SHRUNK: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-4 }
    [box]
    low = [0.0, 0.0, 0.0]
    high = [4.4, 4.0, 4.0]
    boundary = ["periodic", "periodic", "periodic"]
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    damping = { restitution = 0.3 }
    [[bodies]]
    place = { lattice = { origin = [0.55, 1.0, 1.0], count = [4, 1, 1], spacing = [1.1, 1.0, 1.0] } }
    radius = 0.5
    mass = 1.0
    [output]
    checkpoints = { steps = 40 }
    [[stage]]
    duration = 0.1
    box = { strain-rate = [-1.0, 0.0, 0.0] }
    [[stage]]
    duration = 0.02
    box = {}
    bonds = { gap = 0.05, stretching = 1e4 }
    [[stage]]
    duration = 0.02
"#;

/// The ring has as many bonds as grains. The box keeps its shape from then on, as it must while a bond crosses a side.
#[test]
fn grains_are_cemented_across_the_sides_of_a_box_that_has_shrunk() {
    let mut simulation = made(SHRUNK).unwrap();
    while !simulation.is_over() {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.bonds().unwrap().len(), 4);
    assert!(simulation.bonds().unwrap().has_bonds_across_sides());
    for step in [999, 1000, 1001, 1250] {
        assert_survives_a_kill(SHRUNK, step, &format!("after {step} steps"));
    }
    assert_same_on(&[2], dice, SHRUNK, "a ring across the sides of a box");
    let mut later = made(&format!("{SHRUNK}    box = {{ strain-rate = [0.1, 0.0, 0.0] }}\n")).unwrap();
    let failed = (0..1300).find_map(|_| later.step().err()).expect("the box deforms in the last stage").to_string();
    assert!(failed.contains("stage[1]") && failed.contains("must then not deform"), "{failed}");
}
