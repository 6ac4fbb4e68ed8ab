//! A preconditioner by the inverses of diagonal blocks.

use cd_solve::linear::Preconditioner;
use rrp_parallel::{Parts, for_each_part};

use crate::stiffness::pair_matrix::block_times;

/// Block-Jacobi preconditioner: the inverse of a symmetric 3 × 3 block for each body.
#[derive(Debug, Clone, Default)]
pub(crate) struct InverseDiagonal {
    inverse: Vec<[f64; 6]>,
}

impl InverseDiagonal {
    /// Inverts the diagonal blocks of a stiffness matrix, each stored as xx, xy, xz, yy, yz, zz, by [`invert`].
    pub(crate) fn update(&mut self, diagonal: &[[f64; 6]]) {
        self.inverse.resize(diagonal.len(), [0.0; 6]);
        for_each_part(Parts::blocks(diagonal.len()), &mut self.inverse[..], &|part, inverse| {
            for (to, from) in inverse.iter_mut().zip(&diagonal[part.rows]) {
                *to = invert(from);
            }
        });
    }
}

impl Preconditioner for InverseDiagonal {
    fn dimension(&self) -> usize {
        3 * self.inverse.len()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let r = r.as_chunks::<3>().0;
        for_each_part(Parts::blocks(self.inverse.len()), z.as_chunks_mut::<3>().0, &|part, z| {
            for ((z, r), block) in z.iter_mut().zip(&r[part.rows.clone()]).zip(&self.inverse[part.rows]) {
                *z = block_times(block, *r);
            }
        });
    }
}

/// Returns the inverse of a symmetric 3 × 3 block. A block that is not positive definite is first replaced by the mean
/// of the absolute values on its diagonal times the unit matrix.
pub(super) fn invert(&[xx, xy, xz, yy, yz, zz]: &[f64; 6]) -> [f64; 6] {
    let minors = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
    let determinant = xx * minors[0] + xy * minors[1] + xz * minors[2];
    let second = xx * yy - xy * xy;
    if xx > 0.0 && second > 0.0 && determinant > 0.0 {
        let scale = determinant.recip();
        let [a, b, c] = minors.map(|minor| minor * scale);
        return [a, b, c, (xx * zz - xz * xz) * scale, (xy * xz - xx * yz) * scale, second * scale];
    }
    let trace = 3.0 / (xx.abs() + yy.abs() + zz.abs()).max(f64::MIN_POSITIVE);
    [trace, 0.0, 0.0, trace, 0.0, trace]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_inverted() {
        let mut inverse = InverseDiagonal::default();
        let block = [4.0, 1.0, -0.5, 3.0, 0.25, 2.0];
        inverse.update(&[block, [1.0, 2.0, 0.0, 1.0, 0.0, 1.0]]);
        let mut z = [0.0; 6];
        let r = block_times(&block, [1.0, -2.0, 3.0]);
        inverse.apply(&[r[0], r[1], r[2], 1.0, 1.0, 1.0], &mut z);
        for (z, expected) in z.iter().zip([1.0, -2.0, 3.0, 1.0, 1.0, 1.0]) {
            assert!((z - expected).abs() < 1e-14, "{z} for {expected}");
        }
    }
}
