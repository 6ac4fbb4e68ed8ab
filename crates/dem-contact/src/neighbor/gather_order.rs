//! The order in which blocks are gathered when each is read just before the first row that refers to it.

use crate::neighbor::full_list::Rows;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::parallel::blocks::Blocks;

/// All blocks of a list in the order in which rows first refer to them, block after block.
///
/// In a periodic list the first blocks refer to the last ones, so it is not enough to read up to a certain slot.
#[derive(Debug, Clone)]
pub(super) struct GatherOrder {
    /// Every block once.
    blocks: Vec<u32>,
    /// For each block: how many of `blocks` the rows up to its own refer to.
    end: Vec<u32>,
}

impl GatherOrder {
    /// The order for the full rows of all blocks of `cut`.
    pub(super) fn new(rows: &[Rows], cut: Blocks) -> Self {
        let (mut blocks, mut end) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        let mut seen = vec![false; rows.len()];
        let mut see = |block: usize, blocks: &mut Vec<u32>| {
            if !std::mem::replace(&mut seen[block], true) {
                blocks.push(block as u32);
            }
        };
        for (own, rows) in rows.iter().enumerate() {
            see(own, &mut blocks);
            for entry in &rows.entries[..rows.len()] {
                see(cut.at((entry & INDEX_MASK) as usize), &mut blocks);
            }
            end.push(blocks.len() as u32);
        }
        Self { blocks, end }
    }

    /// The blocks that the rows up to those of block `own` refer to, without the first `read` ones.
    pub(super) fn ahead(&self, own: usize, read: usize) -> &[u32] {
        let end = self.end.get(own).map_or(0, |&end| end as usize);
        self.blocks.get(read..end).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::{Boundary, Domain};

    /// A cubic lattice in periods of its own, numbered as it comes: the first blocks have neighbours in the last ones.
    #[test]
    fn every_block_is_read_once_and_before_rows_refer_to_it() {
        let side = 20;
        let mut position = VectorColumn::zeros(side * side * side);
        for i in 0..position.len() {
            let cell = [i % side, i / side % side, i / side / side].map(|k| k as f64 + 0.5);
            position.set(i, DVec3::from_array(cell));
        }
        let radius = std::iter::repeat_n(0.5, position.len()).collect::<ScalarColumn>();
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(side as f64), [Boundary::Periodic; 3]).unwrap();
        let mut list = NeighborList::new(domain, 0.1).unwrap();
        list.update(&radius, &position).unwrap();
        let order = GatherOrder::new(list.rows(), list.blocks());
        let mut read = Vec::new();
        for (own, rows) in list.rows().iter().enumerate() {
            read.extend_from_slice(order.ahead(own, read.len()));
            let wanted =
                rows.entries[..rows.len()].iter().map(|&entry| list.blocks().at((entry & INDEX_MASK) as usize));
            assert!(wanted.chain([own]).all(|block| read.contains(&(block as u32))), "the rows of block {own}");
        }
        assert!(read.len() < 2 * list.rows().len() && order.ahead(0, 0).len() < list.rows().len() / 2);
        read.sort_unstable();
        assert!(read.into_iter().eq(0..list.rows().len() as u32));
    }
}
