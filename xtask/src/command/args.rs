//! Options of `cargo xtask reproduce`.
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::figures::cost;
use crate::model::Effort;
use crate::run::forecast::{self, Forecast};

/// Returns the last paragraph of the help: how long the command takes on this machine at full and at quick effort.
fn durations() -> String {
    let threads = threads(None);
    let left = |effort| Forecast::new(threads, cost::all(effort)).left(0.0);
    let [full, quick] = [Effort::Full, Effort::Quick].map(|effort| forecast::duration(left(effort)));
    let jobs = if threads == 1 { "one job".into() } else { format!("{threads} jobs") };
    format!(
        "With {jobs} a full run takes about {full}, a quick one {quick}. What an earlier run of the same code has found is used again."
    )
}

/// Returns the number of figures that are computed at the same time: `jobs`, or else one per core.
fn threads(jobs: Option<NonZeroUsize>) -> usize {
    jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Options of the command.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = durations())]
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

    pub(crate) fn threads(&self) -> usize {
        threads(self.jobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_says_how_long_a_run_takes() {
        let text = durations();
        assert!(text.contains("a full run takes about") && text.contains(" min, a quick one "), "{text}");
    }
}
