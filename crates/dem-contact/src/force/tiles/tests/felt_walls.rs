//! Tests of walls that only some groups of bodies feel.

use rrp_geom::glam::DVec3;
use rrp_integrate::step::evaluate_wrenches;
use rrp_integrate::{Bodies, Body, Renumbering, State};

use super::{hooke, list, spring};
use crate::error::DemError;
use crate::force::{ContactForce, FeltWalls, NewBodies};
use crate::law::{Laws, Partner};
use crate::neighbor::Domain;
use crate::wall::Wall;

/// Returns the forces along z on the spheres, in kN and rounded: 1 on a sphere that overlaps by 0.01 m a floor that it
/// feels.
fn forces(bodies: &Bodies, state: &State) -> Vec<f64> {
    (0..bodies.len()).map(|body| (state.wrenches().unwrap().force.get(body).z / 1e3).round()).collect()
}

#[test]
fn a_wall_acts_on_the_bodies_of_its_groups_alone() {
    let mut bodies = Bodies::new([Body::sphere(1.0, 0.5); 3]).unwrap();
    let mut state = State::at_rest(3);
    (0..3).for_each(|body| state.position_mut().set(body, DVec3::new(2.0 * body as f64, 0.0, 0.49)));
    let walls = [Wall::plane(5.0 * DVec3::Z, -DVec3::Z), Wall::plane(DVec3::ZERO, DVec3::Z)];
    let all = ContactForce::new(list(Domain::OPEN), Laws::of(hooke(), spring())).with_walls(walls).unwrap();
    let groups_of_wall = vec![None, Some(vec![1])];
    let felt = FeltWalls { group_of_body: vec![0, 1, 0], groups_of_wall };
    let mut some = all.clone().with_felt_walls(felt.clone()).unwrap();
    evaluate_wrenches(&bodies, &mut some, &mut state).unwrap();
    assert_eq!(forces(&bodies, &state), [0.0, 1.0, 0.0]);
    assert_eq!((some.wall_loads()[1].contacts, some.wall_loads()[1].force.z.round()), (1, -1e3));
    let read = some.contacts(&bodies, &state).unwrap();
    assert_eq!(read.iter().map(|contact| (contact.a, contact.b)).collect::<Vec<_>>(), [(1, Partner::Wall(1))]);

    let numbering = Renumbering::with_changes(3, 2, [1, 2, 3, 4]).unwrap();
    let unknown = some.renumber(&numbering).unwrap_err();
    assert!(matches!(unknown, DemError::LengthMismatch { what: "groups of new bodies", expected: 2, found: 0 }));
    some.renumber_with(&numbering, NewBodies { groups: &[0, 1], ..NewBodies::default() }).unwrap();
    let new = Bodies::new([Body::sphere(1.0, 0.5); 2]).unwrap();
    let mut coming = State::at_rest(2);
    (0..2).for_each(|body| coming.position_mut().set(body, DVec3::new(2.0 * body as f64, 3.0, 0.49)));
    numbering.apply_with(&mut state, &coming).unwrap();
    numbering.apply_to_bodies_with(&mut bodies, &new).unwrap();
    state.discard_wrenches();
    evaluate_wrenches(&bodies, &mut some, &mut state).unwrap();
    assert_eq!(forces(&bodies, &state), [1.0, 0.0, 0.0, 1.0]);

    let mut fewer = some.without_wall(0).unwrap();
    state.discard_wrenches();
    evaluate_wrenches(&bodies, &mut fewer, &mut state).unwrap();
    assert_eq!(forces(&bodies, &state), [1.0, 0.0, 0.0, 1.0]);
    let error = all.clone().with_felt_walls(FeltWalls { groups_of_wall: vec![None; 3], ..felt }).unwrap_err();
    assert!(matches!(error, DemError::InvalidParameter { .. }));
    let nobody = FeltWalls { group_of_body: Vec::new(), groups_of_wall: vec![Some(vec![0])] };
    let error = all.with_felt_walls(nobody).unwrap().contacts(&bodies, &state).unwrap_err();
    assert!(matches!(error, DemError::LengthMismatch { what: "groups of bodies that feel walls", .. }), "{error}");
}
