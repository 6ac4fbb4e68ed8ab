//! Servos of walls and boxes: they settle as documented, and follow tables of target loads.

use grains::{GrainsError, Simulation};

use crate::driven::SHEARED;
use crate::ranks::{even_runs, on_ranks};
use crate::refused::assert_refused;
use crate::support::{assert_survives_kills, each_step, notes, simulation, with};

/// A bed of 64 grains in a periodic box with the given motion and duration (s).
fn box_that(moves: &str, duration: &str) -> String {
    let text = SHEARED.replace("shear = { along = \"x\", across = \"y\", rate = 1.0 }", moves);
    let text = text.replace("servo = { y = 2000.0, rate = 1.0 }\n", "").replace("0.4 }\n[box]", duration);
    assert!(text.contains(moves) && text.contains(duration) && !text.contains("shear = "), "{text}");
    text
}

/// Returns the stresses (Pa) along x, y and z from the step `first` on, every few steps.
fn stresses(text: &str, first: u64, every: u64) -> Vec<[f64; 3]> {
    let mut simulation = simulation(text);
    let mut found = Vec::new();
    each_step(&mut simulation, |simulation| {
        if simulation.steps_taken() >= first && simulation.steps_taken().is_multiple_of(every) {
            found.push(simulation.read().unwrap().box_stress.unwrap().to_array());
        }
    });
    found
}

/// Dampers of contacts respond to the strain rate within the same step. A strain rate that responded to the stress of
/// the last step would oscillate from step to step: at this rate by 0.5 to 1.4 of the target stress, without end.
#[test]
fn a_box_with_a_high_rate_settles() {
    let wanted = [1500.0, 1000.0, 2000.0];
    let found =
        stresses(&box_that("servo = { x = 1500.0, y = 1000.0, z = 2000.0, rate = 20.0 }", "0.6 }\n[box]"), 2500, 1);
    for stress in &found {
        for (stress, wanted) in stress.iter().zip(wanted) {
            assert!((stress / wanted - 1.0).abs() < 0.01, "{stress} instead of {wanted}");
        }
    }
    let swing = |axis: usize| {
        let of_axis = found.iter().map(|stress| stress[axis]);
        of_axis.clone().fold(f64::MIN, f64::max) - of_axis.fold(f64::MAX, f64::min)
    };
    println!("the stresses swing by {:?} Pa", [0, 1, 2].map(swing));
}

/// A bed is compressed along z at a constant rate and expands along x and y, where the servo must yield at about half
/// that rate: a strain rate in proportion to the error alone would leave an error of a tenth.
#[test]
fn a_steady_strain_rate_leaves_no_offset() {
    let (head, bodies) = SHEARED.split_once("[[bodies]]").unwrap();
    let head = head.replace(", duration = 0.4", "").replace("[4.0, 4.0, 4.0]", "[4.6, 4.6, 4.6]");
    let head = head.replace("shear = { along = \"x\", across = \"y\", rate = 1.0 }", "");
    let head = head.replace("servo = { y = 2000.0,", "servo = { x = 1000.0, y = 1000.0, z = 1000.0,");
    let pour = "place = { pour = { low = [0.0, 0.0, 0.0], high = [4.6, 4.6, 4.6], count = 90 } }";
    let (_, output) = bodies.split_once("[output]").unwrap();
    let flow = "box = { strain-rate = [0.0, 0.0, -0.2], servo = { x = 1000.0, y = 1000.0, rate = 1.0 } }";
    let text = format!(
        "{head}[[bodies]]\n{pour}\nradius = 0.5\nmass = 1.0\n[output]{output}\
         [[stage]]\nduration = 0.6\n[[stage]]\nduration = 2.0\n{flow}"
    );
    let found = stresses(&text, 5000, 10);
    for axis in [0, 1] {
        let mean = found.iter().map(|stress| stress[axis]).sum::<f64>() / found.len() as f64;
        println!("{mean} Pa along axis {axis} in the mean");
        assert!((mean / 1000.0 - 1.0).abs() < 0.03, "{mean} Pa along axis {axis}");
    }
}

/// A column of grains between a floor and a lid with a servo, without gravity.
fn column(layers: usize, lid: &str) -> String {
    format!(
        r#"
        integrator = "verlet"
        blocked = ["x", "y", "spin-x", "spin-y", "spin-z"]
        time = {{ dt = 2e-5 }}
        contact = {{ normal = {{ hooke = {{ stiffness = 2e4 }} }}, damping = {{ restitution = 0.5 }} }}
        [[bodies]]
        place = {{ lattice = {{ origin = [0.0, 0.0, 0.005], count = [1, 1, {layers}], spacing = [1.0, 1.0, 0.01] }} }}
        radius = 0.005
        density = 2500.0
        [[walls]]
        plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }}
        [[walls]]
        name = "lid"
        plane = {{ point = [0.0, 0.0, {height}], normal = [0.0, 0.0, -1.0] }}
        {lid}
    "#,
        height = 0.01 * layers as f64,
    )
}

/// The error of the force decays as exp(-2 t/τ) (1 + 2 t/τ), to 1 % within 3.3 times the response τ, if the bed has the
/// stiffness of the contacts of its lid. The stiffness is measured within one response; waves take some contact times.
#[test]
fn the_response_is_that_of_the_bed_for_any_number_of_layers() {
    for layers in [1, 4, 25] {
        let servo = |force: f64| format!("servo = {{ force = {force:?}, speed = 0.2, response = 0.02 }}");
        let stages =
            format!("[[stage]]\nduration = 0.5\n[[stage]]\nduration = 0.16\nwalls.lid.move = {{ {} }}", servo(20.0));
        let mut run = simulation(&column(layers, &format!("{}\n{stages}", servo(10.0))));
        let mut unsettled = 0.0;
        each_step(&mut run, |run| {
            if run.stage() == 1 && (run.read().unwrap().wall_forces[1].z / 20.0 - 1.0).abs() > 0.01 {
                unsettled = run.state().time() - 0.5;
            }
        });
        println!("{layers} layers: within 1 % after {} responses", unsettled / 0.02);
        assert!((2.0 * 0.02..6.0 * 0.02).contains(&unsettled), "{layers} layers: {unsettled} s");
    }
}

/// A table with a steadily growing force is followed with a delay of one response.
#[test]
fn a_wall_follows_a_table_of_forces_from_when_its_motion_begins() {
    let lid = "servo = { force = 10.0, speed = 0.2, response = 4e-3 }\n[[stage]]\nduration = 0.1\n[[stage]]\nduration = 0.3\n\
               end = { servo-at-rest = 0.01 }\nwalls.lid.move = { servo = { force = [[0.0, 10.0], [0.1, 50.0], [0.2, 30.0]], \
               speed = 0.2, response = 4e-3 } }";
    let text = column(4, lid);
    let mut run = simulation(&text);
    let mut farthest = 0.0_f64;
    each_step(&mut run, |run| {
        let since = run.state().time() - 0.1;
        if run.stage() < 1 || since < 0.03 {
            return;
        }
        // The force lags behind its target by one response, to within the change of the target in 0.6 of this time.
        let late = since - 4e-3;
        let wanted = if late < 0.1 { 10.0 + 400.0 * late } else { (50.0 - 200.0 * (late - 0.1)).max(30.0) };
        farthest = farthest.max((run.read().unwrap().wall_forces[1].z - wanted).abs());
    });
    println!("off by {farthest} N at most, after {} steps", run.steps_taken());
    assert!(farthest < 400.0 * 2.5e-3, "{farthest}");
    // The table takes 10 000 steps from step 5000 on; 16 checks are 64 steps apart.
    let steps = run.steps_taken();
    assert!((15_000 + 15 * 64..20_000).contains(&steps), "{steps}");
    assert_survives_kills(&with_outputs(&text), &[5001, 9000], "a servo of a wall with a table");
}

fn with_outputs(text: &str) -> String {
    text.replacen("[[stage]]", "[output]\nseries = { steps = 50 }\ncheckpoints = { steps = 500 }\n[[stage]]", 1)
}

#[test]
fn a_box_follows_a_table_of_stresses_from_stage_to_stage() {
    let text = box_that("servo = { x = 1000.0, y = [[0.0, 1000.0], [0.2, 3000.0]], rate = 1.0 }", "0.4 }\n[box]");
    // The second stage has no motion of the box: the table continues.
    let stages =
        "[[stage]]\nduration = 0.1\n[[stage]]\nduration = 0.1\ngravity = [0.0, 0.0, 0.0]\n[[stage]]\nduration = 0.3\n";
    let text = format!("{}{stages}", text.replace(", duration = 0.4 }", " }"));
    let found = stresses(&text, 1, 1);
    let close = |step: usize, wanted: f64, share: f64| {
        let [x, y, _] = found[step - 1];
        assert!((y / wanted - 1.0).abs() < share, "{y} instead of {wanted} after {step} steps");
        assert!((x / 1000.0 - 1.0).abs() < share, "{x} along x after {step} steps");
    };
    close(400, 1800.0, 0.25);
    close(900, 2800.0, 0.25);
    close(2499, 3000.0, 0.02);
    let seldom = with(&text, "checkpoints = { steps = 11 }", "checkpoints = { steps = 500 }");
    assert_survives_kills(&seldom, &[1, 499, 500, 501, 700], "a servo of a box with a table");
}

/// Returns the messages at the end of the last stage.
fn told_by(mut run: Simulation) -> Result<String, GrainsError> {
    while run.step()? < run.steps() {}
    Ok(run.take_messages().join("\n"))
}

#[test]
fn what_servos_do_not_bear_is_told_on_any_number_of_ranks() {
    let wide = box_that("servo = { x = 1000.0, rate = 0.1 }", "0.1 }\n[box]");
    let wide = wide.replace("[4.0, 4.0, 4.0]", "[6.0, 6.0, 6.0]").replace("[1.0, 1.0, 1.0]", "[1.1, 1.1, 1.1]");
    let slow = column(4, "servo = { force = 100.0, speed = 1e-6 }\n[[stage]]\nduration = 0.02");
    for (text, expected) in [
        (
            wide,
            "the servo of the box bears 0.0 instead of 1000.0 along x: it strains at its `rate`, which may be larger",
        ),
        (slow, "the servo of the wall `lid` does not bear its force of 100.0"),
    ] {
        let told = told_by(simulation(&text)).unwrap();
        assert!(told.contains(expected), "{told}");
        let on_three = on_ranks(3, even_runs, |ranks| told_by(simulation(&text).on_ranks(ranks)?)).unwrap();
        assert_eq!(on_three, told);
    }
}

#[test]
fn tables_of_servos_without_meaning_are_told_with_their_key() {
    let table = r#"
        WANTED => force = [[0.0, 1.0], [0.0, 2.0]] | walls[1].servo.force | ascending from zero
        WANTED => force = [[1.0, 1.0]] | walls[1].servo.force | ascending from zero
        WANTED => force = [] | walls[1].servo.force | one at least
        WANTED => force = [[0.0, nan]] | walls[1].servo.force | finite
        WANTED => force = nan | walls[1].servo.force | finite
        WANTED => force = [[0.0, 1.0, 2.0]] | force | 2
        WANTED => force = "much" | force | rows of a time and a number
        WANTED => area = 1.0, pressure = [[0.0, 1.0], [-1.0, 2.0]] | walls[1].servo.pressure | ascending from zero
    "#;
    let held = |wanted: &str| column(1, &format!("servo = {{ {wanted}, speed = 0.1 }}\n[[stage]]\nduration = 0.1"));
    assert_refused(&held("WANTED"), table);
    let table = "
        y = 2000.0 => y = [[0.0, 1000.0], [1.0, 0.0]] | box.servo.y[1][1] | positive
        y = 2000.0 => y = [[0.0, 1000.0], [inf, 2000.0]] | box.servo.y | ascending from zero
        y = 2000.0 => y = [] | box.servo.y | one at least
    ";
    assert_refused(SHEARED, table);
    // A table with a pulling force is noted like a number.
    let notes = notes(&simulation(&held("force = [[0.0, 1.0], [1.0, -1.0]]"))).concat();
    assert!(notes.contains("walls[1].servo") && notes.contains("bear less than nothing"), "{notes}");
    simulation(&held("force = [[0.0, 1.0], [1.0, 2.0]]"));
    simulation(&with(SHEARED, "y = 2000.0", "y = [[0.0, 100.0], [1.0, 200.0]], z = 50"));
}
