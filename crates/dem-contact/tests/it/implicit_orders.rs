//! Tests of the discrete forms inside one contact, against the analytic solution, and of whole impacts against LAMMPS.

use crate::prelude::*;

const STIFFNESS: f64 = 195_000.0;

fn contact_time() -> f64 {
    std::f64::consts::PI * (0.5 / STIFFNESS).sqrt()
}

/// Velocity error of one sphere after `time`, started at the touch.
fn velocity_error(form: DiscreteForm, gamma: f64, time: f64, steps: usize) -> f64 {
    let law = Hooke::new(STIFFNESS, Damping::coefficient(gamma).unwrap()).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::X * 0.5, DVec3::X * -0.5]);
    state.velocity_mut().set(0, -DVec3::X);
    state.velocity_mut().set(1, DVec3::X);
    let mut map = ImplicitDem::new(open(law, Frictionless), time / steps as f64).unwrap().with_form(form).unwrap();
    for _ in 0..steps {
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
    }
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
    // order.
    let damped = (60.0, contact_time());
    let undamped = (0.0, 0.9 * contact_time());
    for (form, (gamma, time), order) in [
        (MarsdenWest { alpha: 0.5 }, damped, 2.0),
        (Paper { alpha: 0.5 }, damped, 1.0),
        (MarsdenWest { alpha: 0.0 }, damped, 1.0),
        (Paper { alpha: 0.0 }, damped, 1.0),
        (ExactEnergy, damped, 2.0),
        (MarsdenWest { alpha: 0.5 }, undamped, 2.0),
        (Paper { alpha: 0.5 }, undamped, 2.0),
        (ExactEnergy, undamped, 2.0),
    ] {
        let errors = [16, 32, 64, 128, 256, 512].map(|steps| velocity_error(form, gamma, time, steps));
        let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("{form:?}, gamma {gamma}: {errors:?} {orders:.3?}");
        for found in &orders[1..] {
            assert!((found - order).abs() < 0.05, "{form:?}, gamma {gamma}: {orders:?}");
        }
    }
}

/// Kinetic energies of one sphere after the impact of a row of LAMMPS' runs: translation, rotation.
fn impact(
    form: DiscreteForm,
    law: Hooke,
    tangential: impl TangentialLaw + Copy + 'static,
    [x0, v, dy, dt]: [f64; 4],
) -> [f64; 2] {
    // Most of the free flight is skipped: it changes nothing but the place.
    let x0 = x0 - v * dt * ((x0 - 0.51) / (v * dt)).floor();
    let (bodies, mut state) = spheres(&[DVec3::new(x0, 0.5 * dy, 0.0), DVec3::new(-x0, -0.5 * dy, 0.0)]);
    state.velocity_mut().set(0, DVec3::new(-v, 0.0, 0.0));
    state.velocity_mut().set(1, DVec3::new(v, 0.0, 0.0));
    let mut map = ImplicitDem::new(open(law, tangential), dt).unwrap().with_form(form).unwrap();
    let steps = ((2.0 * (x0 - 0.5) / v + 0.05) / dt) as usize;
    for _ in 0..steps {
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
    }
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
    for form in [DiscreteForm::SECOND_ORDER, DiscreteForm::ExactEnergy] {
        let mut checked = 0;
        let mut worst = [0.0_f64; 2];
        // With gamma = 600 the error of LAMMPS itself is larger: it takes the damping at half-kicked velocities, which
        // is of first order.
        let fine = |row: &&Row| (number(row, "tc_over_dt") - 160.0).abs() < 1e-9 && number(row, "gamma_n") < 100.0;
        for row in csv("impact_summary.csv").iter().filter(fine) {
            let mut law = Hooke::new(STIFFNESS, Damping::coefficient(number(row, "gamma_n")).unwrap()).unwrap();
            if row["lim"] == "limit_damping" {
                law = law.capped();
            }
            let numbers = ["x0", "v", "dy", "dt"].map(|name| number(row, name));
            let run = |phase: f64| {
                let [x0, v, dy, dt] = numbers;
                let numbers = [x0 + phase * v * dt, v, dy, dt];
                if number(row, "mu") > 1.0 {
                    impact(form, law, Viscous::new(number(row, "gamma_t")).unwrap(), numbers)
                } else {
                    impact(form, law, Frictionless, numbers)
                }
            };
            let found = run(0.0);
            let own = |k: usize| {
                let values: [f64; 10] = std::array::from_fn(|phase| run(0.1 * phase as f64)[k]);
                values.iter().fold(f64::MIN, |m, v| m.max(*v)) - values.iter().fold(f64::MAX, |m, v| m.min(*v))
            };
            let initial = 0.5 * number(row, "v").powi(2);
            for (k, column) in ["KT_final", "KR_final"].into_iter().enumerate() {
                let error = (found[k] - number(row, column)).abs() / initial;
                // Where LAMMPS' spread over phases is not given, our own is taken.
                let spread = spread(row, column).unwrap_or_else(|| own(k));
                let allowed = 1e-3_f64.max(spread / initial);
                assert!(error <= allowed, "{form:?} {} {column}: off by {error:e} > {allowed:e}", row["name"]);
                worst[k] = worst[k].max(error);
            }
            checked += 1;
        }
        assert_eq!(checked, 16);
        println!("{form:?}: translation off by {:e}, rotation by {:e} of the initial energy", worst[0], worst[1]);
    }
}

/// Under strong damping, where LAMMPS is inaccurate, the speed after the impact is that of the analytic solution.
#[test]
fn strongly_damped_impacts_end_as_they_should() {
    let gamma = 600.0;
    let dt = contact_time() / 160.0;
    let law = Hooke::new(STIFFNESS, Damping::coefficient(gamma).unwrap()).unwrap();
    let b = 0.5 * gamma;
    let exact = 0.5 * (-2.0 * b * std::f64::consts::PI / (2.0 * STIFFNESS - b * b).sqrt()).exp();
    for phase in [0.0, 0.2, 0.4, 0.6, 0.8] {
        let [found, _] = impact(DiscreteForm::SECOND_ORDER, law, Frictionless, [1.0 + phase * dt, 1.0, 0.0, dt]);
        // Beginning and end of the contact are within a step.
        assert!((found - exact).abs() < 2e-3, "phase {phase}: {found} for {exact}");
        println!("phase {phase}: {found} for {exact}");
    }
}

/// Tangential velocity of a sphere that sticks to another one by a friction spring, after more than half a contact time.
fn stuck(form: DiscreteForm, steps: usize) -> f64 {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let spring = FrictionSpring::new(2.0 / 7.0 * STIFFNESS, 0.0, 10.0).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::X * 0.5, DVec3::X * -0.5]);
    state.velocity_mut().set(0, DVec3::new(-0.1, 0.03, 0.0));
    state.velocity_mut().set(1, DVec3::new(0.1, -0.03, 0.0));
    let dt = 0.6 * contact_time() / steps as f64;
    let mut map = ImplicitDem::new(open(law, spring), dt).unwrap().with_form(form).unwrap();
    for _ in 0..steps {
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
    }
    state.velocity().get(0).y
}

#[test]
fn springs_that_stick_are_at_the_place_where_forces_are() {
    use DiscreteForm::{ExactEnergy, MarsdenWest};
    for (form, order) in [(MarsdenWest { alpha: 0.5 }, 2.0), (ExactEnergy, 2.0), (MarsdenWest { alpha: 0.0 }, 1.0)] {
        let found = [32, 64, 128, 256].map(|steps| stuck(form, steps));
        let changes: Vec<f64> = found.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        let orders: Vec<f64> = changes.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
        println!("{form:?}: {found:?} {orders:.3?}");
        // A spring evaluated at the end of the step would be of first order, and take energy.
        assert!((orders.last().unwrap() - order).abs() < 0.05, "{form:?}: {orders:?}");
    }
}

/// Spheres in contact that turn together as one body, while they slip a little.
#[derive(Debug, Clone, Copy)]
enum Turning {
    /// Two spheres.
    Pair,
    /// A sphere on a plane that faces the axis.
    OnWall,
}

impl Turning {
    /// Spin of the rotating pair or wall in rad/s.
    const SPIN: DVec3 = DVec3::new(30.0, 45.0, 60.0);

    fn contacts(self, tangential: impl TangentialLaw + 'static) -> ContactForce {
        let contacts = open(Hooke::new(STIFFNESS, Damping::NONE).unwrap(), tangential);
        match self {
            Self::Pair => contacts,
            Self::OnWall => {
                let wall = Wall::plane(DVec3::Y, DVec3::NEG_Y).about(DVec3::ZERO).rotating(Self::SPIN);
                contacts.with_walls([wall]).unwrap()
            }
        }
    }

    /// Returns the orders of places and of spins by runs of 32 to 256 steps, in which all bodies turn by 0.1 rad and
    /// stay in contact.
    fn orders(self, mut integrator: impl FnMut(f64) -> (Box<dyn Integrator>, Box<dyn ForceField>)) -> Vec<f64> {
        let mut run = |steps: usize| {
            let places = match self {
                Self::Pair => vec![DVec3::X * 0.48, DVec3::X * -0.48],
                Self::OnWall => vec![DVec3::new(0.1, 0.52, -0.1)],
            };
            let (bodies, mut state) = spheres(&places);
            for (i, place) in places.into_iter().enumerate() {
                let slip = DVec3::new(-1.0, 0.6, -0.8) * (place.x + place.y);
                state.velocity_mut().set(i, Self::SPIN.cross(place) + slip);
                state.set_spin(&bodies, i, Self::SPIN + DVec3::new(4.0, 2.0, -2.0) * (place.x + place.y));
            }
            let (mut map, mut field) = integrator(0.25 * contact_time() / steps as f64);
            for _ in 0..steps {
                map.step(&bodies, &mut *field, &mut state).unwrap();
            }
            [state.position().get(0), state.spin(&bodies, 0)]
        };
        let runs = [32, 64, 128, 256].map(&mut run);
        let change = |k: usize, of: usize| (runs[k][of] - runs[k + 1][of]).length();
        (0..2).flat_map(|of| [0, 1].map(|k| (change(k, of) / change(k + 1, of)).log2())).collect()
    }

    /// Returns these orders for implicit steps.
    fn implicit(self, form: DiscreteForm, tangential: impl TangentialLaw + Copy + 'static) -> Vec<f64> {
        let options = NewtonOptions::default().with_tolerance(1e-14);
        self.orders(|dt| {
            let map = ImplicitDem::new(self.contacts(tangential), dt).unwrap().with_form(form).unwrap();
            (Box::new(map.with_options(options).unwrap()), Box::new(NoForce))
        })
    }
}

/// The order is two since normal, arms, slip and wall are those of the middle of the step.
#[test]
fn friction_of_bodies_that_turn_is_of_second_order() {
    let spring = FrictionSpring::new(6e4, 0.0, 1e9).unwrap();
    let mindlin = MindlinSpring::new(4e5, 0.0, 1e9).unwrap();
    let partial = MindlinDeresiewicz::new(4e5, 1e9).unwrap();
    for (form, turning) in [
        (DiscreteForm::SECOND_ORDER, Turning::Pair),
        (DiscreteForm::SECOND_ORDER, Turning::OnWall),
        (DiscreteForm::ExactEnergy, Turning::Pair),
    ] {
        for (name, orders) in [
            ("spring", turning.implicit(form, spring)),
            ("Mindlin", turning.implicit(form, mindlin)),
            ("partial slip", turning.implicit(form, partial)),
        ] {
            println!("{form:?}, {turning:?}, {name}: {orders:.3?}");
            // The projection of springs adds a small error of first order.
            let is_second = orders.iter().all(|order| (order - 2.0).abs() < 0.25);
            assert!(is_second, "{form:?}, {turning:?}, {name}: {orders:?}");
        }
    }
}
