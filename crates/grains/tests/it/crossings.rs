//! Bodies whose centres cross a wall or a gate: an error names body, wall and time, and a gate counts them.

use std::fs;
use std::path::Path;

use grains::{GrainsError, Simulation};

use crate::support::{made_in, plate, whole};
use crate::table::Table;

/// A ball that falls onto a sheet of 2 cm by 2 cm, with contacts stiff enough for its speed of 9.9 m/s.
const FALL: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -9.81]
    time = { dt = DT, duration = 1.02 }
    contact = { normal = { hertz = { modulus = 6e6 } } }
    bodies = [{ place = { list = [[PLACE, 0.001, HEIGHT]] }, radius = 0.005, density = 2500.0 }]
    output = { series = { time = 0.1 } }
    [[walls]]
    name = "sheet"
    stl = { path = "sheet.stl" }
"#;

/// Length in s of steps with which the ball goes through the sheet (`LONG`) or bounces (`SHORT`).
pub(crate) const LONG: f64 = 6e-4;
const SHORT: f64 = 5e-5;
/// Number of the long step at whose start the ball is half a millimetre from contact.
const LAST: u64 = 1680;

pub(crate) fn fall(dt: f64, place: f64) -> String {
    let fallen = 0.5 * 9.81 * (LAST as f64 * LONG).powi(2);
    let text = FALL.replace("DT", &format!("{dt:?}")).replace("PLACE", &format!("{place:?}"));
    text.replace("HEIGHT", &format!("{:?}", fallen + 0.0055))
}

fn write_sheet(home: &Path) {
    let corners = [[-0.01, -0.01, 0.0], [0.01, -0.01, 0.0], [0.01, 0.01, 0.0], [-0.01, 0.01, 0.0]];
    fs::write(home.join("sheet.stl"), plate(corners)).unwrap();
}

/// Takes all steps in a folder with a sheet; returns the final state or the error.
fn run(text: &str) -> Result<Simulation, GrainsError> {
    let home = tempfile::tempdir().unwrap();
    write_sheet(home.path());
    let mut simulation = made_in(home.path(), text)?;
    while !simulation.is_over() {
        simulation.step()?;
    }
    Ok(simulation)
}

#[track_caller]
fn assert_crosses(text: &str, parts: &[&str]) {
    let error = run(text).map(|end| end.state().position().get(0)).unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, GrainsError::Step { .. }) && said.contains("its centre went through wall"), "{said}");
    assert!(parts.iter().all(|part| said.contains(part)), "{said}");
}

#[test]
fn a_ball_that_goes_through_a_sheet_within_a_step_is_an_error() {
    let long = fall(LONG, 0.0);
    assert_crosses(
        &long,
        &[
            "step 1681 at the time 1.00",
            "body 0: its centre went through wall 0",
            "wall 0 is `sheet`; the body is at [0.0, 0.001, 0.0055]",
            "it moved by 1.187 radii in the step: write `time.dt` at most 5.1e-5",
        ],
    );
    let height = |text: &str| {
        let end = run(text).unwrap();
        (end.state().position().get(0).z, end.state().velocity().get(0).z)
    };
    let (z, speed) = height(&fall(SHORT, 0.0));
    assert!(z > 0.0 && speed > 9.0, "{z} m, {speed} m/s");
    // Outside the rim the ball falls on.
    let (z, speed) = height(&fall(LONG, 0.016));
    assert!(z < -0.05 && speed < -9.0, "{z} m, {speed} m/s");
}

/// Contacts of 2 kN/m are too soft for 10 m/s: the ball's largest overlap would exceed its radius. Each step moves it
/// by less than a tenth of its radius.
#[test]
fn a_ball_that_presses_through_a_sheet_is_an_error() {
    let soft = fall(SHORT, 0.0).replace("hertz = { modulus = 6e6 }", "hooke = { stiffness = 2e3 }");
    assert_crosses(&soft, &["wall 0 is `sheet`", "contacts are too soft for the speed or the load"]);
}

/// A ball of radius 5 mm that flies at 20 m/s, 4 radii a step.
const FLIGHT: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.02 }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    bodies = [{ place = { list = [[0.0, 0.001, 0.011]] }, radius = 0.005, mass = 1.0, velocity = VELOCITY }]
    [[walls]]
    WALL
"#;

#[test]
fn fast_balls_are_found_at_all_shapes_and_beside_walls_that_move() {
    let flight = |velocity: &str, wall: &str| FLIGHT.replace("VELOCITY", velocity).replace("WALL", wall);
    let down = "[0.0, 0.0, -20.0]";
    let across = "[20.0, 0.0, 0.0]";
    for (velocity, wall) in [
        (down, "stl = { path = \"sheet.stl\" }"),
        ("[0.0, 0.0, 0.0]", "stl = { path = \"sheet.stl\", velocity = [0.0, 0.0, 20.0] }"),
        (across, "cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 0.05 }"),
        (across, "cylinder = { point = [0.05, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 0.002, outside = true }"),
        (
            across,
            "revolution = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.05, 0.0], [0.06, 0.1]] }",
        ),
    ] {
        assert_crosses(&flight(velocity, wall), &["body 0", "4 radii"]);
    }
    // A sheet that moves with the ball is not reached.
    run(&flight(down, "stl = { path = \"sheet.stl\", velocity = [0.0, 0.0, -20.0] }")).unwrap();
}

#[test]
fn steps_that_are_not_explicit_find_it_too() {
    let flight = FLIGHT.replace("VELOCITY", "[0.0, 0.0, -20.0]").replace("WALL", "stl = { path = \"sheet.stl\" }");
    for integrator in ["{ implicit = { alpha = 0.5 } }", "{ contact-dynamics = {} }"] {
        let text = flight.replace("\"verlet\"", integrator).replace("[[walls]]", "[[walls]]\nname = \"sheet\"");
        let slow = text.replace("-20.0", "-0.1");
        run(&slow).unwrap();
        match run(&text).map(|end| end.state().position().get(0)) {
            Err(GrainsError::WallCrossed { body: 0, wall, way, radius, .. }) => {
                assert!(wall == "`sheet`" && way > radius, "{wall} {way} {radius}");
            }
            // Contact dynamics finds the contact before the step, and stops the ball.
            Ok(end) => assert!(end.z > 0.0 && integrator.contains("dynamics"), "{integrator}: {end}"),
            Err(other) => panic!("{integrator}: {other}"),
        }
    }
}

/// The ball is in the region for 10 ms, and the gate checks every 100 ms.
#[test]
fn a_gate_counts_a_ball_that_crosses_it_between_two_looks() {
    const GATE: &str = r#"
        integrator = "verlet"
        time = { dt = 1e-3, duration = 0.5 }
        contact = { normal = { hooke = { stiffness = 1e4 } } }
        bodies = [{ place = { list = [[0.0, 0.0, 1.0]] }, radius = 0.05, mass = 1.0, velocity = [0.0, 0.0, -10.0] }]
        [[gates]]
        name = "region"
        shape = { REGION }
    "#;
    for region in [
        "box = { low = [-1.0, -1.0, 0.0], high = [1.0, 1.0, 0.1] }",
        "cylinder = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 0.1], radius = 0.2 }",
    ] {
        let home = tempfile::tempdir().unwrap();
        whole(&GATE.replace("REGION", region), home.path());
        let passed = Table::read(home.path().join("passed.csv"));
        assert_eq!(passed.rows.iter().map(|row| row[3].as_str()).collect::<Vec<_>>(), ["1", "-1"], "{passed:?}");
        let time: f64 = passed.rows[0][0].parse().unwrap();
        assert!((0.09..=0.1).contains(&time), "{passed:?}");
        let taking = GATE.replace("shape", "remove = true\nshape").replace("REGION", region);
        assert!(run(&taking).unwrap().bodies().is_empty());
    }
}
