//! Progress of a figure function.
use indicatif::ProgressBar;

/// Handle for reporting the progress of a figure function; cheap to clone, and optional.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub(crate) fn shown(bar: ProgressBar) -> Self {
        Self { bar }
    }

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    #[cfg(test)]
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    /// Announces the total number of steps.
    pub(crate) fn total(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Reports that `steps` further steps are done.
    pub(crate) fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }
}
