//! Stages of a scene.

use std::fs;

use grains::{Checkpoint, Run, RunOptions, Scene, Simulation};

use crate::refused::assert_refused;
use crate::support::{
    assert_survives_kills, command, ended, largest_drift, outcome, scene_file, simulation, stop, whole, with,
};
use crate::table::Table;

pub(crate) const STAGED: &str = include_str!("../data/staged.toml");

#[test]
fn a_stage_that_only_writes_more_changes_no_bit() {
    let (head, _) = STAGED.split_once("[[stage]]").unwrap();
    let one = format!("{head}[[stage]]\nduration = 0.04\n");
    let two = format!(
        "{head}[[stage]]\nduration = 0.02\n[[stage]]\nduration = 0.02\noutput = {{ series = {{ steps = 1 }} }}\n"
    );
    let [one, two] = [one, two].map(|text| ended(&text));
    assert_eq!(one.state(), two.state());
    assert_eq!((one.stage(), two.stage()), (0, 1));
}

#[test]
fn the_balance_is_kept_over_stages() {
    assert_eq!(simulation(STAGED).steps(), 40 + 60 + 20 + 75 + 10);
    let text = STAGED.split("[[stage]]\nname = \"implicit\"").next().unwrap();
    let drift = |dt: &str, last: &str| {
        let text = with(&with(text, "dt = 5e-4", dt), "dt = 4e-4", last);
        let [largest, supplied] = largest_drift(&text, 1, |reading| reading.energies.supplied);
        // Supplied energy: gravity changed, and the energy of contacts with the removed lid is gone.
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
        walls = [{ name = "plug", plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        bodies = [{ place = { list = [[0.0, 0.0, 0.6]] }, radius = 0.5, mass = 1.0 }]
        [[stage]]
        duration = 50.0
        at-least = 0.05
        end = { kinetic-energy = 1e-9 }
        [[stage]]
        duration = 50.0
        walls = { plug = "gone" }
        end = { behind = { point = [0.0, 0.0, -1.0], normal = [0.0, 0.0, 1.0] } }
    "#;
    let run_for = |text: &str, quick: bool| {
        let mut simulation = Simulation::new(&Scene::parse(text).unwrap(), ".", quick).unwrap();
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
    let run = |text: &str| run_for(text, false);
    let [rest, gone] = run(text)[..] else { panic!("two stages") };
    // The body falls 0.1 and comes to rest soon, then falls freely from about 0.4955 to -1.
    assert!(rest > 0.2 && rest < 2.0, "{rest}");
    let fall = (2.0 * 1.4955_f64 / 9.0).sqrt();
    assert!(gone - rest > fall && gone - rest < fall + 0.066, "{}", gone - rest);
    // Bodies are slow when they begin to fall: without `at-least` the stage ends at the first check.
    let early = run(&text.replace("at-least = 0.05", "").replace("1e-9", "2.0"))[0];
    assert!((early - 0.064).abs() < 1e-9, "{early}");
    // A quick run has half of 0.4 s, and continues to the next check.
    let text = text.replace("at-least = 0.05", "quick = 0.4\nat-least = 25.0").replace("1e-9", "2.0");
    let quick = run_for(&text, true)[0];
    assert!((quick - 0.256).abs() < 1e-9, "{quick}");
}

#[test]
fn a_last_stage_without_steps_writes_nothing() {
    let (head, _) = STAGED.split_once("[[stage]]").unwrap();
    let one = format!("{head}[[stage]]\nduration = 0.02\n");
    let text = format!("{one}[[stage]]\nduration = 0.0\ngravity = [0.0, 0.0, 0.0]\n");
    assert_eq!(Table::of_series(&text).rows, Table::of_series(&one).rows);
    assert_survives_kills(&text, &[40], "before a stage without steps");
}

/// The work of the floor must be recorded even if the first stage has no motion and no output needs work.
#[test]
fn what_walls_do_after_a_static_stage_is_no_growth_of_energy() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"
        gravity = [0.0, 0.0, -9.0]
        integrator = { static = {} }
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        walls = [{ name = "floor", plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        bodies = [{ place = { list = [[0.0, 0.0, 0.499]] }, radius = 0.5, mass = 1.0 }]
        stage = [
            { duration = 1.0 },
            { duration = 0.05, integrator = "verlet", walls = { floor = { move = { velocity = [0.0, 0.0, 5.0] } } } },
        ]
    "#;
    whole(text, home.path());
}

#[test]
fn what_is_wrong_with_a_stage_is_told_with_its_key() {
    let table = r#"
        walls = { side = "gone" } => walls = { sied = "gone" } | `stage[0].walls.sied` | did you mean `side`
        walls = { side = "gone" } => walls = { side = "away" } | `stage[0].walls.side` | gone, there, rest, move
        duration = 0.03\nwalls => duration = -1.0\nwalls | `stage[1].duration` | not negative
        dt = 4e-4 => dt = 4.0 | `stage[3].dt` | too long
        integrator = { implicit = { alpha = 0.5 } } => integrator = { implicit = { alpha = 5.0 } }
            | `stage[4].integrator.implicit.alpha` | alpha
        integrator = { implicit = { alpha = 0.5 } } => integrator = "exact-energy"
            | `stage[4].integrator` | planes at a constant velocity
        title = "stages"
            => box = { low = [0.0, 0.0, -9.0], high = [9.0, 9.0, 9.0], boundary = ["periodic", "open", "open"] }
            | `stage[3].walls.floor` | periodic
        time = { dt = 5e-4 } => time = { dt = 5e-4, duration = 1.0 } | `time.duration` | by each stage
        name = "lid" => name = "side" | `walls[2].name` | another wall of this name
        name = "lid" => name = "lid"\ncylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 9.0 }
            | `walls[1]` | two shapes
        title = "stages" => format = 2 | `format` | must be 1
        material = "steel" => material = "stele" | `walls[0].material` | did you mean `steel`
    "#;
    assert_refused(STAGED, table);
}

#[test]
fn edits_of_a_scene_are_told_and_not_taken() {
    let (home, scene) = scene_file(STAGED);
    stop(Run::of_file(&scene, None, RunOptions::default()).unwrap(), 10);
    let notes = || Run::resume(home.path().join("scene.out")).unwrap().simulation().notes().to_vec();
    assert_eq!(notes(), []);
    fs::write(&scene, STAGED.replace("-9.0]", "-8.0]").replace("title = \"stages\"", "title = \"other\"")).unwrap();
    let notes = notes();
    let text = notes[0].to_string();
    assert!(text.contains("`gravity`, `stage`, `title`") && text.contains("nothing of that is taken"), "{text}");
}

#[test]
fn keys_are_set_from_the_command_line() {
    let (home, scene) = scene_file(STAGED);
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
        ("walls.lid.material=x", "in a list"),
        ("time.dt", "write KEY=VALUE"),
        ("time.dt=[", "there is no `[` here"),
    ] {
        let (text, code) = run(&[set]);
        assert!(code == 2 && text.contains(words), "{set}: {code}: {text}");
    }
    // An assignment creates missing tables.
    let untimed = "integrator = \"verlet\"\ncontact = { normal = { hooke = { stiffness = 1e4 } } }\n\
                   [[bodies]]\nplace = { list = [[0.0, 0.0, 1.0]] }\nradius = 0.5\nmass = 1.0\n";
    fs::write(&scene, untimed).unwrap();
    for (set, words) in [("title=x", "`time` is missing"), ("time.dt=1e-4", "`duration` is missing")] {
        let (text, code) = run(&[set]);
        assert!(code == 2 && text.contains(words), "{set}: {code}: {text}");
    }
}

/// A ball bounces until it rests: the residual force decays with its oscillations.
#[test]
fn a_stage_ends_when_forces_are_balanced() {
    let text = r#"
        gravity = [0.0, 0.0, -10.0]
        integrator = "verlet"
        time = { dt = 1e-4 }
        contact = { normal = { hooke = { stiffness = 1e4 } }, damping = { restitution = 0.3 } }
        walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        bodies = [{ place = { list = [[0.0, 0.0, 0.51]] }, radius = 0.5, mass = 1.0 }]
        stage = [{ duration = 2.0, end = { unbalanced-force = 1e-3 } }]
    "#;
    let mut simulation = ended(text);
    let time = simulation.state().time();
    assert!((0.05..0.5).contains(&time), "{time}");
    let left = simulation.state().wrenches().unwrap().force.get(0).length();
    assert!(left < 1.001e-2, "{left}");
    assert!(simulation.take_messages()[0].contains("the unbalanced force is below 0.001"));
    let table = r#""verlet" => { implicit = { alpha = 0.5 } } | `stage[0].end.unbalanced-force` | explicit"#;
    assert_refused(text, table);
}

/// The second stage has ten times as many steps for the same time.
#[test]
fn progress_is_the_share_of_simulated_time() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 100.0 } } }
        bodies = [{ place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 }]
        stage = [{ duration = 0.1 }, { duration = 0.1, dt = 1e-4 }]
    "#;
    let mut simulation = simulation(text);
    for (steps, share) in [(0, 0.0), (50, 0.25), (100, 0.5), (600, 0.75), (1100, 1.0)] {
        while simulation.steps_taken() < steps {
            simulation.step().unwrap();
        }
        assert!((simulation.share_done() - share).abs() < 1e-9, "{steps}: {}", simulation.share_done());
    }
}
