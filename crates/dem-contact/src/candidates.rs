//! Bodies that may be near to others, laid out for the search.

use crate::cells::Run;
use crate::columns::Columns;
use crate::kernel::SPAN;

/// Bodies, and who of them is near to one that was looked for last.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) columns: Columns,
    /// A bit for each.
    near: Vec<u64>,
}

impl Candidates {
    /// Candidates whose bits are in one number.
    const WORD: usize = 64;

    /// Reads bodies at `packed` (wrapped centres and radii).
    #[inline(always)]
    pub(crate) fn read(&mut self, packed: &[[f64; 4]], shifts: &[[f64; 4]; 32], runs: &[Run]) {
        self.columns.len = 0;
        self.columns.reserve(runs.iter().map(Run::len).sum());
        for &run in runs {
            self.columns.append(packed, shifts, run);
        }
        self.close();
    }

    /// To be called after the columns have changed.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        let Columns { radius, len, .. } = &mut self.columns;
        radius[*len..len.next_multiple_of(Columns::GROUP)].fill(f64::NAN);
        self.near.resize(len.div_ceil(Self::WORD), 0);
    }

    /// Marks who is nearer to `center` than its radius and `reach`.
    #[inline(always)]
    pub(crate) fn mark(&mut self, center: [f64; 3], reach: f64) {
        const GROUP: usize = Columns::GROUP;
        let Columns { x, y, z, radius, len, .. } = &self.columns;
        let full = len.next_multiple_of(GROUP);
        let [x, y, z, radius] = [x, y, z, radius].map(|column| column[..full].as_chunks::<GROUP>().0);
        for (k, near) in self.near.iter_mut().enumerate() {
            let groups = k * (Self::WORD / GROUP)..((k + 1) * (Self::WORD / GROUP)).min(x.len());
            let mut bit: [u64; GROUP] = std::array::from_fn(|lane| 1 << lane);
            let mut word = [0; GROUP];
            let columns = x[groups.clone()].iter().zip(&y[groups.clone()]).zip(&z[groups.clone()]);
            for (((x, y), z), radius) in columns.zip(&radius[groups]) {
                for lane in 0..GROUP {
                    let [dx, dy, dz] = [x[lane] - center[0], y[lane] - center[1], z[lane] - center[2]];
                    let cutoff = reach + radius[lane];
                    word[lane] |= if dx * dx + dy * dy + dz * dz < cutoff * cutoff { bit[lane] } else { 0 };
                    bit[lane] <<= GROUP;
                }
            }
            *near = word.into_iter().fold(0, |all, word| all | word);
        }
    }

    /// Takes the mark from one of them.
    #[inline(always)]
    pub(crate) fn leave_out(&mut self, candidate: usize) {
        self.near[candidate / Self::WORD] &= !(1 << (candidate % Self::WORD));
    }

    /// Appends the marked entries at `end`, which it moves; beyond it may be anything.
    #[inline(always)]
    pub(crate) fn collect(&self, entries: &mut Vec<u32>, end: &mut usize) {
        let room = *end + self.columns.len + SPAN;
        if entries.len() < room {
            entries.resize(2 * room, 0);
        }
        for (mut near, entry) in self.near.iter().copied().zip(self.columns.entry.as_chunks::<{ Self::WORD }>().0) {
            let found = near.count_ones() as usize;
            for at in (*end..*end + found).step_by(SPAN) {
                for slot in &mut entries[at..at + SPAN] {
                    *slot = entry[near.trailing_zeros() as usize % Self::WORD];
                    near &= near.wrapping_sub(1);
                }
            }
            *end += found;
        }
    }
}
