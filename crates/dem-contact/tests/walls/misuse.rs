//! Walls that are none, and bodies behind walls: errors that say where.

use dem_contact::{
    Boundary, ContactForce, Cylinder, Damping, DemError, Domain, Frictionless, Hooke, NeighborList, Revolution, Wall,
};
use rrp_geom::glam::DVec3;
use rrp_integrate::{ForceField, Wrenches};

use crate::support::{block, open, spheres};

fn law() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

#[test]
fn shapes_that_are_none() {
    for (axis, radius) in [(DVec3::Z, 0.0), (DVec3::Z, f64::NAN), (DVec3::Z, -1.0)] {
        assert!(matches!(Cylinder::inside(axis, radius), Err(DemError::InvalidParameter { .. })));
        assert!(matches!(Revolution::tube(axis, radius, [0.0, 1.0]), Err(DemError::InvalidParameter { .. })));
    }
    for axis in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        assert!(matches!(Cylinder::outside(axis, 1.0), Err(DemError::InvalidShape { .. })));
        assert!(matches!(Revolution::disc(axis, 1.0, 0.0), Err(DemError::InvalidShape { .. })));
    }
    let profiles: [&[[f64; 2]]; 4] = [&[], &[[1.0, 1.0]], &[[1.0, 0.0], [1.0, 0.0]], &[[1.0, f64::NAN], [2.0, 0.0]]];
    for profile in profiles {
        let made = Revolution::new(DVec3::Z, profile.iter().copied());
        assert!(matches!(made, Err(DemError::InvalidShape { .. })), "{profile:?}");
    }
    assert!(Revolution::new(DVec3::Z, [[-1.0, 0.0], [1.0, 0.0]]).is_err());
    assert!(matches!(Revolution::disc(DVec3::Z, 1.0, 1.0), Err(DemError::InvalidParameter { .. })));
}

#[test]
fn motions_that_are_none() {
    let plane = || Wall::plane(DVec3::ZERO, DVec3::Z);
    for wall in [
        plane().moving(DVec3::NAN),
        plane().rotating(DVec3::INFINITY),
        plane().oscillating(DVec3::X, f64::NAN, 0.0),
        plane().about(DVec3::NAN),
        Wall::new(block(DVec3::ZERO, DVec3::ONE), DVec3::NAN),
    ] {
        let refused = open(law(), Frictionless).with_walls([plane(), wall]);
        assert!(matches!(refused, Err(DemError::InvalidWall { wall: 1, .. })));
    }
}

#[test]
fn walls_across_periodic_directions() {
    let boundary = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
    let with =
        |wall: Wall| ContactForce::new(NeighborList::new(domain, 0.1).unwrap(), law(), Frictionless).with_walls([wall]);
    let cylinder = |axis| Wall::new(Cylinder::inside(axis, 3.0).unwrap(), DVec3::splat(5.0));
    assert!(with(cylinder(DVec3::X)).is_ok() && with(cylinder(DVec3::X).rotating(DVec3::X)).is_ok());
    let plane = Wall::plane(DVec3::ZERO, DVec3::Z);
    assert!(with(plane.clone().rotating(DVec3::X)).is_ok());
    for wall in [cylinder(DVec3::Y), cylinder(DVec3::X).rotating(DVec3::Z), plane.rotating(DVec3::Y)] {
        assert!(matches!(with(wall), Err(DemError::WallAcrossPeriodic { wall: 0, direction: 0, .. })));
    }
}

#[test]
fn bodies_behind_walls() {
    let solid = Wall::new(block(DVec3::ZERO, DVec3::splat(4.0)), DVec3::ZERO);
    let pipe = Wall::new(Cylinder::inside(DVec3::Z, 1.0).unwrap(), DVec3::ZERO);
    let rod = Wall::new(Revolution::rod(DVec3::Z, 1.0, [-2.0, 2.0]).unwrap(), DVec3::ZERO);
    let cases = [(solid, DVec3::new(2.0, 2.0, 3.8)), (pipe, DVec3::X * 1.2), (rod, DVec3::new(0.9, 0.0, 1.0))];
    for (wall, at) in cases {
        let (bodies, state) = spheres(&[DVec3::splat(20.0), at]);
        let mut field = open(law(), Frictionless).with_walls([wall]).unwrap();
        let error = field.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(2)).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(DemError::BehindWall { body: 1, wall: 0, .. })), "{error}");
        assert!(matches!(field.contacts(&bodies, &state), Err(DemError::BehindWall { body: 1, wall: 0, .. })));
    }
}
