//! How even the work of ranks is.

use dem_contact::neighbor::Subdomain;
use serde::{Deserialize, Serialize};

use crate::collective::all_gather;
use crate::error::RanksError;
use crate::run::RankRun;
use crate::transport::Ranks;

/// Tiles are shared out again at the start of a run if a rank has so many times the mean work. Later each list shares
/// them out anew.
pub(crate) const UNEVEN: f64 = 1.1;

/// What one rank has in each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankLoad {
    /// Bodies that it owns.
    pub bodies: usize,
    /// Bodies of other ranks that it reads.
    pub ghosts: usize,
    /// Its bodies and their listed pairs, a number.
    pub work: u64,
}

/// The work of all ranks in some steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkTally {
    /// Of all ranks.
    all: u64,
    /// If all had the work of the rank that has most.
    all_as_most: u64,
}

impl WorkTally {
    /// Adds so many steps, in each of which the ranks have this work.
    pub(crate) fn add(&mut self, steps: u64, work: &[u64]) {
        let most = work.iter().max().copied().unwrap_or(0);
        self.all += steps * work.iter().sum::<u64>();
        self.all_as_most += steps * most * work.len() as u64;
    }

    /// Adds other steps.
    pub fn join(&mut self, other: Self) {
        self.all += other.all;
        self.all_as_most += other.all_as_most;
    }

    /// The work of the rank that has most over that of the mean, in all steps together: what others wait for. One
    /// without work.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        if self.all == 0 { 1.0 } else { self.all_as_most as f64 / self.all as f64 }
    }
}

/// The work of ranks since it was gathered last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Balance {
    /// By rank: what it has now.
    pub loads: Vec<RankLoad>,
    /// In all steps since then.
    pub tally: WorkTally,
}

impl<R: Ranks> RankRun<R> {
    /// What this rank has in each step.
    #[must_use]
    pub fn load(&self) -> RankLoad {
        let pairs = self.field.1.0.contacts.list().pairs_of_own();
        RankLoad { bodies: self.own_bodies(), ghosts: self.ghosts(), work: work_of(&pairs) }
    }

    /// The work of all ranks since the last call, on rank 0; `None` on the others. All ranks call it.
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

    /// The ranks had this work in the steps since it was counted last.
    pub(crate) fn count_work(&mut self, work: &[u64]) {
        self.tally.add(self.steps - self.counted, work);
        self.counted = self.steps;
    }
}

/// The work of bodies with so many pairs each.
pub(crate) fn work_of(pairs: &[u32]) -> u64 {
    pairs.iter().map(|&pairs| 1 + u64::from(pairs)).sum()
}

/// The number of listed pairs of each of `bodies` bodies, if the subdomains of ranks are so uneven that they should be
/// cut again.
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
