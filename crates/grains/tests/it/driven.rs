//! Driven walls: oscillations, tables and servos.

use crate::refused::{assert_refused, refusal};
use crate::support::{
    assert_survives_kills, change_of_balance, each_step, largest_drift, made_in, simulation, whole, with,
};

/// A bed of spheres, partly disordered, between a floor and a lid, with periodic sides.
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
    contact = { normal = { hertz = { modulus = 1e7 } }, damping = { restitution = 0.4 } }
"#;
const GLASS: &str = r#"
    [contact]
    normal = "hertz-mindlin"
    materials = [{ name = "soft", young = 1e7, poisson = 0.3, restitution = 0.5, friction = 0.3 }]
"#;

#[test]
fn three_beds_bear_what_is_wanted_within_half_a_percent() {
    let controlled = "servo = { pressure = 2000.0, speed = 0.2 }";
    let free = "servo = { force = 5.0, mass = 0.05 }";
    // The check covers the last eighth. Beds without friction take longest to settle.
    let beds = [
        ("springs", SPRINGS, controlled, "0.6 }"),
        ("Hertz", SLIPPERY, controlled, "0.8 }"),
        ("glass", GLASS, free, "0.3 }"),
    ];
    let off = beds.map(|(name, contact, lid, duration)| {
        let mut simulation = simulation(&bed(contact, lid).replace("0.6 }", duration));
        let mut parts = [[0.0; 2]; 8];
        let steps = simulation.steps();
        each_step(&mut simulation, |simulation| {
            if simulation.steps_taken().is_multiple_of(20) && !simulation.is_over() {
                let force = simulation.read().unwrap().wall_forces[1].z;
                let [sum, count] = &mut parts[(simulation.steps_taken() * 8 / steps) as usize];
                *sum += (force / 5.0 - 1.0_f64).powi(2);
                *count += 1.0;
            }
        });
        let off = parts.map(|[sum, count]| f64::sqrt(sum / count));
        println!("{name}: the force on the lid is off by {off:.6?} (root of the mean square, by eighths of the run)");
        off[7]
    });
    assert!(off.iter().all(|&off| off < 5e-3), "{off:?}");
}

#[test]
fn the_ledger_closes_with_what_a_servo_gives() {
    let text = bed(SPRINGS, "servo = { force = 5.0, speed = 0.2, response = 2e-3 }").replace("0.6 }", "0.06 }");
    let drift = |dt: &str| largest_drift(&with(&text, "2e-5", dt), 20, |reading| reading.energies.wall_work.unwrap());
    let [[coarse, _], [fine, work]] = ["1e-5", "5e-6"].map(drift);
    println!("balance off by {coarse:.2e} J, by {fine:.2e} J with half the step, of {work:.2e} J");
    assert!(work > 1e-4 && fine < 1e-3 * work && fine < 0.4 * coarse, "{coarse} {fine} {work}");
}

/// A dense bed in a periodic box that shears, with a servo along y.
pub(crate) const SHEARED: &str = include_str!("../data/sheared.toml");

#[test]
fn the_work_of_a_sheared_box_is_in_the_ledger() {
    let off = |dt: &str| {
        let [largest, work] = largest_drift(&with(SHEARED, "2e-4", dt), 20, |reading| reading.energies.box_work);
        assert!(work > 10.0, "{work}");
        largest / work
    };
    let [coarse, fine] = ["2e-4", "1e-4"].map(off);
    println!("the balance is off by {coarse:.1e} of the work of the box at most, by {fine:.1e} with half the step");
    assert!(coarse < 1e-3 && fine < 0.6 * coarse, "{coarse}, {fine}");
}

/// The sheared bed in stages with different deformations of the box, and finally at rest.
pub(crate) fn deforming() -> String {
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
    format!("{}{stages}", with(SHEARED, ", duration = 0.4", ""))
}

#[test]
fn mistakes_about_boxes_that_deform_are_told_with_their_key() {
    let table = r#"
        across = "y" => across = "x" | box.shear | another
        rate = 1.0 }\nservo => rate = nan }\nservo | box.shear.rate | finite
        y = 2000.0 => y = -2000.0 | box.servo.y | positive
        y = 2000.0, => | box.servo | `x`, `y` and `z`
        servo = { => strain-rate = [0.0, 0.1, 0.0]\nservo = { | box.servo.y | strain-rate
        ["periodic", "periodic", => ["periodic", "open", | box.shear | periodic
        "verlet" => { implicit = { alpha = 0.5 } } | box.shear | explicit
        [output] => [[measure]]\nname = "m"\nevery = { steps = 1 }\nregion = CORNER\n[output] | measure[0].region | deforms
        [output] => [[gates]]\nshape = CORNER\nevery = { steps = 1 }\n[output] | gates[0].shape | plane
        [output] => [[walls]]\nplane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }\n[output] | box.servo | walls
        "verlet" => "verlet"\nties = { stiffness = 1e3 } | ties | deforms
    "#;
    assert_refused(SHEARED, &table.replace("CORNER", "{ box = { low = [1.0, 1.0, 1.0], high = [2.0, 2.0, 2.0] } }"));
}

/// Later stages keep the box of earlier ones, as does a scene that starts from the result.
#[test]
fn a_box_that_has_deformed_is_not_forgotten() {
    let stages = "[[stage]]\nduration = 0.02\n[[stage]]\nduration = 0.01\nbox = {}\n";
    let text = format!("{}{stages}", with(SHEARED, ", duration = 0.4", ""));
    let told = refusal(&format!("{text}integrator = {{ implicit = {{ alpha = 0.5 }} }}"));
    assert!(told.contains("stage[1].integrator") && told.contains("explicit"), "{told}");
    let home = tempfile::tempdir().unwrap();
    whole(&text, &home.path().join("first"));
    let begun = format!("start = \"first/checkpoint.grains\"\n{SHEARED}");
    let (before, after) = begun.split_once("[[bodies]]").unwrap();
    let begun = format!("{before}[output]{}", after.split_once("[output]").unwrap().1);
    let told = made_in(home.path(), &begun).unwrap_err().to_string();
    assert!(told.contains("checkpoint.grains") && told.contains("sheared"), "{told}");
}

/// A lid with a servo, then with a table, then with an oscillation, and finally with a servo with mass.
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
    low_lid(&format!("servo = {{ force = 5.0, speed = 0.4 }}\n{outputs}\n{stages}"))
}

/// The bed of springs in stages, with a lid in contact.
fn low_lid(lid: &str) -> String {
    bed(SPRINGS, lid).replace(", duration = 0.6", "").replace("0.0, 0.0, 0.045", "0.0, 0.0, 0.0404")
}

#[test]
fn a_stage_ends_when_its_servo_is_at_rest() {
    let outputs = "[output]\nseries = { steps = 50 }\ncheckpoints = { steps = 500 }";
    let stages = "[[stage]]\nduration = 0.5\nend = { servo-at-rest = 0.01 }\n[[stage]]\nduration = 2e-4";
    let text = low_lid(&format!("servo = {{ force = 5.0, speed = 0.4 }}\n{outputs}\n{stages}"));
    let mut simulation = simulation(&text);
    while simulation.stage() == 0 {
        simulation.step().unwrap();
    }
    let steps = simulation.steps_taken() - 1;
    println!("at rest after {steps} steps");
    assert!(steps.is_multiple_of(64) && (1024..20_000).contains(&steps), "{steps}");
    let force = simulation.read().unwrap().wall_forces[1].z;
    assert!((force / 5.0 - 1.0).abs() < 0.01, "{force}");
    // The count of consecutive checks survives a kill.
    assert_survives_kills(&text, &[steps - 500], "before the servo is at rest");
}

#[test]
fn mistakes_about_driven_walls_are_told_with_their_key() {
    let table = r#"
        LID => surface-velocity = [0, 0, inf] | walls[1].surface-velocity | finite
        LID => servo = { speed = 0.1 } | walls[1].servo | one of `force` and `pressure`
        LID => servo = { force = 1.0, pressure = 1.0, speed = 0.1 } | walls[1].servo | one of `force` and `pressure`
        LID => servo = { force = 1.0, area = 1.0, speed = 0.1 } | walls[1].servo | belongs to `pressure`
        LID => servo = { force = 1.0 } | walls[1].servo | a largest `speed`
        LID => servo = { force = 1.0, mass = 1.0, speed = 1.0 } | walls[1].servo | a largest `speed`
        LID => servo = { force = 1.0, mass = -1.0 } | walls[1].servo.mass | positive
        LID => servo = { force = 1.0, speed = 0.0 } | walls[1].servo.speed | positive
        LID => servo = { pressure = 1.0, speed = 1.0, direction = [0, 1, 1] } | walls[1].servo | needs an `area`
        LID => servo = { force = 1.0, speed = 1.0 }\noscillation = { amplitude = [0, 0, 1], frequency = 1 }
            | walls[1].servo | leave out
        LID => servo = { force = 1.0, sped = 1.0 } | sped | speed
        LID => oscillation = { amplitude = [0, 0, 1], frequency = -1 } | walls[1].oscillation.frequency | not negative
        LID => table = { velocities = [] } | walls[1].table.velocities | one at least
        LID => table = { positions = [[1, 0, 0, 0]] } | walls[1].table.positions | ascending from zero
        LID => [[walls]]\nbox = { low = [0, 0, 0], high = [1, 1, 1] }\ntable = { positions = [[0, 0, 0, 0]] }
            | walls[2] | planes
    "#;
    assert_refused(&bed(SPRINGS, "LID"), table);
    let table = r#"
        LID => end = { servo-at-rest = 0.1 } | stage[0].end.servo-at-rest | has a servo
        LID => walls = { lid = { move = { servo = { force = 1.0 } } } } | stage[0].walls.lid.move.servo | speed
        LID => integrator = { implicit = {} }\nwalls = { lid = { move = { servo = { force = 1.0, speed = 1.0 } } } }
            | stage[0].walls.lid.move.servo | explicit
    "#;
    assert_refused(&low_lid("[[stage]]\nduration = 1.0\nLID"), table);
}

/// A row of discs that falls on another row in a plane.
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
    let (after, change) = change_of_balance(&mut run);
    let bodies = run.bodies();
    let state = run.state();
    for body in 0..bodies.len() {
        let velocity = state.velocity().get(body);
        let spin = state.spin(bodies, body);
        // The rows are in different planes, so that forces point out of both planes.
        let expected: f64 = if body < 4 { 0.0 } else { 0.3 };
        assert!(velocity.y.abs() + spin.x.abs() + spin.z.abs() < 1e-300, "{velocity} {spin}");
        assert!((state.position().get(body).y - expected).abs() < 1e-300, "{body}");
        // The fourth disc has no contact.
        assert!((spin.y.abs() > 1e-3) == (body != 3), "{body} {spin}");
    }
    let lost = after.energies.dissipated.unwrap();
    assert!(lost > 0.5 && change.abs() < 1e-2 * lost, "{change} {after:?}");
    let table = r#"
        velocity = [0.5, 0.0 => velocity = [0.5, 0.1 | bodies[1] | blocked
        "rodrigues-25" => { implicit = { alpha = 0.5 } } | blocked | explicit
        "spin-x" => "spin" | blocked | spin-x
    "#;
    assert_refused(FLAT, table);
}
