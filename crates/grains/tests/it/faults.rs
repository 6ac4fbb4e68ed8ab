//! System calls that fail with a disk error (EIO), injected by the program `strace`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{FRICTION, assert_same, called, outcome, random};

/// System calls for writing files, with the smallest number of calls in a run of the test.
const CALLS: [(&str, u64); 3] = [("write", 200), ("fsync", 80), ("rename", 60)];

/// Returns a run in which `call` number `first` fails, and all later ones too if `more` is set.
fn with_fault(scene: &Path, folder: &Path, (call, first, more): (&str, u64, bool)) -> Command {
    let when = format!("{first}{}", if more { "+" } else { "" });
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null", "-e", &format!("trace={call}")]);
    strace.args(["-e", &format!("inject={call}:error=EIO:when={when}")]);
    strace.arg(env!("CARGO_BIN_EXE_grains")).args(["--threads", "1", "run", "--quiet"]).arg(scene);
    strace.arg("--output").arg(folder).stdout(Stdio::null());
    strace
}

/// Each run ends with the same bytes, or with exit code 1 and the name of a file. Resumed or started again, it then
/// ends with the same bytes.
#[test]
#[ignore = "soak: 40 errors of the disk, by strace"]
fn forty_errors_of_the_disk_are_told_and_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let expected = home.path().join("whole");
    fs::write(&scene, FRICTION.replace("duration = 0.08", "duration = 0.4")).unwrap();
    let whole = |folder: &Path| assert_eq!(called!["run", "--quiet", "--overwrite", "--output", folder, &scene].1, 0);
    whole(&expected);
    let mut seed = 7;
    let mut told = 0;
    let mut resumed = 0;
    for fault in 0..40 {
        let folder = home.path().join(format!("fault{fault}"));
        let (call, calls) = CALLS[random(&mut seed, 3) as usize];
        let fails = (call, 1 + random(&mut seed, calls), random(&mut seed, 2) == 0);
        let output = with_fault(&scene, &folder, fails).output().expect("strace is needed");
        let (text, code) = outcome(&output);
        // The error names the folder itself if it cannot be synced.
        let is_named = text.contains(&*folder.to_string_lossy());
        assert!(code == 0 || code == 1 && is_named && text.contains("os error 5"), "{fails:?}: {code}: {text}");
        told += code;
        let (text, code) = called!["resume", "--quiet", &folder];
        if code == 0 {
            resumed += 1;
        } else {
            assert!(text.contains(&*folder.to_string_lossy()), "{fails:?}: {text}");
            whole(&folder);
        }
        assert_same(&folder, &expected, &format!("{fails:?}"));
    }
    println!("40 errors, {told} told, {resumed} runs resumed: the same bytes");
    assert!(told > 30 && resumed > 20, "{told}, {resumed}");
}
