//! Bodies by component, so that many are looked at together.

use crate::neighbor::build::cell_grid::{INDEX_BITS, Run};
use crate::neighbor::build::f32_frame::F32Frame;

/// Centres as they are seen by those who search, and radii, both in a [`Frame`], and what would be listed.
///
/// How many bodies there are in a few cells cannot be predicted, and loops that end with them would cost as much as the
/// arithmetic: they are copied in groups of one length, what lies beyond is copied and overwritten.
#[derive(Debug, Default)]
pub(crate) struct CandidateColumns {
    pub(crate) frame: F32Frame,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    /// NaN, which is near to nothing, for a body without contacts and beyond the end.
    pub(crate) radius: Vec<f32>,
    pub(crate) entry: Vec<u32>,
    pub(crate) len: usize,
}

impl CandidateColumns {
    /// Bodies that are looked at together.
    pub(crate) const GROUP: usize = 16;

    /// Makes room for `len` bodies, and for some groups more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, len: usize) {
        let room = len.next_multiple_of(64) + 64;
        if self.entry.len() < room {
            for column in [&mut self.x, &mut self.y, &mut self.z, &mut self.radius] {
                column.resize(2 * room, 0.0);
            }
            self.entry.resize(2 * room, 0);
        }
    }

    /// Appends bodies at `packed` (wrapped centres and radii), for whom there is room.
    #[inline(always)]
    pub(crate) fn append(&mut self, packed: &[[f64; 4]], shifts: &[[f64; 4]; 32], run: Run) {
        // A multiple of what fits into a register, as far as there are bodies: what lies beyond is overwritten.
        let end = (run.start as usize + run.len().next_multiple_of(Self::GROUP / 2)).min(packed.len());
        let rows = &packed[run.start as usize..end];
        let frame = self.frame;
        let [sx, sy, sz, _] = shifts[(run.code >> INDEX_BITS) as usize];
        let span = self.len..self.len + rows.len();
        let (x, y, z) = (&mut self.x[span.clone()], &mut self.y[span.clone()], &mut self.z[span.clone()]);
        let columns = x.iter_mut().zip(y).zip(z).zip(&mut self.radius[span.clone()]);
        for ((((x, y), z), radius), row) in columns.zip(rows) {
            [*x, *y, *z] = frame.center([row[0] + sx, row[1] + sy, row[2] + sz]);
            *radius = frame.length(if row[3] > 0.0 { row[3] } else { f64::NAN });
        }
        for (place, entry) in (run.start..).zip(&mut self.entry[span]) {
            *entry = place | run.code;
        }
        self.len += run.len();
    }

    /// Appends some bodies of `other`, for whom there is room.
    #[inline(always)]
    pub(crate) fn copy(&mut self, other: &Self, from: usize, to: usize) {
        const GROUP: usize = CandidateColumns::GROUP;
        for (at, source) in (self.len..).step_by(GROUP).zip((from..to).step_by(GROUP)) {
            let (at, source) = (at..at + GROUP, source..source + GROUP);
            self.x[at.clone()].copy_from_slice(&other.x[source.clone()]);
            self.y[at.clone()].copy_from_slice(&other.y[source.clone()]);
            self.z[at.clone()].copy_from_slice(&other.z[source.clone()]);
            self.radius[at.clone()].copy_from_slice(&other.radius[source.clone()]);
            self.entry[at].copy_from_slice(&other.entry[source]);
        }
        self.len += to - from;
    }
}
