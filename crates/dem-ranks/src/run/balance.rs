//! Distribution of work between ranks, and its imbalance.

use dem_contact::neighbor::Subdomain;
use serde::{Deserialize, Serialize};

use crate::collective::all_gather;
use crate::error::RanksError;
use crate::run::RankRun;
use crate::transport::Ranks;

/// Imbalance, work of the busiest rank over the mean, above which tiles are distributed a second time at the start of a
/// run. Each later neighbour list distributes tiles anew.
pub(crate) const UNEVEN: f64 = 1.1;

/// Computational load of one rank in each step, from one neighbour list to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankLoad {
    /// Number of bodies that the rank owns, so that it computes their motion.
    pub bodies: usize,
    /// Number of ghosts: bodies of other ranks that the rank reads.
    pub ghosts: usize,
    /// Work of the rank in a step: the number of its own bodies plus the number of their listed pairs.
    pub work: u64,
}

/// Sums of the work of all ranks over some steps, to compute their imbalance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkTally {
    /// Work (bodies plus listed pairs) of all ranks together, summed over steps.
    all: u64,
    /// Number of ranks times the work of the busiest rank, summed over steps.
    all_as_most: u64,
}

impl WorkTally {
    /// Adds `steps` steps to the sums; `work` has the work of each rank in one of these steps.
    pub(crate) fn add(&mut self, steps: u64, work: &[u64]) {
        let most = work.iter().max().copied().unwrap_or(0);
        self.all += steps * work.iter().sum::<u64>();
        self.all_as_most += steps * most * work.len() as u64;
    }

    /// Adds the sums of another tally over other steps.
    pub fn join(&mut self, other: Self) {
        self.all += other.all;
        self.all_as_most += other.all_as_most;
    }

    /// Imbalance of ranks in all steps together: work of the busiest rank, for which the others wait, over the mean
    /// work of a rank. One without work.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        if self.all == 0 { 1.0 } else { self.all_as_most as f64 / self.all as f64 }
    }
}

/// Computational loads of all ranks, and their work since the last gather on rank 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Balance {
    /// Present computational load of each rank, by rank.
    pub loads: Vec<RankLoad>,
    /// Work of all ranks, summed over the steps since the last gather on rank 0.
    pub tally: WorkTally,
}

impl<R: Ranks> RankRun<R> {
    /// Returns the present computational load of this rank: its own bodies, its ghosts and its work in a step.
    #[must_use]
    pub fn load(&self) -> RankLoad {
        let pairs = self.field.1.0.contacts.list().pairs_of_own();
        RankLoad { bodies: self.own_bodies(), ghosts: self.ghosts(), work: work_of(&pairs) }
    }

    /// Returns the computational loads of all ranks, and their work since the last call, on rank 0; `None` on other
    /// ranks. All ranks must call this method.
    ///
    /// # Errors
    /// [`RanksError::Transport`].
    pub fn gather_balance(&mut self) -> Result<Option<Balance>, RanksError> {
        let load = self.load();
        let Some(loads) = self.send_to_rank_0(load)? else { return Ok(None) };
        let work: Vec<u64> = loads.iter().map(|load| load.work).collect();
        self.count_work(&work);
        Ok(Some(Balance { loads, tally: std::mem::take(&mut self.tally) }))
    }

    /// Adds the work in the steps since the last call to the tally; `work` is that of each rank in one of these steps.
    pub(crate) fn count_work(&mut self, work: &[u64]) {
        self.tally.add(self.steps - self.counted, work);
        self.counted = self.steps;
    }
}

/// Returns the work in a step for bodies with these numbers of listed pairs: one unit per body and pair.
pub(crate) fn work_of(pairs: &[u32]) -> u64 {
    pairs.iter().map(|&pairs| 1 + u64::from(pairs)).sum()
}

/// Returns the number of listed pairs of each body of the run, if the work of ranks is so uneven that tiles should be
/// distributed again. `bodies` is the number of all bodies.
pub(crate) fn pairs_if_uneven<R: Ranks>(
    ranks: &mut R,
    subdomain: &Subdomain,
    bodies: usize,
) -> Result<Option<Vec<u32>>, RanksError> {
    let own = subdomain.bodies()[subdomain.own()].to_vec();
    let of_ranks: Vec<(Vec<u32>, Vec<u32>)> = all_gather(ranks, (own, subdomain.pairs_of_own()))?;
    let mut tally = WorkTally::default();
    tally.add(1, &of_ranks.iter().map(|(_, pairs)| work_of(pairs)).collect::<Vec<_>>());
    if tally.imbalance() <= UNEVEN {
        return Ok(None);
    }
    let mut all = vec![0; bodies];
    of_ranks.iter().for_each(|(own, pairs)| own.iter().zip(pairs).for_each(|(&body, &of)| all[body as usize] = of));
    Ok(Some(all))
}
