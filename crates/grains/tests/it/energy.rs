//! A run stops if its energy grows without a source, and only then.

use std::fs;

use grains::GrainsError;

use crate::support::{called, command, made, scene_file, simulation, with};
use crate::table::Table;

/// Two balls in implicit steps longer than a contact.
const LONG_STEPS: &str = include_str!("../data/bounce_mw.toml");

#[test]
fn growing_energy_stops_a_run_and_long_implicit_steps_are_warned_of() {
    let (_home, scene) = scene_file(LONG_STEPS);
    let (text, code) = called!["run", &scene];
    assert!(code == 1 && text.contains("energy has grown without a source"), "{code}: {text}");
    assert!(text.contains("is 0.01, longer than the shortest contact"), "{text}");
    assert!(text.contains("scene.toml:5:1") && text.contains("^^ `time.dt`"), "{text}");
    let output = command().arg("check").arg(&scene).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("longer than the shortest contact"), "{text}");
    assert!(text.contains("the run will stop"), "{text}");
    let notes = ["dt = 0.01", "dt = 0.001"].map(|dt| simulation(&with(LONG_STEPS, "dt = 0.01", dt)).notes().len());
    assert_eq!(notes, [1, 0]);
}

fn end(text: &str) -> Result<(), GrainsError> {
    let mut simulation = made(text)?;
    while simulation.step()? < simulation.steps() {}
    Ok(())
}

/// Steps of nearly half a contact time add energy in the collision of two balls.
#[test]
fn explicit_steps_that_gain_energy_stop() {
    for integrator in ["\"verlet\"", "\"rodrigues-25\""] {
        let text = LONG_STEPS.replace("{ implicit = { alpha = 0.5 } }", integrator).replace("dt = 0.01", "dt = 0.0033");
        let error = end(&text).unwrap_err();
        assert!(matches!(error, GrainsError::EnergyGrown { .. }), "{integrator}: {error}");
    }
}

#[test]
fn energy_that_has_a_source_raises_no_alarm() {
    // Overlapping rigid bodies are separated without velocity.
    let apart = "[time]\ndt = 1e-3\nduration = 0.1\n[[bodies]]\n\
                 place = { list = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.96]] }\nradius = 0.5\nmass = 1.0\n";
    // In the longest explicit steps, half of half a period, the energy of a spring oscillates up to 2.6 times its value.
    let half = std::f64::consts::PI * (0.5_f64 / 1e3).sqrt();
    let longest = "[time]\ndt = DT\nduration = 100.0\n[contact]\nnormal = { hooke = { stiffness = 1e3 } }\n\
                   [[bodies]]\nplace = { list = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.99]] }\nradius = 0.5\nmass = 1.0\n";
    let explicit = longest.replace("DT", &format!("{}", 0.499 * half));
    // The bodies oscillate about the rest length of the bond.
    let swinging = explicit
        .replace("0.99]", "1.05]")
        .replace("mass = 1.0", "mass = 1.0\nvelocities = [[0.0, 0.0, 0.4], [0.0, 0.0, -0.4]]");
    let bond = format!("{swinging}[bonds]\ngap = 0.1\nstretching = 1e3\n");
    // The work of a piston is unlimited.
    let piston = "[time]\ndt = 2e-4\nduration = 0.1\n[contact]\nnormal = { hooke = { stiffness = 1e5 } }\nTANGENTIAL\n\
                  [[bodies]]\nplace = { list = [[0.0, 0.0, 0.6], [0.1, 0.0, 1.7]] }\nradius = 0.5\nmass = 1.0\n\
                  [[walls]]\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], velocity = [3.0, 0.0, 20.0] }\n";
    let smooth = piston.replace("TANGENTIAL", "");
    let rough = piston.replace("TANGENTIAL", "tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }");
    let rigid = piston.replace("[contact]\nnormal = { hooke = { stiffness = 1e5 } }\nTANGENTIAL\n", "");
    for (integrator, text) in [
        ("{ contact-dynamics = {} }", apart),
        ("\"verlet\"", &explicit),
        ("\"verlet\"", &bond),
        ("\"exact-energy\"", &longest.replace("DT", "0.05")),
        ("\"verlet\"", &rough),
        ("{ implicit = {} }", &rough),
        ("{ implicit = { form = \"paper\" } }", &rough),
        ("\"exact-energy\"", &smooth),
        ("{ contact-dynamics = { restitution = 0.5 } }", &rigid),
    ] {
        let text = format!("integrator = {integrator}\n{text}");
        end(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

/// An elastic ball that falls from 0.4 m above a floor.
const BOUNCE: &str = "integrator = \"verlet\"\ngravity = [0.0, 0.0, -9.81]\n[time]\ndt = DT\nduration = DURATION\n\
                      [contact]\nnormal = { hooke = { stiffness = 5e4 } }\n[[bodies]]\n\
                      place = { list = [[0.0, 0.0, 0.5]] }\nradius = 0.1\ndensity = 2600.0\n\
                      [[walls]]\nname = \"floor\"\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n";

fn bounce(dt: f64, duration: f64) -> String {
    BOUNCE.replace("DT", &dt.to_string()).replace("DURATION", &duration.to_string())
}

/// Computes the period of [`BOUNCE`] in s: twice a fall plus a contact, which is half a period of the spring and the
/// angles by which it sags under the weight.
fn bounce_period() -> f64 {
    let mass = 2600.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.1_f64.powi(3);
    let rate = (5e4_f64 / mass).sqrt();
    let speed = (2.0 * 9.81 * 0.4_f64).sqrt();
    let contact = 2.0 / rate * (std::f64::consts::PI - (rate * speed / 9.81).atan());
    2.0 * speed / 9.81 + contact
}

/// A ball at the top of its flight has no kinetic energy, so that the small error of its bounces exceeds it.
#[test]
fn a_ball_at_the_top_of_its_flight_raises_no_alarm() {
    let period = bounce_period();
    // With these steps every regular check meets the ball at the top of its flight.
    for steps in [4096.0, 2048.0, 1024.0, 512.0] {
        end(&bounce(period / steps, 40.0 * period)).unwrap_or_else(|error| panic!("{steps} steps: {error}"));
    }
    for bounces in 1..6 {
        let duration = f64::from(bounces) * period;
        end(&bounce(period / 500.0, duration)).unwrap_or_else(|error| panic!("{bounces} bounces: {error}"));
    }
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    for rows in ["0.005", "0.5"] {
        fs::write(&scene, format!("{}[output]\nseries = {{ time = {rows} }}\n", bounce(1e-3, 5.0))).unwrap();
        let (text, code) = called!["run", "--overwrite", &scene];
        assert!(code == 0 && !text.contains("energy that was turned over"), "{rows}: {code}: {text}");
    }
}

/// Steps that gain energy, but too little to stop the run.
#[test]
fn a_run_says_at_its_end_that_its_energy_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    let explicit = LONG_STEPS.split("[output]").next().unwrap().replace("{ implicit = { alpha = 0.5 } }", "\"verlet\"");
    let long = explicit.replace("dt = 0.01", "dt = 0.0015").replace("duration = 160.0", "duration = 4.0");
    for (output, doubt) in [
        ("[output]\nseries = { time = 0.1 }\n", "% of the energy that was turned over"),
        ("", "J of energy have no source"),
    ] {
        fs::write(&scene, format!("{long}{output}")).unwrap();
        let (text, code) = called!["run", "--overwrite", &scene];
        assert!(code == 0 && text.contains(doubt) && text.contains("`time.dt`"), "{code}: {text}");
    }
}

/// A ball that comes to rest on a soft floor with the overlap m g / k.
#[test]
fn overlaps_have_a_column_and_deep_ones_a_note() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    for (stiffness, is_deep) in [(1e3, true), (1e4, false)] {
        let damping = 2.0 * f64::sqrt(stiffness);
        let text = format!(
            "integrator = \"verlet\"\ngravity = [0.0, 0.0, -9.81]\n[time]\ndt = 1e-4\nduration = 1.0\n[contact]\n\
             normal = {{ hooke = {{ stiffness = {stiffness:?} }} }}\ndamping = {{ coefficient = {damping:?} }}\n\
             [[bodies]]\nplace = {{ list = [[0.0, 0.0, 0.02]] }}\nradius = 0.02\nmass = 1.0\n[[walls]]\n\
             name = \"floor\"\nplane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }}\n[output]\n\
             folder = \"results\"\nseries = {{ steps = 10 }}\n"
        );
        fs::write(&scene, text).unwrap();
        let (text, code) = called!["run", "--overwrite", &scene];
        assert_eq!(code, 0, "{text}");
        assert_eq!(text.matches("body 0 and a wall overlap by 3").count(), usize::from(is_deep), "{text}");
        let last = Table::read(home.path().join("results/series.csv")).last("largest_overlap");
        let expected = 9.81 / stiffness / 0.02;
        assert!((last / expected - 1.0).abs() < 1e-6, "{last} of {expected}");
    }
}
