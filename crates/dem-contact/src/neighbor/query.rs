//! Reading the pairs and rows of a list.

use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::neighbor::NeighborList;
use crate::neighbor::full_list::Rows;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK, opposite};
use crate::neighbor::list_kind::ListKind;
use crate::parallel::blocks::Blocks;

impl NeighborList {
    /// The neighbours of body `i`, in no particular order.
    ///
    /// A half list then keeps full rows, some 40 bytes a body, until it is made anew.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn neighbors(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let slot = self.slot_of_body()[i] as usize;
        let (block, k) = self.blocks().split(slot);
        let row = match self.kind {
            ListKind::Full | ListKind::Both => self.full_rows[block].row(k),
            ListKind::Half => self.expanded_rows.get_or_init(|| self.expand_rows()).row(slot),
        };
        row.iter().map(|entry| self.order[(entry & INDEX_MASK) as usize] as usize)
    }

    /// All listed pairs `[a, b]` with a < b, sorted.
    #[must_use]
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        // Counting sort by a.
        let mut end = vec![0; self.len() + 1];
        self.each_pair(&mut |[low, _], _| end[low + 1] += 1);
        (1..end.len()).for_each(|i| end[i] += end[i - 1]);
        let mut pairs = vec![[0; 2]; end[self.len()]];
        self.each_pair(&mut |pair, _| {
            pairs[end[pair[0]]] = pair;
            end[pair[0]] += 1;
        });
        // Each end now stands at the end of its own pairs.
        let mut begin = 0;
        for &end in &end[..self.len()] {
            pairs[begin..end].sort_unstable();
            begin = end;
        }
        pairs
    }

    /// Calls `show` once for each pair with its bodies, the lower number first, and its slots.
    fn each_pair(&self, show: &mut impl FnMut([usize; 2], [usize; 2])) {
        self.each_entry(&mut |this, other, _| {
            if this < other {
                let [a, b] = [this, other].map(|slot| self.order[slot] as usize);
                show([a.min(b), a.max(b)], [this, other]);
            }
        });
    }

    /// Full rows of all slots, one after the other.
    fn expand_rows(&self) -> Rows {
        let mut start = vec![0_u32; self.len() + 1];
        self.each_pair(&mut |_, slots| slots.into_iter().for_each(|slot| start[slot + 1] += 1));
        (1..start.len()).for_each(|slot| start[slot] += start[slot - 1]);
        let (mut end, mut entries) = (start.clone(), vec![0; start[self.len()] as usize]);
        self.each_pair(&mut |_, [a, b]| {
            for (slot, other) in [(a, b), (b, a)] {
                entries[end[slot] as usize] = other as u32;
                end[slot] += 1;
            }
        });
        Rows { start, entries }
    }

    /// How slots are cut into blocks.
    pub(crate) fn blocks(&self) -> Blocks {
        Blocks::of(self.len())
    }

    /// Full rows by block; none in a half list.
    pub(crate) fn rows(&self) -> &[Rows] {
        &self.full_rows
    }

    /// Half rows by block; none in a full list.
    pub(crate) fn half_rows(&self) -> &[HalfRows] {
        &self.half_rows
    }

    /// Which slot of a pair is its home, in whose half row it stands.
    pub(crate) fn homes(&self) -> Homes {
        self.homes
    }

    /// Whether two bodies are listed with each other.
    pub(crate) fn has_pair(&self, bodies: [u32; 2]) -> bool {
        let slot = |body: u32| self.slot_of_body().get(body as usize).map(|&slot| slot as usize);
        let [Some(a), Some(b)] = bodies.map(slot) else { return false };
        let [home, other] = self.homes().sorted([a, b]);
        let cut = self.homes().blocks();
        if let Some(pairs) = self.half_rows.get(cut.at(home)) {
            return pairs.find(cut.first(cut.at(home)), [home, other]).is_some();
        }
        let (low, high) = (a.min(b), a.max(b));
        let (block, k) = cut.split(low);
        let row = self.full_rows[block].row(k);
        row.iter().any(|&entry| (entry & INDEX_MASK) as usize == high)
    }

    /// Calls `show` for each entry with both slots and the code of the shift. A full list has each pair twice; a half
    /// list has it once, the lower slot first.
    pub(crate) fn each_entry(&self, show: &mut dyn FnMut(usize, usize, usize)) {
        let cut = self.blocks();
        for (block, rows) in self.full_rows.iter().enumerate() {
            for k in 0..rows.start.len().saturating_sub(1) {
                for entry in rows.row(k) {
                    show(cut.first(block) + k, (entry & INDEX_MASK) as usize, (entry >> INDEX_BITS) as usize);
                }
            }
        }
        if self.kind == ListKind::Half {
            for (block, pairs) in self.half_rows.iter().enumerate() {
                for pair in 0..pairs.len() {
                    let ([home, other], code) = (pairs.places(cut.first(block), pair), pairs.code(pair));
                    if home < other { show(home, other, code) } else { show(other, home, opposite(code)) }
                }
            }
        }
    }
}
