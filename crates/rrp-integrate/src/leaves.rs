use rrp_parallel::{Extent, Parts, Split, is_in_pool};

/// Fewest blocks of bodies for which a loop uses threads if its caller is outside the thread pool: handing the loop
/// over to the pool, and waiting for it, has a latency.
const FEWEST_HANDED_OVER: usize = 32;

/// Cuts a loop over all bodies into leaves: runs of consecutive bodies, each the work of one task. A caller outside the
/// thread pool uses threads only for longer loops.
pub(crate) fn leaves(bodies: usize) -> Parts<'static> {
    let blocks = Parts::blocks(bodies);
    if is_in_pool() { blocks } else { blocks.worth_threads_from(FEWEST_HANDED_OVER) }
}

/// Part of a scalar column for a range of consecutive bodies. If all bodies share one value, it is stored for one leaf (a
/// block of bodies that one task works on) at most, and every leaf reads this copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) bodies: usize,
    pub(crate) repeated: bool,
}

impl<'a> Piece<'a> {
    /// Values of the scalar column for the bodies of this run, which one task works on.
    #[inline]
    pub(crate) fn leaf(self) -> &'a [f64] {
        &self.values[..self.bodies]
    }

    /// Value of the scalar column for body `i`, counted from the first body of this range.
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
