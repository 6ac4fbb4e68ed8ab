//! Compatible forces without rounding, for small problems that are too hard otherwise. [`refutation`] proves that a
//! problem has no solution.

mod refutation;

use crate::exact::wide::{Wide, dot};
use crate::problem::balance::BodySizes;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::power_law::PowerLaw;
use crate::problem::rows::{FIXED, Rows};
use crate::report::{Options, Report, Status};

/// Coordinates that hang together, at most. The effort grows with their third power.
const LARGEST: usize = 240;

/// Newton steps, at most.
const STEPS: usize = 200;

/// The ridge of the Hessian, as a power of two of its diagonal: a load that nothing balances is held by it.
const RIDGE: i64 = -130;

/// A force below this part of the largest one, as a power of two, is rounding.
const NOTHING: i64 = -225;

/// A compression below this part of its terms, as a power of two, is rounding.
const ROUNDING: i64 = -180;

/// A row of contact: column and coefficient.
type SparseRow = Vec<(usize, Wide)>;

/// Bodies that hang together, with columns in units in which the Hessian has a diagonal of about one.
struct Part<'a> {
    problem: &'a CompatibilityProblem<'a>,
    /// The contacts that are not open, and their rows.
    contacts: Vec<usize>,
    rows: Vec<SparseRow>,
    /// The columns, and the power of two that is the unit of each.
    columns: Vec<usize>,
    unit: Vec<i64>,
    load: Vec<Wide>,
    stiffness: Vec<Wide>,
    /// The ridge by column.
    ridge: Vec<Wide>,
}

/// A displacement with the forces that belong to it.
struct Point {
    u: Vec<Wide>,
    compression: Vec<Wide>,
    force: Vec<Wide>,
    /// Bᵀ f − F with the forces of the ridge, and the sizes of its terms.
    rest: Vec<Wide>,
    terms: Vec<Wide>,
}

/// Smaller limits of iterations are meant: a solver that reaches one does not go on without rounding.
const LIMIT_OF_A_STALL: usize = 100;

/// An answer with this residual is near enough to begin at its displacement.
const NEAR: f64 = 1e-3;

/// What solvers in 53 bits call where they stall.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastResort {
    displacement: Vec<f64>,
    force: Vec<f64>,
    sizes: BodySizes,
}

impl LastResort {
    /// Improves the answer of a solver with this `report`, if that is possible; returns the report of the better one.
    pub(crate) fn improve(
        &mut self,
        problem: &CompatibilityProblem<'_>,
        options: &Options,
        report: Report,
        displacement: &mut [f64],
        force: &mut [f64],
    ) -> Report {
        if options.max_iterations < LIMIT_OF_A_STALL || report.status == Status::Infeasible {
            return report;
        }
        self.force.clear();
        self.force.extend_from_slice(force);
        self.displacement.clear();
        self.displacement.extend_from_slice(displacement);
        let residual = problem.balance_in_units(force, 1.0, &mut self.sizes).residual;
        // Where all bodies are balanced, it is rounding that decides about some forces.
        let all = options.is_met_by(residual);
        let is_good = |body: usize| !all && problem.is_body_good(body, force, &self.sizes, options.tolerance);
        let start = Some(&displacement[..]).filter(|u| residual <= NEAR && u.iter().all(|u| u.is_finite()));
        let Some(refuted) = solve(problem, &is_good, start, &mut self.displacement, &mut self.force) else {
            return report;
        };
        let residual = problem.balance_in_units(&self.force, 1.0, &mut self.sizes).residual;
        let status = match report.status {
            _ if options.is_met_by(residual) => Status::Converged,
            Status::Stalled | Status::IterationLimit if refuted => Status::Infeasible,
            status => status,
        };
        let conclusive = status != report.status || (report.converged() && options.is_met_by(residual));
        if !conclusive && residual >= report.residual {
            return report;
        }
        force.copy_from_slice(&self.force);
        displacement.copy_from_slice(&self.displacement);
        Report { status, residual, ..report }
    }
}

/// Solves `problem` anew wherever bodies that hang together have one for which `is_good` is false. Writes forces and
/// displacement; returns whether a part has no solution, by proof. `None` if it is too large or was not solved. Begins
/// at the displacement `start`, if there is one.
fn solve(
    problem: &CompatibilityProblem<'_>,
    is_good: &dyn Fn(usize) -> bool,
    start: Option<&[f64]>,
    displacement: &mut [f64],
    force: &mut [f64],
) -> Option<bool> {
    let dof = problem.jacobian.dof();
    let mut refuted = false;
    for bodies in components(problem) {
        if bodies.iter().all(|&body| is_good(body)) {
            continue;
        }
        if dof * bodies.len() > LARGEST {
            return None;
        }
        let part = Part::new(problem, &bodies);
        let point = part.minimize(start)?;
        part.write(&point, displacement, force);
        refuted |= !part.balances(&point) && part.is_refuted(&point);
    }
    Some(refuted)
}

/// The bodies that closed contacts join, each set in order.
fn components(problem: &CompatibilityProblem<'_>) -> Vec<Vec<usize>> {
    let bodies = problem.jacobian.bodies();
    let mut label: Vec<usize> = (0..bodies).collect();
    fn root(label: &mut [usize], mut i: usize) -> usize {
        while label[i] != i {
            label[i] = label[label[i]];
            i = label[i];
        }
        i
    }
    for contact in (0..problem.jacobian.contacts()).filter(|&i| !problem.is_open(i)) {
        if let [Some(a), Some(b)] = problem.jacobian.pair(contact) {
            let (a, b) = (root(&mut label, a), root(&mut label, b));
            label[a.max(b)] = a.min(b);
        }
    }
    let mut parts = vec![Vec::new(); bodies];
    (0..bodies).for_each(|body| parts[root(&mut label, body)].push(body));
    parts.retain(|part| !part.is_empty());
    parts
}

/// `x`ᵉ for x > 0, to 53 bits.
fn power(x: Wide, exponent: f64) -> Wide {
    let size = x.times_power(-x.exponent()).to_f64();
    let scale = x.exponent() as f64 * exponent;
    Wide::new(size.powf(exponent) * (scale - scale.floor()).exp2()).times_power(scale.floor() as i64)
}

impl<'a> Part<'a> {
    fn new(problem: &'a CompatibilityProblem<'a>, bodies: &[usize]) -> Self {
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
            .map(|(d, unit)| if d.is_zero() { Wide::ONE } else { d.times_power(2 * unit) }.times_power(RIDGE))
            .collect();
        Self { problem, contacts, rows, columns, unit, load, stiffness, ridge }
    }

    fn law(&self) -> PowerLaw {
        self.problem.law
    }

    fn is_hooke(&self) -> bool {
        self.law().exponent() <= 2.0
    }

    /// The force of contact `i` at a compression.
    fn force(&self, i: usize, compression: Wide) -> Wide {
        match () {
            () if !compression.is_positive() => Wide::ZERO,
            () if self.is_hooke() => self.stiffness[i] * compression,
            () => self.stiffness[i] * power(compression, self.law().exponent() - 1.0),
        }
    }

    /// The derivative of the force.
    fn weight(&self, i: usize, compression: Wide) -> Wide {
        let exponent = self.law().exponent();
        match () {
            () if !compression.is_positive() => Wide::ZERO,
            () if self.is_hooke() => self.stiffness[i],
            () => self.stiffness[i] * Wide::new(exponent - 1.0) * power(compression, exponent - 2.0),
        }
    }

    fn at(&self, u: Vec<Wide>) -> Point {
        let compression: Vec<Wide> = self
            .rows
            .iter()
            .map(|row| {
                let terms = row.iter().map(|&(c, b)| (b * u[c]).exponent()).max().unwrap_or(0);
                let sum = -dot(row.iter().map(|&(c, b)| (b, u[c])));
                if sum.exponent() < terms + ROUNDING { Wide::ZERO } else { sum }
            })
            .collect();
        let force: Vec<Wide> = compression.iter().enumerate().map(|(i, c)| self.force(i, *c)).collect();
        let mut rest: Vec<Wide> = (0..u.len()).map(|c| -self.load[c] - self.ridge[c] * u[c]).collect();
        let mut terms: Vec<Wide> = self.load.iter().map(|load| load.abs()).collect();
        for (row, force) in self.rows.iter().zip(&force).filter(|(_, force)| !force.is_zero()) {
            for &(c, b) in row {
                rest[c] = rest[c] + b * *force;
                terms[c] = terms[c] + (b * *force).abs();
            }
        }
        Point { u, compression, force, rest, terms }
    }

    /// Newton's method with an exact line search.
    fn minimize(&self, start: Option<&[f64]>) -> Option<Point> {
        // Forces of another law than Hooke's have 53 bits.
        let digits = if self.is_hooke() { -100 } else { -44 };
        let columns = self.columns.iter().zip(&self.unit);
        let mut point = self.at(match start {
            Some(u) => columns.map(|(&c, unit)| Wide::new(u[c]).times_power(-unit)).collect(),
            None => vec![Wide::ZERO; self.columns.len()],
        });
        for step in 0..STEPS {
            // Bodies without load have no size.
            let nothing = point.terms.iter().map(Wide::exponent).max().unwrap_or(0) + NOTHING;
            let settled = |(rest, terms): (&Wide, &Wide)| {
                rest.is_zero() || rest.exponent() < (terms.exponent() + digits).max(nothing)
            };
            if point.rest.iter().zip(&point.terms).all(settled) {
                return Some(point);
            }
            let weights: Vec<Wide> = if step == 0 && start.is_none() {
                self.stiffness.clone()
            } else {
                point.compression.iter().enumerate().map(|(i, c)| self.weight(i, *c)).collect()
            };
            let direction = self.solve(&weights, &point.rest);
            let t = self.search(&point, &direction)?;
            let moved = point.u.iter().zip(&direction).map(|(u, d)| *u + t * *d).collect();
            point = self.at(moved);
        }
        None
    }

    /// (Bᵀ W B + ridge)⁻¹ `right`, by Cholesky's method without roots.
    fn solve(&self, weights: &[Wide], right: &[Wide]) -> Vec<Wide> {
        let n = right.len();
        let mut matrix: Vec<Vec<Wide>> = (0..n).map(|r| vec![Wide::ZERO; r + 1]).collect();
        for (c, row) in matrix.iter_mut().enumerate() {
            row[c] = self.ridge[c];
        }
        for (row, weight) in self.rows.iter().zip(weights).filter(|(_, weight)| !weight.is_zero()) {
            for &(r, a) in row {
                for &(c, b) in row.iter().filter(|(c, _)| *c <= r) {
                    matrix[r][c] = matrix[r][c] + *weight * a * b;
                }
            }
        }
        let mut x = right.to_vec();
        let mut inverse = vec![Wide::ZERO; n];
        for k in 0..n {
            // What rounding leaves of a column that nothing holds.
            let pivot = matrix[k][k];
            let pivot = if pivot < self.ridge[k] { self.ridge[k] } else { pivot };
            inverse[k] = pivot.recip();
            for r in k + 1..n {
                if matrix[r][k].is_zero() {
                    continue;
                }
                let factor = matrix[r][k] * inverse[k];
                (k + 1..=r).for_each(|c| {
                    let other = matrix[c][k];
                    if !other.is_zero() {
                        matrix[r][c] = matrix[r][c] - factor * other;
                    }
                });
                x[r] = x[r] - factor * x[k];
            }
        }
        for k in (0..n).rev() {
            let sum = dot((k + 1..n).filter(|&r| !matrix[r][k].is_zero()).map(|r| (matrix[r][k], x[r])));
            x[k] = (x[k] - sum) * inverse[k];
        }
        x
    }

    /// The step at which the energy along the line is least, or nearly so.
    fn search(&self, point: &Point, direction: &[Wide]) -> Option<Wide> {
        let rates: Vec<Wide> = self.rows.iter().map(|row| -dot(row.iter().map(|&(c, b)| (b, direction[c])))).collect();
        let start: Wide = dot((0..direction.len()).map(|c| (self.load[c] + self.ridge[c] * point.u[c], direction[c])));
        let growth: Wide = dot((0..direction.len()).map(|c| (self.ridge[c] * direction[c], direction[c])));
        let slope = |t: Wide| {
            let work =
                rates.iter().enumerate().map(|(i, rate)| (self.force(i, point.compression[i] + t * *rate), *rate));
            start + t * growth + dot(work)
        };
        let first = slope(Wide::ZERO);
        if !first.is_negative() {
            return None;
        }
        let is_flat = |slope: Wide, bits: i64| slope.abs() <= first.abs().times_power(-bits);
        let (mut low, mut low_slope) = (Wide::ZERO, first);
        let (mut high, mut high_slope) = (Wide::ONE, slope(Wide::ONE));
        if is_flat(high_slope, 1) {
            return Some(high);
        }
        for _ in 0..400 {
            if !high_slope.is_negative() {
                break;
            }
            (low, low_slope) = (high, high_slope);
            high = high.times_power(1);
            high_slope = slope(high);
        }
        let mut moved_low = None;
        for _ in 0..80 {
            let middle = (low * high_slope - high * low_slope) * (high_slope - low_slope).recip();
            let found = slope(middle);
            if is_flat(found, 3) {
                return Some(middle);
            }
            if found.is_negative() {
                (low, low_slope) = (middle, found);
                if moved_low == Some(true) {
                    high_slope = high_slope.times_power(-1);
                }
                moved_low = Some(true);
            } else {
                (high, high_slope) = (middle, found);
                if moved_low == Some(false) {
                    low_slope = low_slope.times_power(-1);
                }
                moved_low = Some(false);
            }
        }
        low.is_positive().then_some(low)
    }

    fn write(&self, point: &Point, displacement: &mut [f64], force: &mut [f64]) {
        for (&i, f) in self.contacts.iter().zip(&point.force) {
            force[i] = f.to_f64().min(f64::MAX);
        }
        // Displacements that nothing holds are beyond all sizes: only their direction counts.
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
