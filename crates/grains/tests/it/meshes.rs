//! Meshes as walls of scenes: solid side, position, rotation, and images at periodic sides.

use std::fs;

use grains::{GrainsError, Simulation};
use rrp_geom::glam::DVec3;

use crate::refused::assert_refused;
use crate::support::{data_text, each_step, ended, made, made_in, plate, simulation, with};

fn velocity(simulation: &Simulation) -> DVec3 {
    simulation.state().velocity().get(0)
}

fn position(simulation: &Simulation) -> DVec3 {
    simulation.state().position().get(0)
}

/// Returns the times just before and after the first body reverses along x.
fn turn(text: &str) -> [f64; 2] {
    let mut simulation = simulation(text);
    let was = velocity(&simulation).x;
    while velocity(&simulation).x * was > 0.0 {
        simulation.step().unwrap();
    }
    [simulation.state().time() - simulation.dt(), simulation.state().time()]
}

/// The image of the plate at x = 0.3 is at 10.3: a sphere of radius 0.5 that flies along +x hits it at x = 9.8.
#[test]
fn all_methods_find_the_image_of_a_plate_across_a_periodic_side() {
    let scene = with(&data_text("periodic_wall_fin.toml"), "duration = 2.0", "duration = 1.2");
    for (method, dt, off) in [
        ("\"verlet\"", 1e-4, 1e-3),
        ("\"rodrigues-25\"", 1e-3, 1e-2),
        ("{ implicit = { alpha = 0.5 } }", 1e-3, 1e-2),
        ("{ contact-dynamics = { solver = \"apgd\", restitution = 1.0 } }", 1e-2, 1e-2),
    ] {
        let scene = with(&with(&scene, "\"verlet\"", method), "dt = 1e-4", &format!("dt = {dt:?}"));
        let [from, to] = turn(&scene);
        assert!(from > 0.8 - 1.5 * dt && to < 0.81 + dt, "{method}: {from} {to}");
        let end = ended(&scene);
        assert!((velocity(&end) - DVec3::new(-1.0, 0.0, 0.0)).length() < off, "{method}: {}", velocity(&end));
        assert!((position(&end).x - 9.4).abs() < 0.05, "{method}: {}", position(&end));
        let energy = end.read().unwrap().mechanical();
        assert!((energy - 0.5).abs() < off, "{method}: {energy}");
    }
}

/// Discs, tubes with ends, cones and profiles, at rest or moving, are hit across the side at the same time.
#[test]
fn images_of_profiles_that_move_are_met_too() {
    let scene = with(&data_text("periodic_wall_fin.toml"), "duration = 2.0", "duration = 1.5");
    let wall = |wall: &str| {
        let (scene, _) = scene.split_once("[[walls]]").unwrap();
        format!("{scene}[[walls]]\nrevolution = {{ axis = [1.0, 0.0, 0.0], {wall} }}\n")
    };
    for (shape, speed) in [
        ("profile = [[1.0, 0.0], [0.0, 0.0]]", 0.0),
        ("profile = [[0.0, 0.4], [1.0, 0.4], [1.0, 0.0], [0.0, 0.0]]", 0.0),
        ("profile = [[1.0, 2.0], [0.2, 0.0], [0.0, 0.0]]", -0.5),
        ("profile = [[0.0, 0.4], [1.0, 0.4], [1.0, 0.0], [0.0, 0.0]]", -0.5),
    ] {
        let text = wall(&format!("point = [0.3, 5.0, 1.5], {shape}, velocity = [{speed:?}, 0.0, 0.0]"));
        let ([from, to], end) = (turn(&text), ended(&text));
        let expected = 0.8 / (1.0 - speed);
        assert!(from > expected && to < expected + 0.01, "{shape}: {from} {to}");
        assert!((velocity(&end).x - (2.0 * speed - 1.0)).abs() < 2e-3, "{shape}: {}", velocity(&end));
    }
    // A wall far outside of the box acts through its images.
    let text = wall("point = [-99.7, 5.0, 1.5], profile = [[1.0, 0.0], [0.0, 0.0]], spin = [3.0, 0.0, 0.0]");
    let [from, to] = turn(&text);
    assert!(from > 0.8 && to < 0.81, "{from} {to}");
}

/// A floor of triangles of one period or more acts as an infinite floor, without an edge at the side.
#[test]
fn a_floor_goes_on_through_a_periodic_side() {
    let home = tempfile::tempdir().unwrap();
    let scene = with(&data_text("periodic_wall_fin.toml"), "mass = 1.0\n", "mass = 1.0\nspin = [0.0, 0.0, 0.0]\n");
    let scene = with(&scene, "[9.0, 5.0, 1.5]", "[9.0, 5.0, 0.499]");
    let scene = with(&scene, "[time]", "gravity = [0.0, 0.0, -100.0]\n[time]");
    let scene = with(&scene, "dt = 1e-4", "dt = 1e-3");
    for (low, high) in [(0.0, 10.0), (-1.5, 11.5), (2.0, 12.0), (-20.0, 20.0)] {
        let corners = [[low, 0.0, 0.0], [high, 0.0, 0.0], [high, 10.0, 0.0], [low, 10.0, 0.0]];
        fs::write(home.path().join("fin.stl"), plate(corners)).unwrap();
        let mut simulation = made_in(home.path(), &scene).unwrap();
        each_step(&mut simulation, |simulation| {
            let reading = simulation.read().unwrap();
            assert!(reading.contacts.len() <= 1, "{low} {high}: {}", position(simulation));
            assert!((position(simulation).z - 0.499).abs() < 1e-9, "{low} {high}: {}", position(simulation));
        });
        assert!((velocity(&simulation).x - 1.0).abs() < 1e-9, "{low} {high}");
    }
}

#[test]
fn a_wall_of_very_many_periods_is_refused() {
    let scene = with(&data_text("periodic_wall_fin.toml"), "\"fin.stl\"", "\"fin.stl\", scale = 1e9");
    let table =
        r#"["periodic","open","open"] => ["periodic","periodic","open"] | `walls[0]`: wall 0 is | make it shorter"#;
    assert_refused(&scene, table);
}

/// Grains in a closed surface: the scene is refused with advice, which then holds them.
#[test]
fn a_container_is_refused_or_holds_what_is_in_it() {
    let scene = with(&data_text("container.toml"), "dt = 1e-6\nduration = 0.4", "dt = 4e-6\nduration = 0.12");
    let error = made(&scene).err().unwrap();
    assert!(matches!(error, GrainsError::InSolid { body: 0, .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("`walls[0].stl`") && message.contains("set `inside = true`"), "{message}");
    let inside = with(&scene, "closed = true", "inside = true");
    let end = ended(&inside);
    // The body has fallen 19 mm, and bounces.
    let at = position(&end);
    assert!(at.y > 0.0009 && at.y < 0.019 && (at.x - 0.0117).abs() < 1e-6 && (at.z - 0.0133).abs() < 1e-6, "{at}");
    // In millimetres, and at another place in the file.
    assert_refused(&inside, "[0.0117, 0.02, 0.0133] => [0.0117, 0.05, 0.0133] | leave out `inside = true`");
}

/// A gear at another place in its file moves in the same way, if the scene gives its pivot.
#[test]
fn a_gear_turns_about_the_point_that_is_given() {
    let ends = ["gear0.toml", "gearoff.toml"].map(|name| ended(&with(&data_text(name), "dt = 1e-4", "dt = 2e-4")));
    let [one, other] = ends.each_ref().map(|end| (position(end), velocity(end)));
    assert!(one.1.length() > 1.0, "{one:?}");
    assert!(one.0.distance(other.0) < 1e-3 && one.1.distance(other.1) < 1e-3, "{one:?} {other:?}");
    let elsewhere = ended(&with(
        &with(&data_text("gearoff.toml"), "dt = 1e-4", "dt = 2e-4"),
        "pivot = [0.0,0.0,0.0]",
        "pivot = [-5.0,0.0,-3.0]",
    ));
    assert!(one.0.distance(position(&elsewhere)) > 0.1, "{one:?} {}", position(&elsewhere));
}

/// A tooth of a gear that hits through a periodic side does the same work as within the box, and the ledger closes.
#[test]
fn a_gear_does_the_same_work_through_a_periodic_side() {
    let method = "{ contact-dynamics = { restitution = 0.5 } }";
    let scene = with(&with(&data_text("gear0.toml"), "\"verlet\"", method), "dt = 1e-4", "dt = 1e-3");
    let scene = with(&with(&scene, "duration = 3.0", "duration = 0.5"), "velocity = [1.0,0.0,0.0]", "scale = 1.0");
    let beside = with(&scene, "[[3.5,0.1,0.3]]", "[[-2.45,0.1,0.3]]");
    let boundary = "boundary = [\"periodic\", \"open\", \"open\"]";
    let periodic = format!("box = {{ low = [2.0, -5.0, -5.0], high = [12.0, 5.0, 5.0], {boundary} }}\n[time]");
    let through = with(&with(&scene, "[[3.5,0.1,0.3]]", "[[7.55,0.1,0.3]]"), "[time]", &periodic);
    let [beside, through] = [beside, through].map(|scene| ended(&scene).read().unwrap());
    let [work, other] = [&beside, &through].map(|reading| reading.energies.wall_work.unwrap());
    assert!(work > 0.1 && (work - other).abs() < 1e-9 * work, "{work} {other}");
    for reading in [beside, through] {
        assert!(reading.balance().unwrap().abs() < 1e-9 * work, "{:?}", reading.energies);
    }
}

/// A sheet of two triangles with opposite orientations is hit from both sides.
#[test]
fn a_sheet_has_two_sides() {
    for side in [1.0, -1.0] {
        let scene = format!(
            r#"
            integrator = "verlet"
            time = {{ dt = 1e-4, duration = 0.3 }}
            contact = {{ normal = {{ hooke = {{ stiffness = 1e4 }} }} }}
            bodies = [{{ place = {{ list = [[0.5, 0.5, {:?}]] }}, radius = 0.1, mass = 1.0, velocity = [0.0, 0.0, {:?}] }}]
            walls = [{{ stl = {{ path = "sheet.stl" }} }}]
            "#,
            0.2 * side,
            -side,
        );
        let end = ended(&scene);
        assert!((velocity(&end) - DVec3::new(0.0, 0.0, side)).length() < 1e-4, "{}", velocity(&end));
    }
}

#[test]
fn a_ball_leaves_the_edge_of_stairs_as_before() {
    let end = ended(&with(&data_text("stairs.toml"), "duration = 2.0", "duration = 1.5"));
    // Without overlap, the ball leaves the edge where v² = g r c and v² = 1 + 2 g r (1 - c): c = 11/15, v c = 1.40425.
    assert!((velocity(&end).x - 1.40425).abs() < 5e-4, "{}", velocity(&end));
}
