//! Conjugate gradients in single precision, for the directions of Newton's method.

use pulp::{Arch, Simd, WithSimd};

use super::inverse_diagonal::invert;
use super::pair_blocks::{PairBlocks, PairRows};
use crate::par::{BLOCK, PerBlock, all_blocks};

/// The numbers of a body, and a zero.
type Row = [f32; 4];

/// xx, xy, xz, yy, yz, zz.
type Block = [f32; 6];

/// Conjugate gradients with block-Jacobi, in single precision with sums over blocks in double precision.
///
/// A direction of Newton's method need not have more digits than this leaves: its error is seen by the residual of the
/// step, which is evaluated in double precision, and the next direction takes it away. Half as many bytes are moved, which
/// is what the time of a product goes into, and each iteration passes over the vectors three times.
#[derive(Debug, Clone, Default)]
pub(crate) struct SingleCg {
    own: Vec<Block>,
    inverse: Vec<Block>,
    point: Vec<Row>,
    residual: Vec<Row>,
    direction: Vec<Row>,
    /// A times the direction, then the preconditioned residual.
    image: Vec<Row>,
    sums: Vec<[f64; 2]>,
}

const DROP_FOURTH: Row = [1.0, 1.0, 1.0, 0.0];

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SingleReport {
    pub(crate) iterations: usize,
    /// ‖b − A x‖ / ‖b‖ by the recurrence.
    pub(crate) residual: f64,
}

impl SingleCg {
    /// The least residual that can be asked for.
    pub(crate) const FINEST: f64 = 1e-6;

    /// Solves A `x` = `b` from zero to the relative residual `tolerance`; nothing where the matrix is not positive definite
    /// or numbers leave the range of single precision.
    pub(crate) fn solve(
        &mut self,
        matrix: &PairBlocks,
        b: &[f64],
        (tolerance, limit): (f64, usize),
        x: &mut [f64],
    ) -> Option<SingleReport> {
        let size = b.iter().map(|b| b * b).sum::<f64>().sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        let mut slope = self.begin(matrix, b.as_chunks().0, size);
        let mut report = SingleReport { iterations: 0, residual: 1.0 };
        while report.residual > tolerance && report.iterations < limit {
            let step = slope / self.multiply(matrix);
            if !(slope > 0.0 && step > 0.0 && step.is_finite()) {
                return None;
            }
            let [next, square] = self.advance(step as f32);
            self.turn((next / slope) as f32);
            slope = next;
            report = SingleReport { iterations: report.iterations + 1, residual: square.sqrt() };
        }
        for (x, point) in x.as_chunks_mut::<3>().0.iter_mut().zip(&self.point) {
            *x = std::array::from_fn(|c| size * f64::from(point[c]));
        }
        (report.residual <= tolerance).then_some(report)
    }

    /// Takes the matrix and the right-hand side over its norm; r·z of the point zero.
    fn begin(&mut self, matrix: &PairBlocks, b: &[[f64; 3]], size: f64) -> f64 {
        let places = matrix.places;
        self.own.resize(places, [0.0; 6]);
        self.inverse.resize(places, [0.0; 6]);
        for column in [&mut self.point, &mut self.residual, &mut self.direction, &mut self.image] {
            column.resize(places, [0.0; 4]);
        }
        self.sums.resize(places.div_ceil(BLOCK), [0.0; 2]);
        let Self { own, inverse, point, residual, direction, sums, .. } = self;
        let vectors = (&mut point[..], &mut residual[..], &mut direction[..]);
        let output = ((&mut own[..], &mut inverse[..]), vectors, PerBlock(&mut sums[..]));
        all_blocks(places, output, &|first, count, ((own, inverse), (point, residual, direction), sums)| {
            let mut slope = 0.0;
            for k in 0..count {
                own[k] = matrix.own[first + k].map(|value| value as f32);
                inverse[k] = invert(&matrix.diagonal[first + k]).map(|value| value as f32);
                let [x, y, z] = b[first + k].map(|value| (value / size) as f32);
                point[k] = [0.0; 4];
                residual[k] = [x, y, z, 0.0];
                direction[k] = times(&inverse[k], residual[k]);
                slope += (0..3).map(|c| f64::from(residual[k][c]) * f64::from(direction[k][c])).sum::<f64>();
            }
            sums.0.iter_mut().for_each(|sums| *sums = [slope, 0.0]);
            true
        });
        self.total()[0]
    }

    /// q = A p; p·q.
    fn multiply(&mut self, matrix: &PairBlocks) -> f64 {
        let Self { own, direction, image, sums, .. } = self;
        let output = (&mut image[..], PerBlock(&mut sums[..]));
        all_blocks(matrix.places, output, &|first, count, (image, sums)| {
            let (Some(rows), [sum]) = (matrix.blocks.get(first / BLOCK), sums.0) else { return true };
            let own = &own[first..first + count];
            Arch::new().dispatch(Product { rows, own, first, direction, image, sum });
            true
        });
        self.total()[0]
    }

    /// x += α p, r −= α q, z = P r; r·z and r·r.
    fn advance(&mut self, step: f32) -> [f64; 2] {
        let Self { inverse, point, residual, direction, image, sums, .. } = self;
        let output = ((&mut point[..], &mut residual[..], &mut image[..]), PerBlock(&mut sums[..]));
        all_blocks(inverse.len(), output, &|first, count, ((point, residual, image), sums)| {
            let [sum] = sums.0 else { return true };
            let (inverse, direction) = (&inverse[first..first + count], &direction[first..first + count]);
            Arch::new().dispatch(Advance { step, inverse, direction, point, residual, image, sum });
            true
        });
        self.total()
    }

    /// p = z + β p.
    fn turn(&mut self, beta: f32) {
        let Self { direction, image, .. } = self;
        all_blocks(image.len(), &mut direction[..], &|first, _, direction| {
            for (p, z) in direction.iter_mut().zip(&image[first..]) {
                *p = std::array::from_fn(|c| z[c] + beta * p[c]);
            }
            true
        });
    }

    fn total(&self) -> [f64; 2] {
        self.sums.iter().fold([0.0; 2], |total, part| [total[0] + part[0], total[1] + part[1]])
    }
}

/// The product for one block, and its part of p·q.
struct Product<'a> {
    rows: &'a PairRows,
    own: &'a [Block],
    first: usize,
    direction: &'a [Row],
    image: &'a mut [Row],
    sum: &'a mut [f64; 2],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { rows, own, first, direction, image, sum } = self;
        let mut products = [0.0; 4];
        for (k, (image, own)) in image.iter_mut().zip(own).enumerate() {
            let a = direction[first + k];
            let mut row = times(own, a);
            for pair in rows.row(k) {
                let (n, b) = (&pair.normal, direction[pair.other as usize]);
                let d: Row = std::array::from_fn(|c| a[c] - b[c]);
                let p: Row = std::array::from_fn(|c| n[c] * d[c]);
                // The fourth of d is zero, and with it that of p.
                let along = pair.spread * ((p[0] + p[2]) + (p[1] + p[3]));
                row = std::array::from_fn(|c| row[c] + (n[c] * along + n[3] * d[c]));
            }
            // The fourth number would be dropped lane by lane if it were set.
            row = std::array::from_fn(|c| row[c] * DROP_FOURTH[c]);
            (0..4).for_each(|c| products[c] += a[c] * row[c]);
            *image = row;
        }
        *sum = [products.iter().copied().map(f64::from).sum(), 0.0];
    }
}

/// One block of [`SingleCg::advance`].
struct Advance<'a> {
    step: f32,
    inverse: &'a [Block],
    direction: &'a [Row],
    point: &'a mut [Row],
    residual: &'a mut [Row],
    image: &'a mut [Row],
    sum: &'a mut [f64; 2],
}

impl WithSimd for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { step, inverse, direction, point, residual, image, sum } = self;
        let (mut slopes, mut squares) = ([0.0_f32; 4], [0.0_f32; 4]);
        let vectors = point.iter_mut().zip(residual).zip(image);
        for (((x, r), q), (p, inverse)) in vectors.zip(direction.iter().zip(inverse)) {
            *x = std::array::from_fn(|c| x[c] + step * p[c]);
            *r = std::array::from_fn(|c| r[c] - step * q[c]);
            *q = times(inverse, *r);
            (0..4).for_each(|c| slopes[c] += r[c] * q[c]);
            (0..4).for_each(|c| squares[c] += r[c] * r[c]);
        }
        *sum = [slopes, squares].map(|lanes| lanes.iter().copied().map(f64::from).sum());
    }
}

/// The product of a symmetric block.
#[inline(always)]
fn times([xx, xy, xz, yy, yz, zz]: &Block, [x, y, z, _]: Row) -> Row {
    [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z, 0.0]
}
