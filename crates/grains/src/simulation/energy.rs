//! Whether the energy of a run has grown without a source.

use super::Simulation;
use crate::energy_guard::Growth;
use crate::error::GrainsError;
use crate::reading::Reading;

impl Simulation {
    /// Stops a run whose energy grows without a source.
    ///
    /// # Errors
    /// [`GrainsError::EnergyGrown`].
    pub(crate) fn check_energy(&self, reading: &Reading) -> Result<(), GrainsError> {
        let (step, time) = (self.progress.clock.step, reading.time);
        // An engine may know its own work where that of an earlier one is not known.
        let is_unknown = reading.energies.wall_work.is_none() && self.progress.clock.stage > 0;
        let own = if is_unknown { self.wall_work_of(&self.read_engine()?) } else { self.engine.wall_work() };
        let wall_work = self.progress.account.about_wall_work(own);
        match self.progress.guard.growth(reading, wall_work, self.progress.account.scale()) {
            Some(Growth { excess, energy }) => Err(GrainsError::EnergyGrown { step, time, excess, energy }),
            None => Ok(()),
        }
    }

    /// The work of walls in J that the present engine has recorded, as a reading of it says, or to the order of a step.
    pub(super) fn wall_work_of(&self, own: &Reading) -> f64 {
        own.energies.wall_work.unwrap_or(self.engine.wall_work())
    }
}
