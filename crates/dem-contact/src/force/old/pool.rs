//! Things that are used again, if possible by whoever used them last.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::force::old::apart::Apart;

/// Things that no one uses at present, by the seat in a [crew](crate::parallel::fork_join::crew) of who used them last: they are in the caches of that
/// thread.
#[derive(Debug)]
pub(crate) struct Pool<T>(Vec<Apart<Mutex<Vec<T>>>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> Pool<T> {
    /// Has a place for each of so many seats; without one, things are not kept.
    pub(crate) fn open(&mut self, seats: usize) {
        if self.0.len() < seats {
            self.0.resize_with(seats, Apart::default);
        }
    }

    /// What was last used on this seat, or else on another, or something new.
    pub(crate) fn take(&self, seat: usize) -> T {
        (seat..seat + self.0.len()).find_map(|seat| self.things(seat)?.pop()).unwrap_or_default()
    }

    pub(crate) fn give(&self, seat: usize, thing: T) {
        if let Some(mut things) = self.things(seat) {
            things.push(thing);
        }
    }

    /// Lends a thing for the time of `work`.
    pub(crate) fn lend<R>(&self, seat: usize, work: impl FnOnce(&mut T) -> R) -> R {
        let mut thing = self.take(seat);
        let outcome = work(&mut thing);
        self.give(seat, thing);
        outcome
    }

    fn things(&self, seat: usize) -> Option<MutexGuard<'_, Vec<T>>> {
        let Apart(things) = self.0.get(seat % self.0.len().max(1))?;
        Some(things.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seat_gets_its_own_back_while_there_is_one() {
        let mut pool = Pool::<u32>::default();
        pool.give(0, 9);
        assert_eq!(pool.take(0), 0);
        pool.open(2);
        for (seat, thing) in [(0, 1), (1, 2), (0, 3), (1, 4)] {
            pool.give(seat, thing);
        }
        // The last that seat 0 used, the one before; what the other has used; then there is nothing.
        assert_eq!([0, 0, 0, 1, 1].map(|seat| pool.take(seat)), [3, 1, 4, 2, 0]);
        assert_eq!(pool.lend(1, |thing| std::mem::replace(thing, 7)), 0);
        assert_eq!(pool.take(1), 7);
    }
}
