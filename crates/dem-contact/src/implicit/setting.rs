//! What a step is taken with.

use super::weights::Weights;
use crate::Ties;

/// When forces act, and what acts beside contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) weights: Weights,
    pub(crate) ties: Option<&'a Ties>,
    /// Time at the start of the step in s.
    pub(crate) time: f64,
}
