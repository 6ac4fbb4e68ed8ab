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

/// The places of the bits of a word, in order.
pub(crate) type Bits = [u8; WORD + 8];

/// The same for each byte.
const OF_BYTE: [u64; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= bit << (8 * found);
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes them, and anything beyond them; returns how many they are.
#[inline(always)]
pub(crate) fn bits(word: u64, bits: &mut Bits) -> usize {
    // Byte by byte: how many there are cannot be predicted.
    let mut end = 0;
    for (k, byte) in (0..).zip(word.to_le_bytes()) {
        let places = OF_BYTE[usize::from(byte)] + k * 0x0808_0808_0808_0808;
        bits[end..end + 8].copy_from_slice(&places.to_le_bytes());
        end += byte.count_ones() as usize;
    }
    end
}

/// So many bits from the first one on.
#[inline(always)]
pub(crate) fn lowest(count: usize) -> u64 {
    if count < WORD { (1 << count) - 1 } else { u64::MAX }
}

/// Number of the bits below one of a word.
#[inline(always)]
pub(crate) fn below(word: u64, bit: u8) -> usize {
    (word & ((1 << bit) - 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_found_in_their_order() {
        let mut seed = 1_u64;
        for turn in 0..500 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = match turn {
                0 => 0,
                1 => u64::MAX,
                _ => seed & seed >> (turn % 32),
            };
            let expected: Vec<u8> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            let mut found = [0; WORD + 8];
            let count = bits(word, &mut found);
            assert_eq!(found[..count], expected);
            assert!(expected.iter().enumerate().all(|(k, &bit)| below(word, bit) == k));
        }
    }
}
