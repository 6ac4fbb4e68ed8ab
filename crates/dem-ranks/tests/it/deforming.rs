//! A box that is sheared, comes to rest and is sheared again, with damping of all motion and a floor that some bodies
//! pass through: ranks have the bits, the work and the stored bytes of a run alone.

use dem_contact::force::{BoxDrive, ContactForce, FeltWalls, Ledger};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::Wall;
use dem_ranks::{EvenRuns, Scene};
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::step::{Damped, GlobalDamping};
use rrp_integrate::{Both, Integrator as _, Map, State};

use crate::scenes::{bed, bits, equal, laws, on_ranks};

const STEPS: usize = 20;

/// The drive of the box in a step. In some steps the box rests.
fn drive(step: usize) -> BoxDrive {
    BoxDrive::new(shear(if (8..14).contains(&step) { 0.0 } else { 9.0 }))
}

/// Velocity gradient of a shear along x at this rate (1/s).
fn shear(rate: f64) -> DMat3 {
    DMat3::from_cols(DVec3::ZERO, rate * DVec3::X, DVec3::ZERO)
}

/// A bed of two tiles. Every other body passes through the floor.
fn sheared_bed(is_watched: bool) -> (Scene, State) {
    let sides = [Boundary::Periodic, Boundary::Periodic, Boundary::Open];
    let (scene, start) = bed([9, 9, 13], sides, equal);
    let domain = Domain::new(DVec3::ZERO, 0.99 * DVec3::new(9.0, 9.0, 13.0), sides).unwrap();
    let list = NeighborList::new(domain.deforming(0.0, shear(9.0)).unwrap(), 0.02).unwrap();
    let contacts = ContactForce::new(list, laws(0.4)).with_ledger();
    let contacts = contacts.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z).moving(DVec3::X)]).unwrap();
    let groups = (0..scene.bodies.len() as u32).map(|body| body % 2).collect();
    let felt = FeltWalls { group_of_body: groups, groups_of_wall: vec![Some(vec![0])] };
    let contacts = contacts.with_felt_walls(felt).unwrap();
    let contacts = if is_watched { contacts.watching_box() } else { contacts };
    let damping = GlobalDamping::Cundall { coefficient: 0.3 };
    let integrator = Damped::new(Map::Rodrigues25, 2e-4, damping).unwrap().into();
    (Scene { contacts, integrator, ..scene }, start)
}

/// The end of a run alone, and the energy in J that damping of all motion took.
fn alone((scene, start): &(Scene, State)) -> (State, ContactForce, f64) {
    let Scene { bodies, contacts, gravity, blocked, mut integrator } = scene.clone();
    let mut field = Both(contacts, Both(gravity, blocked));
    let mut state = start.clone();
    for step in 0..STEPS {
        field.0.steer_box(&mut drive(step), state.time(), state.wrenches().is_some()).unwrap();
        integrator.step(&bodies, &mut field, &mut state).unwrap();
    }
    (state, field.0, integrator.work_of_damping())
}

#[test]
fn a_box_that_rests_between_two_shears_is_that_of_a_run_alone() {
    for is_watched in [false, true] {
        let bed = sheared_bed(is_watched);
        let (state, contacts, damped) = alone(&bed);
        for ranks in [2, 3] {
            let ends = on_ranks(ranks, &bed, EvenRuns, |run| {
                for step in 0..STEPS {
                    run.steer_box(&mut drive(step))?;
                    run.step()?;
                    // Gathers while the box is sheared, and while it rests.
                    if [5, 11].contains(&step) {
                        run.settle()?;
                        run.gather_contacts()?;
                    }
                }
                run.settle()?;
                Ok((run.gather()?, run.gather_contacts()?, run.gather_work_of_damping()?))
            });
            let (found, found_contacts, found_damped) = ends.into_iter().next().unwrap().unwrap();
            let found = found.unwrap();
            let found_contacts = found_contacts.unwrap();
            let what = format!("{ranks} ranks, watched: {is_watched}");
            assert!(bits(&found) == bits(&state), "{what}");
            assert_eq!(found_damped.map(f64::to_bits), Some(damped.to_bits()), "{what}");
            let ledger = |contacts, state| Ledger::read(contacts, &bed.0.gravity, &bed.0.bodies, state).unwrap();
            let (ledger, expected) = (ledger(&found_contacts, &found), ledger(&contacts, &state));
            assert_eq!(ledger, expected, "{what}");
            let of_alone = postcard::to_stdvec(&(&state, &contacts.stored())).unwrap();
            assert!(postcard::to_stdvec(&(&found, &found_contacts.stored())).unwrap() == of_alone, "{what}");
            assert!(ledger.box_work.abs() > 1e-3 && damped > 1e-3, "{ledger:?} {damped}");
        }
        // Half of the 81 bodies of the lowest layer feel the floor.
        let touching = contacts.wall_loads()[0].contacts;
        assert!((10..=41).contains(&touching), "{touching}");
    }
}
