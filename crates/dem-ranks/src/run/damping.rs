//! The energy that global damping dissipates from the bodies of all ranks.

use rrp_parallel::ExactSum;

use crate::error::RanksError;
use crate::run::RankRun;
use crate::transport::Ranks;

impl<R: Ranks> RankRun<R> {
    /// Returns the energy in J that damping has dissipated from all bodies, on rank 0; `None` on other ranks. All ranks
    /// must call this method. The result is bitwise that of a run on one rank: the losses of all bodies in a step are
    /// summed exactly, then the steps in order.
    ///
    /// # Errors
    /// [`RanksError::Transport`].
    pub fn gather_work_of_damping(&mut self) -> Result<Option<f64>, RanksError> {
        let losses = std::mem::take(&mut self.losses);
        let Some(of_ranks) = self.send_to_rank_0(losses)? else { return Ok(None) };
        let steps = of_ranks.iter().map(Vec::len).min().unwrap_or(0);
        for step in 0..steps {
            self.damped += ExactSum::of(of_ranks.iter().flat_map(|losses| &losses[step]).copied());
        }
        Ok(Some(self.damped))
    }
}
