//! Which rank owns which tile.

/// Gives tiles to ranks. It changes no bit of a run, only who works.
pub trait TileOwners: Send {
    /// The rank of each tile. `bodies` has the number of bodies of each tile, in the order of tiles, where tiles that
    /// follow each other are mostly near each other. All ranks must give the same answer.
    fn owners(&self, bodies: &[usize], ranks: usize) -> Vec<usize>;
}

/// Runs of tiles with about the same number of bodies each.
#[derive(Debug, Clone, Copy, Default)]
pub struct EvenRuns;

impl TileOwners for EvenRuns {
    fn owners(&self, bodies: &[usize], ranks: usize) -> Vec<usize> {
        let all = bodies.iter().sum::<usize>().max(1) as u128;
        let mut before = 0;
        let owner = |&of_tile: &usize| {
            // Where the middle of the tile is among all bodies.
            let middle = (2 * before + of_tile) as u128;
            before += of_tile;
            // A tile without bodies at the end has its middle at the end of all.
            (middle * ranks as u128 / (2 * all)).min(ranks.saturating_sub(1) as u128) as usize
        };
        bodies.iter().map(owner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_even_and_all_ranks_exist() {
        let uneven = vec![1, 1000, 1, 1, 700];
        for (bodies, ranks) in [(vec![500; 40], 3), (uneven, 2), (vec![7], 5), (vec![5, 0], 2), (Vec::new(), 2)] {
            let owners = EvenRuns.owners(&bodies, ranks);
            assert!(owners.len() == bodies.len() && owners.is_sorted() && owners.iter().all(|&owner| owner < ranks));
            let largest = bodies.iter().max().copied().unwrap_or(0);
            let all: usize = bodies.iter().sum();
            for rank in 0..ranks {
                let of_rank: usize = bodies.iter().zip(&owners).filter(|pair| *pair.1 == rank).map(|pair| pair.0).sum();
                assert!(of_rank <= all / ranks + largest + 1, "{bodies:?} {ranks} {owners:?}");
            }
        }
    }
}
