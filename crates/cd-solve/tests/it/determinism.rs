//! Bits do not depend on the number of threads, and a second solve allocates no memory.

use crate::prelude::*;

/// FNV-1a hash of the bits.
fn hash(values: &[f64]) -> u64 {
    let bytes = values.iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let classic = Classic::new(Pyramid::new(20).assembly(Species::EvenSoft));
    let run = || {
        let mut hashes = Vec::new();
        let options = Options::new(0.0, 30);
        let solvers: [&mut dyn LcpSolver; 2] = [&mut Apgd::new(options), &mut ProjectedGaussSeidel::new(options)];
        for solver in solvers {
            let (force, report) = classic.solve(solver);
            hashes.push((hash(&force), report.iterations, report.residual.to_bits()));
        }
        let mut solvers = compatibility_solvers(1e-9);
        for exponent in [2.0, 2.5] {
            for (_, solver) in &mut solvers {
                let mut force = vec![0.0; classic.jacobian.contacts()];
                let problem = classic.assembly.problem(&classic.jacobian, exponent).unwrap();
                let report = solver.solve(&problem, &mut force).unwrap();
                hashes.push((hash(&force), report.iterations, report.residual.to_bits()));
            }
        }
        hashes
    };
    let one = in_pool(1, run);
    // Hashes of runs with rayon and without.
    assert_eq!([one[0].0, one[1].0], [0x2b5b_28a5_4509_3e1e, 0xa269_8d63_72df_6005]);
    assert_eq!(one, in_pool(2, run));
    assert_eq!(one, in_pool(3, run));
}

#[test]
fn a_second_solve_allocates_nothing() {
    let classic = Classic::new(Pyramid::new(6).assembly(Species::EvenSoft));
    let options = Options::new(1e-9, 5000);
    let shuffled = SweepOrder::Random { seed: 1, redraw: true };
    classic.with(|problem| {
        let solvers: [(&str, &mut dyn LcpSolver); 3] = [
            ("APGD", &mut Apgd::new(options)),
            ("Gauss-Seidel", &mut ProjectedGaussSeidel::new(options)),
            ("Gauss-Seidel redrawn", &mut ProjectedGaussSeidel::new(options).with_order(shuffled)),
        ];
        for (name, solver) in solvers {
            let mut force = vec![0.0; problem.len()];
            assert!(solver.solve(problem, &mut force).unwrap().converged());
            force.fill(0.0);
            let info = allocation_counter::measure(|| assert!(solver.solve(problem, &mut force).unwrap().converged()));
            assert_eq!(info.count_total, 0, "{name}");
        }
    });
    for (name, mut solver) in compatibility_solvers(1e-9) {
        for exponent in [2.0, 2.5] {
            let problem = classic.assembly.problem(&classic.jacobian, exponent).unwrap();
            let mut force = vec![0.0; classic.jacobian.contacts()];
            assert!(solver.solve(&problem, &mut force).unwrap().converged(), "{name}");
            let info = allocation_counter::measure(|| assert!(solver.solve(&problem, &mut force).unwrap().converged()));
            assert_eq!(info.count_total, 0, "{name}, {exponent}");
        }
    }
    let delassus = Delassus::new(&classic.jacobian, &classic.inverse_mass).unwrap();
    let jacobi = Jacobi(delassus.diagonal().to_vec());
    let b = vec![1.0; classic.jacobian.contacts()];
    let mut solver = ConjugateGradient::new(Options::new(1e-3, 100));
    let mut x = vec![0.0; b.len()];
    let _ = solver.solve(&delassus, Some(&jacobi), &b, &mut x).unwrap();
    let info = allocation_counter::measure(|| {
        let _ = solver.solve(&delassus, Some(&jacobi), &b, &mut x).unwrap();
    });
    assert_eq!(info.count_total, 0);
}
