//! Compressed frames, and which of them are kept.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::pack::{Packed, Part};

/// Bytes of the element around a block: its tags and its name.
const ELEMENT: usize = 80;

/// Purpose of a list of numbers. Lists of one role are compared from frame to frame.
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

/// Bytes that a frame adds to the page; parts that are as in the frame before add none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Bytes of centres and radii.
    pub grains: usize,
    /// Bytes of each column.
    pub columns: Vec<usize>,
    /// Bytes of contacts.
    pub contacts: usize,
    /// Bytes of bonds.
    pub bonds: usize,
    /// Bytes of walls and meshes.
    pub walls: usize,
}

impl Written {
    /// Returns the sum of all parts.
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
struct Kept {
    number: usize,
    /// The frame as JSON, which names its blocks.
    described: String,
    blocks: BTreeSet<usize>,
}

/// Blocks of text, and the frames that refer to them.
#[derive(Debug)]
pub(super) struct Store {
    limit: usize,
    blocks: BTreeMap<usize, String>,
    next: usize,
    /// Place of the newest list of each role.
    newest: BTreeMap<Role, Part>,
    walls: Value,
    frames: Vec<Kept>,
    /// Frames whose number is a multiple of it are kept, beside the last one.
    stride: usize,
    pushed: usize,
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

    /// Numbers and texts of the blocks, in the order of the frames that need them first.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &str)> {
        self.blocks.iter().map(|(number, text)| (*number, text.as_str()))
    }

    /// Frames as JSON, with commas between them.
    pub(super) fn described(&self) -> String {
        let frames: Vec<&str> = self.frames.iter().map(|frame| frame.described.as_str()).collect();
        frames.join(",")
    }

    pub(super) fn begin(&mut self) -> Writer<'_> {
        Writer { store: self, used: BTreeSet::new(), written: Written::default() }
    }

    /// Adds a frame. The last frame before it goes if its number is no multiple of the stride. Leaves out frames until the
    /// bytes fit.
    fn push(&mut self, described: String, blocks: BTreeSet<usize>) {
        let last_stays = self.frames.last().is_none_or(|last| last.number % self.stride == 0);
        if !last_stays {
            self.frames.pop();
        }
        self.frames.push(Kept { number: self.pushed, described, blocks });
        self.pushed += 1;
        self.sweep();
        while self.bytes > self.limit && self.frames.len() > 2 {
            self.stride = self.stride.saturating_mul(2);
            let (stride, last) = (self.stride, self.pushed - 1);
            self.frames.retain(|frame| frame.number % stride == 0 || frame.number == last);
            self.sweep();
        }
    }

    /// Forgets blocks that no frame needs.
    fn sweep(&mut self) {
        let needed: BTreeSet<usize> = self.frames.iter().flat_map(|frame| frame.blocks.iter().copied()).collect();
        self.blocks.retain(|number, _| needed.contains(number));
        let texts: usize = self.blocks.values().map(|text| text.len() + ELEMENT).sum();
        self.bytes = texts + self.frames.iter().map(|frame| frame.described.len() + 1).sum::<usize>();
    }
}

/// Writes the parts of one frame.
pub(super) struct Writer<'a> {
    store: &'a mut Store,
    used: BTreeSet<usize>,
    written: Written,
}

impl Writer<'_> {
    /// Stores a list of numbers, unless the newest list of the role is equal, and returns where it is.
    pub(super) fn put(&mut self, role: Role, packed: Packed) -> Value {
        let store = &mut *self.store;
        let equal = store.newest.get(&role).filter(|part| {
            part.has_scales_of(&packed) && store.blocks.get(&part.block).is_some_and(|text| *text == packed.text)
        });
        let (part, bytes) = match equal {
            Some(part) => (part.clone(), 0),
            None => (Part::new(store.next, &packed), packed.text.len()),
        };
        if bytes > 0 {
            store.blocks.insert(store.next, packed.text);
            store.next += 1;
        }
        self.written.add(role, bytes);
        self.used.insert(part.block);
        let described = part.described();
        store.newest.insert(role, part);
        described
    }

    /// Sets new walls.
    pub(super) fn set_walls(&mut self, described: Value) {
        self.store.walls = described;
    }

    /// Returns the walls of this frame, which are those of the frame before if no new ones were set.
    pub(super) fn walls(&mut self) -> Value {
        for role in [Role::WallPoints, Role::WallCorners] {
            self.used.extend(self.store.newest.get(&role).map(|part| part.block));
        }
        self.store.walls.clone()
    }

    /// Adds the frame.
    pub(super) fn end(self, described: &Value) -> Written {
        self.store.push(described.to_string(), self.used);
        self.written
    }
}
