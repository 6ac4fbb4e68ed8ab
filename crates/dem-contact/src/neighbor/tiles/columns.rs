//! Columns of single precision, so that many spheres are compared at the same time.

use std::ops::Range;

use crate::neighbor::tiles::marks::WORD;

/// Spheres that are copied together.
const BLOCK: usize = 8;

/// Centres and radii of spheres in an [`F32Frame`](crate::neighbor::tiles::f32_frame::F32Frame).
///
/// What is beyond the end means nothing.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
    /// NaN for what is near to nothing.
    pub(crate) radius: Vec<f32>,
}

impl Columns {
    /// Makes room for `len` spheres, and for a word more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, len: usize) {
        let room = (len + WORD).next_multiple_of(WORD);
        if self.x.len() < room {
            for column in [&mut self.x, &mut self.y, &mut self.z, &mut self.radius] {
                column.resize(2 * room, f32::NAN);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, [x, y, z]: [f32; 3], radius: f32) {
        (self.x[at], self.y[at], self.z[at], self.radius[at]) = (x, y, z, radius);
    }

    /// Copies the spheres `from` of other columns to those from `to` on.
    #[inline(always)]
    pub(crate) fn copy(&mut self, to: usize, other: &Self, from: Range<usize>) {
        // Whole blocks; the rest of the last one is overwritten later.
        let len = from.len().next_multiple_of(BLOCK);
        self.reserve(to + len);
        let (to, from) = (to..to + len, from.start..from.start + len);
        copy_blocks(&mut self.x[to.clone()], &other.x[from.clone()]);
        copy_blocks(&mut self.y[to.clone()], &other.y[from.clone()]);
        copy_blocks(&mut self.z[to.clone()], &other.z[from.clone()]);
        copy_blocks(&mut self.radius[to], &other.radius[from]);
    }

    /// Makes sure that the word after the first `len` spheres is near to nothing.
    #[inline(always)]
    pub(crate) fn end(&mut self, len: usize) {
        self.reserve(len);
        self.radius[len..len + WORD].fill(f32::NAN);
    }
}

#[inline(always)]
fn copy_blocks(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(from.as_chunks::<BLOCK>().0) {
        *to = *from;
    }
}
