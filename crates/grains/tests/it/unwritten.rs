//! Quantities that no output shows are not computed, and leaving them out changes no bit.

use std::fs;
use std::path::Path;

use grains::{Run, RunOptions, Scene, Simulation};

/// Three spheres of a pile on a floor; `output` says what is written.
fn scene(output: &str) -> Scene {
    let text = format!(
        r#"
        integrator = "verlet"
        gravity = [0.0, 0.0, -10.0]
        time = {{ dt = 1e-3, duration = 0.3 }}
        [contact]
        normal = {{ hooke = {{ stiffness = 2000.0 }} }}
        damping = {{ restitution = 0.6 }}
        tangential = {{ friction-spring = {{ stiffness = 600.0, gamma = 2.0, friction = 0.4 }} }}
        [[bodies]]
        place = {{ list = [[0.0, 0.0, 0.5], [0.96, 0.1, 0.6], [0.4, 0.2, 1.4]] }}
        spin = [0.0, 1.0, 3.0]
        radius = 0.5
        mass = 1.0
        [[walls]]
        plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }}
        [output]
        {output}
    "#
    );
    Scene::parse(&text).unwrap()
}

/// Runs a scene in `folder`.
fn run(output: &str, folder: &Path) -> Run {
    let scene = scene(output);
    let simulation = Simulation::new(&scene, ".", false).unwrap();
    let mut run = Run::new(&scene, simulation, folder, RunOptions::default()).unwrap();
    run.complete().unwrap();
    run
}

#[test]
fn a_run_without_a_time_series_has_the_same_bits_and_no_work() {
    let folder = tempfile::tempdir().unwrap();
    let contacts = "contacts = { steps = 100 }";
    let all = format!("{contacts}\nseries = {{ steps = 50 }}\nframes = {{ steps = 100 }}");
    let [less, more] =
        [("less", contacts), ("more", all.as_str())].map(|(name, plan)| run(plan, &folder.path().join(name)));
    let [one, other] = [&less, &more].map(|run| run.simulation().state());
    for columns in [
        [one.position(), other.position()],
        [one.velocity(), other.velocity()],
        [one.angular_momentum(), other.angular_momentum()],
    ] {
        let [one, other] = columns.map(|column| column.iter().map(|vector| vector.to_array().map(f64::to_bits)));
        assert!(one.eq(other));
    }
    let [one_reading, other_reading] = [&less, &more].map(|run| run.simulation().read().unwrap());
    assert!(one_reading.energies.dissipated.is_none() && other_reading.energies.dissipated.unwrap() > 0.1);
    assert_eq!(one_reading.wall_forces, other_reading.wall_forces);
    assert!(!one.has_attitudes() && other.has_attitudes());
    // A run that is dropped writes nothing more.
    for run in [less, more] {
        run.finish().unwrap();
    }
    let files = ["less", "more"].map(|name| fs::read(folder.path().join(name).join("contacts.csv")).unwrap());
    assert!(files[0].len() > 200 && files[0] == files[1]);
}
