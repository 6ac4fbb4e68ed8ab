//! The beam of [OK18] section 8 on three supports.

use crate::prelude::*;

/// Gauss-Seidel returns one of several solutions, which depends on the order of its sweep.
#[test]
fn the_order_of_the_sweep_decides_about_the_forces() {
    let orders: [([usize; 3], [f64; 3]); 6] = [
        ([0, 1, 2], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
        ([2, 1, 0], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
        ([0, 2, 1], [10.0 / 3.0; 3]),
        ([2, 0, 1], [10.0 / 3.0; 3]),
        ([1, 0, 2], [0.0, 10.0, 0.0]),
        ([1, 2, 0], [0.0, 10.0, 0.0]),
    ];
    let beam = beam();
    for (order, expected) in orders {
        let solver = ProjectedGaussSeidel::new(Options::new(1e-14, 1000));
        let (force, report) = beam.solve(&mut solver.with_order(SweepOrder::Explicit(order.into())));
        assert!(report.converged(), "{order:?}: {report:?}");
        assert!(distance(&force, &expected) < 1e-12, "{order:?}: {force:?}");
    }
}

#[test]
fn apgd_from_zero_shares_the_weight_equally() {
    let (force, report) = beam().solve(&mut Apgd::new(Options::new(1e-14, 1000)));
    assert!(report.converged(), "{report:?}");
    assert!(distance(&force, &[10.0 / 3.0; 3]) < 1e-12, "{force:?}");
}

/// The beam with m = 1 and J = m L² / 12.
fn beam() -> Classic {
    let entry = |k: usize| if k.is_multiple_of(7) { [1.0, 1.0, 1.0, 1.0, 12.0, 1.0][k / 7] } else { 0.0 };
    let inverse_mass = cd_solve::BodyBlocks::full(6, (0..36).map(entry).collect()).unwrap();
    Classic { inverse_mass, ..Classic::new(Assembly::beam(1.0)) }
}
