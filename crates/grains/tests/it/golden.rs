//! Golden checkpoints of fixed small runs: their bytes change only with the version.

use std::fs;
use std::path::{Path, PathBuf};

use grains::Checkpoint;

use crate::support::{each_step, start, stop, whole};

/// Number of steps before the checkpoint. The explicit run is then in its second stage.
const STORED: u64 = 40;

/// Grains of two materials that are inserted and counted, in stages.
const EXPLICIT: &str = include_str!("../data/golden/explicit.toml");

/// Spheres with ties or contacts, in implicit steps.
const IMPLICIT: &str = include_str!("../data/golden/implicit.toml");

const RIGID: &str = include_str!("../data/golden/rigid.toml");

const RUNS: [(&str, &str); 3] = [("explicit", EXPLICIT), ("implicit", IMPLICIT), ("rigid", RIGID)];

/// Returns the path of a golden checkpoint.
fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/golden/{name}.grains"))
}

/// Returns the bytes of a new checkpoint of a run.
fn stored_today(text: &str, folder: &Path) -> Vec<u8> {
    stop(start(text, folder), STORED);
    fs::read(folder.join("checkpoint.grains")).unwrap()
}

/// Removes the machine's instructions and their checksum from a checkpoint.
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
        each_step(&mut simulation, |_| ());
        let folder = home.path().join(name);
        whole(text, &folder);
        let expected = Checkpoint::read(folder.join("checkpoint.grains")).unwrap().simulation;
        assert!(simulation.state() == expected.state(), "{name}");
    }
}
