//! Tests that bits of tiles with walls depend only on the scene.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, Integrator as _, Map, State};

use super::{Disturb, assert_one_end, bed, by_id, full, hooke, list};
use crate::force::ContactForce;
use crate::law::laws::Laws;
use crate::neighbor::domain::{Boundary, Domain};
use crate::wall::{Cylinder, Revolution, Wall, WallLoad};

pub(super) fn walls(size: DVec3) -> [Wall; 4] {
    let middle = 0.5 * size;
    let drum = Cylinder::inside(DVec3::Z, 0.68 * size.x).unwrap();
    let roof = Revolution::disc(DVec3::NEG_Z, size.x, 0.0).unwrap().mesh(24).unwrap();
    [
        Wall::plane(DVec3::Z * 0.05, DVec3::Z).oscillating(DVec3::new(0.01, 0.0, 0.02), 50.0, 0.3),
        Wall::plane(DVec3::X * 0.02, DVec3::X).moving(DVec3::X * 0.5),
        Wall::new(drum, middle).rotating(DVec3::Z * 2.0),
        Wall::new(roof, DVec3::new(middle.x, middle.y, size.z - 0.03)).rotating(DVec3::Z * -3.0),
    ]
}

/// Runs a bed with walls; `disturb` is called between steps. Returns the bits of the last state, with bodies sorted by
/// id, and the wall loads.
fn run(disturb: Disturb<'_>) -> (Vec<[u64; 9]>, Vec<WallLoad>) {
    let (domain, mut bodies, mut state) = bed([11, 11, 11], [Boundary::Open; 3], true);
    let field = ContactForce::new(list(domain), Laws::of(hooke(), full()));
    let mut field = field.with_walls(walls(domain.high())).unwrap().with_ledger();
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    let mut lists = 0;
    for step in 0..40 {
        let before = field.list().builds();
        map.step(&bodies, &mut field, &mut state).unwrap();
        // Counted step by step, since a restart sets the number of lists to zero.
        lists += field.list().builds() - before;
        disturb(step, &mut field, &mut bodies, &mut state);
    }
    let contacts: Vec<usize> = field.wall_loads().iter().map(|load| load.contacts).collect();
    assert!(lists > 1 && contacts.iter().all(|&count| count > 10), "{lists} lists, {contacts:?}");
    (by_id(&field, &bodies, &state), field.wall_loads().to_vec())
}

#[test]
fn bits_beside_walls_do_not_depend_on_threads_numbers_or_restarts() {
    assert_one_end(run);
}

#[test]
fn a_wall_that_stays_keeps_its_work_where_another_is_taken_away() {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let mut state = State::at_rest(1).without_attitudes();
    state.position_mut().set(0, DVec3::Z * 0.48);
    let walls = [Wall::plane(DVec3::X * -9.0, DVec3::X), Wall::plane(DVec3::ZERO, DVec3::Z).moving(DVec3::Z)];
    let field = ContactForce::new(list(Domain::OPEN), Laws::of(hooke(), full()));
    let mut field = field.with_walls(walls).unwrap().with_ledger();
    let mut map = Explicit::new(Map::Rodrigues25, 2e-4).unwrap();
    map.step(&bodies, &mut field, &mut state).unwrap();
    let [with, without] = [field.clone(), field.without_wall(0).unwrap()].map(|mut field| {
        map.step(&bodies, &mut field, &mut state.clone()).unwrap();
        field.work.unwrap().committed.by_walls
    });
    assert!(with > 0.0 && with.to_bits() == without.to_bits(), "{with}, {without}");
}
