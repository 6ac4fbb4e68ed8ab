//! Tests of the first steps of a dense bed against LAMMPS.

use crate::prelude::*;

/// Follows the bed through the snapshots `bed_4k_{style}_{step}.csv`; `allowed` are the differences of positions, in
/// diameters, and of velocities and spins, in terms of the largest.
fn compare(style: &str, laws: Laws, allowed: [(usize, f64); 4]) {
    let data = LammpsData::read_path(path("bed_4k.data.gz")).unwrap();
    let domain = data.domain([Boundary::Periodic; 3]).unwrap();
    let bodies = data.bodies.clone();
    let mut state = data.state.clone();
    let list = NeighborList::new(domain, 0.1).unwrap();
    let mut field = ContactForce::new(list, laws);
    let mut map = Explicit::new(Map::Verlet, 1e-4).unwrap();
    let mut row_of = vec![usize::MAX; bodies.len() + 1];
    data.id.iter().enumerate().for_each(|(row, &id)| row_of[id as usize] = row);
    let mut step = 0;
    for (at, allowed) in allowed {
        while step < at {
            map.step(&bodies, &mut field, &mut state).unwrap();
            step += 1;
        }
        let mut worst = [0.0_f64; 3];
        let mut scale = [0.0_f64; 3];
        for row in csv(&format!("bed_4k_{style}_{at}.csv")) {
            let i = row_of[number(&row, "id") as usize];
            let vector = |names: [&str; 3]| {
                DVec3::from_array(names.map(|name| row.get(name).map_or(0.0, |value| value.parse().unwrap())))
            };
            let position = vector(["x", "y", "z"]);
            let velocity = vector(["vx", "vy", "vz"]);
            let spin = vector(["omegax", "omegay", "omegaz"]);
            let differences = [
                domain.separation(state.position().get(i), position),
                state.velocity().get(i) - velocity,
                state.spin(&bodies, i) - spin,
            ];
            for (k, (difference, size)) in
                differences.into_iter().zip([1.0, velocity.length(), spin.length()]).enumerate()
            {
                worst[k] = worst[k].max(difference.length());
                scale[k] = scale[k].max(size);
            }
        }
        let relative: [f64; 3] = std::array::from_fn(|k| worst[k] / scale[k].max(f64::MIN_POSITIVE));
        println!("{style}, step {at}: {relative:?} in positions, velocities and spins");
        assert!(relative.iter().all(|&relative| relative <= allowed), "step {at}: {relative:?}");
        // LAMMPS begins a new run after each snapshot: it evaluates forces again, at the velocities of the whole step.
        field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(bodies.len())).unwrap();
        field.commit();
        state.discard_wrenches();
    }
}

#[test]
fn the_trajectory_is_that_of_lammps() {
    // Rounding alone changes velocities by k ε x dt/m, some 1e-14; collisions make differences grow.
    let allowed = [(1, 1e-12), (10, 1e-11), (100, 1e-9), (1000, 1e-3)];
    compare("h0", Laws::of(Hooke::new(2.0e5, Damping::NONE).unwrap(), Frictionless), allowed);
}

#[test]
fn the_trajectory_with_friction_is_that_of_lammps() {
    let law = Hooke::new(2.0e5, Damping::coefficient(50.0).unwrap()).unwrap();
    // The deck switches the tangential damping off.
    let spring = FrictionSpring::new(2.0 / 7.0 * 2.0e5, 0.0, 0.5).unwrap().as_in_lammps();
    compare("hh", Laws::of(law, spring), [(1, 1e-12), (10, 1e-11), (100, 1e-9), (1000, 1e-7)]);
}
