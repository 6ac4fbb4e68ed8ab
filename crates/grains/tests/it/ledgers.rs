//! Energy ledgers of integrators without their own: dissipation of contacts and work of walls explain the change of
//! energy. Static equilibrium has no ledger.

use grains::Reading;

use crate::support::{FRICTION, drift, each_step, made_in, simulation, whole};

fn ends(text: &str) -> [Reading; 2] {
    let mut simulation = simulation(text);
    let first = simulation.read().unwrap();
    each_step(&mut simulation, |_| ());
    [first, simulation.read().unwrap()]
}

/// A moving wall hits a row of two spheres that approach each other.
fn piston(integrator: &str, dt: f64) -> String {
    format!(
        r#"
        integrator = {integrator}
        time = {{ dt = {dt}, duration = 0.5 }}
        [contact]
        normal = {{ hooke = {{ stiffness = 2000.0 }} }}
        damping = {{ restitution = 0.6 }}
        tangential = {{ viscous = {{ gamma = 5.0 }} }}
        [[bodies]]
        place = {{ list = [[0.0, 0.0, 0.0], [1.1, 0.2, 0.0]] }}
        velocities = [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]
        radius = 0.5
        mass = 1.0
        [[walls]]
        plane = {{ point = [-0.6, 0.0, 0.0], normal = [1.0, 0.0, 0.0], velocity = [1.5, 0.5, 0.0] }}
    "#
    )
}

/// Returns the change of the balance relative to the dissipated energy; walls must have done work.
#[track_caller]
fn off([first, last]: &[Reading; 2]) -> f64 {
    let dissipated = last.energies.dissipated.unwrap();
    let work = last.energies.wall_work.unwrap();
    assert!(dissipated > 0.1 && work > 0.5, "{dissipated} {work}");
    (last.balance().unwrap() - first.balance().unwrap()).abs() / dissipated
}

#[test]
fn implicit_steps_know_what_damping_took_and_walls_gave() {
    for integrator in ["{ implicit = { alpha = 0.5 } }", "\"exact-energy\""] {
        let [coarse, fine] = [8e-4, 2e-4].map(|dt| off(&ends(&piston(integrator, dt))));
        println!("{integrator}: off by {coarse:.1e}, then {fine:.1e}");
        assert!(coarse < 2e-2 && fine < 5e-3 && fine < 0.5 * coarse, "{integrator}: {coarse} {fine}");
    }
}

/// The bed of a stored run continues for ten contact times, with friction and damping, at several step lengths.
#[test]
fn the_balance_from_a_stored_state_is_of_second_order() {
    let home = tempfile::tempdir().unwrap();
    let text = FRICTION.replace("duration = 0.08", "duration = 0.4");
    let (head, _) = text.split_once("[output]").unwrap();
    whole(&format!("{head}[output]\ncheckpoints = {{ steps = 1000 }}\n"), &home.path().join("first"));
    let (before, after) = head.split_once("[[bodies]]").unwrap();
    let (_, walls) = after.split_once("[[walls]]").unwrap();
    // π √(m/2k).
    let contact_time = std::f64::consts::PI * (1.0 / 4000.0_f64).sqrt();
    let off = |parts: u32| {
        let time = format!("time = {{ dt = {}, duration = {} }}", contact_time / f64::from(parts), 10.0 * contact_time);
        let begun = format!("start = \"first/checkpoint.grains\"\n{before}\n[[walls]]{walls}");
        let begun = begun.replace("time = { dt = 5e-4, duration = 0.4 }", &time);
        let mut simulation = made_in(home.path(), &begun).unwrap();
        let worst = drift(&mut simulation, 1, |_, _| ());
        let energies = simulation.read().unwrap().energies;
        let through = energies.dissipated.unwrap() + energies.wall_work.unwrap().abs();
        assert!(through > 1.0, "{through}");
        worst / through
    };
    let found = [50, 100, 200].map(off);
    let order = (found[0] / found[2]).log2() / 2.0;
    println!("the balance is off by {found:?} of the energy put through, order {order:.2}");
    assert!(found[1] < 1e-3 && order > 1.7, "{found:?} {order}");
}

/// Spheres pressed together fly past a gate, which removes one of them meanwhile.
#[test]
fn the_balance_over_a_removal_under_load_is_of_second_order() {
    let off = |adhesion: &str, looks: u32| {
        let text = format!(
            r#"
            integrator = "verlet"
            time = {{ dt = {}, duration = 0.04 }}
            [contact]
            normal = {{ hertz = {{ modulus = 3000.0 }} }}
            damping = {{ restitution = 0.6 }}
            tangential = {{ friction-spring = {{ stiffness = 600.0, gamma = 1.0, friction = 0.5 }} }}
            {adhesion}
            [[bodies]]
            place = {{ list = [[0.0, 0.0, 0.0], [0.96, 0.0, 0.0], [0.0, 0.97, 0.0]] }}
            velocity = [1.0, 0.5, 0.0]
            spin = [0.0, 0.0, 3.0]
            radius = 0.5
            mass = 1.0
            [[gates]]
            shape = {{ plane = {{ point = [0.97, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] }} }}
            remove = true
            every = {{ time = 0.02 }}
        "#,
            0.02 / f64::from(looks)
        );
        let mut simulation = simulation(&text);
        let mut before = simulation.read().unwrap();
        let mut released = 0.0;
        let worst = drift(&mut simulation, 1, |_, reading| {
            if reading.contacts.len() < before.contacts.len() {
                released += before.energies.elastic - reading.energies.elastic;
            }
            before = reading;
        });
        assert!(simulation.ids() == [0, 2] && released > 0.02, "{:?} {released}", simulation.ids());
        worst
    };
    for adhesion in ["", "adhesion = { jkr = 1.0 }"] {
        let found = [50, 100, 200].map(|looks| off(adhesion, looks));
        let order = (found[0] / found[2]).log2() / 2.0;
        println!("{adhesion}: the balance is off by {found:?} J, order {order:.2}");
        assert!(found[1] < 1e-4 && order > 1.7, "{adhesion}: {found:?} {order}");
    }
}

#[test]
fn work_that_is_not_known_is_not_shown() {
    let spring = "friction-spring = { stiffness = 500.0, friction = 0.5 }";
    let sprung = piston("\"exact-energy\"", 8e-4).replace("viscous = { gamma = 5.0 }", spring);
    let paper = piston("{ implicit = { alpha = 0.5, form = \"paper\" } }", 8e-4);
    for text in [sprung, paper] {
        let [_, last] = ends(&text);
        assert!(last.energies.dissipated.is_none() && last.balance().is_none());
    }
}

#[test]
fn contact_dynamics_knows_what_impacts_took_and_walls_gave() {
    for restitution in [0.0, 0.5] {
        let integrator = format!("{{ contact-dynamics = {{ restitution = {restitution} }} }}");
        let found = ends(&piston(&integrator, 1e-2));
        // Without gravity the ledger closes to the tolerance of the solver.
        assert!(off(&found) < 1e-8, "{restitution}: {}", off(&found));
    }
}

/// Balls fall, bounce and lie on a moving floor, in long steps. The energy is known to the tolerance of the solver at
/// all times, since the reading accounts for positions half a step ahead of velocities.
#[test]
fn contact_dynamics_knows_the_work_of_gravity() {
    let materials = r#"contact = { normal = "hertz-mindlin", materials = [
        { name = "ball", young = 1e6, poisson = 0.3, restitution = 0.5, friction = 0.4 }] }"#;
    for (contact, restitution) in [("", "restitution = 0.5, "), (materials, "")] {
        let text = format!(
            r#"
            gravity = [1.0, 0.0, -9.81]
            integrator = {{ contact-dynamics = {{ {restitution}tolerance = 1e-12 }} }}
            {contact}
            time = {{ dt = 0.01, duration = 1.0 }}
            [[bodies]]
            place = {{ list = [[0.0, 0.0, 1.0], [0.2, 0.0, 2.1]] }}
            velocity = [0.5, 0.0, 0.0]
            radius = 0.5
            mass = 1.0
            [[walls]]
            plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], velocity = [0.0, 0.0, 0.1] }}
            "#
        );
        let mut simulation = simulation(&text);
        let mut ahead = 0.0_f64;
        let worst = drift(&mut simulation, 1, |_, reading| ahead = ahead.max(reading.energies.staggered.abs()));
        let Reading { energies, .. } = simulation.read().unwrap();
        println!("off by {worst:.1e} J, {ahead:.2} J by half a step, {:?}", energies);
        assert!(energies.dissipated.unwrap() > 5.0 && energies.wall_work.unwrap() > 1.0 && ahead > 0.1, "{energies:?}");
        assert!(worst < 1e-8, "{worst}");
    }
}

#[test]
fn static_equilibrium_leaves_out_what_only_motion_feels() {
    let text = r#"
        gravity = [0.0, 0.0, -1.0]
        integrator = { static = {} }
        time = { duration = 1.0 }
        bodies = [{ place = { list = [[0.0, 0.0, 0.5]] }, radius = 0.5, mass = 1.0 }]
        walls = [{ plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]
        [contact]
        normal = { hooke = { stiffness = 1000.0 } }
        damping = { restitution = 0.6 }
        tangential = { viscous = { gamma = 5.0 } }
    "#;
    let mut simulation = simulation(text);
    assert_eq!((simulation.step().unwrap(), simulation.steps()), (1, 1));
    let sunk = 0.5 - simulation.state().position().get(0).z;
    assert!((sunk - 1e-3).abs() < 1e-12, "{sunk}");
}
