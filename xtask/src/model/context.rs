//! Input of a figure function: effort, progress, shared results.
use serde::Serialize;

use crate::model::memo::Memo;
use crate::model::progress::Progress;

/// How long a figure may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Effort {
    /// The paper's own numbers of steps and bodies.
    Full,
    /// Short enough for continuous integration; claims whose run is cut say so.
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

#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) effort: Effort,
    pub(crate) progress: Progress,
    /// Results shared by figures of the run.
    pub(crate) memo: Memo,
}

impl Context {
    /// Returns the first value in a full run, the second in a quick run.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        match self.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }
}
