//! The rows of a full list, in which each pair stands in the rows of both bodies.

/// Entries that are read or added up together: as many as most rows have.
///
/// The last row of a block is followed by as many entries that mean nothing.
pub(crate) const SPAN: usize = 12;

/// The rows of one block of bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// First entry of the row of each body of the block, and the end of the last row.
    pub(crate) start: Vec<u32>,
    /// Slots of the neighbours, each with the code of its [image shift](crate::neighbor::image_shift), in the order of
    /// the slots up to the wrap. [`SPAN`] more entries follow the last row; the kernel reads and drops them.
    pub(crate) entries: Vec<u32>,
}

impl Rows {
    /// Number of entries in all rows.
    pub(crate) fn len(&self) -> usize {
        self.start.last().map_or(0, |&end| end as usize)
    }

    /// The row of body `k` of the block.
    pub(crate) fn row(&self, k: usize) -> &[u32] {
        &self.entries[self.start[k] as usize..self.start[k + 1] as usize]
    }
}
