use cd_solve::LinearOperator;
use rrp_parallel::Parts;

use crate::implicit::block_jacobian::WholeBlocks;
use crate::implicit::contact::ImplicitContact;
use crate::implicit::contact_jacobian::CoupledBody;
use crate::implicit::step_matrix::{MatrixParts, StepMatrix};
use crate::implicit::weights::StepWeights;

/// Empty Jacobian for evaluations of the residual alone, which are cheaper.
#[derive(Debug, Clone, Default)]
pub(super) struct ResidualOnly {
    /// Vectors of zero-sized entries in place of rows, diagonal blocks and preconditioner.
    nothing: [Vec<()>; 3],
}

impl LinearOperator for ResidualOnly {
    fn dimension(&self) -> usize {
        0
    }

    fn apply(&self, _: &[f64], _: &mut [f64], _: &mut Vec<f64>) {}
}

impl<const D: usize> StepMatrix<D> for ResidualOnly {
    const SLOPES: bool = false;

    type Rows = ();
    type Own = ();
    type Diagonal = ();

    fn parts(&mut self, len: usize) -> MatrixParts<'_, (), (), ()> {
        let [rows, own, diagonal] = &mut self.nothing;
        rows.resize(Parts::blocks(len).count(), ());
        own.resize(len, ());
        diagonal.resize(len, ());
        MatrixParts { rows, own, diagonal }
    }

    fn clear((): &mut ()) {}

    #[inline(always)]
    fn alone(_: f64, _: f64) -> ((), ()) {
        ((), ())
    }

    #[inline(always)]
    fn couple((): &mut (), _: &mut ((), ()), _: &ImplicitContact, _: &StepWeights, _: Option<CoupledBody>) {}

    fn end_row((): &mut ()) {}

    fn diagonal(&self) -> &[[f64; 6]] {
        &[]
    }

    fn full_rows(&self) -> Option<WholeBlocks<'_, D>> {
        None
    }
}
