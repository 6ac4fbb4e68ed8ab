//! Jacobians with whole blocks: bodies that turn, and what is not symmetric.

use cd_solve::LinearOperator;
use rrp_geom::glam::DVec3;

use crate::implicit::contact::ImplicitContact;
use crate::implicit::weights::StepWeights;
use crate::parallel::blocks::Blocks;
use crate::parallel::fork_join::all_blocks;

/// A matrix of blocks of `D` × `D`, in the order of the places of a list: y = A x with the block of each place for itself
/// and one for each contact, row by row.
#[derive(Debug, Clone)]
pub(crate) struct BlockRows<const D: usize> {
    places: usize,
    pub(super) blocks: Vec<FullRows<D>>,
    pub(super) own: Vec<[[f64; D]; D]>,
    /// Symmetric diagonal blocks of three rows.
    pub(super) diagonal: Vec<[f64; 6]>,
}

/// The rows of one block of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct FullRows<const D: usize> {
    /// Where the row of each place begins, and where the last one ends.
    pub(super) start: Vec<u32>,
    pub(super) other: Vec<u32>,
    pub(super) pair: Vec<[[f64; D]; D]>,
}

impl<const D: usize> Default for BlockRows<D> {
    fn default() -> Self {
        Self { places: 0, blocks: Vec::new(), own: Vec::new(), diagonal: Vec::new() }
    }
}

impl<const D: usize> BlockRows<D> {
    /// Makes room for this many places.
    pub(super) fn resize(&mut self, places: usize) {
        self.places = places;
        self.blocks.resize_with(Blocks::of(places).count(), FullRows::default);
        self.own.resize(places, [[0.0; D]; D]);
        self.diagonal.resize(places * D / 3, [0.0; 6]);
    }
}

impl<const D: usize> FullRows<D> {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.other.clear();
        self.pair.clear();
    }

    /// Ends the row that is being filled.
    pub(super) fn end_row(&mut self) {
        self.start.push(self.other.len() as u32);
    }

    /// Adds a contact: how the residual of the row depends on both bodies. `other` has its place and its arm.
    pub(super) fn couple(
        &mut self,
        own: &mut [[f64; D]; D],
        encounter: &ImplicitContact,
        weights: &StepWeights,
        other: Option<(usize, f64)>,
    ) {
        let arm = encounter.meeting.arm;
        let twist = encounter.twist() * weights.dissipative;
        let mut block = [[0.0; D]; D];
        for (j, axis) in (0..D).zip(DVec3::AXES.into_iter().chain(DVec3::AXES)) {
            let (velocity, turning) = if j < 3 { (axis, DVec3::ZERO) } else { (DVec3::ZERO, axis) };
            // Of b; velocities count as differences, spins as a sum with arms.
            let change = if weights.exact_jacobian {
                encounter.change(weights, velocity, turning)
            } else {
                encounter.symmetric_change(weights, velocity, turning)
            };
            let torque = change.twist * arm + twist * change.arm;
            let (mine, theirs) = if j < 3 { (-1.0, 1.0) } else { (arm, other.map_or(0.0, |(_, arm)| arm)) };
            for (i, value) in (0..D).zip(change.impulse.to_array().into_iter().chain(torque.to_array())) {
                own[i][j] += mine * value;
                block[i][j] = theirs * value;
            }
        }
        if let Some((place, _)) = other {
            self.other.push(place as u32);
            self.pair.push(block);
        }
    }
}

impl<const D: usize> LinearOperator for BlockRows<D> {
    fn dimension(&self) -> usize {
        D * self.places
    }

    fn apply(&self, x: &[f64], y: &mut [f64], _: &mut Vec<f64>) {
        let (x, cut) = (x.as_chunks::<D>().0, Blocks::of(self.places));
        all_blocks(self.places, y.as_chunks_mut::<D>().0, &|first, _, y| {
            let Some(rows) = self.blocks.get(cut.at(first)) else { return true };
            for (k, y) in y.iter_mut().enumerate() {
                let row = rows.start[k] as usize..rows.start[k + 1] as usize;
                *y = [0.0; D];
                add_product(y, &self.own[first + k], &x[first + k]);
                for (&other, block) in rows.other[row.clone()].iter().zip(&rows.pair[row]) {
                    add_product(y, block, &x[other as usize]);
                }
            }
            true
        });
    }
}

/// `y` += A `x`.
#[inline(always)]
fn add_product<const D: usize>(y: &mut [f64; D], matrix: &[[f64; D]; D], x: &[f64; D]) {
    for (y, row) in y.iter_mut().zip(matrix) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}
