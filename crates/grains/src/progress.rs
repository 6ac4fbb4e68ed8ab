//! The progress of a run: everything that a checkpoint stores besides bodies, state and engine.
//!
//! [`clock`] has the present stage and step, [`identities`] the ids of bodies, [`groups`] their groups, [`drivers`] the
//! motions of groups of fixed bodies, [`walls`] the places of walls and whether they are present, [`exchange`] tallies
//! of sources and gates with their [`exact_mass`], [`account`] energies that the present engine lacks, [`dissipation`]
//! the energy that contacts dissipated by kind of motion, [`time_means`] sums of measurements since their last rows,
//! [`extremes`] the largest values since the start, [`unsolved`] the tally of unsolved contact problems.

pub(crate) mod account;
pub(crate) mod clock;
pub(crate) mod dissipation;
pub(crate) mod drivers;
mod exact_mass;
pub(crate) mod exchange;
pub(crate) mod extremes;
pub(crate) mod groups;
pub(crate) mod identities;
pub(crate) mod time_means;
pub(crate) mod unsolved;
pub(crate) mod walls;

use dem_contact::force::BoxMemory;
use dem_contact::neighbor::Domain;
use serde::{Deserialize, Serialize};

use self::account::Account;
use self::clock::Clock;
use self::dissipation::Dissipation;
use self::drivers::Driver;
use self::exchange::Exchange;
use self::extremes::Extremes;
use self::groups::Groups;
use self::identities::Identities;
use self::time_means::TimeSums;
use self::unsolved::UnsolvedTally;
use self::walls::StagedWall;
use crate::build::situation::MaterialNumbers;
use crate::energy_guard::EnergyGuard;

/// The progress of a run: all that a checkpoint stores beside the bodies, their state and the engine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) clock: Clock,
    /// Number of iterations of the engine's solver in the last step.
    pub(crate) iterations: usize,
    pub(crate) identities: Identities,
    pub(crate) groups: Groups,
    /// Drivers of the groups of fixed bodies that move along paths or turn.
    pub(crate) drivers: Vec<Driver>,
    pub(crate) materials: MaterialNumbers,
    pub(crate) walls: Vec<StagedWall>,
    /// Present box of the run; none if the box deforms in no stage.
    pub(crate) domain: Option<Domain>,
    /// State that the servo of the box keeps from step to step.
    pub(crate) box_memory: BoxMemory,
    /// Number of checks in a row at which the servos of the present stage bore their target loads.
    pub(crate) looks_at_rest: u32,
    pub(crate) exchange: Exchange,
    pub(crate) account: Account,
    /// Energies that contacts dissipated by each kind of motion; zero in a scene that does not ask for them.
    pub(crate) dissipation: Dissipation,
    /// Sums of each measurement since its last row; empty for measurements that take no means over time.
    pub(crate) measured: Vec<TimeSums>,
    /// Whether the state stores no attitudes, so that attitudes of new bodies are dropped.
    pub(crate) has_no_attitudes: bool,
    /// Whether the run has stopped recording the work of contacts and walls.
    pub(crate) is_ledger_closed: bool,
    pub(crate) guard: EnergyGuard,
    pub(crate) extremes: Extremes,
    pub(crate) unsolved: UnsolvedTally,
}
