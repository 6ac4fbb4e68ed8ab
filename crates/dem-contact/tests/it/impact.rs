//! Tests of one contact, by velocity Verlet and by implicit steps: impacts against LAMMPS and the analytic solution, and
//! restitution and energy of bounces.

use crate::prelude::*;

enum Steps {
    Verlet(Box<(Explicit, ContactForce)>),
    Implicit(Box<ImplicitDem>),
}

impl Steps {
    fn new(form: Option<DiscreteForm>, contacts: ContactForce, dt: f64) -> Self {
        match form {
            None => Self::Verlet(Box::new((Explicit::new(Map::Verlet, dt).unwrap(), contacts))),
            Some(form) => Self::Implicit(Box::new(ImplicitDem::new(contacts, dt).unwrap().with_form(form).unwrap())),
        }
    }

    fn exactly(self) -> Self {
        let options = NewtonOptions::default().with_tolerance(1e-14);
        match self {
            Self::Implicit(map) => Self::Implicit(Box::new(map.with_options(options).unwrap())),
            verlet => verlet,
        }
    }

    fn step(&mut self, bodies: &Bodies, state: &mut State) {
        match self {
            Self::Verlet(both) => both.0.step(bodies, &mut both.1, state),
            Self::Implicit(map) => map.step(bodies, &mut NoForce, state),
        }
        .unwrap();
    }

    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        let elastic = match self {
            Self::Verlet(both) => both.1.elastic_energy(bodies, state),
            Self::Implicit(map) => map.elastic_energy(bodies, state),
        };
        kinetic_energy(bodies, state).total() + elastic.unwrap()
    }
}

fn hooke(gamma: f64) -> Hooke {
    Hooke::new(STIFFNESS, Damping::coefficient(gamma).unwrap()).unwrap()
}

/// Velocity error of one sphere at `time` after the first touch.
fn velocity_error(form: Option<DiscreteForm>, gamma: f64, time: f64, steps: usize) -> f64 {
    let (bodies, mut state) = moving(&[[DVec3::X * 0.5, -DVec3::X], [DVec3::X * -0.5, DVec3::X]]);
    let mut map = Steps::new(form, open(hooke(gamma), Frictionless), time / steps as f64);
    (0..steps).for_each(|_| map.step(&bodies, &mut state));
    // [DK21] (34) with b = γ_n/2: v = −e^{−bs} (cos ws − b/w sin ws)
    let b = 0.5 * gamma;
    let w = (2.0 * STIFFNESS - b * b).sqrt();
    let exact = -(-b * time).exp() * ((w * time).cos() - b / w * (w * time).sin());
    (state.velocity().get(0).x - exact).abs()
}

#[test]
fn orders_inside_a_contact() {
    use DiscreteForm::{ExactEnergy, MarsdenWest, Paper};
    // At the contact time itself the velocity of undamped spheres has an extremum, which hides phase errors of first
    // order, and spheres part, where the law has a kink.
    let damped = (60.0, time_of_contact());
    let undamped = (0.0, 0.9 * time_of_contact());
    for (form, (gamma, time), order) in [
        (Some(MarsdenWest { alpha: 0.5 }), damped, 2.0),
        (Some(Paper { alpha: 0.5 }), damped, 1.0),
        (Some(MarsdenWest { alpha: 0.0 }), damped, 1.0),
        (Some(Paper { alpha: 0.0 }), damped, 1.0),
        (Some(ExactEnergy), damped, 2.0),
        (Some(MarsdenWest { alpha: 0.5 }), undamped, 2.0),
        (Some(Paper { alpha: 0.5 }), undamped, 2.0),
        (Some(ExactEnergy), undamped, 2.0),
        (None, undamped, 2.0),
        // Verlet takes the damping at the half-kicked velocity, hence first order.
        (None, (60.0, undamped.1), 1.0),
    ] {
        let errors = [16, 32, 64, 128, 256, 512].map(|steps| velocity_error(form, gamma, time, steps));
        let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("{form:?}, gamma {gamma}: {errors:?} {orders:.3?}");
        let (coarsest, within) = if form.is_some() { (1, 0.05) } else { (2, 0.1) };
        for found in &orders[coarsest..] {
            assert!((found - order).abs() < within, "{form:?}, gamma {gamma}: {orders:?}");
        }
    }
}

/// Kinetic energies of one sphere after the impact of a row of LAMMPS' runs: translation, rotation.
fn impact(form: Option<DiscreteForm>, contacts: ContactForce, [x0, v, dy, dt]: [f64; 4]) -> [f64; 2] {
    // Most of the free flight, which changes only the position, is skipped.
    let x0 = x0 - v * dt * ((x0 - 0.51) / (v * dt)).floor();
    let (bodies, mut state) = moving(&[
        [DVec3::new(x0, 0.5 * dy, 0.0), DVec3::new(-v, 0.0, 0.0)],
        [DVec3::new(-x0, -0.5 * dy, 0.0), DVec3::new(v, 0.0, 0.0)],
    ]);
    let mut map = Steps::new(form, contacts, dt);
    let steps = ((2.0 * (x0 - 0.5) / v + 0.05) / dt) as usize;
    (0..steps).for_each(|_| map.step(&bodies, &mut state));
    let separation = state.position().get(0) - state.position().get(1);
    assert!(separation.length() > 1.0 && separation.dot(state.velocity().get(0)) > 0.0, "still in contact");
    let spin = state.spin(&bodies, 0);
    [0.5 * state.velocity().get(0).length_squared(), 0.5 * bodies.inertia().get(0).x * spin.length_squared()]
}

#[test]
fn final_energies_are_those_of_lammps() {
    let sweep = csv("impact_phase_sweep.csv");
    type Row = std::collections::HashMap<String, String>;
    let spread = |row: &Row, column: &str| {
        let same = sweep.iter().filter(|other| {
            ["gamma_n", "dy", "tc_over_dt"].iter().all(|c| (number(other, c) - number(row, c)).abs() < 1e-9)
        });
        let values: Vec<f64> = same.map(|other| number(other, column)).collect();
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        (!values.is_empty()).then_some(high - low)
    };
    for (form, rows) in [(None, 20), (Some(DiscreteForm::SECOND_ORDER), 16), (Some(DiscreteForm::ExactEnergy), 16)] {
        let mut checked = 0;
        let mut worst = [0.0_f64; 2];
        // With gamma = 600 the error of LAMMPS itself is larger than that of implicit steps: it takes the damping at
        // half-kicked velocities, which is of first order.
        let fine = |row: &&Row| {
            (number(row, "tc_over_dt") - 160.0).abs() < 1e-9 && (form.is_none() || number(row, "gamma_n") < 100.0)
        };
        for row in csv("impact_summary.csv").iter().filter(fine) {
            let mut law = hooke(number(row, "gamma_n"));
            if row["lim"] == "limit_damping" {
                law = law.capped();
            }
            let [x0, v, dy, dt] = ["x0", "v", "dy", "dt"].map(|name| number(row, name));
            let run = |phase: f64| {
                let gamma = number(row, "gamma_t");
                let contacts = match form {
                    _ if number(row, "mu") > 1.0 => open(law, Viscous::new(gamma).unwrap()),
                    None => open(law, CoulombViscous::new(gamma, 0.0).unwrap()),
                    Some(_) => open(law, Frictionless),
                };
                impact(form, contacts, [x0 + phase * v * dt, v, dy, dt])
            };
            let found = run(0.0);
            let own = |k: usize| {
                let values: [f64; 10] = std::array::from_fn(|phase| run(0.1 * phase as f64)[k]);
                values.iter().fold(f64::MIN, |m, v| m.max(*v)) - values.iter().fold(f64::MAX, |m, v| m.min(*v))
            };
            let initial = 0.5 * v.powi(2);
            for (k, column) in ["KT_final", "KR_final"].into_iter().enumerate() {
                let error = (found[k] - number(row, column)).abs() / initial;
                // Where the spread of LAMMPS over phases is not given, the spread of the form is taken.
                let spread = spread(row, column).unwrap_or_else(|| if form.is_some() { own(k) } else { 0.0 });
                let allowed = 1e-3_f64.max(spread / initial);
                assert!(error <= allowed, "{form:?} {} {column}: off by {error:e} > {allowed:e}", row["name"]);
                worst[k] = worst[k].max(error);
            }
            checked += 1;
        }
        assert_eq!(checked, rows, "{form:?}");
        println!("{form:?}: translation off by {:e}, rotation by {:e} of the initial energy", worst[0], worst[1]);
    }
}

/// Under strong damping, where LAMMPS is inaccurate, the speed after the impact is that of the analytic solution.
#[test]
fn strongly_damped_impacts_end_as_they_should() {
    let gamma = 600.0;
    let dt = time_of_contact() / 160.0;
    let b = 0.5 * gamma;
    let exact = 0.5 * (-2.0 * b * std::f64::consts::PI / (2.0 * STIFFNESS - b * b).sqrt()).exp();
    for phase in [0.0, 0.2, 0.4, 0.6, 0.8] {
        let contacts = open(hooke(gamma), Frictionless);
        let [found, _] = impact(Some(DiscreteForm::SECOND_ORDER), contacts, [1.0 + phase * dt, 1.0, 0.0, dt]);
        // The contact begins and ends within a step.
        assert!((found - exact).abs() < 2e-3, "phase {phase}: {found} for {exact}");
        println!("phase {phase}: {found} for {exact}");
    }
}

/// Gap in m between a sphere in the middle and each wall: a few steps of free flight.
const GAP: f64 = 0.0005;

/// Largest deviation of the energy at any time and the final one of `most` bounces between two planes.
fn bounces(form: Option<DiscreteForm>, per_contact: f64, speed: f64, phase: f64, most: usize) -> [f64; 2] {
    let dt = time_of_contact() / per_contact;
    let walls = [-1.0, 1.0].map(|side| Wall::plane(DVec3::X * (0.5 + GAP) * side, -DVec3::X * side));
    let contacts = open(hooke(0.0), Frictionless).with_walls(walls).unwrap();
    let (bodies, mut state) = moving(&[[DVec3::X * (speed * dt * phase), DVec3::X * speed]]);
    let mut map = Steps::new(form, contacts, dt).exactly();
    let start = 0.5 * speed * speed;
    let mut count = 0;
    let mut touching = false;
    let mut worst = [0.0_f64; 2];
    while count < most {
        map.step(&bodies, &mut state);
        let error = map.energy(&bodies, &state) / start - 1.0;
        worst = [worst[0].max(error.abs()), error];
        let now = state.position().get(0).x.abs() > GAP;
        count += usize::from(touching && !now);
        touching = now;
    }
    worst
}

/// Checks the bounces of four speeds and of as many phases of the first contact between two steps.
fn assert_energy_is_kept(form: Option<DiscreteForm>, per_contact: f64, allowed: f64, phases: u32, most: usize) {
    let phase = |k: u32| f64::from(k) / f64::from(phases);
    let mut ends = Vec::new();
    let mut worst = 0.0_f64;
    for (speed, k) in [0.1, 0.5, 1.0, 2.0].into_iter().flat_map(|speed| (0..phases).map(move |k| (speed, k))) {
        let [any, end] = bounces(form, per_contact, speed, phase(k), most);
        worst = worst.max(any);
        ends.push(end);
    }
    let mean = ends.iter().sum::<f64>() / ends.len() as f64;
    let rms = (ends.iter().map(|e| e * e).sum::<f64>() / ends.len() as f64).sqrt();
    println!("{form:?}, t_c/{per_contact}: worst {worst:e}, final mean {mean:e}, rms {rms:e}");
    assert!(worst <= allowed, "{form:?}, t_c/{per_contact}: {worst:e}");
    let chance = rms / (ends.len() as f64).sqrt();
    assert!(mean.abs() < 3.0 * chance, "{form:?}: systematic: mean {mean:e}, of which {chance:e} is chance");
    for (speed, k) in [0.1, 2.0].into_iter().flat_map(|speed| (0..phases).map(move |k| (speed, k))) {
        if form.is_some() {
            let [exact, _] = bounces(Some(DiscreteForm::ExactEnergy), per_contact, speed, phase(k), most);
            assert!(exact <= 1e-12, "exact energy: {exact:e}");
        }
    }
}

#[test]
fn energy_is_kept_over_hundreds_of_bounces() {
    assert_energy_is_kept(None, 32.0, 1.5e-2, 4, 250);
    // A bounce takes five times as many fine steps, so there are fewer bounces.
    assert_energy_is_kept(None, 160.0, 3e-4, 2, 50);
    assert_energy_is_kept(Some(DiscreteForm::SECOND_ORDER), 32.0, 1.5e-2, 3, 250);
}

#[test]
#[ignore = "soak: two million implicit steps; that forms are of second order is tested inside one contact"]
fn energy_is_kept_over_250_bounces_in_fine_steps() {
    assert_energy_is_kept(Some(DiscreteForm::SECOND_ORDER), 160.0, 3e-4, 10, 250);
}

/// Returns the speed after over the speed before the first bounce of a sphere dropped on a floor.
fn bounce(law: impl ContactLaw + 'static) -> f64 {
    // The run begins at the end of a fall from the height one: just above the floor, at the speed √2.
    let (bodies, mut state) = moving(&[[DVec3::Z * (0.5 + 1e-4), DVec3::Z * -2.0_f64.sqrt()]]);
    let field = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    // Gravity adds the deepest overlap times g to the energy of the impact, which is negligible on this hard floor.
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, field);
    let mut map = Explicit::new(Map::Verlet, 2e-7).unwrap();
    let mut before = 0.0;
    loop {
        map.step(&bodies, &mut field, &mut state).unwrap();
        let height = state.position().get(0).z;
        let speed = state.velocity().get(0).z;
        if height > 0.5 && speed < 0.0 {
            before = speed;
        }
        if height > 0.5 && speed > 0.0 {
            return -speed / before;
        }
    }
}

#[test]
fn the_bounce_has_the_restitution_asked_for() {
    for wanted in [0.3, 0.5, 0.7, 0.9, 0.95] {
        let restitution = Damping::restitution(wanted).unwrap();
        let capped = Damping::restitution_capped(wanted).unwrap();
        for (name, found) in [
            ("Hooke", bounce(Hooke::new(1e7, restitution).unwrap())),
            ("Hooke, capped", bounce(Hooke::new(1e7, capped).unwrap())),
            ("Hertz", bounce(Hertz::new(1e9, restitution).unwrap())),
            ("Hertz, capped", bounce(Hertz::new(1e9, capped).unwrap())),
        ] {
            println!("{name}: asked {wanted}, found {found}");
            assert!((found - wanted).abs() < 1e-3, "{name}: asked {wanted}, found {found}");
        }
    }
}
