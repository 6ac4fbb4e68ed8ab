//! Reading what a list has.

use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::neighbor::NeighborList;
use crate::neighbor::build::Rows;
use crate::neighbor::build::cell_grid::{INDEX_BITS, INDEX_MASK, opposite};
use crate::neighbor::list_kind::ListKind;
use crate::parallel::blocks::Blocks;

impl NeighborList {
    /// The neighbours of body `i`, in no particular order.
    ///
    /// A list of which each pair is taken once keeps what it is asked for here, some 40 bytes a body, until it is made anew.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn neighbors(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let place = self.rank()[i] as usize;
        let (block, k) = self.blocks().split(place);
        let row = match self.form {
            ListKind::Full | ListKind::Both => self.blocks[block].row(k),
            ListKind::Half => self.both_sides.get_or_init(|| self.rows_of_all()).row(place),
        };
        row.iter().map(|entry| self.order[(entry & INDEX_MASK) as usize] as usize)
    }

    /// All listed pairs `[a, b]` with a < b, sorted.
    #[must_use]
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        // Sorted by a as they are written, in the order of bodies.
        let mut end = vec![0; self.len() + 1];
        self.each_pair(&mut |[low, _], _| end[low + 1] += 1);
        (1..end.len()).for_each(|i| end[i] += end[i - 1]);
        let mut pairs = vec![[0; 2]; end[self.len()]];
        self.each_pair(&mut |pair, _| {
            pairs[end[pair[0]]] = pair;
            end[pair[0]] += 1;
        });
        // Now each end is where it says.
        let mut begin = 0;
        for &end in &end[..self.len()] {
            pairs[begin..end].sort_unstable();
            begin = end;
        }
        pairs
    }

    /// Shows each pair once: its bodies in order, and its places.
    fn each_pair(&self, show: &mut impl FnMut([usize; 2], [usize; 2])) {
        self.each_entry(&mut |this, other, _| {
            if this < other {
                let [a, b] = [this, other].map(|place| self.order[place] as usize);
                show([a.min(b), a.max(b)], [this, other]);
            }
        });
    }

    /// The rows of all places, one after the other, each pair in both.
    fn rows_of_all(&self) -> Rows {
        let mut start = vec![0_u32; self.len() + 1];
        self.each_pair(&mut |_, places| places.into_iter().for_each(|place| start[place + 1] += 1));
        (1..start.len()).for_each(|place| start[place] += start[place - 1]);
        let (mut end, mut entries) = (start.clone(), vec![0; start[self.len()] as usize]);
        self.each_pair(&mut |_, [a, b]| {
            for (place, other) in [(a, b), (b, a)] {
                entries[end[place] as usize] = other as u32;
                end[place] += 1;
            }
        });
        Rows { start, entries }
    }

    /// How places are cut into blocks.
    pub(crate) fn blocks(&self) -> Blocks {
        Blocks::of(self.len())
    }

    /// Full rows by block; none in the form of half rows.
    pub(crate) fn rows(&self) -> &[Rows] {
        &self.blocks
    }

    /// Half rows by block; none in the form of full rows.
    pub(crate) fn halves(&self) -> &[HalfRows] {
        &self.halves
    }

    /// In whose half row each pair is.
    pub(crate) fn homes(&self) -> Homes {
        self.homes
    }

    /// Whether two bodies are listed with each other.
    pub(crate) fn has_pair(&self, bodies: [u32; 2]) -> bool {
        let place = |body: u32| self.rank().get(body as usize).map(|&place| place as usize);
        let [Some(a), Some(b)] = bodies.map(place) else { return false };
        let [home, other] = self.homes().sorted([a, b]);
        let cut = self.homes().blocks();
        if let Some(pairs) = self.halves.get(cut.at(home)) {
            return pairs.find(cut.first(cut.at(home)), [home, other]).is_some();
        }
        let (low, high) = (a.min(b), a.max(b));
        let (block, k) = cut.split(low);
        let row = self.blocks[block].row(k);
        row.iter().any(|&entry| (entry & INDEX_MASK) as usize == high)
    }

    /// Shows both places and the code of the shift of each entry: of full rows, if there are any, or else those of pairs, the lower
    /// place first.
    pub(crate) fn each_entry(&self, show: &mut dyn FnMut(usize, usize, usize)) {
        let cut = self.blocks();
        for (block, rows) in self.blocks.iter().enumerate() {
            for k in 0..rows.start.len().saturating_sub(1) {
                for entry in rows.row(k) {
                    show(cut.first(block) + k, (entry & INDEX_MASK) as usize, (entry >> INDEX_BITS) as usize);
                }
            }
        }
        if self.form == ListKind::Half {
            for (block, pairs) in self.halves.iter().enumerate() {
                for pair in 0..pairs.len() {
                    let ([home, other], code) = (pairs.places(cut.first(block), pair), pairs.code(pair));
                    if home < other { show(home, other, code) } else { show(other, home, opposite(code)) }
                }
            }
        }
    }
}
