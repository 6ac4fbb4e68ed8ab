//! Killed and resumed runs end with the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use grains::{Checkpoint, Run};

use crate::driven::{changing, deforming};
use crate::exchange::{LEAVING, STREAM};
use crate::felt::SIEVE;
use crate::fragments::CHAIN;
use crate::groups::PLATE;
use crate::liquid::RAIN;
use crate::measures::MEASURES;
use crate::stages::STAGED;
use crate::support::{
    FRICTION, IMPLICIT, RIGID, assert_same, assert_survives_kills, called, command, ended, go_on, outcome, random,
    results, scene_file, start, whole, with,
};
use crate::turning::WHEEL;

/// Scenes with everything that a checkpoint stores, and steps after which runs are killed: near insertions and
/// removals, near borders of stages, between two checks, and elsewhere.
fn kinds() -> [(&'static str, String, Vec<u64>); 11] {
    let sieve = with(SIEVE, "duration = 0.5", "duration = 0.08").replace("duration = 0.2\n", "duration = 0.02\n");
    let wheel = with(WHEEL, "duration = 1.0", "duration = 0.1").replace("duration = 0.25", "duration = 0.05");
    // Few cells, since each cell is a row.
    let measured = FRICTION.to_owned() + &with(MEASURES, "[10, 28, 27]", "[2, 7, 7]");
    [
        ("sources and gates", STREAM.to_owned(), vec![1, 20, 21, 451, 599, 600, 601, 1096]),
        ("bodies that have all left", LEAVING.to_owned(), vec![200, 250, 251]),
        ("a wall that few bodies feel", sieve, vec![399, 801]),
        ("fragments", CHAIN.to_owned(), vec![3, 10, 27]),
        ("measurements", measured, vec![1, 80, 81, 133]),
        ("liquid", RAIN.to_owned(), vec![1111]),
        ("a driven group", PLATE.to_owned(), vec![1, 700, 1500, 1501, 2499, 2600]),
        ("a group that turns", wheel, vec![1, 499, 501, 760]),
        ("a box that deforms", deforming(), vec![1, 42, 99, 100, 101, 123, 155, 200, 284, 301]),
        ("a servo", changing(), vec![1, 143, 199, 200, 201, 283, 300, 334, 401, 408, 451, 496]),
        ("stages", STAGED.to_owned(), vec![31, 39, 40, 41, 43, 100, 101, 120, 121, 183, 195, 196]),
    ]
}

#[test]
fn kills_among_bodies_and_results_change_no_byte() {
    assert!(ended(LEAVING).ids().is_empty());
    kinds()[..6].iter().for_each(|(what, text, steps)| assert_survives_kills(text, steps, what));
}

#[test]
fn kills_among_motions_and_stages_change_no_byte() {
    kinds()[6..].iter().for_each(|(what, text, steps)| assert_survives_kills(text, steps, what));
}

/// Kills runs of a scene `count` times at random steps, some of them twice, and compares the final results.
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
            // The run was killed before its first checkpoint and starts again.
            drop(start(text, &folder).finish());
        }
        while random(&mut seed, 3) == 0 {
            let mut run = Run::resume(&folder).unwrap();
            for _ in 0..random(&mut seed, 20) {
                run.advance().unwrap();
            }
        }
        // The remaining checkpoint is always readable.
        Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
        go_on(Run::resume(&folder).unwrap());
        assert_same(&folder, &expected, &format!("kill {kill}"));
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn kills_of_three_maps_change_no_byte() {
    [FRICTION, IMPLICIT, RIGID].into_iter().zip(1..).for_each(|(text, seed)| kill(text, 10, seed));
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
    kill_for_real(6, 4, "0.6");
}

#[test]
#[ignore = "soak: 40 kills"]
fn the_program_killed_forty_times_ends_with_the_same_bytes() {
    kill_for_real(40, 5, "1.5");
}

/// Kills the program with SIGKILL after a random time, `count` times before its end.
fn kill_for_real(count: usize, mut seed: u64, duration: &str) {
    let (home, scene) = scene_file(FRICTION.replace("0.08", duration));
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
            // The run was killed before its first checkpoint and starts again.
            child = run(&folder).spawn().unwrap();
            continue;
        }
        Checkpoint::read(folder.join("checkpoint.grains")).unwrap();
        child = command().args(["resume", "--quiet"]).arg(&folder).stderr(Stdio::null()).spawn().unwrap();
    }
    assert!(child.wait().unwrap().success());
    assert_same(&folder, &expected, "killed for real");
}

/// Returns a run of the program with a limit of this many blocks per file. The signal for large files is ignored, so
/// that writing fails as on a full disk.
#[cfg(unix)]
fn on_small_disk(scene: &Path, folder: &Path, blocks: &str, overwrite: bool) -> Command {
    let mut command = Command::new("sh");
    let line = "trap '' XFSZ; ulimit -f \"$1\"; exec \"$0\" --threads 1 run --quiet \"$2\" --output \"$3\" $4";
    command.args(["-c", line]).arg(env!("CARGO_BIN_EXE_grains")).arg(blocks).arg(scene).arg(folder);
    command.args(overwrite.then_some("--overwrite")).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs the program `count` times with a disk that is full at a random length of a file, or with results that are
/// removed or truncated meanwhile. Each run ends with the same bytes, or with exit code 1 and the name of a file;
/// resumed or started again, it then ends with the same bytes.
#[cfg(unix)]
fn inject(count: usize, mut seed: u64) {
    let (home, scene) = scene_file(FRICTION.replace("0.08", "0.4"));
    let run = |folder: &Path, blocks: &str| on_small_disk(&scene, folder, blocks, true);
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
        let (text, code) = called!["resume", "--quiet", &folder];
        if code != 0 {
            // There is no checkpoint yet, or results before the checkpoint are missing.
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

/// SIGTERM ends a run after a checkpoint. SIGHUP does not under `nohup`, which ignores this signal.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    let (home, scene) = scene_file(FRICTION.replace("0.08", "0.5"));
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

/// Fills the disk at file lengths below that of the first checkpoint. `resume` then names the remedy, which works
/// without `--overwrite`.
#[cfg(unix)]
#[test]
fn a_run_that_ends_before_its_first_checkpoint_begins_again() {
    let home = tempfile::tempdir().unwrap();
    let [scene, expected] = ["scene.toml", "whole"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    let run = |folder: &Path, blocks: &str| outcome(&on_small_disk(&scene, folder, blocks, false).output().unwrap());
    assert_eq!(run(&expected, "unlimited").1, 0);
    for blocks in ["0", "1", "4"] {
        let folder = home.path().join(blocks);
        let (text, code) = run(&folder, blocks);
        assert!(code == 1 && !folder.join("checkpoint.grains").exists(), "{blocks}: {code}: {text}");
        if blocks != "0" {
            assert!(folder.join("series.csv").exists());
            let (text, code) = called!["resume", &folder];
            assert!(code == 2 && text.contains("`grains run` begins it again"), "{blocks}: {code}: {text}");
        }
        let (text, code) = run(&folder, "unlimited");
        assert_eq!(code, 0, "{blocks}: {text}");
        assert_same(&folder, &expected, blocks);
        // From the first checkpoint on, results are kept, even without their checkpoints.
        fs::remove_file(folder.join("checkpoint.grains")).unwrap();
        let (text, code) = run(&folder, "unlimited");
        assert!(code == 2 && text.contains("--overwrite"), "{blocks}: {code}: {text}");
    }
}

/// There are enough bodies for all loops to use threads, and a frame every other step.
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

/// Quantities that no output needs, such as work and attitudes, are not computed.
#[test]
fn writing_results_does_not_change_the_trajectory() {
    let home = tempfile::tempdir().unwrap();
    // The energy guard needs the work of moving walls in any case.
    let friction = with(FRICTION, "rodrigues-25", "verlet").replace(", velocity = [0.2, 0.0, 0.0]", "");
    for (name, text) in [("friction", friction.as_str()), ("implicit", IMPLICIT), ("rigid", RIGID)] {
        let (quiet, _) = text.split_once("[output]").unwrap();
        let contacts = if name == "friction" { "[output]\ncontacts = { steps = 10 }" } else { "" };
        let [silent_folder, loud_folder] = ["silent", "loud"].map(|kind| home.path().join(format!("{kind} {name}")));
        let mut silent_run = start(&format!("{quiet}{contacts}"), &silent_folder);
        let mut loud_run = start(text, &loud_folder);
        silent_run.complete().unwrap();
        loud_run.complete().unwrap();
        let silent = silent_run.simulation().state();
        let mut loud = loud_run.simulation().state().clone();
        assert!(name != "friction" || !silent.has_attitudes() && loud.has_attitudes());
        if !silent.has_attitudes() {
            loud = loud.without_attitudes();
        }
        assert_eq!(*silent, loud, "{name}");
        if name == "friction" {
            let [less, more] = [&silent_run, &loud_run].map(|run| run.simulation().read().unwrap());
            assert_eq!(less.energies.dissipated, None);
            let dissipated = more.energies.dissipated.unwrap();
            assert!(dissipated > 0.1, "{dissipated} J");
            assert_eq!(less.wall_forces, more.wall_forces);
            silent_run.finish().unwrap();
            loud_run.finish().unwrap();
            let files = [silent_folder, loud_folder].map(|folder| fs::read(folder.join("contacts.csv")).unwrap());
            assert!(files[0].len() > 200 && files[0] == files[1]);
        }
    }
}
