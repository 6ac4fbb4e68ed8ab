use std::ops::Range;

use pulp::Arch;
use rrp_parallel::{Part, Parts, PerPart, for_each_part};

use crate::force::ContactForce;
use crate::implicit::body_equations::{BodyEquations, NEAR, NeighborState};
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::step_matrix::{MatrixParts, StepMatrix};
use crate::implicit::system::{StepSystem, UniformPlane};
use crate::implicit::weights::StepContext;
use crate::util::vectorized::vectorized;

/// Residual and impulse of each body, written by an evaluation in the order of the neighbour list.
pub(super) struct MomentumBalance<'a, const D: usize> {
    /// Residual of the momentum balance of each body, in kg m/s and kg m²/s.
    pub(super) residual: &'a mut [[f64; D]],
    /// Impulse on each body over the whole step, in kg m/s and kg m²/s.
    pub(super) impulse: &'a mut [[f64; D]],
}

impl StepSystem {
    /// Evaluates residual, impulses over the whole step and Jacobian at the velocities `point`.
    pub(super) fn evaluate<M: StepMatrix<D>, const D: usize>(
        &mut self,
        contacts: &ContactForce,
        context: &StepContext<'_>,
        point: &[[f64; D]],
        balance: MomentumBalance<'_, D>,
        matrix: &mut M,
    ) -> ResidualNorms {
        let len = self.origin.len();
        let mut norms = std::mem::take(&mut self.block_norms);
        norms.clear();
        let blocks = Parts::blocks(len);
        norms.resize(blocks.count(), ResidualNorms::default());
        self.planes.clear();
        self.planes.extend(contacts.walls().iter().map(|wall| UniformPlane::of(wall, context.time)));
        let equations = BodyEquations::new(self, contacts, context, point, M::SLOPES);
        let MatrixParts { rows, own, diagonal } = matrix.parts(len);
        let MomentumBalance { residual, impulse } = balance;
        let arch = Arch::new();
        let by_block = (PerPart(rows), PerPart(&mut norms));
        for_each_part(blocks, (residual, impulse, own, diagonal, by_block), &|Part { rows: places, .. }, output| {
            let (residual, impulse, own, diagonal, (rows, norms)) = output;
            let mut output = BodyOutput { residual, impulse, own, diagonal };
            // Each slice has one element for this block, or none if there are no bodies.
            if let ([rows], [norms]) = (rows.0, norms.0) {
                M::clear(rows);
                vectorized(
                    arch,
                    #[inline(always)]
                    || match equations.is_elastic() {
                        true => equations.evaluate_block::<M, true>(places.clone(), &mut output, rows, norms),
                        false => equations.evaluate_block::<M, false>(places.clone(), &mut output, rows, norms),
                    },
                );
            }
        });
        let total = norms.iter().fold(ResidualNorms::default(), |total, part| total.and(part));
        self.block_norms = norms;
        total
    }
}

/// Slices for one block of bodies, with one element for each body: residual, impulse, diagonal block of the Jacobian
/// (`own`) and preconditioner block (`diagonal`). Off-diagonal rows of the Jacobian are apart.
struct BodyOutput<'a, O, G, const D: usize> {
    residual: &'a mut [[f64; D]],
    impulse: &'a mut [[f64; D]],
    own: &'a mut [O],
    diagonal: &'a mut [G],
}

impl<const D: usize> BodyEquations<'_, D> {
    /// Evaluates the equations of one block of bodies; `ELASTIC` asserts that all forces are elastic.
    #[inline(always)]
    fn evaluate_block<M: StepMatrix<D>, const ELASTIC: bool>(
        &self,
        places: Range<usize>,
        output: &mut BodyOutput<'_, M::Own, M::Diagonal, D>,
        rows: &mut M::Rows,
        norms: &mut ResidualNorms,
    ) {
        let mut neighbors = [NeighborState::default(); NEAR];
        for (k, place) in places.enumerate() {
            let row = self.evaluate::<M, ELASTIC>(place, rows, &mut neighbors, norms);
            (output.residual[k], output.impulse[k]) = (row.residual, row.impulse);
            (output.own[k], output.diagonal[k]) = (row.own, row.diagonal);
            M::end_row(rows);
        }
    }
}
