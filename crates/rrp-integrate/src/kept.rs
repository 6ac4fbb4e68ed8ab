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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_several_keepers_keep_is_there_once() {
        let mut kept = Kept::default();
        for counts in [[0, 0], [1, ROOM], [ROOM + 1, 3 * ROOM], [2, 0]] {
            kept.clear();
            let all = Mutex::new(&mut kept);
            std::thread::scope(|scope| {
                for (keeper, count) in counts.into_iter().enumerate() {
                    let all = &all;
                    scope.spawn(move || {
                        let mut own = Keeper::new(all);
                        let number = |k| Number { body: k, column: keeper, value: (10 * k + keeper) as f64 };
                        (0..count).for_each(|k| own.keep(number(k)));
                    });
                }
            });
            for (column, count) in counts.into_iter().enumerate() {
                let numbers = kept.numbers().iter().filter(|number| number.column == column);
                // Each keeper's in its order.
                let found: Vec<_> = numbers.map(|number| (number.body, number.value)).collect();
                assert!(found.into_iter().eq((0..count).map(|k| (k, (10 * k + column) as f64))), "{counts:?}");
            }
            assert_eq!(kept.numbers().len(), counts.iter().sum::<usize>());
        }
    }
}
