//! Scenes that start from the result of another run.

use std::fs;
use std::path::Path;

use grains::{Checkpoint, GrainsError, Run, RunOptions, Simulation};

use crate::refused::assert_refused_in;
use crate::stages::STAGED;
use crate::support::{assert_survives_kills_in, made_in, notes, whole};

/// Runs a bed, and returns a scene that starts from its result.
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
    let begin = |text: &str| made_in(home.path(), text).unwrap();
    let simulation = begin(&text);
    let forces = |simulation: &Simulation| {
        let rows = simulation.read().unwrap().contacts;
        rows.into_iter().map(|row| (row.a, row.b, row.tangential_force.length())).collect::<Vec<_>>()
    };
    let expected = forces(&former);
    assert_eq!(simulation.ids(), former.ids());
    assert!(simulation.state().time().abs() <= 0.0 && simulation.state().position() == former.state().position());
    // Tangential forces are those of the springs and their dashpots.
    assert_eq!(forces(&simulation), expected);
    assert!(expected.iter().any(|(_, b, force)| b.wall() == Some(1) && *force > 1e-3), "{expected:?}");
    // Histories of contacts with a wall of another name are dropped.
    let other = begin(&text.replace("\"lid\"", "\"other lid\""));
    assert!(forces(&other) != expected);
    let notes = notes(&other);
    let told = notes.iter().filter(|note| note.contains("contacts with the wall `lid` of the start begin anew: "));
    assert_eq!(told.count(), 1, "{notes:?}");
    // Contacts with another kind of history begin without history, with a note.
    let spring = "tangential = { friction-spring = { stiffness = 600.0, gamma = 2.0, friction = 0.5 } }";
    let (before, after) = text.split_once("[[contact.pairs]]").unwrap();
    let (_, after) = after.split_once("[[walls]]").unwrap();
    let plain = format!("{}[[walls]]{after}", before.replace(spring, "")).replace("material = \"steel\"", "");
    let notes: Vec<String> = begin(&plain).notes().iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("begin anew")), "{notes:?}");
    // Contacts whose laws differ only in numbers keep their history.
    let other = text.replace("stiffness = 600.0", "stiffness = 500.0");
    assert!(other != text && begin(&other).notes().iter().all(|note| !note.to_string().contains("begin anew")));
    assert_survives_kills_in(home.path(), &text, &[30], "a start");
}

/// A ball that slides on a floor, by Hooke's law and a spring in m.
const SLIDING: &str = r#"
    gravity = [0.0, 0.0, -9.8]
    integrator = "verlet"
    time = { dt = 1e-5, duration = 0.05 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.4999], [3.0, 0.0, 0.4999]] }
    radius = 0.5
    mass = 1.0
    velocity = [0.01, 0.0, 0.0]
    [[walls]]
    name = "floor"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [output]
    checkpoints = { time = 0.05 }
"#;

/// The history of Mindlin's spring is as long as that of a spring in m, but has another meaning.
#[test]
fn contacts_of_other_laws_begin_anew_and_are_counted() {
    let home = tempfile::tempdir().unwrap();
    whole(SLIDING, &home.path().join("first"));
    let (head, rest) = SLIDING.split_once("[[bodies]]").unwrap();
    let (_, walls) = rest.split_once("[[walls]]").unwrap();
    let begin = |laws: [&str; 2], pairs: &str| {
        let [normal, tangential] = laws;
        let head = head.replace("{ hooke = { stiffness = 1e5 } }", normal);
        let head = head.replace("{ friction-spring = { stiffness = 3e4, friction = 0.5 } }", tangential);
        let text = format!("start = \"first/checkpoint.grains\"\n{head}{pairs}\n[[walls]]{walls}");
        let simulation = made_in(home.path(), &text).unwrap();
        let anew = simulation.notes().iter().map(ToString::to_string).filter(|note| note.contains("begin anew"));
        let anew = anew.collect::<Vec<_>>();
        let rows = simulation.read().unwrap().contacts;
        (anew, rows.iter().map(|row| row.tangential_force.length()).collect::<Vec<_>>())
    };
    let hooke = ["{ hooke = { stiffness = 2e5 } }", "{ friction-spring = { stiffness = 3e4, friction = 0.4 } }"];
    let (anew, kept) = begin(hooke, "");
    assert!(anew.is_empty() && kept.iter().all(|force| *force > 0.1) && kept.len() == 2, "{anew:?} {kept:?}");
    let hertz = ["{ hertz = { modulus = 1e8 } }", "{ mindlin-spring = { modulus = 1e8, friction = 0.5 } }"];
    let plastic = ["{ hooke = { stiffness = 2e5 } }\nplastic = { loading = 1e5 }", hooke[1]];
    let turning = [hooke[0], "{ friction-spring = { stiffness = 3e4, friction = 0.5, objective = true } }"];
    for laws in [hertz, plastic, turning, [hertz[0], hooke[1]]] {
        let (anew, forces) = begin(laws, "");
        assert!(anew.len() == 1 && anew[0].contains("begin anew: 2"), "{laws:?}: {anew:?}");
        // Without the former spring, a dashpot gives the only force.
        assert!(forces.iter().all(|force| *force <= 0.0), "{laws:?}: {forces:?}");
    }
    let (head, _) = head.split_once("[contact]").unwrap();
    let rigid = head.replace("\"verlet\"", "{ contact-dynamics = {} }");
    let text = format!("start = \"first/checkpoint.grains\"\n{rigid}\n[[walls]]{walls}");
    let simulation = made_in(home.path(), &text).unwrap();
    let notes = notes(&simulation);
    assert!(notes.iter().any(|note| note.contains("begin anew: 2")), "{notes:?}");
}

#[test]
fn bodies_that_were_pressed_together_may_begin_so() {
    let home = tempfile::tempdir().unwrap();
    let first = r#"
        integrator = "verlet"
        time = { dt = 1e-3, duration = 0.1 }
        contact = { normal = { hooke = { stiffness = 10.0 } } }
        [[bodies]]
        place = { list = [[0.0, 0.0, 0.0], [0.99, 0.0, 0.0]] }
        velocities = [[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]]
        radius = 0.5
        mass = 1.0
    "#;
    whole(first, &home.path().join("first"));
    let (head, _) = first.split_once("[[bodies]]").unwrap();
    let text = format!("start = \"first/checkpoint.grains\"\n{head}");
    let simulation = made_in(home.path(), &text).unwrap();
    let gap = simulation.read().unwrap().contacts[0].gap;
    assert!(gap < -0.08, "{gap}");
}

#[test]
fn a_start_that_cannot_be_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let text = left_and_begun(home.path());
    let table = r#"
        first/checkpoint => second/checkpoint | `start`
        [[walls]] => [[bodies]]\nplace = { list = [[0.0, 0.0, 9.0]] }\nradius = 0.5\nmass = 1.0\n[[walls]]
            | either `bodies` or a `start`
    "#;
    assert_refused_in(home.path(), &text, table);
    let scene = home.path().join("next.toml");
    fs::write(&scene, format!("{text}\n")).unwrap();
    let options = RunOptions { overwrite: true, ..RunOptions::default() };
    let error = Run::of_file(&scene, Some(&home.path().join("first")), options).unwrap_err();
    assert!(matches!(error, GrainsError::InputInTheWay { .. }), "{error}");
}
