use crate::error::{SolveError, check_length};
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::delassus::Delassus;
use crate::problem::lcp::{Lcp, LcpMatrix};
use crate::problem::rows::{Rows, chunks, chunks_mut, dot};

/// Error of a row of A z + b that rounding of z can cause, relative to the sum of the absolute values of the terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Largest number of sweeps over a matrix in which rows without a reference value of their own take over those of
/// coupled rows.
const PROPAGATION_SWEEPS: usize = 64;

/// Two numbers for each row of A z + b: its reference value, by which its residual is divided, and the sum of the
/// absolute values of its terms. The reference value is a velocity: |b| and the changes of velocity of the bodies of
/// the row, in the energy norm. Forces that cancel on a body do not count, so a boulder on a grain falls unless it is
/// held. A matrix without bodies takes the largest |b| of coupled rows. Both numbers follow any scaling of rows and
/// unknowns. A value stated by the caller replaces a smaller |b|.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowSizes {
    own: Vec<f64>,
    terms: Vec<f64>,
    /// Norm √(v·M v) of the change v of velocity of each body by the contact forces z, for the masses M of the body.
    energy: Vec<f64>,
    /// Sum of the absolute changes of velocity of each body coordinate by the contact forces z.
    gross: Vec<f64>,
}

/// Function that visits the entries of one row of a matrix: column and value.
type EachInRow<'a> = dyn Fn(usize, &mut dyn FnMut(usize, f64)) + 'a;

impl RowSizes {
    /// Computes the reference values, by which residuals are divided, of all rows of `problem` at the unknowns `z`.
    pub(crate) fn update(&mut self, problem: &Lcp<'_>, z: &[f64]) {
        let offset = problem.offset();
        self.own.clear();
        self.own.extend((0..offset.len()).map(|i| problem.least_size(i)));
        self.terms.clear();
        self.terms.extend(offset.iter().map(|b| b.abs()));
        match problem.matrix() {
            LcpMatrix::Delassus(operator) => self.add_bodies(operator, z),
            LcpMatrix::Dense(matrix) => {
                let n = offset.len();
                self.spread(problem, &|i, visit| (0..n).for_each(|j| visit(j, matrix[(i, j)])), z);
            }
            LcpMatrix::Sparse(matrix) => {
                let row = |i: usize, visit: &mut dyn FnMut(usize, f64)| {
                    let entries = matrix.row_idx_of_col_raw(i).iter().zip(matrix.val_of_col(i));
                    entries.for_each(|(j, value)| visit(*j, *value));
                };
                self.spread(problem, &row, z);
            }
            LcpMatrix::Operator(_, diagonal) => {
                let unit = |i: usize| diagonal[i].max(0.0).sqrt();
                let largest = (0..z.len()).filter(|&i| diagonal[i] > 0.0).map(|i| self.own[i] / unit(i));
                let largest = largest.fold(0.0, f64::max);
                for (i, (own, terms)) in self.own.iter_mut().zip(&mut self.terms).enumerate() {
                    *own = own.max(unit(i) * largest);
                    *terms += diagonal[i] * z[i].abs();
                }
            }
        }
    }

    fn add_bodies(&mut self, operator: &Delassus<'_>, z: &[f64]) {
        let jacobian = operator.jacobian();
        let Self { own, terms, energy, gross } = self;
        energy.clear();
        energy.resize(jacobian.bodies(), 0.0);
        gross.clear();
        gross.resize(jacobian.columns(), 0.0);
        with_rows!(jacobian, rows => {
            rows.velocity_sizes(operator.inverse_mass(), z, energy, gross);
            rows.add_sizes(operator.inverse_mass(), energy, gross, own, terms);
        });
    }

    /// Adds up the absolute values of the terms of each row of a stored matrix, and spreads reference values of rows to
    /// coupled rows.
    fn spread(&mut self, problem: &Lcp<'_>, row: &EachInRow<'_>, z: &[f64]) {
        let diagonal = problem.matrix().diagonal();
        let root = |i: usize| diagonal.at(i).max(0.0).sqrt();
        for (i, terms) in self.terms.iter_mut().enumerate() {
            row(i, &mut |j, value| *terms += (value * z[j]).abs());
        }
        for _ in 0..PROPAGATION_SWEEPS {
            let mut grew = false;
            for i in 0..z.len() {
                let mut own = self.own[i];
                // Coupling in units of both diagonals, at most one in a positive semidefinite matrix, times the root of
                // the diagonal entry of this row.
                let unit = root(i);
                row(i, &mut |j, value| {
                    let partner = root(j);
                    if j != i && partner > 0.0 {
                        own = own.max((value / partner).abs().min(unit) * (self.own[j] / partner));
                    }
                });
                grew |= own > 1.5 * self.own[i];
                self.own[i] = own;
            }
            if !grew {
                break;
            }
        }
    }

    fn relative(&self, i: usize, value: f64) -> f64 {
        let size = self.own[i].max(f64::EPSILON * self.terms[i]);
        if size > 0.0 || value.is_nan() { value.abs() / size } else { value.abs() }
    }

    /// Residual |min(D z, A z + b)| of row `i`, with D = diag A, divided by the reference value of the row.
    pub(crate) fn residual_of_row(&self, i: usize, diagonal: f64, z: f64, slack: f64) -> f64 {
        if z.is_nan() || slack.is_nan() {
            return f64::NAN;
        }
        self.relative(i, (diagonal * z).min(slack))
    }

    /// Residual of row `i`, divided by its reference value, less the part that rounding of z can cause.
    fn residual_but_rounding(&self, i: usize, diagonal: f64, z: f64, slack: f64) -> f64 {
        let value = (diagonal * z).min(slack).abs() - ROUNDING * self.terms[i];
        if z.is_nan() || slack.is_nan() { f64::NAN } else { self.relative(i, value.max(0.0)) }
    }

    /// Largest residual of any row, including effects of rounding of z.
    pub(crate) fn strict_residual(&self, problem: &Lcp<'_>, z: &[f64], slack: &[f64]) -> f64 {
        self.largest(problem, z, slack, Self::residual_of_row)
    }

    /// Largest residual of any row, less what rounding of z can cause, as in [`Lcp::residual_of_slack`].
    pub(crate) fn residual(&self, problem: &Lcp<'_>, z: &[f64], slack: &[f64]) -> f64 {
        self.largest(problem, z, slack, Self::residual_but_rounding)
    }

    fn largest(&self, problem: &Lcp<'_>, z: &[f64], slack: &[f64], row: fn(&Self, usize, f64, f64, f64) -> f64) -> f64 {
        let diagonal = problem.matrix().diagonal();
        let rows = (0..z.len()).map(|i| row(self, i, diagonal.at(i), z[i], slack[i]));
        rows.fold(0.0, |worst, row| if row > worst || row.is_nan() { row } else { worst })
    }
}

impl Lcp<'_> {
    /// Computes the residual for the slack A z + b: the largest |min(D z, A z + b)| of all rows, with D = diag A, each
    /// divided by the reference value of its row. It is dimensionless and invariant to scaling of rows and unknowns.
    /// Allocates.
    ///
    /// The reference value of a row is |b| plus the changes of velocity of its bodies by z; for a matrix without
    /// bodies, |b| or a larger |b| of coupled rows. The caller may state larger values by
    /// [`with_sizes`](Self::with_sizes). Effects of rounding of z to 53 bits do not count. Solvers of this crate
    /// converge to this residual: a result within the tolerance is good. Use it to assess other solvers.
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual_of_slack(&self, z: &[f64], slack: &[f64]) -> Result<f64, SolveError> {
        check_length("unknowns", z, self.len())?;
        check_length("slacks", slack, self.len())?;
        let mut sizes = RowSizes::default();
        sizes.update(self, z);
        Ok(sizes.residual(self, z, slack))
    }

    /// Computes the slack A z + b of the unknowns `z` and [its residual](Self::residual_of_slack).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual(&self, z: &[f64]) -> Result<f64, SolveError> {
        let mut slack = vec![0.0; self.len()];
        self.slack(z, &mut slack, &mut Vec::new())?;
        self.residual_of_slack(z, &slack)
    }
}

/// Returns √(`a`·`b`), or zero if the product is negative; products of entries may overflow or underflow.
fn root_of_product<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let largest = |x: &[f64; D]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let unit_a = largest(a);
    let unit_b = largest(b);
    if !(unit_a > 0.0 && unit_b > 0.0) {
        return 0.0;
    }
    dot(&a.map(|x| x / unit_a), &b.map(|x| x / unit_b)).max(0.0).sqrt() * unit_a.sqrt() * unit_b.sqrt()
}

impl<const D: usize, const K: usize> Rows<D, K> {
    /// Computes the change of velocity of each body by the contact forces `z`: its energy norm, and the sum of absolute
    /// changes of each coordinate.
    fn velocity_sizes(&self, inverse_mass: &BodyBlocks, z: &[f64], energy: &mut [f64], gross: &mut [f64]) {
        for (body, (energy, gross)) in energy.iter_mut().zip(chunks_mut::<D>(gross)).enumerate() {
            let mut net = [0.0; D];
            let mut all = [0.0; D];
            for (contact, side) in self.of_body(body) {
                let b = self.contacts[contact].side::<D>(side);
                for d in 0..D {
                    net[d] += z[contact] * b[d];
                    all[d] += (z[contact] * b[d]).abs();
                }
            }
            *energy = root_of_product(&net, &inverse_mass.times(body, &net));
            *gross = std::array::from_fn(|r| (0..D).map(|c| inverse_mass.entry(body, r, c).abs() * all[c]).sum());
        }
    }

    fn add_sizes(&self, inverse_mass: &BodyBlocks, energy: &[f64], gross: &[f64], own: &mut [f64], terms: &mut [f64]) {
        let gross = chunks::<D>(gross);
        for (row, (own, terms)) in self.contacts.iter().zip(own.iter_mut().zip(terms)) {
            for side in 0..2 {
                let body = row.body[side] as usize;
                let Some(energy) = energy.get(body) else { continue };
                let b = row.side::<D>(side);
                *own += root_of_product(&b, &inverse_mass.times(body, &b)) * energy;
                *terms += dot(&b.map(f64::abs), &gross[body]);
            }
        }
    }
}
