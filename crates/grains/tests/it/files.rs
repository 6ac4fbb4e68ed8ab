//! No file is lost: neither inputs, nor files of other programs in a folder, nor results that something else changed.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grains::{Checkpoint, ConvertOptions, GrainsError, Run, convert};

use crate::damage::fit;
use crate::support::{FRICTION, called, command, outcome, start, whole, with};

/// Returns the stderr of a command and its exit code; the command must end within ten seconds.
fn ended(mut command: Command) -> (String, i32) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    outcome(&child.wait_with_output().unwrap())
}

fn grains(arguments: &[&str], paths: &[&Path]) -> Command {
    let mut command = command();
    command.args(arguments).args(paths);
    command
}

const LATTICE: &str = "lattice = { origin = [0.5, 0.6, 0.49], count = [4, 3, 3], spacing = [1.0, 0.99, 0.99] }";

/// Creates a folder with the scene of friction springs; returns it with the paths of the scene and of a results folder.
fn home() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let [scene, folder] = ["scene.toml", "run"].map(|name| home.path().join(name));
    fs::write(&scene, FRICTION).unwrap();
    (home, scene, folder)
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_ends_well_if_nobody_reads_what_it_says() {
    let (_home, scene, folder) = home();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = grains(&["run", "--output"], &[&folder, &scene]);
    let status = command.stderr(full()).status().unwrap();
    assert!(status.success(), "{status}");
    assert!(Checkpoint::read(folder.join("checkpoint.grains")).is_ok());
    // A pipe with a closed reader, as after `| head`.
    let mut command = grains(&["run", "--overwrite", "--output"], &[&folder, &scene]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
    let output = grains(&["info"], &[&scene]).stdout(full()).output().unwrap();
    let (text, code) = outcome(&output);
    assert!(code == 1 && text.contains("standard output"), "{code}: {text}");
    // Writing to `/proc/self/mem` fails with EIO, like a failing disk.
    let broken = OpenOptions::new().write(true).open("/proc/self/mem").unwrap();
    let output = grains(&["info"], &[&scene]).stdout(broken).output().unwrap();
    let (text, code) = outcome(&output);
    assert!(code == 1 && text.contains("standard output") && text.contains("os error 5"), "{code}: {text}");
}

#[test]
fn what_is_not_of_a_run_stays() {
    let (_home, scene, folder) = home();
    fs::create_dir(&folder).unwrap();
    for name in ["frames-000007.vtp", "contacts-000007.vtp", "series.csv", "checkpoint.grains.new", "previous.grains"] {
        let file = folder.join(name);
        fs::write(&file, "mine").unwrap();
        let (text, code) = called!["run", "--quiet", &scene, "--output", &folder];
        assert!(code == 2 && text.contains(name), "{code}: {text}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        fs::remove_file(&file).unwrap();
    }
    // Names that no run uses.
    for name in ["frames-7.vtp", "frames-+00007.vtp", "notes.txt"] {
        fs::write(folder.join(name), "mine").unwrap();
    }
    assert_eq!(called!["run", "--quiet", &scene, "--output", &folder].1, 0);
    assert_eq!(called!["run", "--quiet", "--overwrite", &scene, "--output", &folder].1, 0);
    for name in ["frames-7.vtp", "frames-+00007.vtp", "notes.txt"] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "mine");
    }
    // `check` inspects the results folder of the scene, and reports results there.
    fs::rename(&folder, scene.with_extension("out")).unwrap();
    let output = grains(&["check", "--quick"], &[&scene]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("--overwrite"));
    fs::rename(scene.with_extension("out"), &folder).unwrap();
    // Parts of frames far beyond those of the run.
    for name in ["frames-000099.vtp", "contacts-000099.vtp", "walls-000099.vtp"] {
        fs::write(folder.join(name), "mine").unwrap();
        let error = Run::resume(&folder).unwrap_err();
        assert!(matches!(error, GrainsError::ResultsReplaced { .. }) && error.to_string().contains(name), "{error}");
        fs::remove_file(folder.join(name)).unwrap();
    }
}

/// A file in place of the folder, and a folder that nobody can create, not even root.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made_is_told_with_the_key() {
    let (home, scene, _) = home();
    let file = home.path().join("taken");
    fs::write(&file, "mine").unwrap();
    for folder in [file.clone(), file.join("run"), "/proc/results".into()] {
        let (text, code) = called!["run", "--quiet", &scene, "--output", &folder];
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = "`output.folder` or with `--output`";
        for part in ["the folder of the results cannot be made", key, &*folder.to_string_lossy()] {
            assert!(code == 1 && words.contains(part), "{part}: {code}: {text}");
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn an_input_is_never_replaced() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let folder = home.path().join("run");
    fs::create_dir(&folder).unwrap();
    let bodies = home.path().join("bodies.csv");
    let table = "x,y,z,radius,mass\n1,1,2,0.5,1\n";
    fs::write(&bodies, table).unwrap();
    let reading = |path: &str| with(FRICTION, LATTICE, &format!("file = {{ path = \"{path}\" }}"));
    fs::write(&scene, reading("run/series.csv")).unwrap();
    let series = folder.join("series.csv");
    let refused = || {
        let (text, code) = called!["run", "--quiet", "--overwrite", &scene, "--output", &folder];
        assert!(code == 2 && text.contains("series.csv") && text.contains("input"), "{code}: {text}");
        assert_eq!(fs::read_to_string(&series).unwrap(), table);
    };
    fs::write(&series, table).unwrap();
    refused();
    // `check` also refuses the scene's own folder.
    fs::write(&scene, reading("run/series.csv").replace("[output]", "[output]\nfolder = \"run\"")).unwrap();
    let (text, code) = called!["check", &scene];
    assert!(code == 2 && text.contains("input"), "{code}: {text}");
    fs::remove_file(&series).unwrap();
    fs::write(&scene, reading("bodies.csv")).unwrap();
    std::os::unix::fs::symlink(&bodies, &series).unwrap();
    refused();
    fs::remove_file(&series).unwrap();
    fs::hard_link(&bodies, &series).unwrap();
    refused();
    // Conversion onto itself, and onto an input of the scene.
    let overwrite = ConvertOptions { overwrite: true };
    for (from, to) in [(&bodies, &series), (&scene, &bodies), (&bodies, &bodies)] {
        let error = convert(from, to, overwrite).unwrap_err();
        assert!(matches!(error, GrainsError::InputInTheWay { .. }), "{error}");
    }
    assert_eq!(fs::read_to_string(&bodies).unwrap(), table);
}

#[test]
fn a_conversion_that_fails_leaves_its_target_as_it_was() {
    let home = tempfile::tempdir().unwrap();
    let [fixed, target] = ["fixed.csv", "target.data"].map(|name| home.path().join(name));
    fs::write(&fixed, "x,y,z,radius,mass\n0,0,2,0.5,inf\n").unwrap();
    fs::write(&target, "mine").unwrap();
    let error = convert(&fixed, &target, ConvertOptions { overwrite: true }).unwrap_err().to_string();
    assert!(error.contains("fixed.csv"), "{error}");
    let error = convert(&fixed, &home.path().join("target.data"), ConvertOptions::default()).unwrap_err();
    assert!(matches!(error, GrainsError::Exists { .. }), "{error}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
}

#[test]
fn check_refuses_the_plans_that_run_refuses() {
    let (_home, scene, _) = home();
    for plan in ["series = { steps = 0 }", "series = { time = -1.0 }", "frames = { time = nan }"] {
        let text = with(FRICTION, "series = { steps = 3 }", plan).replace("frames = { steps = 20 }", "");
        fs::write(&scene, text).unwrap();
        let (text, code) = called!["check", &scene];
        assert!(code == 2 && text.contains("scene.toml:") && text.contains("`output."), "{code}: {text}");
    }
}

/// Changes a file of results during a run, and checks that the run's final error names the file.
#[track_caller]
fn is_missed(name: &str, change: impl Fn(&Path)) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let mut run = start(FRICTION, &folder);
    while !folder.join("frames-000001.vtp").exists() {
        run.advance().unwrap();
    }
    // Waits until all requests are written.
    std::thread::sleep(Duration::from_millis(50));
    change(&folder.join(name));
    let error = run.complete().and_then(|()| run.finish()).unwrap_err();
    assert!(error.to_string().contains(name) && error.exit_code() == 1, "{error}");
    if !name.ends_with("pvd") {
        let error = Run::resume(&folder).unwrap_err();
        assert!(error.to_string().contains(name) && error.exit_code() == 1, "{error}");
    }
}

#[test]
fn results_that_something_else_changed_in_a_run_are_missed() {
    let cut = |path: &Path| OpenOptions::new().write(true).open(path).unwrap().set_len(9).unwrap();
    let replace = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        fs::write(path, "x".repeat(bytes.len())).unwrap();
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    for name in
        ["series.csv", "contacts.csv", "frames-000000.vtp", "contacts-000000.vtp", "walls-000000.vtp", "frames.pvd"]
    {
        is_missed(name, cut);
        is_missed(name, remove);
    }
    is_missed("series.csv", replace);
}

#[test]
fn a_list_of_frames_is_not_written_anew_for_each() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let mut run = start(&FRICTION.replace("frames = { steps = 20 }", "frames = { steps = 1 }"), &folder);
    let list = folder.join("frames.pvd");
    // The file remains the same one: a second link to it sees all frames.
    fs::hard_link(&list, home.path().join("link")).unwrap();
    run.complete().unwrap();
    let steps = run.simulation().steps();
    run.finish().unwrap();
    let text = fs::read_to_string(home.path().join("link")).unwrap();
    for part in ["part=\"0\" file=\"frames-", "part=\"1\" file=\"contacts-", "part=\"2\" file=\"walls-"] {
        assert_eq!(text.matches(part).count() as u64, steps + 1);
    }
    assert!(text.ends_with("</Collection>\n</VTKFile>\n") && text.contains("frames-000010.vtp"), "{text}");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_as_inputs() {
    let home = tempfile::tempdir().unwrap();
    let [pipe, scene, to] = ["pipe.csv", "scene.toml", "to.csv"].map(|name| home.path().join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(&scene, with(FRICTION, LATTICE, "file = { path = \"pipe.csv\" }")).unwrap();
    let stl = FRICTION.replace("[output]", "[[walls]]\nstl = { path = \"pipe.csv\" }\n[output]");
    let meshes = home.path().join("meshes.toml");
    fs::write(&meshes, stl).unwrap();
    let zero = Path::new("/dev/zero");
    for (arguments, paths) in [
        (&["check"][..], &[&*pipe][..]),
        (&["check"], &[&scene]),
        (&["check"], &[&meshes]),
        (&["info"], &[&pipe]),
        (&["resume"], &[&pipe]),
        (&["convert"], &[&pipe, &to]),
        (&["check"], &[zero]),
        (&["info"], &[zero]),
    ] {
        let (text, code) = ended(grains(arguments, paths));
        assert!(code == 2 && text.contains("no regular file"), "{arguments:?} {paths:?}: {code}: {text}");
    }
    let folder = home.path().join("run");
    fs::create_dir(&folder).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("run.lock")).status().unwrap().success());
    fs::write(&scene, FRICTION).unwrap();
    let (text, code) = ended(grains(&["run", "--output"], &[&folder, &scene]));
    assert!(code == 1 && text.contains("run.lock"), "{code}: {text}");
}

#[test]
fn checkpoints_beyond_their_end_or_with_more_than_they_should_have_are_refused() {
    let (_home, _, folder) = home();
    whole(FRICTION, &folder);
    let path = folder.join("checkpoint.grains");
    let bytes = fs::read(&path).unwrap();
    // The number of steps follows scene, quick flag and dt; it is stored twice, each time as 160 in two bytes.
    let at = 28 + bytes[28..].windows(4).position(|four| four == [160, 1, 160, 1]).unwrap();
    let mut beyond = bytes.clone();
    beyond[at] += 1;
    for (mut forged, problem) in [(beyond, "more steps"), ([&bytes[..], &[0]].concat(), "mean nothing")] {
        fit(&mut forged);
        fs::write(&path, forged).unwrap();
        let error = Checkpoint::read(&path).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

/// Runs the command with an address space of 4 GB.
#[cfg(target_os = "linux")]
fn with_little_memory(scene: &Path) -> (String, i32) {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_grains");
    command.args(["-c", "ulimit -v 4000000; exec \"$0\" --threads 1 run --quiet \"$1\""]).arg(program).arg(scene);
    ended(command)
}

#[cfg(target_os = "linux")]
#[test]
fn sizes_that_do_not_fit_are_refused_with_their_key() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let bare = FRICTION.split("[[contact.pairs]]").next().unwrap().replace("wall-materials = [\"steel\"]", "");
    let bed = |count: &str| {
        let place = format!("lattice = {{ origin = [1.0, 1.0, 1.0], count = {count}, spacing = [1.0, 1.0, 1.0] }}");
        let bare = bare.replace("[4.0, 4.0", "[4e9, 4.0");
        format!("{bare}[[bodies]]\nplace = {{ {place} }}\nradius = 0.5\nmass = 1.0\n")
    };
    let many = |count: usize| -> String {
        let pair = |k| format!("[[contact.pairs]]\nbetween = [\"a{k}\", \"b{k}\"]\n");
        (0..count).map(pair).collect()
    };
    let pour = |amount: &str| {
        let place = format!("pour = {{ low = [0.1, 0.0, 0.1], high = [3.9, 4.0, 8.9], {amount} }}");
        with(FRICTION, LATTICE, &place).replace("radius = 0.5", "radius = 1e-3")
    };
    let plane = "[[walls]]\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n";
    // Each of the many stages has all walls.
    let stages = "[[stage]]\nduration = 0.01\n".repeat(400);
    let walls = format!("{}{}{stages}", bed("[1, 1, 1]").replace(", duration = 0.08", ""), plane.repeat(3000));
    let crowd = "ring = { centre = [2.0, 2.0, 2.0], diameter = 1e-9, count = 60000 }";
    let sparse = home.path().join("sparse.data");
    File::create(&sparse).unwrap().set_len(6_000_000_000).unwrap();
    File::create(home.path().join("sparse.csv")).unwrap().set_len(6_000_000_000).unwrap();
    for (text, key) in [
        (bed("[400, 400, 400]"), "`bodies[0].place`"),
        (format!("{}[bonds]\ngap = 1e9\nbending = 1.0\n", bed("[20, 50, 50]")), "`bonds.gap`"),
        (bed("[20, 50, 50]").replace("normal = ", "skin = 1e8\nnormal = "), "`contact.skin`"),
        (format!("{}{}", bed("[1, 1, 1]"), many(5000)), "`contact.pairs"),
        (pour("count = 67000000"), "error: 67000000 bodies would take"),
        (pour("count = 67000000"), "`bodies[0].place.pour.count`"),
        (pour("mass = 6e7"), "`bodies[0].place.pour.mass`"),
        (pour("fraction = 0.3"), "`bodies[0].place.pour.fraction`"),
        (walls.clone(), "error: 3000 walls would take"),
        (walls, "`walls`"),
        (with(FRICTION, LATTICE, crowd), "bodies 0 and 1 overlap"),
        (with(FRICTION, LATTICE, "file = { path = \"sparse.data\" }"), "line 1: expected a line"),
        (with(FRICTION, LATTICE, "file = { path = \"sparse.csv\" }"), "`bodies[0].place.file.path`"),
    ] {
        fs::write(&scene, text).unwrap();
        let (text, code) = with_little_memory(&scene);
        assert!(code == 2 && text.contains(key) && text.contains("scene.toml:"), "{key}: {code}: {text}");
    }
    fs::rename(&sparse, &scene).unwrap();
    let (text, code) = with_little_memory(&scene);
    assert!(code == 2 && text.contains("GB"), "{code}: {text}");
}
