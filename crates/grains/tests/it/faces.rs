//! Sources whose grains come off faces of a mesh.

use std::fs;
use std::path::{Path, PathBuf};

use grains::{GrainsError, Run, RunOptions, Scene, Simulation};
use rrp_geom::glam::DVec3;

use crate::support::assert_same;

/// A plate of two triangles in the plane z = 0.5 - x/2, in mm, open.
const PLATE: &str = "solid plate
facet normal 0 0 0\n outer loop\n vertex 0 0 500\n vertex 1000 0 0\n vertex 1000 800 0\n endloop\nendfacet
facet normal 0 0 0\n outer loop\n vertex 0 0 500\n vertex 1000 800 0\n vertex 0 800 500\n endloop\nendfacet
endsolid\n";

/// Grains come off the lower side of the plate, which is a wall as well.
const FEED: &str = r#"
    integrator = "verlet"
    gravity = [0.0, 0.0, -9.0]
    time = { dt = 1e-3, duration = 0.2 }
    box = { low = [0.0, 0.0, -9.0], high = [1.0, 0.8, 9.0], boundary = ["open", "periodic", "open"] }
    contact = { normal = { hooke = { stiffness = 2000.0 } } }
    [[sources]]
    name = "inlet"
    region = { faces = { path = "plate.stl", scale = 0.001, point = [0.0, 0.0, 1.0], facing = [0.0, 0.0, -1.0], speed = 0.6 } }
    rate = { count = 500.0 }
    every = { steps = 20 }
    sizes = { uniform = { low = 0.02, high = 0.04 } }
    density = 1000.0
    velocity = [0.0, 0.1, 0.0]
    [[walls]]
    stl = { path = "plate.stl", scale = 0.001, point = [0.0, 0.0, 1.0] }
    [output]
    series = { steps = 10 }
    checkpoints = { steps = 50 }
"#;

/// A folder with the plate.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("plate.stl"), PLATE).unwrap();
    let path = home.path().to_owned();
    (home, path)
}

fn made(text: &str, folder: &Path) -> Result<Simulation, GrainsError> {
    Simulation::new(&Scene::parse(text)?, folder, false)
}

#[test]
fn grains_come_a_hair_off_their_face_along_its_normal_and_overlap_nothing() {
    let (_home, folder) = folder();
    let mut simulation = made(FEED, &folder).unwrap();
    let out = DVec3::new(-0.5, 0.0, -1.0).normalize();
    let mut before = 0;
    while !simulation.is_over() {
        simulation.step().unwrap();
        let bodies = simulation.bodies();
        let state = simulation.state();
        // One step after they came: the velocities are half a step of gravity ahead of their places.
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
    // Off the upper side they fly up.
    let up = FEED.replace("facing = [0.0, 0.0, -1.0], speed = 0.6", "facing = [0.1, 0.0, 1.0], speed = 9.0");
    let mut simulation = made(&up, &folder).unwrap();
    simulation.step().unwrap();
    assert!(!simulation.bodies().is_empty() && simulation.state().velocity().iter().all(|velocity| velocity.z > 8.0));
}

#[test]
fn a_resumed_run_leaves_the_same_files_without_the_mesh() {
    let (_home, folder) = folder();
    let begin = |name: &str| {
        let simulation = made(FEED, &folder).unwrap();
        Run::new(&Scene::parse(FEED).unwrap(), simulation, &folder.join(name), RunOptions::default()).unwrap()
    };
    let mut whole = begin("whole");
    whole.complete().unwrap();
    whole.finish().unwrap();
    let mut killed = begin("killed");
    for _ in 0..90 {
        killed.advance().unwrap();
    }
    killed.checkpoint().unwrap();
    killed.finish().unwrap();
    fs::remove_file(folder.join("plate.stl")).unwrap();
    let mut resumed = Run::resume(folder.join("killed")).unwrap();
    resumed.complete().unwrap();
    resumed.finish().unwrap();
    assert_same(&folder.join("killed"), &folder.join("whole"), "after 90 steps");
}

#[test]
fn faces_without_meaning_are_refused_with_the_key() {
    let (_home, folder) = folder();
    let refused = |from: &str, to: &str, says: &[&str]| {
        assert!(FEED.contains(from), "{from}");
        let error = made(&FEED.replace(from, to), &folder).err().unwrap().to_string();
        assert!(says.iter().all(|part| error.contains(part)), "{error}");
    };
    let faces = "`sources[0].region.faces";
    refused(
        "path = \"plate.stl\", scale = 0.001, point = [0.0, 0.0, 1.0], facing",
        "path = \"none.stl\", facing",
        &[faces],
    );
    refused("facing = [0.0, 0.0, -1.0]", "facing = [0.0, 1.0, 0.0]", &[faces, "facing`", "nearest normal", "rad off"]);
    refused("facing = [0.0, 0.0, -1.0]", "facing = [0.0, 0.0, 0.0]", &[faces, "facing`"]);
    refused("facing = [0.0, 0.0, -1.0]", "angle = 0.2", &[faces, "angle`", "give `facing`"]);
    refused("-1.0], speed", "-1.0], angle = 30.0, speed", &[faces, "angle`", "rad", "π/2"]);
    refused("-1.0], speed", "-1.0], inside = true, speed", &[faces, "path`", "open"]);
    refused("-1.0], speed", "-1.0], low = [0.0, 0.0, 0.0], speed", &[faces, "`low` and `high`"]);
    refused("{ count = 500.0 }", "{ fraction = 0.1 }", &["`sources[0].rate`", "no volume"]);
    let blocked = |axis| format!("    blocked = [\"{axis}\"]\n    [[sources]]");
    refused("    [[sources]]", &blocked("y"), &["`sources[0]`", "blocked"]);
    refused("    [[sources]]", &blocked("x"), &[faces, "speed`", "blocked"]);
    refused("speed = 0.6", "speed = -0.6", &[faces, "speed`", "not negative"]);
    refused("facing = [0.0, 0.0, -1.0], ", "", &[faces, "two sides", "give `facing`"]);
    let elsewhere = "-1.0], angle = 1.5, low = [2.0, 2.0, 2.0], high = [3.0, 3.0, 3.0], speed";
    refused("-1.0], speed", elsewhere, &[faces, "low`", "[0, 0, 1] to [1, 0.8, 1.5]"]);
}
