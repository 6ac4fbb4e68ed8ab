//! One-time warnings of a run: bodies that are too fast for its steps, and bodies that fall without end.

use crate::support::start;

/// Returns all messages of the run.
fn said(text: &str) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let mut run = start(text, &home.path().join("run"));
    run.complete().unwrap();
    let said = run.take_messages();
    run.finish().unwrap();
    said
}

#[track_caller]
fn assert_said_once(text: &str, parts: &[&str]) {
    let said = said(text);
    assert!(said.len() == 1 && parts.iter().all(|part| said[0].contains(part)), "{said:?}");
}

/// Two balls of radius 5 mm that fly side by side, by 1 mm a step.
const FLIGHT: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.1 }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    LIQUID
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0], [0.0, 0.1, 0.0]] }
    radius = 0.005
    mass = 1.0
    velocities = [[0.1, 0.0, 0.0], [SPEED, 0.0, 0.0]]
    [output]
    series = { steps = 10 }
"#;

fn flight(speed: &str, liquid: &str) -> String {
    FLIGHT.replace("SPEED", speed).replace("LIQUID", liquid)
}

#[test]
fn a_body_that_moves_far_beside_its_radius_is_noted_once() {
    assert_said_once(
        &flight("1.0", ""),
        &[
            "at the time 0 body 1 moves by 0.2 of its radius in a step, at the speed 1",
            "Write `time.dt` at most 5.0e-4",
        ],
    );
    assert_eq!(said(&flight("0.49", "")), Vec::<String>::new());
}

/// A bridge of half of both films of 1e-6 of a ball breaks at V^(1/3) (1 + 0.1 V^(1/3)/R) = 0.0162 radii.
#[test]
fn a_body_that_moves_far_beside_the_reach_of_its_bridges_is_noted_once() {
    let films = "liquid = { content = 1e-6, surface-tension = 0.07 }";
    assert_said_once(&flight("0.1", films), &["by 1.239 of the gap at which its liquid bridges break", "4.0e-4"]);
    let wet = "liquid = { content = 1e-2, surface-tension = 0.07 }";
    assert_eq!(said(&flight("0.1", wet)), Vec::<String>::new());
}

/// A ball falls beside a fixed ball with another ball at rest on it.
const FALL: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -10.0]
    time = { dt = 1e-3, duration = 2.0 }
    contact = { normal = { hooke = { stiffness = 1e5 } }, damping = { restitution = 0.5 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.0]] }
    radius = 0.5
    fixed = true
    [[bodies]]
    place = { list = [[0.0, 0.0, 1.0], [3.0, 0.0, 0.0]] }
    radius = 0.5
    mass = 1.0
    MORE
    [output]
    series = { time = 0.1 }
"#;

#[test]
fn bodies_below_everything_are_noted_once_unless_something_takes_or_holds_them() {
    let with = |more: &str| FALL.replace("MORE", more);
    // The fixed ball ends at -0.5 m; four radii below is -2.5 m, reached after 0.71 s.
    assert_said_once(
        &with(""),
        &[
            "at the time 0.8 bodies fall for ever, below all walls and fixed bodies: 1, the first of them body 2",
            "plane = { point = [0.0, 0.0, -2.5], normal = [0.0, 0.0, 1.0] }",
            "remove = true",
        ],
    );
    for more in [
        "[[gates]]\nremove = true\nshape = { plane = { point = [0.0, 0.0, -9.0], normal = [0.0, 0.0, 1.0] } }",
        "[[walls]]\nplane = { point = [0.0, 0.0, -30.0], normal = [0.0, 0.0, 1.0] }",
    ] {
        assert_eq!(said(&with(more)), Vec::<String>::new(), "{more}");
    }
}
