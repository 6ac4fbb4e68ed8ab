//! Stacks of bodies whose masses differ by many orders, with friction.

use super::*;

/// Returns the largest error of a contact force relative to the weight on the contact, in ten steps of a stack of balls
/// of these masses (kg) from rest.
fn error_of_stack(masses: &[f64], radius: f64, restitution: f64) -> f64 {
    let bodies = Bodies::new(masses.iter().map(|&mass| Body::sphere(mass, radius))).unwrap();
    let mut state = State::at_rest(masses.len());
    (0..masses.len()).for_each(|i| state.position_mut().set(i, (2 * i + 1) as f64 * radius * DVec3::Z));
    let list = NeighborList::new(Domain::OPEN, 0.2 * radius).unwrap();
    let materials = RigidMaterials::uniform(ContactCoefficients::new(0.3, restitution)).unwrap();
    let dynamics = MoreauJean::new(1e-3, list, materials, CoulombSolver::default()).unwrap();
    let mut dynamics = dynamics.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let mut field = Gravity { acceleration: 9.81 * DVec3::NEG_Z };
    let mut worst = 0.0_f64;
    for step in 0..10 {
        let taken = dynamics.step(&bodies, &mut field, &mut state);
        taken.unwrap_or_else(|error| panic!("{masses:?}, step {step}: {error:?}"));
        assert_eq!(dynamics.contacts().len(), masses.len());
        for contact in dynamics.contacts() {
            let above = if contact.with_wall { 0 } else { contact.b };
            let weight = 9.81 * masses[above..].iter().sum::<f64>();
            let error = (contact.force / weight - 1.0).abs().max(contact.tangential_force.length() / weight);
            worst = worst.max(error);
        }
    }
    worst
}

/// A light body under a heavy one needs forces with more digits than `f64` has.
#[test]
fn forces_are_right_in_their_own_size_at_any_ratio_of_masses() {
    for ratio in [1e3, 1e6, 1e7, 1e8, 1e9, 1e12_f64] {
        let graded: Vec<f64> = (0..5).map(|k| ratio.powf(0.25 * f64::from(k))).collect();
        for masses in [&[1.0, ratio][..], &[ratio, 1.0], &[1.0, ratio, 1.0], &[ratio, 1.0, ratio], &graded] {
            for (radius, restitution) in [(0.5, 0.0), (5e-4, 0.0), (0.5, 1.0), (5e-4, 1.0)] {
                let error = error_of_stack(masses, radius, restitution);
                assert!(error < 1e-8, "{masses:?}, {radius} m, e = {restitution}: {error:e}");
            }
        }
    }
}
