//! Errors of plots and pictures.

/// A plot or picture could not be drawn or encoded.
#[derive(Debug, thiserror::Error)]
#[error("the picture cannot be drawn: {problem}")]
pub struct PlotError {
    problem: String,
}

impl PlotError {
    /// Makes the error for a failure of a drawing library.
    pub(crate) fn new(error: impl std::fmt::Display) -> Self {
        Self { problem: error.to_string() }
    }
}
