//! Pivoting in extended precision: [`Pivoting`], for problems on which iterations stall.

use crate::disjoint_sets::DisjointSets;
use crate::error::{SolveError, check_finite, check_length};
use crate::exact::kernel::Claim;
use crate::exact::lemke::{self, Outcome};
use crate::exact::wide::{Wide, dot};
use crate::problem::balance::PROOF_MARGIN;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::lcp::{Lcp, LcpMatrix, LcpSolver};
use crate::problem::row_sizes::RowSizes;
use crate::problem::rows::{FIXED, Rows};
use crate::report::{Options, Report, Status};

/// Largest number of coupled unknowns that pivoting solves; its effort grows with their third power.
const LARGEST_SET: usize = 256;

/// Largest number of unknowns of a problem for which pivoting takes little time.
const SMALL_PROBLEM: usize = 48;

/// Fraction of the tolerance to which iterations solve small problems, provided that this takes at most a few times as
/// many iterations as the tolerance itself.
const TARGET_FRACTION: f64 = 1e-3;

/// Iteration at which a solver first reviews a small problem; each later review is at twice as many iterations. If the
/// residual has fallen by less than a factor of ten since the last review, pivoting takes over.
pub(super) const FIRST_REVIEW: usize = 1024;

/// Amounts by which inequalities A z + b ≥ 0 without solution are relaxed, relative to the reference value of each row:
/// first the rounding of the offset b, then this fraction of the tolerance.
const RELAXATIONS: [f64; 2] = [4.0 * f64::EPSILON, 0.25];

/// Number of sweeps over a matrix in which rows without a reference value of their own take over those of coupled rows.
const PROPAGATION_SWEEPS: usize = 16;

/// A limit of iterations below this number counts as wanted by the caller: pivoting does not follow such a short solve.
const LEAST_ITERATION_LIMIT: usize = 1000;

/// Exponent k: components of a ray below 2ᵏ times its largest component count as zero.
const LEAST_COMPONENT_EXPONENT: i64 = -120;

/// Solver of complementarity problems by Lemke's method in numbers of 77 digits, for each set of coupled unknowns.
///
/// Pivoting is accurate for matrices and offsets of any scale, but slow: it takes sets of up to 256 coupled unknowns.
/// [`Apgd`](crate::Apgd) and [`ProjectedGaussSeidel`](crate::ProjectedGaussSeidel) call it when they stall. A problem
/// is [`Status::Infeasible`] if forces y ≥ 0 with Bᵀ y = 0 (contact Jacobian B), or A y ≤ 0, and b·y < 0 prove it
/// without rounding. The iterations of the report are pivots.
#[derive(Debug, Clone)]
pub struct Pivoting {
    options: Options,
}

impl Pivoting {
    /// Makes a solver whose solutions have a [`Lcp::residual`](crate::Lcp::residual) within the tolerance of `options`.
    /// The limit of iterations is ignored.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options }
    }
}

impl Default for Pivoting {
    fn default() -> Self {
        Self::new(Options::new(1e-10, 0))
    }
}

impl LcpSolver for Pivoting {
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        self.options.check()?;
        check_length("unknowns", z, problem.len())?;
        check_finite("unknown", z)?;
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        Ok(solve(problem, self.options.tolerance, z))
    }
}

pub(super) fn is_small(problem: &Lcp<'_>) -> bool {
    problem.len() <= SMALL_PROBLEM
}

/// Returns the residual at which iterative solvers stop, which is below the tolerance for small problems.
pub(super) fn target(problem: &Lcp<'_>, tolerance: f64) -> f64 {
    if is_small(problem) { (TARGET_FRACTION * tolerance).max(32.0 * f64::EPSILON).min(tolerance) } else { tolerance }
}

/// Whether every set of unknowns that the matrix couples is small enough for pivoting by [`solve`].
pub(super) fn is_possible(problem: &Lcp<'_>) -> bool {
    problem.len() <= LARGEST_SET || components(problem).iter().all(|part| part.len() <= LARGEST_SET)
}

/// Solves the coupled sets of unknowns that miss `tolerance` by pivoting; leaves the better result in `z`.
pub(crate) fn solve(problem: &Lcp<'_>, tolerance: f64, z: &mut [f64]) -> Report {
    let n = z.len();
    let mut sizes = RowSizes::default();
    let mut slack = vec![0.0; n];
    let mut work = Vec::new();
    let mut judge = |z: &[f64], sizes: &mut RowSizes, slack: &mut [f64]| {
        problem.matrix().apply(z, slack, &mut work);
        slack.iter_mut().zip(problem.offset()).for_each(|(slack, b)| *slack += b);
        sizes.update(problem, z);
    };
    judge(z, &mut sizes, &mut slack);
    let diagonal = problem.matrix().diagonal();
    let is_good = |i: usize| sizes.residual_of_row(i, diagonal.at(i), z[i], slack[i]) <= tolerance;
    let parts = components(problem);
    let bad: Vec<&Vec<usize>> = parts.iter().filter(|part| !part.iter().all(|&i| is_good(i))).collect();
    let mut better = z.to_vec();
    let mut pivots = 0;
    let mut without_solution = Vec::new();
    for members in bad {
        if members.len() > LARGEST_SET {
            continue;
        }
        let part = Part::new(problem, members);
        let (outcome, count) = lemke::solve(&part.matrix, &part.offset);
        pivots += count;
        match outcome {
            Outcome::Solution(found) => part.write(&found, &mut better),
            Outcome::Ray(ray) => {
                let [rounding, part_of_tolerance] = RELAXATIONS;
                for leeway in [rounding, part_of_tolerance * tolerance] {
                    let (outcome, count) = lemke::solve(&part.matrix, &part.relaxed(leeway));
                    pivots += count;
                    if let Outcome::Solution(found) = outcome {
                        part.write(&found, &mut better);
                        break;
                    }
                }
                without_solution.push((part, ray));
            }
            Outcome::Stopped => {}
        }
    }
    let before = sizes.residual(problem, z, &slack);
    judge(&better, &mut sizes, &mut slack);
    let mut residual = sizes.residual(problem, &better, &slack);
    if residual < before || before.is_nan() {
        z.copy_from_slice(&better);
    } else {
        residual = before;
    }
    let mut status = if residual <= tolerance { Status::Converged } else { Status::Stalled };
    if status == Status::Stalled && without_solution.iter().any(|(part, ray)| part.has_no_solution(ray)) {
        status = Status::Infeasible;
    }
    Report { status, iterations: pivots, inner_iterations: 0, residual }
}

/// Ends a solve that stopped at `z`: without convergence, pivoting tries to improve `z`. Returns the report.
pub(super) fn finish(problem: &Lcp<'_>, options: &Options, report: Report, z: &mut [f64]) -> Report {
    let limited = report.status == Status::IterationLimit && options.max_iterations < LEAST_ITERATION_LIMIT;
    if report.converged() || limited {
        return report;
    }
    let rescue = solve(problem, options.tolerance, z);
    let status = match rescue.status {
        // Without a proof there may be a solution.
        Status::Stalled if report.status == Status::IterationLimit => Status::IterationLimit,
        status => status,
    };
    let inner_iterations = report.inner_iterations + rescue.iterations;
    Report { status, inner_iterations, residual: rescue.residual, ..report }
}

fn components(problem: &Lcp<'_>) -> Vec<Vec<usize>> {
    let n = problem.len();
    let mut sets = DisjointSets::new(n);
    match problem.matrix() {
        LcpMatrix::Delassus(operator) => with_rows!(operator.jacobian(), rows => {
            for body in 0..rows.bodies() {
                let mut contacts = rows.of_body(body).map(|(contact, _)| contact);
                if let Some(first) = contacts.next() {
                    contacts.for_each(|contact| sets.join(first, contact));
                }
            }
        }),
        LcpMatrix::Sparse(matrix) => {
            for i in 0..n {
                let entries = matrix.row_idx_of_col_raw(i).iter().zip(matrix.val_of_col(i));
                entries.filter(|(_, value)| value.abs() > 0.0).for_each(|(&j, _)| sets.join(i, j));
            }
        }
        LcpMatrix::Dense(matrix) => {
            for i in 0..n {
                (0..n).filter(|&j| matrix[(i, j)].abs() > 0.0).for_each(|j| sets.join(i, j));
            }
        }
        LcpMatrix::Operator(..) => (1..n).for_each(|i| sets.join(0, i)),
    }
    sets.sets()
}

/// A set of coupled unknowns, scaled by powers of two so that the diagonal of its matrix is about one.
struct Part<'a> {
    problem: &'a Lcp<'a>,
    members: &'a [usize],
    /// Exponent k of each unknown of the coupled set: the unknown is 2ᵏ times its scaled value.
    power: Vec<i64>,
    matrix: Vec<Vec<Wide>>,
    offset: Vec<Wide>,
}

impl<'a> Part<'a> {
    fn new(problem: &'a Lcp<'a>, members: &'a [usize]) -> Self {
        let mut matrix = entries(problem, members);
        let power: Vec<i64> = matrix
            .iter()
            .enumerate()
            .map(|(i, row)| {
                let size = if row[i].is_zero() {
                    // The matrix is not positive semidefinite, or the row is zero.
                    row.iter().map(Wide::exponent).max().unwrap_or(0).max(-100_000)
                } else {
                    row[i].exponent()
                };
                -size.div_euclid(2)
            })
            .collect();
        for (row, unit) in matrix.iter_mut().zip(&power) {
            row.iter_mut().zip(&power).for_each(|(entry, own)| *entry = entry.times_power(unit + own));
        }
        let offset =
            members.iter().zip(&power).map(|(&i, unit)| Wide::new(problem.offset()[i]).times_power(*unit)).collect();
        Self { problem, members, power, matrix, offset }
    }

    /// Computes the reference value of each row, by which violations are divided: the largest of the offset, the value
    /// stated by the caller, and the values that coupled rows pass on with factors of at most one.
    fn sizes(&self) -> Vec<Wide> {
        let own = |(&i, unit): (&usize, &i64)| Wide::new(self.problem.least_size(i)).times_power(*unit);
        let mut sizes: Vec<Wide> = self.members.iter().zip(&self.power).map(own).collect();
        for _ in 0..PROPAGATION_SWEEPS {
            for (i, row) in self.matrix.iter().enumerate() {
                let coupled = row.iter().zip(&sizes).filter(|(entry, _)| !entry.is_zero());
                let reach = coupled.map(|(entry, size)| Wide::new(entry.abs().to_f64().min(1.0)) * *size);
                sizes[i] = reach.fold(sizes[i], |a, b| if b > a { b } else { a });
            }
        }
        sizes
    }

    /// Returns the offsets b of this set of coupled unknowns, each raised by `share` times the reference value of its
    /// row.
    fn relaxed(&self, share: f64) -> Vec<Wide> {
        self.offset.iter().zip(self.sizes()).map(|(b, size)| *b + Wide::new(share) * size).collect()
    }

    fn write(&self, found: &[Wide], z: &mut [f64]) {
        for ((&i, unit), found) in self.members.iter().zip(&self.power).zip(found) {
            z[i] = found.times_power(*unit).to_f64().min(f64::MAX);
        }
    }

    /// Whether `ray`, or the ray found from the inequalities alone, proves that no z ≥ 0 has A z + b ≥ 0.
    fn has_no_solution(&self, ray: &[Wide]) -> bool {
        // A ray proves nothing if the matrix is not positive semidefinite.
        self.is_refuted_by(ray) || self.ray_of_inequalities().is_some_and(|ray| self.is_refuted_by(&ray))
    }

    /// Finds the ray y ≥ 0 with Aᵀ y ≤ 0 and b·y < 0 on which pivoting ends if the inequalities alone have no solution.
    /// They are posed as a linear programme, whose matrix is positive semidefinite for any A.
    fn ray_of_inequalities(&self) -> Option<Vec<Wide>> {
        let n = self.members.len();
        let mut matrix = vec![vec![Wide::ZERO; 2 * n]; 2 * n];
        for (i, row) in self.matrix.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                matrix[n + i][j] = *entry;
                matrix[j][n + i] = -*entry;
            }
        }
        let offset: Vec<Wide> = (0..n).map(|_| Wide::ZERO).chain(self.offset.iter().copied()).collect();
        match lemke::solve(&matrix, &offset) {
            (Outcome::Ray(ray), _) => Some(ray[n..].to_vec()),
            _ => None,
        }
    }

    fn is_refuted_by(&self, ray: &[Wide]) -> bool {
        let largest = ray.iter().map(Wide::exponent).max().unwrap_or(0);
        let support: Vec<usize> = (0..ray.len())
            .filter(|&k| ray[k].is_positive() && ray[k].exponent() > largest + LEAST_COMPONENT_EXPONENT)
            .collect();
        // Components in the units of the problem, scaled so that the largest is about one.
        let physical: Vec<Wide> = support.iter().map(|&k| ray[k].times_power(self.power[k])).collect();
        let largest = physical.iter().map(Wide::exponent).max().unwrap_or(0);
        let guess: Vec<f64> = physical.iter().map(|y| y.times_power(-largest).to_f64()).collect();
        let contacts: Vec<usize> = support.iter().map(|&k| self.members[k]).collect();
        let sizes = self.sizes();
        let negative: Vec<f64> = support
            .iter()
            .map(|&k| {
                let margin = (Wide::new(PROOF_MARGIN) * sizes[k]).times_power(-self.power[k]).to_f64();
                self.problem.offset()[self.members[k]] + margin
            })
            .collect();
        let unit = |k: usize| (0..guess.len()).map(|j| f64::from(u8::from(j == k))).collect::<Vec<_>>();
        let mut at_least_zero: Vec<Vec<f64>> = (0..guess.len()).map(unit).collect();
        if let LcpMatrix::Delassus(operator) = self.problem.matrix() {
            let zero = with_rows!(operator.jacobian(), rows => columns(rows, &contacts));
            return Claim { guess: &guess, zero: &zero, at_least_zero: &at_least_zero, negative: &negative }.holds();
        }
        let Some(columns) = self.columns(&contacts) else { return false };
        let claim = Claim { guess: &guess, zero: &columns, at_least_zero: &at_least_zero, negative: &negative };
        if claim.holds() {
            return true;
        }
        at_least_zero.extend(columns.iter().map(|column| column.iter().map(|x| -x).collect()));
        Claim { guess: &guess, zero: &[], at_least_zero: &at_least_zero, negative: &negative }.holds()
    }

    /// Columns of A for this set, restricted to the rows `contacts`; `None` for an operator that only provides
    /// products.
    fn columns(&self, contacts: &[usize]) -> Option<Vec<Vec<f64>>> {
        let entry: Box<dyn Fn(usize, usize) -> f64> = match self.problem.matrix() {
            LcpMatrix::Sparse(matrix) => Box::new(move |i, j| matrix.get(i, j).copied().unwrap_or(0.0)),
            LcpMatrix::Dense(matrix) => Box::new(move |i, j| matrix[(i, j)]),
            LcpMatrix::Delassus(_) | LcpMatrix::Operator(..) => return None,
        };
        Some(self.members.iter().map(|&j| contacts.iter().map(|&i| entry(i, j)).collect()).collect())
    }
}

/// Columns of the contact Jacobian B for all coordinates of the bodies that `contacts` touch, with the rows of
/// `contacts` only.
fn columns<const D: usize, const K: usize>(rows: &Rows<D, K>, contacts: &[usize]) -> Vec<Vec<f64>> {
    let mut bodies: Vec<u32> = contacts.iter().flat_map(|&i| rows.contacts[i].body).filter(|b| *b != FIXED).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let mut columns = vec![vec![0.0; contacts.len()]; D * bodies.len()];
    for (k, &contact) in contacts.iter().enumerate() {
        let row = &rows.contacts[contact];
        for side in 0..2 {
            if let Ok(block) = bodies.binary_search(&row.body[side]) {
                row.side::<D>(side).into_iter().enumerate().for_each(|(d, b)| columns[D * block + d][k] = b);
            }
        }
    }
    columns
}

/// Computes the matrix A of the unknowns `members`, without rounding for a [`Delassus`](crate::Delassus) operator.
fn entries(problem: &Lcp<'_>, members: &[usize]) -> Vec<Vec<Wide>> {
    match problem.matrix() {
        LcpMatrix::Delassus(operator) => with_rows!(operator.jacobian(), rows => {
            let inverse = operator.inverse_mass();
            rows.products(&|body, r, c| Wide::new(inverse.entry(body, r, c)), members)
        }),
        LcpMatrix::Sparse(matrix) => {
            let entry = |i: usize, j: usize| Wide::new(matrix.get(i, j).copied().unwrap_or(0.0));
            members.iter().map(|&i| members.iter().map(|&j| entry(i, j)).collect()).collect()
        }
        LcpMatrix::Dense(matrix) => {
            members.iter().map(|&i| members.iter().map(|&j| Wide::new(matrix[(i, j)])).collect()).collect()
        }
        LcpMatrix::Operator(operator, _) => {
            let mut unit = vec![0.0; problem.len()];
            let mut column = vec![0.0; problem.len()];
            let mut work = Vec::new();
            let columns: Vec<Vec<Wide>> = members
                .iter()
                .map(|&j| {
                    unit[j] = 1.0;
                    operator.apply(&unit, &mut column, &mut work);
                    unit[j] = 0.0;
                    members.iter().map(|&i| Wide::new(column[i])).collect()
                })
                .collect();
            (0..members.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
        }
    }
}

impl<const D: usize, const K: usize> Rows<D, K> {
    /// Computes the entries of B W Bᵀ at the sorted contacts `members`; `inverse` returns entries of W.
    fn products(&self, inverse: &dyn Fn(usize, usize, usize) -> Wide, members: &[usize]) -> Vec<Vec<Wide>> {
        let mut matrix = vec![vec![Wide::ZERO; members.len()]; members.len()];
        for (k, &contact) in members.iter().enumerate() {
            for side in 0..2 {
                let body = self.contacts[contact].body[side] as usize;
                if body == FIXED as usize {
                    continue;
                }
                let own = self.contacts[contact].side::<D>(side).map(Wide::new);
                let velocity: [Wide; D] = std::array::from_fn(|r| dot((0..D).map(|c| (inverse(body, r, c), own[c]))));
                for (other, side) in self.of_body(body) {
                    let Ok(j) = members.binary_search(&other) else { continue };
                    let b = self.contacts[other].side::<D>(side).map(Wide::new);
                    matrix[k][j] = matrix[k][j] + dot((0..D).map(|d| (b[d], velocity[d])));
                }
            }
        }
        matrix
    }
}
