//! A run that was gathered goes on with the same bits, alone or on any number of ranks.

use dem_contact::force::Ledger;
use dem_contact::neighbor::Boundary;
use dem_ranks::{EvenRuns, Scene};
use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use crate::scenes::{alone, bed, bits, equal, mixed_bed, on_ranks};

#[test]
fn what_three_ranks_leave_goes_on_alone_and_on_others() {
    let bed = mixed_bed();
    let expected = bits(&alone(&bed.0, &bed.1, 24).0);
    let ends = on_ranks(3, &bed, EvenRuns, |run| {
        run.take_steps(13)?;
        Ok((run.gather()?, run.gather_contacts()?))
    });
    let (state, contacts) = ends.into_iter().next().unwrap().unwrap();
    let later = (Scene { contacts: contacts.unwrap(), ..bed.0 }, state.unwrap());
    assert!(bits(&alone(&later.0, &later.1, 11).0) == expected);
    // The two tiles on the floor have one owner of two ranks, and two owners of eight.
    for ranks in [2, 8] {
        let ends = on_ranks(ranks, &later, EvenRuns, |run| {
            run.gather_contacts()?;
            run.take_steps(11)?;
            run.gather()
        });
        let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
        assert!(bits(ends[0].as_ref().unwrap()) == expected, "{ranks} ranks");
    }
}

#[test]
fn a_list_that_does_not_hold_at_the_start_is_made_again() {
    let bed = mixed_bed();
    let (mut state, contacts) = alone(&bed.0, &bed.1, 3);
    let top = state.len() - 1;
    state.position_mut().add(top, DVec3::Z * 0.2);
    state.discard_wrenches();
    let moved = (Scene { contacts, ..bed.0 }, state);
    let expected = bits(&alone(&moved.0, &moved.1, 5).0);
    let ends = on_ranks(3, &moved, EvenRuns, |run| {
        let lists = run.lists();
        run.take_steps(5)?;
        Ok((run.gather()?, lists))
    });
    let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
    assert!(ends.iter().all(|end| end.1 == 2));
    assert!(bits(ends[0].0.as_ref().unwrap()) == expected);
}

#[test]
fn stored_contacts_of_ranks_are_those_of_a_run_alone_byte_for_byte() {
    let (mut scene, mut start) = mixed_bed();
    // Some of the fixed bodies move, which the ledger counts as the work of walls.
    scene.bodies.fixed().iter().step_by(3).for_each(|&body| start.velocity_mut().set(body, DVec3::X));
    assert_same_bytes(&(scene.clone(), start.clone()));
    scene.contacts = scene.contacts.with_ledger();
    let work = assert_same_bytes(&(scene, start));
    assert!(work[0] > 1.0 && work[1].abs() > 1.0, "{work:?}");
    assert_same_bytes(&bed([9, 9, 26], [Boundary::Periodic, Boundary::Open, Boundary::Periodic], equal));
}

/// Checks that the stored bytes of ranks are those of a run alone. Returns the dissipated energy and the work of walls
/// in J.
fn assert_same_bytes(bed: &(Scene, State)) -> [f64; 2] {
    let (state, contacts) = alone(&bed.0, &bed.1, 17);
    let stored = postcard::to_stdvec(&(&state, &contacts.stored())).unwrap();
    let ends = on_ranks(3, bed, EvenRuns, |run| {
        run.take_steps(9)?;
        run.gather_contacts()?;
        run.take_steps(8)?;
        Ok((run.gather()?, run.gather_contacts()?))
    });
    let (state, contacts) = ends.into_iter().next().unwrap().unwrap();
    let state = state.unwrap();
    let contacts = contacts.unwrap();
    assert!(postcard::to_stdvec(&(&state, &contacts.stored())).unwrap() == stored);
    let ledger = Ledger::read(&contacts, &bed.0.gravity, &bed.0.bodies, &state).unwrap();
    [ledger.dissipated, ledger.wall_work]
}
