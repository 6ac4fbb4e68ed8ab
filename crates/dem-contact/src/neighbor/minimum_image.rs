//! The nearest periodic image of a centre.

use crate::neighbor::domain::Domain;

/// Finder of the periodic image of a centre that is nearest to a former position of the centre. A row of four numbers,
/// centre and radius, fits one vector register. The fourth numbers of these fields are zero, so that the radius stays.
#[derive(Clone, Copy)]
pub(super) struct MinimumImage {
    /// Periods of the domain in m, and their reciprocals in 1/m; zero in directions that are not periodic.
    period: [f64; 4],
    inverse: [f64; 4],
    is_sheared: bool,
    /// Reciprocal (1/m) of the period across the shear, along the axis of this period; and the displacement (m), along
    /// the flow, of the images across the shear.
    across: [f64; 4],
    along: [f64; 4],
}

impl MinimumImage {
    pub(super) fn of(domain: &Domain) -> Self {
        let period = domain.periods().extend(0.0).to_array();
        let [flow, gradient] = domain.shear();
        let inverse = period.map(|period| if period > 0.0 { period.recip() } else { 0.0 });
        let mut across = [0.0; 4];
        let mut along = [0.0; 4];
        across[gradient] = inverse[gradient];
        along[flow] = domain.offset();
        Self { period, inverse, is_sheared: domain.offset().abs() > 0.0, across, along }
    }

    /// Returns the periodic image of the centre `now` that is nearest to `from`, and the square of their distance (m²).
    /// The square is infinite if the two are too many periods apart to count, and NaN if a coordinate is NaN.
    ///
    /// The displacement is rounded once, as in [`Domain::inside`], so both functions give the same bits for the same
    /// image.
    #[inline(always)]
    pub(super) fn wrap(&self, now: [f64; 4], from: [f64; 4]) -> ([f64; 4], f64) {
        // Adding and subtracting this constant rounds a number that is not huge to the nearest whole number.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        let crossed = if self.is_sheared { self.crossed(now, from) } else { 0.0 };
        let turns: [f64; 4] = std::array::from_fn(|c| ((now[c] - self.along[c] * crossed) - from[c]) * self.inverse[c]);
        let image: [f64; 4] =
            std::array::from_fn(|c| now[c] - (self.period[c] * ((turns[c] + ROUND) - ROUND) + self.along[c] * crossed));
        let [x, y, z, _]: [f64; 4] = std::array::from_fn(|c| image[c] - from[c]);
        let square = x * x + y * y + z * z;
        let most = f64::from(i32::MAX);
        let are_countable = (turns[0].abs() < most) & (turns[1].abs() < most) & (turns[2].abs() < most);
        (image, if are_countable || square.is_nan() { square } else { f64::INFINITY })
    }

    /// Number of periods from `from` to `now` across the shear.
    #[inline(always)]
    fn crossed(&self, now: [f64; 4], from: [f64; 4]) -> f64 {
        let [x, y, z, _]: [f64; 4] = std::array::from_fn(|c| (now[c] - from[c]) * self.across[c]);
        (x + y + z).round()
    }
}
