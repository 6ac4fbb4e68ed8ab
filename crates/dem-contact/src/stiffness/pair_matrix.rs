//! The stiffness matrix of a packing, with a row for each body.

use cd_solve::LinearOperator;
use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;
use rrp_parallel::{Parts, for_each_part};

/// Stiffness of a contact of two bodies along and across its normal, in N/m or another unit of the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairStiffness {
    pub(crate) along: f64,
    pub(crate) across: f64,
}

/// Symmetric stiffness matrix of a packing, y = D x + `Σ_ab` `K_ab` (`x_a` − `x_b`), with a symmetric 3 × 3 block D for
/// each body and a block K = `along` n nᵀ + `across` (I − n nᵀ) for each pair with the unit normal n.
///
/// Vectors have three numbers for each body, in the order of the neighbour list. Each row holds all pairs of its body,
/// so the order of sums does not depend on threads. Fixed bodies do not move: a pair of a free and a fixed body is in
/// the block D of the free body, and the row of a fixed body is its block D alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairMatrix {
    pub(super) len: usize,
    pub(crate) blocks: Vec<PairRows>,
    /// Block D of each body plus its pairs with fixed bodies, stored as xx, xy, xz, yy, yz, zz.
    pub(crate) own: Vec<[f64; 6]>,
    /// Diagonal block of each body, D plus all of its pairs, stored as xx, xy, xz, yy, yz, zz.
    pub(crate) diagonal: Vec<[f64; 6]>,
}

/// Rows of the stiffness matrix for a block of consecutive bodies in the order of the neighbour list.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairRows {
    /// Index of the first pair of each row, then the number of all pairs.
    start: Vec<u32>,
    pairs: Vec<Pair>,
    /// Unit by which the stiffnesses of these pairs are divided, to bring them into the range of single precision: a
    /// power of two, so that no digit is lost. Zero without pairs.
    pub(super) unit: f64,
    reciprocal: f64,
    most: f64,
}

/// Pair of bodies in one of its two rows of the stiffness matrix.
///
/// Memory traffic decides the time of a product, and directions of Newton's method need no more than single precision.
/// Both rows of a pair have the same numbers, so the matrix is symmetric. A product takes differences of displacements,
/// so rounding does not stiffen soft modes of the packing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Index of the other body of the pair, in the order of the neighbour list.
    pub(super) other: u32,
    /// Stiffness along the normal minus that across it, in the unit of this block of rows.
    pub(super) spread: f32,
    /// Unit normal of the pair; the fourth number is its stiffness across the normal, in the unit of this block of
    /// rows.
    pub(super) normal: [f32; 4],
}

impl PairMatrix {
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        self.blocks.resize_with(Parts::blocks(len).count(), PairRows::default);
        self.own.resize(len, [0.0; 6]);
        self.diagonal.resize(len, [0.0; 6]);
    }

    pub(crate) fn diagonal(&self) -> &[[f64; 6]] {
        &self.diagonal
    }

    /// Computes the product `y` = A `x` with a vector in the order of the neighbour list.
    pub(crate) fn times(&self, x: &[[f64; 3]], y: &mut [[f64; 3]]) {
        for_each_part(Parts::blocks(self.len), y, &|part, y| {
            let rows = &self.blocks[part.index];
            let first = part.rows.start;
            Arch::new().dispatch(Product { rows, own: &self.own[first..], first, x, y });
        });
    }
}

impl LinearOperator for PairMatrix {
    fn dimension(&self) -> usize {
        3 * self.len
    }

    fn apply(&self, x: &[f64], y: &mut [f64], _: &mut Vec<f64>) {
        self.times(x.as_chunks().0, y.as_chunks_mut().0);
    }
}

impl PairRows {
    pub(crate) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.pairs.clear();
        (self.unit, self.reciprocal, self.most) = (0.0, 0.0, 0.0);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, other: usize, coupling: &Coupling) {
        let size = coupling.spread.abs().max(coupling.across.abs());
        if size > self.most {
            self.choose_unit(size);
        }
        let scale = self.reciprocal;
        let [x, y, z] = coupling.normal;
        let normal = [x, y, z, coupling.across * scale].map(|value| value as f32);
        self.pairs.push(Pair { other: other as u32, spread: (coupling.spread * scale) as f32, normal });
    }

    /// Chooses the unit of stiffness for a new pair of the stiffness `size`, and rescales the earlier pairs, which are
    /// softer.
    #[cold]
    #[inline(never)]
    fn choose_unit(&mut self, size: f64) {
        let unit = f64::from_bits(size.to_bits() & EXPONENT);
        if unit <= 0.0 {
            return;
        }
        let former = std::mem::replace(&mut self.unit, if unit.is_finite() { unit } else { 1.0 });
        (self.reciprocal, self.most) = (self.unit.recip(), RANGE * unit);
        let change = former / self.unit;
        for pair in &mut self.pairs {
            pair.spread = (f64::from(pair.spread) * change) as f32;
            pair.normal[3] = (f64::from(pair.normal[3]) * change) as f32;
        }
    }

    /// Pairs in the row of body `k` of this block of bodies.
    #[inline(always)]
    pub(super) fn row(&self, k: usize) -> &[Pair] {
        &self.pairs[self.start[k] as usize..self.start[k + 1] as usize]
    }

    pub(crate) fn end_row(&mut self) {
        self.start.push(self.pairs.len() as u32);
    }
}

/// Largest stiffness in the unit of stiffness, 2⁶⁰. A range of similar size is left in single precision for softer
/// pairs.
const RANGE: f64 = (1_u64 << 60) as f64;

/// Mask of the exponent of an `f64`: a number masked by it is rounded down to a power of two.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;

/// Stiffness matrix of one pair with the unit normal n: `spread` n nᵀ + `across` I.
pub(crate) struct Coupling {
    normal: [f64; 3],
    spread: f64,
    across: f64,
}

impl Coupling {
    /// Returns the matrix of a pair with the stiffness `along` its normal and `across` it. The normal has length one.
    /// Only if `across` is zero it may have another length, whose square then scales the matrix.
    #[inline(always)]
    pub(crate) fn along(normal: DVec3, [along, across]: [f64; 2]) -> Self {
        Self { normal: normal.to_array(), spread: along - across, across }
    }

    #[inline(always)]
    pub(crate) fn add_to(&self, sum: &mut [f64; 6]) {
        let [x, y, z] = self.normal;
        let [sx, sy, sz] = self.normal.map(|component| self.spread * component);
        for (sum, product) in sum.iter_mut().zip([sx * x, sx * y, sx * z, sy * y, sy * z, sz * z]) {
            *sum += product;
        }
        [0, 3, 5].into_iter().for_each(|k| sum[k] += self.across);
    }
}

struct Product<'a> {
    rows: &'a PairRows,
    own: &'a [[f64; 6]],
    first: usize,
    x: &'a [[f64; 3]],
    y: &'a mut [[f64; 3]],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { rows, own, first, x, y } = self;
        for (k, y) in y.iter_mut().enumerate() {
            let a = x[first + k];
            let mut sum = [0.0; 3];
            for pair in rows.row(k) {
                let b = x[pair.other as usize];
                let [nx, ny, nz, across] = pair.normal.map(f64::from);
                let [dx, dy, dz] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
                let along = f64::from(pair.spread) * (nx * dx + ny * dy + nz * dz);
                sum[0] += nx * along + across * dx;
                sum[1] += ny * along + across * dy;
                sum[2] += nz * along + across * dz;
            }
            let own = block_times(&own[k], a);
            *y = std::array::from_fn(|c| own[c] + rows.unit * sum[c]);
        }
    }
}

/// Multiplies a symmetric 3 × 3 block, xx, xy, xz, yy, yz, zz, by a vector.
#[inline(always)]
pub(crate) fn block_times([xx, xy, xz, yy, yz, zz]: &[f64; 6], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::{Boundary, Domain};
    use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK, opposite};

    /// Returns the neighbour list of `count` spheres of two sizes at random places in a periodic box, dense enough to
    /// touch.
    fn crowd(count: usize, fixed: Box<[usize]>) -> NeighborList {
        let mut seed = 3_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let side = (count as f64).cbrt();
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), [Boundary::Periodic; 3]).unwrap();
        let position: VectorColumn = (0..count).map(|_| side * DVec3::new(random(), random(), random())).collect();
        let radius: ScalarColumn = (0..count).map(|i| 0.45 + 0.1 * (i % 2) as f64).collect();
        let mut list = NeighborList::new(domain, 0.1).unwrap();
        list.set_fixed(&fixed);
        list.update(&radius, &position).unwrap();
        list
    }

    fn stiffness(overlap: f64) -> Option<PairStiffness> {
        let across = if overlap > 0.5 { 2.0 } else { -0.1 };
        (overlap > 0.0).then_some(PairStiffness { along: 1.0 + overlap, across })
    }

    impl PairMatrix {
        /// Fills the matrix with the pairs of `list`, and the blocks of [`own`].
        fn rebuild(&mut self, list: &NeighborList) {
            let position = list.position();
            let shifts = list.shifts();
            let rows = list.full_rows();
            let is_fixed = |place: usize| list.fixed().contains(&(list.order()[place] as usize));
            self.rebuild_rows(list.len(), &own, &|this, row| {
                let a = position[this];
                let rows = if is_fixed(this) { &[] } else { rows.row(this) };
                for &entry in rows {
                    let other = (entry & INDEX_MASK) as usize;
                    let shift = shifts[(entry >> INDEX_BITS) as usize];
                    let b = position[other];
                    let separation = DVec3::from_array(std::array::from_fn(|c| (b[c] - a[c]) + shift[c]));
                    let distance = separation.length();
                    let Some(stiffness) = stiffness(a[3] + b[3] - distance) else { continue };
                    row.add((!is_fixed(other)).then_some(other), (separation / distance).into(), stiffness);
                }
            });
        }

        fn pairs(&self) -> usize {
            self.blocks.iter().map(|block| block.pairs.len()).sum::<usize>() / 2
        }
    }

    fn own(place: usize) -> [f64; 6] {
        [3.0 + place as f64, 0.5, -0.25, 2.0, 0.125, 1.0]
    }

    #[test]
    fn products_and_blocks_are_those_of_the_sum_over_pairs() {
        let count = 1300;
        let list = crowd(count, [3, 77, 500].into());
        let mut matrix = PairMatrix::default();
        for _ in 0..2 {
            matrix.rebuild(&list);
        }
        let fixed: Vec<bool> = list.order().iter().map(|&i| [3, 77, 500].contains(&i)).collect();
        let x: Vec<[f64; 3]> =
            (0..count).map(|k| [0, 1, 2].map(|c| if fixed[k] { 0.0 } else { ((3 * k + c) as f64).sin() })).collect();
        let mut expected: Vec<[f64; 3]> = (0..count).map(|k| block_times(&own(k), x[k])).collect();
        let mut diagonal: Vec<[f64; 6]> = (0..count).map(own).collect();
        let position = list.position();
        let shifts = list.shifts();
        let mut pairs = 0;
        let mut add = |a: usize, b: usize, code: usize| {
            let [p, q] = [a, b].map(|place| DVec3::new(position[place][0], position[place][1], position[place][2]));
            let separation = (q - p) + DVec3::new(shifts[code][0], shifts[code][1], shifts[code][2]);
            let distance = separation.length();
            let normal = separation.normalize();
            let overlap = position[a][3] + position[b][3] - distance;
            let Some(PairStiffness { along, across }) = stiffness(overlap) else { return };
            if fixed[a] {
                return;
            }
            pairs += usize::from(!fixed[b]);
            let slip = DVec3::from(x[a]) - DVec3::from(x[b]);
            // Rows are in single precision; pairs with fixed bodies and diagonal blocks are in double precision.
            let single = |value: f64| if fixed[b] { value } else { f64::from(value as f32) };
            let stored = DVec3::from(normal.to_array().map(single));
            let force = single(along - across) * slip.dot(stored) * stored + single(across) * slip;
            (0..3).for_each(|c| expected[a][c] += force[c]);
            let [x, y, z] = normal.to_array();
            let spread = along - across;
            let square = [x * x, x * y, x * z, y * y, y * z, z * z];
            (0..6)
                .for_each(|c| diagonal[a][c] += spread * square[c] + if [0, 3, 5].contains(&c) { across } else { 0.0 });
        };
        for ([a, b], code) in list.tiling().pairs() {
            add(a, b, code);
            add(b, a, opposite(code));
        }
        assert!(matrix.pairs() > count && 2 * matrix.pairs() == pairs, "{pairs}");
        let mut y = vec![f64::NAN; 3 * count];
        matrix.apply(x.as_flattened(), &mut y, &mut Vec::new());
        for (found, expected) in y.iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 1e-11, "{found} for {expected}");
        }
        for (found, expected) in matrix.diagonal().as_flattened().iter().zip(diagonal.as_flattened()) {
            assert!((found - expected).abs() < 1e-11, "{found} for {expected}");
        }
    }

    /// Checks sums over pairs without stiffness and with stiffnesses beyond the range of single precision: they keep
    /// the digits of the stiffest pair of the block.
    #[test]
    fn any_stiffness_can_follow_another() {
        for scale in [1e-250, 1.0, 1e200] {
            let stiffness = [0.0, 1e-45, 1.0, 1e-3, 3e40, 7e41, 1.0].map(|size| size * scale);
            let mut matrix = PairMatrix::default();
            matrix.rebuild_rows(2, &|_| [0.0; 6], &|place, row| {
                for along in stiffness {
                    row.add(
                        Some(1 - place),
                        [0.0, 0.0, [1.0, -1.0][place]],
                        PairStiffness { along, across: 0.5 * along },
                    );
                }
            });
            let mut y = [[0.0; 3]; 2];
            matrix.times(&[[1.0, 2.0, 3.0], [0.0, 4.0, 1.0]], &mut y);
            let total: f64 = stiffness.iter().sum();
            for (found, expected) in y[0].iter().zip([0.5 * total, -total, 2.0 * total]) {
                assert!((found / expected - 1.0).abs() < 1e-6, "{found:e} for {expected:e}");
            }
            assert_eq!(y[0].map(|force| (-force).to_bits()), y[1].map(f64::to_bits));
        }
    }
}
