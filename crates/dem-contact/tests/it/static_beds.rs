//! Tests of equilibria of beds: balance, determinism, rattlers.

use dem_contact::statics::Equilibrium;

use crate::prelude::*;

/// Spheres of different sizes in a periodic box, which bear load if its side is short.
fn squeezed(count: usize, side: f64) -> (Bodies, State, ContactForce) {
    let (bodies, state) = crowd(count, side, 5);
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
    let list = NeighborList::new(domain, 0.1).unwrap();
    (bodies, state, contacts(list, Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless))
}

/// Returns the largest unbalanced force, from the contacts alone.
fn unbalanced(found: &Equilibrium, load: &VectorColumn) -> f64 {
    let mut force: Vec<DVec3> = load.iter().collect();
    for contact in &found.contacts {
        force[contact.a] -= contact.normal_force * contact.normal;
        if let Some(b) = contact.b.body() {
            force[b] += contact.normal_force * contact.normal;
        }
    }
    force.iter().map(|force| force.length()).fold(0.0, f64::max)
}

#[test]
fn a_squeezed_bed_is_balanced_to_the_last_digits() {
    let (bodies, start, contacts) = squeezed(216, 4.75);
    let load = VectorColumn::zeros(bodies.len());
    let run = |threads: usize| {
        let mut state = start.clone();
        let found = on_threads(threads, || EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state));
        (found.unwrap(), state)
    };
    let (found, state) = run(1);
    println!("{} contacts, {} rattlers, mean force {}", found.contacts.len(), found.rattlers, found.mean_force);
    println!("{} steps, {} Newton steps, residual {:e}", found.steps, found.iterations, found.residual);
    assert!(found.residual <= 1e-12 && found.contacts.len() > 3 * (bodies.len() - found.rattlers) - 3);
    assert!(unbalanced(&found, &load) <= 2e-12 * found.mean_force);
    assert!(found.energy_change < 0.0);
    // Contacts read from the state agree within the rounding of positions.
    let read = contacts.contacts(&bodies, &state).unwrap();
    assert_eq!(read.len(), found.contacts.len());
    for (a, b) in read.iter().zip(&found.contacts) {
        assert_eq!((a.a, a.b), (b.a, b.b));
        assert!((a.normal_force - b.normal_force).abs() < 1e4 * 1e-14 && (a.point - b.point).length() < 1e-13);
    }
    let (again, other) = run(2);
    assert!(again == found && bits(&other) == bits(&state));
}

#[test]
fn a_heap_settles_in_a_box() {
    let (bodies, mut state) = crowd(60, 5.0, 9);
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(5.0), [Boundary::Periodic, Boundary::Open, Boundary::Open]);
    let list = NeighborList::new(domain.unwrap(), 0.1).unwrap();
    let walls = [
        Wall::plane(DVec3::ZERO, DVec3::Z),
        Wall::plane(DVec3::ZERO, DVec3::Y),
        Wall::plane(DVec3::Y * 5.0, DVec3::NEG_Y),
    ];
    let contacts = contacts(list, Hertz::new(1e5, Damping::NONE).unwrap(), Frictionless);
    let contacts = contacts.with_walls(walls).unwrap();
    let load = gravity_load(&bodies, DVec3::NEG_Z);
    let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
    println!("{} contacts, {} steps, {} Newton steps", found.contacts.len(), found.steps, found.iterations);
    // All bodies have weight, so none is a rattler.
    assert!(found.residual <= 1e-12 && found.rattlers == 0 && unbalanced(&found, &load) <= 2e-12 * found.mean_force);
    let floor: f64 = found.contacts.iter().filter(|c| c.b == Partner::Wall(0)).map(|c| c.normal_force).sum();
    let total: f64 = load.iter().map(|load| -load.z).sum();
    assert!((floor / total - 1.0).abs() < 1e-12);
}

/// Balances `count` equal spheres at random above a floor `width` cells wide; returns the residuals.
fn poured(law: impl ContactLaw + 'static, count: usize, width: usize) -> Vec<f64> {
    let side = 1.25 * width as f64;
    let top = DVec3::new(side, side, 24.0);
    let domain = Domain::new(DVec3::ZERO, top, [Boundary::Periodic, Boundary::Periodic, Boundary::Open]).unwrap();
    let mut random = Random::new(12);
    let center = |i: usize| {
        let cell = [i % width, i / width % width, i / (width * width)].map(|cell| cell as f64 + 0.5);
        DVec3::from_array(cell) * 1.25 + 0.2 * random.vector()
    };
    let (bodies, mut state) = placed(vec![Body::sphere(1.0, 0.5); count], (0..count).map(center));
    let contacts = contacts(NeighborList::new(domain, 0.1).unwrap(), law, Frictionless);
    let contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let load = gravity_load(&bodies, DVec3::NEG_Z);
    let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
    println!("{} contacts, {} steps, {} Newton steps", found.contacts.len(), found.steps, found.iterations);
    println!("{:?}", found.residuals);
    assert!(found.residual <= 1e-12 && found.rattlers == 0 && unbalanced(&found, &load) <= 2e-12 * found.mean_force);
    let floor: f64 = found.contacts.iter().filter(|c| c.b.wall().is_some()).map(|c| c.normal_force).sum();
    assert!((floor / count as f64 - 1.0).abs() < 1e-12, "{floor}");
    // Frictionless spheres need three contacts each.
    assert!(found.contacts.len() >= 3 * count);
    found.residuals
}

#[test]
fn a_poured_bed_is_balanced() {
    let residuals = poured(Hooke::new(1e4, Damping::NONE).unwrap(), 300, 4);
    // Newton's method squares the residual, up to rounding: over two steps its order counts twice.
    let mut ends = residuals.windows(4).rev().filter(|last| last[3] > 2e-14);
    let last = ends.next().unwrap();
    let order = ((last[3] / last[2]).ln() / (last[1] / last[0]).ln()).sqrt();
    assert!(last[0] < 1e-2 && order > 1.8, "order {order} from {last:?}");
}

#[test]
fn a_poured_bed_of_hertzian_spheres_is_balanced() {
    let _ = poured(Hertz::new(1e6, Damping::NONE).unwrap(), 300, 4);
}

#[test]
#[ignore = "soak: 1200 spheres; 300 are balanced above"]
fn a_larger_poured_bed_is_balanced() {
    let _ = poured(Hooke::new(1e4, Damping::NONE).unwrap(), 1200, 8);
}

#[test]
fn spheres_that_nothing_pulls_at_stay() {
    let (bodies, mut state, contacts) = squeezed(8, 12.0);
    let before = state.position().clone();
    let load = VectorColumn::zeros(8);
    let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
    assert_eq!((found.rattlers, found.contacts.len(), found.steps), (8, 0, 0));
    assert!(found.residual <= 0.0 && *state.position() == before);
    assert!(state.velocity().iter().all(|velocity| velocity == DVec3::ZERO));
}
