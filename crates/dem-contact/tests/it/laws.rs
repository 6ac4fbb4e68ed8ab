//! Tests of laws by themselves, and of the forces that they make.

use proptest::prelude::*;

use crate::prelude::*;

fn check_derivatives(law: &impl ContactLaw, overlap: f64, radius: f64) -> Result<(), TestCaseError> {
    let step = 1e-5 * overlap;
    let slope = |f: &dyn Fn(f64) -> f64| (f(overlap + step) - f(overlap - step)) / (2.0 * step);
    let force = law.force(overlap, radius);
    let stiffness = law.stiffness(overlap, radius);
    prop_assert!((slope(&|d| law.energy(d, radius)) / force - 1.0).abs() < 1e-8);
    prop_assert!((slope(&|d| law.force(d, radius)) / stiffness - 1.0).abs() < 1e-8);
    prop_assert!(law.force(0.0, radius).abs() <= 0.0 && law.energy(0.0, radius).abs() <= 0.0);
    Ok(())
}

/// Three spheres of different sizes, of which the first overlaps the others or nearly touches them.
fn cluster(gaps: [f64; 2], radii: [f64; 3], directions: [DVec3; 2], motion: &[DVec3; 6]) -> (Bodies, State) {
    let bodies = Bodies::new(radii.map(|r| Body::sphere(4.0 * r * r * r, r))).unwrap();
    let mut state = State::at_rest(3);
    for k in 0..2 {
        let distance = (radii[0] + radii[k + 1]) + gaps[k];
        state.position_mut().set(k + 1, directions[k] * distance);
    }
    for i in 0..3 {
        state.velocity_mut().set(i, motion[i]);
        state.set_spin(&bodies, i, motion[3 + i] * 5.0);
    }
    (bodies, state)
}

fn vector() -> impl Strategy<Value = DVec3> {
    [-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64].prop_map(DVec3::from_array)
}

fn direction() -> impl Strategy<Value = DVec3> {
    vector().prop_filter_map("too short", |v| (v.length() > 0.1).then(|| v.normalize()))
}

fn clusters() -> impl Strategy<Value = (Bodies, State)> {
    let motion = [vector(), vector(), vector(), vector(), vector(), vector()];
    ([-0.05..0.01_f64, -0.05..0.01_f64], [0.3..0.6_f64, 0.3..0.6_f64, 0.3..0.6_f64], [direction(), direction()], motion)
        .prop_filter("the outer two overlap too much", |(_, radii, directions, _)| {
            let centers = [0, 1].map(|k| directions[k] * (radii[0] + radii[k + 1]));
            (centers[0] - centers[1]).length() > radii[1] + radii[2] - 0.1
        })
        .prop_map(|(gaps, radii, directions, motion)| cluster(gaps, radii, directions, &motion))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn force_and_stiffness_are_derivatives(overlap in 1e-6..0.3_f64, radius in 0.01..10.0_f64) {
        check_derivatives(&Hooke::new(1e4, Damping::NONE).unwrap(), overlap, radius)?;
        check_derivatives(&Hertz::new(1e6, Damping::NONE).unwrap(), overlap, radius)?;
    }

    #[test]
    fn forces_are_antisymmetric_and_conserve_angular_momentum((bodies, state) in clusters()) {
        let law = Hertz::new(1e5, Damping::restitution(0.5).unwrap()).unwrap();
        let mut field = open(law, Viscous::new(20.0).unwrap());
        let out = wrenches(&bodies, &mut field, &state);
        let scale: f64 = out.force.iter().map(DVec3::length).sum::<f64>() + 1e-300;
        let force: DVec3 = out.force.iter().sum();
        prop_assert!(force.length() <= 1e-14 * scale);
        let torque: DVec3 =
            (0..3).map(|i| state.position().get(i).cross(out.force.get(i)) + out.torque.get(i)).sum();
        prop_assert!(torque.length() <= 1e-14 * scale);
    }

    #[test]
    fn a_single_pair_is_antisymmetric_to_the_last_bit((bodies, mut state) in clusters()) {
        state.position_mut().set(2, DVec3::splat(50.0));
        let law = Hooke::new(1e5, Damping::coefficient(30.0).unwrap()).unwrap();
        let out = wrenches(&bodies, &mut open(law, CoulombViscous::new(20.0, 0.3).unwrap()), &state);
        prop_assert_eq!(out.force.get(0), -out.force.get(1));
    }

    #[test]
    fn conservative_forces_are_gradients((bodies, state) in clusters(), hertz: bool) {
        let mut field: Box<dyn Potential> = if hertz {
            Box::new(open(Hertz::new(1e5, Damping::NONE).unwrap(), Frictionless))
        } else {
            Box::new(open(Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless))
        };
        let out = wrenches(&bodies, &mut *field, &state);
        let step = 1e-7;
        for i in 0..3 {
            for axis in DVec3::AXES {
                let at = |sign: f64| {
                    let mut moved = state.clone();
                    moved.position_mut().add(i, sign * step * axis);
                    field.energy(&bodies, &moved)
                };
                // Hooke's force has a kink at touch, which adds at most half a step times the stiffness.
                let slope = (at(-1.0) - at(1.0)) / (2.0 * step);
                prop_assert!((slope - out.force.get(i).dot(axis)).abs() < 2e-3, "{slope} {}", out.force.get(i));
            }
        }
    }

    #[test]
    fn damping_takes_energy((bodies, state) in clusters(), mode in 0..4_usize) {
        // The power of forces that are not elastic is negative at any velocities and spins.
        let none = Hooke::new(1e4, Damping::NONE).unwrap();
        let damped = Hooke::new(1e4, Damping::coefficient(30.0).unwrap()).unwrap();
        let elastic = wrenches(&bodies, &mut open(none, Frictionless), &state);
        let all = match mode {
            0 => wrenches(&bodies, &mut open(damped, Frictionless), &state),
            1 => wrenches(&bodies, &mut open(damped, Viscous::new(15.0).unwrap()), &state),
            2 => wrenches(&bodies, &mut open(none, CoulombViscous::new(15.0, 0.4).unwrap()), &state),
            _ => wrenches(&bodies, &mut open(none, Viscous::new(15.0).unwrap()), &state),
        };
        let power: f64 = (0..3).map(|i| {
            (all.force.get(i) - elastic.force.get(i)).dot(state.velocity().get(i))
                + all.torque.get(i).dot(state.spin(&bodies, i))
        }).sum();
        prop_assert!(power <= 1e-9, "{power}");
    }
}

#[test]
fn a_cut_off_force_never_pulls() {
    let law = Hooke::new(1e4, Damping::coefficient(500.0).unwrap()).unwrap();
    for (law, pulls) in [(law, true), (law.capped(), false)] {
        let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X * 0.99]);
        state.velocity_mut().set(1, DVec3::X * 10.0);
        let out = wrenches(&bodies, &mut open(law, Frictionless), &state);
        assert_eq!(out.force.get(1).x < 0.0, pulls);
    }
}

/// Batches are filled up with copies of a contact, which must not change the result for any size.
#[test]
fn spheres_of_any_size_push_each_other() {
    for radius in [1e-6, 0.3, 0.5, 1.0, 2.0, 1e4] {
        let overlap = 0.01 * radius;
        let centers = [DVec3::ZERO, DVec3::X * (2.0 * radius - overlap)];
        let bodies = Bodies::new(centers.map(|_| Body::sphere(1.0, radius))).unwrap();
        let mut state = State::at_rest(2);
        (0..2).for_each(|i| state.position_mut().set(i, centers[i]));
        for damping in [Damping::NONE, Damping::restitution(0.5).unwrap()] {
            let list = NeighborList::new(Domain::OPEN, 0.1 * radius).unwrap();
            let mut field = contacts(list, Hooke::new(100.0, damping).unwrap(), Frictionless);
            let force = wrenches(&bodies, &mut field, &state).force.get(1).x;
            assert!((force / (100.0 * overlap) - 1.0).abs() < 1e-12, "{radius}: {force}");
        }
    }
}
