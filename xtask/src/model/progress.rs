//! How a figure function says how far it is.
use indicatif::ProgressBar;

/// A figure function's handle; cheap to clone and free to ignore.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shown as a bar.
    pub(crate) fn shown(bar: ProgressBar) -> Self {
        Self { bar }
    }

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// For tests.
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
