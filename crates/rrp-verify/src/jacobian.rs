use crate::error::VerifyError;

/// The n × n derivative of a map of n coordinates, row-major, with an estimate of its error.
#[derive(Debug, Clone)]
pub(crate) struct Jacobian {
    pub(crate) dimension: usize,
    pub(crate) entries: Vec<f64>,
    /// Largest change of an entry by the last extrapolation: an upper estimate of the truncation error.
    pub(crate) uncertainty: f64,
}

impl Jacobian {
    /// Computes the derivative of `map` at `point` by central differences with steps h, h/2, h/4 and two Richardson
    /// extrapolations: truncation O(h⁶), round-off ε/h. For the coordinate zᵢ, h is `step` times max(1, |zᵢ|).
    pub(crate) fn of(point: &[f64], step: f64, mut map: impl FnMut(&[f64], &mut [f64])) -> Result<Self, VerifyError> {
        let dimension = point.len();
        finite(point)?;
        let mut entries = vec![0.0; dimension * dimension];
        let mut uncertainty = 0.0_f64;
        let mut shifted = point.to_vec();
        let mut above = vec![0.0; dimension];
        let mut below = vec![0.0; dimension];
        let mut columns = [vec![0.0; dimension], vec![0.0; dimension], vec![0.0; dimension]];
        for (column, &centre) in point.iter().enumerate() {
            let mut width = step * centre.abs().max(1.0);
            for quotient in &mut columns {
                // The denominator is the distance of the rounded points.
                let high = centre + width;
                let low = centre - width;
                shifted[column] = high;
                map(&shifted, &mut above);
                shifted[column] = low;
                map(&shifted, &mut below);
                for ((quotient, above), below) in quotient.iter_mut().zip(&above).zip(&below) {
                    *quotient = (above - below) / (high - low);
                }
                finite(quotient)?;
                width *= 0.5;
            }
            shifted[column] = centre;
            let [whole, half, quarter] = &columns;
            for (row, ((whole, half), quarter)) in whole.iter().zip(half).zip(quarter).enumerate() {
                let coarse = half + (half - whole) / 3.0;
                let fine = quarter + (quarter - half) / 3.0;
                let best = fine + (fine - coarse) / 15.0;
                entries[row * dimension + column] = best;
                uncertainty = uncertainty.max((best - fine).abs());
            }
        }
        Ok(Self { dimension, entries, uncertainty })
    }

    pub(crate) fn determinant(&self) -> f64 {
        let n = self.dimension;
        let mut a = self.entries.clone();
        let mut determinant = 1.0;
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
            if a[pivot * n + k].abs() <= 0.0 {
                return 0.0;
            }
            if pivot != k {
                (0..n).for_each(|j| a.swap(pivot * n + j, k * n + j));
                determinant = -determinant;
            }
            determinant *= a[k * n + k];
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            }
        }
        determinant
    }

    /// The symplectic defect `max |DᵀWD − W|` of the derivative D in coordinates (q, p), with `W = [[0, I], [−I, 0]]`.
    pub(crate) fn symplectic_defect(&self) -> f64 {
        let n = self.dimension;
        let half = self.dimension / 2;
        let entry = |row: usize, column: usize| self.entries[row * n + column];
        let mut defect = 0.0_f64;
        for i in 0..n {
            for j in 0..i {
                let form: f64 =
                    (0..half).map(|k| entry(k, i) * entry(half + k, j) - entry(half + k, i) * entry(k, j)).sum();
                let canonical = if i == j + half { -1.0 } else { 0.0 };
                defect = defect.max((form - canonical).abs());
            }
        }
        defect
    }
}

fn finite(values: &[f64]) -> Result<(), VerifyError> {
    match (0..).zip(values).find(|(_, value)| !value.is_finite()) {
        Some((index, &value)) => Err(VerifyError::NotFinite { index, value }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_lie_where_they_belong() {
        let jacobian = Jacobian::of(&[0.3, 2.0, -1.5], 1.0 / 64.0, |z, out| {
            out.copy_from_slice(&[z[0].sin() * z[1], z[1].exp() + z[2], z[0] * z[1] * z[2]]);
        })
        .unwrap();
        let exact = [2.0 * 0.3_f64.cos(), 0.3_f64.sin(), 0.0, 0.0, 2.0_f64.exp(), 1.0, -3.0, -0.45, 0.6];
        for (found, exact) in jacobian.entries.iter().zip(exact) {
            assert!((found - exact).abs() < 1e-11, "{found} {exact}");
        }
        let [a, b, _, _, e, f, g, h, i] = exact;
        assert!((jacobian.determinant() - (a * (e * i - f * h) + b * f * g)).abs() < 1e-10);
    }

    #[test]
    fn determinant_needs_its_pivot() {
        let matrix = |entries: &[f64]| Jacobian { dimension: 2, entries: entries.to_vec(), uncertainty: 0.0 };
        assert!((matrix(&[0.0, 2.0, 3.0, 1.0]).determinant() + 6.0).abs() < 1e-15);
        assert!(matrix(&[0.0, 0.0, 3.0, 1.0]).determinant().abs() < 1e-15);
    }
}
