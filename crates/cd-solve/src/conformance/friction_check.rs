use crate::conformance::failure::{Defect, Failure, check_refused};
use crate::conformance::pyramid::Pyramid;
use crate::error::SolveError;
use crate::friction::{
    ContactMap, Frame, FrictionCoefficients, FrictionContact, FrictionMatrix, FrictionProblem, FrictionSolver,
    Resistance,
};
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::contact_jacobian::BodyPair;

const INVERSE_INERTIA: f64 = 10.0;

/// Friction problem of spheres of unit diameter under unit gravity, over a time step of one.
#[derive(Debug, Clone)]
pub struct FrictionSpheres {
    /// Contact map H from velocities of bodies to local velocities at contacts; it stands for the matrix W = H M⁻¹ Hᵀ.
    pub map: ContactMap,
    /// Offset q: local velocities, in the frames of the contacts, without contact forces.
    pub offset: Vec<f64>,
}

impl FrictionSpheres {
    /// Makes spheres of given masses that touch with these unit normals, which point from the first sphere of each pair
    /// to the second. All spheres move with `velocity` (translation, then rotation) before gravity acts along −z.
    ///
    /// # Errors
    /// Errors of [`ContactMap::new`].
    pub fn new(
        resistance: Resistance,
        masses: &[f64],
        contacts: &[(BodyPair, [f64; 3])],
        velocity: [f64; 6],
    ) -> Result<Self, SolveError> {
        let contacts: Vec<_> = contacts
            .iter()
            .map(|&(pair, normal)| FrictionContact {
                pair,
                frame: Frame::from_normal(normal),
                arms: [normal.map(|x| 0.5 * x), normal.map(|x| -0.5 * x)],
            })
            .collect();
        let entry = |k: usize, mass: f64| match k {
            0 | 7 | 14 => 1.0 / mass,
            21 | 28 | 35 => INVERSE_INERTIA / mass,
            _ => 0.0,
        };
        let blocks = masses.iter().flat_map(|&mass| (0..36).map(move |k| entry(k, mass))).collect();
        let map = ContactMap::new(resistance, &contacts, BodyBlocks::full(6, blocks)?)?;
        let [vx, vy, vz, wx, wy, wz] = velocity;
        let mut offset = vec![0.0; map.block() * map.contacts()];
        map.apply(&[vx, vy, vz - 1.0, wx, wy, wz].repeat(masses.len()), &mut offset)?;
        Ok(Self { map, offset })
    }

    /// Makes the friction problem of the [`Pyramid`] of spheres in `[OK18]` section 8; spheres of the base are fixed.
    ///
    /// # Errors
    /// Errors of [`ContactMap::new`].
    pub fn pyramid(pyramid: &Pyramid, resistance: Resistance) -> Result<Self, SolveError> {
        Self::pyramid_with_top(pyramid, resistance, 1.0)
    }

    /// Makes the friction problem of a [`pyramid`](Self::pyramid) whose uppermost sphere has the mass `top`.
    ///
    /// # Errors
    /// Errors of [`ContactMap::new`].
    pub fn pyramid_with_top(pyramid: &Pyramid, resistance: Resistance, top: f64) -> Result<Self, SolveError> {
        let centre = pyramid.centre();
        let fixed = pyramid.fixed();
        let contact = |&[a, b]: &[usize; 2]| {
            let normal: [f64; 3] = std::array::from_fn(|d| centre[b][d] - centre[a][d]);
            let norm = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            ([a, b].map(|sphere| sphere.checked_sub(fixed)), normal.map(|x| x / norm))
        };
        let contacts: Vec<_> = pyramid.pairs().iter().map(contact).collect();
        let mut masses = vec![1.0; centre.len() - fixed];
        masses.iter_mut().last().into_iter().for_each(|mass| *mass = top);
        Self::new(resistance, &masses, &contacts, [0.0; 6])
    }
}

/// Tests `solver` on friction problems with Coulomb's law, with contact maps and with assembled matrices.
///
/// Forces must be finite and in their friction cones, and agree with known forces of single contacts. After convergence
/// the recomputed residual must be at most `tolerance`. The problem of a sphere between two walls that approach each
/// other has no solution: the solver must not report convergence.
///
/// # Errors
/// The first [`Failure`].
pub fn check_friction(solver: &mut dyn FrictionSolver, tolerance: f64) -> Result<(), Failure> {
    let up = [0.0, 0.0, 1.0];
    let floor = [([None, Some(0)], up)];
    for (case, velocity, mu, expected) in [
        // Gravity needs a unit impulse. The slip (v, 0) at the contact ends at 2/7 v, or is slowed by 7/2 μ.
        ("sphere at rest", [0.0; 6], 0.3, [1.0, 0.0]),
        ("sphere that sticks", [0.7, 0.0, 0.0, 0.0, 0.0, 0.0], 0.3, [1.0, 0.2]),
        ("sphere that slides", [7.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.3, [1.0, 0.3]),
        ("sphere without friction", [7.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0, [1.0, 0.0]),
        ("sphere that leaves", [7.0, 0.0, 2.0, 0.0, 0.0, 0.0], 0.3, [0.0, 0.0]),
    ] {
        let mut run = || -> Result<(), Defect> {
            let spheres = FrictionSpheres::new(Resistance::Sliding, &[1.0], &floor, velocity)?;
            let force = solve(solver, FrictionMatrix::Map(&spheres.map), &spheres.offset, mu, tolerance)?;
            for (index, (found, expected)) in [force[0], force[1].hypot(force[2])].into_iter().zip(expected).enumerate()
            {
                if (found - expected).abs() > 10.0 * tolerance {
                    return Err(Defect::Wrong { index, found, expected });
                }
            }
            Ok(())
        };
        run().map_err(|defect| defect.of(case))?;
    }
    for (case, layers, mu) in [
        ("no contacts", 1, 0.3),
        ("pyramid of two layers", 2, 0.3),
        ("pyramid that slides", 4, 0.1),
        ("pyramid without friction", 3, 0.0),
        ("pyramid that sticks", 4, 1.0),
    ] {
        let refused = |error| Defect::from(error).of(case);
        let FrictionSpheres { map, offset } =
            FrictionSpheres::pyramid(&Pyramid::new(layers), Resistance::Sliding).map_err(refused)?;
        let blocks = map.to_blocks().map_err(refused)?;
        for (matrix, form) in [(FrictionMatrix::Map(&map), ""), (FrictionMatrix::Blocks(&blocks), ", assembled")] {
            solve(solver, matrix, &offset, mu, tolerance).map_err(|defect| defect.of(format!("{case}{form}")))?;
        }
    }
    wedged(solver).map_err(|defect| defect.of("sphere between walls that close"))?;
    wrong_length(solver).map_err(|defect| defect.of("wrong length"))
}

/// Solves the problem with this matrix and `offset` and the coefficient `mu` at all contacts, and judges the forces.
fn solve(
    solver: &mut dyn FrictionSolver,
    matrix: FrictionMatrix<'_>,
    offset: &[f64],
    mu: f64,
    tolerance: f64,
) -> Result<Vec<f64>, Defect> {
    let mu = vec![mu; matrix.contacts()];
    let problem = FrictionProblem::new(matrix, offset, FrictionCoefficients::sliding(&mu))?;
    let mut force = vec![0.0; problem.len()];
    let report = solver.solve(&problem, &mut force)?;
    if !report.converged() {
        return Err(Defect::FrictionNotConverged(report));
    }
    for (i, (r, mu)) in force.chunks_exact(problem.block()).zip(problem.coefficients()).enumerate() {
        let admissible = r.iter().all(|r| r.is_finite())
            && r[0] >= -tolerance
            && r[1].hypot(r[2]) <= mu[0] * r[0] + tolerance * (1.0 + r[0].abs());
        if !admissible {
            return Err(Defect::Inadmissible { index: i * problem.block(), value: r[0] });
        }
    }
    let found = problem.residual(&force)?;
    if found <= tolerance { Ok(force) } else { Err(Defect::Residual { reported: report.residual, found }) }
}

fn wedged(solver: &mut dyn FrictionSolver) -> Result<(), Defect> {
    let walls = [([None, Some(0)], [0.0, 0.0, 1.0]), ([None, Some(0)], [0.0, 0.0, -1.0])];
    let mut spheres = FrictionSpheres::new(Resistance::Sliding, &[1.0], &walls, [0.0; 6])?;
    spheres.offset = vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    let mu = [0.3; 2];
    let coefficients = FrictionCoefficients::sliding(&mu);
    let problem = FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients)?;
    let mut force = [0.0; 6];
    let report = solver.solve(&problem, &mut force)?;
    if report.converged() {
        return Err(Defect::FrictionFalselyConverged(report));
    }
    match force.iter().position(|r| !r.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Defect::Inadmissible { index, value: force[index] }),
    }
}

fn wrong_length(solver: &mut dyn FrictionSolver) -> Result<(), Defect> {
    let spheres = FrictionSpheres::new(Resistance::Sliding, &[1.0], &[([None, Some(0)], [0.0, 0.0, 1.0])], [0.0; 6])?;
    let coefficients = FrictionCoefficients::sliding(&[0.3]);
    let problem = FrictionProblem::new(FrictionMatrix::Map(&spheres.map), &spheres.offset, coefficients)?;
    let mut force = [0.5; 4];
    check_refused(solver.solve(&problem, &mut force), &force)
}
