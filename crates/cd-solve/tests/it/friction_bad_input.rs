//! Every mistake in a friction problem has its error, and errors leave results alone.

use cd_solve::conformance::FrictionSpheres;
use cd_solve::error::{ContactError, FrictionError, MatrixError};
use cd_solve::faer::Mat;
use cd_solve::friction::{
    AcceleratedSweeps, BlockMatrix, CompatibleFrictionProblem, ContactMap, ConvexNewton, CoulombSolver, Frame,
    FrictionCoefficients, FrictionContact, FrictionLaw, FrictionMatrix, FrictionProblem, FrictionSolver,
    LeastEnergyForces, ProximalNewton, Resistance, Springs,
};
use cd_solve::{BodyBlocks, Options, SolveError};

const UP: [f64; 3] = [0.0, 0.0, 1.0];

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
        // Left-handed.
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
