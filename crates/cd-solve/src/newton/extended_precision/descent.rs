//! Newton's method in extended precision.

use std::cmp::Ordering;

use crate::exact::wide::{Wide, dot};
use crate::newton::extended_precision::{Part, Point};

/// Largest number of Newton steps in one minimisation.
const NEWTON_STEPS: usize = 200;

/// Largest number of stages of the proximal point method. Each stage moves the centre of the regularisation to the last
/// minimum, so that contacts take over the force of the regularisation.
const PROXIMAL_STAGES: usize = 24;

/// Number of multiplications per contact by which each Newton step reduces the remaining work, to account for its line
/// search.
const LINE_SEARCH_WORK: f64 = 100.0;

/// Exponent k: a sum of forces on a body coordinate below 2ᵏ times the largest force on any coordinate counts as
/// rounding.
const ROUNDING_EXPONENT: i64 = -225;

impl Part<'_> {
    /// Force on body coordinate `c` of the regularisation, a spring that pulls from the displacement `u` towards its
    /// centre.
    pub(super) fn pull(&self, c: usize, u: Wide) -> Wide {
        self.ridge[c] * (u - self.center[c])
    }

    /// Finds the minimum of the elastic energy, from the displacement `start` if there is one. If the softest contacts
    /// are not much stiffer than the regularisation, the regularisation bears a part of the load. Stages of the
    /// proximal point method move this force to the contacts: each begins at the last minimum, which becomes the centre
    /// of the regularisation. Returns `None` if no minimum is found within the remaining work.
    pub(super) fn minimize(&mut self, start: Option<&[f64]>) -> Option<Point> {
        let columns = self.columns.iter().zip(&self.unit);
        let from = start.map(|u| columns.map(|(&c, unit)| Wide::new(u[c]).times_power(-unit)).collect());
        let mut point = self.descend(from)?;
        for _ in 0..PROXIMAL_STAGES {
            if self.balances(&point) {
                break;
            }
            self.center.clone_from(&point.u);
            point = self.descend(Some(point.u))?;
        }
        Some(point)
    }

    /// Minimises the energy of a connected set of bodies by Newton's method with an exact line search.
    fn descend(&mut self, start: Option<Vec<Wide>>) -> Option<Point> {
        // Forces of laws other than Hooke's have 53 bits.
        let digits = if self.is_hooke() { -100 } else { -44 };
        let at_rest = start.is_none();
        let mut point = self.at(start.unwrap_or_else(|| vec![Wide::ZERO; self.columns.len()]));
        for step in 0..NEWTON_STEPS {
            // Bodies without load have no size of their own.
            let nothing = point.terms.iter().map(Wide::exponent).max().unwrap_or(0) + ROUNDING_EXPONENT;
            let settled = |c: usize| {
                let least = nothing.max(point.rounding[c].exponent() + 1);
                point.rest[c].is_zero() || point.rest[c].exponent() < (point.terms[c].exponent() + digits).max(least)
            };
            if (0..point.rest.len()).all(settled) {
                return Some(point);
            }
            let weights: Vec<Wide> = if step == 0 && at_rest {
                self.stiffness.clone()
            } else {
                point.compression.iter().enumerate().map(|(i, c)| self.weight(i, *c)).collect()
            };
            let direction = self.solve(&weights, &point.rest);
            if self.work < 0.0 {
                return None;
            }
            let t = self.search(&point, &direction)?;
            let moved = point.u.iter().zip(&direction).map(|(u, d)| *u + t * *d).collect();
            point = self.at(moved);
        }
        None
    }

    /// Computes (Bᵀ W B + ridge)⁻¹ `right` with the diagonal matrix W of `weights`, by Cholesky's method without roots.
    fn solve(&mut self, weights: &[Wide], right: &[Wide]) -> Vec<Wide> {
        let n = right.len();
        self.work -= LINE_SEARCH_WORK * self.rows.len() as f64;
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
            // Rounding may leave less than the ridge in a column that no contact holds.
            let pivot = matrix[k][k];
            let pivot = if pivot < self.ridge[k] { self.ridge[k] } else { pivot };
            inverse[k] = pivot.recip();
            for r in k + 1..n {
                if matrix[r][k].is_zero() {
                    continue;
                }
                self.work -= (r - k) as f64;
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

    /// Finds the step length along `direction` at which the energy is about least; `None` if the energy does not fall.
    fn search(&self, point: &Point, direction: &[Wide]) -> Option<Wide> {
        let rates: Vec<Wide> = self.rows.iter().map(|row| -dot(row.iter().map(|&(c, b)| (b, direction[c])))).collect();
        let start: Wide = dot((0..direction.len()).map(|c| (self.load[c] + self.pull(c, point.u[c]), direction[c])));
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
        let last = slope(Wide::ONE);
        if is_flat(last, 1) {
            return Some(Wide::ONE);
        }
        let mut low = Wide::ZERO;
        let mut low_slope = first;
        // The minimum lies between steps at which contacts open or close, or beyond the last of these steps.
        let mut ends: Vec<Wide> = (0..rates.len())
            .filter(|&i| !rates[i].is_zero())
            .map(|i| -point.compression[i] * rates[i].recip())
            .filter(Wide::is_positive)
            .collect();
        ends.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        let place = ends.partition_point(|end| slope(*end).is_negative());
        if place > 0 {
            (low, low_slope) = (ends[place - 1], slope(ends[place - 1]));
        }
        let mut high = ends.get(place).copied().unwrap_or(if low < Wide::ONE { Wide::ONE } else { low.times_power(1) });
        let mut high_slope = slope(high);
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
}
