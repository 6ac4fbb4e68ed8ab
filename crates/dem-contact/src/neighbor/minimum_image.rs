//! The image of a centre that is nearest to where it was.

use crate::neighbor::domain::Domain;

/// Finds the image of a centre that is nearest to where it was.
#[derive(Clone, Copy)]
pub(crate) struct MinimumImage {
    period: [f64; 4],
    inverse: [f64; 4],
    /// The direction along which images are displaced and the one across which they are, and by how much in m.
    shear: [usize; 2],
    offset: f64,
}

/// A flag for each number of a row: all bits or none.
pub(crate) type Mask = [u64; 4];

/// The mask with all flags set.
pub(crate) const SET: Mask = [u64::MAX; 4];

impl MinimumImage {
    /// For a domain with these periods (m), zero in directions without one.
    pub(crate) fn new(period: [f64; 3]) -> Self {
        let [x, y, z] = period;
        let period = [x, y, z, 0.0];
        let inverse = period.map(|period| if period > 0.0 { period.recip() } else { 0.0 });
        Self { period, inverse, shear: [0, 1], offset: 0.0 }
    }

    /// For the images of a domain.
    pub(crate) fn of(domain: &Domain) -> Self {
        let (shear, offset) = domain.shear();
        Self { shear, offset, ..Self::new(domain.periods().to_array()) }
    }

    /// The image of `now` that is nearest to `from`, and the square of their distance (m²): infinite if images cannot
    /// be counted, NaN for NaN.
    #[inline(always)]
    pub(crate) fn wrap(&self, mut now: [f64; 3], from: [f64; 3]) -> ([f64; 3], f64) {
        if self.offset.abs() > 0.0 {
            let [flow, gradient] = self.shear;
            now[flow] -= self.offset * ((now[gradient] - from[gradient]) * self.inverse[gradient]).round();
        }
        let row = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
        let mut countable = SET;
        let (image, displacement) = self.wrap_row(row(now), row(from), &mut countable);
        let [x, y, z, _] = displacement;
        let square = x * x + y * y + z * z;
        ([image[0], image[1], image[2]], if countable == SET || square.is_nan() { square } else { f64::INFINITY })
    }

    /// [`wrap`](Self::wrap) of rows of four numbers; the last numbers are equal and finite, and stay. Returns the image
    /// and its displacement from `from`. Clears bits of `countable` where images cannot be counted.
    #[inline(always)]
    pub(crate) fn wrap_row(&self, now: [f64; 4], from: [f64; 4], countable: &mut Mask) -> ([f64; 4], [f64; 4]) {
        // Adding and subtracting this rounds a number that is not huge to the nearest whole number.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        let turns: [f64; 4] = std::array::from_fn(|c| (now[c] - from[c]) * self.inverse[c]);
        let image: [f64; 4] = std::array::from_fn(|c| now[c] - self.period[c] * ((turns[c] + ROUND) - ROUND));
        *countable =
            std::array::from_fn(|c| countable[c] & u64::from(turns[c].abs() < f64::from(i32::MAX)).wrapping_neg());
        (image, std::array::from_fn(|c| image[c] - from[c]))
    }
}
