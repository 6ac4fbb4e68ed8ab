//! Input of a figure function: how hard to work, where to report progress, results of other figures.
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

/// Input of every figure function.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) effort: Effort,
    pub(crate) progress: Progress,
    /// Results that figures of the run share.
    pub(crate) memo: Memo,
}

impl Context {
    /// Returns the first value in a full run, the second in a quick one.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        match self.effort {
            Effort::Full => full,
            Effort::Quick => quick,
        }
    }
}
