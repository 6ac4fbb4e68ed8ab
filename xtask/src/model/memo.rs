//! Store of results that several figures need, each computed once.
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Result, anyhow};

/// Place of a result in the store; once computed, it holds the result or the message of its error.
type Slot<T> = OnceLock<Result<Arc<T>, String>>;

/// Store of results that several figures need. The first figure that requests a result computes it, while other figures
/// that request it wait. Clones share their results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    slots: Arc<Mutex<BTreeMap<&'static str, Arc<dyn Any + Send + Sync>>>>,
}

impl Memo {
    /// Returns the result under this key; `make` computes it on the first call.
    ///
    /// # Errors
    /// Errors of `make`, the same for all callers, and a key whose result has another type.
    pub(crate) fn get<T: Send + Sync + 'static>(
        &self,
        key: &'static str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.entry(key).or_insert_with(|| Arc::new(Slot::<T>::new())).clone()
        };
        let slot = slot.downcast::<Slot<T>>().map_err(|_| anyhow!("{key:?} names results of two types"))?;
        let made = slot.get_or_init(|| make().map(Arc::new).map_err(|error| format!("{error:#}")));
        made.clone().map_err(|error| anyhow!(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_made_once_and_an_error_too() {
        let memo = Memo::default();
        let first = memo.get("number", || Ok(7)).unwrap();
        let again = memo.clone().get("number", || -> Result<i32> { panic!("made twice") }).unwrap();
        assert!(Arc::ptr_eq(&first, &again) && *first == 7);
        assert!(memo.get("number", || Ok(String::new())).unwrap_err().to_string().contains("two types"));
        assert!(memo.get::<i32>("error", || Err(anyhow!("step 17"))).is_err());
        assert!(memo.get("error", || Ok(1)).unwrap_err().to_string().contains("step 17"));
    }
}
