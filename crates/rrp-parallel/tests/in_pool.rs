//! Steps whose loops find the other threads of the pool awake.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rrp_parallel::{Parts, in_pool, sum_parts};

/// Loops one after the other, each over the sum of the one before; within another step of its own.
fn step(rows: &[f64]) -> f64 {
    let parts = Parts::of_size(rows.len(), 64);
    let next = |sum: f64| sum_parts(parts, rows, &|_, rows| [0.1 * sum + rows[0]])[0];
    in_pool(parts, || (0..50).fold(0.0, |sum, _| in_pool(parts, || next(sum))))
}

#[test]
fn a_step_in_the_pool_has_its_result_or_its_panic() {
    let rows: Vec<f64> = (0..1000).map(|i| f64::from(i).sin()).collect();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| step(&rows));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let failing = || in_pool(Parts::of_size(2, 1), || panic!("as it is wanted"));
    for _ in 0..3 {
        assert_eq!(pool.install(|| step(&rows)).to_bits(), alone.to_bits());
        assert!(catch_unwind(AssertUnwindSafe(|| pool.install(failing))).is_err());
    }
    assert_eq!(step(&rows).to_bits(), alone.to_bits());
}
