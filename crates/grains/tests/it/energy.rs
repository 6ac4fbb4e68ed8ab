//! A run whose energy grows without a source stops, and no other run does.

use std::fs;

use grains::{GrainsError, Scene, Simulation};

use crate::support::{command, outcome};

/// Two balls in implicit steps that are longer than a contact.
const LONG_STEPS: &str = include_str!("../data/bounce_mw.toml");

#[test]
fn growing_energy_stops_a_run_and_long_implicit_steps_are_warned_of() {
    let home = tempfile::tempdir().unwrap();
    let scene = home.path().join("scene.toml");
    fs::write(&scene, LONG_STEPS).unwrap();
    let (text, code) = outcome(&command().arg("run").arg(&scene).output().unwrap());
    assert!(code == 1 && text.contains("energy has grown without a source"), "{code}: {text}");
    assert!(text.contains("is 0.01, longer than the shortest contact"), "{text}");
    assert!(text.contains("scene.toml:5:1") && text.contains("^^ `time.dt`"), "{text}");
    let output = command().arg("check").arg(&scene).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("longer than the shortest contact"), "{text}");
    assert!(text.contains("the run will stop"), "{text}");
    let checked = Simulation::new(&Scene::parse(LONG_STEPS).unwrap(), ".", false).unwrap();
    assert_eq!(checked.notes().len(), 1);
    let short = Simulation::new(&Scene::parse(&LONG_STEPS.replace("dt = 0.01", "dt = 0.001")).unwrap(), ".", false);
    assert!(short.unwrap().notes().is_empty());
}

/// How a scene in memory ends.
fn end(text: &str) -> Result<(), GrainsError> {
    let mut simulation = Simulation::new(&Scene::parse(text)?, ".", false)?;
    while simulation.step()? < simulation.steps() {}
    Ok(())
}

/// Steps of nearly half a contact put energy into the bounces of two balls.
#[test]
fn explicit_steps_that_gain_energy_stop() {
    for integrator in ["\"verlet\"", "\"rodrigues-25\""] {
        let text = LONG_STEPS.replace("{ implicit = { alpha = 0.5 } }", integrator).replace("dt = 0.01", "dt = 0.0033");
        let error = end(&text).unwrap_err();
        assert!(matches!(error, GrainsError::EnergyGrown { .. }), "{integrator}: {error}");
    }
}

/// Rigid bodies that begin within each other are moved apart without speed.
#[test]
fn rigid_bodies_that_are_moved_apart_gain_no_energy() {
    let rigid = "integrator = { contact-dynamics = {} }\n[time]\ndt = 1e-3\nduration = 0.1\n[[bodies]]\n\
                 place = { list = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.96]] }\nradius = 0.5\nmass = 1.0\n";
    end(rigid).unwrap();
}

/// The longest explicit step lets the energy of a spring swing to 2.6 times its value: that is no growth.
#[test]
fn the_longest_steps_raise_no_alarm() {
    let pair = "[time]\ndt = DT\nduration = 100.0\n[contact]\nnormal = { hooke = { stiffness = 1e3 } }\n[[bodies]]\n\
                place = { list = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.99]] }\nradius = 0.5\nmass = 1.0\n";
    let bond = "[bonds]\ngap = 0.1\nstretching = 1e3\n";
    // Half of half a period; the bodies swing about a length at which the bond is at rest.
    let half = std::f64::consts::PI * (0.5_f64 / 1e3).sqrt();
    let explicit = format!("integrator = \"verlet\"\n{pair}").replace("DT", &format!("{}", 0.499 * half));
    end(&explicit).unwrap();
    let swinging = explicit
        .replace("0.99]", "1.05]")
        .replace("mass = 1.0", "mass = 1.0\nvelocities = [[0.0, 0.0, 0.4], [0.0, 0.0, -0.4]]");
    end(&format!("{swinging}{bond}")).unwrap();
    let implicit = format!("integrator = \"exact-energy\"\n{pair}").replace("DT", "0.05");
    end(&implicit).unwrap();
}

/// Walls put in as much as they like: a piston, with every kind of integrator.
#[test]
fn the_work_of_walls_is_no_growth() {
    let piston = "[time]\ndt = 2e-4\nduration = 0.1\n[contact]\nnormal = { hooke = { stiffness = 1e5 } }\nTANGENTIAL\n\
                  [[bodies]]\nplace = { list = [[0.0, 0.0, 0.6], [0.1, 0.0, 1.7]] }\nradius = 0.5\nmass = 1.0\n\
                  [[walls]]\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], velocity = [3.0, 0.0, 20.0] }\n";
    let friction = "tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }";
    for (integrator, tangential) in [
        ("\"verlet\"", friction),
        ("{ implicit = {} }", friction),
        ("{ implicit = { form = \"paper\" } }", friction),
        ("\"exact-energy\"", ""),
    ] {
        let text = format!("integrator = {integrator}\n{piston}").replace("TANGENTIAL", tangential);
        end(&text).unwrap_or_else(|error| panic!("{integrator}: {error}"));
    }
    let rigid = piston.replace("[contact]\nnormal = { hooke = { stiffness = 1e5 } }\nTANGENTIAL\n", "");
    end(&format!("integrator = {{ contact-dynamics = {{ restitution = 0.5 }} }}\n{rigid}")).unwrap();
}
