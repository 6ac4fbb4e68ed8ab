//! Tests that bits are the same for any number of threads, after a restart, after reading, and after a failed step.

use crate::prelude::*;

const DT: f64 = 2e-3;

type Field = ContactForce;

fn bed(count: usize) -> (Bodies, State, Field) {
    let side = 1.05 * (count as f64).cbrt();
    let (bodies, mut state) = crowd(count, side, 11);
    // The bodies are fast enough for new lists, and to go round the period.
    state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 4.0);
    let boundary = [Boundary::Periodic, Boundary::Periodic, Boundary::Closed];
    let domain = Domain::new(DVec3::new(0.0, 0.0, -1.0), DVec3::splat(side) + DVec3::Z, boundary).unwrap();
    let walls = [Wall::plane(DVec3::Z * -0.1, DVec3::Z), Wall::plane(DVec3::Z * (side + 0.1), DVec3::NEG_Z)];
    let law = Hertz::new(2e4, Damping::restitution(0.8).unwrap()).unwrap();
    let list = NeighborList::new(domain, 0.08).unwrap();
    let field = contacts(list, law, CoulombViscous::new(10.0, 0.3).unwrap());
    (bodies, state, field.with_walls(walls).unwrap().with_ledger())
}

#[test]
fn any_number_of_threads() {
    let outcome = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (bodies, mut state, mut field) = bed(9000);
            advance(&bodies, &mut field, &mut state, DT, 25);
            assert!(field.list().builds() > 1);
            (bits(&state), Ledger::read(&field, &rrp_integrate::NoForce, &bodies, &state).unwrap())
        })
    };
    let one = outcome(1);
    for threads in [2, 3, 8] {
        assert!(outcome(threads) == one, "{threads} threads");
    }
}

/// Runs steps of a periodic crowd under a law, without a ledger.
fn elapse(
    threads: usize,
    equal: bool,
    damping: Damping,
    tangential: impl TangentialLaw + Copy + 'static,
) -> (Vec<u64>, Wrenches) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let count = 9000;
        let side = 1.05 * 9000_f64.cbrt();
        let (mut bodies, mut state) = crowd(count, side, 12);
        if equal {
            bodies = Bodies::new(vec![Body::sphere(1.0, 0.52); count]).unwrap();
        }
        state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 4.0);
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
        let list = NeighborList::new(domain, 0.08).unwrap();
        let mut field = contacts(list, Hertz::new(2e4, damping).unwrap(), tangential);
        advance(&bodies, &mut field, &mut state, DT, 25);
        assert!(field.list().builds() > 1);
        let mut out = Wrenches::zeros(count);
        field.accumulate(&bodies, &state, 0.0, &mut out).unwrap();
        (bits(&state), out)
    })
}

/// One thread takes the path of a build without rayon, several threads that of a build with rayon.
#[test]
fn the_parallel_path_has_the_bits_of_the_serial_one() {
    for equal in [true, false] {
        let damping = Damping::coefficient(3.0).unwrap();
        let laws = |threads| {
            (
                elapse(threads, equal, Damping::NONE, Frictionless),
                elapse(threads, equal, damping, Frictionless),
                elapse(threads, equal, damping, CoulombViscous::new(10.0, 0.3).unwrap()),
            )
        };
        let serial = laws(1);
        assert!(serial.0 != serial.1 && serial.1 != serial.2);
        for threads in [2, 3, 8] {
            assert!(laws(threads) == serial, "{threads} threads, equal spheres: {equal}");
        }
    }
}

#[test]
fn reading_changes_nothing() {
    let (bodies, mut state, mut field) = bed(600);
    let (_, mut read_state, mut read_field) = bed(600);
    for _ in 0..100 {
        advance(&bodies, &mut field, &mut state, DT, 1);
        advance(&bodies, &mut read_field, &mut read_state, DT, 1);
        Ledger::read(&read_field, &rrp_integrate::NoForce, &bodies, &read_state).unwrap();
        read_field.contacts(&bodies, &read_state).unwrap();
        // Reading a state for which the list does not hold changes nothing either.
        let mut elsewhere = read_state.clone();
        elsewhere.position_mut().add(0, DVec3::new(3.0, 0.0, 0.0));
        let _ = read_field.elastic_energy(&bodies, &elsewhere);
    }
    assert!(bits(&state) == bits(&read_state));
}

#[test]
fn trial_states_and_failed_steps_leave_no_trace() {
    let (bodies, mut state, mut field) = bed(600);
    let (_, mut other_state, mut other_field) = bed(600);
    advance(&bodies, &mut field, &mut state, DT, 30);
    advance(&bodies, &mut other_field, &mut other_state, DT, 30);
    for k in 0..30 {
        // A trial far enough for another list, one that fails, and a step that fails.
        let mut trial = state.clone();
        trial.position_mut().add(k, DVec3::new(0.3, 0.0, 0.0));
        let mut out = Wrenches::zeros(bodies.len());
        let _ = field.accumulate(&bodies, &trial, DT, &mut out);
        trial.position_mut().set(k, DVec3::NAN);
        assert!(field.accumulate(&bodies, &trial, DT, &mut out).is_err());
        let before = bits(&state);
        let mut map = Explicit::new(Map::Verlet, 1e3).unwrap();
        assert!(map.step(&bodies, &mut field, &mut state).is_err());
        assert!(bits(&state) == before);
        advance(&bodies, &mut field, &mut state, DT, 3);
        advance(&bodies, &mut other_field, &mut other_state, DT, 3);
    }
    assert!(bits(&state) == bits(&other_state));
    assert_eq!(field.list().pairs(), other_field.list().pairs());
}

/// With this many bodies one thread reads centres as rows refer to them, not in one pass; failed steps leave no trace
/// there either.
#[test]
fn failed_steps_leave_no_trace_among_many_bodies() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let count = 9000;
        let side = 1.05 * 9000_f64.cbrt();
        let (bodies, mut state) = crowd(count, side, 14);
        state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 4.0);
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
        let list = NeighborList::new(domain, 0.08).unwrap();
        let mut field = contacts(list, Hooke::new(1e4, Damping::NONE).unwrap(), Frictionless);
        let mut other_field = field.clone();
        let mut other_state = state.clone();
        for k in 0..20 {
            let mut trial = state.clone();
            // One place is beyond the reach of the list, one inside another body, and one is NaN.
            let [here, there] = [0, 1].map(|i| state.position().get((400 * k + i) % count));
            let wrong = [here + DVec3::X * 0.3, there + DVec3::X * 1e-3, DVec3::NAN];
            for at in wrong {
                trial.position_mut().set(400 * k % count, at);
                let mut out = Wrenches::zeros(count);
                let outcome = field.accumulate(&bodies, &trial, DT, &mut out);
                assert!(outcome.is_ok() || out == Wrenches::zeros(count));
                assert!(outcome.is_ok() == (at == wrong[0]), "{outcome:?} at {at}");
            }
            advance(&bodies, &mut field, &mut state, DT, 2);
            advance(&bodies, &mut other_field, &mut other_state, DT, 2);
        }
        assert!(field.list().builds() > 20 && bits(&state) == bits(&other_state));
    });
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_goes_on_with_the_same_bits() {
    for steps in [1, 7, 50, 113] {
        let (bodies, mut state, mut field) = bed(700);
        advance(&bodies, &mut field, &mut state, DT, steps);
        let bodies: Bodies = serde_json::from_str(&serde_json::to_string(&bodies).unwrap()).unwrap();
        let (mut restored, mut restored_field) = crate::support::restored(&state, &field);
        advance(&bodies, &mut field, &mut state, DT, 100);
        advance(&bodies, &mut restored_field, &mut restored, DT, 100);
        assert!(bits(&state) == bits(&restored), "stopped after {steps} steps");
        let ledger =
            |field: &Field, state: &State| Ledger::read(field, &rrp_integrate::NoForce, &bodies, state).unwrap();
        assert_eq!(ledger(&field, &state), ledger(&restored_field, &restored));
        assert_eq!(field.wall_loads(), restored_field.wall_loads());
    }
}
