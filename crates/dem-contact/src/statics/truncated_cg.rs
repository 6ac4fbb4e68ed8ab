use rrp_parallel::{Part, Parts, PerPart, Split, for_each_part};

use crate::statics::contact_rows::dot;
use crate::stiffness::pair_matrix::{PairMatrix, block_times};

/// Conjugate gradients with block-Jacobi preconditioning, truncated at a direction of negative curvature.
#[derive(Debug, Default)]
pub(super) struct TruncatedCg {
    pub(super) x: Vec<[f64; 3]>,
    /// Residual r, and z = P r with the preconditioner P.
    r: Vec<[f64; 3]>,
    z: Vec<[f64; 3]>,
    /// Search direction p, and q = A p.
    p: Vec<[f64; 3]>,
    q: Vec<[f64; 3]>,
    /// Blocks of the preconditioner P: inverses of the diagonal blocks of the matrix.
    inverse: Vec<[f64; 6]>,
    block_sums: Vec<[f64; 2]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TruncatedReport {
    pub(super) iterations: usize,
    /// Whether a direction without positive curvature ended the solve.
    pub(super) curved_down: bool,
}

impl TruncatedCg {
    /// Solves `matrix` x = `force` to the relative residual `tolerance`, in at most `max_iterations`. A direction of
    /// negative curvature ends the solve with the last x, or with the direction itself if it is the first one.
    pub(super) fn solve(
        &mut self,
        matrix: &PairMatrix,
        force: &[[f64; 3]],
        tolerance: f64,
        max_iterations: usize,
    ) -> TruncatedReport {
        let count = force.len();
        let Self { x, r, z, p, q, inverse, block_sums } = self;
        for column in [&mut *x, &mut *z, &mut *p, &mut *q] {
            column.clear();
            column.resize(count, [0.0; 3]);
        }
        r.clear();
        r.extend_from_slice(force);
        inverse.resize(count, [0.0; 6]);
        block_sums.clear();
        block_sums.resize(Parts::blocks(count).count(), [0.0; 2]);
        let diagonal = matrix.diagonal();
        let [mut rz, rr] = sum_blocks(
            count,
            &mut *block_sums,
            (&mut inverse[..], &mut z[..], &mut p[..]),
            &|part, (inverse, z, p)| {
                let mut sum = [0.0; 2];
                for (k, place) in part.rows.enumerate() {
                    let r = r[place];
                    inverse[k] = inverse_of(&diagonal[place]);
                    z[k] = block_times(&inverse[k], r);
                    p[k] = z[k];
                    sum[0] += dot(r, z[k]);
                    sum[1] += dot(r, r);
                }
                sum
            },
        );
        let wanted = tolerance * tolerance * rr;
        let mut iterations = 0;
        while rz > 0.0 && iterations < max_iterations {
            matrix.times(p, q);
            let [pq, pp] = sum_blocks(count, &mut *block_sums, (), &|part, ()| {
                let mut sum = [0.0; 2];
                for k in part.rows {
                    sum[0] += dot(p[k], q[k]);
                    sum[1] += dot(p[k], p[k]);
                }
                sum
            });
            if pq.is_nan() || pq <= 1e-18 * pp {
                if iterations == 0 {
                    x.copy_from_slice(p);
                }
                return TruncatedReport { iterations, curved_down: true };
            }
            let alpha = rz / pq;
            let [new, rr] =
                sum_blocks(count, &mut *block_sums, (&mut x[..], &mut r[..], &mut z[..]), &|part, (x, r, z)| {
                    let mut sum = [0.0; 2];
                    for (k, place) in part.rows.enumerate() {
                        let p = p[place];
                        let q = q[place];
                        (0..3).for_each(|c| x[k][c] += alpha * p[c]);
                        (0..3).for_each(|c| r[k][c] -= alpha * q[c]);
                        z[k] = block_times(&inverse[place], r[k]);
                        sum[0] += dot(r[k], z[k]);
                        sum[1] += dot(r[k], r[k]);
                    }
                    sum
                });
            iterations += 1;
            if rr <= wanted {
                break;
            }
            let beta = new / rz;
            rz = new;
            sum_blocks(count, &mut *block_sums, &mut p[..], &|part, p| {
                for (p, z) in p.iter_mut().zip(&z[part.rows]) {
                    (0..3).for_each(|c| p[c] = z[c] + beta * p[c]);
                }
                [0.0; 2]
            });
        }
        TruncatedReport { iterations, curved_down: false }
    }
}

/// Runs `work` on all blocks of bodies and sums the results in an order that does not depend on the number of threads.
fn sum_blocks<T: Split>(
    count: usize,
    sums: &mut [[f64; 2]],
    output: T,
    work: &(impl Fn(Part, T) -> [f64; 2] + Sync),
) -> [f64; 2] {
    for_each_part(Parts::blocks(count), (output, PerPart(&mut *sums)), &|part, (output, sums)| {
        // The slice has one element for this block, or none if there are no bodies.
        if let [sums] = sums.0 {
            *sums = work(part, output);
        }
    });
    sums.iter().fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
}

/// Returns the inverse of a symmetric block from its factors L D Lᵀ, with small and negative entries of D enlarged, so
/// that it is positive definite.
fn inverse_of(&[xx, xy, xz, yy, yz, zz]: &[f64; 6]) -> [f64; 6] {
    const LEAST: f64 = 1e-14;
    let size = xx.max(yy).max(zz);
    if size.is_nan() || size <= 0.0 {
        return [0.0; 6];
    }
    let least = LEAST * size;
    let d0 = xx.max(least);
    let l10 = xy / d0;
    let l20 = xz / d0;
    let d1 = (yy - l10 * xy).max(least);
    let l21 = (yz - l20 * xy) / d1;
    let d2 = (zz - l20 * xz - l21 * l21 * d1).max(least);
    let m10 = -l10;
    let m21 = -l21;
    let m20 = l10 * l21 - l20;
    let i0 = d0.recip();
    let i1 = d1.recip();
    let i2 = d2.recip();
    [i0 + m10 * m10 * i1 + m20 * m20 * i2, m10 * i1 + m20 * m21 * i2, m20 * i2, i1 + m21 * m21 * i2, m21 * i2, i2]
}
