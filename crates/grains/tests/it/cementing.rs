//! Bonds of several kinds, between groups, and made at the start of a stage.

use dem_contact::bond::AnyBondLaw;

use crate::ranks::{assert_same_on, dice};
use crate::refused::assert_refused;
use crate::support::{assert_survives_kills, each_step, ended, largest_drift, made_in, simulation, start, whole, with};

/// A ball touches a fixed ball from below. Gravity and bonds begin with the second stage.
const HUNG: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-5 }
    contact = { normal = { hooke = { stiffness = 1e5 } } }
    bodies = [
        { place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.5, fixed = true },
        { place = { list = [[0.0, 0.0, -1.0]] }, radius = 0.5, mass = 2.0 },
    ]
    [[stage]]
    duration = 0.01
    [[stage]]
    duration = 0.06283185307179587
    gravity = [0.0, 0.0, -10.0]
    bonds = { gap = 1e-6, stretching = 2e4 }
"#;

/// The bond is a spring of 2e4 N/m with an equilibrium 1 mm lower under a weight of 20 N. The ball oscillates from 0 to
/// 2 mm below its first place with a period of 2π/100 s. Without the bond it falls by 20 mm in that time.
#[test]
fn bonds_of_the_second_stage_hold_a_hanging_grain() {
    let fall = |text: &str| {
        let mut simulation = simulation(text);
        let mut lowest = 0.0_f64;
        let mut bonds = Vec::new();
        each_step(&mut simulation, |simulation| {
            lowest = lowest.min(simulation.state().position().get(1).z + 1.0);
            bonds.push(simulation.bonds().map(|bonds| bonds.len()));
        });
        (lowest, simulation.state().position().get(1).z + 1.0, bonds)
    };
    let (lowest, last, bonds) = fall(HUNG);
    assert_eq!((bonds[0], bonds[999], bonds[1000]), (None, None, Some(1)));
    println!("{lowest} at the lowest, {last} after a period");
    assert!((lowest + 2e-3).abs() < 2e-6 && last.abs() < 2e-6, "{lowest}, {last}");
    let (lowest, ..) = fall(&HUNG.replace("bonds = { gap = 1e-6, stretching = 2e4 }", ""));
    assert!((lowest + 0.5 * 10.0 * 0.0628_f64.powi(2)).abs() < 1e-4, "{lowest}");
}

/// Grains on a floor, cemented in two stages.
pub(crate) const CEMENTED: &str = include_str!("../data/cemented.toml");

#[test]
fn kills_beside_stages_that_make_bonds_change_no_byte() {
    let simulation = ended(CEMENTED);
    let bonds = simulation.bonds().unwrap();
    println!("{} bonds, {} broken", bonds.len(), bonds.ruptures().len());
    assert!(bonds.ruptures().len() > 1 && bonds.intact_pairs().count() >= 12);
    assert_survives_kills(CEMENTED, &[39, 40, 41, 90, 140, 141, 160], "cementing");
}

#[test]
fn bonds_that_are_made_store_nothing() {
    let [coarse, fine] = ["5e-4", "2.5e-4"].map(|dt| largest_drift(&CEMENTED.replace("5e-4", dt), 1, |_| 0.0)[0]);
    println!("balance off by {coarse:.2e}, and {fine:.2e} with half the step");
    assert!(coarse < 0.5 && fine < 0.7 * coarse, "{coarse}, {fine}");
}

/// A chain of three grains; the last one flies away, so that its bond breaks.
const PARTING: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    bonds = { gap = 1e-6, stretching = 100.0, break-stretch = 0.01 }
    stage = [{ duration = 0.02 }, { duration = 0.01, bonds = { gap = 0.1, stretching = 7.0 } }]
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]] }
    velocities = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    radius = 0.5
    mass = 1.0
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
    assert!(run.take_messages().contains(&"bonds that are made where stage 2 begins: 1".to_owned()));
}

const ROW: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.01 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    bodies = [
        { name = "hard", place = { list = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 },
        { name = "soft", place = { list = [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 },
    ]
"#;

#[test]
fn groups_have_bonds_of_their_own() {
    let bonds = |tables: &str| {
        let simulation = simulation(&format!("{ROW}{tables}"));
        let stretching = |law| match law {
            AnyBondLaw::Elastic(law) => law.stretching,
            AnyBondLaw::Parallel(_) => panic!("no table has parallel bonds"),
        };
        let bonds = simulation.bonds().unwrap().iter();
        bonds.map(|bond| (bond.bodies, stretching(bond.law))).collect::<Vec<_>>()
    };
    let table = |between: &str, stretching: f64| {
        format!("[[bonds]]\ngap = 1e-6\nbetween = [{between}]\nstretching = {stretching:?}\n")
    };
    let [hard, soft] = [table(r#""hard", "hard""#, 3.0), table(r#""soft", "soft""#, 2.0)];
    assert_eq!(bonds(&format!("{hard}{soft}")), [([0, 1], 3.0), ([2, 3], 2.0)]);
    assert_eq!(bonds(&table(r#""soft", "hard""#, 1.0)), [([1, 2], 1.0)]);
    // A pair gets the bond of the first table that matches.
    let all = "[[bonds]]\ngap = 1e-6\nstretching = 5.0\n";
    assert_eq!(bonds(&format!("{soft}{all}")), [([2, 3], 2.0), ([0, 1], 5.0), ([1, 2], 5.0)]);
    assert_eq!(simulation(&format!("bonds = []\n{ROW}")).bonds().map(|bonds| bonds.len()), None);
    let idle = simulation(&format!("{ROW}[[bonds]]\ngap = 1e-6\n[[bonds]]\ngap = 1e-7\n"));
    assert_eq!(idle.notes().iter().map(|note| note.at.key.as_str()).collect::<Vec<_>>(), ["bonds[1]"]);
}

#[test]
fn bonds_without_meaning_are_refused_with_their_key() {
    let table = r#"
        BONDS => bonds = { gap = -1.0 } | `stage[1].bonds.gap` | not negative
        BONDS => bonds = 3 | `stage[1].bonds` | a table, or a list of tables
        BONDS => bonds = { gpa = 1.0 } | `stage[1].bonds.gpa` | did you mean `gap`
        BONDS => bonds = { gap = 0.0, break-force = 0.0 } | `stage[1].bonds.break-force` | positive
        BONDS => LIST stretching = -1.0 | `stage[1].bonds[1].stretching` | not negative
        BONDS => LIST between = ["a", "b"] | `stage[1].bonds[1].between[0]` | there is no `a`
        BONDS => LIST between = ["a"] | `stage[1].bonds[1].between` | length
        BONDS => BONDS\n[[stage]]\nduration = 0.01\nintegrator = { implicit = { alpha = 0.5 } }
            | `stage[2].integrator` | explicit integrator
        fixed = true => TURNING | `bodies[0].spin` | cannot have bonds
        [[stage]] => [[gates]]\nremove = true\nshape = { plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0] } }\n[[stage]]
            | `gates[0].remove` | cannot be taken away
    "#;
    let turning = "name = \"top\", fixed = true, spin = [0.0, 0.0, 1.0]";
    let table = table
        .replace("LIST", "[[stage.bonds]]\\ngap = 1e-6\\n[[stage.bonds]]\\ngap = 1e-6\\n")
        .replace("BONDS", "bonds = { gap = 1e-6, stretching = 2e4 }")
        .replace("TURNING", turning);
    assert_refused(HUNG, &table);
    let others = HUNG.replace("fixed = true", turning).replace("mass = 2.0", "mass = 2.0, name = \"ball\"");
    simulation(&others.replace("bonds = { ", "bonds = { between = [\"ball\", \"ball\"], "));
}

/// A run that starts with the bonds of another run may make more in a stage only, and its automatic step resolves them.
#[test]
fn a_start_with_bonds_gets_more_in_a_stage() {
    let home = tempfile::tempdir().unwrap();
    let head = format!("start = \"first/checkpoint.grains\"\n{}", ROW.split_once("bodies = ").unwrap().0);
    let few = "bonds = { gap = 1e-6, between = [\"hard\", \"hard\"], stretching = 3.0 }\n";
    whole(&format!("{few}{ROW}"), &home.path().join("first"));
    let stage = "[[stage]]\nduration = 0.01\n";
    let bonds = "bonds = { gap = 1e-3, stretching = 5.0 }\n";
    let staged = head.replace(", duration = 0.01", "");
    let later = made_in(home.path(), &format!("{staged}{stage}{bonds}")).unwrap();
    let pairs = later.bonds().unwrap().iter().map(|bond| bond.bodies).collect::<Vec<_>>();
    assert_eq!(pairs, [[0, 1], [1, 2], [2, 3]]);
    let error = made_in(home.path(), &format!("{bonds}{staged}{stage}")).unwrap_err().to_string();
    assert!(error.contains("have bonds already") && error.contains("[[stage]]"), "{error}");
    let automatic = |text: &str| text.replace("dt = 1e-3", "dt = \"auto\"").replace("first", "second");
    let stiff = automatic(&format!("bonds = {{ gap = 1e-6, stretching = 1e6 }}\n{ROW}"));
    whole(&stiff, &home.path().join("second"));
    let [dt, expected] = [automatic(&head), stiff].map(|text| made_in(home.path(), &text).unwrap().dt());
    assert!((dt / expected - 1.0).abs() < 0.01, "{dt} and {expected}");
}

/// Bonds between heavy bodies do not limit the steps of light ones.
#[test]
fn the_automatic_step_knows_which_bodies_are_bonded() {
    let place = "[[2.0, 0.0, 0.0], [3.0, 0.0, 0.0]] }, radius = 0.5, mass = ";
    let light = with(ROW, &format!("{place}1.0"), &format!("{place}1e-4, velocity = [0.0, 0.1, 0.0]"));
    let row = with(&light, "dt = 1e-3", "dt = \"auto\"");
    let dt = |group: &str| {
        let bonds = format!("[[bonds]]\ngap = 1e-6\nbetween = [\"{group}\", \"{group}\"]\nstretching = 1e4\n");
        simulation(&format!("{row}{}", if group.is_empty() { "" } else { &bonds })).dt()
    };
    assert!((dt("hard") / dt("") - 1.0).abs() < 1e-12, "half a period of 0.02 s beside contacts of 7e-4 s");
    assert!(dt("soft") < 0.5 * dt(""), "half a period of 2e-4 s");
}

/// A ring of four grains in a periodic box that shrinks along x, cemented in the final shape. A later stage moves
/// nothing.
const SHRUNK: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-4 }
    box = { low = [0.0, 0.0, 0.0], high = [4.4, 4.0, 4.0], boundary = ["periodic", "periodic", "periodic"] }
    contact = { normal = { hooke = { stiffness = 1e4 } }, damping = { restitution = 0.3 } }
    output = { checkpoints = { steps = 40 } }
    stage = [
        { duration = 0.1, box = { strain-rate = [-1.0, 0.0, 0.0] } },
        { duration = 0.02, box = {}, bonds = { gap = 0.05, stretching = 1e4 } },
        { duration = 0.02 },
    ]
    [[bodies]]
    place = { lattice = { origin = [0.55, 1.0, 1.0], count = [4, 1, 1], spacing = [1.1, 1.0, 1.0] } }
    radius = 0.5
    mass = 1.0
"#;

/// The ring has as many bonds as grains. The box must keep its shape while a bond crosses a side.
#[test]
fn grains_are_cemented_across_the_sides_of_a_box_that_has_shrunk() {
    let ring = ended(SHRUNK);
    assert_eq!(ring.bonds().unwrap().len(), 4);
    assert!(ring.bonds().unwrap().has_bonds_across_sides());
    assert_survives_kills(SHRUNK, &[999, 1000, 1001, 1250], "cementing");
    assert_same_on(&[2], dice, SHRUNK, "a ring across the sides of a box");
    let pulled = with(SHRUNK, "{ duration = 0.02 }", "{ duration = 0.02, box = { strain-rate = [0.1, 0.0, 0.0] } }");
    let mut later = simulation(&pulled);
    let failed = (0..1300).find_map(|_| later.step().err()).expect("the box deforms in the last stage").to_string();
    assert!(failed.contains("stage[1]") && failed.contains("must then not deform"), "{failed}");
}
