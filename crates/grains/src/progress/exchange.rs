//! What has come from sources, and what has passed gates.

use dem_contact::source::Gate;
use serde::{Deserialize, Serialize};

use crate::build::sources::PlannedSource;

/// Share of an amount that rounding may add.
const ROUNDING: f64 = 1e-9;

/// What a source has done.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SourceTally {
    /// Number of grains that came.
    pub(crate) count: u64,
    /// Their mass in kg.
    pub(crate) mass: f64,
    /// How much of its total that is, and how much of what its rate allows so far, in the units of these amounts.
    pub(crate) of_total: f64,
    pub(crate) of_rate: f64,
    /// What the rate allows so far.
    pub(crate) allowed: f64,
    /// How often it has looked for room.
    pub(crate) attempts: u64,
}

impl SourceTally {
    /// Whether another grain of this radius (m) may come. It comes when half of it is due: the mean is the rate.
    pub(crate) fn allows(&self, source: &PlannedSource, radius: f64) -> bool {
        let fits = |sum: f64, most: f64| sum <= most * (1.0 + ROUNDING);
        let in_total = source.total.is_none_or(|all| fits(self.of_total + source.part(all, radius), all.value()));
        let in_rate = source.rate.is_none_or(|rate| fits(self.of_rate + 0.5 * source.part(rate, radius), self.allowed));
        in_total && in_rate
    }

    /// Counts a grain of this radius (m).
    pub(crate) fn add(&mut self, source: &PlannedSource, radius: f64) {
        self.count += 1;
        self.mass += source.body(radius).mass;
        self.of_total += source.total.map_or(0.0, |all| source.part(all, radius));
        self.of_rate += source.rate.map_or(0.0, |rate| source.part(rate, radius));
    }
}

/// A gate, and what has passed it less what has gone back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GateTally {
    pub(crate) gate: Gate,
    pub(crate) count: i64,
    /// In kg.
    pub(crate) mass: f64,
}

/// A grain that passed a gate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passage {
    /// In s.
    pub(crate) time: f64,
    /// Number of the gate.
    pub(crate) gate: usize,
    pub(crate) id: u64,
    /// Whether it went back.
    pub(crate) back: bool,
    /// In m and kg.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
}

/// What has come and gone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) sources: Vec<SourceTally>,
    pub(crate) gates: Vec<GateTally>,
    /// Grains that passed gates before the last step.
    #[serde(skip)]
    pub(crate) passages: Vec<Passage>,
}
