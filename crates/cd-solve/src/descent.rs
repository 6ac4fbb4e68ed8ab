//! The vector loops of accelerated descent.

use pulp::{Simd, WithSimd};

/// Sums over e = z⁺ − y and the like, of the step from y to z⁺.
pub(crate) struct Judgement {
    /// e·A e.
    pub(crate) curved: f64,
    /// e·e.
    pub(crate) length: f64,
    /// What rounding may add to `curved`.
    pub(crate) rounding: f64,
    /// g(y)·(z⁺ − z): positive where the momentum points uphill.
    pub(crate) uphill: f64,
    /// ‖min(D z⁺, A z⁺ + b)‖∞.
    pub(crate) residual: f64,
}

/// A piece of the step from z to the trial [y − (A y + b)/L]₊ from y = z + β (z − former z).
pub(crate) struct Propose<'a> {
    pub(crate) beta: f64,
    pub(crate) inverse: f64,
    pub(crate) point: [&'a [f64]; 2],
    pub(crate) image: [&'a [f64]; 2],
    pub(crate) offset: &'a [f64],
    pub(crate) trial: &'a mut [f64],
}

impl WithSimd for Propose<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (beta, inverse, trial) = (self.beta, self.inverse, self.trial);
        let n = trial.len();
        let (force, former, offset) = (&self.point[0][..n], &self.point[1][..n], &self.offset[..n]);
        let (image, former_image) = (&self.image[0][..n], &self.image[1][..n]);
        for i in 0..n {
            let y = force[i] + beta * (force[i] - former[i]);
            let gradient = image[i] + beta * (image[i] - former_image[i]) + offset[i];
            let z = y - inverse * gradient;
            trial[i] = if z > 0.0 { z } else { 0.0 };
        }
    }
}

/// Sums that run side by side, since additions in turn cannot share a vector register.
const LANES: usize = 8;

/// The sums of [`Judgement`] over a piece of the columns of trial, its image, point, former point, their images, diagonal
/// and offset.
pub(crate) struct Judge<'a> {
    pub(crate) columns: [&'a [f64]; 8],
    pub(crate) beta: f64,
}

impl WithSimd for Judge<'_> {
    type Output = [f64; 5];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> [f64; 5] {
        let Self { columns, beta } = self;
        let mut sums = [[0.0; LANES]; 5];
        let [a, b, c, d, e, f, g, h] = columns.map(|column| column.as_chunks::<LANES>().0);
        let n = a.len();
        let (a, b, c, d, e, f, g, h) = (&a[..n], &b[..n], &c[..n], &d[..n], &e[..n], &f[..n], &g[..n], &h[..n]);
        for i in 0..n {
            judge_lanes([&a[i], &b[i], &c[i], &d[i], &e[i], &f[i], &g[i], &h[i]], beta, &mut sums);
        }
        if columns[0].len() > n * LANES {
            let mut rest = [[0.0; LANES]; 8];
            for (rest, column) in rest.iter_mut().zip(columns) {
                let tail = &column[n * LANES..];
                rest[..tail.len()].copy_from_slice(tail);
            }
            judge_lanes(rest.each_ref(), beta, &mut sums);
        }
        let residual = sums[4].iter().fold(0.0, |most: f64, row| most.max(*row));
        [sums[0].iter().sum(), sums[1].iter().sum(), sums[2].iter().sum(), sums[3].iter().sum(), residual]
    }
}

#[inline(always)]
fn judge_lanes(columns: [&[f64; LANES]; 8], beta: f64, sums: &mut [[f64; LANES]; 5]) {
    let [trial, trial_image, force, former, image, former_image, diagonal, offset] = columns;
    for lane in 0..LANES {
        let y = force[lane] + beta * (force[lane] - former[lane]);
        let image_y = image[lane] + beta * (image[lane] - former_image[lane]);
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
