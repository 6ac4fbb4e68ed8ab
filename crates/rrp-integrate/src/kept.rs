//! Numbers that cannot be worked out from those of a later state.

use std::sync::{Mutex, PoisonError};

/// Numbers that are to be put back where they were.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept(Vec<Number>);

/// A number and its place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Number {
    pub(crate) body: usize,
    /// Of x, y, z.
    pub(crate) column: usize,
    pub(crate) value: f64,
}

/// Numbers that there is room for in the beginning, and that a leaf has before it asks for the list of all.
const ROOM: usize = 32;

impl Kept {
    /// Keeps nothing.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
        self.0.reserve(ROOM);
    }

    pub(crate) fn numbers(&self) -> &[Number] {
        &self.0
    }
}

/// Keeps numbers of bodies in a row, while others keep those of other bodies.
pub(crate) struct Keeper<'a, 'k> {
    all: &'a Mutex<&'k mut Kept>,
    own: [Number; ROOM],
    count: usize,
}

impl<'a, 'k> Keeper<'a, 'k> {
    pub(crate) fn new(all: &'a Mutex<&'k mut Kept>) -> Self {
        Self { all, own: [Number::default(); ROOM], count: 0 }
    }

    pub(crate) fn keep(&mut self, number: Number) {
        if self.count == ROOM {
            self.hand_over();
        }
        self.own[self.count] = number;
        self.count += 1;
    }

    fn hand_over(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.extend_from_slice(&self.own[..self.count]);
        self.count = 0;
    }
}

impl Drop for Keeper<'_, '_> {
    fn drop(&mut self) {
        if self.count > 0 {
            self.hand_over();
        }
    }
}
