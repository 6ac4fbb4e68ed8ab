//! Tests of the forces that a step returns, and of warm starts.

use cd_solve::{CompatibilityProblem, CompatibilitySolver, CompatibleForces};

use crate::contact_dynamics::support::{advance, apgd, distance, gravity, pgs};
use crate::prelude::*;

fn ball() -> (Bodies, State) {
    spheres(&[DVec3::Z * 0.5])
}

/// A ball of unit weight is on the upper of two parallel floors. Compatibility alone would let the lower floor carry
/// half of the weight through a gap.
#[test]
fn open_contacts_carry_nothing() {
    let (bodies, mut state) = ball();
    let floors = [Wall::plane(DVec3::ZERO, DVec3::Z), Wall::plane(DVec3::Z * -0.1, DVec3::Z)];
    let dynamics = ContactDynamics::new(0.1, open_list(0.5), pgs(1e-12)).unwrap().with_walls(floors.clone()).unwrap();
    let mut dynamics = dynamics.with_compatible(CompatibleLaw::hooke());
    advance(&mut dynamics, &bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut state, 3);
    let contacts = dynamics.contacts();
    let gaps: Vec<f64> = contacts.iter().map(|contact| contact.gap).collect();
    assert!(distance(&gaps, &[0.0, 0.1]) < 1e-15 && (contacts[1].slack - 1.0).abs() < 1e-12, "{contacts:?}");
    let compatible: Vec<f64> = contacts.iter().filter_map(|contact| contact.compatible_force).collect();
    assert!(distance(&compatible, &[1.0, 0.0]) < 1e-12, "{compatible:?}");
    // Without the filter of open contacts both floors carry.
    let map = dynamics.contact_map().unwrap();
    let mut load = [0.0; 3];
    let mut unfiltered = [0.0; 2];
    map.apply_transpose(&compatible, &mut load).unwrap();
    let problem = CompatibilityProblem::new(map, &load, &[1.0; 2], 2.0).unwrap();
    assert!(CompatibleForces::default().solve(&problem, &mut unfiltered).unwrap().converged());
    assert!(distance(&unfiltered, &[0.5, 0.5]) < 1e-9, "{unfiltered:?}");
    let dynamics = ContactDynamics::new(0.1, open_list(0.5), pgs(1e-12)).unwrap().with_walls(floors).unwrap();
    let mut dynamics = dynamics.with_compliant_step(CompatibleLaw::hooke(), 1e-8).unwrap();
    advance(&mut dynamics, &bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut state, 3);
    let force: Vec<f64> = dynamics.contacts().iter().map(|contact| contact.force).collect();
    assert!(distance(&force, &[1.0, 0.0]) < 1e-6, "{force:?}");
}

#[test]
fn walls_and_fixed_bodies_that_move_push() {
    let (bodies, mut state) = ball();
    let floor = Wall::plane(DVec3::ZERO, DVec3::Z).moving(DVec3::Z * 0.3);
    let mut dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-13)).unwrap().with_walls([floor]).unwrap();
    advance(&mut dynamics, &bodies, &mut gravity(), &mut state, 100);
    assert!((state.position().get(0).z - 0.8).abs() < 1e-12, "{}", state.position().get(0));
    let load = dynamics.wall_loads()[0];
    assert!((load.force + 9.81 * DVec3::Z).length() < 1e-9 && load.contacts == 1, "{load:?}");
    // A fixed sphere keeps its velocity.
    let (bodies, mut state) = placed([Body::fixed(0.5), Body::sphere(1.0, 0.5)], [DVec3::ZERO, DVec3::X * 1.25]);
    state.velocity_mut().set(0, DVec3::X * 2.0);
    let mut dynamics = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-13)).unwrap().with_restitution(0.5).unwrap();
    advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 100);
    assert!((state.velocity().get(1).x - 3.0).abs() < 1e-12 && (state.position().get(0).x - 2.0).abs() < 1e-12);
}

#[test]
fn spheres_meet_across_a_periodic_side() {
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(5.0), [Boundary::Periodic; 3]).unwrap();
    let [here, there] = [DVec3::new(0.6, 1.0, 1.0), DVec3::new(4.4, 1.0, 1.0)];
    let (bodies, mut state) = moving(&[[here, DVec3::NEG_X], [there, DVec3::ZERO]]);
    let list = NeighborList::new(domain, 0.1).unwrap();
    let mut dynamics = ContactDynamics::new(0.03, list, pgs(1e-13)).unwrap().with_restitution(1.0).unwrap();
    advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 30);
    assert!((state.velocity().get(1).x + 1.0).abs() < 1e-12 && state.velocity().get(0).length() < 1e-12);
}

/// A body that is hit moves further than expected: contacts are detected again, and no body passes another.
#[test]
fn who_is_thrown_hits_who_is_far() {
    let masses = [1e3, 1.0, 1.0].map(|mass| Body::sphere(mass, 0.5));
    let (bodies, mut state) = placed(masses, [0.0, 1.05, 2.6].map(|x| DVec3::X * x));
    state.velocity_mut().set(0, DVec3::X * 10.0);
    let mut dynamics = ContactDynamics::new(0.1, open_list(0.01), pgs(1e-12)).unwrap();
    advance(&mut dynamics, &bodies, &mut NoForce, &mut state, 1);
    assert!(dynamics.report().searches > 1 && dynamics.contacts().len() == 3, "{:?}", dynamics.report());
    let x: Vec<f64> = state.position().iter().map(|x| x.x).collect();
    assert!(x[1] - x[0] >= 1.0 - 1e-9 && x[2] - x[1] >= 1.0 - 1e-9, "{x:?}");
}

/// Warm starts save iterations; a restart can begin from stored contacts.
#[test]
fn a_run_goes_on_from_stored_contacts() {
    let pyramid = CannonballPyramid::new(5, 0.5, 1.0).unwrap().lifted(0.05).unwrap();
    let (bodies, mut state) = pyramid.scene().unwrap();
    let fresh = || ContactDynamics::new(0.02, open_list(0.1), apgd(1e-9)).unwrap();
    let mut whole = fresh();
    advance(&mut whole, &bodies, &mut gravity(), &mut state, 40);
    let contacts = whole.contacts().to_vec();
    let mut copy = state.clone();
    let began = state.time() - whole.scheme().dt;
    let warm = whole.step(&bodies, &mut gravity(), &mut state).unwrap();
    let mut restored = fresh().with_contacts(contacts, began);
    restored.step(&bodies, &mut gravity(), &mut copy).unwrap();
    assert!(bits(&state) == bits(&copy) && whole.contacts() == restored.contacts());
    let cold = fresh().step(&bodies, &mut gravity(), &mut copy).unwrap();
    assert!(10 * warm.iterations < cold.iterations, "{} {}", warm.iterations, cold.iterations);
}

/// A body that has gone around a periodic domain meets a turning wall at the nearest image of the wall.
#[test]
fn torque_on_a_wall_does_not_depend_on_the_image() {
    let sides = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::splat(-5.0), DVec3::splat(5.0), sides).unwrap();
    // A rod about y, which a ball meets beside its middle.
    let wall = Wall::new(Revolution::rod(DVec3::Y, 2.0, [-1.0, 1.0]).unwrap(), DVec3::ZERO).rotating(DVec3::Y);
    let (bodies, mut state) = ball();
    let place = 2.49 * DVec3::new(0.6, 0.0, 0.8);
    let loads = [0.0, 10.0, -20.0].map(|gone| {
        state.position_mut().set(0, place + gone * DVec3::X);
        state.velocity_mut().set(0, -place);
        let list = NeighborList::new(domain, 0.1).unwrap();
        let mut dynamics = ContactDynamics::new(0.01, list, pgs(1e-12)).unwrap().with_walls([wall.clone()]).unwrap();
        let began = state.time();
        dynamics.step(&bodies, &mut NoForce, &mut state).unwrap();
        let fresh = ContactDynamics::new(0.01, open_list(0.1), pgs(1e-12)).unwrap().with_walls([wall.clone()]).unwrap();
        let restored = fresh.with_contacts(dynamics.contacts().to_vec(), began);
        assert_eq!(restored.wall_loads()[0].force, dynamics.wall_loads()[0].force);
        assert_eq!(dynamics.began().to_bits(), began.to_bits());
        dynamics.wall_loads()[0]
    });
    assert!(loads[0].force.length() > 1.0, "{loads:?}");
    for load in loads {
        assert!(load.torque.length() < 1e-9 * load.force.length(), "{load:?}");
    }
}
