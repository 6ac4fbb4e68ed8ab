//! Walls that are driven: oscillations, tables and servos.

use grains::{Scene, Simulation};

use crate::support::{assert_survives_a_kill, random, whole};

/// A bed of spheres, not all in rows, between a floor and a lid, in a box that is periodic aside.
fn bed(contact: &str, lid: &str) -> String {
    format!(
        r#"
        gravity = [0.0, 0.0, -9.81]
        integrator = "verlet"
        time = {{ dt = 2e-5, duration = 0.6 }}
        box = {{ low = [0.0, 0.0, -1.0], high = [0.05, 0.05, 1.0], boundary = ["periodic", "periodic", "open"] }}
        {contact}
        [[bodies]]
        place = {{ lattice = {{ origin = [0.005, 0.005, 0.0052], count = [5, 5, 2], spacing = [0.01, 0.01, 0.0102] }} }}
        radius = 0.0049
        density = 2500.0
        velocity = [0.05, 0.02, -0.1]
        [[bodies]]
        place = {{ lattice = {{ origin = [0.008, 0.006, 0.0252], count = [4, 4, 2], spacing = [0.0124, 0.0121, 0.0101] }} }}
        radius = 0.005
        density = 2500.0
        velocity = [-0.03, 0.04, -0.1]
        [[walls]]
        name = "floor"
        plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }}
        [[walls]]
        name = "lid"
        plane = {{ point = [0.0, 0.0, 0.045], normal = [0.0, 0.0, -1.0] }}
        {lid}
    "#
    )
}

const SPRINGS: &str = r#"
    [contact]
    normal = { hooke = { stiffness = 2e4 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 6e3, gamma = 0.2, friction = 0.4 } }
"#;
const SLIPPERY: &str = r#"
    [contact]
    normal = { hertz = { modulus = 1e7 } }
    damping = { restitution = 0.4 }
"#;
const GLASS: &str = r#"
    [contact]
    normal = "hertz-mindlin"
    materials = [{ name = "soft", young = 1e7, poisson = 0.3, restitution = 0.5, friction = 0.3 }]
"#;

fn simulation(text: &str) -> Simulation {
    Simulation::new(&Scene::parse(text).unwrap(), ".", false).unwrap()
}

#[test]
fn three_beds_bear_what_is_wanted_within_half_a_percent() {
    let controlled = "servo = { pressure = 2000.0, speed = 0.2 }";
    let free = "servo = { force = 5.0, mass = 0.05 }";
    // The last eighth is looked at. Without friction a bed takes longest to settle.
    let beds = [
        ("springs", SPRINGS, controlled, "0.6 }"),
        ("Hertz", SLIPPERY, controlled, "0.8 }"),
        ("glass", GLASS, free, "0.3 }"),
    ];
    let off = beds.map(|(name, contact, lid, duration)| {
        let mut simulation = simulation(&bed(contact, lid).replace("0.6 }", duration));
        let mut parts = [[0.0; 2]; 8];
        let steps = simulation.steps();
        while simulation.step().unwrap() < steps {
            if simulation.steps_taken().is_multiple_of(20) {
                let force = simulation.read().unwrap().wall_forces[1].z;
                let [sum, count] = &mut parts[(simulation.steps_taken() * 8 / steps) as usize];
                *sum += (force / 5.0 - 1.0_f64).powi(2);
                *count += 1.0;
            }
        }
        let off = parts.map(|[sum, count]| f64::sqrt(sum / count));
        println!("{name}: the force on the lid is off by {off:.6?} (root of the mean square, by eighths of the run)");
        off[7]
    });
    assert!(off.iter().all(|&off| off < 5e-3), "{off:?}");
}

#[test]
fn the_ledger_closes_with_what_a_servo_gives() {
    let drift = |dt: &str| {
        let text = bed(SPRINGS, "servo = { force = 5.0, speed = 0.2, response = 2e-3 }");
        let mut simulation = simulation(&text.replace("2e-5", dt).replace("0.6 }", "0.06 }"));
        let start = simulation.read().unwrap().balance().unwrap();
        let mut largest = 0.0_f64;
        let mut through = 0.0_f64;
        while simulation.step().unwrap() < simulation.steps() {
            if simulation.steps_taken().is_multiple_of(20) {
                let reading = simulation.read().unwrap();
                largest = largest.max((reading.balance().unwrap() - start).abs());
                through = through.max(reading.energies.wall_work.unwrap().abs());
            }
        }
        [largest, through]
    };
    let [[coarse, _], [fine, work]] = ["1e-5", "5e-6"].map(drift);
    println!("balance off by {coarse:.2e} J, by {fine:.2e} J with half the step, of {work:.2e} J");
    assert!(work > 1e-4 && fine < 1e-3 * work && fine < 0.4 * coarse, "{coarse} {fine} {work}");
}

/// A dense bed in a periodic box that shears, and is pressed along y.
pub(crate) const SHEARED: &str = r#"
    integrator = "verlet"
    time = { dt = 2e-4, duration = 0.4 }
    [box]
    low = [0.0, 0.0, 0.0]
    high = [4.0, 4.0, 4.0]
    boundary = ["periodic", "periodic", "periodic"]
    shear = { along = "x", across = "y", rate = 1.0 }
    servo = { y = 2000.0, rate = 1.0 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.3 }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 5.0, friction = 0.4 } }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.5, 0.5], count = [4, 4, 4], spacing = [1.0, 1.0, 1.0] } }
    radius = 0.505
    mass = 1.0
    [output]
    series = { steps = 7 }
    checkpoints = { steps = 11 }
"#;

#[test]
fn the_work_of_a_sheared_box_is_in_the_ledger() {
    let off = |dt: &str| {
        let mut simulation = simulation(&SHEARED.replace("2e-4", dt));
        let start = simulation.read().unwrap().balance().unwrap();
        let mut largest = 0.0_f64;
        let mut work = 0.0_f64;
        while simulation.step().unwrap() < simulation.steps() {
            if simulation.steps_taken().is_multiple_of(20) {
                let reading = simulation.read().unwrap();
                largest = largest.max((reading.balance().unwrap() - start).abs());
                work = work.max(reading.energies.box_work.abs());
            }
        }
        assert!(work > 10.0, "{work}");
        largest / work
    };
    let [coarse, fine] = ["2e-4", "1e-4"].map(off);
    println!("the balance is off by {coarse:.1e} of the work of the box at most, by {fine:.1e} with half the step");
    assert!(coarse < 1e-3 && fine < 0.6 * coarse, "{coarse}, {fine}");
}

#[test]
fn kills_while_a_box_deforms_change_no_byte() {
    let (head, output) = SHEARED.split_once("[output]").unwrap();
    let stages = r#"
        [[stage]]
        duration = 0.02
        [[stage]]
        duration = 0.02
        gravity = [0.0, 0.1, 0.0]
        box = { servo = { x = 1000.0, y = 2000.0, z = 1500.0, rate = 0.5, gain = 2.0 } }
        [[stage]]
        duration = 0.02
        box = { strain-rate = [0.3, -0.1, 0.0] }
        [[stage]]
        duration = 0.01
        box = {}
    "#;
    let text = format!("{}[output]{output}{stages}", head.replace(", duration = 0.4", ""));
    let steps = simulation(&text).steps();
    let mut seed = 5;
    for step in [1, 99, 100, 101, 200, 301].into_iter().chain((0..4).map(|_| random(&mut seed, steps))) {
        assert_survives_a_kill(&text, step as usize, &format!("after {step} steps"));
    }
}

#[test]
fn mistakes_about_boxes_that_deform_are_told_with_their_key() {
    let corner = "{ box = { low = [1.0, 1.0, 1.0], high = [2.0, 2.0, 2.0] } }";
    let measure = format!("[[measure]]\nname = \"m\"\nevery = {{ steps = 1 }}\nregion = {corner}\n[output]");
    let gate = format!("[[gates]]\nshape = {corner}\nevery = {{ steps = 1 }}\n[output]");
    for (from, to, key, problem) in [
        ("across = \"y\"", "across = \"x\"", "box.shear", "another"),
        ("rate = 1.0 }\n    servo", "rate = nan }\n    servo", "box.shear.rate", "finite"),
        ("y = 2000.0", "y = -2000.0", "box.servo.y", "positive"),
        ("y = 2000.0, ", "", "box.servo", "`x`, `y` and `z`"),
        ("servo = {", "strain-rate = [0.0, 0.1, 0.0]\n    servo = {", "box.servo.y", "strain-rate"),
        ("[\"periodic\", \"periodic\",", "[\"periodic\", \"open\",", "box.shear", "periodic"),
        ("\"verlet\"", "{ implicit = { alpha = 0.5 } }", "box.shear", "explicit"),
        ("[output]", &measure, "measure[0].region", "deforms"),
        ("[output]", &gate, "gates[0].shape", "plane"),
        (
            "[output]",
            "[[walls]]\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n[output]",
            "box.servo",
            "walls",
        ),
        ("\"verlet\"", "\"verlet\"\n    ties = { stiffness = 1e3 }", "ties", "deforms"),
    ] {
        let text = SHEARED.replace(from, to);
        assert!(text != SHEARED, "{from}");
        let told = Scene::parse(&text).and_then(|scene| Simulation::new(&scene, ".", false));
        let told = told.err().unwrap_or_else(|| panic!("{to} is taken")).to_string();
        assert!(told.contains(key) && told.contains(problem), "{to}: {told}");
    }
}

/// Later stages know the box that earlier ones leave, and so does a scene that begins with it.
#[test]
fn a_box_that_has_deformed_is_not_forgotten() {
    let (head, output) = SHEARED.split_once("[output]").unwrap();
    let stages = |last: &str| {
        let stages = format!("[[stage]]\nduration = 0.02\n[[stage]]\nduration = 0.01\nbox = {{}}\n{last}");
        format!("{}[output]{output}{stages}", head.replace(", duration = 0.4", ""))
    };
    let implicit = Scene::parse(&stages("integrator = { implicit = { alpha = 0.5 } }")).unwrap();
    let told = Simulation::new(&implicit, ".", false).unwrap_err().to_string();
    assert!(told.contains("stage[1].integrator") && told.contains("explicit"), "{told}");
    let home = tempfile::tempdir().unwrap();
    whole(&stages(""), &home.path().join("first"));
    let begun = format!("start = \"first/checkpoint.grains\"\n{head}[output]{output}");
    let (before, after) = begun.split_once("[[bodies]]").unwrap();
    let begun = format!("{before}[output]{}", after.split_once("[output]").unwrap().1);
    let told = Simulation::new(&Scene::parse(&begun).unwrap(), home.path(), false).unwrap_err().to_string();
    assert!(told.contains("checkpoint.grains") && told.contains("sheared"), "{told}");
}

/// A lid that a servo presses on, that then follows a table, and that then swings; a servo with mass in the end.
pub(crate) fn changing() -> String {
    let outputs = "[output]\nseries = { steps = 7 }\ncheckpoints = { steps = 11 }";
    let stages = r#"
        [[stage]]
        duration = 4e-3
        [[stage]]
        duration = 2e-3
        walls = { lid = { move = { table = { velocities = [[0.0, 0.0, 0.0, 0.0], [1e-3, 0.0, 0.0, 0.3]] } } } }
        [[stage]]
        duration = 2e-3
        walls.lid.move = { oscillation = { amplitude = [0.0, 0.0, -1e-4], frequency = 300.0 } }
        walls.floor.move = { surface-velocity = [0.1, 0.0, 0.0] }
        [[stage]]
        duration = 4e-3
        walls = { lid = { move = { servo = { pressure = 4000.0, area = 2.5e-3, mass = 0.02 } } } }
    "#;
    let lid = format!("servo = {{ force = 5.0, speed = 0.4 }}\n{outputs}\n{stages}");
    bed(SPRINGS, &lid).replace(", duration = 0.6", "").replace("0.0, 0.0, 0.045", "0.0, 0.0, 0.0404")
}

#[test]
fn kills_with_a_servo_at_work_change_no_byte() {
    let text = changing();
    let steps = simulation(&text).steps();
    let mut seed = 11;
    // Beside borders of stages, and anywhere.
    for step in [1, 199, 200, 201, 300, 401].into_iter().chain((0..6).map(|_| random(&mut seed, steps))) {
        assert_survives_a_kill(&text, step as usize, &format!("after {step} steps"));
    }
}

#[test]
fn a_stage_ends_when_its_servo_is_at_rest() {
    let outputs = "[output]\nseries = { steps = 50 }\ncheckpoints = { steps = 500 }";
    let stages = "[[stage]]\nduration = 0.5\nend = { servo-at-rest = 0.01 }\n[[stage]]\nduration = 2e-4";
    let lid = format!("servo = {{ force = 5.0, speed = 0.4 }}\n{outputs}\n{stages}");
    let text = bed(SPRINGS, &lid).replace(", duration = 0.6", "").replace("0.0, 0.0, 0.045", "0.0, 0.0, 0.0404");
    let mut simulation = simulation(&text);
    while simulation.stage() == 0 {
        simulation.step().unwrap();
    }
    let steps = simulation.steps_taken() as usize - 1;
    println!("at rest after {steps} steps");
    assert!(steps.is_multiple_of(64) && (1024..20_000).contains(&steps), "{steps}");
    let force = simulation.read().unwrap().wall_forces[1].z;
    assert!((force / 5.0 - 1.0).abs() < 0.01, "{force}");
    // Looks in a row are counted over a kill.
    assert_survives_a_kill(&text, steps - 500, "before the servo is at rest");
}

#[test]
fn a_scene_with_driven_walls_is_written_as_it_was_read() {
    let scene = Scene::parse(&changing()).unwrap();
    assert_eq!(Scene::parse(&scene.to_toml().unwrap()).unwrap(), scene);
}

#[test]
fn mistakes_about_driven_walls_are_told_with_their_key() {
    let refused = |lid: &str| {
        let mut text = bed(SPRINGS, lid);
        if lid.contains("[[stage]]") {
            // Stages have durations of their own.
            text = text.replace(", duration = 0.6", "");
        }
        let told = Scene::parse(&text).and_then(|scene| Simulation::new(&scene, ".", false));
        told.err().unwrap_or_else(|| panic!("{lid} is taken")).to_string()
    };
    for (lid, key, problem) in [
        ("[[stage]]\nduration = 1.0\nend = { servo-at-rest = 0.1 }", "stage[0].end.servo-at-rest", "has a servo"),
        ("surface-velocity = [0, 0, inf]", "walls[1].surface-velocity", "finite"),
        ("servo = { speed = 0.1 }", "walls[1].servo", "one of `force` and `pressure`"),
        ("servo = { force = 1.0, pressure = 1.0, speed = 0.1 }", "walls[1].servo", "one of `force` and `pressure`"),
        ("servo = { force = 1.0, area = 1.0, speed = 0.1 }", "walls[1].servo", "belongs to `pressure`"),
        ("servo = { force = 1.0 }", "walls[1].servo", "a largest `speed`"),
        ("servo = { force = 1.0, mass = 1.0, speed = 1.0 }", "walls[1].servo", "a largest `speed`"),
        ("servo = { force = 1.0, mass = -1.0 }", "walls[1].servo.mass", "positive"),
        ("servo = { force = 1.0, speed = 0.0 }", "walls[1].servo.speed", "positive"),
        ("servo = { pressure = 1.0, speed = 1.0, direction = [0, 1, 1] }", "walls[1].servo", "needs an `area`"),
        (
            "servo = { force = 1.0, speed = 1.0 }\noscillation = { amplitude = [0, 0, 1], frequency = 1 }",
            "walls[1].servo",
            "leave out",
        ),
        ("servo = { force = 1.0, sped = 1.0 }", "sped", "speed"),
        ("oscillation = { amplitude = [0, 0, 1], frequency = -1 }", "walls[1].oscillation.frequency", "not negative"),
        ("table = { velocities = [] }", "walls[1].table.velocities", "one at least"),
        ("table = { positions = [[1, 0, 0, 0]] }", "walls[1].table.positions", "ascending from zero"),
        (
            "[[walls]]\nbox = { low = [0, 0, 0], high = [1, 1, 1] }\ntable = { positions = [[0, 0, 0, 0]] }",
            "walls[2]",
            "planes",
        ),
        (
            "[[stage]]\nduration = 1.0\nwalls = { lid = { move = { servo = { force = 1.0 } } } }",
            "stage[0].walls.lid.move.servo",
            "speed",
        ),
        (
            "[[stage]]\nduration = 1.0\nintegrator = { implicit = { alpha = 0.5 } }\n\
             walls = { lid = { move = { servo = { force = 1.0, speed = 1.0 } } } }",
            "stage[0].walls.lid.move.servo",
            "explicit",
        ),
    ] {
        let text = refused(lid);
        assert!(text.contains(key) && text.contains(problem), "{lid}: {text}");
    }
}

/// A row of discs that falls on another row, in a plane.
const FLAT: &str = r#"
    gravity = [0.0, 3.0, -9.81]
    integrator = "rodrigues-25"
    blocked = ["y", "spin-x", "spin-z"]
    time = { dt = 1e-4, duration = 0.2 }
    [contact]
    normal = { hooke = { stiffness = 1e5 } }
    damping = { restitution = 0.5 }
    tangential = { friction-spring = { stiffness = 3e4, gamma = 2.0, friction = 0.5 } }
    [[bodies]]
    place = { lattice = { origin = [0.0, 0.0, 0.5], count = [4, 1, 1], spacing = [1.05, 1.0, 1.0] } }
    radius = 0.5
    mass = 1.0
    [[bodies]]
    place = { lattice = { origin = [0.3, 0.3, 1.41], count = [3, 1, 1], spacing = [1.05, 1.0, 1.0] } }
    radius = 0.5
    mass = 1.0
    velocity = [0.5, 0.0, -1.0]
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
"#;

#[test]
fn blocked_motions_are_none_and_cost_no_energy() {
    let mut run = simulation(FLAT);
    let before = run.read().unwrap().balance().unwrap();
    while run.step().unwrap() < run.steps() {}
    let bodies = run.bodies();
    let state = run.state();
    for body in 0..bodies.len() {
        let velocity = state.velocity().get(body);
        let spin = state.spin(bodies, body);
        // The rows are not in one plane, so that forces lead out of both.
        let expected: f64 = if body < 4 { 0.0 } else { 0.3 };
        assert!(velocity.y.abs() + spin.x.abs() + spin.z.abs() < 1e-300, "{velocity} {spin}");
        assert!((state.position().get(body).y - expected).abs() < 1e-300, "{body}");
        // The fourth one is touched by nobody.
        assert!((spin.y.abs() > 1e-3) == (body != 3), "{body} {spin}");
    }
    let after = run.read().unwrap();
    let lost = after.energies.dissipated.unwrap();
    assert!(lost > 0.5 && (after.balance().unwrap() - before).abs() < 1e-2 * lost, "{before} {after:?}");
    let refused = |from: &str, to: &str| {
        let told = Scene::parse(&FLAT.replace(from, to)).and_then(|scene| Simulation::new(&scene, ".", false));
        told.err().unwrap_or_else(|| panic!("{to} is taken")).to_string()
    };
    let told = refused("velocity = [0.5, 0.0", "velocity = [0.5, 0.1");
    assert!(told.contains("bodies[1]") && told.contains("blocked"), "{told}");
    let told = refused("\"rodrigues-25\"", "{ implicit = { alpha = 0.5 } }");
    assert!(told.contains("blocked") && told.contains("explicit"), "{told}");
    let told = refused("\"spin-x\"", "\"spin\"");
    assert!(told.contains("blocked") && told.contains("spin-x"), "{told}");
}
