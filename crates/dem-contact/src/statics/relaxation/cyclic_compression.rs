//! Bodies that swell and shrink again.

/// Steps before the first press, of one press, and of the part of it in which bodies swell.
const BEFORE: usize = 2000;
const PERIOD: usize = 2000;
const RISE: usize = 200;
const HOLD: usize = 200;
/// Presses in a row, and how many steps after the beginning of the last one there are others.
const PRESSES: usize = 4;
const REST: usize = 30_000;
/// Growth at first, over the mean overlap, and from one press to the next.
const GROWTH: f64 = 4.0;
const LESS: f64 = 0.75;
/// No body grows by more than this: soft bodies far into each other are to come hardly further.
pub(super) const MOST: f64 = 0.02;

/// Presses a packing that its own walls or images squeeze, and lets it go again.
///
/// A packing that was never pressed is as soft as one of so few contacts can be: what gives way in one place
/// makes another one give way, for longer the larger it is. What was pressed together harder and let go holds.
#[derive(Debug, Clone, Default)]
pub(crate) struct CyclicCompression {
    /// The first step of the last press or the rest after it, and which one of a row it is.
    since: usize,
    number: usize,
    growth: f64,
}

impl CyclicCompression {
    /// Begins another press at this step if one is due, for the mean overlap over the diameter; `share` of what bodies of one
    /// size would grow.
    pub(crate) fn follow(&mut self, step: usize, strain: f64, share: f64) {
        let wait = match self.number {
            0 => BEFORE,
            PRESSES => REST,
            _ => PERIOD,
        };
        if step >= self.since + wait {
            self.number = if self.number == PRESSES { 1 } else { self.number + 1 };
            self.growth = LESS.powi(self.number as i32 - 1) * (GROWTH * strain).min(MOST) * share;
            self.since = step;
        }
    }

    /// Lets go at once.
    pub(crate) fn end(&mut self) {
        self.growth = 0.0;
    }

    /// How much larger bodies will be at most, over their size, before there is another press.
    pub(crate) fn most(&self, step: usize) -> f64 {
        if step >= self.since + PERIOD { 0.0 } else { self.growth }
    }

    /// How much larger bodies are at this step, over their size.
    pub(crate) fn growth(&self, step: usize) -> f64 {
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
    fn presses_begin_and_end_without_growth_and_get_weaker() {
        let mut press = CyclicCompression::default();
        let mut most = [0.0_f64; 6];
        for step in 0..BEFORE + 3 * PERIOD + REST {
            press.follow(step, 1e-3, 1.0);
            let growth = press.growth(step);
            let number = (step + PERIOD - BEFORE.min(step + PERIOD)) / PERIOD;
            assert!((step - BEFORE.min(step)) % PERIOD != 0 || growth <= 0.0, "{step}");
            most[number.min(5)] = most[number.min(5)].max(growth);
        }
        assert!(most[0] <= 0.0 && most[5] <= 0.0 && (most[1] / (GROWTH * 1e-3) - 1.0).abs() < 1e-12, "{most:?}");
        let again = BEFORE + 3 * PERIOD + REST;
        press.follow(again, 1e-3, 1.0);
        assert!(press.growth(again + RISE) >= GROWTH * 1e-3 * (1.0 - 1e-12));
        let mut press = CyclicCompression::default();
        press.follow(BEFORE, 0.1, 0.5);
        assert!((press.growth(BEFORE + RISE) / (0.5 * MOST) - 1.0).abs() < 1e-12);
        assert!((press.most(BEFORE) / (0.5 * MOST) - 1.0).abs() < 1e-12 && press.most(BEFORE + PERIOD) <= 0.0);
        press.end();
        assert!(press.growth(BEFORE + RISE) <= 0.0);
        assert!(most[1..5].windows(2).all(|pair| (pair[1] / pair[0] - LESS).abs() < 1e-12), "{most:?}");
    }
}
