//! How far results were when a checkpoint was made.

use serde::{Deserialize, Serialize};

/// How far results were when a checkpoint was made; what was written later belongs to steps that are taken again.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Marks {
    /// Bytes of the time series, if there is one.
    pub(crate) series: Option<u64>,
    /// Bytes of the table of contacts.
    pub(crate) contacts: Option<u64>,
    /// Times of the frames.
    pub(crate) frames: Vec<f64>,
}
