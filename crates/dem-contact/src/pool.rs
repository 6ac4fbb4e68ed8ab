//! Things that are used again, by whichever thread wants one.

use std::sync::{Mutex, PoisonError};

/// Things that no one uses at present.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T: Default> Pool<T> {
    pub(crate) fn take(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn give(&self, thing: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    /// Lends a thing for the time of `work`.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut thing = self.take();
        let outcome = work(&mut thing);
        self.give(thing);
        outcome
    }
}
