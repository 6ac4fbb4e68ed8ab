//! The pairs of one block that touch or may soon do so.
//!
//! A list holds for many steps, and a third of its pairs do not touch. Those that are close are looked for once in some
//! steps: as gaps close from step to step, no other can touch before the next time. What is computed does not depend on when that
//! is, since pairs that do not touch add nothing and the order is that of the list.

use pulp::Arch;

use crate::neighbor::NeighborList;

/// Pairs whose marks are in one number.
pub(crate) const WORD: usize = 64;

/// Marks the pairs of the block that begins at place `first` whose gap is at most `gap` (m).
pub(crate) fn mark(list: &NeighborList, (first, gap): (usize, f64), close: &mut Vec<u64>) {
    let Some(pairs) = list.half_rows().get(list.blocks().at(first)) else { return };
    close.clear();
    close.reserve_exact(pairs.len().div_ceil(WORD));
    let words = (0..pairs.len()).step_by(WORD).map(|from| (from, (pairs.len() - from).min(WORD)));
    if gap.is_infinite() {
        // All of them, also those of a centre that is no number.
        close.extend(words.map(|(_, count)| lowest(count)));
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
                close.push(word & lowest(count));
            }
        },
    );
}

/// So many bits from the first one on.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u64 {
    if count < WORD { (1 << count) - 1 } else { u64::MAX }
}

/// Shows the bits of these words, in order.
#[inline(always)]
pub(crate) fn each_bit(words: &[u64], mut show: impl FnMut(usize)) {
    for (word, &bits) in words.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            show(word * WORD + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// How many of these bits are before one of them, if it is set.
pub(crate) fn rank(words: &[u64], bit: usize) -> Option<usize> {
    let word = *words.get(bit / WORD)?;
    let before = words[..bit / WORD].iter().map(|word| word.count_ones()).sum::<u32>();
    (word >> (bit % WORD) & 1 == 1).then(|| (before + (word & lowest(bit % WORD)).count_ones()) as usize)
}

/// How many bits are set.
pub(crate) fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_shown_and_ranked_in_their_order() {
        let words = [0b1011, 0, u64::MAX, 1 << 63];
        let mut shown = Vec::new();
        each_bit(&words, |bit| shown.push(bit));
        assert_eq!((shown.len(), shown[2], shown[3], shown[67]), (68, 3, 128, 255));
        assert_eq!(count(&words), 68);
        for bit in 0..300 {
            assert_eq!(rank(&words, bit), shown.iter().position(|&other| other == bit));
        }
    }
}
