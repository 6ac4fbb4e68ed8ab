//! Sorting of entries whose types depend on laws.

/// Sorts entries by their keys; those with equal keys keep their order.
///
/// Only the keys are sorted, so that sorting is compiled once, not for each type of entries.
pub(crate) fn sort_by_key<E: Copy>(entries: &mut Vec<E>, key: &dyn Fn(&E) -> [u32; 3]) {
    let mut order: Vec<([u32; 3], usize)> = entries.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    *entries = order.into_iter().map(|(_, index)| entries[index]).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_equal_ones_keep_their_order() {
        let mut entries: Vec<(u32, u32)> = (0..100).map(|i| (i * 7 % 10, i)).collect();
        let mut expected = entries.clone();
        expected.sort_by_key(|entry| entry.0);
        sort_by_key(&mut entries, &|entry| [entry.0, 0, 0]);
        assert_eq!(entries, expected);
    }
}
