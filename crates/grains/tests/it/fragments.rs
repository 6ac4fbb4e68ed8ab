//! Fragments: grains that intact bonds join, as measurements, in frames and in the time series.

use std::fs;
use std::path::Path;

use dem_contact::io::VtpPoints;
use grains::{Scene, Simulation, Stored, measure};

use crate::support::{assert_survives_a_kill, whole};

/// A chain of ten grains whose halves part at 2 m/s. The bond between them stretches by 0.01 within 5 ms, in which the
/// other bonds have hardly begun to move: it breaks alone.
const CHAIN: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.05 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    bonds = { gap = 1e-6, stretching = 100.0, break-stretch = 0.01 }
    [[bodies]]
    name = "right"
    place = { lattice = { origin = [5.0, 0.0, 0.0], count = [5, 1, 1], spacing = [1.0, 1.0, 1.0] } }
    radius = 0.5
    mass = 2.0
    velocity = [1.0, 0.0, 0.0]
    [[bodies]]
    name = "left"
    place = { lattice = { origin = [0.0, 0.0, 0.0], count = [5, 1, 1], spacing = [1.0, 1.0, 1.0] } }
    radius = 0.5
    mass = 2.0
    velocity = [-1.0, 0.0, 0.0]
    [[measure]]
    name = "all"
    every = { steps = 10 }
    fragments = {}
    [[measure]]
    name = "left"
    every = { steps = 50 }
    group = "left"
    region = { box = { low = [-2.0, -1.0, -1.0], high = [2.5, 1.0, 1.0] } }
    fragments = { least-grains = 3 }
    [output]
    series = { steps = 10 }
    frames = { steps = 25 }
    checkpoints = { steps = 20 }
"#;

/// The rows of a table without its header, each with step and time.
fn rows(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Returns the rows of a step without their columns of step and time.
fn of_step(rows: &[String], step: &str) -> Vec<String> {
    let rows = rows.iter().map(|row| row.splitn(3, ',').collect::<Vec<_>>());
    rows.filter(|row| row[0] == step).map(|row| row[2].to_owned()).collect()
}

#[test]
fn a_chain_of_ten_that_breaks_in_the_middle_has_two_fragments_of_five() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    whole(CHAIN, &folder);
    let table = fs::read_to_string(folder.join("measure-all.csv")).unwrap();
    assert!(table.starts_with("step,time,fragment,grains,mass\n"), "{table}");
    let all = rows(&folder, "measure-all.csv");
    // The right half has the ids 0 to 4. Equal masses are in the order of the ids.
    assert_eq!(of_step(&all, "0"), ["0,10,20"]);
    assert_eq!(of_step(&all, "50"), ["0,5,10", "5,5,10"]);
    // Of the left half, three grains are in the box.
    let left = rows(&folder, "measure-left.csv");
    assert_eq!([of_step(&left, "0"), of_step(&left, "50")], [["0,3,6"], ["5,3,6"]]);
    let series = fs::read_to_string(folder.join("series.csv")).unwrap();
    let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let names = split(series.lines().next().unwrap());
    let columns = ["broken", "fragments", "largest_fragment"];
    let places = columns.map(|column| names.iter().position(|name| name == column).unwrap());
    let found = |line: &str| places.map(|place| split(line)[place].clone());
    assert_eq!(found(series.lines().nth(1).unwrap()), ["0", "1", "20"]);
    assert_eq!(found(series.lines().last().unwrap()), ["1", "2", "10"]);
    let marks = |name: &str| {
        let bytes = fs::read(folder.join(name)).unwrap();
        VtpPoints::read_with_marks(&mut &bytes[..], usize::MAX).unwrap().1.fragment.unwrap()
    };
    assert_eq!(marks("frames-000000.vtp"), [0; 10]);
    assert_eq!(marks("frames-000002.vtp"), [0, 0, 0, 0, 0, 5, 5, 5, 5, 5]);
    // Frames and checkpoints are measured as the run was.
    let again = measure(&folder, None, Stored::Frames).unwrap();
    let last = again.split("# left").next().unwrap().lines().rev().take(3).collect::<Vec<_>>().join(" ");
    assert!(last.contains(",5,5,10") && last.contains(",0,5,10"), "{again}");
    assert!(measure(&folder, None, Stored::Checkpoints).unwrap().contains("50,0.05"), "{again}");
}

#[test]
fn kills_among_fragments_change_no_byte() {
    for step in [3, 10, 27] {
        assert_survives_a_kill(CHAIN, step, &format!("after {step} steps"));
    }
}

#[test]
fn tables_of_fragments_without_meaning_are_refused_with_their_key() {
    let fields = "fragments = {}\n    grid = { cells = [1, 1, 1], kernel = { lucy = { range = 1.0 } } }";
    for (from, to, key, words) in [
        ("fragments = {}", "fragments = {}\n    samples = 3", "measure[0].samples", "another `[[measure]]`"),
        ("fragments = {}", "fragments = {}\n    least-contacts = 3", "measure[0].least-contacts", "fragments"),
        ("fragments = {}", fields, "measure[0].grid", "fragments"),
        ("least-grains = 3", "least-grains = 0", "measure[1].fragments.least-grains", "positive"),
        (
            "bonds = { gap = 1e-6, stretching = 100.0, break-stretch = 0.01 }",
            "",
            "measure[0].fragments",
            "needs `bonds`",
        ),
    ] {
        assert!(CHAIN.contains(from), "{from}");
        let scene = Scene::parse(&CHAIN.replacen(from, to, 1));
        let error = scene.and_then(|scene| Simulation::new(&scene, ".", false)).unwrap_err().to_string();
        assert!(error.contains(&format!("`{key}`")) && error.contains(words), "{to}: {error}");
    }
}
