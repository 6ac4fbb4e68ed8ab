//! Balls with friction in boxes a few radii wide, by contact dynamics: they get wedged, with forces of hundreds of
//! times their weight.

use grains::GrainsError;

use crate::refused::assert_refused;
use crate::support::simulation;
use crate::table::Table;

/// Returns a scene of `count` balls poured into a box with four walls, or with two walls and periodic sides, for
/// `duration` s.
fn confined(count: usize, seed: u64, is_walled: bool, duration: f64) -> String {
    // A periodic direction must be wider than twice the distance of the farthest possible contact.
    let edge = if count > 20 { 0.045 } else { 0.023 + if is_walled { 0.0 } else { 0.012 } };
    let high = 0.15 + 0.002 * count as f64;
    let sides = if is_walled {
        String::new()
    } else {
        format!(
            "[box]\nlow = [0.0, 0.0, -0.1]\nhigh = [{edge}, {edge}, 1.0]\nboundary = [\"periodic\", \"open\", \"open\"]\n"
        )
    };
    let walls = if is_walled { "\"+z\", \"-z\"" } else { "\"+z\", \"-z\", \"+x\", \"-x\"" };
    format!(
        r#"
        integrator = {{ contact-dynamics = {{ restitution = 0.0, tolerance = 1e-6 }} }}
        gravity = [0.0, 0.0, -9.81]
        time = {{ dt = 0.001, duration = {duration} }}
        walls = [
            {{ name = "floor", plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }} }},
            {{ box = {{ low = [0.0, 0.0, 0.0], high = [{edge}, {edge}, 1.0], without = [{walls}] }} }},
        ]
        output = {{ series = {{ time = 0.05 }} }}
        {sides}
        [contact]
        normal = "hertz-mindlin"
        materials = [{{ name = "a", young = 1e7, poisson = 0.25, friction = 0.4, restitution = 0.5 }}]
        [[bodies]]
        place = {{ pour = {{ low = [0.0, 0.0, 0.0], high = [{edge}, {edge}, {high}], count = {count}, seed = {seed} }} }}
        radius = 0.005
        density = 2500.0
        "#
    )
}

/// Returns the number of unsolved steps of a run.
fn unsolved(text: &str) -> u64 {
    Table::of_series(text).last("unsolved") as u64
}

fn assert_few_are_unsolved(scenes: impl IntoIterator<Item = (usize, u64, bool)>, duration: f64) {
    let mut all = 0;
    let mut steps = 0.0;
    for (count, seed, is_walled) in scenes {
        let found = unsolved(&confined(count, seed, is_walled, duration));
        println!("{count} balls, seed {seed}, {}: {found} unsolved", if is_walled { "walled" } else { "periodic" });
        all += found;
        steps += 1e3 * duration;
    }
    assert!(all as f64 <= 1e-3 * steps, "{all} of {steps}");
}

#[test]
fn confined_balls_come_to_rest() {
    assert_few_are_unsolved([(8, 0, true), (4, 1, true), (12, 2, true), (16, 3, true), (8, 4, false)], 0.5);
}

#[test]
#[ignore = "soak: many confined beds by contact dynamics"]
fn many_confined_beds_come_to_rest() {
    let small = (4..=16).step_by(4).flat_map(|count| (0..8).map(move |seed| (count, seed, seed % 3 < 2)));
    assert_few_are_unsolved(small.chain([(80, 0, true), (150, 0, true)]), 0.5);
}

/// A solver limited to one factorisation leaves steps unsolved: they end the run, or are counted.
#[test]
fn unsolved_steps_are_counted_or_end_the_run() {
    let poor = |limits: &str, duration: f64| {
        confined(8, 0, true, duration)
            .replace("tolerance = 1e-6", &format!("tolerance = 1e-12, max-iterations = 1{limits}"))
    };
    let mut strict = simulation(&poor(", unsolved = \"error\"", 0.3));
    let end = (0..300).find_map(|_| strict.step().err());
    assert!(matches!(end, Some(GrainsError::Step { .. })), "{end:?}");
    // The run that continues is just long enough to contain the failed step.
    assert!(unsolved(&poor("", 1e-3 * (strict.steps_taken() + 2) as f64)) > 0);
}

#[test]
fn a_policy_for_steps_with_friction_is_refused_without() {
    let smooth = confined(4, 0, true, 0.1).replace("friction = 0.4", "friction = 0.0");
    simulation(&smooth);
    let table = r#"
        tolerance = 1e-6 => tolerance = 1e-6, unsolved = "accept" | `integrator.contact-dynamics.unsolved` | leave it out
        tolerance = 1e-6 => tolerance = 1e-6, unsolved = "error" | `integrator.contact-dynamics.unsolved` | leave it out
    "#;
    assert_refused(&smooth, table);
}
