//! Memory of vectors that are filled again and again.

/// Spare entries that are kept.
const SPARE: usize = 32;

/// Empties a vector and gives it room for `wanted` entries and hardly more.
///
/// The allocation grows or shrinks in place if it can: memory that one thread frees is of no use to the others.
pub(crate) fn reserve_tight<T>(column: &mut Vec<T>, wanted: usize) {
    column.clear();
    if column.capacity() > wanted + wanted / 16 + SPARE {
        column.shrink_to(wanted);
    }
    column.reserve_exact(wanted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_as_much_room_as_is_wanted_and_hardly_more() {
        let mut column: Vec<u32> = Vec::new();
        for wanted in [0, 1, 5000, 4990, 100, 3, 0, 70] {
            reserve_tight(&mut column, wanted);
            assert!(
                column.is_empty() && (wanted..=wanted + wanted / 16 + SPARE).contains(&column.capacity()),
                "{wanted}"
            );
            column.resize(wanted, 1);
        }
    }
}
