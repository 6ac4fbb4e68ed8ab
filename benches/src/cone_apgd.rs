//! The accelerated projected gradient method of Mazhar, Heyn, Negrut and Tasora (2015) on the convex law, for
//! comparison.

use cd_solve::SolveError;
use cd_solve::friction::FrictionProblem;

/// Iterations and residual of a run of [`cone_apgd`].
#[derive(Debug, Clone, Copy)]
pub struct ConeApgdReport {
    /// Number of iterations, each with at least two products with W.
    pub iterations: usize,
    /// [`FrictionProblem::residual`] of the final forces.
    pub residual: f64,
}

/// Number of iterations between two evaluations of the residual.
const CHECK_INTERVAL: usize = 10;

/// Solves a problem of sliding contacts with the convex law, starting at `force`, until the residual is at most
/// `tolerance` or after `limit` iterations.
///
/// # Errors
/// [`SolveError::LengthMismatch`].
pub fn cone_apgd(
    problem: &FrictionProblem<'_>,
    tolerance: f64,
    limit: usize,
    force: &mut [f64],
) -> Result<ConeApgdReport, SolveError> {
    let n = force.len();
    let mut work = Vec::new();
    let mut product = vec![0.0; n];
    // The gradient of the objective x·W x/2 + q·x.
    let mut gradient_at = |x: &[f64], out: &mut [f64]| problem.velocity(x, out, &mut work);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut gamma = force.to_vec();
    let mut y = force.to_vec();
    let mut gradient = vec![0.0; n];
    let mut next = vec![0.0; n];
    // The first estimate of the largest curvature is that along (1, ..., 1).
    gradient_at(&vec![1.0; n], &mut product)?;
    let along: f64 = product.iter().zip(problem.offset()).map(|(u, q)| (u - q) * (u - q)).sum();
    let mut curvature = (along / n as f64).sqrt();
    let mut theta = 1.0;
    let mut report = ConeApgdReport { iterations: 0, residual: f64::NAN };
    while report.iterations < limit {
        report.iterations += 1;
        gradient_at(&y, &mut gradient)?;
        loop {
            for (k, next) in next.iter_mut().enumerate() {
                *next = y[k] - gradient[k] / curvature;
            }
            project(problem, &mut next);
            // f(next) − f(y) − g·(next − y) = (next − y)·W (next − y)/2.
            gradient_at(&next, &mut product)?;
            let mut quadratic = 0.0;
            let mut distance = 0.0;
            for k in 0..n {
                let step = next[k] - y[k];
                quadratic += step * (product[k] - gradient[k]);
                distance += step * step;
            }
            if quadratic <= curvature * distance {
                break;
            }
            curvature *= 2.0;
        }
        let squared: f64 = theta * theta;
        let new_theta = 0.5 * (-squared + theta * (squared + 4.0).sqrt());
        let momentum = theta * (1.0 - theta) / (squared + new_theta);
        let uphill = dot(&gradient, &next) > dot(&gradient, &gamma);
        for k in 0..n {
            y[k] = if uphill { next[k] } else { next[k] + momentum * (next[k] - gamma[k]) };
        }
        theta = if uphill { 1.0 } else { new_theta };
        curvature *= 0.9;
        std::mem::swap(&mut gamma, &mut next);
        if report.iterations.is_multiple_of(CHECK_INTERVAL) || report.iterations == limit {
            report.residual = problem.residual_of_velocity(&gamma, &product)?;
            if report.residual <= tolerance {
                break;
            }
        }
    }
    force.copy_from_slice(&gamma);
    Ok(report)
}

fn project(problem: &FrictionProblem<'_>, force: &mut [f64]) {
    for (r, &[mu, ..]) in force.as_chunks_mut::<3>().0.iter_mut().zip(problem.coefficients()) {
        let [normal, t1, t2] = *r;
        let norm = t1.hypot(t2);
        if norm <= mu * normal {
            continue;
        }
        let height = (normal + mu * norm) / (1.0 + mu * mu);
        *r = if height <= 0.0 { [0.0; 3] } else { [height, mu * height * t1 / norm, mu * height * t2 / norm] };
    }
}
