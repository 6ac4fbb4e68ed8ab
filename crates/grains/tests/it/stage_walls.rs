//! Walls that stages add, remove and move.

use std::fs;

use grains::{Run, RunOptions};

use crate::support::{ended, scene_file, simulation, with};

#[test]
fn a_wall_goes_on_from_where_it_is() {
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-2 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        bodies = [{ place = { list = [[0.0, 0.0, 5.0]] }, radius = 0.5, mass = 1.0 }]
        stage = [
            { duration = 1.0 },
            { duration = 1.0, walls = { lid = { move = { velocity = [0.0, 0.0, 0.5] } } } },
            { duration = 7.0, walls = { lid = { move = { velocity = [0.0, 0.0, -0.5] } } } },
        ]
        [[walls]]
        name = "lid"
        plane = { point = [0.0, 0.0, 9.0], normal = [0.0, 0.0, -1.0], velocity = [0.0, 0.0, -1.0] }
    "#;
    let mut simulation = simulation(text);
    while simulation.read().unwrap().contacts.is_empty() && !simulation.is_over() {
        simulation.step().unwrap();
    }
    // The wall returns at 9 - 1 + 0.5, and meets the sphere, whose top is at 5.5, six seconds later.
    let time = simulation.state().time();
    assert!((time - 8.0).abs() < 0.03 && simulation.stage() == 2, "{time}");
}

#[test]
fn a_wall_that_comes_back_turns_about_the_pivot_that_moved_with_it() {
    let gap = |stages: &str| {
        let text = format!(
            r#"
            integrator = "verlet"
            time = {{ dt = 1e-2 }}
            contact = {{ normal = {{ hooke = {{ stiffness = 1.0 }} }} }}
            bodies = [{{ place = {{ list = [[0.0, 0.0, 0.0]] }}, radius = 0.5, mass = 1e12 }}]
            [[walls]]
            name = "paddle"
            [walls.plane]
            point = [-0.49, 0.0, 0.0]
            normal = [1.0, 0.0, 0.0]
            velocity = [0.0, 0.5, 0.0]
            spin = [0.0, 0.0, 0.003]
            pivot = [0.0, 3.0, 0.0]
            [[stage]]
            duration = 2.0
            {stages}
            "#
        );
        ended(&text).read().unwrap().contacts[0].gap
    };
    // The pivot is 3 m away and moves 0.5 m a second; the plane rotates by 0.003 rad a second.
    let back = "[[stage]]\nduration = 3.0\nwalls = { paddle = \"gone\" }\n\
                [[stage]]\nduration = 2.0\nwalls = { paddle = \"there\" }";
    let expected = 0.49 - (3.0 + 0.5 * 4.0) * 0.012_f64.sin() - 0.5;
    assert!((gap(back) - expected).abs() < 1e-11, "{} {expected}", gap(back));
    // The pivot of another motion is a fixed point in space, whatever the wall did before.
    let other = "[[stage]]\nduration = 2.0\n\
                 walls = { paddle = { move = { spin = [0.0, 0.0, 0.003], pivot = [0.0, 3.0, 0.0] } } }";
    let expected = 0.49 - 3.0 * 0.012_f64.sin() - 0.5 * 2.0 * 0.006_f64.sin() - 0.5;
    assert!((gap(other) - expected).abs() < 1e-11, "{} {expected}", gap(other));
}

#[test]
fn a_wall_that_comes_through_a_body_is_refused_by_name() {
    let plane = |height: f64| format!("plane = {{ point = [0.0, 0.0, {height:?}], normal = [0.0, 0.0, 1.0] }}");
    let drum = "cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 2.0, outside = true }";
    for (wall, integrator, words) in [
        (plane(-0.3), "\"verlet\"", "`lid` goes through body 0"),
        // An overlap of more than a radius.
        (plane(0.9), "\"verlet\"", "`lid` goes through body 0"),
        // A new engine without contacts.
        (plane(-0.3), "{ contact-dynamics = {} }", "`lid` goes through body 0"),
        // A body without contacts.
        (drum.to_owned(), "\"verlet\"", "body 0 is in the solid of `lid`"),
    ] {
        let text = with(BLOCKED, "plane = { point = [0.0, 0.0, 0.3], normal = [0.0, 0.0, 1.0] }", &wall);
        let mut simulation = simulation(&format!("{text}    integrator = {integrator}\n"));
        simulation.step().unwrap();
        let error = simulation.step().unwrap_err().to_string();
        assert!(error.contains("`stage[1].walls.lid`") && error.contains(words), "{wall} {integrator}: {error}");
    }
}

/// A lid that returns to a place where a sphere is by then.
const BLOCKED: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3 }
    contact = { normal = { hooke = { stiffness = 1e3 } } }
    bodies = [{ place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.5, mass = 1.0 }]
    walls = [{ name = "lid", plane = { point = [0.0, 0.0, 0.3], normal = [0.0, 0.0, 1.0] } }]
    [[stage]]
    duration = 0.001
    walls = { lid = "gone" }
    [[stage]]
    duration = 0.001
    walls = { lid = "there" }
"#;

#[test]
fn an_error_at_a_border_has_file_and_line() {
    let (_home, scene) = scene_file(BLOCKED);
    let mut run = Run::of_file(&scene, None, RunOptions::default()).unwrap();
    let error = run.complete().unwrap_err().to_string();
    assert!(error.contains("scene.toml: line 12: `stage[1].walls.lid`"), "{error}");
    // The line of a changed file would be wrong.
    fs::write(&scene, format!("title = \"other\"\n{BLOCKED}")).unwrap();
    let error = run.complete().unwrap_err().to_string();
    assert!(error.starts_with("`stage[1].walls.lid`"), "{error}");
}
