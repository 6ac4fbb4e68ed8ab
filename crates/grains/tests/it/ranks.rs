//! Runs on several ranks leave the same files as a run on one rank, byte for byte.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use grains::ranks::{EvenRuns, MakeOwners, Ranks, Threads, TileOwners, serve_with_owners};
use grains::{GrainsError, Run, RunOptions, Scene};

use crate::crossings::{LONG, fall};
use crate::driven::changing;
use crate::ranks_laws::{OTHER_LAWS, SPRINGS};
use crate::ranks_scenes::{Named, bed, low_bed};
use crate::stages::STAGED;
use crate::support::{FRICTION, assert_same, called, command, go_on, made, outcome, random, start, stop, whole, with};

/// Random owners of tiles, drawn anew for each list. Consecutive tiles have different owners.
#[derive(Default)]
struct Dice(AtomicU64);

impl TileOwners for Dice {
    fn owners(&self, work: &[u64], ranks: usize) -> Vec<usize> {
        let mut seed = self.0.load(Relaxed);
        let mut owner = random(&mut seed, ranks as u64);
        let mut next = |_| {
            owner += 1 + random(&mut seed, (ranks as u64 - 1).max(1));
            (owner % ranks as u64) as usize
        };
        let owners = work.iter().map(&mut next).collect();
        self.0.store(seed, Relaxed);
        owners
    }
}

/// Returns random owners of tiles, equal on all ranks of a run.
pub(crate) fn dice() -> Box<dyn TileOwners> {
    Box::new(Dice::default())
}

pub(crate) fn even_runs() -> Box<dyn TileOwners> {
    Box::new(EvenRuns)
}

/// Calls `work` on rank 0 of `count` ranks while the others serve it. If rank 0 succeeds, all ranks must.
pub(crate) fn on_ranks<V: Send>(
    count: usize,
    owners: MakeOwners,
    work: impl Fn(Box<dyn Ranks + Send>) -> Result<V, GrainsError> + Sync,
) -> Result<V, GrainsError> {
    let begin = |ranks: Threads| match ranks.rank() {
        0 => work(Box::new(ranks)).map(Some),
        _ => serve_with_owners(Box::new(ranks), owners).map(|()| None),
    };
    let mut ends = Threads::run(NonZeroUsize::new(count).unwrap(), begin).unwrap().into_iter();
    let first = ends.next().unwrap();
    assert!(first.is_err() || ends.all(|end| end.is_ok()));
    first.map(Option::unwrap)
}

fn start_on(ranks: Box<dyn Ranks + Send>, owners: MakeOwners, text: &str, folder: &Path) -> Result<Run, GrainsError> {
    let simulation = made(text)?.on_ranks_with_owners(ranks, owners)?;
    Run::new(&Scene::parse(text)?, simulation, folder, RunOptions::default())
}

fn whole_on(count: usize, owners: MakeOwners, text: &str, folder: &Path) -> Result<(), GrainsError> {
    on_ranks(count, owners, |ranks| {
        let mut run = start_on(ranks, owners, text, folder)?;
        run.complete()?;
        run.finish()
    })
}

/// Checks that runs on two and on five ranks with random owners, and a run killed twice, leave the files of the run on
/// one rank. Beds have two or four tiles, so that some of five ranks have no bodies.
#[track_caller]
pub(crate) fn assert_same_on_few_and_many(scenes: &[Named]) {
    for (what, text) in scenes {
        let home = assert_same_on(&[2, 5], dice, text, what);
        let killed = home.path().join("killed");
        stop(start(text, &killed), 4);
        stop(Run::resume(&killed).unwrap(), 9);
        go_on(Run::resume(&killed).unwrap());
        assert_same(&killed, &home.path().join("one"), &format!("{what}, killed"));
    }
}

/// Checks that runs on several ranks leave the files of the run on one rank, which are in the folder `one` of the
/// result.
#[track_caller]
pub(crate) fn assert_same_on(counts: &[usize], owners: MakeOwners, text: &str, what: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let expected = home.path().join("one");
    whole(text, &expected);
    for &count in counts {
        let folder = home.path().join(format!("on{count}"));
        whole_on(count, owners, text, &folder).unwrap();
        assert_same(&folder, &expected, &format!("{what} on {count} ranks"));
    }
    home
}

#[test]
fn any_number_of_ranks_leaves_the_same_files() {
    assert_same_on(&[1, 2, 3, 5, 8], even_runs, &bed(SPRINGS), "springs");
}

#[test]
fn stages_leave_the_same_files_on_ranks() {
    let explicit = STAGED.split("[[stage]]\nname = \"implicit\"").next().unwrap();
    assert_same_on(&[2], even_runs, explicit, "stages");
    assert_same_on(&[2], even_runs, &changing(), "a lid that changes");
}

#[test]
fn a_run_on_three_ranks_goes_on_with_the_same_bytes_on_two_and_on_one() {
    let home = tempfile::tempdir().unwrap();
    let text = bed(SPRINGS);
    let expected = home.path().join("one");
    whole(&text, &expected);
    for count in [1, 2] {
        let folder = home.path().join(format!("then{count}"));
        // The dropped run leaves files like those of a killed one.
        on_ranks(3, dice, |ranks| {
            let mut run = start_on(ranks, dice, &text, &folder)?;
            (0..17).try_for_each(|_| run.advance().map(drop))?;
            Ok(())
        })
        .unwrap();
        match count {
            1 => go_on(Run::resume(&folder).unwrap()),
            _ => on_ranks(count, even_runs, |ranks| {
                go_on(Run::resume_on(ranks, &folder)?);
                Ok(())
            })
            .unwrap(),
        }
        assert_same(&folder, &expected, &format!("3 ranks, then {count}"));
    }
}

#[test]
fn a_step_that_fails_on_one_rank_has_the_message_and_the_exit_code_of_a_run_on_one() {
    let home = tempfile::tempdir().unwrap();
    let ball = "radius = 0.5\nmass = 1.0\nvelocity";
    let shot = format!("[[bodies]]\nplace = {{ list = [[3.47, 3.54, 26.0]] }}\n{ball} = [0.0, 0.0, -900.0]\n");
    let aside = format!("[[bodies]]\nplace = {{ list = [[4.0, 0.7, 40.0]] }}\n{ball} = [0.0, -1600.0, 0.0]\n");
    // The huge spin makes a force infinite. The driven group switches off the energy guard, which would stop the run
    // first.
    let spinning = format!(
        "[[bodies]]\nplace = {{ list = [[4.0, 4.0, 40.0]] }}\nradius = 0.5\nfixed = true\n\
         oscillation = {{ amplitude = [0.0, 0.0, 0.01], frequency = 9.0 }}\n\
         [[bodies]]\nplace = {{ list = [[3.47, 3.54, 23.88]] }}\n{ball} = [0.0, 0.0, -9.0]\nspin = [1e308, 0.0, 0.0]\n"
    );
    let viscous = OTHER_LAWS[0].1.replacen("gamma = 2.0", "gamma = 90.0", 1);
    let bed = |laws: &str, bodies: &str| {
        let text = low_bed(laws).replacen("[[walls]]\nplane", "[[walls]]\nname = \"side\"\nplane", 1);
        text.replacen("[[walls]]", &format!("{bodies}    [[walls]]"), 1).replace("rodrigues-25", "verlet")
    };
    for (text, words) in [
        (bed(SPRINGS, &shot), "overlap"),
        (bed(SPRINGS, &aside), "wall 1 is `side`; the body is at [4"),
        (bed(&viscous, &spinning), "is not finite"),
        (fall(LONG, 0.5), "its centre went through wall 0"),
    ] {
        let folder = |count: usize| home.path().join(format!("{words} on {count}"));
        let alone = start(&text, &folder(1)).complete().unwrap_err();
        assert!(alone.to_string().contains(words), "{words}: {alone}");
        for count in [2, 3] {
            let work = |ranks| start_on(ranks, even_runs, &text, &folder(count))?.complete();
            let error = on_ranks(count, even_runs, work).unwrap_err();
            assert_eq!((error.to_string(), error.exit_code()), (alone.to_string(), alone.exit_code()), "{words}");
        }
    }
}

#[test]
fn what_is_not_done_on_ranks_is_refused_with_its_key() {
    let home = tempfile::tempdir().unwrap();
    let implicit = "integrator = { implicit = { alpha = 0.5 } }";
    let later = format!("[[stage]]\nduration = 0.04\n[[stage]]\nduration = 0.04\n{implicit}\n");
    for (text, key) in [
        (with(FRICTION, r#"integrator = "rodrigues-25""#, implicit), "integrator"),
        (with(FRICTION, ", duration = 0.08", "") + &later, "stage[1].integrator"),
    ] {
        let folder = home.path().join(key);
        let error = whole_on(2, even_runs, &text, &folder).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{key}`: several ranks")) && !folder.exists(), "{error}");
    }
}

#[test]
fn the_command_runs_and_goes_on_on_ranks() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("bed.toml"), bed(SPRINGS)).unwrap();
    let run = |folder: &str, more: &[&str]| {
        let mut command = command();
        command.current_dir(home.path()).args(["run", "bed.toml", "--quiet", "--output", folder]).args(more);
        let (text, code) = outcome(&command.output().unwrap());
        assert_eq!(code, 0, "{text}");
    };
    run("one", &[]);
    run("three", &["--ranks", "3"]);
    assert_same(&home.path().join("three"), &home.path().join("one"), "the command");
    assert_eq!(called!["resume", home.path().join("three"), "--ranks", "2"].1, 0);
    assert_same(&home.path().join("three"), &home.path().join("one"), "resumed");
}

/// Stacks larger than the address space, or more stacks than the process may have.
#[cfg(target_os = "linux")]
#[test]
fn ranks_that_cannot_be_started_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    std::fs::write(&scene, FRICTION).unwrap();
    for (begin, ranks, code, expected) in [
        ("export RUST_MIN_STACK=140737488355328", "3", 1, ["`--ranks 3 --threads 1`"].as_slice()),
        ("ulimit -v 4500000", "1000", 2, ["`--ranks`", " 1000 ranks would take"].as_slice()),
    ] {
        let mut command = std::process::Command::new("sh");
        let line = format!("{begin}; exec \"$0\" --threads 1 run --quiet \"$1\" --ranks {ranks}");
        command.args(["-c", &line]).arg(env!("CARGO_BIN_EXE_grains")).arg(&scene);
        let (text, found) = outcome(&command.output().unwrap());
        let is_told = expected.iter().all(|part| text.contains(part));
        assert!(is_told && found == code, "{found}: {text}");
        assert!(!home.path().join("scene.out").exists());
    }
}
