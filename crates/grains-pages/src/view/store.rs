//! Store of the compressed frames of a view, which drops frames if they exceed a number of bytes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::pack::{Packed, Part};

/// Bytes of tags and name of the HTML element that holds a block of compressed numbers.
const ELEMENT: usize = 80;

/// Purpose of a list of numbers in a frame. A list that equals the newest one of its role is not stored again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Centres,
    Radii,
    Column(usize),
    ContactEnds,
    ContactValues,
    BondEnds,
    BondStates,
    WallPoints,
    WallCorners,
}

/// Bytes that the parts of a frame add to the page; a part that equals that of the frame before adds none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Bytes added by centres and radii of the grains.
    pub grains: usize,
    /// Bytes added by each column.
    pub columns: Vec<usize>,
    /// Bytes added by contacts.
    pub contacts: usize,
    /// Bytes added by bonds.
    pub bonds: usize,
    /// Bytes added by walls and meshes.
    pub walls: usize,
}

impl Written {
    /// Returns the bytes that all parts of the frame add together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.grains + self.columns.iter().sum::<usize>() + self.contacts + self.bonds + self.walls
    }

    fn add(&mut self, role: Role, bytes: usize) {
        match role {
            Role::Centres | Role::Radii => self.grains += bytes,
            Role::Column(column) => {
                if self.columns.len() <= column {
                    self.columns.resize(column + 1, 0);
                }
                if let Some(entry) = self.columns.get_mut(column) {
                    *entry += bytes;
                }
            }
            Role::ContactEnds | Role::ContactValues => self.contacts += bytes,
            Role::BondEnds | Role::BondStates => self.bonds += bytes,
            Role::WallPoints | Role::WallCorners => self.walls += bytes,
        }
    }
}

#[derive(Debug)]
struct Block {
    text: String,
    /// Number of kept frames that use the numbers of this block.
    frames: usize,
}

impl Block {
    fn bytes(&self) -> usize {
        self.text.len() + ELEMENT
    }
}

#[derive(Debug)]
struct Kept {
    number: usize,
    /// Description of the frame as JSON, with the numbers of the blocks that it uses.
    described: String,
    blocks: BTreeSet<usize>,
}

impl Kept {
    /// Returns the bytes of the frame's description and of the comma after it.
    fn bytes(&self) -> usize {
        self.described.len() + 1
    }
}

#[derive(Debug)]
pub(super) struct Store {
    limit: usize,
    blocks: BTreeMap<usize, Block>,
    next: usize,
    /// Position in the page of the newest list of numbers of each role.
    newest: BTreeMap<Role, Part>,
    walls: Value,
    frames: Vec<Kept>,
    /// The store keeps the frames whose number is a multiple of `stride`, and the last frame.
    stride: usize,
    pushed: usize,
    /// Running sum of the bytes of all blocks and frame descriptions.
    bytes: usize,
}

impl Store {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            blocks: BTreeMap::new(),
            next: 0,
            newest: BTreeMap::new(),
            walls: Value::Null,
            frames: Vec::new(),
            stride: 1,
            pushed: 0,
            bytes: 0,
        }
    }

    pub(super) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(super) fn pushed(&self) -> usize {
        self.pushed
    }

    pub(super) fn frames(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Iterates over number and text of each block, in the order of the frames that first use them.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &str)> {
        self.blocks.iter().map(|(number, block)| (*number, block.text.as_str()))
    }

    /// Returns the descriptions of all kept frames as JSON, separated by commas.
    pub(super) fn described(&self) -> String {
        let frames: Vec<&str> = self.frames.iter().map(|frame| frame.described.as_str()).collect();
        frames.join(",")
    }

    pub(super) fn begin(&mut self) -> Writer<'_> {
        Writer { store: self, used: BTreeSet::new(), written: Written::default() }
    }

    /// Adds a frame. The former last frame is dropped if its number is no multiple of the stride. While the bytes
    /// exceed the limit, the stride is doubled and frames are dropped.
    fn push(&mut self, described: String, blocks: BTreeSet<usize>) {
        let last_stays = self.frames.last().is_none_or(|last| last.number % self.stride == 0);
        let gone = if last_stays { None } else { self.frames.pop() };
        let frame = Kept { number: self.pushed, described, blocks };
        // References are counted before the old frame is dropped, since both may share blocks.
        for number in &frame.blocks {
            if let Some(block) = self.blocks.get_mut(number) {
                block.frames += 1;
            }
        }
        self.bytes += frame.bytes();
        self.frames.push(frame);
        self.pushed += 1;
        self.forget(gone);
        while self.bytes > self.limit && self.frames.len() > 2 {
            self.stride = self.stride.saturating_mul(2);
            let (stride, last) = (self.stride, self.pushed - 1);
            let stays = |frame: &Kept| frame.number.is_multiple_of(stride) || frame.number == last;
            let (stay, go) = std::mem::take(&mut self.frames).into_iter().partition::<Vec<_>, _>(stays);
            self.frames = stay;
            self.forget(go);
        }
    }

    /// Subtracts the bytes of dropped frames from the sum, and removes blocks without references.
    fn forget(&mut self, frames: impl IntoIterator<Item = Kept>) {
        for frame in frames {
            self.bytes -= frame.bytes();
            for number in frame.blocks {
                let Entry::Occupied(mut block) = self.blocks.entry(number) else { continue };
                block.get_mut().frames -= 1;
                if block.get().frames == 0 {
                    self.bytes -= block.remove().bytes();
                }
            }
        }
    }
}

pub(super) struct Writer<'a> {
    store: &'a mut Store,
    used: BTreeSet<usize>,
    written: Written,
}

impl Writer<'_> {
    /// Stores a list of numbers and returns its position in the page as JSON. A list that equals the newest one of its
    /// role is not stored again.
    pub(super) fn put(&mut self, role: Role, packed: Packed) -> Value {
        let store = &mut *self.store;
        let equal = store.newest.get(&role).filter(|part| {
            part.has_scales_of(&packed) && store.blocks.get(&part.block).is_some_and(|block| block.text == packed.text)
        });
        let (part, bytes) = match equal {
            Some(part) => (part.clone(), 0),
            None => (Part::new(store.next, &packed), packed.text.len()),
        };
        if bytes > 0 {
            let block = Block { text: packed.text, frames: 0 };
            store.bytes += block.bytes();
            store.blocks.insert(store.next, block);
            store.next += 1;
        }
        self.written.add(role, bytes);
        self.used.insert(part.block);
        let described = part.described();
        store.newest.insert(role, part);
        described
    }

    pub(super) fn set_walls(&mut self, described: Value) {
        self.store.walls = described;
    }

    /// Returns the description of this frame's walls: those of the frame before, unless new ones were set.
    pub(super) fn walls(&mut self) -> Value {
        for role in [Role::WallPoints, Role::WallCorners] {
            self.used.extend(self.store.newest.get(&role).map(|part| part.block));
        }
        self.store.walls.clone()
    }

    pub(super) fn end(self, described: &Value) -> Written {
        self.store.push(described.to_string(), self.used);
        self.written
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::pack;
    use super::*;

    #[test]
    fn the_running_sum_has_all_blocks_and_frames_that_are_kept() {
        let mut store = Store::new(8_000);
        for number in 0..60_u32 {
            // Every second frame has the values of the frame before.
            let factor = 2_654_435_761 + number / 2;
            let values: Vec<f64> = (0..200_u32).map(|k| f64::from(k.wrapping_mul(factor) >> 16)).collect();
            let mut writer = store.begin();
            let radii = writer.put(Role::Radii, pack::numbers(&[0.5; 200]));
            let values = writer.put(Role::Column(0), pack::numbers(&values));
            writer.end(&json!({ "radii": radii, "values": values }));
            let needed: BTreeSet<usize> = store.frames.iter().flat_map(|frame| frame.blocks.iter().copied()).collect();
            assert_eq!(needed, store.blocks.keys().copied().collect());
            let blocks: usize = store.blocks.values().map(Block::bytes).sum();
            assert_eq!(store.bytes(), blocks + store.described().len() + 1);
        }
        assert!(store.stride > 1 && store.frames() > 2 && store.bytes() <= 8_000);
    }
}
