//! Check that the energy of a run does not grow without a source, and warnings about its energy.

use super::Simulation;
use crate::energy_guard::{Flows, Growth};
use crate::error::GrainsError;
use crate::progress::extremes::DEEP;
use crate::progress::unsolved::UnsolvedTally;
use crate::reading::{DeepestContact, Reading};
use crate::value::rounded;

/// Error of the energy balance, relative to the turned-over energy, above which the run reports it at its end.
const DOUBTFUL: f64 = 0.05;

impl Simulation {
    /// Returns an error, which stops the run, if its energy has grown without a source.
    ///
    /// # Errors
    /// [`GrainsError::EnergyGrown`].
    pub(super) fn check_energy(&mut self, reading: &Reading) -> Result<(), GrainsError> {
        self.note_extremes(reading);
        let flows = self.flows(reading)?;
        let clock = self.progress.clock;
        let time = reading.time;
        match self.progress.guard.look(clock.step, clock.step == clock.steps, reading, flows) {
            Some(Growth { excess, energy }) => {
                let unit = self.units().named("J");
                Err(GrainsError::EnergyGrown { step: clock.step, time, excess, energy, unit })
            }
            None => Ok(()),
        }
    }

    /// Updates the largest values of the run, and warns once of contacts that are too soft, and of bodies that are too
    /// fast or fall without end.
    pub(crate) fn note_extremes(&mut self, reading: &Reading) {
        self.watch(reading);
        let before = self.progress.extremes;
        self.progress.extremes = before.and(reading);
        let Some(DeepestContact { overlap, a, b }) = reading.deepest else { return };
        if before.overlap < DEEP && overlap >= DEEP {
            let ids = self.progress.identities.all();
            let other = b.body().map_or_else(|| "a wall".to_owned(), |b| format!("body {}", ids[b]));
            self.messages.push(format!(
                "at the time {} body {} and {other} overlap by {:.0} % of a radius: for grains that keep their shape make \
                 contacts stiffer",
                rounded(reading.time),
                ids[a],
                100.0 * overlap
            ));
        }
    }

    /// Returns doubts about energy and contact problems at the end of the run, one line each. `error` is the relative
    /// error of the energy balance; see [`Run::energy_error`](crate::Run::energy_error).
    pub(crate) fn doubts(&self, reading: &Reading, error: Option<f64>) -> Result<Vec<String>, GrainsError> {
        let advice = "if steps are long, make `time.dt` smaller";
        let turned_over = self.progress.extremes.and(reading).turned_over;
        let joule = self.units().named("J");
        let mut doubts = Vec::new();
        match error {
            Some(error) if error.abs() <= DOUBTFUL => {}
            Some(error) => doubts.push(format!(
                "at the end the energy balance is off by {:+.0} % of the energy that was turned over: {advice}",
                100.0 * error
            )),
            None if self.progress.guard.is_on() => {
                let Growth { excess, energy } = self.progress.guard.growth(reading, self.flows(reading)?);
                if excess > DOUBTFUL * energy {
                    doubts.push(format!(
                        "at the end {} {joule} of energy have no source, {:.0} % of the most that motion, contacts and \
                         bonds had: {advice}; `output.series` shows the balance",
                        rounded(excess),
                        100.0 * excess / energy
                    ));
                }
            }
            None => {}
        }
        if let Some(gained) = reading.energies.gained.filter(|&gained| gained > DOUBTFUL * turned_over) {
            doubts.push(format!(
                "contacts made {} {joule}, {:.0} % of the energy that was turned over: dissipated energy fell by that much; \
                 {advice}",
                rounded(gained),
                100.0 * gained / turned_over
            ));
        }
        let UnsolvedTally { steps, residual } = self.progress.unsolved;
        if steps > 0 {
            doubts.push(format!(
                "the contact problems of {steps} steps were not solved to their tolerance; the largest residual is {}: a \
                 smaller `time.dt` has easier problems, `unsolved = \"error\"` stops at the first",
                rounded(residual)
            ));
        }
        Ok(doubts)
    }

    /// Returns energies that came or went since the start of the run and that `reading` lacks.
    fn flows(&self, reading: &Reading) -> Result<Flows, GrainsError> {
        // The present engine may record its work even if an earlier engine did not.
        let is_unknown = reading.energies.wall_work.is_none() && self.progress.clock.stage > 0;
        let own = if is_unknown { self.wall_work_of(&self.read_engine()?) } else { self.engine.wall_work() };
        let wall_work = self.progress.account.about_wall_work(own);
        Ok(Flows { wall_work, exchanged: self.progress.account.scale() })
    }

    /// Returns the work of walls in J in `own`, a reading of the present engine, or else the engine's estimate to first
    /// order in the step.
    pub(super) fn wall_work_of(&self, own: &Reading) -> f64 {
        own.energies.wall_work.unwrap_or(self.engine.wall_work())
    }
}
