//! Things that are used again, if possible by whoever used them last.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things that no one uses at present, each with the seat in a [crew](crate::par::crew) of who used it last: it is in the caches of that
/// thread.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<(usize, T)>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T: Default> Pool<T> {
    /// What was last used on this seat, or else what others have not used for long, or something new.
    pub(crate) fn take(&self, seat: usize) -> T {
        let mut things = self.things();
        let own = things.iter().rposition(|&(user, _)| user == seat);
        match own.or((!things.is_empty()).then_some(0)) {
            Some(at) => things.remove(at).1,
            None => T::default(),
        }
    }

    pub(crate) fn give(&self, seat: usize, thing: T) {
        self.things().push((seat, thing));
    }

    /// Lends a thing for the time of `work`.
    pub(crate) fn lend<R>(&self, seat: usize, work: impl FnOnce(&mut T) -> R) -> R {
        let mut thing = self.take(seat);
        let outcome = work(&mut thing);
        self.give(seat, thing);
        outcome
    }

    fn things(&self) -> MutexGuard<'_, Vec<(usize, T)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seat_gets_its_own_back_while_there_is_one() {
        let pool = Pool::<u32>::default();
        for (seat, thing) in [(0, 1), (1, 2), (0, 3), (1, 4)] {
            pool.give(seat, thing);
        }
        // The last that seat 0 used, the one before; what the other has not used for long; then there is nothing.
        assert_eq!([0, 0, 0, 1, 1].map(|seat| pool.take(seat)), [3, 1, 2, 4, 0]);
        assert_eq!(pool.lend(1, |thing| std::mem::replace(thing, 7)), 0);
        assert_eq!(pool.take(1), 7);
    }
}
