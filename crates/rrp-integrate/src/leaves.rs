//! The parts of loops over all bodies, and the columns that only they read.

use rrp_parallel::{Extent, Parts, Split, is_in_pool};

/// Blocks for which threads pay, at least.
const FEWEST: usize = 4;

/// The same for a caller outside the pool, which hands each loop over to it and waits.
const FEWEST_HANDED_OVER: usize = 32;

/// So many bodies in leaves: blocks of which more are worth a thread if the caller is not in the pool.
pub(crate) fn leaves(bodies: usize) -> Parts<'static> {
    Parts::blocks(bodies).worth_threads_from(if is_in_pool() { FEWEST } else { FEWEST_HANDED_OVER })
}

/// Part of a column. If all bodies have the same number, copies for one leaf are stored at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) bodies: usize,
    pub(crate) repeated: bool,
}

impl<'a> Piece<'a> {
    /// The values of the bodies of a leaf.
    #[inline]
    pub(crate) fn leaf(self) -> &'a [f64] {
        &self.values[..self.bodies]
    }

    /// The value of body `i` of a leaf.
    #[inline]
    pub(crate) fn get(self, i: usize) -> f64 {
        self.values[if self.repeated { 0 } else { i }]
    }
}

impl Split for Piece<'_> {
    fn cut(&mut self, first: Extent) -> Self {
        let values = if self.repeated { self.values } else { self.values.cut(first) };
        self.bodies -= first.rows;
        Self { values, bodies: first.rows, repeated: self.repeated }
    }
}
