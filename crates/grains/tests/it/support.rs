//! Scenes, folders and commands shared by all tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use grains::{GrainsError, Reading, Run, RunOptions, Scene, Simulation};

/// Spheres with friction springs in a box, in explicit steps.
pub(crate) const FRICTION: &str = r#"
    title = "friction"
    gravity = [1.0, 0.0, -9.0]
    integrator = "rodrigues-25"
    time = { dt = 5e-4, duration = 0.08 }
    box = { low = [0.0, 0.0, -1.0], high = [4.0, 4.0, 9.0], boundary = ["periodic", "open", "open"] }
    [contact]
    normal = { hooke = { stiffness = 2000.0 } }
    damping = { restitution = 0.7 }
    tangential = { friction-spring = { stiffness = 600.0, gamma = 2.0, friction = 0.5 } }
    wall-materials = ["steel"]
    [[contact.pairs]]
    between = ["glass", "steel"]
    tangential = { friction-spring = { stiffness = 900.0, gamma = 1.0, friction = 0.2 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [4, 3, 3], spacing = [1.0, 0.99, 0.99] } }
    material = "glass"
    radius = 0.5
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    spin = [0.0, 2.0, 1.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    plane = { point = [0.0, 0.1, 0.0], normal = [0.0, 1.0, 0.0], velocity = [0.2, 0.0, 0.0] }
    [output]
    series = { steps = 3 }
    contacts = { steps = 10 }
    frames = { steps = 20 }
    checkpoints = { steps = 7 }
"#;

/// Spheres in contact, in implicit steps.
pub(crate) const IMPLICIT: &str = r#"
    title = "implicit"
    gravity = [0.0, 0.0, -9.0]
    integrator = { implicit = { alpha = 0.5 } }
    time = { dt = 2e-3, duration = 0.2 }
    [contact]
    normal = { hertz = { modulus = 3000.0 } }
    damping = { restitution = 0.8 }
    tangential = { viscous = { gamma = 3.0 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [3, 2, 2], spacing = [0.99, 0.99, 0.99] } }
    radius = 0.5
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.1, 1.0] }
    [output]
    series = { steps = 3 }
    frames = { steps = 25 }
    checkpoints = { steps = 9 }
"#;

/// A pyramid that lands, by contact dynamics with compatible forces.
pub(crate) const RIGID: &str = r#"
    title = "rigid"
    gravity = [0.3, 0.0, -9.81]
    time = { dt = 5e-3, duration = 0.4 }
    [integrator.contact-dynamics]
    compatibility = "hooke"
    [[bodies]]
    place = { pyramid = { layers = 4, lift = 0.05 } }
    radius = 0.5
    mass = 1.0
    [[bodies]]
    place = { list = [[1.5, 1.5, 4.0]] }
    radius = 0.5
    mass = 2.0
    velocity = [0.0, 0.5, -1.0]
    [[walls]]
    plane = { point = [0.0, 0.0, -0.5], normal = [0.0, 0.0, 1.0] }
    [output]
    series = { steps = 2 }
    contacts = { steps = 5 }
    frames = { steps = 20 }
    checkpoints = { steps = 6 }
"#;

pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

pub(crate) fn data_text(name: &str) -> String {
    fs::read_to_string(data().join(name)).unwrap()
}

/// Replaces a part of a scene, which must exist.
#[track_caller]
pub(crate) fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "there is no {from} in {text}");
    text.replace(from, to)
}

/// Builds a scene in memory with files in the folder of data.
pub(crate) fn made(text: &str) -> Result<Simulation, GrainsError> {
    made_in(data(), text)
}

/// Builds a scene in memory with files in this folder.
pub(crate) fn made_in(files: impl AsRef<Path>, text: &str) -> Result<Simulation, GrainsError> {
    Simulation::new(&Scene::parse(text)?, files, false)
}

/// Builds a valid scene in memory, and checks that the scene is unchanged by writing and reading.
#[track_caller]
pub(crate) fn simulation(text: &str) -> Simulation {
    let simulation = made(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let scene = Scene::parse(text).unwrap();
    let written = scene.to_toml().unwrap();
    assert!(Scene::parse(&written).unwrap() == scene, "written as {written}\nread as {text}");
    simulation
}

#[track_caller]
pub(crate) fn ended(text: &str) -> Simulation {
    let mut simulation = simulation(text);
    each_step(&mut simulation, |_| ());
    simulation
}

/// Takes all remaining steps, and calls `show` after each of them.
#[track_caller]
pub(crate) fn each_step(simulation: &mut Simulation, mut show: impl FnMut(&Simulation)) {
    while !simulation.is_over() {
        simulation.step().unwrap();
        show(simulation);
    }
}

/// Takes all remaining steps with a reading every few steps, calls `show` with each reading, and returns the largest
/// change of the balance in J.
#[track_caller]
pub(crate) fn drift(simulation: &mut Simulation, every: u64, mut show: impl FnMut(&Simulation, Reading)) -> f64 {
    let start = simulation.read().unwrap().balance().unwrap();
    let mut largest = 0.0_f64;
    each_step(simulation, |simulation| {
        if simulation.steps_taken().is_multiple_of(every) {
            let reading = simulation.read().unwrap();
            largest = largest.max((reading.balance().unwrap() - start).abs());
            show(simulation, reading);
        }
    });
    largest
}

/// Takes all steps with a reading every few steps, and returns the largest change of the balance in J, and the largest
/// absolute value of `of`.
#[track_caller]
pub(crate) fn largest_drift(text: &str, every: u64, of: fn(&Reading) -> f64) -> [f64; 2] {
    let mut largest = 0.0_f64;
    let drift = drift(&mut simulation(text), every, |_, reading| largest = largest.max(of(&reading).abs()));
    [drift, largest]
}

/// Takes all remaining steps, and returns the last reading with the change of the balance in J since the first one.
#[track_caller]
pub(crate) fn change_of_balance(simulation: &mut Simulation) -> (Reading, f64) {
    let start = simulation.read().unwrap().balance().unwrap();
    each_step(simulation, |_| ());
    let reading = simulation.read().unwrap();
    let change = reading.balance().unwrap() - start;
    (reading, change)
}

pub(crate) fn notes(simulation: &Simulation) -> Vec<String> {
    simulation.notes().iter().map(ToString::to_string).collect()
}

/// Writes a scene to a file in a new folder, and returns both.
pub(crate) fn scene_file(text: impl AsRef<str>) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, text.as_ref()).unwrap();
    (home, scene)
}

pub(crate) fn start(text: &str, folder: &Path) -> Run {
    start_in(data(), text, folder)
}

pub(crate) fn start_in(files: impl AsRef<Path>, text: &str, folder: &Path) -> Run {
    let simulation = made_in(files, text).unwrap();
    Run::new(&Scene::parse(text).unwrap(), simulation, folder, RunOptions::default()).unwrap()
}

pub(crate) fn go_on(mut run: Run) {
    run.complete().unwrap();
    run.finish().unwrap();
}

pub(crate) fn whole(text: &str, folder: &Path) {
    go_on(start(text, folder));
}

/// Takes steps of a run, writes a checkpoint, and drops the run.
pub(crate) fn stop(mut run: Run, after: u64) {
    while run.simulation().steps_taken() < after && run.advance().unwrap() {}
    run.checkpoint().unwrap();
    run.finish().unwrap();
}

/// Checks that runs stopped after these steps and resumed leave the same files as a run without stops. Two runs share
/// the steps, so that no stop follows closely on another and hides its damage.
#[track_caller]
pub(crate) fn assert_survives_kills(text: &str, steps: &[u64], what: &str) {
    assert_survives_kills_in(&data(), text, steps, what);
}

/// Checks a scene as [`assert_survives_kills`] does, with files in this folder.
#[track_caller]
pub(crate) fn assert_survives_kills_in(files: &Path, text: &str, steps: &[u64], what: &str) {
    let home = tempfile::tempdir().unwrap();
    let expected = home.path().join("whole");
    go_on(start_in(files, text, &expected));
    let mut steps = steps.to_vec();
    steps.sort_unstable();
    for (first, name) in ["even", "odd"].into_iter().enumerate().take(steps.len()) {
        let folder = home.path().join(name);
        let mut run = start_in(files, text, &folder);
        let stops: Vec<u64> = steps.iter().copied().skip(first).step_by(2).collect();
        for &step in &stops {
            stop(run, step);
            run = Run::resume(&folder).unwrap();
        }
        go_on(run);
        assert_same(&folder, &expected, &format!("{what}, killed after {stops:?} steps"));
    }
}

/// Returns the files of a folder with their contents, sorted, without the previous checkpoint, which depends on
/// restarts.
pub(crate) fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    files.retain(|(name, _)| name != "previous.grains");
    files.sort();
    files
}

/// Checks that both folders have the same files with the same bytes.
#[track_caller]
pub(crate) fn assert_same(found: &Path, expected: &Path, what: &str) {
    let found = results(found);
    let expected = results(expected);
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{what}");
    for ((name, found), (_, expected)) in found.iter().zip(&expected) {
        assert!(found == expected, "{what}: {name} differs");
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grains"));
    command.arg("--threads").arg("1");
    command
}

/// Returns the stderr of a command, and its exit code.
pub(crate) fn outcome(output: &Output) -> (String, i32) {
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap_or(-1))
}

/// Runs the command with these arguments, texts or paths, and returns its stderr and exit code.
macro_rules! called {
    ($($argument:expr),+ $(,)?) => {{
        let mut command = $crate::support::command();
        $(command.arg($argument);)+
        $crate::support::outcome(&command.output().unwrap())
    }};
}
pub(crate) use called;

pub(crate) fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// Returns the text of an STL file of two triangles between four corners.
pub(crate) fn plate(corners: [[f64; 3]; 4]) -> String {
    let facet = |three: [usize; 3]| {
        let vertices = three.map(|k| corners[k]).map(|[x, y, z]| format!("vertex {x:?} {y:?} {z:?}\n")).concat();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    format!("solid plate\n{}{}endsolid\n", facet([0, 1, 2]), facet([0, 2, 3]))
}

pub(crate) fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}
