//! Assembly of a stiffness matrix, row by row.

use rrp_geom::glam::DVec3;
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::stiffness::pair_matrix::{Coupling, PairMatrix, PairRows, PairStiffness};

/// Row of one body in a stiffness matrix, to which pairs are added.
#[derive(Debug)]
pub(crate) struct RowFiller<'a> {
    rows: &'a mut PairRows,
    own: [f64; 6],
    diagonal: [f64; 6],
}

impl RowFiller<'_> {
    /// Adds a pair with this unit normal to the row: a pair with the body of index `other` in the order of the
    /// neighbour list or, for `None`, with something that does not move.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: Option<usize>, normal: [f64; 3], stiffness: PairStiffness) {
        let coupling = Coupling::along(DVec3::from_array(normal), [stiffness.along, stiffness.across]);
        coupling.add_to(&mut self.diagonal);
        match other {
            Some(other) => self.rows.push(other, &coupling),
            None => coupling.add_to(&mut self.own),
        }
    }
}

impl PairMatrix {
    /// Fills the stiffness matrix for `len` bodies, given by their indices in the order of the list: `body` returns the
    /// block D of a body without its pairs, `fill` adds the pairs to its row. Both rows of a pair must get the same
    /// stiffness.
    pub(crate) fn rebuild_rows(
        &mut self,
        len: usize,
        body: &(impl Fn(usize) -> [f64; 6] + Sync),
        fill: &(impl Fn(usize, &mut RowFiller<'_>) + Sync),
    ) {
        self.resize(len);
        let output = (PerPart(&mut self.blocks), &mut self.own[..], &mut self.diagonal[..]);
        for_each_part(Parts::blocks(len), output, &|part, (blocks, own, diagonal)| {
            // Without bodies the slice has no block.
            let [rows] = blocks.0 else { return };
            rows.clear();
            for (k, place) in part.rows.enumerate() {
                let alone = body(place);
                let mut row = RowFiller { rows, own: alone, diagonal: alone };
                fill(place, &mut row);
                (own[k], diagonal[k]) = (row.own, row.diagonal);
                rows.end_row();
            }
        });
    }
}
