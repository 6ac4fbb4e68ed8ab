//! Which blocks a thread has for its own.

use std::sync::Mutex;

use crate::force::old::apart::Apart;
use crate::force::old::relay::Links;

/// Blocks that no one has begun.
pub(super) struct Share<'a, I> {
    /// In the order in which they are to be: pieces in a row, each with the number of its first block.
    pieces: [(usize, &'a mut [I]); 3],
    /// Whether a thread has them for its own.
    has_owner: bool,
}

/// Cuts all blocks into shares at these borders. In each, the last blocks and then the first ones come before the others as far as
/// blocks beyond the share get something from them.
pub(super) fn share<'a, I>(
    mut inputs: &'a mut [I],
    borders: &[usize],
    links: &impl Links,
) -> Vec<Apart<Mutex<Share<'a, I>>>> {
    let mut shares = Vec::with_capacity(borders.len());
    for (&first, &end) in borders.iter().zip(&borders[1..]) {
        let is_beyond = |&target: &u32| !(first..end).contains(&(target as usize));
        let send = |block: &usize| links.targets(*block).iter().any(is_beyond);
        let last_senders = (first..end).rev().take_while(send).count();
        let first_senders = (first..end - last_senders).take_while(send).count();
        let (own, others) = inputs.split_at_mut(end - first);
        let (own, last) = own.split_at_mut(end - first - last_senders);
        let (begin, middle) = own.split_at_mut(first_senders);
        let pieces = [(end - last.len(), last), (first, begin), (first + first_senders, middle)];
        shares.push(Apart(Mutex::new(Share { pieces, has_owner: false })));
        inputs = others;
    }
    shares
}

impl<'a, I> Share<'a, I> {
    /// How many another thread may take: `all`, or all but one, with which an owner that has come may be about to begin.
    pub(super) fn to_spare(&self, all: bool) -> usize {
        let kept = usize::from(self.has_owner && !all);
        self.pieces.iter().map(|(_, inputs)| inputs.len()).sum::<usize>().saturating_sub(kept)
    }

    /// For the owner.
    pub(super) fn take_first(&mut self) -> Option<(usize, &'a mut I)> {
        self.has_owner = true;
        let (first, inputs) = self.pieces.iter_mut().find(|(_, inputs)| !inputs.is_empty())?;
        let (input, rest) = std::mem::take(inputs).split_first_mut()?;
        (*inputs, *first) = (rest, *first + 1);
        Some((*first - 1, input))
    }

    /// For others.
    pub(super) fn take_last(&mut self, all: bool) -> Option<(usize, &'a mut I)> {
        if self.to_spare(all) == 0 {
            return None;
        }
        let (first, inputs) = self.pieces.iter_mut().rfind(|(_, inputs)| !inputs.is_empty())?;
        let (input, rest) = std::mem::take(inputs).split_last_mut()?;
        *inputs = rest;
        Some((*first + inputs.len(), input))
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;
    use crate::force::old::relay::division::Division;
    use crate::force::old::relay::tests::Chain;

    #[test]
    fn blocks_are_shared_out_without_gaps() {
        let sizes = [(0, 1), (0, 3), (7, 1), (7, 3), (60, 7), (3, 5)];
        for ((blocks, count), ring) in sizes.into_iter().flat_map(|size| [false, true].map(|ring| (size, ring))) {
            let mut inputs: Vec<usize> = (0..blocks).collect();
            let chain = Chain::of(blocks, ring);
            let mut division = Division::default();
            let shares = share(&mut inputs, division.borders(blocks, count), &chain);
            assert_eq!(shares.len(), count);
            let (mut all, mut end) = (Vec::new(), 0);
            for share in shares {
                let mut share = share.0.into_inner().unwrap();
                let (len, last) = (share.to_spare(false), share.take_last(false));
                let own = share.take_first();
                let left = len.saturating_sub(2);
                assert_eq!([false, true].map(|all| share.to_spare(all)), [left.saturating_sub(1), left]);
                assert!(left != 1 || share.take_last(false).is_none());
                let kept = (left == 1).then(|| share.take_last(true)).flatten();
                assert_eq!(kept.is_some(), left == 1);
                let first = std::iter::from_fn(|| share.take_first());
                let taken: Vec<usize> = own
                    .into_iter()
                    .chain(first)
                    .chain(kept)
                    .chain(last)
                    .map(|(block, input)| {
                        assert_eq!(block, *input);
                        block
                    })
                    .collect();
                end += len;
                assert_eq!(taken.len(), len);
                // Those that others get something from come first, as far as they are the last ones or the first ones of the share.
                let own = end - len..end;
                let sends =
                    |block: &usize| chain.targets[*block].iter().any(|&target| !own.contains(&(target as usize)));
                assert!(taken.iter().skip_while(|block| sends(block)).all(|block| !sends(block)), "{taken:?}");
                all.extend(taken);
            }
            all.sort_unstable();
            assert!(all.into_iter().eq(0..blocks));
        }
    }
}
