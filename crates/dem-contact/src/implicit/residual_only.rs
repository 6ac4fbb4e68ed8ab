//! Equations without their matrix.

use cd_solve::LinearOperator;

use crate::implicit::contact::ImplicitContact;
use crate::implicit::step_matrix::{StepMatrix, WholeBlocks};
use crate::implicit::weights::StepWeights;
use crate::parallel::blocks::Blocks;

/// Stands for the matrix of a step where the residual alone is wanted, which is then cheaper to find.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unassembled {
    /// Entries without size: one by block, and one by place.
    nothing: [Vec<()>; 3],
}

impl LinearOperator for Unassembled {
    fn dimension(&self) -> usize {
        0
    }

    fn apply(&self, _: &[f64], _: &mut [f64], _: &mut Vec<f64>) {}
}

impl<const D: usize> StepMatrix<D> for Unassembled {
    const SLOPES: bool = false;

    type Rows = ();
    type Own = ();
    type Diagonal = ();

    fn parts(&mut self, places: usize) -> (&mut [()], &mut [()], &mut [()]) {
        let [rows, own, diagonal] = &mut self.nothing;
        rows.resize(Blocks::of(places).count(), ());
        own.resize(places, ());
        diagonal.resize(places, ());
        (rows, own, diagonal)
    }

    fn clear((): &mut ()) {}

    #[inline(always)]
    fn alone(_: f64, _: f64) -> ((), ()) {
        ((), ())
    }

    #[inline(always)]
    fn couple((): &mut (), _: &mut ((), ()), _: &ImplicitContact, _: &StepWeights, _: Option<(usize, f64)>) {}

    fn end_row((): &mut ()) {}

    fn diagonal(&self) -> &[[f64; 6]] {
        &[]
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, D>> {
        None
    }
}
