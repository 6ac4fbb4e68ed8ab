//! The pairs of one block that touch or may soon do so.
//!
//! A list holds for many steps, and a third of its pairs do not touch. Those that are close are looked for once in some
//! steps: as gaps close from step to step, no other can touch before the next time. What is computed does not depend on when that
//! is, since pairs that do not touch add nothing and the order is that of the list.

use pulp::Arch;

use crate::NeighborList;
use crate::par::BLOCK;

/// Pairs whose marks are in one number.
pub(crate) const WORD: usize = 64;

/// Marks the pairs of the block that begins at place `first` whose gap is at most `gap` (m).
pub(crate) fn mark(list: &NeighborList, (first, gap): (usize, f64), close: &mut Vec<u64>) {
    let Some(pairs) = list.halves().get(first / BLOCK) else { return };
    close.clear();
    close.reserve_exact(pairs.len().div_ceil(WORD));
    let words = (0..pairs.len()).step_by(WORD).map(|from| (from, (pairs.len() - from).min(WORD)));
    if gap.is_infinite() {
        // All of them, also those of a centre that is no number.
        close.extend(words.map(|(_, count)| u64::MAX >> (WORD - count)));
        return;
    }
    let (packed, shifts) = (list.packed(), list.shifts());
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (from, count) in words {
                let (mut separation, mut sum) = ([[0.0; 4]; WORD], [0.0; WORD]);
                for slot in 0..count {
                    let [a, b] = pairs.places(first, from + slot);
                    let (a, b, shift) = (packed[a], packed[b], shifts[pairs.code(from + slot)]);
                    separation[slot] = std::array::from_fn(|c| (b[c] - a[c]) + shift[c]);
                    sum[slot] = a[3] + gap + b[3];
                }
                let mut is_close = [false; WORD];
                for slot in 0..WORD {
                    let [x, y, z, _] = separation[slot];
                    // Rounding must not lose a contact; one too many does no harm.
                    is_close[slot] = x * x + y * y + z * z <= sum[slot] * sum[slot] * (1.0 + 1e-15);
                }
                let word = is_close.iter().rev().fold(0, |word, &is_close| word << 1 | u64::from(is_close));
                close.push(word & (u64::MAX >> (WORD - count)));
            }
        },
    );
}

/// The places of the bits of a word in order, into `chosen`; returns how many they are.
#[inline(always)]
pub(crate) fn bits(mut word: u64, chosen: &mut [u32; WORD]) -> usize {
    let count = word.count_ones() as usize;
    // In groups of one length: how many there are cannot be predicted.
    for group in chosen.as_chunks_mut::<8>().0.iter_mut().take(count.div_ceil(8)) {
        for slot in group {
            *slot = word.trailing_zeros() % WORD as u32;
            word &= word.wrapping_sub(1);
        }
    }
    count
}

/// Number of the bits below one of a word.
#[inline(always)]
pub(crate) fn below(word: u64, bit: u32) -> usize {
    (word & ((1 << bit) - 1)).count_ones() as usize
}
