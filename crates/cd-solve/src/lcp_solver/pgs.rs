//! Projected Gauss-Seidel: [`ProjectedGaussSeidel`] and the order of its sweeps.

use crate::error::{MatrixError, SolveError, check_finite, check_length};
use crate::lcp_solver::farkas::{DiagonalScale, FarkasTest};
use crate::lcp_solver::pivoting;
use crate::lcp_solver::units::row_scales;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::rows::{Rows, add_scaled, chunks_mut};

use crate::problem::body_blocks::BodyBlocks;
use crate::problem::lcp::{Lcp, LcpMatrix, LcpSolver};
use crate::problem::row_sizes::RowSizes;
use crate::report::{Options, Report, Status};

pub use crate::lcp_solver::sweep_order::SweepOrder;

/// Number of sweeps between two evaluations of the residual, each of which costs half a product with A.
const CHECK_INTERVAL: usize = 8;

/// Number of evaluations of the residual since it last improved, counted while the unknowns hardly move, after which
/// the solver ends.
const STALL_CHECKS: usize = 64;

/// Projected Gauss-Seidel method, `[OK18]` section 8: each contact force in turn closes its gap, or is set to zero.
///
/// For B W Bᵀ a sweep updates the velocities, and the matrix is never formed. If forces are not unique, the result
/// depends on the order of the sweep. The method runs on one thread, since each row depends on the one before. The
/// iterations of the report are sweeps. If the method stalls, [`Pivoting`](crate::pivoting::Pivoting) solves for the
/// unknowns that miss the tolerance.
#[derive(Debug, Clone)]
pub struct ProjectedGaussSeidel {
    options: Options,
    order: SweepOrder,
    z: Vec<f64>,
    slack: Vec<f64>,
    diagonal: Vec<f64>,
    velocity: Vec<f64>,
    sequence: Vec<u32>,
    /// Scale factor S of each row, with which all diagonal entries of S A are similar.
    scale: Vec<f64>,
    sizes: RowSizes,
    farkas: FarkasTest,
    work: Vec<f64>,
}

impl ProjectedGaussSeidel {
    /// Makes a solver that sweeps in the order of the unknowns, and stops where [`Lcp::residual`](crate::Lcp::residual)
    /// is within the tolerance of `options`.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            order: SweepOrder::AsGiven,
            z: Vec::new(),
            slack: Vec::new(),
            diagonal: Vec::new(),
            velocity: Vec::new(),
            sequence: Vec::new(),
            scale: Vec::new(),
            sizes: RowSizes::default(),
            farkas: FarkasTest::default(),
            work: Vec::new(),
        }
    }

    /// Sets the order in which sweeps visit the unknowns.
    #[must_use]
    pub fn with_order(self, order: SweepOrder) -> Self {
        Self { order, ..self }
    }

    /// Computes the slack A z + b of the forces z, from velocities if the problem has bodies; returns ‖S min(D z, A z +
    /// b)‖∞ / ‖S b‖∞ with the scales S of the rows and D = diag A.
    fn slack(&mut self, problem: &Lcp<'_>) -> Result<f64, SolveError> {
        match problem.matrix() {
            LcpMatrix::Delassus(operator) => {
                operator.jacobian().apply(&self.velocity, &mut self.slack)?;
                self.slack.iter_mut().zip(problem.offset()).for_each(|(slack, b)| *slack += b);
            }
            _ => problem.slack(&self.z, &mut self.slack, &mut self.work)?,
        }
        let mut worst = 0.0_f64;
        let mut largest = 0.0_f64;
        for (i, s) in self.scale.iter().enumerate() {
            let row = s * (self.diagonal[i] * self.z[i]).min(self.slack[i]).abs();
            let row = if self.slack[i].is_nan() { f64::NAN } else { row };
            worst = if row > worst || row.is_nan() { row } else { worst };
            largest = largest.max(s * problem.offset()[i].abs());
        }
        Ok(if largest > 0.0 { worst / largest } else { worst })
    }

    /// Computes the residual of the last slack as in [`Lcp::residual`](crate::Lcp::residual), each row divided by its
    /// own reference velocity, but with the effects of rounding.
    fn strict_residual(&mut self, problem: &Lcp<'_>) -> f64 {
        self.sizes.update(problem, &self.z);
        self.sizes.strict_residual(problem, &self.z, &self.slack)
    }

    /// Runs one sweep; returns the largest change of an unknown times the diagonal entry and scale of its row.
    fn sweep(&mut self, problem: &Lcp<'_>) -> f64 {
        let z = &mut self.z[..];
        let diagonal = &self.diagonal[..];
        let order = &self.sequence[..];
        let row = RowData { diagonal, offset: problem.offset(), scale: &self.scale };
        match problem.matrix() {
            LcpMatrix::Delassus(operator) => with_rows!(operator.jacobian(), rows => {
                rows.gauss_seidel(operator.inverse_mass(), row, order, z, &mut self.velocity)
            }),
            LcpMatrix::Sparse(matrix) => gauss_seidel(row, order, z, |i, z| {
                let rows = matrix.row_idx_of_col_raw(i);
                let values = matrix.val_of_col(i);
                rows.iter().zip(values).map(|(&row, value)| value * z[row]).sum()
            }),
            LcpMatrix::Dense(matrix) => {
                gauss_seidel(row, order, z, |i, z| z.iter().enumerate().map(|(j, z)| matrix[(j, i)] * z).sum())
            }
            LcpMatrix::Operator(..) => 0.0,
        }
    }

    /// Fills the buffers and the order of the first sweep; returns the residual of the guess `z`.
    fn start(&mut self, problem: &Lcp<'_>, z: &[f64]) -> Result<f64, SolveError> {
        self.options.check()?;
        let n = problem.len();
        check_length("unknowns", z, n)?;
        check_finite("unknown", z)?;
        if n > i32::MAX as usize {
            return Err(SolveError::TooMany { what: "unknowns", found: n, limit: i32::MAX as usize });
        }
        let operator = match problem.matrix() {
            LcpMatrix::Operator(..) => return Err(MatrixError::NeedsRows.into()),
            LcpMatrix::Delassus(operator) => Some(operator),
            _ => None,
        };
        match operator {
            Some(operator) => with_rows!(operator.jacobian(), rows => {
                self.order.first(n, Some(&|i| rows.contacts[i].body), &mut self.sequence)?;
            }),
            None => self.order.first(n, None, &mut self.sequence)?,
        }
        self.z.clear();
        self.z.extend(z.iter().map(|z| z.max(0.0)));
        self.slack.resize(n, 0.0);
        let diagonal = problem.matrix().diagonal();
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| diagonal.at(i)));
        row_scales(self.diagonal.iter().copied(), &mut self.scale);
        self.farkas.reset(n);
        self.refresh(problem)?;
        self.slack(problem)
    }

    /// Computes the velocities of bodies from the contact forces: updates in sweeps accumulate rounding errors.
    fn refresh(&mut self, problem: &Lcp<'_>) -> Result<(), SolveError> {
        if let LcpMatrix::Delassus(operator) = problem.matrix() {
            self.velocity.resize(operator.jacobian().columns(), 0.0);
            operator.velocity(&self.z, &mut self.velocity)?;
        }
        Ok(())
    }
}

impl Default for ProjectedGaussSeidel {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 100_000))
    }
}

impl LcpSolver for ProjectedGaussSeidel {
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        let residual = self.start(problem, z)?;
        z.copy_from_slice(&self.z);
        let mut report = Report::start(residual);
        let infeasible_row = |(d, b): (&f64, &f64)| *d <= 0.0 && *b < 0.0;
        let strict = self.strict_residual(problem);
        if self.diagonal.iter().zip(problem.offset()).any(infeasible_row) {
            report.status = Status::Infeasible;
        } else if self.options.is_met_by(strict) {
            report.residual = strict;
        } else {
            self.iterate(problem, z, &mut report)?;
        }
        Ok(pivoting::finish(problem, &self.options, report, z))
    }
}

impl ProjectedGaussSeidel {
    /// Sweeps until the tolerance is met or the method stalls; leaves the best iterate in `z`.
    fn iterate(&mut self, problem: &Lcp<'_>, z: &mut [f64], report: &mut Report) -> Result<(), SolveError> {
        let scale = DiagonalScale::new(&self.diagonal);
        let largest = self.scale.iter().zip(problem.offset()).fold(0.0_f64, |most, (s, b)| most.max(s * b.abs()));
        let relative = |value: f64| if largest > 0.0 { value / largest } else { value };
        let small = pivoting::is_small(problem);
        let mut review = pivoting::FIRST_REVIEW;
        let mut reviewed = f64::INFINITY;
        let mut without_gain = 0;
        let target = pivoting::target(problem, self.options.tolerance);
        let mut good = f64::INFINITY;
        let mut patience = usize::MAX;
        loop {
            if report.iterations >= patience {
                (report.status, report.residual) = (Status::Converged, good);
                return Ok(());
            }
            let last = report.iterations >= self.options.max_iterations;
            if self.options.is_met_by(good) && (last || without_gain >= STALL_CHECKS) {
                (report.status, report.residual) = (Status::Converged, good);
                return Ok(());
            }
            if last || without_gain >= STALL_CHECKS {
                report.status = if last { Status::IterationLimit } else { Status::Stalled };
                return Ok(());
            }
            if report.iterations > 0 {
                self.order.next(report.iterations, &mut self.sequence);
            }
            let change = relative(self.sweep(problem));
            report.iterations += 1;
            let settled = change <= self.options.tolerance;
            let check_due =
                report.iterations.is_multiple_of(CHECK_INTERVAL) || report.iterations == self.options.max_iterations;
            if !(settled || check_due) {
                continue;
            }
            self.refresh(problem)?;
            let residual = self.slack(problem)?;
            let better = residual < report.residual || report.residual.is_nan();
            if better {
                report.residual = residual;
                if !self.options.is_met_by(good) {
                    z.copy_from_slice(&self.z);
                }
                without_gain = 0;
            } else if settled {
                // While unknowns still move, the residual may rise before it falls.
                without_gain += 1;
            }
            if self.options.is_met_by(residual) {
                // Rows that are much smaller than others may not have converged.
                let strict = self.strict_residual(problem);
                if self.options.is_met_by(strict) && strict < good {
                    good = strict;
                    z.copy_from_slice(&self.z);
                    patience = patience.min(3 * report.iterations + 200);
                }
                if strict <= target {
                    (report.status, report.residual) = (Status::Converged, strict);
                    return Ok(());
                }
            }
            if report.iterations >= review {
                if small && good.is_infinite() && report.residual > 0.1 * reviewed {
                    report.status = Status::Stalled;
                    return Ok(());
                }
                (review, reviewed) = (2 * review, report.residual);
            }
            let mut product = |x: &[f64], y: &mut [f64]| problem.matrix().apply(x, y, &mut self.work);
            let suspect =
                check_due && self.farkas.suspects(problem.offset(), &self.z, &self.slack, scale, &mut product);
            if suspect && good.is_infinite() && pivoting::is_possible(problem) {
                report.status = Status::Infeasible;
                return Ok(());
            }
        }
    }
}

/// Vectors that a sweep reads row by row: diagonal of A, offset b and scale of the row.
#[derive(Debug, Clone, Copy)]
struct RowData<'a> {
    diagonal: &'a [f64],
    offset: &'a [f64],
    scale: &'a [f64],
}

/// Sweeps over the unknowns `z`, where `row` returns row i of A times z; returns the largest change of an unknown times
/// the diagonal entry and scale of its row.
fn gauss_seidel(
    RowData { diagonal, offset, scale }: RowData<'_>,
    order: &[u32],
    z: &mut [f64],
    row: impl Fn(usize, &[f64]) -> f64,
) -> f64 {
    let mut most = 0.0_f64;
    for i in order.iter().map(|&i| i as usize) {
        let slack = row(i, z) + offset[i];
        let new = closing(z[i], slack, diagonal[i]);
        most = most.max(scale[i] * diagonal[i] * (new - z[i]).abs());
        z[i] = new;
    }
    most
}

/// Returns the force that closes the gap of a contact, or zero if the gap stays open or nothing moves.
fn closing(z: f64, slack: f64, diagonal: f64) -> f64 {
    if diagonal > 0.0 { (z - slack / diagonal).max(0.0) } else { 0.0 }
}

impl<const D: usize, const K: usize> Rows<D, K> {
    fn gauss_seidel(
        &self,
        inverse_mass: &BodyBlocks,
        RowData { diagonal, offset, scale }: RowData<'_>,
        order: &[u32],
        z: &mut [f64],
        velocity: &mut [f64],
    ) -> f64 {
        let velocity = chunks_mut::<D>(velocity);
        let mut most = 0.0_f64;
        for i in order.iter().map(|&i| i as usize) {
            let row = &self.contacts[i];
            let new = closing(z[i], row.times(velocity) + offset[i], diagonal[i]);
            let change = new - z[i];
            if change.abs() > 0.0 {
                for side in 0..2 {
                    let body = row.body[side] as usize;
                    if let Some(velocity) = velocity.get_mut(body) {
                        add_scaled(velocity, change, &inverse_mass.times(body, &row.side::<D>(side)));
                    }
                }
                most = most.max(scale[i] * diagonal[i] * change.abs());
                z[i] = new;
            }
        }
        most
    }
}
