//! Columns of candidates, so that many are compared at the same time.

use crate::neighbor::build::cell_grid::Run;
use crate::neighbor::build::f32_frame::F32Frame;
use crate::neighbor::image_shift::INDEX_BITS;

/// Wrapped centres (m) with radii (m), by slot, and the displacements (m) of images by the code of their shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedBodies<'a> {
    pub(crate) packed: &'a [[f64; 4]],
    pub(crate) shifts: &'a [[f64; 4]; 32],
}

/// The body whose neighbours are looked for: its wrapped centre, and its radius plus the skin, in m.
///
/// A body is near if the distance of the centres is below `shell_radius` plus its own radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) center: [f64; 3],
    pub(crate) shell_radius: f64,
}

/// Centres and radii of candidates in an [`F32Frame`], and the entries to be listed for them.
///
/// The number of bodies in a few cells cannot be predicted, and a loop that ends with them would cost as much as its
/// arithmetic. So bodies are copied in groups of one length; the rest of the last group is overwritten later.
#[derive(Debug, Default)]
pub(crate) struct CandidateColumns {
    pub(crate) frame: F32Frame,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    /// NaN for a body without contacts and beyond the end: NaN is near to nothing.
    pub(crate) radius: Vec<f32>,
    pub(crate) entry: Vec<u32>,
    pub(crate) len: usize,
}

impl CandidateColumns {
    /// Bodies that are compared together.
    pub(crate) const GROUP: usize = 16;

    /// Reserves room for `len` bodies and some more groups.
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

    /// Appends the bodies of `run`; room is reserved.
    #[inline(always)]
    pub(crate) fn append(&mut self, bodies: PackedBodies<'_>, run: Run) {
        let PackedBodies { packed, shifts } = bodies;
        // A multiple of the length of a register, as far as there are bodies; the rest is overwritten.
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
        for (slot, entry) in (run.start..).zip(&mut self.entry[span]) {
            *entry = slot | run.code;
        }
        self.len += run.len();
    }

    /// Appends the bodies `from` to `to` of `other`; room is reserved.
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
