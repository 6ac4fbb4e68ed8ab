//! Conjugate gradients in single precision, for the directions of Newton's method.

use pulp::{Arch, Simd, WithSimd};
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::stiffness::block_jacobi::invert;
use crate::stiffness::pair_matrix::{PairMatrix, PairRows};

type Row = [f32; 4];

/// Symmetric 3 × 3 block in single precision: xx, xy, xz, yy, yz, zz.
type Block = [f32; 6];

/// Conjugate gradients with a block-Jacobi preconditioner, in single precision with sums over blocks in double
/// precision.
///
/// A direction of Newton's method needs no more digits: its error stays in the residual of the step, which is in double
/// precision, and the next direction removes it. Memory traffic decides the time of a product, and single precision
/// halves the traffic. For very stiff pairs single precision has too few digits; the reported residual then shows this.
#[derive(Debug, Clone, Default)]
pub(crate) struct SingleCg {
    own: Vec<Block>,
    inverse: Vec<Block>,
    point: Vec<Row>,
    residual: Vec<Row>,
    direction: Vec<Row>,
    /// Product of the stiffness matrix and the search direction; later the preconditioned residual.
    image: Vec<Row>,
    sums: Vec<[f64; 2]>,
    /// Unit of stiffness, by which the matrix is divided for storage in single precision.
    unit: f64,
    /// Largest trace of a diagonal block of the matrix, in the `unit` of stiffness, among bodies with a nonzero
    /// right-hand side. It bounds the rounding error.
    largest: f64,
}

/// Factors that set the fourth number of a row to zero. With an assignment instead, the compiler no longer vectorises
/// the four numbers.
const DROP_FOURTH: Row = [1.0, 1.0, 1.0, 0.0];

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SingleReport {
    pub(crate) iterations: usize,
    /// Relative residual ‖b − A x‖ / ‖b‖ of the recurrence, or the estimated rounding error of x if that is larger.
    /// Infinite if the matrix is not positive definite, or if b is zero or not finite.
    pub(crate) residual: f64,
}

/// Number of iterations within which the residual has to halve; otherwise the solve has stalled and ends.
const PATIENCE: usize = 100;

impl SingleCg {
    /// Smallest relative residual that a solve in single precision can reach.
    pub(crate) const FINEST: f64 = 1e-6;

    /// Solves A `x` = `b` for a stiffness matrix A, beginning at x = 0, to the relative residual `tolerance`, in at
    /// most `max_iterations`.
    pub(crate) fn solve(
        &mut self,
        matrix: &PairMatrix,
        b: &[f64],
        tolerance: f64,
        max_iterations: usize,
        x: &mut [f64],
    ) -> SingleReport {
        let b = b.as_chunks().0;
        let size = self.norm(b);
        let mut report = SingleReport { iterations: 0, residual: 1.0 };
        if !(size > 0.0 && size.is_finite()) {
            return SingleReport { residual: f64::INFINITY, ..report };
        }
        let mut slope = self.begin(matrix, b, size);
        let mut milestone = (0, 1.0);
        while report.residual > tolerance && report.iterations < max_iterations.min(milestone.0 + PATIENCE) {
            let step = slope / self.multiply(matrix);
            if !(slope > 0.0 && step > 0.0 && step.is_finite()) {
                return SingleReport { residual: f64::INFINITY, ..report };
            }
            let [next, square] = self.advance(step as f32);
            self.update_direction((next / slope) as f32);
            slope = next;
            report = SingleReport { iterations: report.iterations + 1, residual: square.sqrt() };
            if report.residual < 0.5 * milestone.1 {
                milestone = (report.iterations, report.residual);
            }
        }
        let rounding = f64::from(f32::EPSILON) * self.largest * self.write(size / self.unit, x.as_chunks_mut().0);
        SingleReport { residual: report.residual.max(rounding), ..report }
    }

    /// Writes the solution times `factor` to `x`; returns the norm of the solution before this multiplication.
    fn write(&mut self, factor: f64, x: &mut [[f64; 3]]) -> f64 {
        let Self { point, sums, .. } = self;
        for_each_part(Parts::blocks(point.len()), (x, PerPart(&mut sums[..])), &|part, (x, sums)| {
            let mut squares = [0.0; 3];
            for (x, point) in x.iter_mut().zip(&point[part.rows]) {
                let point: [f64; 3] = std::array::from_fn(|c| f64::from(point[c]));
                (0..3).for_each(|c| squares[c] += point[c] * point[c]);
                *x = point.map(|value| factor * value);
            }
            sums.0.iter_mut().for_each(|sums| *sums = [squares.iter().sum(), 0.0]);
        });
        self.total()[0].sqrt()
    }

    fn norm(&mut self, b: &[[f64; 3]]) -> f64 {
        let blocks = Parts::blocks(b.len());
        self.sums.resize(blocks.count(), [0.0; 2]);
        for_each_part(blocks, PerPart(&mut self.sums[..]), &|part, sums| {
            let [x, y, z] =
                b[part.rows].iter().fold([0.0; 3], |sum: [f64; 3], b| std::array::from_fn(|c| sum[c] + b[c] * b[c]));
            sums.0.iter_mut().for_each(|sums| *sums = [x + y + z, 0.0]);
        });
        self.total()[0].sqrt()
    }

    /// Copies the matrix A and the normalised right-hand side `b` / `size` in single precision; returns r·z at x = 0,
    /// with the residual r and the preconditioned residual z.
    fn begin(&mut self, matrix: &PairMatrix, b: &[[f64; 3]], size: f64) -> f64 {
        let len = matrix.len;
        self.own.resize(len, [0.0; 6]);
        self.inverse.resize(len, [0.0; 6]);
        for column in [&mut self.point, &mut self.residual, &mut self.direction, &mut self.image] {
            column.resize(len, [0.0; 4]);
        }
        let unit = matrix.blocks.iter().map(|rows| rows.unit).fold(0.0, f64::max);
        let unit = if unit > 0.0 { unit } else { 1.0 };
        self.unit = unit;
        // Rows of fixed bodies may be out of range, but are only multiplied by zero. For free bodies `largest` then
        // becomes large, and with it the reported residual.
        let single = |value: f64| (value as f32).clamp(f32::MIN, f32::MAX);
        let Self { own, inverse, point, residual, direction, sums, .. } = self;
        let vectors = (&mut point[..], &mut residual[..], &mut direction[..]);
        let output = ((&mut own[..], &mut inverse[..]), vectors, PerPart(&mut sums[..]));
        for_each_part(Parts::blocks(len), output, &|part, ((own, inverse), (point, residual, direction), sums)| {
            let mut slope = 0.0;
            let mut largest = 0.0_f64;
            for (k, place) in part.rows.enumerate() {
                let [xx, _, _, yy, _, zz] = matrix.diagonal[place];
                if b[place].iter().any(|b| b.abs() > 0.0) {
                    largest = largest.max((xx + yy + zz).abs() / unit);
                }
                own[k] = matrix.own[place].map(|value| single(value / unit));
                inverse[k] = invert(&matrix.diagonal[place]).map(|value| single(value * unit));
                let [x, y, z] = b[place].map(|value| (value / size) as f32);
                point[k] = [0.0; 4];
                residual[k] = [x, y, z, 0.0];
                direction[k] = times(&inverse[k], residual[k]);
                slope += (0..3).map(|c| f64::from(residual[k][c]) * f64::from(direction[k][c])).sum::<f64>();
            }
            sums.0.iter_mut().for_each(|sums| *sums = [slope, largest]);
        });
        self.largest = self.sums.iter().fold(0.0, |most, part| most.max(part[1]));
        self.total()[0]
    }

    /// Computes the product q = A p of the stiffness matrix A and the search direction p; returns p·q.
    fn multiply(&mut self, matrix: &PairMatrix) -> f64 {
        let Self { own, direction, image, sums, unit, .. } = self;
        let unit = *unit;
        let output = (&mut image[..], PerPart(&mut sums[..]));
        for_each_part(Parts::blocks(matrix.len), output, &|part, (image, sums)| {
            let (Some(rows), [sum]) = (matrix.blocks.get(part.index), sums.0) else { return };
            let first = part.rows.start;
            let own = &own[part.rows];
            let scale = (rows.unit / unit) as f32;
            Arch::new().dispatch(Product { rows, scale, own, first, direction, image, sum });
        });
        self.total()[0]
    }

    /// Steps x += α p and r −= α q along the direction p, with q = A p, and applies the preconditioner, z = P r;
    /// returns r·z and r·r.
    fn advance(&mut self, step: f32) -> [f64; 2] {
        let Self { inverse, point, residual, direction, image, sums, .. } = self;
        let output = ((&mut point[..], &mut residual[..], &mut image[..]), PerPart(&mut sums[..]));
        for_each_part(Parts::blocks(inverse.len()), output, &|part, ((point, residual, image), sums)| {
            let [sum] = sums.0 else { return };
            let inverse = &inverse[part.rows.clone()];
            let direction = &direction[part.rows];
            Arch::new().dispatch(Advance { step, inverse, direction, point, residual, image, sum });
        });
        self.total()
    }

    fn update_direction(&mut self, beta: f32) {
        let Self { direction, image, .. } = self;
        for_each_part(Parts::blocks(image.len()), &mut direction[..], &|part, direction| {
            for (p, z) in direction.iter_mut().zip(&image[part.rows]) {
                *p = std::array::from_fn(|c| z[c] + beta * p[c]);
            }
        });
    }

    fn total(&self) -> [f64; 2] {
        self.sums.iter().fold([0.0; 2], |total, part| [total[0] + part[0], total[1] + part[1]])
    }
}

/// Product q = A p for the rows of one block of bodies, with the share of these rows in p·q.
struct Product<'a> {
    rows: &'a PairRows,
    /// Unit of stiffness of these rows over the unit of the whole matrix.
    scale: f32,
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
        let Self { rows, scale, own, first, direction, image, sum } = self;
        let mut products = [0.0; 4];
        for (k, (image, own)) in image.iter_mut().zip(own).enumerate() {
            let a = direction[first + k];
            let mut row = [0.0; 4];
            for pair in rows.row(k) {
                let n = &pair.normal;
                let b = direction[pair.other as usize];
                let d: Row = std::array::from_fn(|c| a[c] - b[c]);
                let p: Row = std::array::from_fn(|c| n[c] * d[c]);
                let along = pair.spread * ((p[0] + p[2]) + (p[1] + p[3]));
                row = std::array::from_fn(|c| row[c] + (n[c] * along + n[3] * d[c]));
            }
            let own = times(own, a);
            row = std::array::from_fn(|c| own[c] + scale * row[c] * DROP_FOURTH[c]);
            (0..4).for_each(|c| products[c] += a[c] * row[c]);
            *image = row;
        }
        *sum = [products.iter().copied().map(f64::from).sum(), 0.0];
    }
}

/// Update of solution, residual and preconditioned residual for one block of bodies, see [`SingleCg::advance`].
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
        let mut slopes = [0.0_f32; 4];
        let mut squares = [0.0_f32; 4];
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

#[inline(always)]
fn times([xx, xy, xz, yy, yz, zz]: &Block, [x, y, z, _]: Row) -> Row {
    [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z, 0.0]
}

#[cfg(test)]
mod tests {
    use rrp_parallel::BLOCK;

    use super::*;
    use crate::stiffness::pair_matrix::PairStiffness;

    /// Returns the matrix of a ring of bodies, each with springs in various directions to two bodies on each side. Some
    /// springs are stiffer across than along.
    fn ring(len: usize, unit: f64) -> PairMatrix {
        let mut matrix = PairMatrix::default();
        let spring = |k: usize| {
            let angle = k as f64;
            let normal = [angle.cos() * 0.6, angle.sin() * 0.6, 0.8];
            let across = [0.4, 1.5, 0.0][k % 3];
            (normal, PairStiffness { along: unit * (1.0 + (k % 5) as f64), across: unit * across })
        };
        matrix.rebuild_rows(len, &|_| [unit, 0.0, 0.0, unit, 0.0, unit], &|place, row| {
            for distance in [1, 17] {
                let ((before, same), (after, other)) = (spring((place + len - distance) % len), spring(place));
                row.add(Some((place + len - distance) % len), before.map(|n: f64| -n), same);
                row.add(Some((place + distance) % len), after, other);
            }
        });
        matrix
    }

    fn residual(matrix: &PairMatrix, x: &[f64], b: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        matrix.times(x.as_chunks().0, y.as_chunks_mut().0);
        let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
        norm(&mut y.iter().zip(b).map(|(y, b)| y - b)) / norm(&mut b.iter().copied())
    }

    #[test]
    fn solutions_have_the_residual_that_was_asked_for() {
        let len = 9 * BLOCK + 7;
        for unit in [1.0, 1e-60, 1e60] {
            let matrix = ring(len, unit);
            let b: Vec<f64> = (0..3 * len).map(|i| 1e40 * f64::from(i as u32).sin()).collect();
            let run = |threads: usize, tolerance: f64| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut x = vec![f64::NAN; b.len()];
                let mut cg = SingleCg::default();
                let report = pool.install(|| cg.solve(&matrix, &b, tolerance, 200, &mut x));
                (x, report)
            };
            for tolerance in [1e-2, 1e-4, SingleCg::FINEST] {
                let (x, report) = run(1, tolerance);
                let found = residual(&matrix, &x, &b);
                assert!(
                    report.residual <= tolerance.max(1e-5) && found < 1.1 * tolerance + 5e-7,
                    "{found:e} for {tolerance:e}"
                );
                let (same, again) = run(2, tolerance);
                assert!(x == same && report == again);
            }
            assert!(run(1, 1e-6).1.iterations > 3);
        }
    }

    #[test]
    fn what_it_cannot_solve_is_said() {
        let mut cg = SingleCg::default();
        let b = vec![1.0; 60];
        let mut x = vec![0.0; 60];
        let infinite = |report: SingleReport| report.residual.is_infinite();
        assert!(infinite(cg.solve(&ring(20, -1.0), &b, 1e-3, 100, &mut x)));
        assert!(infinite(cg.solve(&ring(20, 1.0), &[0.0; 60], 1e-3, 100, &mut x)));
        let short = cg.solve(&ring(20, 1.0), &b, 1e-6, 0, &mut x);
        assert_eq!((short.iterations, short.residual), (0, 1.0));
    }
}
