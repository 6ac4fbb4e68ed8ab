//! Compatible forces in extended precision for small problems that other solvers cannot solve: Newton's method in
//! [`descent`], proofs of infeasibility in [`refutation`].

mod descent;
mod refutation;

use crate::disjoint_sets::DisjointSets;
use crate::exact::wide::{Wide, dot};
use crate::problem::balance::BodySizes;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::power_law::PowerLaw;
use crate::problem::rows::{FIXED, Rows};
use crate::report::{Options, Report, Status};

/// Largest number of coordinates of connected bodies that are solved in extended precision; the effort grows as its
/// cube.
pub(super) const LARGEST_SET: usize = 240;

/// Exponent k of the regularisation, 2ᵏ times the diagonal of the Hessian. Without it, a load that no contact balances
/// would make the Hessian singular.
const RIDGE_EXPONENT: i64 = -130;

/// Exponent k: a compression below 2ᵏ times the largest term in the sum that gives the compression counts as rounding.
const ROUNDING_EXPONENT: i64 = -180;

/// Row of the Jacobian B for one contact: pairs of a column (coordinate of a body) and a coefficient.
type SparseRow = Vec<(usize, Wide)>;

/// A set of bodies connected by contacts, scaled by powers of two so that the diagonal of its Hessian is about one.
struct Part<'a> {
    problem: &'a CompatibilityProblem<'a>,
    /// Numbers of the contacts of these bodies that are not open, and their rows of the Jacobian B.
    contacts: Vec<usize>,
    rows: Vec<SparseRow>,
    /// Numbers of the coordinates in the whole problem, and the power of two that scales each.
    columns: Vec<usize>,
    unit: Vec<i64>,
    load: Vec<Wide>,
    stiffness: Vec<Wide>,
    /// Regularisation: stiffness of a spring on each coordinate, and the displacement towards which it pulls.
    ridge: Vec<Wide>,
    center: Vec<Wide>,
    /// Number of multiplications that may still be spent on these bodies before they are left unsolved.
    work: f64,
}

struct Point {
    u: Vec<Wide>,
    compression: Vec<Wide>,
    force: Vec<Wide>,
    /// Imbalance of each coordinate, of contact forces, load and regularisation; and the sum of the absolute values of
    /// its terms.
    rest: Vec<Wide>,
    terms: Vec<Wide>,
    /// Bound on the force on each coordinate from contacts whose compressions are rounding errors.
    rounding: Vec<Wide>,
}

/// A limit of iterations below this number counts as wanted by the caller: extended precision does not follow such a
/// short solve.
const LEAST_ITERATION_LIMIT: usize = 100;

/// Largest residual of a result in `f64` from whose displacement Newton's method in extended precision starts.
const START_RESIDUAL: f64 = 1e-3;

/// Solver in extended precision (256 bits) that improves results of solvers that stall in `f64`.
#[derive(Debug, Clone, Default)]
pub(super) struct ExtendedPrecision {
    displacement: Vec<f64>,
    force: Vec<f64>,
    sizes: BodySizes,
}

impl ExtendedPrecision {
    /// Improves the result of a solver with this `report`, if possible; returns the report of the better result.
    pub(super) fn improve(
        &mut self,
        problem: &CompatibilityProblem<'_>,
        options: &Options,
        report: Report,
        displacement: &mut [f64],
        force: &mut [f64],
    ) -> Report {
        if options.max_iterations < LEAST_ITERATION_LIMIT || report.status == Status::Infeasible {
            return report;
        }
        self.force.clear();
        self.force.extend_from_slice(force);
        self.displacement.clear();
        self.displacement.extend_from_slice(displacement);
        let residual = problem.residual_with(force, &mut self.sizes);
        // If all bodies are balanced, only rounding of forces can be wrong, so all parts are solved anew.
        let all = options.is_met_by(residual);
        let is_good = |body: usize| !all && problem.is_body_good(body, force, &self.sizes, options.tolerance);
        let start = Some(&displacement[..]).filter(|u| residual <= START_RESIDUAL && u.iter().all(|u| u.is_finite()));
        let parts = solve(problem, &is_good, start, &mut self.displacement, &mut self.force);
        if !parts.some_solved {
            return report;
        }
        let residual = problem.residual_with(&self.force, &mut self.sizes);
        let is_met = options.is_met_by(residual);
        let status = match report.status {
            // A part without an exact solution may meet the tolerance only because its forces are lost in rounding:
            // such a result has not converged.
            _ if is_met && !parts.some_left => Status::Converged,
            Status::Stalled | Status::IterationLimit if parts.some_refuted => Status::Infeasible,
            status => status,
        };
        let conclusive = status != report.status || (report.converged() && is_met);
        // The residual is that of the worst body. If this body is in a part that was left alone, the residual stays the
        // same while other parts improve.
        let worse = if parts.some_left { residual > report.residual } else { residual >= report.residual };
        if !conclusive && worse {
            return report;
        }
        force.copy_from_slice(&self.force);
        displacement.copy_from_slice(&self.displacement);
        Report { status, residual, ..report }
    }
}

/// Summary of the solves in extended precision of all sets of bodies connected by contacts.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    some_solved: bool,
    /// Whether a set of connected bodies was too large, or not solved in time, so that its forces are unchanged.
    some_left: bool,
    /// Whether a connected set of bodies was proved to have no contact forces that balance its load.
    some_refuted: bool,
}

/// Number of multiplications after which the remaining sets of connected bodies are left unchanged.
const LARGEST_WORK: f64 = 4e8;

/// Solves `problem` anew in each connected set of bodies that has a body for which `is_good` is false, from the
/// displacement `start` if there is one. Writes forces and displacement.
fn solve(
    problem: &CompatibilityProblem<'_>,
    is_good: &dyn Fn(usize) -> bool,
    start: Option<&[f64]>,
    displacement: &mut [f64],
    force: &mut [f64],
) -> Parts {
    let dof = problem.jacobian.dof();
    let mut parts = Parts::default();
    let mut work = LARGEST_WORK;
    for bodies in components(problem) {
        if bodies.iter().all(|&body| is_good(body)) {
            continue;
        }
        if dof * bodies.len() > LARGEST_SET {
            parts.some_left = true;
            continue;
        }
        let mut part = Part::new(problem, &bodies, work);
        let point = part.minimize(start);
        work = part.work;
        let Some(point) = point else {
            parts.some_left = true;
            continue;
        };
        parts.some_solved = true;
        part.write(&point, displacement, force);
        parts.some_refuted |= !part.balances(&point) && part.is_refuted(&point);
    }
    parts
}

fn components(problem: &CompatibilityProblem<'_>) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(problem.jacobian.bodies());
    for contact in (0..problem.jacobian.contacts()).filter(|&i| !problem.is_open(i)) {
        if let [Some(a), Some(b)] = problem.jacobian.pair(contact) {
            sets.join(a, b);
        }
    }
    sets.sets()
}

/// The power xᵉ of `x` > 0 with e = `exponent`, to the 53 bits of `f64`.
fn power(x: Wide, exponent: f64) -> Wide {
    let size = x.times_power(-x.exponent()).to_f64();
    let scale = x.exponent() as f64 * exponent;
    Wide::new(size.powf(exponent) * (scale - scale.floor()).exp2()).times_power(scale.floor() as i64)
}

impl<'a> Part<'a> {
    fn new(problem: &'a CompatibilityProblem<'a>, bodies: &[usize], work: f64) -> Self {
        let dof = problem.jacobian.dof();
        let columns: Vec<usize> = bodies.iter().flat_map(|body| dof * body..dof * (body + 1)).collect();
        let contacts: Vec<usize> = (0..problem.jacobian.contacts())
            .filter(|&i| !problem.is_open(i))
            .filter(|&i| problem.jacobian.pair(i).into_iter().flatten().any(|body| bodies.binary_search(&body).is_ok()))
            .collect();
        let mut rows: Vec<SparseRow> = with_rows!(problem.jacobian, rows => sparse_rows(rows, &contacts, &columns));
        let stiffness: Vec<Wide> = contacts.iter().map(|&i| Wide::new(problem.stiffness[i])).collect();
        let mut diagonal = vec![Wide::ZERO; columns.len()];
        for (row, k) in rows.iter().zip(&stiffness) {
            row.iter().for_each(|&(c, b)| diagonal[c] = diagonal[c] + *k * b * b);
        }
        let unit: Vec<i64> =
            diagonal.iter().map(|d| if d.is_zero() { 0 } else { -d.exponent().div_euclid(2) }).collect();
        rows.iter_mut().flatten().for_each(|(c, b)| *b = b.times_power(unit[*c]));
        let load = columns.iter().zip(&unit).map(|(&c, unit)| Wide::new(problem.load[c]).times_power(*unit)).collect();
        let ridge = diagonal
            .iter()
            .zip(&unit)
            .map(|(d, unit)| if d.is_zero() { Wide::ONE } else { d.times_power(2 * unit) }.times_power(RIDGE_EXPONENT))
            .collect();
        let center = vec![Wide::ZERO; columns.len()];
        Self { problem, contacts, rows, columns, unit, load, stiffness, ridge, center, work }
    }

    fn law(&self) -> PowerLaw {
        self.problem.law
    }

    fn is_hooke(&self) -> bool {
        self.law().exponent() <= 2.0
    }

    /// Force of contact `i` at this compression, zero if the contact is open.
    fn force(&self, i: usize, compression: Wide) -> Wide {
        match () {
            () if !compression.is_positive() => Wide::ZERO,
            () if self.is_hooke() => self.stiffness[i] * compression,
            () => self.stiffness[i] * power(compression, self.law().exponent() - 1.0),
        }
    }

    /// Stiffness of contact `i` of these connected bodies: the derivative of its force by its compression.
    fn weight(&self, i: usize, compression: Wide) -> Wide {
        let exponent = self.law().exponent();
        match () {
            () if !compression.is_positive() => Wide::ZERO,
            () if self.is_hooke() => self.stiffness[i],
            () => self.stiffness[i] * Wide::new(exponent - 1.0) * power(compression, exponent - 2.0),
        }
    }

    fn at(&self, u: Vec<Wide>) -> Point {
        let mut point = Point {
            compression: Vec::with_capacity(self.rows.len()),
            force: Vec::with_capacity(self.rows.len()),
            rest: (0..u.len()).map(|c| -self.load[c] - self.pull(c, u[c])).collect(),
            terms: self.load.iter().map(|load| load.abs()).collect(),
            rounding: vec![Wide::ZERO; u.len()],
            u,
        };
        let Point { u, compression, force, rest, terms, rounding } = &mut point;
        for (i, row) in self.rows.iter().enumerate() {
            let unit = row.iter().map(|&(c, b)| (b * u[c]).exponent()).max().unwrap_or(0) + ROUNDING_EXPONENT;
            let mut own = -dot(row.iter().map(|&(c, b)| (b, u[c])));
            if own.exponent() < unit {
                own = Wide::ZERO;
                let unknown = self.force(i, Wide::ONE.times_power(unit));
                row.iter().for_each(|&(c, b)| rounding[c] = rounding[c] + (b * unknown).abs());
            }
            let f = self.force(i, own);
            for &(c, b) in row.iter().filter(|_| !f.is_zero()) {
                rest[c] = rest[c] + b * f;
                terms[c] = terms[c] + (b * f).abs();
            }
            compression.push(own);
            force.push(f);
        }
        point
    }

    fn write(&self, point: &Point, displacement: &mut [f64], force: &mut [f64]) {
        for (&i, f) in self.contacts.iter().zip(&point.force) {
            force[i] = f.to_f64().min(f64::MAX);
        }
        // Displacements that no contact resists are huge: only their direction matters.
        let physical: Vec<Wide> = point.u.iter().zip(&self.unit).map(|(u, unit)| u.times_power(*unit)).collect();
        let excess = physical.iter().map(Wide::exponent).max().unwrap_or(0).max(900) - 900;
        for (&c, u) in self.columns.iter().zip(&physical) {
            displacement[c] = u.times_power(-excess).to_f64();
        }
    }
}

fn sparse_rows<const D: usize, const K: usize>(
    rows: &Rows<D, K>,
    contacts: &[usize],
    columns: &[usize],
) -> Vec<SparseRow> {
    let row = |&contact: &usize| {
        let row = &rows.contacts[contact];
        let sides = (0..2).filter(|&side| row.body[side] != FIXED);
        let entries = sides.flat_map(|side| {
            let first = D * row.body[side] as usize;
            row.side::<D>(side).into_iter().enumerate().map(move |(d, b)| (first + d, Wide::new(b)))
        });
        let place = |(column, b): (usize, Wide)| columns.binary_search(&column).ok().map(|c| (c, b));
        entries.filter(|(_, b)| !b.is_zero()).filter_map(place).collect()
    };
    contacts.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::contact_jacobian::ContactJacobian;

    #[test]
    fn a_part_that_is_too_large_does_not_keep_the_others_from_being_solved() {
        // A column of bodies, and two bodies that touch only the ground; nothing is balanced yet.
        let column = LARGEST_SET / 3 + 1;
        let mut pairs: Vec<_> = (0..column).map(|i| [Some(i), i.checked_sub(1)]).collect();
        pairs.extend([[Some(column), None], [Some(column + 1), None]]);
        let jacobian = ContactJacobian::spheres(column + 2, &pairs, &vec![[-1.0, 0.0, 0.0]; pairs.len()]).unwrap();
        let stiffness = vec![1.0; pairs.len()];
        let improved = |alone: [f64; 2]| {
            let load = [vec![1.0; column], alone.to_vec()].concat();
            let load: Vec<f64> = load.into_iter().flat_map(|load| [load, 0.0, 0.0]).collect();
            let problem = CompatibilityProblem::new(&jacobian, &load, &stiffness, 2.0).unwrap();
            let mut displacement = vec![0.0; load.len()];
            let mut force = vec![0.0; pairs.len()];
            let report = Report { status: Status::Stalled, iterations: 9, inner_iterations: 9, residual: 1.0 };
            let options = Options::new(1e-10, 500);
            let report =
                ExtendedPrecision::default().improve(&problem, &options, report, &mut displacement, &mut force);
            (report.status, force[column..].iter().map(|f| f.round()).collect::<Vec<_>>())
        };
        assert_eq!(improved([2.0, 3.0]), (Status::Stalled, vec![2.0, 3.0]));
        assert_eq!(improved([2.0, -3.0]), (Status::Infeasible, vec![2.0, 0.0]));
    }

    #[test]
    fn a_part_ends_where_its_work_does() {
        let pairs = [[Some(0), None], [Some(1), Some(0)]];
        let jacobian = ContactJacobian::spheres(2, &pairs, &[[-1.0, 0.0, 0.0]; 2]).unwrap();
        let load = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let problem = CompatibilityProblem::new(&jacobian, &load, &[1.0, 1e9], 2.0).unwrap();
        let mut part = Part::new(&problem, &[0, 1], LARGEST_WORK);
        assert!(part.minimize(None).is_some());
        let needed = LARGEST_WORK - part.work;
        let ends = [0.9 * needed, needed].map(|work| Part::new(&problem, &[0, 1], work).minimize(None).is_some());
        assert_eq!(ends, [false, true]);
    }
}
