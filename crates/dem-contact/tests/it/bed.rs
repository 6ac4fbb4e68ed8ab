//! The first steps of a dense bed against LAMMPS.

use dem_contact::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Explicit, Integrator, Map};

use crate::support::{csv, number, path};

#[test]
fn the_trajectory_is_that_of_lammps() {
    let data = LammpsData::read_path(path("bed_4k.data.gz")).unwrap();
    let domain = data.domain([Boundary::Periodic; 3]).unwrap();
    let (bodies, mut state) = (data.bodies.clone(), data.state.clone());
    let list = NeighborList::new(domain, 0.1).unwrap();
    let mut field = ContactForce::new(list, Hooke::new(2.0e5, Damping::NONE).unwrap(), Frictionless);
    let mut map = Explicit::new(Map::VelocityVerlet, 1e-4).unwrap();
    let mut row_of = vec![usize::MAX; bodies.len() + 1];
    data.id.iter().enumerate().for_each(|(row, &id)| row_of[id as usize] = row);
    let mut step = 0;
    // Velocities change by k ε x dt/m, some 1e-14, by rounding alone; collisions make differences grow.
    for (at, allowed) in [(1, 1e-12), (10, 1e-11), (100, 1e-9), (1000, 1e-3)] {
        while step < at {
            map.step(&bodies, &mut field, &mut state).unwrap();
            step += 1;
        }
        let (mut worst, mut scale) = ([0.0_f64; 2], [0.0_f64; 2]);
        for row in csv(&format!("bed_4k_h0_{at}.csv")) {
            let i = row_of[number(&row, "id") as usize];
            let vector = |names: [&str; 3]| DVec3::from_array(names.map(|name| number(&row, name)));
            let position = vector(["x", "y", "z"]);
            let velocity = vector(["vx", "vy", "vz"]);
            let differences =
                [domain.separation(state.position().get(i), position), state.velocity().get(i) - velocity];
            for (k, (difference, size)) in differences.into_iter().zip([1.0, velocity.length()]).enumerate() {
                worst[k] = worst[k].max(difference.length());
                scale[k] = scale[k].max(size);
            }
        }
        let relative = [worst[0] / scale[0], worst[1] / scale[1]];
        println!("step {at}: positions {:e} of a diameter, velocities {:e} of the largest", relative[0], relative[1]);
        assert!(relative[0] <= allowed && relative[1] <= allowed, "step {at}: {relative:?}");
    }
}
