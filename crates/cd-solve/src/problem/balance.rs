use crate::error::{SolveError, check_length};
use crate::exact::wide::{BITS, Wide};
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::{AnyRows, with_rows};
use crate::problem::rows::{Rows, add_scaled, chunks, chunks_mut};

/// Contact forces on a body without load count as rounding below this fraction of the largest contact force and of the
/// forces on each touching body with a load.
const ROUNDING_FORCE: f64 = 64.0 * f64::EPSILON;

/// Number of bits of a displacement in a proof of infeasibility: with few bits, nearly equal motions are equal.
const PROOF_BITS: i64 = 20;

/// Margin of a proof of infeasibility: the proof holds for all loads (of bodies) or offsets (of complementarity
/// problems) that differ by at most this fraction of the reference value of each coordinate or row.
pub(crate) const PROOF_MARGIN: f64 = 32.0 * f64::EPSILON;

/// Reference forces, by which the imbalance of each body coordinate is divided: its load, or the sum of the absolute
/// contact forces on its body if larger. A coordinate without load takes the reference forces of the coordinates that
/// its contacts act on, since the same forces act there.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodySizes {
    columns: Vec<f64>,
}

/// Largest number of contacts in a chain of bodies along which the reference force of a load reaches coordinates
/// without load.
const PROPAGATION_SWEEPS: usize = 16;

impl CompatibilityProblem<'_> {
    /// Computes the residual of the contact forces f, dimensionless: the largest |Bᵀ f − F| / max(|F|, Σ|Bᵀ| f) of any
    /// body, with the load F and the contact Jacobian B. Allocates.
    ///
    /// The coordinates of a body are divided by a reference force each, since their units may differ; those of a sphere
    /// have one reference force. A coordinate without load takes the reference forces of the coordinates that its
    /// contacts act on. The caller may state larger ones by [`with_sizes`](Self::with_sizes). Forces that belong to a
    /// displacement solve the problem if their residual is within the tolerance. The residual is invariant to scaling
    /// of rows and unknowns. All solvers of this crate converge to this residual; use it to assess other solvers.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual(&self, force: &[f64]) -> Result<f64, SolveError> {
        check_length("contact forces", force, self.jacobian.contacts())?;
        Ok(self.residual_with(force, &mut BodySizes::default()))
    }

    /// Computes the [`residual`](Self::residual) of the contact forces `force`; writes the reference forces, by which
    /// imbalances are divided, to `sizes`.
    pub(crate) fn residual_with(&self, force: &[f64], sizes: &mut BodySizes) -> f64 {
        let together = self.is_of_spheres();
        with_rows!(self.jacobian, rows => {
            rows.body_sizes(self, force, together, &mut sizes.columns);
            let all = (0..rows.bodies()).map(|body| rows.body_residual(body, self.load, force, together, &sizes.columns));
            all.fold(0.0, |worst, residual| if residual > worst || residual.is_nan() { residual } else { worst })
        })
    }

    /// Whether the forces `force` balance the load of `body`: the imbalance is at most `tolerance` times the reference
    /// forces `sizes`.
    pub(crate) fn is_body_good(&self, body: usize, force: &[f64], sizes: &BodySizes, tolerance: f64) -> bool {
        let together = self.is_of_spheres();
        let residual = with_rows!(self.jacobian, rows => {
            rows.body_residual(body, self.load, force, together, &sizes.columns)
        });
        residual <= tolerance
    }

    /// Whether the `error` of each positive contact force is at most `limit` times the reference forces `sizes` of its
    /// bodies.
    pub(crate) fn bears(&self, force: &[f64], error: &dyn Fn(usize) -> f64, sizes: &BodySizes, limit: f64) -> bool {
        let together = self.is_of_spheres();
        with_rows!(self.jacobian, rows => rows.bears(force, error, together, &sizes.columns, limit))
    }

    /// Whether the bodies are spheres: their coordinates have one unit, and so one common reference force.
    fn is_of_spheres(&self) -> bool {
        matches!(self.jacobian.rows, AnyRows::Spheres(_))
    }

    /// Sets contact forces to zero that are only rounding: those on bodies without load that are tiny relative to the
    /// largest force and to the forces on each touching body with a load.
    pub(crate) fn clean(&self, force: &mut [f64]) {
        let largest = force.iter().fold(0.0_f64, |most, f| most.max(*f));
        let limit = ROUNDING_FORCE * largest;
        if force.iter().all(|f| *f > limit || *f <= 0.0) {
            return;
        }
        with_rows!(self.jacobian, rows => rows.clean(self.load, limit, force));
    }

    /// Whether the displacement `u` (`D n_b`), rounded to a few bits, proves without rounding that no forces balance
    /// the load. It has to compress no contact, and the load has to do work on it, as do all loads that differ by
    /// rounding of the reference forces that the caller stated.
    pub(crate) fn is_refuted_by(&self, u: &[f64]) -> bool {
        with_rows!(self.jacobian, rows => rows.refutes(self.load, self.sizes, &|i| self.is_open(i), u))
    }

    /// Whether the displacement `u` proves that no forces balance the load or any load that differs by rounding: by
    /// [`PROOF_MARGIN`] times the load of each coordinate, or the stated reference force if larger.
    pub(crate) fn is_refuted_beyond_rounding(&self, u: &[f64]) -> bool {
        let sizes: Vec<f64> = (0..self.load.len()).map(|i| self.least_size(i)).collect();
        with_rows!(self.jacobian, rows => rows.refutes(self.load, &sizes, &|i| self.is_open(i), u))
    }
}

/// Largest absolute value of an entry of `x`; NaN if an entry is NaN.
fn largest<const D: usize>(x: &[f64; D]) -> f64 {
    x.iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
}

pub(super) fn norm<const D: usize>(x: &[f64; D]) -> f64 {
    let unit = largest(x);
    if unit > 0.0 && unit.is_finite() { unit * x.iter().map(|x| (x / unit).powi(2)).sum::<f64>().sqrt() } else { unit }
}

/// Imbalance `rest` divided by the reference force `size`; zero without imbalance.
fn relative(rest: f64, size: f64) -> f64 {
    if rest > 0.0 || rest.is_nan() { rest / size } else { 0.0 }
}

/// The exact sum of `terms`, `None` if 256 bits cannot hold it.
fn exact_sum(terms: &[Wide]) -> Option<Wide> {
    let filled = || terms.iter().filter(|term| !term.is_zero());
    let last = filled().map(Wide::last_place).min()?;
    let most = filled().map(Wide::exponent).max()?;
    let room = BITS - i64::from(usize::BITS - terms.len().leading_zeros()) - 1;
    (most - last <= room).then(|| terms.iter().fold(Wide::ZERO, |sum, term| sum + *term))
}

impl<const D: usize, const K: usize> Rows<D, K> {
    fn body_sizes(&self, problem: &CompatibilityProblem<'_>, force: &[f64], together: bool, sizes: &mut Vec<f64>) {
        sizes.clear();
        sizes.resize(problem.load.len(), 0.0);
        let load = chunks::<D>(problem.load);
        let least = chunks::<D>(problem.sizes);
        let sizes = chunks_mut::<D>(sizes);
        for (body, size) in sizes.iter_mut().enumerate() {
            let mut terms = [0.0; D];
            let mut sum = 0.0;
            for (contact, side) in self.of_body(body) {
                let b = self.contacts[contact].side::<D>(side);
                let force = force[contact].abs();
                add_scaled(&mut terms, force, &b.map(f64::abs));
                sum += force * norm(&b);
            }
            let least = least.get(body).copied().unwrap_or([0.0; D]);
            let whole = norm(&load[body]).max(sum).max(largest(&least));
            let column = |d: usize| load[body][d].abs().max(terms[d]).max(least[d]);
            *size = std::array::from_fn(|d| if together { whole } else { column(d) });
        }
        for _ in 0..PROPAGATION_SWEEPS {
            let mut grew = false;
            for body in 0..self.bodies() {
                let without: [bool; D] = load[body].map(|load| load.abs() <= 0.0);
                // A sphere is without load only if all its coordinates are.
                if !(without.contains(&true) && (!together || without == [true; D])) {
                    continue;
                }
                let mut own = sizes[body];
                for (contact, side) in self.of_body(body) {
                    let b = self.contacts[contact].side::<D>(side);
                    let whole = norm(&b);
                    for d in (0..D).filter(|&d| without[d]) {
                        if let Some(force) = self.force_beside(contact, [side, d], together, sizes) {
                            own[d] = own[d].max(force * if together { whole } else { b[d].abs() });
                        }
                    }
                }
                grew |= (0..D).any(|d| own[d] > 1.5 * sizes[body][d]);
                sizes[body] = own;
            }
            if !grew {
                break;
            }
        }
    }

    /// Largest force of `contact` whose part in each body coordinate i stays at or below the force scale `sizes[i]`; `None`
    /// if no coordinate limits it. Coordinate d of the body on side `[side, d]` = `except` limits nothing, and with
    /// `together` no coordinate of this body does.
    fn force_beside(&self, contact: usize, except: [usize; 2], together: bool, sizes: &[[f64; D]]) -> Option<f64> {
        let row = &self.contacts[contact];
        let mut least = f64::INFINITY;
        for side in 0..2 {
            let Some(sizes) = sizes.get(row.body[side] as usize) else { continue };
            for (d, (b, size)) in row.side::<D>(side).into_iter().zip(sizes).enumerate() {
                let is_other = side != except[0] || !(together || d == except[1]);
                if is_other && b.abs() > 0.0 && *size > 0.0 {
                    least = least.min(size / b.abs());
                }
            }
        }
        least.is_finite().then_some(least)
    }

    /// Residual of one body under the contact forces `force`. With `together` the norm of its imbalance is divided by
    /// the one reference force of the body, otherwise each component by its own reference force.
    fn body_residual(&self, body: usize, load: &[f64], force: &[f64], together: bool, sizes: &[f64]) -> f64 {
        let mut rest = chunks::<D>(load)[body].map(|load| -load);
        for (contact, side) in self.of_body(body) {
            add_scaled(&mut rest, force[contact], &self.contacts[contact].side::<D>(side));
        }
        let sizes = &chunks::<D>(sizes)[body];
        if together {
            return relative(norm(&rest), sizes[0]);
        }
        let by_column = (0..D).map(|d| relative(rest[d].abs(), sizes[d]));
        by_column.fold(0.0, |most, r| if r > most || r.is_nan() { r } else { most })
    }

    fn bears(&self, force: &[f64], error: &dyn Fn(usize) -> f64, together: bool, sizes: &[f64], limit: f64) -> bool {
        let sizes = chunks::<D>(sizes);
        (0..self.contacts.len()).filter(|&contact| force[contact] > 0.0).all(|contact| {
            let row = &self.contacts[contact];
            let error = error(contact);
            (0..2).all(|side| {
                let Some(sizes) = sizes.get(row.body[side] as usize) else { return true };
                let b = row.side::<D>(side);
                if together {
                    return error * norm(&b) <= limit * sizes[0];
                }
                (0..D).all(|d| error * b[d].abs() <= limit * sizes[d])
            })
        })
    }

    fn clean(&self, load: &[f64], limit: f64, force: &mut [f64]) {
        let load = chunks::<D>(load);
        let mut is_rounding: Vec<bool> = (0..self.bodies())
            .map(|body| {
                let unloaded = load[body].iter().all(|load| load.abs() <= 0.0);
                unloaded && self.of_body(body).all(|(contact, _)| force[contact] <= limit)
            })
            .collect();
        // The forces that bear each body with a load are followed to their ends.
        let mut bearing: Vec<usize> = (0..self.bodies()).filter(|&body| !is_rounding[body]).collect();
        while let Some(body) = bearing.pop() {
            let terms =
                |(contact, side): (usize, usize)| force[contact] * norm(&self.contacts[contact].side::<D>(side));
            let size = norm(&load[body]).max(self.of_body(body).map(terms).sum());
            for (contact, side) in self.of_body(body) {
                let other = self.contacts[contact].body[1 - side] as usize;
                if is_rounding.get(other) == Some(&true) && terms((contact, side)) > ROUNDING_FORCE * size {
                    is_rounding[other] = false;
                    bearing.push(other);
                }
            }
        }
        for body in (0..self.bodies()).filter(|&body| is_rounding[body]) {
            self.of_body(body).for_each(|(contact, _)| force[contact] = 0.0);
        }
    }

    /// Whether the displacement `u` proves the load infeasible, see [`CompatibilityProblem::is_refuted_by`].
    pub(crate) fn refutes(&self, load: &[f64], sizes: &[f64], is_open: &dyn Fn(usize) -> bool, u: &[f64]) -> bool {
        let largest = u.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        if !(largest.is_finite() && largest > 0.0) {
            return false;
        }
        // Multiples of the last retained bit.
        let bits = Wide::new(largest).exponent() - PROOF_BITS;
        let rounded: Vec<Wide> =
            u.iter().map(|u| Wide::new(Wide::new(*u).times_power(-bits).to_f64().round()).times_power(bits)).collect();
        let mut terms: Vec<Wide> = load.iter().zip(&rounded).map(|(load, u)| Wide::new(*load) * *u).collect();
        terms.extend(sizes.iter().zip(&rounded).map(|(size, u)| Wide::new(PROOF_MARGIN * size) * u.abs()));
        if !exact_sum(&terms).is_some_and(|work| work.is_negative()) {
            return false;
        }
        self.contacts.iter().enumerate().filter(|&(i, _)| !is_open(i)).all(|(_, row)| {
            terms.clear();
            for side in 0..2 {
                if let Some(u) = rounded.as_chunks::<D>().0.get(row.body[side] as usize) {
                    terms.extend(row.side::<D>(side).iter().zip(u).map(|(b, u)| Wide::new(*b) * *u));
                }
            }
            terms.iter().all(Wide::is_zero) || exact_sum(&terms).is_some_and(|rate| !rate.is_negative())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::contact_jacobian::ContactJacobian;

    #[test]
    fn rounding_is_cut_where_nothing_rests_on_it() {
        // A heavy body on the ground; a light body on a column of two without load; and a body without load beside the
        // heavy one.
        let pairs = [[Some(0), None], [Some(1), Some(2)], [Some(2), Some(3)], [Some(3), None], [Some(0), Some(4)]];
        let jacobian = ContactJacobian::spheres(5, &pairs, &[[-1.0, 0.0, 0.0]; 5]).unwrap();
        let load = [1.0, 1e-16, 0.0, 0.0, 0.0].map(|load| [load, 0.0, 0.0]);
        let problem = CompatibilityProblem::new(&jacobian, load.as_flattened(), &[1.0; 5], 2.0).unwrap();
        let mut force = [1.0, 1e-16, 1e-16, 1e-16, 1e-16];
        problem.clean(&mut force);
        assert_eq!(force.map(f64::to_bits), [1.0, 1e-16, 1e-16, 1e-16, 0.0].map(f64::to_bits));
        assert!(problem.residual(&force).unwrap() < 1e-15);
    }
}
