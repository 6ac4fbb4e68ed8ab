use std::sync::{Mutex, PoisonError};

/// Scratch memory for the parts of a loop: one piece for each part that runs at the same time.
///
/// The pool hands a piece from one part to the next. The old contents of a piece must not change results.
#[derive(Debug)]
pub struct Pool<S>(Mutex<Vec<S>>);

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

/// Makes a pool without scratch memory, since clones need not share any contents.
impl<S> Clone for Pool<S> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<S: Default> Pool<S> {
    /// Runs `work` with a piece of scratch memory, which then goes back to the pool.
    pub fn with<R>(&self, work: impl FnOnce(&mut S) -> R) -> R {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = free.unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::for_each_item;

    #[test]
    fn scratch_is_handed_on_and_no_two_parts_have_the_same() {
        let pool = Pool::<Vec<usize>>::default();
        let mut items = vec![0; 100];
        for_each_item(&mut items, &|index, item| {
            pool.with(|room| {
                room.push(index);
                *item = *room.last().unwrap();
            });
        });
        assert!(items.iter().enumerate().all(|(index, &item)| index == item));
        let visits: usize = pool.0.lock().unwrap().iter().map(Vec::len).sum();
        assert_eq!(visits, 100);
        assert!(pool.clone().0.lock().unwrap().is_empty());
    }
}
