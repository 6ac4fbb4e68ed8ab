//! From the second step on an integrator allocates nothing.

use crate::prelude::*;

/// Allocations of `steps` steps after a first one. Counted on this thread, which does all the work.
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

/// The counter does count: making an integrator and its first step cost allocations.
#[test]
fn the_first_step_allocates() {
    for method in ALL {
        let counted = allocation_counter::measure(|| assert_eq!(allocations(method, 3, 0), 0)).count_total;
        assert!(counted > 0, "{method:?}");
    }
}
