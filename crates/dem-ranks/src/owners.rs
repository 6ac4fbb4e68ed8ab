//! Rules that assign tiles, the boxes of space into which bodies are divided, to ranks.

/// A rule that assigns tiles to ranks. It changes the distribution of work, but no result.
pub trait TileOwners: Send {
    /// Returns the rank that owns each tile. `work` has the work of each tile: the number of its bodies plus the number
    /// of their pairs in the previous neighbour list. Consecutive tiles are mostly near each other. The result must be
    /// the same on all ranks.
    fn owners(&self, work: &[u64], ranks: usize) -> Vec<usize>;
}

/// Rule that gives each rank consecutive tiles (boxes of space) with about equal work: no rank exceeds the mean by more
/// than one tile's work.
#[derive(Debug, Clone, Copy, Default)]
pub struct EvenRuns;

impl TileOwners for EvenRuns {
    fn owners(&self, work: &[u64], ranks: usize) -> Vec<usize> {
        let all = u128::from(work.iter().sum::<u64>().max(1));
        let mut before = 0;
        let owner = |&of_tile: &u64| {
            // Twice the work before the middle of the tile, in whole numbers.
            let middle = u128::from(2 * before + of_tile);
            before += of_tile;
            // A final tile without work has its middle at the end.
            (middle * ranks as u128 / (2 * all)).min(ranks.saturating_sub(1) as u128) as usize
        };
        work.iter().map(owner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_even_and_all_ranks_exist() {
        let uneven = vec![1, 1000, 1, 1, 700];
        for (work, ranks) in [(vec![500; 40], 3), (uneven, 2), (vec![7], 5), (vec![5, 0], 2), (Vec::new(), 2)] {
            let owners = EvenRuns.owners(&work, ranks);
            assert!(owners.len() == work.len() && owners.is_sorted() && owners.iter().all(|&owner| owner < ranks));
            let largest = work.iter().max().copied().unwrap_or(0);
            let all: u64 = work.iter().sum();
            for rank in 0..ranks {
                let of_rank: u64 = work.iter().zip(&owners).filter(|pair| *pair.1 == rank).map(|pair| pair.0).sum();
                assert!(of_rank <= all / ranks as u64 + largest + 1, "{work:?} {ranks} {owners:?}");
            }
        }
    }
}
