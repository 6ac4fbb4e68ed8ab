use pulp::{Simd, WithSimd};

/// Projected gradient step on a range of contacts: the trial [y − (A y + b)/L]₊ with y = z + β (z − previous z), for
/// the iterate z, matrix A, offset b and curvature L.
pub(super) struct ProjectedStep<'a> {
    pub(super) beta: f64,
    /// Inverse 1/L of the curvature, the length of the gradient step.
    pub(super) inverse_curvature: f64,
    /// The iterate z and the previous iterate, from which the point y of the gradient step is extrapolated.
    pub(super) force: &'a [f64],
    pub(super) previous: &'a [f64],
    pub(super) image: &'a [f64],
    pub(super) previous_image: &'a [f64],
    pub(super) offset: &'a [f64],
    pub(super) trial: &'a mut [f64],
}

impl WithSimd for ProjectedStep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { beta, inverse_curvature, trial, .. } = self;
        let n = trial.len();
        let force = &self.force[..n];
        let previous = &self.previous[..n];
        let offset = &self.offset[..n];
        let image = &self.image[..n];
        let previous_image = &self.previous_image[..n];
        for i in 0..n {
            let y = force[i] + beta * (force[i] - previous[i]);
            let gradient = image[i] + beta * (image[i] - previous_image[i]) + offset[i];
            let z = y - inverse_curvature * gradient;
            trial[i] = if z > 0.0 { z } else { 0.0 };
        }
    }
}

/// Sums over the components of the gradient step e = z⁺ − y from the extrapolated point y to the trial z⁺.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StepSums {
    /// Curvature e·A e of the gradient step e, with the matrix A of the problem.
    pub(super) curved: f64,
    pub(super) length: f64,
    /// Sum of the absolute values of the terms of e·A e, for a bound of its rounding error.
    pub(super) magnitude: f64,
    /// Slope g(y)·(z⁺ − z) from the iterate z to the trial, with gradient g: positive if momentum points uphill.
    pub(super) uphill: f64,
    /// Residual ‖min(D z⁺, A z⁺ + b)‖∞ of the trial, with D = diag A.
    pub(crate) residual: f64,
}

impl StepSums {
    /// Merges the curvature, length, slope and residual of one step over two ranges of contacts.
    pub(super) fn merged(self, other: Self) -> Self {
        Self {
            curved: self.curved + other.curved,
            length: self.length + other.length,
            magnitude: self.magnitude + other.magnitude,
            uphill: self.uphill + other.uphill,
            residual: self.residual.max(other.residual),
        }
    }
}

/// Number of partial sums that one vector register holds side by side.
const LANES: usize = 8;

/// Vectors of a range of contacts, one number for each contact, from which [`StepSums`] are computed.
pub(super) struct SumStep<'a> {
    pub(super) beta: f64,
    pub(super) trial: &'a [f64],
    pub(super) trial_image: &'a [f64],
    pub(super) force: &'a [f64],
    pub(super) previous: &'a [f64],
    pub(super) image: &'a [f64],
    pub(super) previous_image: &'a [f64],
    pub(super) diagonal: &'a [f64],
    pub(super) offset: &'a [f64],
}

impl WithSimd for SumStep<'_> {
    type Output = StepSums;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> StepSums {
        let Self { beta, trial, trial_image, force, previous, image, previous_image, diagonal, offset } = self;
        let columns = [trial, trial_image, force, previous, image, previous_image, diagonal, offset];
        let mut sums = [[0.0; LANES]; 5];
        let [a, b, c, d, e, f, g, h] = columns.map(|column| column.as_chunks::<LANES>().0);
        let n = a.len();
        let a = &a[..n];
        let b = &b[..n];
        let c = &c[..n];
        let d = &d[..n];
        let e = &e[..n];
        let f = &f[..n];
        let g = &g[..n];
        let h = &h[..n];
        for i in 0..n {
            sum_lanes([&a[i], &b[i], &c[i], &d[i], &e[i], &f[i], &g[i], &h[i]], beta, &mut sums);
        }
        if columns[0].len() > n * LANES {
            let mut rest = [[0.0; LANES]; 8];
            for (rest, column) in rest.iter_mut().zip(columns) {
                let tail = &column[n * LANES..];
                rest[..tail.len()].copy_from_slice(tail);
            }
            sum_lanes(rest.each_ref(), beta, &mut sums);
        }
        StepSums {
            curved: sums[0].iter().sum(),
            length: sums[1].iter().sum(),
            magnitude: sums[2].iter().sum(),
            uphill: sums[3].iter().sum(),
            residual: sums[4].iter().fold(0.0, |most: f64, row| most.max(*row)),
        }
    }
}

/// Adds the terms of [`LANES`] contacts to the partial sums; `columns` are in the order of the fields of [`SumStep`],
/// `sums` in that of [`StepSums`].
#[inline(always)]
fn sum_lanes(columns: [&[f64; LANES]; 8], beta: f64, sums: &mut [[f64; LANES]; 5]) {
    let [trial, trial_image, force, previous, image, previous_image, diagonal, offset] = columns;
    for lane in 0..LANES {
        let y = force[lane] + beta * (force[lane] - previous[lane]);
        let image_y = image[lane] + beta * (image[lane] - previous_image[lane]);
        let e = trial[lane] - y;
        let scaled = diagonal[lane] * trial[lane];
        let slack = trial_image[lane] + offset[lane];
        let row = (if scaled < slack { scaled } else { slack }).abs();
        sums[0][lane] += e * (trial_image[lane] - image_y);
        sums[1][lane] += e * e;
        sums[2][lane] += e.abs() * (scaled + trial_image[lane].abs() + image_y.abs());
        sums[3][lane] += (image_y + offset[lane]) * (trial[lane] - force[lane]);
        sums[4][lane] = if row > sums[4][lane] { row } else { sums[4][lane] };
    }
}
