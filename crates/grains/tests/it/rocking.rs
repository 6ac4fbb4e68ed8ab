//! Walls that rotate by an angle, an oscillation or a table.

use std::f64::consts::TAU;

use crate::refused::assert_refused;
use crate::support::{assert_survives_kills, change_of_balance, ended, notes, simulation};

/// A plane that rotates about the y axis hits a ball at rest at negative x and lifts it.
const FLAP: &str = r#"
    integrator = "verlet"
    time = { dt = 2e-6, duration = 0.08 }
    contact = { normal = { hooke = { stiffness = 1e9 } } }
    bodies = [{ place = { list = [[-1.0, 0.0, 0.6]] }, radius = 0.5, mass = 1.0 }]
    [[walls]]
    name = "flap"
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    TURN
"#;

/// Computes the angle at which the plane touches the ball, where 0.6 cos θ − sin θ is the radius.
fn angle_of_impact() -> f64 {
    (0.5 / 1.36_f64.sqrt()).acos() - (1.0_f64 / 0.6).atan()
}

/// Returns the velocity of the ball after the impact, and the change of the balance relative to its energy.
fn after_impact(text: &str) -> [f64; 2] {
    let mut simulation = simulation(text);
    let (reading, change) = change_of_balance(&mut simulation);
    let kinetic = reading.kinetic.total();
    let wall_work = reading.energies.wall_work.unwrap();
    assert!((wall_work / kinetic - 1.0).abs() < 1e-3, "{wall_work} {kinetic}");
    [simulation.state().velocity().get(0).length(), change.abs() / kinetic]
}

#[test]
fn a_wall_hits_with_the_rate_of_its_angle() {
    let touching = angle_of_impact();
    // An elastic impact of a heavy wall gives twice the wall's normal velocity.
    let speed = |rate: f64| 2.0 * rate * (1.36_f64 - 0.25).sqrt();
    let swinging = TAU * (0.4_f64.powi(2) - touching.powi(2)).sqrt();
    // The angle grows by 0.5 within 0.1 s, from rest to rest: 0.5 s² (3 − 2 s) at the share s of the time.
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        let reaches = 0.5 * middle * middle * (3.0 - 2.0 * middle) < touching;
        (low, high) = if reaches { (middle, high) } else { (low, middle) };
    }
    let opening = 0.5 * 6.0 * low * (1.0 - low) / 0.1;
    let speeding_up = (2.0 * 40.0 * touching).sqrt();
    for (turn, rate) in [
        ("oscillation = { amplitude = 0.4, frequency = 1.0 }", swinging),
        ("table = { angles = [[0.0, 2.0], [0.1, 2.5]] }", opening),
        ("table = { rates = [[0.0, 0.0], [1.0, 40.0]] }", speeding_up),
    ] {
        let turn = format!("turn = {{ axis = [0.0, 3.0, 0.0], {turn} }}");
        let [velocity, off] = after_impact(&FLAP.replace("TURN", &turn));
        println!("{turn}: {velocity} m/s, expected {}, balance off by {off:.1e}", speed(rate));
        assert!((velocity / speed(rate) - 1.0).abs() < 2e-3 && off < 1e-3, "{turn}: {velocity} {}", speed(rate));
    }
}

#[test]
fn a_constant_rate_is_a_spin_and_adds_to_one() {
    let turn = |rate: f64| format!("turn = {{ axis = [0.0, 1.0, 0.0], table = {{ rates = [[0.0, {rate}]] }} }}");
    let spin = "[0.0, 0.0, 1.0], spin = [0.0, 2.0, 0.0] }";
    let spinning = FLAP.replace("[0.0, 0.0, 1.0] }", spin);
    let [expected, _] = after_impact(&spinning.replace("TURN", ""));
    let [by_table, _] = after_impact(&FLAP.replace("TURN", &turn(2.0)));
    let [by_both, _] = after_impact(&spinning.replace("2.0, 0.0] }", "0.5, 0.0] }").replace("TURN", &turn(1.5)));
    assert!((by_table / expected - 1.0).abs() < 1e-9 && (by_both / expected - 1.0).abs() < 1e-9, "{expected}");
}

#[test]
fn implicit_steps_and_contact_dynamics_follow_the_angle() {
    let turn = "turn = { axis = [0.0, 1.0, 0.0], oscillation = { amplitude = 0.4, frequency = 1.0 } }";
    let text = FLAP.replace("TURN", turn);
    let rate = TAU * (0.4_f64.powi(2) - angle_of_impact().powi(2)).sqrt();
    let expected = rate * (1.36_f64 - 0.25).sqrt();
    let velocity = |text: &str| ended(text).state().velocity().get(0).length();
    let implicit = text.replace("\"verlet\"", "{ implicit = { alpha = 0.5 } }").replace("dt = 2e-6", "dt = 5e-6");
    let elastic = velocity(&implicit);
    assert!((elastic / (2.0 * expected) - 1.0).abs() < 1e-2, "{elastic} {expected}");
    // Without restitution the ball follows the plane until the plane slows down.
    let rigid = text
        .replace("\"verlet\"", "{ contact-dynamics = {} }")
        .replace("dt = 2e-6, duration = 0.08", "dt = 1e-5, duration = 0.041")
        .replace("contact = { normal = { hooke = { stiffness = 1e9 } } }", "");
    let along = velocity(&rigid);
    assert!((along / expected - 1.0).abs() < 2e-2, "{along} {expected}");
}

/// A rocking drum with grains and a flap that opens, in stages.
const STAGES: &str = include_str!("../data/rocking_drum.toml");

#[test]
fn kills_while_walls_turn_by_an_angle_change_no_byte() {
    assert_survives_kills(STAGES, &[1, 99, 199, 201, 260, 401], "rocking");
    simulation(STAGES);
}

#[test]
fn mistakes_about_turns_are_told_with_their_key() {
    let table = r#"
        TURN => turn = { AXIS } | `walls[0].turn` | `spin` of the wall
        TURN => turn = { axis = [0.0, 0.0, 0.0], SWING } | walls[0].turn.axis | direction
        TURN => turn = { axis = [0.0, nan, 0.0], SWING } | walls[0].turn.axis | finite
        TURN => turn = { SWING } | turn | axis
        TURN => turn = { AXIS, oscillation = { amplitude = 0.4, frequency = -1.0 } }
            | walls[0].turn.oscillation.frequency | not negative
        TURN => turn = { AXIS, oscillation = { amplitude = inf, frequency = 1.0 } }
            | walls[0].turn.oscillation.amplitude | finite
        TURN => turn = { AXIS, table = { angles = [[1.0, 0.0]] } } | walls[0].turn.table.angles | ascending from zero
        TURN => turn = { AXIS, table = { rates = [] } } | walls[0].turn.table.rates | one at least
        TURN => turn = { AXIS, SWING }\nservo = { force = 1.0, speed = 1.0 } | walls[0].servo | `turn`
        1.0] }\n    TURN => 1.0], spin = [1.0, 0.0, 0.0] }\nturn = { AXIS, SWING } | walls[0].turn.axis | leave the spin out
    "#;
    let swing = "oscillation = { amplitude = 0.4, frequency = 1.0 }";
    assert_refused(FLAP, &table.replace("SWING", swing).replace("AXIS", "axis = [0.0, 1.0, 0.0]"));
    let turning = FLAP.replace("TURN", &format!("turn = {{ axis = [0.0, 1.0, 0.0], {swing} }}"));
    let space =
        r#"box = { low = [-5.0, -5.0, -5.0], high = [5.0, 5.0, 5.0], boundary = ["periodic", "open", "open"] }"#;
    assert_refused(&turning, &format!("contact = => {space}\\ncontact = | walls[0].turn.axis | periodic"));
    let table = r"TURN => [[stage]]\nduration = 1.0\nwalls.flap.move.turn = { axis = [1, 0, 0] }
        | stage[0].walls.flap.move.turn | oscillation";
    assert_refused(&FLAP.replace(", duration = 0.08", ""), table);
}

/// A flap whose table gives the angle of 90 in degrees.
#[test]
fn tables_that_look_like_degrees_get_a_note() {
    for (table, key) in [
        ("angles = [[0.0, 0.0], [0.5, 90.0]]", "walls[0].turn.table.angles"),
        ("rates = [[0.0, 0.0], [0.5, 180.0]]", "walls[0].turn.table.rates"),
    ] {
        let text = FLAP.replace("TURN", &format!("turn = {{ axis = [0.0, 1.0, 0.0], table = {{ {table} }} }}"));
        let notes = notes(&simulation(&text));
        assert!(notes.iter().any(|note| note.contains(key) && note.contains("180 degrees a second")), "{notes:?}");
    }
}
