//! Scenes of contact dynamics with friction.

use std::path::Path;

use cd_solve::friction::{CoulombSolver, FrictionSolver};
use grains::{Estimate, Scene, Simulation};

use crate::refused::{assert_refused, refusal};
use crate::support::{RIGID, assert_survives_kills, notes, results, simulation, whole, with};

/// A glass ball that falls on a steel floor and slides there.
const BALL: &str = r#"
    gravity = [0.0, 0.0, -10.0]
    time = { dt = 0.01, duration = 1.0 }
    integrator = { contact-dynamics = { tolerance = 1e-10 } }
    bodies = [{ place = { list = [[0.0, 0.0, 0.5]] }, radius = 0.5, mass = 1.0, velocity = [1.0, 0.0, 0.0] }]
    walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }, material = "steel" }]
    [contact]
    normal = "hertz-mindlin"
    materials = [
        { name = "glass", young = 5e6, poisson = 0.25, restitution = 0.36, friction = 0.16 },
        { name = "steel", young = 2e7, poisson = 0.3, restitution = 0.81, friction = 0.25 },
    ]
"#;

/// The scene with soft bodies and velocity Verlet, up to its first stage.
fn soft(text: &str) -> String {
    let text = with(text, "{ contact-dynamics = { tolerance = 1e-10 } }", "\"verlet\"");
    with(&text, "time = { dt = 0.01, duration = 1.0 }", "time = { dt = 1e-5 }")
}

/// The scene without friction, with equal restitution of both materials.
fn smooth(text: &str) -> String {
    text.replace(", friction = 0.16", "").replace(", friction = 0.25", "").replace("0.36", "0.81")
}

fn steps(text: &str, count: u64) -> Simulation {
    let mut simulation = simulation(text);
    while simulation.step().unwrap() < count {}
    simulation
}

/// The search range for contacts is the motion of bodies in a step, which may be too large for a periodic box.
#[test]
fn a_narrow_periodic_box_and_fast_bodies_are_told_together() {
    let space =
        "box = { low = [-1.5, -9.0, -9.0], high = [1.5, 9.0, 9.0], boundary = [\"periodic\", \"open\", \"open\"] }";
    let narrow = BALL.replace("gravity =", &format!("{space}\n    gravity ="));
    let failed = |text: &str| simulation(text).step().err().map(|error| error.to_string());
    assert_eq!(failed(&narrow), None);
    let error = failed(&narrow.replace("velocity = [1.0", "velocity = [60.0")).unwrap();
    assert!(error.contains("make `time.dt` smaller, or the box wider along x"), "{error}");
}

/// A ball that overlaps the floor at the start is lifted onto it, with friction and without; this is no growth of
/// energy.
#[test]
fn a_ball_that_begins_in_the_floor_is_put_onto_it() {
    let sunk = BALL.replace("[[0.0, 0.0, 0.5]]", "[[0.0, 0.0, 0.46]]").replace("velocity = [1.0", "velocity = [0.0");
    let smooth = smooth(&sunk);
    let notes = |text: &str| {
        let notes = notes(&simulation(text)).into_iter();
        notes.filter(|note| note.contains("overlap")).collect::<Vec<_>>()
    };
    let told = "rigid bodies overlap by up to 4.000e-2 m at the start: the first step moves them apart";
    // The integrator of the first stage decides.
    let later = soft(&sunk) + "[[stage]]\nduration = 1e-3\nintegrator = { contact-dynamics = {} }\n";
    for text in [&sunk, &smooth, &later] {
        assert!(matches!(&notes(text)[..], [note] if note.contains(told)), "{:?}", notes(text));
    }
    let elastic = later.replace("{ contact-dynamics = {} }", "\"verlet\"");
    for text in [BALL, &elastic] {
        assert!(notes(text).is_empty(), "{:?}", notes(text));
    }
    for text in [sunk, smooth] {
        let simulation = steps(&text, 100);
        let energies = simulation.read().unwrap().energies;
        assert!((energies.supplied - 10.0 * 0.04).abs() < 1e-7, "{energies:?}");
        assert!(energies.dissipated.is_some_and(|dissipated| dissipated.abs() < 1e-7), "{energies:?}");
        assert!(simulation.state().velocity().get(0).length() < 1e-7, "{}", simulation.state().velocity().get(0));
    }
}

/// Soft spheres that overlap under their weight become rigid in the next stage, without motion.
#[test]
fn soft_spheres_that_become_rigid_stay_at_rest() {
    let text = r#"
        gravity = [0.0, 0.0, -10.0]
        integrator = "verlet"
        time = { dt = 1e-5 }
        contact = { normal = { hooke = { stiffness = 2000.0 } } }
        bodies = [{ place = { list = [[0.0, 0.0, 0.49], [0.0, 0.0, 1.485]] }, radius = 0.5, mass = 1.0 }]
        walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        stage = [{ duration = 1e-4 }, { duration = 0.05, dt = 1e-3, integrator = { contact-dynamics = {} } }]
    "#;
    let simulation = steps(text, 60);
    assert!(simulation.state().velocity().iter().all(|velocity| velocity.length() < 1e-7));
    assert!((simulation.state().position().get(1).z - 1.5).abs() < 1e-8);
    // The first sphere is lifted by 0.01 and the second by 0.015, which takes 0.25 J; the former springs stored 0.125
    // J.
    let supplied = simulation.read().unwrap().energies.supplied;
    assert!((supplied - 0.125).abs() < 1e-5, "{supplied}");
}

/// Friction and restitution are geometric means of both materials, or those of the pair.
#[test]
fn materials_give_friction_and_restitution() {
    let sliding = steps(BALL, 4);
    assert!((sliding.state().velocity().get(0).x - (1.0 - 0.2 * 10.0 * 0.04)).abs() < 1e-12);
    let reading = sliding.read().unwrap();
    let [contact] = &reading.contacts[..] else { panic!("{:?}", reading.contacts) };
    let force = contact.tangential_force;
    assert!((contact.normal_force - 10.0).abs() < 1e-9 && (force.x - 2.0).abs() < 1e-9, "{contact:?}");
    // Dissipated power: friction times the slip in the middle of the step.
    let slip = 1.0 - 3.5 * 2.0 * 0.035;
    assert!((contact.dissipated_power - 2.0 * slip).abs() < 1e-8, "{contact:?}");
    assert!((contact.power_by_motion.sliding - 2.0 * slip).abs() < 1e-8, "{contact:?}");
    assert!((reading.wall_forces[0] - force - contact.normal * contact.normal_force).length() < 1e-12);
    let rolling = steps(BALL, 100);
    assert!((rolling.state().velocity().get(0).x - 5.0 / 7.0).abs() < 1e-12);
    let pair = "pairs = [{ between = [\"steel\", \"glass\"], friction = 0.05 }]\n";
    let slippery = steps(&format!("{BALL}{pair}"), 4);
    assert!((slippery.state().velocity().get(0).x - (1.0 - 0.05 * 10.0 * 0.04)).abs() < 1e-12);
    // √(0.36 · 0.81) = 0.54 of 2 m/s; a restitution of the integrator overrides those of all contacts.
    let falling = BALL.replace("velocity = [1.0, 0.0, 0.0]", "velocity = [0.0, 0.0, -2.0]");
    assert!((steps(&falling, 1).state().velocity().get(0).z - 1.08).abs() < 1e-12);
    let own = with(&falling, "tolerance = 1e-10", "tolerance = 1e-10, restitution = 0.25");
    assert!((steps(&own, 1).state().velocity().get(0).z - 0.5).abs() < 1e-12);
}

/// Without friction, the result is bitwise that of the step without friction.
#[test]
fn materials_without_friction_change_no_bit() {
    let smooth = with(&smooth(BALL), "velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, 0.5, -2.0]");
    let bare = smooth.split_once("[contact]").unwrap().0.replace(", material = \"steel\"", "");
    let bare = with(&bare, "tolerance = 1e-10", "tolerance = 1e-10, restitution = 0.81");
    let end = |text: &str| {
        let simulation = steps(text, 60);
        let state = simulation.state();
        [state.position().get(0), state.velocity().get(0)].map(|vector| vector.to_array().map(f64::to_bits))
    };
    assert_eq!(end(&smooth), end(&bare));
}

/// The coefficient of rolling is the `friction` of the resistance, as is that of twisting, in m.
#[test]
fn resistances_are_those_of_materials() {
    let resistance = "rolling = { stiffness = 1.0, friction = 0.04 }, twisting = { stiffness = 1.0, friction = 0.02 }";
    let text = BALL.replace("friction = 0.16", &format!("friction = 0.5, {resistance}"));
    let text = text.replace("friction = 0.25", &format!("friction = 0.5, {resistance}"));
    let text = with(&text, "velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, 0.0, 0.0], spin = [0.0, 2.0, 3.0]");
    let simulation = steps(&text, 20);
    let speed = simulation.state().velocity().get(0).x;
    assert!((speed - (1.0 - 5.0 / 7.0 * 0.04 * 10.0 * 0.2)).abs() < 1e-7, "{speed}");
    let spin = simulation.state().spin(simulation.bodies(), 0).z;
    assert!((spin - (3.0 - 0.02 * 10.0 / 0.1 * 0.2)).abs() < 1e-7, "{spin}");
}

/// Keys without effect on rigid bodies are noted once; keys that the step with friction does not support are refused.
#[test]
fn what_is_not_used_is_said() {
    let scene = Scene::parse(BALL).unwrap();
    let estimate = Estimate::new(&scene, Path::new("."), false).unwrap();
    let about = estimate.notes.iter().filter(|note| note.at.key == "contact.materials").count();
    assert!(about == 1 && estimate.to_string().contains("`young`, `poisson`"), "{estimate}");
    let table = r#"
        tolerance = 1e-10 => solver = "gauss-seidel" | `integrator.contact-dynamics.solver`
        tolerance = 1e-10 => solver = "apgd" | `integrator.contact-dynamics.solver`
        tolerance = 1e-10 => compatibility = "hooke" | `integrator.contact-dynamics.compatibility`
        tolerance = 1e-10 => compliant-step = 1e-6 | `integrator.contact-dynamics.compliant-step`
    "#;
    assert_refused(BALL, table);
}

#[test]
fn tolerances_that_no_force_at_all_meets_are_refused() {
    simulation(&with(BALL, "tolerance = 1e-10", "tolerance = 0.89"));
    let table = "
        GIVEN => tolerance = 0.9 | `integrator.contact-dynamics.tolerance` | below 0.9, such as 1e-6
        GIVEN => tolerance = inf | `integrator.contact-dynamics.tolerance` | below 0.9, such as 1e-6
        GIVEN => tolerance = nan | `integrator.contact-dynamics.tolerance` | below 0.9, such as 1e-6
    ";
    for scene in [with(BALL, "tolerance = 1e-10", "GIVEN"), with(RIGID, "compatibility = \"hooke\"", "GIVEN")] {
        assert_refused(&scene, table);
    }
}

/// Laws by numbers have no effect on rigid contacts: beside materials they are refused; without materials damping is
/// noted.
#[test]
fn damping_of_rigid_contacts_is_said_to_have_no_effect() {
    let pair = "pairs = [{ between = [\"glass\", \"steel\"], normal = \"hertz-mindlin\" }]\n";
    let hooke = "normal = { hooke = { stiffness = 1e5 } }";
    let damping = "damping = { restitution = 0.5 }";
    let by_numbers = with(BALL, "normal = \"hertz-mindlin\"", hooke) + pair;
    let table = "HOOKE => HOOKE\\nDAMPING | `contact.damping`\nHOOKE => HOOKE | `contact.normal`";
    assert_refused(&by_numbers, &table.replace("HOOKE", hooke).replace("DAMPING", damping));
    let bare = BALL.split_once("[contact]").unwrap().0.replace(", material = \"steel\"", "");
    let about_damping = |laws: &str| {
        let simulation = simulation(&format!("{bare}[contact]\n{laws}\n"));
        simulation.notes().iter().filter(|note| note.at.key == "contact.damping").count()
    };
    assert_eq!(about_damping(&format!("{hooke}\n{damping}")), 1);
    assert_eq!(about_damping(&format!("{hooke}\ndamping = \"none\"")), 0);
}

/// Rigid contacts have no springs: lost springs of the stage before are counted.
#[test]
fn contacts_that_become_rigid_begin_anew_and_are_counted() {
    let soft = with(&soft(BALL), "0.0, 0.5]]", "0.0, 0.499]]");
    let stages = "[[stage]]\nduration = 1e-3\n\
                  [[stage]]\nduration = 0.01\ndt = 1e-3\nintegrator = { contact-dynamics = {} }\n";
    let said = steps(&format!("{soft}{stages}"), 101).take_messages();
    let expected = "contacts whose laws are not those of stage 1 begin anew: 1";
    assert!(said.iter().any(|line| line == expected), "{said:?}");
}

pub(crate) fn heap() -> String {
    let lattice = "lattice = { origin = [0.0, 0.0, 0.5], count = [2, 2, 3], spacing = [1.0, 1.05, 1.1] }";
    let output = "[output]\nseries.steps = 2\ncontacts.steps = 5\nfclib.steps = 5\ncheckpoints.steps = 6\n";
    with(&with(BALL, "list = [[0.0, 0.0, 0.5]]", lattice), "duration = 1.0", "duration = 0.4") + output
}

/// Energy falls, the ledger explains it, and a killed run continues with the same bytes.
#[test]
fn a_heap_with_friction() {
    let heap = heap();
    assert_survives_kills(&heap, &[17], "a heap with friction");
    let simulation = steps(&heap, 40);
    let reading = simulation.read().unwrap();
    let start = 12.0 * (0.5 + 10.0 * 1.6);
    // The balance is of first order only: gravity works at the mean velocity of a step, but positions move at the last
    // one.
    assert!((reading.balance().unwrap() - start).abs() < 0.02 * start, "{:?} {start}", reading.balance());
    assert!(reading.energies.dissipated.unwrap() > 0.0 && reading.mechanical() < start);
}

/// The solution of a friction problem in FCLIB files equals the table of contacts.
#[test]
fn friction_problems_are_written() {
    let home = tempfile::tempdir().unwrap();
    let output = "[output]\ncontacts = { steps = 2 }\nfclib = { steps = 2 }\n";
    let text = BALL.replace("duration = 1.0", "duration = 0.05");
    whole(&format!("{text}{output}"), &home.path().join("run"));
    let files = results(&home.path().join("run"));
    let written: Vec<_> = files.iter().filter(|(name, _)| name.starts_with("fclib-")).map(|(name, _)| name).collect();
    assert_eq!(written, ["fclib-000002.hdf5", "fclib-000004.hdf5", "fclib-000005.hdf5"]);
    let stored = cd_solve::fclib::read_hdf5(&home.path().join("run/fclib-000004.hdf5")).unwrap();
    let problem = stored.problem().unwrap();
    let mut force = [0.0; 3];
    assert!(CoulombSolver::default().solve(&problem, &mut force).unwrap().converged());
    assert!((force[0] - 10.0).abs() < 1e-9 && (force[1].hypot(force[2]) - 2.0).abs() < 1e-9, "{force:?}");
    let mut velocity = [0.0; 3];
    problem.velocity(&force, &mut velocity, &mut Vec::new()).unwrap();
    assert!((velocity[1].hypot(velocity[2]) - (1.0 - 3.5 * 0.2 * 10.0 * 0.04)).abs() < 1e-9, "{velocity:?}");
    // Twisting friction has no counterpart in FCLIB.
    let twists = |friction: &str| format!("{friction}, twisting = {{ stiffness = 1.0, friction = 0.02 }}");
    let twisting = ["friction = 0.16", "friction = 0.25"];
    let twisting = twisting.into_iter().fold(text.clone(), |text, material| with(&text, material, &twists(material)));
    let explicit = with(&text, "{ contact-dynamics = { tolerance = 1e-10 } }", "\"verlet\"");
    for refused in [twisting, explicit.replace("dt = 0.01", "dt = 1e-4")] {
        let error = refusal(&format!("{refused}{output}"));
        assert!(error.contains("`output.fclib`"), "{error}");
    }
}
