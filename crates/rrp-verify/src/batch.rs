//! Sums over consecutive samples.

/// Consecutive samples of a deviation, summed up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Batch {
    samples: u64,
    time: f64,
    deviation: f64,
    largest: f64,
}

impl Batch {
    pub(crate) fn push(&mut self, time: f64, deviation: f64) {
        self.samples += 1;
        self.time += time;
        self.deviation += deviation;
        self.largest = self.largest.max(deviation.abs());
    }

    pub(crate) fn merged(self, later: &Self) -> Self {
        Self {
            samples: self.samples + later.samples,
            time: self.time + later.time,
            deviation: self.deviation + later.deviation,
            largest: self.largest.max(later.largest),
        }
    }

    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    pub(crate) fn weight(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 samples")]
        let weight = self.samples as f64;
        weight
    }

    /// Mean time of the samples.
    pub(crate) fn time(&self) -> f64 {
        self.time / self.weight()
    }

    /// Mean deviation.
    pub(crate) fn mean(&self) -> f64 {
        self.deviation / self.weight()
    }

    /// Largest |deviation|.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }
}
