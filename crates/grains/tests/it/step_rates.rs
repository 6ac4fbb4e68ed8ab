//! Rates besides impacts that the automatic step resolves: dampers, light rotors and driven walls.

use std::f64::consts::PI;
use std::path::Path;

use grains::{Estimate, Scene, Simulation};
use rrp_integrate::kinetic_energy;

use crate::refused::assert_refused;
use crate::support::{called, each_step, ended, notes, scene_file, simulation};

/// Two bodies that collide at 0.5 m/s, slightly off-centre.
const PAIR: &str = r#"
    integrator = "verlet"
    time = { dt = "auto", duration = 0.2 }
    bodies = [
        { place = { list = [[0.0, 0.0, 0.0]] }, radius = 0.05, mass = 1.0, velocity = [0.25, 0.0, 0.0]INERTIA },
        { place = { list = [[0.0981, 0.02, 0.0]] }, radius = 0.05, mass = 1.0, velocity = [-0.25, 0.0, 0.0]INERTIA },
    ]
    [contact]
    normal = { hooke = { stiffness = 1e4 } }
    LAWS
"#;

fn pair(laws: &str, inertia: &str) -> String {
    PAIR.replace("LAWS", laws).replace("INERTIA", inertia)
}

/// Takes all steps and returns the kinetic energy in J at the start and at the end.
fn energies(text: &str) -> [f64; 2] {
    let mut simulation = simulation(text);
    let kinetic = |simulation: &Simulation| kinetic_energy(simulation.bodies(), simulation.state()).total();
    let start = kinetic(&simulation);
    each_step(&mut simulation, |_| ());
    [start, kinetic(&simulation)]
}

fn decided_by(text: &str) -> String {
    Estimate::new(&Scene::parse(text).unwrap(), Path::new("."), false).unwrap().decided_by.unwrap()
}

#[track_caller]
fn assert_step(text: &str, right: f64) {
    let dt = simulation(text).dt();
    assert!((dt / right - 1.0).abs() < 1e-6, "{dt} is not {right}");
}

/// The fast decay rate of the pair is c/m = 3000/s on half a mass.
#[test]
fn overdamped_bodies_stay_together() {
    let text = pair("damping = { coefficient = 3000.0 }", "").replace("0.0981, 0.02", "0.1001, 0.0");
    let rate = 1500.0 + (1500.0_f64.powi(2) + 2e4).sqrt();
    assert_step(&text, PI / 8.0 / rate);
    let [start, end] = energies(&text);
    assert!((start - 0.0625).abs() < 1e-12 && end < 1e-4 * start, "{end} of {start} J");
    assert_eq!(decided_by(&text), "the damper against approach of contacts");
    // With a weak damper the impact sets the step.
    let [weak, none] = ["damping = { coefficient = 30.0 }", ""].map(|laws| simulation(&pair(laws, "")).dt());
    assert_eq!(weak.to_bits(), none.to_bits());
}

#[test]
fn dampers_against_slip_and_rolling_ask_for_shorter_steps() {
    // γ m_eff acts on 7/m.
    assert_step(&pair("tangential = { viscous = { gamma = 4e3 } }", ""), PI / 8.0 / 1.4e4);
    // At a wall c r² acts on 2/5 m r².
    let rolling = pair("rolling = { stiffness = 1.0, damping = 4e3, friction = 0.1 }", "");
    let half = 0.5 * 4e3 / 0.4;
    assert_step(&rolling, PI / 8.0 / (half + (half * half + 2.5_f64).sqrt()));
}

#[test]
fn a_light_rotor_gains_no_energy() {
    let law = "damping = { restitution = 0.9 }\ntangential = { friction-spring = { stiffness = 3e3, friction = 0.5 } }";
    let light = pair(law, ", inertia = 1e-7");
    let rate = (3e3_f64 * 2.0 * (1.0 + 0.05_f64.powi(2) / 1e-7)).sqrt();
    assert_step(&light, PI / 8.0 / rate);
    let [start, end] = energies(&light);
    assert!(end < start && end > 0.3 * start, "{end} of {start} J");
    assert!(decided_by(&light).contains("on a moment of inertia of 1.000e-7"), "{}", decided_by(&light));
    // For solid and hollow spheres the impact sets the step.
    let [solid, hollow] = ["", ", inertia = 0.00166"].map(|inertia| simulation(&pair(law, inertia)).dt());
    assert_eq!(solid.to_bits(), hollow.to_bits());
}

/// A ball that rests on a floor that oscillates at 1 kHz with a tenth of the overlap as amplitude.
const SHAKEN: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -9.81]
    time = { dt = "auto", duration = 5e-3 }
    contact = { normal = { hooke = { stiffness = 1e5 } } }
    bodies = [{ place = { list = [[0.0, 0.0, 0.4999019]] }, radius = 0.5, mass = 1.0 }]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    oscillation = { amplitude = [0.0, 0.0, 1e-5], frequency = 1000.0 }
"#;

/// From rest a forced oscillator has x = a ω₀² (sin Ωt − Ω/ω₀ sin ω₀t)/(ω₀² − Ω²).
#[test]
fn a_shaken_floor_is_resolved() {
    assert_step(SHAKEN, 1e-3 / 16.0);
    assert_eq!(decided_by(SHAKEN), "half the shortest period of a driven wall or group");
    let simulation = ended(SHAKEN);
    let time = simulation.state().time();
    let own = 1e5_f64.sqrt();
    let driven = 2e3 * PI;
    let right = 1e-5 * 1e5 * driven * ((driven * time).cos() - (own * time).cos()) / (1e5 - driven * driven);
    let found = simulation.state().velocity().get(0).z;
    assert!((found / right - 1.0).abs() < 0.02, "{found} is not {right} m/s");
    // Sampled at its own period, the floor would stand still.
    let table = r#""auto" => 1e-3 | too long for half the shortest period of a driven wall | 0.00025"#;
    assert_refused(SHAKEN, table);
}

#[test]
fn turns_by_angles_ask_for_steps_by_their_periods_and_their_rates() {
    let (head, _) = SHAKEN.split_once("oscillation").unwrap();
    let turning = |turn: &str| format!("{head}turn = {{ axis = [2.0, 0.0, 0.0], {turn} }}");
    assert_step(&turning("oscillation = { amplitude = 1e-5, frequency = 1000.0 }"), 1e-3 / 16.0);
    // Half a rotation at the largest rate, 2π 1000 Hz 3 rad, takes 1/6000 s.
    assert_step(&turning("oscillation = { amplitude = -3.0, frequency = 1000.0 }"), 1.0 / 6000.0 / 8.0);
    assert_step(&turning("table = { rates = [[0.0, 0.0], [1.0, -2e4]] }"), PI / 2e4 / 8.0);
    // From rest to rest the largest rate of a cubic is 3/2 of its mean.
    assert_step(&turning("table = { angles = [[0.0, 0.1], [1e-3, 20.1]] }"), PI / 3e4 / 8.0);
    // There and back makes one period.
    assert_step(&turning("table = { angles = [[0.0, 0.0], [3e-4, 0.1], [1e-3, 0.0]] }"), 0.5e-3 / 8.0);
}

#[test]
fn walls_that_turn_in_themselves_leave_the_step_to_the_contacts() {
    let (head, _) = SHAKEN.split_once("plane").unwrap();
    let dt = |wall: &str| simulation(&format!("{head}{wall}")).dt();
    let plane = "plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0]";
    let contact = dt(&format!("{plane} }}"));
    let is_left = |wall: &str| (dt(wall) / contact - 1.0).abs() < 1e-9;
    assert!(is_left(&format!("{plane}, spin = [0.0, 0.0, 1e5], pivot = [3.0, 0.0, 0.0] }}")));
    assert!(!is_left(&format!("{plane}, spin = [1.0, 0.0, 1e5] }}")));
    let drum = "point = [0.0, 0.0, 5.0], axis = [0.0, 0.0, 2.0], spin = [0.0, 0.0, -1e5]";
    let cylinder = |pivot: &str| format!("cylinder = {{ {drum}, radius = 9.0, pivot = {pivot} }}");
    assert!(is_left(&cylinder("[0.0, 0.0, -7.0]")) && !is_left(&cylinder("[0.1, 0.0, 0.0]")));
    assert!(is_left(&format!("revolution = {{ {drum}, profile = [[9.0, -9.0], [9.0, 1.0]] }}")));
    // The surface stays in place, but its tangential forces change as fast as it oscillates.
    let rocking = "turn = { axis = [0.0, 0.0, 1.0], oscillation = { amplitude = 9.0, frequency = 1000.0 } }";
    assert_step(&format!("{head}{plane} }}\n{rocking}"), 1e-3 / 16.0);
}

#[test]
fn a_step_above_the_recommended_one_is_noted_once_at_its_own_key() {
    let recommended = simulation(&pair("", "")).dt();
    let notes = |dt: f64| -> Vec<String> {
        let notes = notes(&simulation(&pair("", "").replace("\"auto\"", &format!("{dt:?}"))));
        notes.into_iter().filter(|note| note.contains("time.dt")).collect()
    };
    assert_eq!(notes(recommended), Vec::<String>::new());
    let doubled = notes(2.0 * recommended);
    let both = [format!("{:?}", 2.0 * recommended), format!("the recommended {recommended:.3e}")];
    assert!(doubled.len() == 1 && both.iter().all(|part| doubled[0].contains(part)), "{doubled:?}");
    assert!(doubled[0].contains("decided by impacts of contacts: write"), "{doubled:?}");
    let stages = format!("[[stage]]\nduration = 0.1\n[[stage]]\nduration = 0.1\ndt = {:?}\n", 2.0 * recommended);
    let staged = simulation(&(pair("", "").replace(", duration = 0.2", "") + &stages));
    assert_eq!(staged.notes().iter().map(|note| note.at.key.as_str()).collect::<Vec<_>>(), ["stage[1].dt"]);
    let (_home, path) = scene_file(pair("", "").replace("duration = 0.2", "duration = 0.001"));
    let (said, code) = called!["run", &path];
    assert!(code == 0 && said.contains("time.dt = ") && said.contains("decided by impacts of contacts"), "{said}");
}

/// Turning points bound half a period: a sudden start that slows down, and a ramp to a constant value, are no fast
/// motions.
#[test]
fn tables_of_velocities_ask_for_steps_by_their_turning_points() {
    let table = |rows: &[[f64; 2]]| {
        let rows: Vec<String> = rows.iter().map(|[time, v]| format!("[{time:?}, 0.0, 0.0, {v:?}]")).collect();
        let motion = format!("table = {{ velocities = [{}] }}", rows.join(", "));
        let text = SHAKEN.replace("oscillation = { amplitude = [0.0, 0.0, 1e-5], frequency = 1000.0 }", &motion);
        simulation(&text).dt()
    };
    let shaken = simulation(SHAKEN).dt();
    let milli = |rows: &[[f64; 2]]| rows.iter().map(|&[time, v]| [1e-3 * time, v]).collect::<Vec<_>>();
    // A pulse, an oscillating table and a sawtooth turn after 0.5 ms, half the period of 1 kHz.
    let pulse = milli(&[[0.0, 0.0], [0.6, 0.01], [1.0, 0.0], [4.0, 0.0]]);
    let shake = milli(&[[0.0, 0.01], [0.5, -0.01], [1.0, 0.01], [1.5, -0.01]]);
    let saw = milli(&[[0.0, 0.0], [1.0, 0.01], [1.000001, 0.0], [2.000001, 0.01]]);
    for rows in [pulse, shake, saw] {
        let step = table(&rows);
        assert!((step / shaken - 1.0).abs() < 1e-5, "{rows:?}: {step} beside {shaken}");
    }
    let calm =
        simulation(&SHAKEN.replace("oscillation = { amplitude = [0.0, 0.0, 1e-5], frequency = 1000.0 }", "")).dt();
    let start = milli(&[[0.0, 0.0], [1e-3, 0.01], [1.0, 0.01]]);
    let noisy = milli(&[[0.0, 0.0], [0.1, 0.005], [0.2, 0.0049], [0.3, 0.01]]);
    for rows in [start, noisy] {
        assert!((table(&rows) / calm - 1.0).abs() < 1e-12, "{rows:?}");
    }
}
