//! What pairs of bodies remember while there is no list.

#[cfg(feature = "serde")]
use crate::error::{DemError, contact::ContactError};

/// Memory by `[a, b]` with a < b, sorted.
pub(crate) type ByPair<M> = Vec<([u32; 2], M)>;

/// Passes entries as they can have been stored, of so many bodies if that is known.
#[cfg(feature = "serde")]
pub(crate) fn check_pairs<M>(entries: &[([u32; 2], M)], bodies: Option<usize>) -> Result<(), DemError> {
    let mut before = None;
    for &(pair, _) in entries {
        let contact = pair.map(|body| body as usize);
        let stray = |problem| Err(DemError::Contact(ContactError::StrayHistory { what: "bodies", contact, problem }));
        if contact[0] >= contact[1] {
            return stray("the second must have the higher number");
        }
        if bodies.is_some_and(|bodies| contact[1] >= bodies) {
            return stray("there is no such body");
        }
        if before >= Some(pair) {
            return stray("it is given twice, or not in order");
        }
        before = Some(pair);
    }
    Ok(())
}

/// Entries in a piece: small enough for the room that the memory of a block has left.
const PIECE: usize = 1024;

/// Memory by `[a, b]` with a < b, sorted; in pieces, which need no room of their own where there are gaps to fill.
#[derive(Debug, Clone)]
pub(crate) struct Carried<M> {
    /// All of the same length but for the last one.
    pieces: Vec<ByPair<M>>,
    len: usize,
}

impl<M> Default for Carried<M> {
    fn default() -> Self {
        Self { pieces: Vec::new(), len: 0 }
    }
}

impl<M: Copy + Default> Carried<M> {
    /// These entries, in any order.
    pub(crate) fn new(mut entries: ByPair<M>) -> Self {
        entries.sort_by_key(|&(pair, _)| pair);
        let pieces = entries.chunks(PIECE).map(<[_]>::to_vec).collect();
        Self { pieces, len: entries.len() }
    }

    /// The entries that `each` shows, twice the same; a is below `bodies`.
    pub(crate) fn collect(bodies: usize, each: impl Fn(&mut dyn FnMut([u32; 2], M))) -> Self {
        // Sorted by a as they are written.
        let mut end = vec![0_u32; bodies + 1];
        each(&mut |[a, _], _| end[a as usize + 1] += 1);
        (1..end.len()).for_each(|i| end[i] += end[i - 1]);
        let len = end[bodies] as usize;
        let lengths = (0..len).step_by(PIECE).map(|first| PIECE.min(len - first));
        let mut all = Self { pieces: lengths.map(|len| vec![([0; 2], M::default()); len]).collect(), len };
        each(&mut |pair, memory| {
            let at = &mut end[pair[0] as usize];
            all.set(*at as usize, (pair, memory));
            *at += 1;
        });
        // Now each end is where it says.
        let (mut begin, mut of_body) = (0, Vec::new());
        for &end in &end[..bodies] {
            let entries = begin..end as usize;
            of_body.clear();
            of_body.extend(entries.clone().filter_map(|at| all.get(at)));
            of_body.sort_unstable_by_key(|&(pair, _)| pair);
            entries.zip(&of_body).for_each(|(at, &entry)| all.set(at, entry));
            begin = end as usize;
        }
        all
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<([u32; 2], M)> {
        self.pieces.get(at / PIECE)?.get(at % PIECE).copied()
    }

    fn set(&mut self, at: usize, entry: ([u32; 2], M)) {
        self.pieces[at / PIECE][at % PIECE] = entry;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = ([u32; 2], M)> + '_ {
        self.pieces.iter().flatten().copied()
    }

    /// What a pair remembers, if it does.
    pub(crate) fn find(&self, pair: [u32; 2]) -> Option<M> {
        let piece = self.pieces.partition_point(|piece| piece.last().is_some_and(|&(last, _)| last < pair));
        let piece = self.pieces.get(piece)?;
        piece.binary_search_by_key(&pair, |&(pair, _)| pair).ok().map(|at| piece[at].1)
    }

    /// Where the entries of each a begin, for a below `bodies`, and where those of the last one end; nothing if there is none.
    pub(crate) fn starts(&self, bodies: usize) -> Vec<u32> {
        let mut start = vec![0_u32; if self.is_empty() { 0 } else { bodies + 1 }];
        for ([a, _], _) in self.iter() {
            start.get_mut(a as usize + 1).into_iter().for_each(|count| *count += 1);
        }
        (1..start.len()).for_each(|i| start[i] += start[i - 1]);
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_however_many_there_are() {
        for (bodies, reach) in [(5_u32, 3), (400, 1), (700, 9), (3, 2500)] {
            let entries =
                || (0..bodies).rev().flat_map(move |a| (1..=reach).map(move |b| [a, a + b * 7 % (reach + 1)]));
            let entries =
                || entries().filter(|[a, b]| a < b).map(|pair| (pair, f64::from(pair[0]) + 0.5 * f64::from(pair[1])));
            let sorted = Carried::new(entries().collect());
            let collected =
                Carried::collect(bodies as usize, |show| entries().for_each(|(pair, memory)| show(pair, memory)));
            assert!(sorted.len() == entries().count() && collected.iter().eq(sorted.iter()), "{bodies}, {reach}");
            assert!(sorted.iter().is_sorted_by_key(|(pair, _)| pair));
            assert!((0..sorted.len()).map_while(|at| collected.get(at)).eq(sorted.iter()));
            assert!(entries().all(|(pair, memory)| sorted.find(pair) == Some(memory)));
            assert_eq!((sorted.find([bodies, bodies + 1]), sorted.find([0, 0])), (None, None));
            let start = sorted.starts(bodies as usize);
            assert!((0..bodies as usize).all(|a| {
                (start[a]..start[a + 1])
                    .all(|at| sorted.get(at as usize).is_some_and(|(pair, _)| pair[0] as usize == a))
            }));
            assert_eq!(start[bodies as usize] as usize, sorted.len());
        }
        let none = Carried::<f64>::new(Vec::new());
        assert!(none.is_empty() && none.starts(3).is_empty() && none.find([0, 1]).is_none());
    }
}
