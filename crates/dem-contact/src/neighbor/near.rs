//! Whether a centre is still near to where a list was made for it.

/// How far a centre may be from where a list was made for it, in any image.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// The square of that distance.
    pub(super) limit: f64,
    pub(super) period: [f64; 3],
    pub(super) inverse: [f64; 3],
}

impl Near {
    /// The image of `now` that is nearest to `from`, and the square of their distance: infinite for images that cannot be
    /// counted, NaN for NaN.
    #[inline(always)]
    pub(super) fn wrap(&self, now: [f64; 3], from: [f64; 3]) -> ([f64; 3], f64) {
        // Adding and subtracting this rounds to the nearest whole number, as long as it is not huge.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        let turns: [f64; 3] = std::array::from_fn(|c| (now[c] - from[c]) * self.inverse[c]);
        let image: [f64; 3] = std::array::from_fn(|c| now[c] - self.period[c] * ((turns[c] + ROUND) - ROUND));
        let [x, y, z] = std::array::from_fn(|c| image[c] - from[c]);
        let most = turns[0].abs().max(turns[1].abs()).max(turns[2].abs());
        (image, if most < f64::from(i32::MAX) { x * x + y * y + z * z } else { f64::INFINITY })
    }
}
