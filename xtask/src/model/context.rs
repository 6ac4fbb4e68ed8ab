//! Input of a figure's function: the effort, a handle for its progress, and results that figures share.
use serde::Serialize;

use crate::model::memo::Memo;
use crate::model::progress::Progress;

/// Effort with which figures are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Effort {
    /// Full effort, with the numbers of steps and bodies of the papers.
    Full,
    /// Quick effort, for continuous integration. Claims whose computation is shortened say so.
    Quick,
}

impl Effort {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Effort::Full => "full",
            Effort::Quick => "quick",
        }
    }
}

/// Input of the function that computes a figure.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) effort: Effort,
    pub(crate) progress: Progress,
    /// Results that several figures need.
    pub(crate) memo: Memo,
}

impl Context {
    /// Returns the value `full` at full effort, and `quick` at quick effort.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        match self.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }
}
