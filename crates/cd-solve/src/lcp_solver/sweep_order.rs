use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::error::{SolveError, check_length};

/// The order in which [`ProjectedGaussSeidel`](crate::ProjectedGaussSeidel) visits the unknowns. If several sets of
/// forces solve the problem, the order determines which one is found, see `[OK18]` section 8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SweepOrder {
    /// The order in which the problem numbers the unknowns, from the first to the last.
    #[default]
    AsGiven,
    /// The reverse of the given order: the last unknown first.
    Reversed,
    /// Contacts sorted by their bodies: by the lower number, then the higher one; contacts with fixed bodies come
    /// first. Without bodies the given order stays.
    Lexicographic,
    /// A random order, shuffled by `ChaCha8Rng` from a seed, once per solve or, with `redraw`, before every sweep.
    Random {
        /// Seed of the random generator that shuffles the unknowns.
        seed: u64,
        /// Whether every sweep is shuffled anew.
        redraw: bool,
    },
    /// An explicit order of the unknowns, with every unknown once.
    Explicit(Box<[usize]>),
}

impl SweepOrder {
    /// Writes the order of the first sweep over `n` unknowns. If there are bodies, `pair` returns the two bodies of
    /// each contact.
    pub(crate) fn first(
        &self,
        n: usize,
        pair: Option<&dyn Fn(usize) -> [u32; 2]>,
        out: &mut Vec<u32>,
    ) -> Result<(), SolveError> {
        out.clear();
        match self {
            Self::AsGiven => out.extend(0..n as u32),
            Self::Reversed => out.extend((0..n as u32).rev()),
            Self::Lexicographic => {
                out.extend(0..n as u32);
                if let Some(pair) = pair {
                    // Fixed bodies become zero, the lowest number.
                    let code = |i: u32| {
                        let [a, b] = pair(i as usize).map(|body| body.wrapping_add(1));
                        (a.min(b), a.max(b), i)
                    };
                    out.sort_unstable_by_key(|&i| code(i));
                }
            }
            Self::Random { seed, .. } => {
                out.extend(0..n as u32);
                out.shuffle(&mut generator(*seed, 0));
            }
            Self::Explicit(order) => {
                check_length("unknowns in the order", order, n)?;
                out.resize(n, u32::MAX);
                // The inverse permutation shows missing and repeated unknowns.
                for (rank, &i) in order.iter().enumerate() {
                    match out.get_mut(i) {
                        Some(slot) if *slot == u32::MAX => *slot = rank as u32,
                        _ => return Err(SolveError::InvalidOrder { unknown: i }),
                    }
                }
                out.iter_mut().zip(order).for_each(|(slot, &i)| *slot = i as u32);
            }
        }
        Ok(())
    }

    /// Changes `order`, the order of the last sweep, into the order of sweep number `sweep`.
    pub(super) fn next(&self, sweep: usize, order: &mut [u32]) {
        if let Self::Random { seed, redraw: true } = self {
            order.shuffle(&mut generator(*seed, sweep));
        }
    }
}

/// Makes the random generator of sweep number `sweep`, with its own stream, so that no state is kept.
fn generator(seed: u64, sweep: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(sweep as u64);
    generator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_visit_every_unknown_once() {
        let pairs = [[3, 1], [u32::MAX, 2], [0, 5], [1, 0]];
        let pair = |i: usize| pairs[i];
        let mut out = Vec::new();
        let orders = [
            (SweepOrder::AsGiven, vec![0, 1, 2, 3]),
            (SweepOrder::Reversed, vec![3, 2, 1, 0]),
            (SweepOrder::Lexicographic, vec![1, 3, 2, 0]),
            (SweepOrder::Explicit([2, 0, 3, 1].into()), vec![2, 0, 3, 1]),
        ];
        for (order, expected) in orders {
            order.first(4, Some(&pair), &mut out).unwrap();
            assert_eq!(out, expected);
        }
        let random = SweepOrder::Random { seed: 7, redraw: true };
        random.first(100, None, &mut out).unwrap();
        let first = out.clone();
        random.next(1, &mut out);
        assert_ne!(first, out);
        out.sort_unstable();
        assert!(out.iter().copied().eq(0..100));
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        let mut out = Vec::new();
        for (order, unknown) in [([0, 1, 1], 1), ([0, 1, 3], 3)] {
            let error = SweepOrder::Explicit(order.into()).first(3, None, &mut out);
            assert_eq!(error, Err(SolveError::InvalidOrder { unknown }));
        }
        assert!(SweepOrder::Explicit([0, 1].into()).first(3, None, &mut out).is_err());
    }
}
