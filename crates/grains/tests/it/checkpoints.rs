//! Refused checkpoints, and further properties of checkpoints.

use std::fs;
use std::path::Path;

use grains::output::lock::Lock;
use grains::{Checkpoint, CheckpointError, GrainsError, Run};

use crate::support::{FRICTION, called, command, outcome, results, scene_file, start, stop};

/// Returns a checkpoint in the middle of a run.
fn bytes(home: &tempfile::TempDir) -> Vec<u8> {
    let folder = home.path().join("run");
    stop(start(FRICTION, &folder), 30);
    fs::read(folder.join("checkpoint.grains")).unwrap()
}

#[test]
fn no_flipped_bit_and_no_missing_byte_gets_through() {
    let home = tempfile::tempdir().unwrap();
    let whole = bytes(&home);
    let path = home.path().join("other.grains");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Checkpoint::read(&path)
    };
    assert!(read(&whole).is_ok());
    // All bits of the header, and some of the contents.
    let rest = (0..150).map(|k| 8 * 28 + (k * 7919) % (8 * (whole.len() - 28)));
    for bit in (0..8 * 28).chain(rest) {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = read(&flipped).unwrap_err();
        let known = matches!(
            error,
            GrainsError::Checkpoint { source: CheckpointError::OtherFile | CheckpointError::Damaged { .. }, .. }
        );
        assert!(known, "bit {bit}: {error}");
    }
    for length in [0, 3, 8, 20, 28, 100, whole.len() / 2, whole.len() - 1] {
        assert!(read(&whole[..length]).is_err(), "{length} bytes");
    }
    let error = read(&[&whole[..], b"x"].concat()).unwrap_err();
    assert!(matches!(error, GrainsError::Checkpoint { source: CheckpointError::WrongLength { .. }, .. }), "{error}");
}

#[test]
fn other_versions_are_refused_with_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    let mut other = bytes(&home);
    let path = home.path().join("run/checkpoint.grains");
    let now = other[8];
    let newer = (now + 1, [format!("version {}, newer than {now}", now + 1), String::new()]);
    let older = |old: u8| {
        let what = format!("a checkpoint of version {old}, but this program reads version {now}");
        (old, [what, "before release 0.1.0".to_owned()])
    };
    for (version, sentences) in (0..now).map(older).chain([newer]) {
        other[8] = version;
        sign(&mut other);
        fs::write(&path, &other).unwrap();
        let error = Run::resume(&path).unwrap_err();
        let (text, code) = (error.to_string(), error.exit_code());
        let is_told = sentences.iter().all(|part| text.contains(part));
        assert!(is_told || version == 0 && text.contains("no version 0"), "{version}: {text}");
        assert_eq!(code, 2, "{text}");
    }
}

/// Replaces the checksum of a header by the right one.
fn sign(checkpoint: &mut [u8]) {
    let sum = crc32fast::hash(&checkpoint[..24]).to_le_bytes();
    checkpoint[24..28].copy_from_slice(&sum);
}

/// The header names other vector instructions.
#[test]
fn a_run_that_goes_on_with_other_instructions_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut other = bytes(&home);
    let path = home.path().join("run/checkpoint.grains");
    let resume = || called!["resume", &path];
    let (text, code) = resume();
    assert!(!text.contains("instructions") && code == 0, "{code}: {text}");
    other[10] = if other[10] == 1 { 2 } else { 1 };
    sign(&mut other);
    fs::write(&path, other).unwrap();
    let (text, code) = resume();
    assert!(text.contains("written with the vector instructions") && code == 0, "{code}: {text}");
}

#[test]
fn results_that_are_gone_are_missed_and_none_are_overwritten_unasked() {
    let home = tempfile::tempdir().unwrap();
    let _whole = bytes(&home);
    let [scene, folder] = ["scene.toml", "run"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    let (text, code) = called!["run", &scene, "--output", &folder];
    assert!(text.contains("--overwrite") && code == 2, "{code}: {text}");
    let series = fs::read(folder.join("series.csv")).unwrap();
    fs::write(folder.join("series.csv"), "step").unwrap();
    let error = Run::resume(&folder).unwrap_err();
    assert!(matches!(error, GrainsError::ResultsChanged { found: 4, .. }), "{error}");
    fs::write(folder.join("series.csv"), series).unwrap();
    let output = command().args(["resume", "--quiet", "checkpoint.grains"]).current_dir(&folder).output();
    let (text, code) = outcome(&output.unwrap());
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_folder_has_one_writer_at_a_time() {
    let (home, scene) = scene_file(FRICTION);
    let folder = home.path().join("run");
    let mut run = start(FRICTION, &folder);
    run.advance().unwrap();
    let busy = Run::resume(&folder).unwrap_err();
    assert!(matches!(busy, GrainsError::Busy { .. }), "{busy}");
    for arguments in [&["run", "--overwrite", "--output"][..], &["resume"][..]] {
        let mut command = command();
        command.args(arguments).arg(&folder);
        if arguments.len() > 1 {
            command.arg(&scene);
        }
        let (text, code) = outcome(&command.output().unwrap());
        assert!(text.contains("another run is writing results") && code == 2, "{code}: {text}");
    }
    // The lock ends with its owner, as after a kill; the remaining file alone locks nothing.
    run.finish().unwrap();
    assert!(folder.join("run.lock").exists());
    Run::resume(&folder).unwrap().finish().unwrap();
}

#[test]
fn a_lock_that_is_dropped_is_free_though_others_still_have_the_file_open() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::take(folder.path()).unwrap();
    // A child process that another thread is just starting has the file open, too.
    let other = lock.file().try_clone().unwrap();
    assert!(matches!(Lock::take(folder.path()), Err(GrainsError::Busy { .. })));
    drop(lock);
    assert!(Lock::take(folder.path()).is_ok());
    drop(other);
}

#[test]
fn older_results_stay_until_the_new_scene_can_run() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let folder = home.path().join("run");
    let overwrite = |text: &str| {
        fs::write(&scene, text).unwrap();
        called!["run", "--quiet", "--overwrite", &scene, "--output", &folder]
    };
    assert_eq!(overwrite(FRICTION).1, 0);
    let before = results(&folder);
    for (from, to) in [("radius = 0.5", "radius = -0.5"), ("steps = 3", "steps = 0"), ("title = ", "titel = ")] {
        let (text, code) = overwrite(&FRICTION.replacen(from, to, 1));
        assert!(code == 2, "{code}: {text}");
        assert!(results(&folder) == before, "{to}");
    }
    // Results that the new run does not write are removed as well.
    let (text, code) = overwrite(&FRICTION.replace("frames = { steps = 20 }", ""));
    let frames = results(&folder).into_iter().filter(|(name, _)| name.starts_with("frames")).count();
    assert!(code == 0 && frames == 0, "{code}, {frames} frames: {text}");
}

/// On Linux, file names are bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_scene_whose_name_is_no_text_is_run_and_resumed() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join(std::ffi::OsStr::from_bytes(b"sc\xe8ne.toml"));
    let [plain, folder, expected] = ["plain.toml", "run", "expected"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    fs::write(&plain, FRICTION).unwrap();
    for (scene, folder) in [(&scene, &folder), (&plain, &expected)] {
        let output = command().args(["run", "--quiet", "--output"]).arg(folder).arg(scene).output().unwrap();
        assert_eq!(outcome(&output).1, 0, "{}", outcome(&output).0);
    }
    let output = command().args(["resume", "--quiet"]).arg(&folder).output().unwrap();
    assert_eq!(outcome(&output).1, 0, "{}", outcome(&output).0);
    let series = |folder: &Path| fs::read(folder.join("series.csv")).unwrap();
    assert_eq!(series(&folder), series(&expected));
}

#[test]
fn resume_of_what_is_no_run_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let [scene, folder] = ["scene.toml", "folder"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    fs::create_dir(&folder).unwrap();
    let refused = |path: &Path| {
        let (text, code) = called!["resume", path];
        assert!(code == 2 && !text.is_empty(), "{code}: {text}");
    };
    refused(&scene);
    refused(&folder);
    fs::write(folder.join("checkpoint.grains"), "mine").unwrap();
    refused(&folder);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_disk_that_fails_is_told() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let mut run = start(FRICTION, &folder);
    // Frames and checkpoints now fail; the first ones may still be in the queue.
    while folder.exists() {
        let _again = fs::remove_dir_all(&folder);
    }
    let outcome = run.complete().and_then(|()| run.finish());
    assert!(matches!(outcome, Err(GrainsError::Io { .. })), "{outcome:?}");
}

#[test]
fn a_full_disk_is_told_with_how_to_go_on() {
    let failed = |kind: std::io::ErrorKind| GrainsError::Io { path: "run/series.csv".into(), source: kind.into() };
    assert!(failed(std::io::ErrorKind::StorageFull).to_string().contains("make room there: `grains resume`"));
    assert!(!failed(std::io::ErrorKind::NotFound).to_string().contains("resume"));
}
