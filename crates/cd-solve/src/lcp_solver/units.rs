use rrp_parallel::for_each_part;

use crate::leaves::leaves;
use crate::problem::lcp::Lcp;

/// Exponent k of the ratio of diagonal entries above which a row is scaled: the largest entry over the entry of the
/// row, if more than 2ᵏ. Rows of equal bodies are not scaled, so that the method stays that of the paper.
const UNSCALED_EXPONENT: f64 = 3.0;

/// Scale factors, all powers of two, by which accelerated descent multiplies the problem: the largest diagonal entry
/// and the largest offset become about one, and no diagonal entry is below an eighth. Products with powers of two do
/// not round.
#[derive(Debug, Clone, Default)]
pub(super) struct Units {
    /// Scale factor s of each row, empty if all are one: with S = diag s the descent uses α S A S and β S b instead of
    /// A and b.
    scale: Vec<f64>,
    scaled: Vec<f64>,
    /// Factor α by which the descent multiplies the matrix A.
    matrix: f64,
    /// Factor α / β of the unknowns, as two factors: z = (α / β) S x for the unknowns x of the scaled problem, with S =
    /// diag s.
    unknown: [f64; 2],
    /// Factor β by which the descent multiplies the offset b.
    offset: f64,
}

/// Exponent of the least power of two above `x`; zero if `x` is zero or not finite.
fn exponent(x: f64) -> i32 {
    if x > 0.0 && x.is_finite() { x.log2().floor() as i32 + 1 } else { 0 }
}

/// The power 2ᵏ, with k limited so that the reciprocal is finite.
fn power(k: i32) -> f64 {
    2.0_f64.powi(k.clamp(-1000, 1000))
}

/// Computes scale factors s of rows, so that s² D is between an eighth and twice the largest entry of the diagonal D.
pub(super) fn row_scales(diagonal: impl Iterator<Item = f64> + Clone, out: &mut Vec<f64>) {
    let largest = diagonal.clone().fold(0.0, f64::max);
    out.clear();
    out.extend(diagonal.map(|d| {
        let ratio = d / largest;
        let steps = if ratio > 0.0 { ((-ratio.log2() - UNSCALED_EXPONENT) / 4.0).ceil().max(0.0) } else { 0.0 };
        power(2 * steps as i32)
    }));
}

impl Units {
    /// Finds the scale factors for `problem`, and writes the scaled diagonal of A and the scaled offset b.
    pub(super) fn reset(&mut self, problem: &Lcp<'_>, diagonal: &mut Vec<f64>, offset: &mut Vec<f64>) {
        let found = problem.matrix().diagonal();
        row_scales((0..problem.len()).map(|i| found.at(i)), &mut self.scale);
        self.scaled.clear();
        self.scaled.resize(problem.len(), 0.0);
        diagonal.clear();
        diagonal.extend(self.scale.iter().enumerate().map(|(i, s)| found.at(i) * s * s));
        offset.clear();
        offset.extend(self.scale.iter().zip(problem.offset()).map(|(s, b)| s * b));
        let largest = |values: &[f64]| exponent(values.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
        let a = largest(diagonal);
        let b = largest(offset);
        (self.matrix, self.offset, self.unknown) = (power(-a), power(-b), [power(-a), power(b)]);
        diagonal.iter_mut().for_each(|d| *d *= self.matrix);
        offset.iter_mut().for_each(|b| *b *= self.offset);
        if self.scale.iter().all(|s| (s - 1.0).abs() <= 0.0) {
            self.scale.clear();
        }
    }

    /// Computes the product `y` of the scaled matrix α S A S with `x`.
    pub(super) fn apply(&mut self, problem: &Lcp<'_>, x: &[f64], y: &mut [f64], work: &mut Vec<f64>) {
        let Self { scale, scaled, matrix, .. } = self;
        if scale.is_empty() {
            problem.matrix().apply(x, y, work);
            let plain = (*matrix - 1.0).abs() <= 0.0;
            if !plain {
                for_each_part(leaves(y.len()), y, &|_, y| y.iter_mut().for_each(|y| *y *= *matrix));
            }
            return;
        }
        scaled.iter_mut().zip(x).zip(&scale[..]).for_each(|((scaled, x), s)| *scaled = s * x);
        problem.matrix().apply(scaled, y, work);
        y.iter_mut().zip(&scale[..]).for_each(|(y, s)| *y *= *matrix * s);
    }

    /// Converts unknowns `z` of the problem to unknowns `x` of the scaled problem, which the descent solves.
    pub(super) fn enter(&self, z: &[f64], x: &mut Vec<f64>) {
        let [a, b] = self.unknown;
        x.clear();
        x.extend(z.iter().enumerate().map(|(i, z)| z.max(0.0) / self.scale.get(i).copied().unwrap_or(1.0) / a / b));
    }

    /// Converts unknowns `x` of the scaled problem, which the descent solves, to unknowns `z` of the problem.
    pub(super) fn leave(&self, x: &[f64], z: &mut [f64]) {
        let [a, b] = self.unknown;
        for (i, (z, x)) in z.iter_mut().zip(x).enumerate() {
            *z = (x * self.scale.get(i).copied().unwrap_or(1.0) * a * b).min(f64::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_of_equal_bodies_keep_their_units() {
        let mut scale = Vec::new();
        row_scales([1.0, 4.0, 1.1, 0.6].into_iter(), &mut scale);
        assert!(scale.iter().all(|s| s.to_bits() == 1.0_f64.to_bits()), "{scale:?}");
        row_scales([1.0, 1e-12, 0.0, 1e8].into_iter(), &mut scale);
        let rest = [1.0, 1e-12, 1e8].map(f64::log2).into_iter().zip([scale[0], scale[1], scale[3]]);
        let spread: Vec<f64> = rest.map(|(d, s)| d + 2.0 * s.log2()).collect();
        assert!(spread.iter().all(|a| spread.iter().all(|b| (a - b).abs() <= 4.0)), "{spread:?}");
    }
}
