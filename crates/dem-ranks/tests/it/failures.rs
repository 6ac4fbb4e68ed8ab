//! A step that fails on one rank ends all, with the message of a run alone.

use dem_contact::neighbor::Boundary;
use dem_ranks::{EvenRuns, RanksError, Scene};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Both, Explicit, Integrator as _, Map, State};

use crate::scenes::{bed, equal, on_ranks};

/// Checks that all ranks end with the message of the run alone, after as many steps.
fn assert_one_message(what: &str, bed: &(Scene, State)) {
    let Scene { bodies, contacts, gravity, mut integrator, .. } = bed.0.clone();
    let mut field = Both(gravity, contacts);
    let mut state = bed.1.clone();
    let mut steps = 0;
    let error = loop {
        match integrator.step(&bodies, &mut field, &mut state) {
            Ok(_) => steps += 1,
            Err(error) => break error.to_string(),
        }
        assert!(steps < 100, "{what}: no error");
    };
    for ranks in [2, 3] {
        for end in on_ranks(ranks, bed, EvenRuns, |run| run.take_steps(100)) {
            let Err(RanksError::StepFailed { message, steps: taken, .. }) = end else { panic!("{what}: {end:?}") };
            assert_eq!((&message, taken), (&error, steps), "{what}");
        }
    }
}

fn open_bed() -> (Scene, State) {
    bed([9, 9, 13], [Boundary::Open; 3], equal)
}

#[test]
fn a_step_that_fails_on_one_rank_ends_all_with_one_message() {
    let mut shot = open_bed();
    shot.1.velocity_mut().set(796, DVec3::X * 600.0);
    // Spheres in the middle overlap, which two ranks see.
    let mut pushed = open_bed();
    (500..560).for_each(|i| pushed.1.velocity_mut().add(i, DVec3::Z * 10.0 * (i - 490) as f64));
    let mut turning = open_bed();
    turning.0.integrator = Explicit::new(Map::Rodrigues23, 2e-4).unwrap().into();
    turning.1.angular_momentum_mut().set(1000, DVec3::Z * 600.0);
    let mut endless = open_bed();
    endless.0.integrator = Explicit::new(Map::Rodrigues25, 2.0).unwrap().into();
    endless.1.velocity_mut().set(3, DVec3::X * 1e308);
    let mut leaving = bed([9, 9, 13], [Boundary::Closed, Boundary::Open, Boundary::Open], equal);
    leaving.1.velocity_mut().set(0, DVec3::new(-80.0, -80.0, -80.0));
    for (what, bed) in [
        ("an overlap", shot),
        ("overlaps", pushed),
        ("a body that turns too fast", turning),
        ("a number that is not finite", endless),
        ("a body that leaves the domain", leaving),
    ] {
        assert_one_message(what, &bed);
    }
}

#[test]
fn what_is_not_done_on_ranks_is_refused() {
    let (scene, start) = open_bed();
    let long = (0..scene.bodies.len()).map(|_| Body::rigid(1.0, DVec3::new(1.0, 1.0, 0.5)));
    let bed = (Scene { bodies: Bodies::new(long).unwrap(), ..scene }, start);
    for end in on_ranks(2, &bed, EvenRuns, |_| Ok(())) {
        assert!(matches!(end, Err(RanksError::NotOnRanks { what: "bodies that are no spheres" })), "{end:?}");
    }
}
