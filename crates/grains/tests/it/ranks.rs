//! Runs on several ranks leave the files of a run on one, byte for byte.

use std::num::NonZeroUsize;
use std::path::Path;

use grains::ranks::{Ranks, Threads, serve};
use grains::{GrainsError, Run, RunOptions, Scene, Simulation};

use crate::driven::{SHEARED, changing};
use crate::exchange::STREAM;
use crate::stages::STAGED;
use crate::support::{FRICTION, assert_same, command, outcome, whole};

/// Spheres of two materials and three sizes in some tiles: on a floor, between periodic sides, beside a wall that moves,
/// a cylinder and a mesh. The skin is thin, so that lists are made often.
const BED: &str = r#"
    title = "bed"
    gravity = [1.0, 0.0, -9.0]
    integrator = "rodrigues-25"
    time = { dt = 4e-4, duration = 0.012 }
    box = { low = [0.0, 0.0, -1.0], high = [8.0, 8.0, 99.0], boundary = ["periodic", "open", "open"] }
    [contact]
    skin = 0.02
    LAWS
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [8, 8, 20], spacing = [1.0, 0.99, 0.99] } }
    material = "glass"
    radius = 0.5
    mass = 1.0
    velocity = [3.0, 0.1, -2.0]
    spin = [0.0, 2.0, 1.0]
    [[bodies]]
    place = { lattice = { origin = [0.45, 0.6, 20.26], count = [8, 8, 6], spacing = [0.98, 0.99, 0.94] } }
    material = "steel"
    radius = 0.47
    mass = 1.0
    velocity = [0.3, 0.1, 3.0]
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 26.0], count = [8, 8, 8], spacing = [0.99, 0.98, 0.97] } }
    material = "glass"
    radius = 0.488
    mass = 1.0
    velocity = [-3.0, 4.0, -1.0]
    [[walls]]
    material = "steel"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    plane = { point = [0.0, 0.1, 0.0], normal = [0.0, 1.0, 0.0], velocity = [0.2, 0.5, 0.0] }
    [[walls]]
    cylinder = { point = [4.0, 8.95, 10.39], axis = [1.0, 0.0, 0.0], radius = 0.95, outside = true }
    oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 50.0 }
    [output]
    series = { steps = 3 }
    contacts = { steps = 20 }
    frames = { steps = 15 }
    checkpoints = { steps = 7 }
"#;

/// Friction springs, which differ by materials.
pub(crate) const SPRINGS: &str = r#"
    normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.7 }
    tangential = { friction-spring = { stiffness = 6e3, gamma = 2.0, friction = 0.3 } }
    [[contact.pairs]]
    between = ["glass", "steel"]
    tangential = { friction-spring = { stiffness = 9e3, gamma = 1.0, friction = 0.2 } }
"#;

/// The other kinds of laws; pairs name the materials.
const OTHERS: [&str; 6] = [
    r#"normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.7 }
    tangential = { viscous = { gamma = 2.0 } }
    [[contact.pairs]]
    between = ["glass", "steel"]"#,
    r#"normal = { hertz = { modulus = 2e4 } }
    damping = { restitution = 0.7 }
    tangential = { friction-spring = { stiffness = 6e3, gamma = 2.0, friction = 0.3 } }
    rolling = { stiffness = 3e3, damping = 20.0, friction = 0.05 }
    twisting = { stiffness = 500.0, damping = 1.0, friction = 0.02 }
    [[contact.pairs]]
    between = ["glass", "steel"]"#,
    r#"normal = "hertz-mindlin"
    materials = [
        { name = "glass", young = 5e4, poisson = 0.2, restitution = 0.8, friction = 0.3 },
        { name = "steel", young = 9e4, poisson = 0.3, restitution = 0.6, friction = 0.5 },
    ]"#,
    r#"normal = "hertz-mindlin"
    adhesion = { jkr = 20.0 }
    materials = [
        { name = "glass", young = 5e4, poisson = 0.2, friction = 0.3 },
        { name = "steel", young = 9e4, poisson = 0.3, friction = 0.5 },
    ]"#,
    r#"normal = { hooke = { stiffness = 3e4 } }
    plastic = { loading = 1e4, adhesion = 2e3 }
    [[contact.pairs]]
    between = ["glass", "steel"]"#,
    r#"normal = { hooke = { stiffness = 2e4 } }
    [[contact.pairs]]
    between = ["glass", "steel"]"#,
];

pub(crate) fn bed(laws: &str) -> String {
    BED.replace("LAWS", laws)
}

/// Does `work` on rank 0 of so many, which the others serve. They end as rank 0 does.
fn on_ranks<V: Send>(
    count: usize,
    work: impl Fn(Box<dyn Ranks + Send>) -> Result<V, GrainsError> + Sync,
) -> Result<V, GrainsError> {
    let begin = |ranks: Threads| match ranks.rank() {
        0 => work(Box::new(ranks)).map(Some),
        _ => serve(Box::new(ranks)).map(|()| None),
    };
    let mut ends = Threads::run(NonZeroUsize::new(count).unwrap(), begin).unwrap().into_iter();
    let first = ends.next().unwrap();
    assert!(first.is_err() || ends.all(|end| end.is_ok()));
    first.map(Option::unwrap)
}

/// Starts a run of a scene in memory on ranks.
fn start_on(ranks: Box<dyn Ranks + Send>, text: &str, folder: &Path) -> Result<Run, GrainsError> {
    let scene = Scene::parse(text)?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let simulation = Simulation::new(&scene, data, false)?.on_ranks(ranks)?;
    Run::new(&scene, simulation, folder, RunOptions::default())
}

fn whole_on(count: usize, text: &str, folder: &Path) -> Result<(), GrainsError> {
    on_ranks(count, |ranks| {
        let mut run = start_on(ranks, text, folder)?;
        run.complete()?;
        run.finish()
    })
}

/// Runs on so many ranks leave the files of the run on one.
#[track_caller]
pub(crate) fn assert_same_on(counts: &[usize], text: &str, what: &str) {
    let home = tempfile::tempdir().unwrap();
    let expected = home.path().join("one");
    whole_on_one(text, &expected);
    for &count in counts {
        let folder = home.path().join(format!("on{count}"));
        whole_on(count, text, &folder).unwrap();
        assert_same(&folder, &expected, &format!("{what} on {count} ranks"));
    }
}

pub(crate) fn whole_on_one(text: &str, folder: &Path) {
    let scene = Scene::parse(text).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut run =
        Run::new(&scene, Simulation::new(&scene, data, false).unwrap(), folder, RunOptions::default()).unwrap();
    run.complete().unwrap();
    run.finish().unwrap();
}

#[test]
fn any_number_of_ranks_leaves_the_same_files() {
    assert_same_on(&[1, 2, 3, 5, 8], &bed(SPRINGS), "springs");
}

#[test]
fn all_laws_leave_the_same_files_on_ranks() {
    for (number, laws) in OTHERS.into_iter().enumerate() {
        assert_same_on(&[3], &bed(laws), &format!("laws {number}"));
    }
}

#[test]
fn walls_of_all_kinds_and_blocked_motions_leave_the_same_files_on_ranks() {
    let more = r#"    [[walls]]
    stl = { path = "sheet.stl", scale = 8.0, point = [0.0, 0.0, 0.0] }
    surface-velocity = [1.0, 0.0, 0.0]
    [[walls]]
    revolution = { point = [3.5, 9.0, 15.0], axis = [0.0, 0.0, 1.0], profile = [[0.98, 5.0], [0.98, 0.0]] }
    [[walls]]
    box = { low = [-9.0, -0.1, -9.0], high = [19.0, 9.0, 99.0], without = ["-x", "+x"] }
    [output]"#;
    let text = bed(SPRINGS)
        .replace("    [output]", more)
        .replace("    integrator", "    blocked = [\"spin-x\"]\n    integrator");
    assert_same_on(&[2, 5], &text, "walls");
}

#[test]
fn sources_gates_and_stages_leave_the_same_files_on_ranks() {
    assert_same_on(&[3], STREAM, "stream");
    let explicit = STAGED.split("[[stage]]\n    name = \"implicit\"").next().unwrap();
    assert_same_on(&[2], explicit, "stages");
}

#[test]
fn walls_driven_by_their_load_leave_the_same_files_on_ranks() {
    assert_same_on(&[2], &changing(), "a lid");
    let text = bed(SPRINGS).replace("velocity = [0.2, 0.5, 0.0] }", "}\n    servo = { force = 90.0, speed = 0.6 }");
    assert_same_on(&[3], &text, "a side");
}

#[test]
fn a_run_on_three_ranks_goes_on_with_the_same_bytes_on_two_and_on_one() {
    let (home, text) = (tempfile::tempdir().unwrap(), bed(SPRINGS));
    let expected = home.path().join("one");
    whole(&text, &expected);
    for count in [1, 2] {
        let folder = home.path().join(format!("then{count}"));
        // It ends as a killed one does.
        on_ranks(3, |ranks| {
            let mut run = start_on(ranks, &text, &folder)?;
            (0..17).try_for_each(|_| run.advance().map(drop))?;
            Ok(())
        })
        .unwrap();
        let go_on = |mut run: Run| run.complete().and_then(|()| run.finish());
        match count {
            1 => go_on(Run::resume(&folder).unwrap()).unwrap(),
            _ => on_ranks(count, |ranks| go_on(Run::resume_on(ranks, &folder)?)).unwrap(),
        }
        assert_same(&folder, &expected, &format!("3 ranks, then {count}"));
    }
}

#[test]
fn a_step_that_fails_on_one_rank_has_the_message_and_the_exit_code_of_a_run_on_one() {
    let home = tempfile::tempdir().unwrap();
    let shot = r#"
        [[bodies]]
        place = { list = [[3.47, 3.54, 36.0]] }
        radius = 0.5
        mass = 1.0
        velocity = [0.0, 0.0, -900.0]
        [[walls]]"#;
    let text = bed(SPRINGS).replacen("    [[walls]]", shot, 1);
    let error = |folder: &str, count: usize| {
        let failed = on_ranks(count, |ranks| start_on(ranks, &text, &home.path().join(folder))?.complete());
        failed.unwrap_err()
    };
    let scene = Scene::parse(&text).unwrap();
    let simulation = Simulation::new(&scene, ".", false).unwrap();
    let alone = Run::new(&scene, simulation, &home.path().join("one"), RunOptions::default()).unwrap().complete();
    let alone = alone.unwrap_err();
    assert!(alone.to_string().contains("overlap"), "{alone}");
    for count in [2, 3] {
        let error = error(&format!("on{count}"), count);
        assert_eq!((error.to_string(), error.exit_code()), (alone.to_string(), alone.exit_code()));
    }
}

#[test]
fn what_is_not_done_on_ranks_is_refused_with_its_key() {
    let home = tempfile::tempdir().unwrap();
    let refused = |from: &str, to: &str, key: &str| {
        assert!(FRICTION.contains(from), "{from}");
        let folder = home.path().join("refused");
        let error = whole_on(2, &FRICTION.replacen(from, to, 1), &folder).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{key}`: several ranks")) && !folder.exists(), "{error}");
    };
    let top = "    title = \"friction\"";
    refused(top, "    global-damping = { viscous = 5.0 }", "global-damping");
    refused(r#"integrator = "rodrigues-25""#, "integrator = { implicit = { alpha = 0.5 } }", "integrator");
    let turns = "mass = 1.0\n    velocity = [0.3, 0.1, -1.0]";
    refused(turns, "fixed = true", "bodies");
    let error = whole_on(2, SHEARED, &home.path().join("refused")).unwrap_err().to_string();
    assert!(error.starts_with("`box`: several ranks"), "{error}");
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
    let mut again = command();
    let output = again.current_dir(home.path()).args(["resume", "three", "--ranks", "2"]).output().unwrap();
    assert_eq!(outcome(&output).1, 0);
    assert_same(&home.path().join("three"), &home.path().join("one"), "resumed");
}
