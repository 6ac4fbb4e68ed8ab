//! Golden checkpoints: fixed small runs, whose stored bytes change with a new version alone.

use std::fs;
use std::path::{Path, PathBuf};

use grains::Checkpoint;

use crate::support::{command, outcome, start, whole};

/// The steps after which runs are stored. The explicit one is then in its second stage.
const STORED: u64 = 40;

/// Grains come, pass a gate and lie on walls in a periodic box, with friction, materials, a servo and measurements.
/// Nothing here needs a sine or a logarithm, whose last digits differ between systems.
const EXPLICIT: &str = r#"
    gravity = [0.0, 0.5, -9.0]
    integrator = "rodrigues-25"
    time = { dt = 1e-3 }
    box = { low = [0.0, 0.0, -1.0], high = [2.0, 2.0, 4.0], boundary = ["periodic", "open", "open"] }
    [contact]
    normal = { hooke = { stiffness = 4000.0 } }
    damping = { coefficient = 5.0 }
    tangential = { friction-spring = { stiffness = 1200.0, gamma = 1.0, friction = 0.5 } }
    rolling = { stiffness = 30.0, friction = 0.05 }
    [[contact.pairs]]
    between = ["glass", "steel"]
    tangential = { friction-spring = { stiffness = 900.0, gamma = 1.0, friction = 0.2 } }
    [[bodies]]
    place = { lattice = { origin = [0.3, 0.4, 0.29], count = [3, 2, 1], spacing = [0.6, 0.59, 0.6] } }
    material = "glass"
    radius = 0.3
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    spin = [0.0, 2.0, 1.0]
    [[sources]]
    name = "feed"
    region = { box = { low = [0.0, 0.2, 1.2], high = [2.0, 1.8, 2.4] } }
    rate = { count = 200.0 }
    every = { steps = 10 }
    sizes = { uniform = { low = 0.1, high = 0.2 } }
    density = 10.0
    material = "glass"
    velocity = [0.0, 0.0, -2.0]
    seed = 3
    [[gates]]
    name = "counted"
    shape = { plane = { point = [0.0, 0.0, 1.2], normal = [0.0, 0.0, 1.0] } }
    every = { steps = 5 }
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    material = "steel"
    [[walls]]
    name = "side"
    plane = { point = [0.0, 0.11, 0.0], normal = [0.0, 1.0, 0.0] }
    material = "steel"
    servo = { force = 2.0, speed = 0.4 }
    [[measure]]
    name = "all"
    every = { steps = 4 }
    least-contacts = 4
    [output]
    series = { steps = 3 }
    contacts = { steps = 10 }
    frames = { steps = 20 }
    [[stage]]
    duration = 0.02
    [[stage]]
    duration = 0.04
    sources = { feed = "off" }
"#;

/// Spheres that are tied or touch, in implicit steps.
const IMPLICIT: &str = r#"
    gravity = [0.0, 0.0, -9.0]
    integrator = { implicit = { alpha = 0.5 } }
    time = { dt = 1e-3, duration = 0.06 }
    ties = { stiffness = 5000.0 }
    [contact]
    normal = { hooke = { stiffness = 3000.0 } }
    tangential = { friction-spring = { stiffness = 900.0, friction = 0.4 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [2, 2, 2], spacing = [1.0, 0.98, 0.98] } }
    radius = 0.5
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.1, 1.0] }
"#;

/// Rigid bodies with friction.
const RIGID: &str = r#"
    gravity = [0.5, 0.0, -10.0]
    time = { dt = 0.01, duration = 0.6 }
    [integrator.contact-dynamics]
    tolerance = 1e-10
    [contact]
    normal = "hertz-mindlin"
    [[contact.materials]]
    name = "glass"
    young = 5e6
    poisson = 0.25
    restitution = 0.4
    friction = 0.2
    [[bodies]]
    place = { lattice = { origin = [0.0, 0.0, 0.5], count = [2, 1, 2], spacing = [1.0, 1.0, 1.1] } }
    radius = 0.5
    mass = 1.0
    velocity = [1.0, 0.2, 0.0]
    material = "glass"
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    material = "glass"
"#;

const RUNS: [(&str, &str); 3] = [("explicit", EXPLICIT), ("implicit", IMPLICIT), ("rigid", RIGID)];

/// The stored checkpoint of a run.
fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/golden/{name}.grains"))
}

/// The bytes of a checkpoint of a run as it is today.
fn stored_today(text: &str, folder: &Path) -> Vec<u8> {
    let mut run = start(text, folder);
    while run.simulation().steps_taken() < STORED {
        run.advance().unwrap();
    }
    run.checkpoint().unwrap();
    run.finish().unwrap();
    fs::read(folder.join("checkpoint.grains")).unwrap()
}

/// The bytes without the instructions of the machine, and without the checksum that they change.
fn without_machine(bytes: &[u8]) -> Vec<u8> {
    [&bytes[..10], &bytes[12..24], &bytes[28..]].concat()
}

fn version(bytes: &[u8]) -> u8 {
    bytes[8]
}

#[test]
fn bytes_of_fixed_runs_change_with_a_new_version_alone() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in RUNS {
        let path = golden(name);
        let today = stored_today(text, &home.path().join(name));
        assert!(today.len() < 20_000, "{name}: {} bytes are too many to keep", today.len());
        if std::env::var_os("GRAINS_RENEW_GOLDEN").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &today).unwrap();
        }
        let kept = fs::read(&path).unwrap();
        if without_machine(&kept) == without_machine(&today) {
            continue;
        }
        let at = kept.iter().zip(&today).skip(28).position(|(kept, today)| kept != today).map_or(0, |at| at + 28);
        let renew = "GRAINS_RENEW_GOLDEN=1 cargo test -p grains --all-features --test it golden";
        let old = version(&kept);
        let new = version(&today);
        assert!(old == new, "the version is {new} now. Renew {}: {renew}", path.display());
        panic!(
            "the checkpoint of the run `{name}` is {} bytes instead of {}, and differs at byte {at}, but its version \
             is still {new}. If what is stored has changed, raise VERSION in grains/src/storage.rs. If results alone \
             have changed, and that is intended, leave the version. Then renew {}: {renew}",
            today.len(),
            kept.len(),
            path.display(),
        );
    }
}

#[test]
fn golden_checkpoints_go_on_as_runs_that_were_never_stored() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in RUNS {
        let mut simulation = Checkpoint::read(golden(name)).unwrap().simulation;
        assert_eq!(simulation.steps_taken(), STORED);
        while !simulation.is_over() {
            simulation.step().unwrap();
        }
        let folder = home.path().join(name);
        whole(text, &folder);
        let expected = Checkpoint::read(folder.join("checkpoint.grains")).unwrap().simulation;
        assert!(simulation.state() == expected.state(), "{name}");
    }
}

/// An older version is refused, with what can read it.
#[test]
fn golden_checkpoints_of_older_versions_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("older.grains");
    let kept = fs::read(golden("explicit")).unwrap();
    for older in 1..version(&kept) {
        let mut bytes = kept.clone();
        bytes[8] = older;
        let sum = crc32fast::hash(&bytes[..24]).to_le_bytes();
        bytes[24..28].copy_from_slice(&sum);
        fs::write(&path, bytes).unwrap();
        let (text, code) = outcome(&command().arg("resume").arg(&path).output().unwrap());
        let wanted = [format!("a checkpoint of version {older}"), "before release 0.1.0".to_owned()];
        assert!(code == 2 && wanted.iter().all(|part| text.contains(part)), "{code}: {text}");
    }
}
