//! What `cargo xtask reproduce` can be told.
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::model::context::Effort;

/// Options of the command.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Only figures whose id starts with this.
    pub(crate) prefix: Option<String>,
    /// Shorter runs; claims whose run is cut say so.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Where the files go [default: reproduce/ in the target directory].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Figures computed at the same time [default: one per core].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Compute everything anew, even what an earlier run of the same code left.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print the figures' ids and stop.
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the result (or the list) as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Made-up figures of every kind instead of the papers': what the command's own tests run.
    #[arg(long, hide = true)]
    pub(crate) demo: bool,
    /// Let the maps of the pendulum add 1e-9 rad/s to the spin in every step: claims must fail.
    #[arg(long, hide = true)]
    pub(crate) sabotage: bool,
}

impl Args {
    pub(crate) fn effort(&self) -> Effort {
        if self.quick { Effort::Quick } else { Effort::Full }
    }

    /// How many figures are computed at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}
