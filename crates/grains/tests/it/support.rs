//! Scenes, folders and the command, for all tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use grains::{Run, RunOptions, Scene, Simulation};

/// Spheres with friction springs in a box, explicit.
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

/// Spheres that touch, implicit.
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

/// Starts a run of a scene in memory.
pub(crate) fn start(text: &str, folder: &Path) -> Run {
    let scene = Scene::parse(text).unwrap();
    let simulation = Simulation::new(&scene, ".", false).unwrap();
    Run::new(&scene, simulation, folder, RunOptions::default()).unwrap()
}

/// Runs a scene in memory from start to end.
pub(crate) fn whole(text: &str, folder: &Path) {
    let mut run = start(text, folder);
    run.complete().unwrap();
    run.finish().unwrap();
}

/// Passes if a run that is stopped after `steps` and goes on leaves the same files as one that is not stopped.
#[track_caller]
pub(crate) fn assert_survives_a_kill(text: &str, steps: usize, what: &str) {
    let home = tempfile::tempdir().unwrap();
    let [expected, killed] = ["whole", "killed"].map(|name| home.path().join(name));
    whole(text, &expected);
    let mut run = start(text, &killed);
    for _ in 0..steps {
        run.advance().unwrap();
    }
    run.checkpoint().unwrap();
    run.finish().unwrap();
    let mut run = Run::resume(&killed).unwrap();
    run.complete().unwrap();
    run.finish().unwrap();
    assert_same(&killed, &expected, what);
}

/// The files of a folder with their contents, sorted; without the checkpoint before, which depends on when runs began.
pub(crate) fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    files.retain(|(name, _)| name != "previous.grains");
    files.sort();
    files
}

/// Passes if the folders hold the same files with the same bytes.
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

/// The command.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grains"));
    command.arg("--threads").arg("1");
    command
}

/// Returns the text of a command on stderr, and its exit code.
pub(crate) fn outcome(output: &Output) -> (String, i32) {
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap_or(-1))
}

/// The scenes of the repository.
pub(crate) fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// Random numbers of tests.
pub(crate) fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}
