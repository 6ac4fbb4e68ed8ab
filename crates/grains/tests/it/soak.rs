//! Randomly changed inputs: each is run or refused without panic, abort within 4 GB or endless work, and a refusal
//! names file and key or line.
//!
//! A child process works on the inputs one after another and reports the start of each, so that the parent knows which
//! one failed.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use grains::{GrainsError, Run, RunOptions};

use crate::damage::{change, fit};
use crate::support::{FRICTION, IMPLICIT, RIGID, random, scenes, start, stop};

/// Longest time for one input. Other processes may use the processor, so a slow input is tried once more.
const LONGEST: Duration = Duration::from_secs(10);
/// Time for which the child takes steps of a valid input.
const STEPPING: Duration = Duration::from_millis(200);
/// Named files, the scene or checkpoint first; one of them is changed.
struct Seed {
    files: Vec<(String, Vec<u8>)>,
    changed: usize,
}

/// A scene with all kinds of files.
const FILES: &str = r#"
    gravity = [0.0, 0.0, -9.81]
    integrator = "verlet"
    time = { dt = 1e-4, duration = 0.4 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    [[bodies]]
    place = { file = { path = "a.data", types = ["other", "other"] } }
    [[bodies]]
    place = { file = { path = "b.csv" } }
    mass = 1.0
    [[bodies]]
    place = { file = { path = "c.vtp" } }
    mass = 1.0
    [[walls]]
    stl = { path = "d.stl" }
    [[walls]]
    stl = { path = "e.stl" }
    [output]
    series = { steps = 2 }
    frames = { steps = 2 }
"#;

const DATA: &str = "three spheres\n\n3 atoms\n2 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n\
                    1 1 0.1 2500 0.3 0.5 0.25 0 0 0\n2 2 0.1 2500 0.5 0.5 0.30 0 0 0\n3 2 0.1 2500 0.7 0.5 0.30\n\n\
                    Velocities\n\n1 0 0 0 0 0 0\n2 0 1 0 0 0 0\n3 0 0 0 0 0 1\n";
const TABLE: &str = "# bodies\nx,y,z,radius,vx,vy,vz\n2,2,2,0.1,0,0,0\n3,2,2,0.2,0,0,1\n4,2,2,0.1,1,0,0\n";
const FACETS: &str = "solid sheet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\n\
                      endfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\n\
                      endfacet\nendsolid sheet\n";

fn seeds(home: &Path) -> Vec<Seed> {
    let mut all = Vec::new();
    let mut texts = vec![FRICTION.to_owned(), IMPLICIT.to_owned(), RIGID.to_owned()];
    // Only scenes with a few bodies are taken, since building many bodies takes long.
    let small = ["bonded_pair.toml", "bounce.toml", "two_spheres.toml"];
    texts.extend(small.map(|name| fs::read_to_string(scenes().join(name)).unwrap()));
    for text in texts {
        // Scenes are the files that people write by hand most.
        all.push(Seed { files: vec![("scene.toml".to_owned(), text.into_bytes())], changed: 0 });
    }
    let made = home.join("made");
    stop(start(&FRICTION.replace("radius = 0.5", "radius = 0.05"), &made), 1);
    let frame = fs::read(made.join("frames-000000.vtp")).unwrap();
    let mut binary = vec![0; 80];
    binary.extend(2_u32.to_le_bytes());
    for corners in [[0, 0, 0, 1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 0, 0, 1, 0]] {
        binary.extend([0.0_f32, 0.0, 1.0].iter().flat_map(|x| x.to_le_bytes()));
        binary.extend(corners.iter().flat_map(|&x| (x as f32).to_le_bytes()));
        binary.extend([0, 0]);
    }
    let texts = [FILES, DATA, TABLE, FACETS].map(str::as_bytes);
    let names = ["scene.toml", "a.data", "b.csv", "c.vtp", "d.stl", "e.stl"].into_iter();
    let bytes = [texts[0], texts[1], texts[2], &frame[..], texts[3], &binary[..]];
    let files: Vec<_> = names.zip(bytes).map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    for changed in 0..files.len() {
        all.push(Seed { files: files.clone(), changed });
    }
    for (k, text) in [FRICTION, IMPLICIT, RIGID].into_iter().enumerate() {
        let folder = home.join(format!("run{k}"));
        stop(start(text, &folder), 9);
        let mut files = vec![("checkpoint.grains".to_owned(), Vec::new())];
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match name.as_str() {
                "checkpoint.grains" => files[0].1 = fs::read(&path).unwrap(),
                "run.lock" | "previous.grains" => {}
                _ => files.push((name, fs::read(&path).unwrap())),
            }
        }
        all.push(Seed { files, changed: 0 });
    }
    all
}

/// Writes input number `index` to files in `folder`.
fn write_input(seeds: &[Seed], index: u64, folder: &Path) -> PathBuf {
    let mut seed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    for _ in 0..4 {
        random(&mut seed, 2);
    }
    let Seed { files, changed } = &seeds[random(&mut seed, seeds.len() as u64) as usize];
    let _gone = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    for (k, (name, bytes)) in files.iter().enumerate() {
        let mut bytes = bytes.clone();
        if k == *changed {
            let is_checkpoint = name.ends_with(".grains");
            let times = 1 + random(&mut seed, 3);
            for _ in 0..times {
                change(&mut bytes, &mut seed);
            }
            if is_checkpoint && random(&mut seed, 4) > 0 {
                fit(&mut bytes);
            }
        }
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder.join(&files[0].0)
}

fn attempt(path: &Path) -> Result<(), GrainsError> {
    let is_scene = path.extension().is_some_and(|ending| ending == "toml");
    let mut run = if is_scene {
        Run::of_file(path, Some(&path.with_file_name("out")), RunOptions::default())?
    } else {
        Run::resume(path)?
    };
    let begin = Instant::now();
    while run.simulation().steps_taken() < 12 && begin.elapsed() < STEPPING && run.advance()? {}
    run.checkpoint()?;
    run.finish()
}

/// Returns the fault in the wording of a refusal, if any.
fn fault_of(error: &GrainsError, changed: &str) -> Option<&'static str> {
    let text = error.to_string();
    let names_rust = ["::", "f64", "usize", "u32", "struct ", "enum ", "variant", "Option<", "Vec<", "tuple", "DVec3"];
    // Words of the input may be in the message, in quotation marks.
    let ours: String = text.split('"').step_by(2).collect();
    if names_rust.iter().any(|word| ours.contains(word)) {
        return Some("names a Rust type");
    }
    if error.exit_code() != 2 {
        return None;
    }
    let names_file = ["scene.toml", "checkpoint.grains", changed].iter().any(|name| text.contains(name));
    if !names_file {
        return Some("names no file");
    }
    let names_key = text.contains('`');
    let names_line = ["line ", "triangle ", "byte "].iter().any(|word| text.contains(word));
    match error {
        _ if text.contains("checkpoint") => None,
        // Text that is not TOML has no keys. A missing key at the top level has no line.
        GrainsError::Syntax { .. } => (!names_line).then_some("names no line"),
        GrainsError::MissingKey { at, .. } if at.key.is_empty() => (!names_key).then_some("names no key"),
        GrainsError::Conflict { at, problem: "there are no bodies" } if at.key == "bodies" => None,
        _ if !names_key => Some("names no key"),
        _ if !names_line => Some("names no line"),
        _ => None,
    }
}

/// Works on the inputs from `GRAINS_SOAK_FROM` up to `GRAINS_SOAK_TO`. The tests below start this test as a separate
/// process; without their environment variables it does nothing.
#[test]
fn child() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (Some(from), Some(to)) = (number("GRAINS_SOAK_FROM"), number("GRAINS_SOAK_TO")) else { return };
    let home = PathBuf::from(std::env::var("GRAINS_SOAK_HOME").unwrap());
    let seeds = seeds(&home.join("seeds"));
    for index in from..to {
        println!("begin {index}");
        let path = write_input(&seeds, index, &home.join("input"));
        match catch_unwind(|| attempt(&path)) {
            Err(_) => println!("fault {index} panicked"),
            Ok(Err(error)) => {
                let names = ["a.data", "b.csv", "c.vtp", "d.stl", "e.stl"];
                let named = names.iter().find(|name| error.to_string().contains(**name)).unwrap_or(&"scene.toml");
                match fault_of(&error, named) {
                    Some(fault) => println!("fault {index} {fault}: {error}"),
                    None => println!("refused {index}"),
                }
            }
            Ok(Ok(())) => println!("ran {index}"),
        }
    }
    println!("end");
}

fn spawn(from: u64, to: u64, home: &Path) -> (Child, Receiver<String>) {
    let _gone = fs::remove_dir_all(home);
    fs::create_dir_all(home).unwrap();
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new("sh");
    let line = "ulimit -v 4000000; exec \"$0\" soak::child --exact --nocapture --test-threads 1";
    command.args(["-c", line]).arg(program).env("RAYON_NUM_THREADS", "1");
    command.env("GRAINS_SOAK_FROM", from.to_string()).env("GRAINS_SOAK_TO", to.to_string());
    command.env("GRAINS_SOAK_HOME", home);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (sender, lines) = channel();
    let out = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    (child, lines)
}

/// Returns whether an input ends in time in a second attempt.
fn ends_alone(index: u64, home: &Path) -> bool {
    let (mut child, lines) = spawn(index, index + 1, home);
    let said: Vec<String> = std::iter::from_fn(|| lines.recv_timeout(LONGEST).ok()).collect();
    let _killed = child.kill();
    child.wait().unwrap();
    said.iter().any(|line| line == "end") && !said.iter().any(|line| line.starts_with("fault"))
}

/// Works on all inputs in `range` and returns the failures.
fn soak(range: std::ops::Range<u64>) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut next = range.start;
    let mut wrong = String::new();
    let mut tally = [0_usize; 3];
    while next < range.end {
        let (mut child, lines) = spawn(next, range.end, &home.path().join("child"));
        loop {
            match lines.recv_timeout(LONGEST) {
                Ok(line) => {
                    let mut words = line.split_whitespace();
                    match words.next() {
                        Some("begin") => next = 1 + words.next().and_then(|word| word.parse().ok()).unwrap_or(next),
                        Some("fault") => writeln!(wrong, "{line}").unwrap(),
                        Some("refused") => tally[0] += 1,
                        Some("ran") => tally[1] += 1,
                        Some("end") => next = range.end,
                        _ => {}
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if ends_alone(next - 1, &home.path().join("alone")) {
                        tally[2] += 1;
                    } else {
                        writeln!(wrong, "fault {}: took more than {} s", next - 1, LONGEST.as_secs()).unwrap();
                    }
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    if next < range.end {
                        writeln!(wrong, "fault {}: the process ended", next - 1).unwrap();
                    }
                    break;
                }
            }
        }
        let _killed = child.kill();
        child.wait().unwrap();
    }
    let [refused, ran, slow] = tally;
    println!("{} inputs: {refused} refused, {ran} ran, {slow} were tried twice", range.end - range.start);
    assert!(tally.iter().sum::<usize>() > 0, "{wrong}");
    wrong
}

#[cfg(unix)]
#[test]
fn changed_inputs_are_run_or_refused() {
    let wrong = soak(0..300);
    assert!(wrong.is_empty(), "{wrong}");
}

#[cfg(unix)]
#[test]
#[ignore = "soak: 20 000 changed inputs"]
fn twenty_thousand_changed_inputs_are_run_or_refused() {
    let wrong = soak(300..20_300);
    assert!(wrong.is_empty(), "{wrong}");
}
