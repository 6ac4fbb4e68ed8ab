//! The parts of loops over all bodies, and the columns that only such loops read.

use rrp_parallel::{Extent, Parts, Split, is_in_pool};

/// Fewest blocks of a loop that uses threads if the caller is outside the pool: the caller hands the loop over and
/// waits.
const FEWEST_HANDED_OVER: usize = 32;

/// Leaves of `bodies` bodies. A caller outside the pool hands loops over, which pays for longer ones only.
pub(crate) fn leaves(bodies: usize) -> Parts<'static> {
    let blocks = Parts::blocks(bodies);
    if is_in_pool() { blocks } else { blocks.worth_threads_from(FEWEST_HANDED_OVER) }
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
