//! Tests of loads that nothing holds, and of other bad input of the minimiser.

use dem_contact::error::StaticsError;

use crate::prelude::*;

fn refuse(contacts: &ContactForce, (bodies, mut state): (Bodies, State), load: &VectorColumn) -> DemError {
    let before = bits(&state);
    let error =
        EnergyMinimizer::new(1e-12, 200_000).unwrap().minimize(&bodies, contacts, load, &mut state).unwrap_err();
    assert_eq!(bits(&state), before, "{error}");
    error
}

fn law() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

fn down(count: usize) -> VectorColumn {
    (0..count).map(|_| DVec3::NEG_Z).collect()
}

#[test]
fn loads_that_nothing_holds_are_refused() {
    let wall = |normal| open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, normal)]).unwrap();
    let pair = || spheres(&[DVec3::new(0.0, 0.0, 2.0), DVec3::new(0.3, 0.0, 3.0)]);
    for contacts in [open(law(), Frictionless), wall(DVec3::NEG_Z), wall(DVec3::X), wall(DVec3::new(0.1, 0.0, 1.0))] {
        let error = refuse(&contacts, pair(), &down(2));
        assert!(matches!(error, DemError::Statics(StaticsError::Unsupported { .. })), "{error}");
    }
    // In a periodic domain without walls bodies would fall for ever.
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(5.0), [Boundary::Periodic; 3]).unwrap();
    let list = NeighborList::new(domain, 0.1).unwrap();
    let error = refuse(&contacts(list, law(), Frictionless), pair(), &down(2));
    assert!(matches!(error, DemError::Statics(StaticsError::Unsupported { .. })), "{error}");
}

#[test]
fn a_sphere_that_rolls_off_its_support_is_lost() {
    let scene = placed([Body::fixed(0.5), Body::sphere(1.0, 0.5)], [[0.0; 3], [0.1, 0.0, 1.0]]);
    let error = refuse(&open(law(), Frictionless), scene, &down(2));
    assert!(matches!(error, DemError::Statics(StaticsError::Unsupported { body: 1, .. })), "{error}");
}

#[test]
fn nonsense_is_refused() {
    for tolerance in [0.0, -1.0, f64::NAN] {
        assert!(matches!(EnergyMinimizer::new(tolerance, 1), Err(DemError::InvalidParameter { .. })));
    }
    let contacts = open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let one = || spheres(&[DVec3::new(0.0, 0.0, 0.7)]);
    assert!(matches!(refuse(&contacts, one(), &down(2)), DemError::LengthMismatch { what: "loads", .. }));
    let endless: VectorColumn = [DVec3::new(0.0, f64::NAN, 0.0)].into_iter().collect();
    assert!(matches!(refuse(&contacts, one(), &endless), DemError::Statics(StaticsError::InvalidLoad { body: 0, .. })));
    let sunk = spheres(&[DVec3::new(0.0, 0.0, -0.7)]);
    assert!(matches!(
        refuse(&contacts, sunk, &down(1)),
        DemError::Contact(ContactError::BehindWall { body: 0, wall: 0, .. })
    ));
    let deep = spheres(&[DVec3::Z, DVec3::new(0.1, 0.0, 1.0)]);
    assert!(matches!(refuse(&contacts, deep, &down(2)), DemError::Contact(ContactError::OverlapTooLarge { .. })));
    let (bodies, mut state) = spheres(&[DVec3::new(0.0, 0.0, 9.0)]);
    let error = EnergyMinimizer::new(1e-12, 3).unwrap().minimize(&bodies, &contacts, &down(1), &mut state).unwrap_err();
    assert!(matches!(error, DemError::Statics(StaticsError::NoEquilibrium { steps: 3, .. })), "{error}");
}

#[test]
fn a_precision_beyond_reach_ends() {
    let contacts = open(law(), Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let (bodies, mut state) =
        spheres(&[DVec3::new(0.0, 0.0, 0.5), DVec3::new(0.3, 0.0, 2.0), DVec3::new(3.0, 0.1, 0.5)]);
    let before = bits(&state);
    match EnergyMinimizer::new(1e-300, 1_000_000).unwrap().minimize(&bodies, &contacts, &down(3), &mut state) {
        Err(DemError::Statics(StaticsError::NoEquilibrium { residual, .. })) => {
            assert!(residual < 1e-6 && bits(&state) == before)
        }
        // Sums of two numbers can balance to the last bit.
        Ok(found) => assert!(found.residual <= 1e-300),
        Err(error) => panic!("{error}"),
    }
}
