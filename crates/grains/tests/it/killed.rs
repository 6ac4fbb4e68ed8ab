//! A run that is killed and resumed ends with the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use grains::{Checkpoint, Run};

use crate::support::{FRICTION, IMPLICIT, RIGID, assert_same, command, outcome, random, results, start, whole};

/// Kills runs of a scene `count` times at random steps, some of them twice, and compares what they end with.
fn kill(text: &str, count: usize, mut seed: u64) {
    let home = tempfile::tempdir().unwrap();
    let expected = home.path().join("whole");
    whole(text, &expected);
    for kill in 0..count {
        let folder = home.path().join(format!("killed{kill}"));
        let mut run = start(text, &folder);
        let steps = run.simulation().steps();
        for _ in 0..random(&mut seed, steps + 1) {
            run.advance().unwrap();
        }
        drop(run);
        if !folder.join("checkpoint.grains").exists() {
            // Killed before there was anything to go on with: the run begins again.
            drop(start(text, &folder).finish());
        }
        while random(&mut seed, 3) == 0 {
            let mut run = Run::resume(&folder).unwrap();
            for _ in 0..random(&mut seed, 20) {
                run.advance().unwrap();
            }
        }
        // Whatever is there, it can be read.
        Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
        let mut run = Run::resume(&folder).unwrap();
        run.complete().unwrap();
        run.finish().unwrap();
        assert_same(&folder, &expected, &format!("kill {kill}"));
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn kills_of_an_explicit_run_with_friction_memory() {
    kill(FRICTION, 10, 1);
}

#[test]
fn kills_of_an_implicit_run() {
    kill(IMPLICIT, 10, 2);
}

#[test]
fn kills_of_contact_dynamics() {
    kill(RIGID, 10, 3);
}

#[test]
#[ignore = "soak: 100 kills of three maps"]
fn a_hundred_kills_of_three_maps() {
    kill(FRICTION, 34, 4);
    kill(IMPLICIT, 33, 5);
    kill(RIGID, 33, 6);
}

#[test]
fn the_program_killed_for_real_ends_with_the_same_bytes() {
    kill_for_real(6, 4);
}

#[test]
#[ignore = "soak: 40 kills"]
fn the_program_killed_forty_times_ends_with_the_same_bytes() {
    kill_for_real(40, 5);
}

/// Kills the program itself with SIGKILL after a random time, `count` times, before it comes to its end.
fn kill_for_real(count: usize, mut seed: u64) {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, FRICTION.replace("duration = 0.08", "duration = 1.5")).unwrap();
    let run = |folder: &Path| {
        let mut command = command();
        command.args(["run", "--quiet"]).arg(&scene).arg("--output").arg(folder).stderr(Stdio::null());
        command
    };
    let expected = home.path().join("whole");
    let folder = home.path().join("killed");
    assert!(run(&expected).status().unwrap().success());
    let mut child = run(&folder).spawn().unwrap();
    for _ in 0..count {
        std::thread::sleep(Duration::from_millis(20 + random(&mut seed, 60)));
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.join("checkpoint.grains").exists() {
            // Killed before there was anything to go on with: the run begins again.
            child = run(&folder).spawn().unwrap();
            continue;
        }
        Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
        child = command().args(["resume", "--quiet"]).arg(&folder).stderr(Stdio::null()).spawn().unwrap();
    }
    assert!(child.wait().unwrap().success());
    assert_same(&folder, &expected, "killed for real");
}

/// Runs the program `count` times with a disk that is full at a random length of a file, or with results that something
/// else removes or cuts. It ends with the same bytes, or with exit code 1 and the name of a file; in that case it can
/// go on, or begin again, to the same bytes.
#[cfg(unix)]
fn inject(count: usize, mut seed: u64) {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, FRICTION.replace("duration = 0.08", "duration = 0.4")).unwrap();
    // Signals of files that are too large are ignored, so that writing fails as on a full disk.
    let run = |folder: &Path, blocks: &str| {
        let mut command = Command::new("sh");
        let line =
            "trap '' XFSZ; ulimit -f \"$1\"; exec \"$0\" --threads 1 run --quiet \"$2\" --output \"$3\" --overwrite";
        command.args(["-c", line]).arg(env!("CARGO_BIN_EXE_grains")).arg(blocks).arg(&scene).arg(folder);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let expected = home.path().join("whole");
    assert!(run(&expected, "unlimited").status().unwrap().success());
    let names: Vec<String> =
        results(&expected).into_iter().map(|(name, _)| name).filter(|name| name != "run.lock").collect();
    let mut failed = 0;
    for fault in 0..count {
        let folder = home.path().join(format!("fault{fault}"));
        let is_full = random(&mut seed, 2) == 0;
        let blocks = if is_full { random(&mut seed, 80).to_string() } else { "unlimited".to_owned() };
        let child = run(&folder, &blocks).spawn().unwrap();
        if !is_full {
            // Something that is there already.
            while !folder.join("checkpoint.grains").exists() {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(random(&mut seed, 80)));
            let there: Vec<_> = names.iter().map(|name| folder.join(name)).filter(|file| file.exists()).collect();
            let file = &there[random(&mut seed, there.len() as u64) as usize];
            if random(&mut seed, 2) == 0 {
                let _gone = fs::remove_file(file);
            } else if let Ok(file) = fs::OpenOptions::new().write(true).open(file) {
                file.set_len(random(&mut seed, 50)).unwrap();
            }
        }
        let (text, code) = outcome(&child.wait_with_output().unwrap());
        if code == 0 {
            assert_same(&folder, &expected, &format!("fault {fault}"));
            continue;
        }
        failed += 1;
        let mut files = names.iter().map(String::as_str).chain(["run.lock"]);
        let is_named = text.contains(&*folder.to_string_lossy()) && files.any(|name| text.contains(name));
        assert!(code == 1 && is_named, "fault {fault}: {code}: {text}");
        let output = command().args(["resume", "--quiet"]).arg(&folder).output().unwrap();
        let (text, code) = outcome(&output);
        if code != 0 {
            // There is no checkpoint yet, or something is gone that it counts on.
            assert!(text.contains(&*folder.to_string_lossy()), "fault {fault}: {text}");
            assert!(run(&folder, "unlimited").status().unwrap().success());
        }
        assert_same(&folder, &expected, &format!("after fault {fault}"));
    }
    assert!(4 * failed > count, "only {failed} of {count} faults were felt");
}

#[cfg(unix)]
#[test]
fn faults_of_the_disk_are_told_and_lose_nothing() {
    inject(6, 5);
}

#[cfg(unix)]
#[test]
#[ignore = "soak: 40 faults of the disk"]
fn forty_faults_of_the_disk_are_told_and_lose_nothing() {
    inject(40, 6);
}

/// SIGTERM ends a run after a checkpoint. SIGHUP does not under `nohup`, which ignores it.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, FRICTION.replace("duration = 0.08", "duration = 1.5")).unwrap();
    let ignoring = "trap '' HUP; ";
    for (number, (trap, signal, expected)) in
        [("", "-TERM", 130), (ignoring, "-HUP", 0), (ignoring, "-TERM", 130)].into_iter().enumerate()
    {
        let folder = home.path().join(number.to_string());
        let mut command = Command::new("sh");
        let line = format!("{trap}exec \"$0\" --threads 1 run --quiet \"$1\" --output \"$2\"");
        command.args(["-c", &line]).arg(env!("CARGO_BIN_EXE_grains")).arg(&scene).arg(&folder);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        while !folder.join("previous.grains").exists() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let (text, code) = outcome(&child.wait_with_output().unwrap());
        assert_eq!(code, expected, "{trap}{signal}: {text}");
    }
}

/// Fills the disk at a few lengths of a file that are below that of the first checkpoint. `resume` then says what to do,
/// and that is done without `--overwrite`.
#[cfg(unix)]
#[test]
fn a_run_that_ends_before_its_first_checkpoint_begins_again() {
    let home = tempfile::tempdir().unwrap();
    let [scene, expected] = ["scene.toml", "whole"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    let run = |folder: &Path, blocks: &str| {
        let mut command = Command::new("sh");
        let line = "trap '' XFSZ; ulimit -f \"$1\"; exec \"$0\" --threads 1 run --quiet \"$2\" --output \"$3\"";
        command.args(["-c", line]).arg(env!("CARGO_BIN_EXE_grains")).arg(blocks).arg(&scene).arg(folder);
        outcome(&command.output().unwrap())
    };
    assert_eq!(run(&expected, "unlimited").1, 0);
    for blocks in ["0", "1", "4"] {
        let folder = home.path().join(blocks);
        let (text, code) = run(&folder, blocks);
        assert!(code == 1 && !folder.join("checkpoint.grains").exists(), "{blocks}: {code}: {text}");
        if blocks != "0" {
            assert!(folder.join("series.csv").exists());
            let (text, code) = outcome(&command().arg("resume").arg(&folder).output().unwrap());
            assert!(code == 2 && text.contains("`grains run` begins it again"), "{blocks}: {code}: {text}");
        }
        let (text, code) = run(&folder, "unlimited");
        assert_eq!(code, 0, "{blocks}: {text}");
        assert_same(&folder, &expected, blocks);
        // From the first checkpoint on, results are kept: also if somebody has removed the checkpoints.
        fs::remove_file(folder.join("checkpoint.grains")).unwrap();
        let (text, code) = run(&folder, "unlimited");
        assert!(code == 2 && text.contains("--overwrite"), "{blocks}: {code}: {text}");
    }
}

/// A file where the folder should be, and a folder that cannot be made, also by those who may write everywhere.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let file = home.path().join("file");
    fs::write(&scene, FRICTION).unwrap();
    fs::write(&file, "mine").unwrap();
    for folder in [file.as_path(), Path::new("/proc/results")] {
        let mut run = command();
        let output = run.args(["run", "--quiet"]).arg(&scene).arg("--output").arg(folder).output().unwrap();
        let (text, code) = outcome(&output);
        assert!(code == 1 && text.contains(&*folder.to_string_lossy()), "{code}: {text}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

/// Enough bodies for all loops to use threads, and a frame in every other step.
#[test]
fn threads_of_the_program_change_no_byte() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let many = FRICTION
        .replace("count = [4, 3, 3]", "count = [4, 24, 24]")
        .replace("frames = { steps = 20 }", "frames = { steps = 2 }");
    fs::write(&scene, many.replace("duration = 0.08", "duration = 0.01")).unwrap();
    let run = |threads: &str| {
        let folder = home.path().join(threads);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_grains"));
        command.args(["--threads", threads, "run", "--quiet"]).arg(&scene).arg("--output").arg(&folder);
        assert!(command.status().unwrap().success());
        folder
    };
    let alone = run("1");
    for threads in ["2", "3"] {
        assert_same(&run(threads), &alone, threads);
    }
}

#[test]
fn writing_results_does_not_change_the_trajectory() {
    let home = tempfile::tempdir().unwrap();
    for (k, text) in [FRICTION, IMPLICIT, RIGID].into_iter().enumerate() {
        let (quiet, _) = text.split_once("[output]").unwrap();
        let mut silent = start(quiet, &home.path().join(format!("silent{k}")));
        let mut loud = start(text, &home.path().join(format!("loud{k}")));
        silent.complete().unwrap();
        loud.complete().unwrap();
        let silent = silent.simulation().state();
        let mut loud = loud.simulation().state().clone();
        if !silent.has_attitudes() {
            loud = loud.without_attitudes();
        }
        assert_eq!(*silent, loud);
    }
}
