//! Progress of the function that computes a figure.
use indicatif::ProgressBar;

/// Handle by which a figure's function can report its progress; cheap to clone.
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

    /// Sets the total number of steps of the computation.
    pub(crate) fn total(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Reports that `steps` more steps of the computation are done.
    pub(crate) fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }
}
