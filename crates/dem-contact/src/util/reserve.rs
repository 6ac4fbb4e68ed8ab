//! Room of columns that are made again and again.

/// So many more than wanted may have room.
const SPARE: usize = 32;

/// Empties a column, with room for so many and hardly more. What room there is grows or shrinks where it is, if it can: what one
/// thread gives back is of no use to the others.
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
