//! Bit masks that mark items of a group.

/// Number of items, such as spheres, in one word of a bit mask.
pub(super) const WORD: usize = u32::BITS as usize;

/// Iterator over the indices of the set bits of a word, ascending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits(pub(in crate::neighbor) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (bit < WORD).then_some(bit)
    }
}
