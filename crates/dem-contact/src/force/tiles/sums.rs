//! Sums of the forces on spheres, in the order of the tiles.

use rrp_parallel::{Extent, Split};

/// Vector of three components and a fourth number, often zero, so that it fills a vector register.
pub(in crate::force) type Row = [f64; 4];

/// Returns the sum of two rows; arguments by value make it one vector operation.
#[inline(always)]
pub(in crate::force) fn plus([a, b, c, d]: Row, [e, f, g, h]: Row) -> Row {
    [a + e, b + f, c + g, d + h]
}

/// Sums of forces and torques on spheres, in the order of the tiles: whole columns, or their parts of one tile.
#[derive(Debug, Clone, Default)]
pub(in crate::force) struct Sums<C> {
    pub(in crate::force) force: C,
    /// Torque on each sphere in N m; empty if all forces are elastic.
    pub(in crate::force) torque: C,
    /// Part in N of the force on each sphere that is not elastic; empty without a ledger.
    pub(in crate::force) dissipative: C,
}

impl Sums<Vec<Row>> {
    pub(in crate::force) fn resize(&mut self, spheres: usize, has_torque: bool, is_split: bool) {
        let lengths = [(&mut self.force, true), (&mut self.torque, has_torque), (&mut self.dissipative, is_split)];
        for (column, is_needed) in lengths {
            column.resize(if is_needed { spheres } else { 0 }, [0.0; 4]);
        }
    }

    pub(in crate::force) fn as_parts(&mut self) -> Sums<&mut [Row]> {
        let Self { force, torque, dissipative } = self;
        Sums { force, torque, dissipative }
    }
}

impl Split for Sums<&mut [Row]> {
    fn cut(&mut self, first: Extent) -> Self {
        let [force, torque, dissipative] =
            [&mut self.force, &mut self.torque, &mut self.dissipative].map(|column| column.cut(first));
        Self { force, torque, dissipative }
    }
}
