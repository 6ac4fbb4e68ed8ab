//! Determinism for any number of threads, with and without rayon; no allocation from the second step on.

use crate::prelude::*;

/// Number of bodies: enough for the parallel path, and a multiple of neither a leaf nor a vector length.
const BODIES: usize = 20_011;

const STEPS: usize = 4;

fn crowd(method: Method) -> (Vec<Body>, State) {
    let mut random = Random(11);
    let rows = (0..BODIES).map(|_| {
        let mass = 1.5 + random.number();
        let size = 2.0 + random.number();
        let shape = if method.takes_any_shape() { DVec3::new(0.5, 0.7, 0.9) } else { DVec3::splat(0.7) };
        Body::rigid(mass, size * shape)
    });
    (rows.collect(), random.state(BODIES))
}

fn after(method: Method, rows: &[Body], state: State) -> State {
    let bodies = Bodies::new(rows.iter().copied()).unwrap();
    System { bodies, field: Tether::TEST, state }.after(method, 0.05, STEPS)
}

/// Small batches never take the parallel path, so this test ties the parallel path to the serial one.
#[test]
fn a_crowd_moves_as_its_parts_do() {
    for method in ALL {
        let (rows, start) = crowd(method);
        let whole = after(method, &rows, start.clone());
        for first in (0..BODIES).step_by(503) {
            let range = first..BODIES.min(first + 503);
            let batch = after(method, &rows[range.clone()], part(&start, range.clone()));
            assert!(bits(&batch) == bits(&part(&whole, range.clone())), "{method:?}: bodies {range:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for method in ALL {
        let (rows, start) = crowd(method);
        let [one, two, three] = [1, 2, 3].map(|n| on_threads(n, || bits(&after(method, &rows, start.clone()))));
        assert!(one == two && one == three, "{method:?}");
    }
}

/// Checks the test's own comparison: `bits` must see a change of the last bit.
#[test]
fn bits_tell_neighbouring_numbers_apart() {
    let mut state = Random(5).state(2);
    let before = bits(&state);
    let x = state.velocity().get(1);
    state.velocity_mut().set(1, DVec3::new(x.x, x.y, x.z.next_up()));
    assert_eq!(before.iter().zip(bits(&state)).filter(|(a, b)| **a != *b).count(), 1);
}

/// Counts the allocations of `steps` steps after a first one; this thread does all the work.
fn allocations(method: Method, len: usize, steps: usize) -> u64 {
    let shape = if method.takes_any_shape() { DVec3::new(1.0, 1.4, 1.8) } else { DVec3::splat(1.4) };
    let bodies = Bodies::new((0..len).map(|_| Body::rigid(1.5, shape))).unwrap();
    let mut field = Tether::TEST;
    let mut state = Random(13).state(len);
    let mut integrator = method.with_step(0.05);
    let mut step = || {
        integrator.step(&bodies, &mut field, &mut state).unwrap();
    };
    step();
    allocation_counter::measure(|| (0..steps).for_each(|_| step())).count_total
}

#[test]
fn steps_of_few_bodies_allocate_nothing() {
    for method in ALL {
        assert_eq!(allocations(method, 3, 100), 0, "{method:?}");
    }
}

#[test]
fn steps_of_many_bodies_allocate_nothing() {
    for method in ALL {
        assert_eq!(on_threads(1, || allocations(method, 20_000, 5)), 0, "{method:?}");
    }
}

/// Checks the counter itself: making an integrator and taking its first step allocate.
#[test]
fn the_first_step_allocates() {
    for method in ALL {
        let counted = allocation_counter::measure(|| assert_eq!(allocations(method, 3, 0), 0)).count_total;
        assert!(counted > 0, "{method:?}");
    }
}
