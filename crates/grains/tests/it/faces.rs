//! Sources at faces of a mesh.

use std::fs;

use grains::Run;
use rrp_geom::glam::DVec3;

use crate::refused::assert_refused_in;
use crate::support::{assert_same, go_on, made_in, plate, start_in, stop};

/// Grains appear at the lower side of the plate, which is a wall as well.
const FEED: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -9.0]
    time = { dt = 1e-3, duration = 0.2 }
    box = { low = [0.0, 0.0, -9.0], high = [1.0, 0.8, 9.0], boundary = ["open", "periodic", "open"] }
    contact = { normal = { hooke = { stiffness = 2000.0 } } }
    walls = [{ stl = { path = "plate.stl", scale = 0.001, point = [0.0, 0.0, 1.0] } }]
    output = { series = { steps = 10 }, checkpoints = { steps = 50 } }
    [[sources]]
    name = "inlet"
    region = { faces = { path = "plate.stl", scale = 0.001, point = [0.0, 0.0, 1.0], facing = [0.0, 0.0, -1.0], speed = 0.6 } }
    rate = { count = 500.0 }
    every = { steps = 20 }
    sizes = { uniform = { low = 0.02, high = 0.04 } }
    density = 1000.0
    velocity = [0.0, 0.1, 0.0]
"#;

/// Creates a folder with an open plate of two triangles in the plane z = 0.5 - x/2, in mm.
fn folder() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let corners = [[0.0, 0.0, 500.0], [1000.0, 0.0, 0.0], [1000.0, 800.0, 0.0], [0.0, 800.0, 500.0]];
    fs::write(home.path().join("plate.stl"), plate(corners)).unwrap();
    home
}

#[test]
fn grains_come_a_hair_off_their_face_along_its_normal_and_overlap_nothing() {
    let home = folder();
    let mut simulation = made_in(home.path(), FEED).unwrap();
    let out = DVec3::new(-0.5, 0.0, -1.0).normalize();
    let mut before = 0;
    while !simulation.is_over() {
        simulation.step().unwrap();
        let bodies = simulation.bodies();
        let state = simulation.state();
        // One step after the insertion, velocities are half a step of gravity ahead of positions.
        for body in before..bodies.len() {
            let center = state.position().get(body);
            let radius = bodies.radius()[body];
            let dt = simulation.dt();
            let velocity = state.velocity().get(body) + DVec3::Z * 9.0 * dt;
            assert!((velocity - DVec3::new(0.0, 0.1, 0.0) - 0.6 * out).length() < 1e-12, "{velocity}");
            let start = center - dt * (velocity - DVec3::Z * 4.5 * dt);
            let off = (start - DVec3::new(0.0, 0.0, 1.5)).dot(out);
            assert!((off / radius - 1.0 - 1e-6).abs() < 1e-9, "{off} {radius}");
        }
        before = bodies.len();
    }
    assert!(before > 80, "{before}");
    let reading = simulation.read().unwrap();
    assert!(reading.wall_forces.iter().all(|force| force.length() <= 0.0), "{:?}", reading.wall_forces);
    let up = FEED.replace("facing = [0.0, 0.0, -1.0], speed = 0.6", "facing = [0.1, 0.0, 1.0], speed = 9.0");
    let mut simulation = made_in(home.path(), &up).unwrap();
    simulation.step().unwrap();
    assert!(!simulation.bodies().is_empty() && simulation.state().velocity().iter().all(|velocity| velocity.z > 8.0));
}

#[test]
fn a_resumed_run_leaves_the_same_files_without_the_mesh() {
    let home = folder();
    let [whole, killed] = ["whole", "killed"].map(|name| home.path().join(name));
    go_on(start_in(home.path(), FEED, &whole));
    stop(start_in(home.path(), FEED, &killed), 90);
    fs::remove_file(home.path().join("plate.stl")).unwrap();
    go_on(Run::resume(&killed).unwrap());
    assert_same(&killed, &whole, "after 90 steps");
}

#[test]
fn faces_without_meaning_are_refused_with_the_key() {
    let table = r#"
        path = "plate.stl", scale = 0.001, point = [0.0, 0.0, 1.0], facing => path = "none.stl", facing | FACES
        facing = [0.0, 0.0, -1.0] => facing = [0.0, 1.0, 0.0] | FACES | facing` | nearest normal | rad off
        facing = [0.0, 0.0, -1.0] => facing = [0.0, 0.0, 0.0] | FACES | facing`
        facing = [0.0, 0.0, -1.0] => angle = 0.2 | FACES | angle` | give `facing`
        -1.0], speed => -1.0], angle = 30.0, speed | FACES | angle` | rad | π/2
        -1.0], speed => -1.0], inside = true, speed | FACES | path` | open
        -1.0], speed => -1.0], low = [0.0, 0.0, 0.0], speed | FACES | `low` and `high`
        { count = 500.0 } => { fraction = 0.1 } | `sources[0].rate` | no volume
        [[sources]] => blocked = ["y"]\n[[sources]] | `sources[0]` | blocked
        [[sources]] => blocked = ["x"]\n[[sources]] | FACES | speed` | blocked
        speed = 0.6 => speed = -0.6 | FACES | speed` | not negative
        facing = [0.0, 0.0, -1.0], => | FACES | two sides | give `facing`
        -1.0], speed => -1.0], angle = 1.5, low = [2.0, 2.0, 2.0], high = [3.0, 3.0, 3.0], speed
            | FACES | low` | [0, 0, 1] to [1, 0.8, 1.5]
    "#;
    assert_refused_in(folder().path(), FEED, &table.replace("FACES", "`sources[0].region.faces"));
}
