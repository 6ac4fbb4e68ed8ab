//! Tests of the dropped pyramid of [OK18] section 8.2.

use dem_contact::contact_dynamics::RigidContact;

use crate::contact_dynamics::support::{GRAVITY, apgd, classic, gravity, pgs};
use crate::prelude::*;

const RADIUS: f64 = 1.25e-3;
const DT: f64 = 1e-3;
const STEPS: usize = 50;

/// The spheres of [OK18]: 2.5 mm, 2000 kg/m³, layers lifted by a twentieth of a radius each.
fn scene(layers: usize) -> (Bodies, State, f64) {
    let mass = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let (bodies, state) = CannonballPyramid::new(layers, RADIUS, mass).unwrap().lifted(0.05).unwrap().scene().unwrap();
    (bodies, state, mass * GRAVITY)
}

/// Reads spheres and forces of a table of `cd-solve`, by law: Hooke, Hertz, even spheres soft.
fn table(layers: usize) -> Vec<([usize; 2], [f64; 3])> {
    let text = match layers {
        4 => include_str!("../../../../cd-solve/tests/data/pyramid-n4.csv"),
        6 => include_str!("../../../../cd-solve/tests/data/pyramid-n6.csv"),
        _ => include_str!("../../../../cd-solve/tests/data/pyramid-n20.csv"),
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse().unwrap();
        ([number(1), number(2)], std::array::from_fn(|k| cells[3 + k].parse().unwrap()))
    };
    text.lines().skip(1).map(row).collect()
}

fn laws() -> [CompatibleLaw; 3] {
    let soft = |sphere: usize| sphere.is_multiple_of(2);
    let species = move |contact: &RigidContact| match (soft(contact.a), soft(contact.b)) {
        (false, false) => 1.0,
        (true, true) => 0.2,
        _ => 1.0 / 3.0,
    };
    [CompatibleLaw::hooke(), CompatibleLaw::hertz(), CompatibleLaw::new(2.0, species)]
}

/// Returns the largest difference from the table, relative to its largest force.
fn error(layers: usize, law: usize, contacts: &[RigidContact], force: &[f64], weight: f64) -> f64 {
    let table = table(layers);
    let most = table.iter().fold(0.0_f64, |most, (_, forces)| most.max(forces[law]));
    let mut worst = 0.0_f64;
    for ([a, b], expected) in &table {
        let at = contacts.binary_search_by_key(&(*a, *b), |contact| (contact.a, contact.b)).unwrap();
        worst = worst.max((force[at] / weight - expected[law]).abs() / most);
    }
    worst
}

struct Drop<S> {
    dynamics: ContactDynamics<S>,
    /// The first step, counted from one, in which the apex is pushed.
    apex: usize,
    weight: f64,
}

fn drop<S: LcpSolver>(layers: usize, mut dynamics: ContactDynamics<S>) -> Drop<S> {
    let (bodies, mut state, weight) = scene(layers);
    let last = bodies.len() - 1;
    let mut apex = 0;
    for step in 1..=STEPS {
        dynamics.step(&bodies, &mut gravity(), &mut state).unwrap_or_else(|error| panic!("step {step}: {error:?}"));
        let pushed = dynamics.contacts().iter().any(|contact| contact.b == last && contact.force > 0.0);
        if apex == 0 && pushed {
            apex = step;
        }
    }
    Drop { dynamics, apex, weight }
}

fn skin() -> f64 {
    0.1 * RADIUS
}

#[test]
fn the_dropped_pyramid_ends_in_the_static_forces() {
    for layers in [4, 6] {
        for warm in [true, false] {
            for (name, solver) in classic(1e-11) {
                let dynamics = ContactDynamics::new(DT, open_list(skin()), solver).unwrap().with_warm_start(warm);
                let mut end = drop(layers, dynamics);
                // The layers land one after the other: layer k falls k times as far.
                let fall = (layers - 1) as f64 * 0.05 * RADIUS;
                let expected = (2.0 * fall / GRAVITY).sqrt() / DT;
                assert!((end.apex as f64 - expected).abs() < 1.5, "{name}: {} for {expected}", end.apex);
                for (k, law) in laws().iter().enumerate() {
                    let (force, report) = end.dynamics.compatible_forces(law).unwrap();
                    let error = error(layers, k, end.dynamics.contacts(), &force, end.weight);
                    println!(
                        "{name}, {layers} layers, warm {warm}, law {k}: apex in {}, error {error:e} {report:?}",
                        end.apex
                    );
                    assert!(error < 1e-7, "{name}, {layers} layers, law {k}: {error:e}");
                }
            }
        }
    }
}

/// At rest overlaps do not change, so forces of compliant steps are those of elastic spheres. They differ from
/// compatible ones by the effect of overlaps on the geometry, which is far less than the error of a single step, a
/// multiple of the compliance.
#[test]
fn compliant_forces_of_the_dropped_pyramid() {
    for (compliance, allowed) in [(1e-4, 2e-5), (1e-6, 2e-7)] {
        for (k, law) in laws().into_iter().enumerate() {
            let dynamics = ContactDynamics::new(DT, open_list(skin()), pgs(1e-9)).unwrap();
            let end = drop(4, dynamics.with_compliant_step(law, compliance).unwrap());
            let force: Vec<f64> = end.dynamics.contacts().iter().map(|contact| contact.force).collect();
            let error = error(4, k, end.dynamics.contacts(), &force, end.weight);
            println!("one step, compliance {compliance:e}, law {k}: error {error:e}");
            assert!(error < allowed, "compliance {compliance:e}, law {k}: {error:e}");
        }
    }
}

/// The first push on the apex of twenty layers comes in step 15 or 16.
#[test]
#[ignore = "soak: `xtask reproduce --quick` does the same (ok18-fig7)"]
fn twenty_layers() {
    twenty("APGD", Box::new(apgd(1e-9)));
}

#[test]
#[ignore = "soak: `xtask reproduce --quick` does the same (ok18-fig7)"]
fn twenty_layers_by_gauss_seidel() {
    twenty("PGS", Box::new(pgs(1e-9)));
}

fn twenty(name: &str, solver: Box<dyn LcpSolver>) {
    let dynamics = ContactDynamics::new(DT, open_list(skin()), solver).unwrap().with_compatible(laws()[0].clone());
    let mut end = drop(20, dynamics);
    println!("{name}: apex in {}", end.apex);
    for (k, law) in laws().iter().enumerate() {
        let (force, report) = end.dynamics.compatible_forces(law).unwrap();
        let error = error(20, k, end.dynamics.contacts(), &force, end.weight);
        println!("{name}, law {k}: error {error:e} {report:?}");
        assert!(error < 1e-7, "{name}, law {k}: {error:e}");
    }
    assert!(end.apex == 15 || end.apex == 16, "{name}: the apex is pushed in {}", end.apex);
}
