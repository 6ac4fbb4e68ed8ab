use crate::error::SolveError;
use crate::linear::solver::{Preconditioner, check};
use crate::linear::vectors::largest;
use crate::problem::operator::LinearOperator;
use crate::report::{Report, Status};

/// Range of numbers whose products neither overflow nor underflow, with a margin for sums and small residuals.
const SAFE: std::ops::Range<f64> = 1e-100..1e100;

/// Function that solves a linear system in plain arithmetic, without rescaling.
pub(super) type Solve<'a> =
    dyn FnMut(&dyn LinearOperator, Option<&dyn Preconditioner>, &[f64], &mut [f64]) -> Report + 'a;

fn power_of_two(x: f64) -> f64 {
    2.0_f64.powi(x.log2().floor() as i32)
}

/// The matrix A divided by the number `unit`. Products with vectors are computed from products with A.
struct InUnits<'a> {
    matrix: &'a dyn LinearOperator,
    unit: f64,
}

impl LinearOperator for InUnits<'_> {
    fn dimension(&self) -> usize {
        self.matrix.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64], work: &mut Vec<f64>) {
        self.matrix.apply(x, y, work);
        y.iter_mut().for_each(|y| *y /= self.unit);
    }
}

/// Preconditioner of the matrix A divided by the number `unit`, made from a preconditioner of A.
struct InverseInUnits<'a> {
    preconditioner: &'a dyn Preconditioner,
    unit: f64,
}

impl Preconditioner for InverseInUnits<'_> {
    fn dimension(&self) -> usize {
        self.preconditioner.dimension()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        self.preconditioner.apply(r, z);
        z.iter_mut().for_each(|z| *z *= self.unit);
    }
}

/// Solves A x = b by `plain`. If squares of numbers might overflow or underflow, or `plain` stalls, A and b are first
/// divided by scale factors, so that both are about one.
pub(super) fn solve(
    plain: &mut Solve<'_>,
    matrix: &dyn LinearOperator,
    preconditioner: Option<&dyn Preconditioner>,
    b: &[f64],
    x: &mut [f64],
) -> Result<Report, SolveError> {
    check(matrix, preconditioner, b, x)?;
    let size = largest(b);
    let is_safe = size <= 0.0 || SAFE.contains(&size);
    let first = if is_safe { Some(plain(matrix, preconditioner, b, x)) } else { None };
    if let Some(report) = first.filter(|report| report.status != Status::Stalled) {
        return Ok(report);
    }
    let b_unit = if size > 0.0 { power_of_two(size) } else { 1.0 };
    let right: Vec<f64> = b.iter().map(|b| b / b_unit).collect();
    let mut image = vec![0.0; b.len()];
    matrix.apply(&right, &mut image, &mut Vec::new());
    let unit = Some(largest(&image)).filter(|size| *size > 0.0 && size.is_finite()).map_or(1.0, power_of_two);
    // The units are safe: the unscaled solve has stalled for another reason.
    if let Some(report) = first.filter(|_| SAFE.contains(&unit)) {
        return Ok(report);
    }
    let scaled = InUnits { matrix, unit };
    let inverse = preconditioner.map(|preconditioner| InverseInUnits { preconditioner, unit });
    let inverse = inverse.as_ref().map(|inverse| -> &dyn Preconditioner { inverse });
    let mut y: Vec<f64> = x.iter().map(|x| x / b_unit * unit).collect();
    if !y.iter().all(|y| y.abs() < SAFE.end) {
        y.fill(0.0);
    }
    let report = plain(&scaled, inverse, &right, &mut y);
    x.iter_mut().zip(&y).for_each(|(x, y)| *x = (y / unit * b_unit).clamp(-f64::MAX, f64::MAX));
    Ok(report)
}
