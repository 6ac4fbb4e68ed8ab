//! Tests of invalid walls and bodies behind walls: errors name the wall.

use crate::bad_input::refuse;
use crate::contact_dynamics::support::pgs;
use crate::prelude::*;
use crate::walls::support::{Own, block};

fn law() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

#[test]
fn shapes_that_are_none() {
    for (axis, radius) in [(DVec3::Z, 0.0), (DVec3::Z, f64::NAN), (DVec3::Z, -1.0)] {
        assert_matches!(Cylinder::inside(axis, radius), Err(DemError::InvalidParameter { .. }));
        assert_matches!(Revolution::tube(axis, radius, [0.0, 1.0]), Err(DemError::InvalidParameter { .. }));
    }
    for axis in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        assert_matches!(Cylinder::outside(axis, 1.0), Err(DemError::Wall(WallError::InvalidShape { .. })));
        assert_matches!(Revolution::disc(axis, 1.0, 0.0), Err(DemError::Wall(WallError::InvalidShape { .. })));
    }
    let profiles: [&[[f64; 2]]; 5] =
        [&[], &[[1.0, 1.0]], &[[1.0, 0.0]; 2], &[[1.0, f64::NAN], [2.0, 0.0]], &[[1.0, -1e155], [1.0, 1e155]]];
    for profile in profiles {
        let made = Revolution::new(DVec3::Z, profile.iter().copied());
        assert_matches!(made, Err(DemError::Wall(WallError::InvalidShape { .. })), "{profile:?}");
    }
    assert!(Revolution::new(DVec3::Z, [[-1.0, 0.0], [1.0, 0.0]]).is_err());
    assert_matches!(Revolution::disc(DVec3::Z, 1.0, 1.0), Err(DemError::InvalidParameter { .. }));
}

/// Returns the error of the third step at most, of implicit steps and of contact dynamics, beside this wall.
fn refused_by_methods(list: impl Fn() -> NeighborList, wall: &Wall, bodies: &Bodies, start: &State) -> [DemError; 2] {
    let contacts = contacts(list(), law(), Frictionless).with_walls([wall.clone()]).unwrap();
    let dynamics = ContactDynamics::new(0.01, list(), pgs(1e-10)).unwrap().with_walls([wall.clone()]).unwrap();
    let maps: [Box<dyn Integrator>; 2] = [Box::new(ImplicitDem::new(contacts, 0.01).unwrap()), Box::new(dynamics)];
    maps.map(|mut map| {
        let mut state = start.clone();
        cause((0..3).find_map(|_| map.step(bodies, &mut NoForce, &mut state).err()).unwrap())
    })
}

/// A motion that becomes NaN after some time.
const LOST: Own = Own(|time| {
    let displacement = if time > 0.015 { DVec3::NAN } else { DVec3::ZERO };
    WallPose { displacement, ..WallPose::REST }
});

/// A wall at NaN would not hold bodies.
#[test]
fn walls_that_get_lost_are_noticed_by_all_integrators() {
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z).driven(LOST);
    let pipe = Wall::new(Cylinder::inside(DVec3::Z, 5.0).unwrap(), DVec3::ZERO).driven(LOST);
    for wall in [plane, pipe] {
        let (bodies, start) = spheres(&[DVec3::Z * 0.6]);
        for error in refused_by_methods(|| open_list(0.1), &wall, &bodies, &start) {
            assert_matches!(error, DemError::Wall(WallError::InvalidWall { wall: 0, .. }));
        }
    }
}

/// A motion whose quaternion does not have length one.
const STRETCHED: Own = Own(|_| WallPose { rotation: DQuat::from_xyzw(3.0, 0.0, 0.0, 4.0), ..WallPose::REST });

#[test]
fn readings_refuse_the_walls_that_steps_refuse() {
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    let pipe = || Wall::new(Cylinder::inside(DVec3::Z, 5.0).unwrap(), DVec3::ZERO);
    let walls =
        [plane().driven(LOST), pipe().driven(LOST), plane().rotating(DVec3::X * 1e300), pipe().driven(STRETCHED)];
    for wall in walls {
        let (bodies, mut state) = spheres(&[DVec3::Z * 0.49]);
        state.set_time(1.0);
        let mut contacts = open(law(), Frictionless).with_walls([wall]).unwrap();
        let readings = [
            contacts.contacts(&bodies, &state).map(|_| ()),
            contacts.elastic_energy(&bodies, &state).map(|_| ()),
            Ledger::read(&contacts, &NoForce, &bodies, &state).map(|_| ()),
        ];
        for reading in readings {
            assert_matches!(reading, Err(DemError::Wall(WallError::InvalidWall { wall: 0, .. })));
        }
        let mut map = Explicit::new(Map::Rodrigues25, 1e-3).unwrap();
        let error = map.step(&bodies, &mut contacts, &mut state).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("wall 0: the"), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_wall_is_named_with_its_number() {
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    for (wall, text) in [
        (plane().moving(DVec3::NAN), "velocity must be finite, but is NaN"),
        (plane().moving(DVec3::Y * f64::INFINITY), "velocity must be finite, but is NaN"),
        (plane().rotating(DVec3::INFINITY), "spin must be finite, but is inf"),
        (plane().rotating(DVec3::X * f64::NAN), "spin must be finite, but is NaN"),
        (plane().oscillating(DVec3::X, f64::INFINITY, 0.0), "frequency must be finite, but is inf"),
        (plane().oscillating(DVec3::X, f64::NAN, 0.0), "frequency must be finite, but is NaN"),
        (plane().about(DVec3::NAN), "point must be finite, but is NaN"),
        (Wall::new(block(DVec3::ZERO, DVec3::ONE), DVec3::NAN), "point must be finite, but is NaN"),
        (Wall::plane(DVec3::NAN, DVec3::X), "point must be finite, but is NaN"),
        (Wall::plane(DVec3::ZERO, DVec3::ZERO), "length of the normal must be positive and finite, but is 0"),
    ] {
        let error = open(law(), Frictionless).with_walls([plane(), wall]).unwrap_err();
        assert_eq!(error.to_string(), format!("wall 1: the {text}"));
        assert_matches!(error, DemError::Wall(WallError::InvalidWall { wall: 1, .. }));
    }
}

#[test]
fn walls_across_periodic_directions() {
    let boundary = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
    let with = |wall: Wall| contacts(NeighborList::new(domain, 0.1).unwrap(), law(), Frictionless).with_walls([wall]);
    let cylinder = |axis| Wall::new(Cylinder::inside(axis, 3.0).unwrap(), DVec3::splat(5.0));
    assert!(with(cylinder(DVec3::X)).is_ok() && with(cylinder(DVec3::X).rotating(DVec3::X)).is_ok());
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z);
    assert!(with(plane.clone().rotating(DVec3::X)).is_ok());
    for wall in [
        cylinder(DVec3::Y),
        cylinder(DVec3::X).rotating(DVec3::Z),
        plane.rotating(DVec3::Y),
        Wall::plane(DVec3::ZERO, DVec3::X),
    ] {
        assert_matches!(with(wall), Err(DemError::Wall(WallError::WallAcrossPeriodic { wall: 0, direction: 0, .. })));
    }
}

/// A motion that tilts about y from the start on.
const TILT: Own = Own(|time| WallPose { rotation: DQuat::from_rotation_y(time), spin: DVec3::Y, ..WallPose::REST });

/// A user's own motion turns an endless wall out of a periodic direction: all methods refuse it.
#[test]
fn driven_walls_that_leave_a_periodic_direction() {
    let boundary = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
    let list = || NeighborList::new(domain, 0.1).unwrap();
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z).driven(TILT);
    let pipe = Wall::new(Cylinder::inside(DVec3::X, 3.0).unwrap(), DVec3::splat(5.0)).driven(TILT);
    for wall in [plane, pipe] {
        let (bodies, start) = spheres(&[DVec3::splat(5.0)]);
        let mut field = contacts(list(), law(), Frictionless).with_walls([wall.clone()]).unwrap();
        wrenches(&bodies, &mut field, &start);
        let mut later = start.clone();
        later.set_time(0.1);
        let readings = [
            refuse(&mut field, &bodies, &later),
            field.contacts(&bodies, &later).unwrap_err(),
            field.elastic_energy(&bodies, &later).unwrap_err(),
        ];
        for error in readings.into_iter().chain(refused_by_methods(list, &wall, &bodies, &start)) {
            assert_matches!(error, DemError::Wall(WallError::WallAcrossPeriodic { wall: 0, direction: 0, .. }));
        }
    }
}

/// Bodies near a wall are found anew after the position of the wall was not finite.
#[test]
fn a_wall_that_was_lost_is_felt_when_it_is_back() {
    let pipe = Wall::new(Cylinder::inside(DVec3::Z, 0.99).unwrap(), DVec3::ZERO).driven(LOST);
    for wall in [Wall::plane(DVec3::ZERO, DVec3::X).driven(LOST), pipe] {
        let (bodies, mut state) = spheres(&[DVec3::X * 0.495]);
        let touching = wall.distance(DVec3::X * 0.495, 0.0, 0.51).is_some();
        let mut field = open(law(), Frictionless).with_walls([wall]).unwrap();
        let mut out = Wrenches::zeros(1);
        state.set_time(1.0);
        field.accumulate(&bodies, &state, 0.0, &mut out).unwrap_err();
        state.set_time(0.0);
        field.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
        assert!(touching && field.wall_loads()[0].contacts == 1);
    }
}

#[test]
fn bodies_behind_walls() {
    let solid = Wall::new(block(DVec3::ZERO, DVec3::splat(4.0)), DVec3::ZERO);
    let pipe = Wall::new(Cylinder::inside(DVec3::Z, 1.0).unwrap(), DVec3::ZERO);
    let rod = Wall::new(Revolution::rod(DVec3::Z, 1.0, [-2.0, 2.0]).unwrap(), DVec3::ZERO);
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z);
    let cases = [(solid, DVec3::new(2.0, 2.0, 3.8)), (pipe, DVec3::X * 1.2), (rod, DVec3::new(0.9, 0.0, 1.0))];
    for (wall, at) in cases.into_iter().chain([(plane, DVec3::new(3.0, 3.0, -0.1))]) {
        let (bodies, state) = spheres(&[DVec3::splat(20.0), at]);
        let mut field = open(law(), Frictionless).with_walls([wall]).unwrap();
        for error in [refuse(&mut field, &bodies, &state), field.contacts(&bodies, &state).unwrap_err()] {
            assert_matches!(error, DemError::Contact(ContactError::BehindWall { body: 1, wall: 0, .. }));
        }
    }
}
