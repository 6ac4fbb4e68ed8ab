//! Codes of the periodic images through which neighbours are seen, and entries of lists with such codes.
//!
//! An entry holds the place of the neighbour (its index in the order of the tiles) in its low [`INDEX_BITS`] bits, and
//! the code of a shift in the higher bits. A shift moves the neighbour by −1, 0 or 1 period in each direction.

use rrp_geom::glam::DVec3;

/// Number of low bits of an entry of a neighbour list that hold the neighbour's place.
pub(crate) const INDEX_BITS: u32 = 27;

pub(crate) const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// Code of the shift by no period, for the neighbour itself rather than a periodic image.
pub(crate) const NO_SHIFT: u32 = 13;

/// Returns the periods (−1, 0 or 1) in each direction by which the shift of this code, 0 to 26, moves a neighbour.
pub(crate) const fn signs(code: usize) -> [i32; 3] {
    [code as i32 % 3 - 1, code as i32 / 3 % 3 - 1, code as i32 / 9 - 1]
}

/// Returns the code of the opposite periodic shift, by which the second body of a pair sees the first.
pub(crate) fn opposite(code: usize) -> usize {
    (2 * NO_SHIFT as usize).saturating_sub(code)
}

/// Returns the table, by the codes of periodic shifts, of the values of `vector` for the periods of each shift. Codes
/// above 26 do not occur.
pub(super) fn by_code(vector: impl Fn(DVec3) -> DVec3) -> [[f64; 4]; 32] {
    std::array::from_fn(|code| {
        let [x, y, z] = signs(code.min(26)).map(f64::from);
        vector(DVec3::new(x, y, z)).extend(0.0).to_array()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift_code(sign: [i32; 3]) -> u32 {
        sign.into_iter().rev().fold(0, |code, sign| 3 * code + (sign + 1).unsigned_abs())
    }

    #[test]
    fn codes_and_shifts_agree() {
        let table = by_code(|n| DVec3::new(2.0, 3.0, 5.0) * n);
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let row = table[shift_code([x, y, z]) as usize];
                    let expected = [2 * x, 3 * y, 5 * z].map(f64::from);
                    assert_eq!(signs(shift_code([x, y, z]) as usize), [x, y, z]);
                    assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-300));
                }
            }
        }
        assert_eq!(shift_code([0; 3]), NO_SHIFT);
        assert_eq!(opposite(shift_code([1, 0, -1]) as usize), shift_code([-1, 0, 1]) as usize);
    }
}
