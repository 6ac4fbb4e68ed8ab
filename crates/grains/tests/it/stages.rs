//! Stages of a scene, and scenes that begin with what another run has left.

use std::fs;
use std::path::Path;

use grains::{Checkpoint, GrainsError, Run, RunOptions, Scene, Simulation};

use crate::support::{assert_same, assert_survives_a_kill, command, outcome, random, start, whole};

/// A column of spheres falls onto a lid, the lid goes, they fall onto a floor that then rises and turns, with another
/// integrator and another gravity.
const STAGED: &str = r#"
    title = "stages"
    gravity = [0.0, 0.0, -9.0]
    integrator = "verlet"
    time = { dt = 5e-4 }
    [contact]
    normal = { hooke = { stiffness = 2000.0 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 600.0, gamma = 2.0, friction = 0.5 } }
    [[contact.pairs]]
    between = ["other", "steel"]
    tangential = { friction-spring = { stiffness = 900.0, gamma = 1.0, friction = 0.2 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.6, 0.49], count = [3, 2, 2], spacing = [1.0, 0.99, 0.99] } }
    radius = 0.5
    mass = 1.0
    velocity = [0.3, 0.1, -1.0]
    spin = [0.0, 2.0, 1.0]
    [[walls]]
    name = "floor"
    material = "steel"
    plane = { point = [0.0, 0.0, -0.02], normal = [0.0, 0.0, 1.0] }
    [[walls]]
    name = "lid"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], velocity = [0.1, 0.0, 0.0] }
    [[walls]]
    name = "side"
    plane = { point = [0.0, 0.1, 0.0], normal = [0.0, 1.0, 0.0] }
    [output]
    series = { steps = 3 }
    checkpoints = { steps = 7 }
    [[stage]]
    name = "on the lid"
    duration = 0.02
    walls = { side = "gone" }
    [[stage]]
    name = "the lid goes"
    duration = 0.03
    walls = { lid = "gone", side = "there" }
    [[stage]]
    name = "written more often"
    duration = 0.01
    output = { series = { steps = 1 }, frames = { steps = 10 } }
    [[stage]]
    name = "the floor rises"
    duration = 0.03
    integrator = "rodrigues-25"
    gravity = [0.0, 1.0, -9.0]
    dt = 4e-4
    walls = { floor = { move = { velocity = [0.0, 0.0, 0.3], spin = [0.0, 0.0, 0.2], pivot = [1.0, 1.0, 0.0] } } }
    [[stage]]
    name = "implicit"
    duration = 0.01
    dt = 1e-3
    integrator = { implicit = { alpha = 0.5 } }
    walls = { floor = "rest" }
"#;

#[test]
fn kills_in_any_stage_and_between_stages_change_no_byte() {
    let scene = Scene::parse(STAGED).unwrap();
    let steps = Simulation::new(&scene, ".", false).unwrap().steps();
    assert_eq!(steps, 40 + 60 + 20 + 75 + 10);
    let mut seed = 7;
    // At borders, beside them, and anywhere.
    let near = [39, 40, 41, 100, 101, 120, 121, 195, 196];
    for step in near.into_iter().chain((0..3).map(|_| random(&mut seed, steps))) {
        assert_survives_a_kill(STAGED, step as usize, &format!("after {step} steps"));
    }
}

#[test]
fn a_stage_that_only_writes_more_changes_no_bit() {
    let (head, _) = STAGED.split_once("[[stage]]").unwrap();
    let one = format!("{head}[[stage]]\nduration = 0.04\n");
    let two = format!(
        "{head}[[stage]]\nduration = 0.02\n[[stage]]\nduration = 0.02\noutput = {{ series = {{ steps = 1 }} }}\n"
    );
    let [one, two] = [one, two].map(|text| {
        let mut simulation = Simulation::new(&Scene::parse(&text).unwrap(), ".", false).unwrap();
        while simulation.step().unwrap() < simulation.steps() {}
        simulation
    });
    assert_eq!(one.state(), two.state());
    assert_eq!((one.stage(), two.stage()), (0, 1));
}

#[test]
fn the_balance_is_kept_over_stages() {
    let text = STAGED.split("[[stage]]\n    name = \"implicit\"").next().unwrap();
    let drift = |dt: &str, last: &str| {
        let text = text.replace("dt = 5e-4", dt).replace("dt = 4e-4", last);
        let mut simulation = Simulation::new(&Scene::parse(&text).unwrap(), ".", false).unwrap();
        let (begin, mut supplied) = (simulation.read().unwrap().balance().unwrap(), 0.0_f64);
        let mut largest = 0.0_f64;
        while !simulation.is_over() {
            simulation.step().unwrap();
            let reading = simulation.read().unwrap();
            largest = largest.max((reading.balance().unwrap() - begin).abs());
            supplied = supplied.max(reading.energies.supplied.abs());
        }
        // Gravity changed, and the energy of contacts with the lid went.
        assert!(supplied > 1.0, "{supplied}");
        largest
    };
    let [coarse, fine] = [drift("dt = 5e-4", "dt = 4e-4"), drift("dt = 2.5e-4", "dt = 2e-4")];
    println!("balance off by {coarse:.2e}, and {fine:.2e} with half the step");
    assert!(coarse < 2e-3 && fine < 0.6 * coarse, "{coarse}, {fine}");
}

#[test]
fn stages_end_when_they_say() {
    let text = r#"
        gravity = [0.0, 0.0, -9.0]
        integrator = "verlet"
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 2000.0 } }, damping = { restitution = 0.1 } }
        [[bodies]]
        place = { list = [[0.0, 0.0, 0.6]] }
        radius = 0.5
        mass = 1.0
        [[walls]]
        name = "plug"
        plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
        [[stage]]
        duration = 50.0
        at-least = 0.05
        end = { kinetic-energy = 1e-9 }
        [[stage]]
        duration = 50.0
        walls = { plug = "gone" }
        end = { behind = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] } }
    "#;
    let run = |text: &str| {
        let mut simulation = Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap();
        let mut ends = Vec::new();
        let mut stage = 0;
        while !simulation.is_over() {
            let time = simulation.state().time();
            simulation.step().unwrap();
            if simulation.stage() > stage {
                stage = simulation.stage();
                ends.push(time);
            }
        }
        assert_eq!(simulation.steps_taken(), simulation.steps());
        ends.push(simulation.state().time());
        ends
    };
    let [rest, gone] = run(text)[..] else { panic!("two stages") };
    // It falls 0.1 and comes to rest soon, then falls freely from about 0.4955 to -1.
    assert!(rest > 0.2 && rest < 2.0, "{rest}");
    let fall = (2.0 * 1.4955_f64 / 9.0).sqrt();
    assert!(gone - rest > fall && gone - rest < fall + 0.066, "{}", gone - rest);
    // Bodies that begin to fall are slow: without `at-least` the stage ends at the first look.
    let early = run(&text.replace("at-least = 0.05", "").replace("1e-9", "2.0"))[0];
    assert!((early - 0.064).abs() < 1e-9, "{early}");
}

#[test]
fn a_wall_goes_on_from_where_it_is() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-2 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        [[bodies]]
        place = { list = [[0.0, 0.0, 5.0]] }
        radius = 0.5
        mass = 1.0
        [[walls]]
        name = "lid"
        plane = { point = [0.0, 0.0, 9.0], normal = [0.0, 0.0, -1.0], velocity = [0.0, 0.0, -1.0] }
        [[stage]]
        duration = 1.0
        [[stage]]
        duration = 1.0
        walls = { lid = { move = { velocity = [0.0, 0.0, 0.5] } } }
        [[stage]]
        duration = 7.0
        walls = { lid = { move = { velocity = [0.0, 0.0, -0.5] } } }
    "#;
    let mut simulation = Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap();
    while simulation.read().unwrap().contacts.is_empty() && !simulation.is_over() {
        simulation.step().unwrap();
    }
    // It is at 9 - 1 + 0.5 when it comes back, and meets the sphere, whose top is at 5.5, six seconds later.
    let time = simulation.state().time();
    assert!((time - 8.0).abs() < 0.03 && simulation.stage() == 2, "{time}");
}

#[test]
fn what_is_wrong_with_a_stage_is_told_with_its_line() {
    let cases = [
        ("walls = { side = \"gone\" }", "walls = { sied = \"gone\" }", "stage[0].walls.sied", "did you mean `side`"),
        (
            "walls = { side = \"gone\" }",
            "walls = { side = \"away\" }",
            "stage[0].walls.side",
            "gone, there, rest, move",
        ),
        ("duration = 0.03\n    walls", "duration = -1.0\n    walls", "stage[1].duration", "not negative"),
        ("dt = 4e-4", "dt = 4.0", "stage[3].dt", "too long"),
        (
            "integrator = { implicit = { alpha = 0.5 } }",
            "integrator = { implicit = { alpha = 5.0 } }",
            "stage[4].integrator.implicit.alpha",
            "alpha",
        ),
        ("time = { dt = 5e-4 }", "time = { dt = 5e-4, duration = 1.0 }", "time.duration", "by each stage"),
        ("name = \"lid\"", "name = \"side\"", "walls[2].name", "another wall of this name"),
        (
            "name = \"lid\"",
            "name = \"lid\"\n    cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 9.0 }",
            "walls[1]",
            "two shapes",
        ),
        ("title = \"stages\"", "format = 2", "format", "must be 1"),
        ("material = \"steel\"", "material = \"stele\"", "walls[0].material", "did you mean `steel`"),
    ];
    for (from, to, key, words) in cases {
        assert!(STAGED.contains(from), "{from}");
        let made = Scene::parse(&STAGED.replacen(from, to, 1));
        let error = made.and_then(|scene| Simulation::new(&scene, ".", false).map(|_| ())).unwrap_err().to_string();
        assert!(error.contains(&format!("`{key}`")) && error.contains(words), "{to}: {error}");
    }
}

/// The scene of a bed that is left, and one that begins with it.
fn left_and_begun(home: &Path) -> String {
    let (head, _) = STAGED.split_once("[[stage]]").unwrap();
    let first = head.replace("time = { dt = 5e-4 }", "time = { dt = 5e-4, duration = 0.05 }");
    whole(&first, &home.join("first"));
    let (before, rest) = first.split_once("[[bodies]]").unwrap();
    let (_, walls) = rest.split_once("[[walls]]").unwrap();
    format!("start = \"first/checkpoint.grains\"\n{before}\n[[walls]]{walls}")
}

#[test]
fn a_scene_begins_with_bodies_and_history_of_another() {
    let home = tempfile::tempdir().unwrap();
    let text = left_and_begun(home.path());
    let former = Checkpoint::read(home.path().join("first/checkpoint.grains")).unwrap().simulation;
    let begin = |text: &str| Simulation::new(&Scene::parse(text).unwrap(), home.path(), false).unwrap();
    let simulation = begin(&text);
    let forces = |simulation: &Simulation| {
        let rows = simulation.read().unwrap().contacts;
        rows.into_iter().map(|row| (row.a, row.b, row.tangential_force.length())).collect::<Vec<_>>()
    };
    let expected = forces(&former);
    assert_eq!(simulation.ids(), former.ids());
    assert!(simulation.state().time().abs() <= 0.0 && simulation.state().position() == former.state().position());
    // Tangential forces are those of the springs and of the dashpots beside them.
    assert_eq!(forces(&simulation), expected);
    assert!(expected.iter().any(|(_, b, force)| b.wall() == Some(1) && *force > 1e-3), "{expected:?}");
    // What happened at a wall of another name is forgotten.
    let other = begin(&text.replace("\"lid\"", "\"other lid\""));
    assert!(forces(&other) != expected);
    // Laws that remember something else begin anew, and say so.
    let spring = "tangential = { friction-spring = { stiffness = 600.0, gamma = 2.0, friction = 0.5 } }";
    let (before, after) = text.split_once("[[contact.pairs]]").unwrap();
    let (_, after) = after.split_once("[[walls]]").unwrap();
    let plain = format!("{}[[walls]]{after}", before.replace(spring, "")).replace("material = \"steel\"", "");
    let notes: Vec<String> = begin(&plain).notes().iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("begin anew")), "{notes:?}");
    // It goes on from a kill as any other run.
    let scene = Scene::parse(&text).unwrap();
    let run = |folder: &str, stop: Option<usize>| {
        let folder = home.path().join(folder);
        let simulation = Simulation::new(&scene, home.path(), false).unwrap();
        let mut run = Run::new(&scene, simulation, &folder, RunOptions::default()).unwrap();
        if let Some(steps) = stop {
            for _ in 0..steps {
                run.advance().unwrap();
            }
            run.checkpoint().unwrap();
            run.finish().unwrap();
            run = Run::resume(&folder).unwrap();
        }
        run.complete().unwrap();
        run.finish().unwrap();
        folder
    };
    assert_same(&run("killed", Some(30)), &run("whole", None), "a start");
}

#[test]
fn a_start_that_cannot_be_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let text = left_and_begun(home.path());
    let refused = |text: &str| {
        Scene::parse(text).and_then(|scene| Simulation::new(&scene, home.path(), false).map(|_| ())).unwrap_err()
    };
    let error = refused(&text.replace("first/checkpoint", "second/checkpoint"));
    assert!(matches!(&error, GrainsError::Unreadable { at, .. } if at.key == "start"), "{error}");
    let both = format!("{text}\n[[bodies]]\nplace = {{ list = [[0.0, 0.0, 9.0]] }}\nradius = 0.5\nmass = 1.0\n");
    let error = refused(&both);
    assert!(error.to_string().contains("either `bodies` or a `start`"), "{error}");
}

#[test]
fn edits_of_a_scene_are_told_and_not_taken() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, STAGED).unwrap();
    let mut run = Run::of_file(&scene, None, RunOptions::default()).unwrap();
    for _ in 0..10 {
        run.advance().unwrap();
    }
    run.checkpoint().unwrap();
    run.finish().unwrap();
    let notes = || Run::resume(home.path().join("scene.out")).unwrap().simulation().notes().to_vec();
    assert_eq!(notes(), []);
    fs::write(&scene, STAGED.replace("-9.0]", "-8.0]").replace("title = \"stages\"", "title = \"other\"")).unwrap();
    let notes = notes();
    let text = notes[0].to_string();
    assert!(text.contains("`gravity`, `stage`, `title`") && text.contains("nothing of that is taken"), "{text}");
}

#[test]
fn keys_are_set_from_the_command_line() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, STAGED).unwrap();
    let run = |set: &[&str]| {
        let mut command = command();
        command.args(["run", "--quiet", "--overwrite"]).arg(&scene);
        for set in set {
            command.args(["--set", set]);
        }
        outcome(&command.output().unwrap())
    };
    let (text, code) = run(&["title=set here", "stage[0].duration=0.05", "walls[0].plane.point = [0.0, 0.0, -0.01]"]);
    assert_eq!(code, 0, "{text}");
    let Checkpoint { scene: stored, .. } = Checkpoint::read(home.path().join("scene.out/checkpoint.grains")).unwrap();
    assert_eq!((stored.title.as_str(), stored.stages[0].duration.to_string()), ("set here", "0.05".to_owned()));
    for (set, words) in [
        ("titel=x", "--set titel"),
        ("stage[9].duration=1.0", "no item 9"),
        ("time.dt", "write KEY=VALUE"),
        ("time.dt=[", "there is no `[` here"),
    ] {
        let (text, code) = run(&[set]);
        assert!(code == 2 && text.contains(words), "{set}: {code}: {text}");
    }
}

#[test]
fn what_a_start_names_is_an_input() {
    let home = tempfile::tempdir().unwrap();
    let text = left_and_begun(home.path());
    let scene = home.path().join("next.toml");
    fs::write(&scene, format!("{text}\n")).unwrap();
    let options = RunOptions { overwrite: true, ..RunOptions::default() };
    let error = Run::of_file(&scene, Some(&home.path().join("first")), options).unwrap_err();
    assert!(matches!(error, GrainsError::InputInTheWay { .. }), "{error}");
    drop(start(STAGED, &home.path().join("staged")).finish());
}
