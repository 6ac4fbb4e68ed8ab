//! Jacobians with whole blocks, for bodies that turn and for the parts that are not symmetric.

use cd_solve::LinearOperator;
use rrp_geom::glam::DVec3;
use rrp_parallel::{Parts, for_each_part};

use crate::implicit::contact::ImplicitContact;
use crate::implicit::contact_jacobian::CoupledBody;
use crate::implicit::weights::StepWeights;

/// Jacobian of an implicit step in blocks of `D` × `D`, bodies in the order of the neighbour list: a diagonal block for
/// each body, and an off-diagonal block for each contact, row by row.
#[derive(Debug, Clone)]
pub(super) struct BlockRows<const D: usize> {
    len: usize,
    /// Off-diagonal blocks, row by row, for each block of bodies that one thread evaluates.
    pub(super) blocks: Vec<FullRows<D>>,
    /// Diagonal block of each body, in the order of the neighbour list.
    pub(super) own: Vec<[[f64; D]; D]>,
    /// Symmetric parts xx, xy, xz, yy, yz, zz of the diagonal 3 × 3 blocks, for the preconditioner: one for each body,
    /// or two (velocity, then spin) if `D` is 6.
    pub(super) diagonal: Vec<[f64; 6]>,
}

/// Off-diagonal rows of the Jacobian for one block of consecutive bodies, filled by one thread.
#[derive(Debug, Clone, Default)]
pub(super) struct FullRows<const D: usize> {
    /// Index of the first contact in the row of each body, and the number of contacts at the end.
    pub(super) start: Vec<u32>,
    /// Column of each contact: the index of its other body in the order of the neighbour list.
    pub(super) other: Vec<u32>,
    pub(super) pair: Vec<[[f64; D]; D]>,
}

/// View of a Jacobian whose blocks are stored whole, not only their symmetric parts.
#[derive(Clone, Copy)]
pub(super) struct WholeBlocks<'a, const D: usize> {
    /// Off-diagonal blocks, row by row, for each block of consecutive bodies.
    pub(super) rows: &'a [FullRows<D>],
    /// Diagonal block of each body, in the order of the neighbour list.
    pub(super) own: &'a [[[f64; D]; D]],
}

impl<const D: usize> Default for BlockRows<D> {
    fn default() -> Self {
        Self { len: 0, blocks: Vec::new(), own: Vec::new(), diagonal: Vec::new() }
    }
}

impl<const D: usize> BlockRows<D> {
    pub(super) fn resize(&mut self, len: usize) {
        self.len = len;
        self.blocks.resize_with(Parts::blocks(len).count(), FullRows::default);
        self.own.resize(len, [[0.0; D]; D]);
        self.diagonal.resize(len * D / 3, [0.0; 6]);
    }
}

impl<const D: usize> FullRows<D> {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.other.clear();
        self.pair.clear();
    }

    pub(super) fn end_row(&mut self) {
        self.start.push(self.other.len() as u32);
    }

    /// Adds a contact of a body a to the Jacobian −∂R/∂(V, Ω): minus the derivatives of the residual of a by its own
    /// unknowns to its diagonal block `own`, minus those by the unknowns of the other body as a new off-diagonal block.
    pub(super) fn couple(
        &mut self,
        own: &mut [[f64; D]; D],
        contact: &ImplicitContact,
        weights: &StepWeights,
        other: Option<CoupledBody>,
    ) {
        let arm = contact.geometry.arm;
        let torque_per_arm = contact.torque_per_arm() * weights.dissipative;
        let mut block = [[0.0; D]; D];
        for (j, axis) in (0..D).zip(DVec3::AXES.into_iter().chain(DVec3::AXES)) {
            let (velocity, arm_spins) = if j < 3 { (axis, DVec3::ZERO) } else { (DVec3::ZERO, axis) };
            // Change with the unknowns of body b: velocities enter as a difference, spins as a sum with lever arms.
            let change = if weights.exact_jacobian {
                contact.change(weights, velocity, arm_spins)
            } else {
                contact.symmetric_change(weights, velocity, arm_spins)
            };
            let torque = change.torque_per_arm * arm + torque_per_arm * change.arm;
            let (mine, theirs) = if j < 3 { (-1.0, 1.0) } else { (arm, other.map_or(0.0, |other| other.arm)) };
            for (i, value) in (0..D).zip(change.impulse.to_array().into_iter().chain(torque.to_array())) {
                own[i][j] += mine * value;
                block[i][j] = theirs * value;
            }
        }
        if let Some(CoupledBody { place, .. }) = other {
            self.other.push(place as u32);
            self.pair.push(block);
        }
    }
}

impl<const D: usize> LinearOperator for BlockRows<D> {
    fn dimension(&self) -> usize {
        D * self.len
    }

    fn apply(&self, x: &[f64], y: &mut [f64], _: &mut Vec<f64>) {
        let x = x.as_chunks::<D>().0;
        for_each_part(Parts::blocks(self.len), y.as_chunks_mut::<D>().0, &|part, y| {
            let rows = &self.blocks[part.index];
            for (k, (place, y)) in part.rows.zip(y).enumerate() {
                let row = rows.start[k] as usize..rows.start[k + 1] as usize;
                *y = [0.0; D];
                add_product(y, &self.own[place], &x[place]);
                for (&other, block) in rows.other[row.clone()].iter().zip(&rows.pair[row]) {
                    add_product(y, block, &x[other as usize]);
                }
            }
        });
    }
}

/// Adds the product of the block `matrix` and the vector `x` to `y`.
#[inline(always)]
fn add_product<const D: usize>(y: &mut [f64; D], matrix: &[[f64; D]; D], x: &[f64; D]) {
    for (y, row) in y.iter_mut().zip(matrix) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}
