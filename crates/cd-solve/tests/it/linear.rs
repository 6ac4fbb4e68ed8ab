//! The iterative linear solvers.

use cd_solve::linear::{BiCgStab, LinearOperator};

use crate::prelude::*;

/// Convection and diffusion on a line of points, with nonsymmetric blocks of two rows.
struct Line {
    points: usize,
    convection: f64,
}

impl Line {
    fn diagonal(&self) -> Vec<f64> {
        (0..self.points).flat_map(|i| [3.0 * scale(i); 2]).collect()
    }
}

/// Rows differ by orders of magnitude, so that a preconditioner matters.
fn scale(point: usize) -> f64 {
    10.0_f64.powi((point % 7) as i32)
}

impl LinearOperator for Line {
    fn dimension(&self) -> usize {
        2 * self.points
    }

    fn apply(&self, x: &[f64], y: &mut [f64], _: &mut Vec<f64>) {
        for i in 0..self.points {
            for c in 0..2 {
                let at = |j: usize| if j < self.points { x[2 * j + c] } else { 0.0 };
                let before = at(i.wrapping_sub(1));
                let after = at(i + 1);
                let own = 3.0 * x[2 * i + c] + x[2 * i + 1 - c];
                let root = |j: usize| if j < self.points { (scale(i) * scale(j)).sqrt() } else { 0.0 };
                y[2 * i + c] = scale(i) * own
                    - root(i.wrapping_sub(1)) * (0.9 + self.convection) * before
                    - root(i + 1) * (0.9 - self.convection) * after;
            }
        }
    }
}

fn right_side(matrix: &dyn LinearOperator, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let x: Vec<f64> = (0..matrix.dimension()).map(|_| random.random_range(-1.0..1.0)).collect();
    let mut b = vec![0.0; x.len()];
    matrix.apply(&x, &mut b, &mut Vec::new());
    (x, b)
}

#[test]
fn systems_are_solved_and_a_preconditioner_helps() {
    let options = Options::new(1e-13, 3000);
    for convection in [0.0, 0.4] {
        let line = Line { points: 300, convection };
        let jacobi = Jacobi(line.diagonal());
        let (expected, b) = right_side(&line, 3);
        let mut solvers: Vec<(&str, Box<dyn LinearSolver>)> = vec![("BiCGSTAB", Box::new(BiCgStab::new(options)))];
        if convection <= 0.0 {
            solvers.push(("CG", Box::new(ConjugateGradient::new(options))));
        }
        for (name, mut solver) in solvers {
            let mut x = vec![0.0; b.len()];
            let helped = solver.solve(&line, Some(&jacobi), &b, &mut x).unwrap();
            assert!(helped.converged(), "{name}: {helped:?}");
            assert!(distance(&x, &expected) < 1e-6, "{name}: {:e}", distance(&x, &expected));
            assert!(helped.iterations < 200, "{name}: {helped:?}");
            let mut x = vec![0.0; b.len()];
            let alone = solver.solve(&line, None, &b, &mut x).unwrap();
            assert!(alone.iterations > 2 * helped.iterations, "{name}: {alone:?} {helped:?}");
        }
    }
}

/// B W Bᵀ of redundant contacts is singular: consistent systems are solved, inconsistent ones stall.
#[test]
fn singular_systems() {
    let classic = Classic::new(Assembly::beam(1.0));
    let matrix = Delassus::new(&classic.jacobian, &classic.inverse_mass).unwrap();
    let solvers: [&mut dyn LinearSolver; 2] = [&mut ConjugateGradient::default(), &mut BiCgStab::default()];
    for solver in solvers {
        let mut x = vec![0.0; 3];
        let report = solver.solve(&matrix, None, &[1.0, 2.0, 3.0], &mut x).unwrap();
        assert!(report.converged(), "{report:?}");
        let mut image = vec![0.0; 3];
        matrix.apply(&x, &mut image, &mut Vec::new());
        assert!(distance(&image, &[1.0, 2.0, 3.0]) < 1e-9);
        let mut x = vec![0.0; 3];
        let report = solver.solve(&matrix, None, &[1.0, -2.0, 1.0], &mut x).unwrap();
        assert!(!report.converged() && report.residual > 0.5, "{report:?}");
        assert!(x.iter().all(|x| x.is_finite()));
    }
}

/// An operator of two unknowns, from a function.
struct Pair<F>(F);

impl<F: Fn(&[f64]) -> [f64; 2] + Sync> LinearOperator for Pair<F> {
    fn dimension(&self) -> usize {
        2
    }

    fn apply(&self, x: &[f64], y: &mut [f64], _: &mut Vec<f64>) {
        y.copy_from_slice(&(self.0)(x));
    }
}

#[test]
fn what_is_not_a_number_is_never_returned() {
    let broken = Pair(|x: &[f64]| [x[0], if x[0].abs() > 0.0 { f64::NAN } else { 0.0 }]);
    let solvers: [&mut dyn LinearSolver; 2] = [&mut ConjugateGradient::default(), &mut BiCgStab::default()];
    for solver in solvers {
        let mut x = [0.0; 2];
        let report = solver.solve(&broken, None, &[1.0, 1.0], &mut x).unwrap();
        assert_eq!(report.status, Status::Stalled);
        assert!(x.iter().all(|x| x.is_finite()) && report.residual.is_finite());
        // A zero right-hand side.
        let report = solver.solve(&broken, None, &[0.0; 2], &mut [0.0; 2]).unwrap();
        assert!(report.converged() && report.iterations == 0);
    }
}

/// Norms are right even if their squares underflow or overflow.
#[test]
fn systems_of_any_size() {
    use cd_solve::faer::sparse::{SparseColMat, Triplet};
    use cd_solve::linear::SparseCholesky;
    for unit in [1.0, 1e-200, 1e200, 1e-300, 1e290] {
        for size in [1.0, 1e-162, 1e160, 1e-290, 1e290] {
            let expected = [1.0, 0.5].map(|x| x * size / unit);
            if !expected.iter().all(|x: &f64| x.is_normal()) {
                continue;
            }
            let is_right = |x: &[f64]| x.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b);
            let matrix = Pair(|x: &[f64]| [unit * x[0], 2.0 * unit * x[1]]);
            let jacobi = Jacobi(vec![unit, 2.0 * unit]);
            let solvers: [&mut dyn LinearSolver; 2] = [&mut ConjugateGradient::default(), &mut BiCgStab::default()];
            for (which, solver) in solvers.into_iter().enumerate() {
                for preconditioner in [None, Some(&jacobi as &dyn cd_solve::linear::Preconditioner)] {
                    for guess in [0.0, 0.9] {
                        let mut x = expected.map(|x| guess * x);
                        let report = solver.solve(&matrix, preconditioner, &[size; 2], &mut x).unwrap();
                        assert!(report.converged() && is_right(&x), "{which}, {unit}, {size}: {report:?} {x:?}");
                    }
                }
            }
            let entries = [Triplet::new(0, 0, unit), Triplet::new(1, 1, 2.0 * unit)];
            let sparse = SparseColMat::try_new_from_triplets(2, 2, &entries).unwrap();
            let mut factor = SparseCholesky::analyze(sparse.symbolic()).unwrap();
            factor.factorize(sparse.as_ref()).unwrap();
            let mut x = [size; 2];
            factor.solve(&mut x).unwrap();
            assert!(is_right(&x), "{unit}, {size}: {x:?}");
        }
    }
}
