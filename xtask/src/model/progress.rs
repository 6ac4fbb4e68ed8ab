//! Progress of a figure function.
use indicatif::ProgressBar;

/// Handle by which a figure function reports its progress; cheap to clone, and it need not be used.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Progress that is shown as a bar.
    pub(crate) fn shown(bar: ProgressBar) -> Self {
        Self { bar }
    }

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Progress that is not shown, for tests.
    #[cfg(test)]
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    /// Announces how many steps are to come.
    pub(crate) fn total(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Reports steps done.
    pub(crate) fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }
}
