/// Number of relaxation steps before the first compression.
const BEFORE: usize = 2000;
/// Number of relaxation steps of one compression and its release.
const PERIOD: usize = 2000;
/// Number of relaxation steps in which bodies swell, and (`HOLD`) in which they stay swollen.
const RISE: usize = 200;
const HOLD: usize = 200;
/// Number of compressions in one series without a rest.
const COMPRESSIONS: usize = 4;
/// Number of relaxation steps from the start of the last compression of a series to the first of the next series.
const REST: usize = 30_000;
/// Relative growth of bodies in the first compression of a series, over the mean ratio of overlap to 4 R (R: reduced
/// radius), which is the overlap over the diameter for equal bodies.
const GROWTH: f64 = 4.0;
/// Ratio of growths in two successive compressions.
const LESS: f64 = 0.75;
/// Largest relative growth of a body; soft bodies with large overlaps should hardly overlap further.
pub(super) const LARGEST_GROWTH: f64 = 0.02;

/// Cyclic compression and release, by swelling bodies, of a packing that its walls or images squeeze.
///
/// A packing that was never compressed has few contacts, is soft, and keeps rearranging, for longer in larger packings.
/// After compression and release it is stable.
#[derive(Debug, Clone, Default)]
pub(super) struct CyclicCompression {
    /// Relaxation step at which the last compression began.
    since: usize,
    /// Number of the last compression in its series, from 1; zero before the first one.
    number: usize,
    growth: f64,
}

impl CyclicCompression {
    /// Begins another compression at this step if one is due. `strain` is the mean over contacts of the ratio of
    /// overlap to 4 R, the harmonic mean of both diameters (R: reduced radius, or the radius of the body at a wall).
    /// `share` is a factor on the growth: one for equal bodies.
    pub(super) fn advance(&mut self, step: usize, strain: f64, share: f64) {
        let wait = match self.number {
            0 => BEFORE,
            COMPRESSIONS => REST,
            _ => PERIOD,
        };
        if step >= self.since + wait {
            self.number = if self.number == COMPRESSIONS { 1 } else { self.number + 1 };
            self.growth = LESS.powi(self.number as i32 - 1) * (GROWTH * strain).min(LARGEST_GROWTH) * share;
            self.since = step;
        }
    }

    pub(super) fn release(&mut self) {
        self.growth = 0.0;
    }

    /// Largest relative growth of bodies from this step to the next compression.
    pub(super) fn max_growth(&self, step: usize) -> f64 {
        if step >= self.since + PERIOD { 0.0 } else { self.growth }
    }

    /// Relative growth of bodies at this relaxation step.
    pub(super) fn growth(&self, step: usize) -> f64 {
        let at = step - self.since;
        if self.number == 0 || at >= PERIOD {
            return 0.0;
        }
        let rising = at as f64 / RISE as f64;
        let falling = (PERIOD - at) as f64 / (PERIOD - RISE - HOLD) as f64;
        self.growth * rising.min(falling).min(1.0).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressions_begin_and_end_without_growth_and_get_weaker() {
        let mut compression = CyclicCompression::default();
        let mut most = [0.0_f64; 6];
        for step in 0..BEFORE + 3 * PERIOD + REST {
            compression.advance(step, 1e-3, 1.0);
            let growth = compression.growth(step);
            let number = (step + PERIOD - BEFORE.min(step + PERIOD)) / PERIOD;
            assert!((step - BEFORE.min(step)) % PERIOD != 0 || growth <= 0.0, "{step}");
            most[number.min(5)] = most[number.min(5)].max(growth);
        }
        assert!(most[0] <= 0.0 && most[5] <= 0.0 && (most[1] / (GROWTH * 1e-3) - 1.0).abs() < 1e-12, "{most:?}");
        let again = BEFORE + 3 * PERIOD + REST;
        compression.advance(again, 1e-3, 1.0);
        assert!(compression.growth(again + RISE) >= GROWTH * 1e-3 * (1.0 - 1e-12));
        let mut compression = CyclicCompression::default();
        compression.advance(BEFORE, 0.1, 0.5);
        assert!((compression.growth(BEFORE + RISE) / (0.5 * LARGEST_GROWTH) - 1.0).abs() < 1e-12);
        assert!(
            (compression.max_growth(BEFORE) / (0.5 * LARGEST_GROWTH) - 1.0).abs() < 1e-12
                && compression.max_growth(BEFORE + PERIOD) <= 0.0
        );
        compression.release();
        assert!(compression.growth(BEFORE + RISE) <= 0.0);
        assert!(most[1..5].windows(2).all(|pair| (pair[1] / pair[0] - LESS).abs() < 1e-12), "{most:?}");
    }
}
