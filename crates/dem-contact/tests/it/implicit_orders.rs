//! Tests of the order of springs and of friction in implicit steps, and of what they conserve.

use rrp_integrate::{angular_momentum, linear_momentum};

use crate::prelude::*;

/// Tangential velocity of a sphere that sticks to another one by a friction spring, after more than half a contact time.
fn stuck(form: DiscreteForm, steps: usize) -> f64 {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let spring = FrictionSpring::new(2.0 / 7.0 * STIFFNESS, 0.0, 10.0).unwrap();
    let (bodies, mut state) =
        moving(&[[DVec3::X * 0.5, DVec3::new(-0.1, 0.03, 0.0)], [DVec3::X * -0.5, DVec3::new(0.1, -0.03, 0.0)]]);
    let dt = 0.6 * time_of_contact() / steps as f64;
    let mut map = ImplicitDem::new(open(law, spring), dt).unwrap().with_form(form).unwrap();
    run(&mut map, &bodies, &mut NoForce, &mut state, steps, |_| ()).unwrap();
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
        // A spring evaluated at the end of the step would be of first order, and dissipate energy.
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

    /// Returns the orders of positions and spins by runs of 32 to 256 steps with a turn of 0.1 rad in contact.
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
            let (mut map, mut field) = integrator(0.25 * time_of_contact() / steps as f64);
            run(&mut *map, &bodies, &mut *field, &mut state, steps, |_| ()).unwrap();
            [state.position().get(0), state.spin(&bodies, 0)]
        };
        let runs = [32, 64, 128, 256].map(&mut run);
        let change = |k: usize, of: usize| (runs[k][of] - runs[k + 1][of]).length();
        (0..2).flat_map(|of| [0, 1].map(|k| (change(k, of) / change(k + 1, of)).log2())).collect()
    }

    fn implicit(self, form: DiscreteForm, tangential: impl TangentialLaw + Copy + 'static) -> Vec<f64> {
        let options = NewtonOptions::default().with_tolerance(1e-14);
        self.orders(|dt| {
            let map = ImplicitDem::new(self.contacts(tangential), dt).unwrap().with_form(form).unwrap();
            (Box::new(map.with_options(options).unwrap()), Box::new(NoForce))
        })
    }
}

/// The order is two because normal, lever arms, slip and wall are those of the middle of the step.
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

/// Energy and momenta of a cloud that falls together under its own motion: largest deviations over the steps.
fn cloud(
    (form, options): (DiscreteForm, NewtonOptions),
    law: Hooke,
    tangential: impl TangentialLaw + 'static,
    steps: usize,
) -> [f64; 3] {
    let (bodies, mut state) = crowd(218, 7.6, 5);
    let middle = DVec3::splat(3.8);
    for i in 0..218 {
        let inwards = middle - state.position().get(i);
        state.velocity_mut().add(i, 0.8 * inwards);
        state.position_mut().add(i, -middle);
    }
    let dt = time_of_contact() / 32.0;
    let options = options.with_linear(LinearMethod::ConjugateGradient);
    let mut map = ImplicitDem::new(open(law, tangential), dt).unwrap().with_form(form).unwrap();
    map = map.with_options(options).unwrap();
    let energy = |map: &ImplicitDem, state: &_| {
        kinetic_energy(&bodies, state).total() + map.elastic_energy(&bodies, state).unwrap()
    };
    let start = energy(&map, &state);
    let linear = linear_momentum(&bodies, &state);
    let angular = angular_momentum(&bodies, &state);
    // Scales of the momenta: the sums of their sizes.
    let scale = |i: usize| bodies.mass()[i] * state.velocity().get(i).length();
    let momentum: f64 = (0..218).map(scale).sum();
    let moment: f64 = (0..218).map(|i| scale(i) * state.position().get(i).length()).sum();
    let mut worst = [0.0_f64; 3];
    let mut touching = 0;
    let mut iterations = 0;
    for step in 0..steps {
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
        iterations += map.last_report().newton_iterations;
        if step % 100 == 99 {
            touching += map.contacts().contacts(&bodies, &state).unwrap().len();
            worst[0] = worst[0].max((energy(&map, &state) / start - 1.0).abs());
            worst[1] = worst[1].max((linear_momentum(&bodies, &state) - linear).length() / momentum);
            worst[2] = worst[2].max((angular_momentum(&bodies, &state) - angular).length() / moment);
        }
    }
    println!(
        "{form:?}: energy {:e}, momentum {:e}, angular momentum {:e}; {touching} contacts seen, {iterations} iterations",
        worst[0], worst[1], worst[2]
    );
    assert!(touching > steps / 100, "{touching}");
    worst
}

#[test]
fn the_exact_form_keeps_energy_and_momenta_of_a_cloud() {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let equations = (DiscreteForm::ExactEnergy, NewtonOptions::default().with_tolerance(1e-14));
    let [energy, linear, angular] = cloud(equations, law, Frictionless, 10_000);
    assert!(energy <= 1e-12 && linear <= 1e-12 && angular <= 1e-12, "{energy:e} {linear:e} {angular:e}");
}

/// The bound is that in the documentation of the form.
#[test]
fn at_the_default_tolerance_the_exact_form_hardly_drifts() {
    let law = Hooke::new(STIFFNESS, Damping::NONE).unwrap();
    let [energy, ..] = cloud((DiscreteForm::ExactEnergy, NewtonOptions::default()), law, Frictionless, 1500);
    assert!(energy < 1e-11, "{energy:e}");
}

#[test]
fn momenta_are_kept_with_damping_and_tangential_forces() {
    let law = Hooke::new(STIFFNESS, Damping::coefficient(30.0).unwrap()).unwrap();
    for form in [DiscreteForm::SECOND_ORDER, DiscreteForm::ExactEnergy] {
        let [_, linear, angular] =
            cloud((form, NewtonOptions::default().with_tolerance(1e-14)), law, Viscous::new(15.0).unwrap(), 1500);
        assert!(linear <= 1e-12 && angular <= 1e-12, "{linear:e} {angular:e}");
    }
}

/// The exact form also conserves the energy of a heavy sphere on a floor, even in long steps with half kicks.
#[test]
fn gravity_and_steps_longer_than_a_contact_keep_the_energy() {
    let law = Hertz::new(6.0e6, Damping::NONE).unwrap();
    let contacts = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::new(0.1, 0.0, 1.0))]).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::Z * 0.8, DVec3::new(0.1, 0.2, 1.9)]);
    let gravity = Gravity { acceleration: DVec3::new(0.0, 0.0, -9.81) };
    for steps in [0.1, 3.0] {
        let dt = steps * time_of_contact();
        let mut map = ImplicitDem::new(contacts.clone(), dt).unwrap().with_form(DiscreteForm::ExactEnergy).unwrap();
        map = map.with_options(NewtonOptions::default().with_tolerance(1e-14)).unwrap();
        let energy = |map: &ImplicitDem, state: &_| {
            let elastic = map.elastic_energy(&bodies, state).unwrap();
            (kinetic_energy(&bodies, state).total() + elastic + gravity.energy(&bodies, state), elastic)
        };
        let ((start, _), mut touched) = (energy(&map, &state), 0);
        for _ in 0..1000 {
            map.step(&bodies, &mut gravity.clone(), &mut state).unwrap();
            let (now, elastic) = energy(&map, &state);
            touched += usize::from(elastic > 0.0);
            assert!((now / start - 1.0).abs() < 1e-12, "{steps}: {:e}", now / start - 1.0);
        }
        assert!(touched > 10, "{touched}");
    }
}
