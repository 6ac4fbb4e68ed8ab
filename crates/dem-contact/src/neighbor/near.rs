//! Whether a centre is still near to where a list was made for it.

/// How far a centre may be from where a list was made for it, in any image.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// The square of that distance.
    pub(super) limit: f64,
    period: [f64; 4],
    inverse: [f64; 4],
}

impl Near {
    /// Up to the distance `limit` (m), in a domain with these periods, zero where there is none.
    pub(super) fn new(limit: f64, period: [f64; 3]) -> Self {
        let [x, y, z] = period;
        let period = [x, y, z, 0.0];
        let inverse = period.map(|period| if period > 0.0 { period.recip() } else { 0.0 });
        Self { limit: limit.powi(2), period, inverse }
    }

    /// The image of `now` that is nearest to `from`, and the square of their distance: infinite for images that cannot be
    /// counted, NaN for NaN.
    #[inline(always)]
    pub(super) fn wrap(&self, now: [f64; 3], from: [f64; 3]) -> ([f64; 3], f64) {
        let row = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
        let ([x, y, z, _], square) = self.wrap_row(row(now), row(from));
        ([x, y, z], square)
    }

    /// The same of rows whose last entries are equal and finite, and stay: four numbers at a time.
    #[inline(always)]
    pub(super) fn wrap_row(&self, now: [f64; 4], from: [f64; 4]) -> ([f64; 4], f64) {
        // Adding and subtracting this rounds to the nearest whole number, as long as it is not huge.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        let turns: [f64; 4] = std::array::from_fn(|c| (now[c] - from[c]) * self.inverse[c]);
        let image: [f64; 4] = std::array::from_fn(|c| now[c] - self.period[c] * ((turns[c] + ROUND) - ROUND));
        let square: [f64; 4] = std::array::from_fn(|c| (image[c] - from[c]) * (image[c] - from[c]));
        let countable = turns.iter().fold(true, |all, turns| all & (turns.abs() < f64::from(i32::MAX)));
        let square = square[0] + square[1] + square[2];
        (image, if countable | square.is_nan() { square } else { f64::INFINITY })
    }
}
