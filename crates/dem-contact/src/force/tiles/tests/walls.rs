//! Walls that move in several ways, and their work.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, Integrator as _, Map, State};

use super::{full, hooke, list};
use crate::force::ContactForce;
use crate::law::Laws;
use crate::neighbor::Domain;
use crate::wall::{Cylinder, Revolution, Wall};

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
