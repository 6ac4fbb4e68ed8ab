//! The image of a centre that is nearest to where it was.

use crate::neighbor::domain::Domain;

/// Finds the image of a centre that is nearest to where it was.
#[derive(Clone, Copy)]
pub(crate) struct MinimumImage {
    period: [f64; 3],
    inverse: [f64; 3],
    /// The direction along which images are displaced and the one across which they are, and by how much in m.
    shear: [usize; 2],
    offset: f64,
}

impl MinimumImage {
    /// For the images of a domain.
    pub(crate) fn of(domain: &Domain) -> Self {
        let (period, (shear, offset)) = (domain.periods().to_array(), domain.shear());
        let inverse = period.map(|period| if period > 0.0 { period.recip() } else { 0.0 });
        Self { period, inverse, shear, offset }
    }

    /// The image of `now` that is nearest to `from`, and the square of their distance (m²): infinite if images cannot
    /// be counted, NaN for NaN.
    #[inline(always)]
    pub(crate) fn wrap(&self, mut now: [f64; 3], from: [f64; 3]) -> ([f64; 3], f64) {
        // Adding and subtracting this rounds a number that is not huge to the nearest whole number.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        if self.offset.abs() > 0.0 {
            let [flow, gradient] = self.shear;
            now[flow] -= self.offset * ((now[gradient] - from[gradient]) * self.inverse[gradient]).round();
        }
        let turns: [f64; 3] = std::array::from_fn(|c| (now[c] - from[c]) * self.inverse[c]);
        let image: [f64; 3] = std::array::from_fn(|c| now[c] - self.period[c] * ((turns[c] + ROUND) - ROUND));
        let [x, y, z]: [f64; 3] = std::array::from_fn(|c| image[c] - from[c]);
        let square = x * x + y * y + z * z;
        let are_countable = turns.into_iter().fold(true, |all, turns| all & (turns.abs() < f64::from(i32::MAX)));
        (image, if are_countable || square.is_nan() { square } else { f64::INFINITY })
    }
}
