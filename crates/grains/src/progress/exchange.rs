//! Tallies of grains inserted by sources and counted by gates.

use dem_contact::source::Gate;
use serde::{Deserialize, Serialize};

use super::exact_mass::ExactMass;
use crate::build::sources::PlannedSource;

/// Relative tolerance for rounding in comparisons of amounts with a source's total and rate.
const ROUNDING: f64 = 1e-9;

/// Tally of the grains that a source has brought.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SourceTally {
    /// Number of grains that came from the source.
    pub(crate) count: u64,
    /// Mass in kg of the grains that came from the source.
    pub(crate) mass: ExactMass,
    /// Amount of grains that have come, in the unit of the source's total; the next field is the amount in the unit of
    /// its rate.
    of_total: f64,
    of_rate: f64,
    /// Amount of grains since the start that the source's rate allows until its next attempt, in the unit of the rate.
    pub(crate) allowed: f64,
    /// Number of the step before which the source tries to bring grains next, if it runs.
    pub(crate) next: u64,
    /// Number of times that the source has tried to find room for grains.
    pub(crate) attempts: u64,
}

impl SourceTally {
    /// Returns whether total and rate of the source allow another grain of this radius (m). The rate allows a grain
    /// when half of it is due, so that the mean flow equals the rate.
    pub(crate) fn allows(&self, source: &PlannedSource, radius: f64) -> bool {
        let in_rate = |rate| fits(self.of_rate + 0.5 * source.part(rate, radius), self.allowed);
        self.is_in_total(source, radius) && source.rate.is_none_or(in_rate)
    }

    /// Returns whether total and rate of the source allow more grains, now or later.
    pub(crate) fn has_more(&self, source: &PlannedSource) -> bool {
        source.rate.is_none_or(|rate| rate.value() > 0.0) && self.is_in_total(source, source.grains.size(self.count).0)
    }

    /// Returns the missing share of the grains that are due by total and rate of the source; none if only the space in
    /// its region limits the source. The share is zero if no more than the next grain is missing, since a source of few
    /// grains always owes a fraction of one.
    pub(crate) fn missing_share(&self, source: &PlannedSource) -> Option<f64> {
        let next = source.grains.size(self.count).0;
        let missing = |amount, due: f64, came: f64| {
            let is_grain_missing = due - came > source.part(amount, next);
            if is_grain_missing { 1.0 - came / due } else { 0.0 }
        };
        let of_total = source.total.map(|all| missing(all, all.value(), self.of_total));
        let of_rate = source.rate.map(|rate| missing(rate, self.allowed, self.of_rate));
        of_total.into_iter().chain(of_rate).reduce(f64::min)
    }

    fn is_in_total(&self, source: &PlannedSource, radius: f64) -> bool {
        source.total.is_none_or(|all| fits(self.of_total + source.part(all, radius), all.value()))
    }

    pub(crate) fn add(&mut self, source: &PlannedSource, radius: f64) {
        self.count += 1;
        self.mass.add(source.body(radius).mass);
        self.of_total += source.total.map_or(0.0, |all| source.part(all, radius));
        self.of_rate += source.rate.map_or(0.0, |rate| source.part(rate, radius));
    }
}

fn fits(sum: f64, most: f64) -> bool {
    sum <= most * (1.0 + ROUNDING)
}

/// A gate with the number and mass of grains that passed it, less those that went back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GateTally {
    pub(crate) gate: Gate,
    pub(crate) count: i64,
    pub(crate) mass: ExactMass,
    /// Number of the step before which the gate checks next which grains have passed.
    pub(crate) next: u64,
}

impl GateTally {
    pub(crate) fn new(gate: Gate) -> Self {
        Self { gate, count: 0, mass: ExactMass::default(), next: 0 }
    }
}

/// Time between two stages, as a number of steps, with the step lengths before and after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Border {
    /// Number of steps taken at the border.
    pub(crate) step: u64,
    /// Step lengths in s before and after the border.
    pub(crate) dt_before: f64,
    pub(crate) dt_after: f64,
}

impl Border {
    /// Returns the first step at or after the time of the step `next`, which was planned with the former step length.
    fn moved(&self, next: u64) -> u64 {
        let left = next.saturating_sub(self.step) as f64 * self.dt_before / self.dt_after;
        self.step.saturating_add((left * (1.0 - 1e-12)).ceil() as u64)
    }

    fn time_to(&self, next: u64, dt: f64) -> f64 {
        next.saturating_sub(self.step) as f64 * dt
    }
}

/// Whether a source runs before and after a border between stages, and its rate per second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Running {
    pub(crate) before: bool,
    pub(crate) after: bool,
    pub(crate) rate: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passage {
    pub(crate) time: f64,
    pub(crate) gate: usize,
    pub(crate) id: u64,
    pub(crate) back: bool,
    /// Radius in m, and mass in kg, of the grain.
    pub(crate) radius: f64,
    pub(crate) mass: f64,
}

/// Tallies of all sources and gates of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) sources: Vec<SourceTally>,
    pub(crate) gates: Vec<GateTally>,
    /// Passages of grains through gates that were found right before the last step.
    #[serde(skip)]
    pub(crate) passages: Vec<Passage>,
}

impl Exchange {
    /// Converts the next attempts of sources and checks of gates to the step length after `border`. A source that is
    /// switched on tries to insert grains at once; one that is switched off loses the amount that was due after the
    /// border.
    pub(crate) fn cross(&mut self, border: Border, sources: impl IntoIterator<Item = Running>) {
        for (tally, Running { before, after, rate }) in self.sources.iter_mut().zip(sources) {
            let planned = if before { border.time_to(tally.next, border.dt_before) } else { 0.0 };
            tally.next = if before { border.moved(tally.next) } else { border.step };
            let now = if before && after { border.time_to(tally.next, border.dt_after) } else { 0.0 };
            tally.allowed += rate * (now - planned);
        }
        for tally in &mut self.gates {
            tally.next = border.moved(tally.next);
        }
    }
}
