use rrp_parallel::for_each_part;

use crate::leaves::leaves;
use crate::problem::rows::{FIXED, dot};

/// Number of coordinates of a body: velocity of the mass centre and angular velocity, in the world frame.
pub(super) const DOF: usize = 6;

/// Rows of the contact map H and of H M⁻¹, `block` for each contact, with the diagonal blocks of W = H M⁻¹ Hᵀ.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ContactRows {
    pub(crate) block: usize,
    pub(super) pair: Vec<[u32; 2]>,
    /// Rows of the contact map H, each with the coefficients of the first body, then those of the second.
    pub(super) rows: Vec<[f64; 2 * DOF]>,
    /// Rows of H M⁻¹ in the order of the rows of H: changes of the velocities of two bodies by a unit impulse.
    pub(super) accelerations: Vec<[f64; 2 * DOF]>,
    /// Diagonal block of W = H M⁻¹ Hᵀ for each contact, row by row.
    pub(super) diagonal: Vec<f64>,
}

impl ContactRows {
    #[inline(always)]
    pub(super) fn rows_of<const M: usize>(&self, i: usize) -> &[[f64; 2 * DOF]; M] {
        &self.rows.as_chunks::<M>().0[i]
    }

    /// Rows of H M⁻¹ for contact `i`: changes of the velocities of its two bodies by a unit impulse of each component.
    #[inline(always)]
    fn accelerations_of<const M: usize>(&self, i: usize) -> &[[f64; 2 * DOF]; M] {
        &self.accelerations.as_chunks::<M>().0[i]
    }

    #[inline(always)]
    pub(super) fn diagonal_block<const M: usize>(&self, i: usize) -> &[[f64; M]; M] {
        &self.diagonal.as_chunks::<M>().0.as_chunks::<M>().0[i]
    }

    #[inline(always)]
    pub(super) fn local_velocity<const M: usize>(&self, i: usize, v: &[f64]) -> [f64; M] {
        let rows = self.rows_of::<M>(i);
        let mut both = [0.0; 2 * DOF];
        for (side, &body) in self.pair[i].iter().enumerate().filter(|(_, body)| **body != FIXED) {
            both[side * DOF..(side + 1) * DOF].copy_from_slice(&v[DOF * body as usize..DOF * (body as usize + 1)]);
        }
        std::array::from_fn(|k| dot(&rows[k], &both))
    }

    /// Adds M⁻¹ Hᵀ `change` to the velocities `v` of all bodies, for a `change` of the force of contact `i`.
    #[inline(always)]
    pub(super) fn accelerate<const M: usize>(&self, i: usize, change: &[f64; M], v: &mut [f64]) {
        let mut sum = [0.0; 2 * DOF];
        for (row, change) in self.accelerations_of::<M>(i).iter().zip(change) {
            (0..2 * DOF).for_each(|d| sum[d] += change * row[d]);
        }
        Velocities(v).add(&self.pair[i], 1.0, &sum);
    }

    /// Copies the rows of the contacts `order` of `from`, in that order, with the new body numbers `pair`.
    pub(super) fn arrange<const M: usize>(&mut self, from: &Self, order: &[u32], pair: &[[u32; 2]]) {
        let contacts = order.len();
        self.block = M;
        self.pair.clear();
        self.pair.extend_from_slice(pair);
        self.rows.resize(M * contacts, [0.0; 2 * DOF]);
        self.accelerations.resize(M * contacts, [0.0; 2 * DOF]);
        self.diagonal.resize(M * M * contacts, 0.0);
        let diagonal = self.diagonal.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let columns = (order, self.rows.as_chunks_mut::<M>().0, self.accelerations.as_chunks_mut::<M>().0, diagonal);
        for_each_part(leaves(contacts), columns, &|_, (order, rows, accelerations, diagonal)| {
            for (k, &i) in order.iter().enumerate() {
                rows[k] = *from.rows_of(i as usize);
                accelerations[k] = *from.accelerations_of(i as usize);
                diagonal[k] = *from.diagonal_block(i as usize);
            }
        });
    }
}

/// Velocities or wrenches of all bodies, six numbers each, as a sum over contacts.
pub(super) struct Velocities<'a>(pub(crate) &'a mut [f64]);

impl Velocities<'_> {
    #[inline(always)]
    pub(super) fn add(&mut self, pair: &[u32; 2], factor: f64, row: &[f64; 2 * DOF]) {
        for (side, &body) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
            let v = &mut self.0[DOF * body as usize..DOF * (body as usize + 1)];
            (0..DOF).for_each(|d| v[d] += factor * row[side * DOF + d]);
        }
    }
}
