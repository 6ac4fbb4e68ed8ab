//! Global damping in scenes: column of its work, changes by stages, refusal by other integrators.

use crate::refused::assert_refused;
use crate::support::{change_of_balance, drift, simulation};

const FALL: &str = r#"
    gravity = [0.0, 0.0, -10.0]
    integrator = "verlet"
    time = { dt = 2e-4, duration = 1.0 }
    global-damping = { viscous = 3.0 }
    [contact]
    normal = { hertz = { modulus = 1e5 } }
    tangential = { friction-spring = { stiffness = 3e3, friction = 0.5 } }
    [[bodies]]
    place = { list = [[0.0, 0.0, 0.6], [1.3, 0.0, 1.5]] }
    velocity = [0.5, 0.0, 0.0]
    spin = [0.0, 5.0, 1.0]
    radius = 0.5
    mass = 1.0
    [[walls]]
    plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
    [output]
    series = { steps = 50 }
    checkpoints = { steps = 70 }
"#;

/// Returns the energy dissipated by damping, and the change of the balance.
fn end(text: &str) -> (f64, f64) {
    let (reading, change) = change_of_balance(&mut simulation(text));
    (reading.energies.damped, change.abs())
}

/// The error of the balance is as small as without damping.
#[test]
fn the_work_of_damping_closes_the_balance() {
    let undamped = end(&FALL.replace("global-damping", "#")).1;
    for damping in ["viscous = 3.0", "cundall = 0.5"] {
        let (damped, off) = end(&FALL.replace("viscous = 3.0", damping));
        println!("{damping}: {damped} J, off by {off:.1e} J, without by {undamped:.1e} J");
        assert!(damped > 3.0 && off < 2e-4 * damped, "{damping}: {damped} {off}");
    }
}

#[test]
fn stages_change_damping_and_keep_its_work() {
    let stages = FALL.replace("duration = 1.0 ", "").replace(", }", " }").replace(
        "[output]",
        "[[stage]]\nduration = 0.5\n[[stage]]\nduration = 0.3\nglobal-damping = \"off\"\n\
         [[stage]]\nduration = 0.2\nglobal-damping = { cundall = 0.8 }\n[output]",
    );
    let mut simulation = simulation(&stages);
    let mut work = Vec::new();
    let off = drift(&mut simulation, 1, |_, reading| work.push(reading.energies.damped));
    let at = |time: f64| work[(time / 2e-4) as usize];
    assert!(at(0.45) > 1.0 && (at(0.55) - at(0.75)).abs() < 1e-12 && at(0.95) > at(0.75) + 0.1);
    assert!(off < 2e-3, "{off}");
}

#[test]
fn what_cannot_be_damped_is_refused() {
    let table = r#"
        viscous = 3.0 => viscous = 0.0 | `global-damping.viscous` | must be
        viscous = 3.0 => viscous = inf | `global-damping.viscous` | must be
        viscous = 3.0 => cundall = 1.0 | `global-damping.cundall` | must be
        viscous = 3.0 => cundall = -0.1 | `global-damping.cundall` | must be
        [contact] => [box]\nlow = [-5.0, -5.0, -5.0]\nhigh = [5.0, 5.0, 5.0]\nstrain-rate = [0.1, 0.0, 0.0]\nBOUNDARY\n[contact]
            | deforms
    "#;
    assert_refused(FALL, &table.replace("BOUNDARY", r#"boundary = ["periodic", "open", "open"]"#));
    let table = r#"
        "verlet" => { implicit = { alpha = 0.5 } } | explicit
        "verlet" => { static = {} } | explicit
    "#;
    assert_refused(&FALL.replace("    tangential", "    #"), table);
}
