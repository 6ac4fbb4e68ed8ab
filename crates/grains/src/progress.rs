//! What a run keeps beside its bodies, their state and its engine.
//!
//! [`clock`] says where the run is in its stages, [`identities`] who its bodies are, [`walls`] where its walls are and
//! which of them are there, [`account`] how much energy came and went that the present engine does not know of.

pub(crate) mod account;
pub(crate) mod clock;
pub(crate) mod identities;
pub(crate) mod walls;

use serde::{Deserialize, Serialize};

use self::account::Account;
use self::clock::Clock;
use self::identities::Identities;
use self::walls::StagedWall;
use crate::build::parts::MaterialNumbers;
use crate::energy_guard::EnergyGuard;

/// What a run keeps beside its bodies, their state and its engine. It is stored as it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) clock: Clock,
    /// Iterations of the solver in the last step.
    pub(crate) iterations: usize,
    pub(crate) identities: Identities,
    pub(crate) materials: MaterialNumbers,
    pub(crate) walls: Vec<StagedWall>,
    pub(crate) account: Account,
    /// Whether no work is recorded.
    pub(crate) is_ledger_closed: bool,
    pub(crate) guard: EnergyGuard,
}
