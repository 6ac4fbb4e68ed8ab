//! Every invalid input has its error, and errors leave results untouched.

use cd_solve::apgd::StepRule;
use cd_solve::error::{ContactError, FrictionError, MatrixError};
use cd_solve::friction::{
    BlockMatrix, CompatibleFrictionProblem, FrictionCoefficients, FrictionMatrix, LeastEnergyForces, Springs,
};
use cd_solve::linear::BiCgStab;

use crate::prelude::*;

const UP: [f64; 3] = [0.0, 0.0, 1.0];

#[test]
fn contact_maps() {
    let spheres =
        |pairs: &[cd_solve::BodyPair], normals: &[[f64; 3]]| ContactJacobian::spheres(2, pairs, normals).unwrap_err();
    let length = |found| SolveError::LengthMismatch { what: "normals", expected: 1, found };
    assert_eq!(spheres(&[[None, Some(0)]], &[]), length(0));
    let error = SolveError::Contact(ContactError::IndexOutOfRange { contact: 0, body: 2, bodies: 2 });
    assert_eq!(spheres(&[[None, Some(2)]], &[UP]), error);
    assert_eq!(
        spheres(&[[Some(1), Some(1)]], &[UP]),
        SolveError::Contact(ContactError::SameBody { contact: 0, body: 1 })
    );
    assert_eq!(spheres(&[[None, None]], &[UP]), SolveError::Contact(ContactError::NoFreeBody { contact: 0 }));
    assert_eq!(spheres(&[[None, Some(0)]], &[[0.0; 3]]), SolveError::Contact(ContactError::NoFreeBody { contact: 0 }));
    let nan = spheres(&[[None, Some(0)]], &[[0.0, f64::NAN, 1.0]]);
    assert!(matches!(nan, SolveError::NotFinite { index: 1, .. }), "{nan}");
    for found in [0, 1, 2, 4, 5, 7] {
        let error = ContactError::InvalidDof { found };
        assert_eq!(ContactJacobian::new(found, 1, &[], &[]), Err(SolveError::Contact(error)));
    }
    assert!(matches!(ContactJacobian::new(3, 1, &[[None, Some(0)]], &[1.0]), Err(SolveError::LengthMismatch { .. })));
    let infinite = ContactJacobian::new(3, 1, &[[None, Some(0)]], &[0.0, 0.0, 0.0, 0.0, f64::INFINITY, 0.0]);
    assert!(matches!(infinite, Err(SolveError::NotFinite { index: 4, .. })));
    let jacobian = ContactJacobian::spheres(1, &[[None, Some(0)]], &[UP]).unwrap();
    assert!(jacobian.apply(&[0.0; 2], &mut [0.0]).is_err() && jacobian.apply(&[0.0; 3], &mut []).is_err());
    assert!(
        jacobian.apply_transpose(&[], &mut [0.0; 3]).is_err() && jacobian.apply_transpose(&[0.0], &mut [0.0]).is_err()
    );
}

#[test]
fn compatibility_problems() {
    let assembly = Assembly::beam(1.0);
    let jacobian = assembly.jacobian().unwrap();
    let problem = |load: &[f64], stiffness: &[f64], exponent| {
        CompatibilityProblem::new(&jacobian, load, stiffness, exponent).map(|_| ()).unwrap_err()
    };
    assert!(matches!(problem(&[1.0], &[1.0; 3], 2.0), SolveError::LengthMismatch { expected: 6, found: 1, .. }));
    assert!(matches!(problem(&[1.0; 6], &[1.0; 2], 2.0), SolveError::LengthMismatch { expected: 3, found: 2, .. }));
    let load = [1.0, f64::NAN, 1.0, 1.0, 1.0, 1.0];
    assert!(matches!(problem(&load, &[1.0; 3], 2.0), SolveError::NotFinite { index: 1, .. }));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = problem(&[1.0; 6], &[1.0, bad, 1.0], 2.0);
        assert!(matches!(error, SolveError::Contact(ContactError::InvalidStiffness { contact: 1, .. })), "{error}");
    }
    for bad in [1.9, 3.1, f64::NAN] {
        assert!(matches!(
            problem(&[1.0; 6], &[1.0; 3], bad),
            SolveError::Contact(ContactError::InvalidExponent { .. })
        ));
    }
    let sound = assembly.problem(&jacobian, 2.0).unwrap();
    assert!(matches!(sound.with_open(&[true]), Err(SolveError::LengthMismatch { expected: 3, found: 1, .. })));
    for (name, mut solver) in [f64::NAN, -1.0].into_iter().flat_map(compatibility_solvers) {
        let mut force = [0.5; 3];
        let error = solver.solve(&sound, &mut force);
        assert!(matches!(error, Err(SolveError::InvalidParameter { .. })), "{name}: {error:?}");
        assert!(force.iter().all(|f| (f - 0.5).abs() < 1e-300), "{name}");
    }
}

#[test]
fn complementarity_problems() {
    let dense = |n: usize, m: usize, values: &[f64]| Mat::from_fn(n, m, |i, j| values[i * m + j]);
    let lcp = |matrix: &Mat<f64>, offset: &[f64]| {
        Lcp::new(LcpMatrix::Dense(matrix.as_ref()), offset).map(|_| ()).unwrap_err()
    };
    assert_eq!(
        lcp(&dense(1, 2, &[1.0; 2]), &[1.0]),
        SolveError::Matrix(MatrixError::NotSquare { rows: 1, columns: 2 })
    );
    let error = lcp(&dense(2, 2, &[1.0, 0.5, 0.2, 1.0]), &[1.0; 2]);
    assert_eq!(error, SolveError::Matrix(MatrixError::NotSymmetric { row: 0, column: 1, upper: 0.5, lower: 0.2 }));
    let error = lcp(&dense(2, 2, &[1.0, 0.0, 0.0, -1.0]), &[1.0; 2]);
    assert_eq!(error, SolveError::Matrix(MatrixError::NegativeDiagonal { index: 1, value: -1.0 }));
    assert!(matches!(lcp(&dense(1, 1, &[f64::NAN]), &[1.0]), SolveError::NotFinite { .. }));
    assert!(matches!(lcp(&dense(1, 1, &[1.0]), &[f64::NAN]), SolveError::NotFinite { .. }));
    assert!(matches!(lcp(&dense(1, 1, &[1.0]), &[]), SolveError::LengthMismatch { .. }));
}

#[test]
fn complementarity_solvers() {
    let classic = Classic::new(Assembly::beam(1.0));
    let sound = Options::new(1e-9, 10);
    let mut solvers: Vec<Box<dyn LcpSolver>> = vec![
        Box::new(Apgd::new(Options::new(f64::NAN, 10))),
        Box::new(ProjectedGaussSeidel::new(Options::new(-1.0, 10))),
        Box::new(ProjectedGaussSeidel::new(sound).with_order(SweepOrder::Explicit([0, 1, 1].into()))),
        Box::new(ProjectedGaussSeidel::new(sound).with_order(SweepOrder::Explicit([0, 1].into()))),
    ];
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        solvers.push(Box::new(Apgd::new(sound).with_step(StepRule::Adaptive { factor })));
    }
    classic.with(|problem| {
        let refuses = |solver: &mut dyn LcpSolver, guess: [f64; 3]| {
            let mut z = guess;
            let error = solver.solve(problem, &mut z).unwrap_err();
            assert!(z.iter().zip(&guess).all(|(a, b)| a.to_bits() == b.to_bits()));
            error
        };
        for solver in &mut solvers {
            let _ = refuses(&mut **solver, [0.5; 3]);
        }
        for solver in [&mut Apgd::new(sound) as &mut dyn LcpSolver, &mut ProjectedGaussSeidel::new(sound)] {
            let error = refuses(solver, [0.0, f64::NAN, 0.0]);
            assert!(matches!(error, SolveError::NotFinite { index: 1, .. }));
        }
    });
    let delassus = Delassus::new(&classic.jacobian, &classic.inverse_mass).unwrap();
    let problem = Lcp::new(LcpMatrix::Operator(&delassus, delassus.diagonal()), &[-1.0; 3]).unwrap();
    let error = ProjectedGaussSeidel::new(sound).solve(&problem, &mut [0.0; 3]);
    assert_eq!(error, Err(SolveError::Matrix(MatrixError::NeedsRows)));
    let blocks = BodyBlocks::scalar(3, vec![1.0]).unwrap();
    assert!(matches!(Delassus::new(&classic.jacobian, &blocks), Err(SolveError::LengthMismatch { .. })));
}

#[test]
fn linear_solvers() {
    let classic = Classic::new(Assembly::beam(1.0));
    let matrix = Delassus::new(&classic.jacobian, &classic.inverse_mass).unwrap();
    let solvers: [&mut dyn LinearSolver; 2] = [&mut ConjugateGradient::default(), &mut BiCgStab::default()];
    let jacobi = Jacobi(vec![1.0; 2]);
    for solver in solvers {
        let mut x = [0.5; 3];
        assert!(matches!(solver.solve(&matrix, None, &[1.0; 2], &mut x), Err(SolveError::LengthMismatch { .. })));
        assert!(matches!(
            solver.solve(&matrix, None, &[1.0; 3], &mut [0.0; 2]),
            Err(SolveError::LengthMismatch { .. })
        ));
        let error = solver.solve(&matrix, Some(&jacobi), &[1.0; 3], &mut x);
        assert!(matches!(error, Err(SolveError::LengthMismatch { expected: 3, found: 2, .. })));
        let error = solver.solve(&matrix, None, &[1.0, f64::NAN, 0.0], &mut x);
        assert!(matches!(error, Err(SolveError::NotFinite { index: 1, .. })));
        assert!(x.iter().all(|x| (x - 0.5).abs() < 1e-300));
    }
}

fn sphere(resistance: Resistance) -> FrictionSpheres {
    FrictionSpheres::new(resistance, &[1.0], &[([None, Some(0)], UP)], [0.0; 6]).unwrap()
}

#[test]
fn matrices() {
    let dense = |rows, columns, value: f64| Mat::from_fn(rows, columns, |i, j| if i == j { value } else { 0.0 });
    let of = |block, matrix: &Mat<f64>| BlockMatrix::from_dense(block, matrix.as_ref()).map(|_| ()).unwrap_err();
    assert_eq!(of(3, &dense(3, 6, 1.0)), SolveError::Matrix(MatrixError::NotSquare { rows: 3, columns: 6 }));
    let error = SolveError::Friction(FrictionError::NotWholeContacts { rows: 4, block: 3 });
    assert_eq!(of(3, &dense(4, 4, 1.0)), error);
    assert_eq!(of(4, &dense(4, 4, 1.0)), SolveError::Friction(FrictionError::InvalidBlock { found: 4 }));
    assert!(matches!(of(3, &dense(3, 3, f64::NAN)), SolveError::NotFinite { .. }));
    for value in [0.0, -1.0] {
        let matrix = BlockMatrix::from_dense(3, dense(3, 3, value).as_ref()).unwrap();
        let matrix = FrictionMatrix::Blocks(&matrix);
        let error = FrictionProblem::new(matrix, &[0.0; 3], FrictionCoefficients::sliding(&[0.3])).unwrap_err();
        assert_eq!(error, SolveError::Friction(FrictionError::Immovable { contact: 0, value }));
    }
}

#[test]
fn contacts() {
    let inverse_mass = || BodyBlocks::scalar(6, vec![1.0]).unwrap();
    let map = |frame: Frame, pair| {
        let contact = FrictionContact { pair, frame, arms: [[0.0; 3]; 2] };
        ContactMap::new(Resistance::Sliding, &[contact], inverse_mass()).map(|_| ()).unwrap_err()
    };
    let sound = Frame::from_normal(UP);
    let no_frame = SolveError::Friction(FrictionError::NoFrame { contact: 0 });
    for frame in [
        Frame { normal: [0.0; 3], ..sound },
        Frame { normal: [0.0, 0.0, f64::NAN], ..sound },
        Frame { normal: [0.0, 0.0, 1.0 + 1e-6], ..sound },
        Frame { tangents: [sound.tangents[1], sound.tangents[0]], ..sound },
        Frame::from_normal([0.0; 3]),
    ] {
        assert_eq!(map(frame, [None, Some(0)]), no_frame);
    }
    assert_eq!(map(sound, [None, None]), SolveError::Contact(ContactError::NoFreeBody { contact: 0 }));
    assert_eq!(map(sound, [Some(0); 2]), SolveError::Contact(ContactError::SameBody { contact: 0, body: 0 }));
    let error = ContactError::IndexOutOfRange { contact: 0, body: 1, bodies: 1 };
    assert_eq!(map(sound, [None, Some(1)]), SolveError::Contact(error));
    let three = BodyBlocks::scalar(3, vec![1.0]).unwrap();
    assert!(matches!(ContactMap::new(Resistance::Sliding, &[], three), Err(SolveError::LengthMismatch { .. })));
}

#[test]
fn laws() {
    let spheres = sphere(Resistance::Rolling);
    let problem = |sliding: &[f64], rolling: &[f64], twisting: &[f64]| {
        let coefficients = FrictionCoefficients { sliding, rolling, twisting };
        FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients).map(|_| ()).unwrap_err()
    };
    for value in [-0.1, f64::INFINITY] {
        let error = problem(&[value], &[0.1], &[]);
        let expected = FrictionError::InvalidCoefficient { kind: "sliding", contact: 0, value };
        assert_eq!(error, SolveError::Friction(expected));
        let error = problem(&[0.1], &[value], &[]);
        let expected = FrictionError::InvalidCoefficient { kind: "rolling", contact: 0, value };
        assert_eq!(error, SolveError::Friction(expected));
    }
    assert!(matches!(problem(&[f64::NAN], &[0.1], &[]), SolveError::Friction(_)));
    assert!(matches!(problem(&[0.1], &[], &[]), SolveError::LengthMismatch { expected: 1, found: 0, .. }));
    assert!(matches!(problem(&[0.1], &[0.1], &[0.1]), SolveError::LengthMismatch { expected: 0, found: 1, .. }));
    let map = FrictionMatrix::Map(&spheres.map);
    let coefficients = FrictionCoefficients { sliding: &[0.1], rolling: &[0.1], twisting: &[] };
    assert!(matches!(FrictionProblem::new(map, &[0.0; 4], coefficients), Err(SolveError::LengthMismatch { .. })));
    assert!(matches!(FrictionProblem::new(map, &[f64::NAN; 5], coefficients), Err(SolveError::NotFinite { .. })));
}

#[test]
fn solvers() {
    let spheres = sphere(Resistance::Sliding);
    let coefficients = FrictionCoefficients::sliding(&[0.3]);
    let coulomb = FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients).unwrap();
    let convex = coulomb.clone().with_law(FrictionLaw::Convex);
    for tolerance in [f64::NAN, 1e-8] {
        let options = Options::new(tolerance, 10);
        let exact: [&mut dyn FrictionSolver; 3] =
            [&mut CoulombSolver::new(options), &mut AcceleratedSweeps::new(options), &mut ProximalNewton::new(options)];
        let refuses = |solver: &mut dyn FrictionSolver, problem, guess: [f64; 3]| {
            let mut force = guess;
            let error = solver.solve(problem, &mut force).unwrap_err();
            assert!(force.iter().zip(&guess).all(|(a, b)| a.to_bits() == b.to_bits()));
            error
        };
        for solver in exact {
            let error = refuses(solver, &convex, [0.5; 3]);
            let wrong_law = matches!(error, SolveError::Friction(FrictionError::WrongLaw { .. }));
            assert_eq!(wrong_law, !tolerance.is_nan(), "{error}");
            let _ = refuses(solver, &coulomb, [f64::NAN; 3]);
        }
        let _ = refuses(&mut ConvexNewton::new(options), &coulomb, [0.5; 3]);
    }
    let skew = Mat::from_fn(3, 3, |i, j| [[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][i][j]);
    let skew = BlockMatrix::from_dense(3, skew.as_ref()).unwrap();
    let problem = FrictionProblem::new(FrictionMatrix::Blocks(&skew), &spheres.offset, coefficients).unwrap();
    let error = ConvexNewton::default().solve(&problem.with_law(FrictionLaw::Convex), &mut [0.0; 3]).unwrap_err();
    assert!(matches!(error, SolveError::Friction(FrictionError::Asymmetric { .. })), "{error}");
}

#[test]
fn springs_and_loads() {
    let spheres = sphere(Resistance::Sliding);
    let problem = |load: &[f64], stiffness: &[f64], ratio, mu: &[f64]| {
        CompatibleFrictionProblem::new(&spheres.map, load, stiffness, ratio, mu).map(|_| ()).unwrap_err()
    };
    assert!(matches!(problem(&[1.0; 5], &[1.0], 0.3, &[0.3]), SolveError::LengthMismatch { .. }));
    assert!(matches!(problem(&[f64::NAN; 6], &[1.0], 0.3, &[0.3]), SolveError::NotFinite { .. }));
    assert!(matches!(problem(&[1.0; 6], &[0.0], 0.3, &[0.3]), SolveError::Contact(_)));
    assert!(matches!(problem(&[1.0; 6], &[1.0], 0.0, &[0.3]), SolveError::InvalidParameter { .. }));
    assert!(matches!(problem(&[1.0; 6], &[1.0], 0.3, &[-0.3]), SolveError::Friction(_)));
    let rolls = sphere(Resistance::Rolling);
    let error = CompatibleFrictionProblem::new(&rolls.map, &[0.0; 6], &[1.0], 0.3, &[0.3]).map(|_| ()).unwrap_err();
    assert_eq!(error, SolveError::Friction(FrictionError::InvalidBlock { found: 5 }));
    let coefficients = FrictionCoefficients::sliding(&[0.3]);
    let problem = FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients).unwrap();
    let mut force = [0.5; 3];
    for (compliance, stiffness, tangential_ratio) in [(0.0, 1.0, 0.3), (1e-3, -1.0, 0.3), (1e-3, 1.0, f64::NAN)] {
        let mut solver = LeastEnergyForces::new(Options::new(1e-9, 10), compliance);
        let springs = Springs { stiffness: &[stiffness], tangential_ratio };
        assert!(solver.solve(&problem, springs, &mut force).is_err());
    }
    assert!(force.iter().all(|r| (r - 0.5).abs() < 1e-300));
}
