//! Outcomes of the computation of figures, and numbers of verdicts on their claims.
use serde::Serialize;

use crate::model::claim::{Claim, Verdict};
use crate::model::figure::Figure;
use crate::run::finished::Finished;

/// Figure after its computation, with its results or the message of its error.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) figure: Figure,
    /// Time in s that the computation took.
    pub(crate) seconds: f64,
    /// Whether the result comes from the cache instead of a new computation.
    pub(crate) reused: bool,
    pub(crate) result: Result<Finished, String>,
}

/// Numbers of claims by verdict, and of failed figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    pub(crate) hold: usize,
    pub(crate) differ: usize,
    pub(crate) fail: usize,
    /// Number of figures that could not be computed.
    pub(crate) errored: usize,
}

impl Tally {
    pub(crate) fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            match &outcome.result {
                Ok(finished) => finished.claims.iter().for_each(|claim| tally.count(claim)),
                Err(_) => tally.errored += 1,
            }
        }
        tally
    }

    fn count(&mut self, claim: &Claim) {
        match claim.verdict() {
            Verdict::Holds => self.hold += 1,
            Verdict::PaperDiffers => self.differ += 1,
            Verdict::Fails => self.fail += 1,
        }
    }

    /// Returns the exit code of the program: 1 if a claim failed or a figure could not be computed, else 0.
    pub(crate) fn exit_code(self) -> u8 {
        u8::from(self.fail + self.errored > 0)
    }

    /// Formats the numbers as one line; zeros are omitted, except for the claims that hold.
    pub(crate) fn line(self) -> String {
        let mut parts = vec![format!("{} hold", self.hold)];
        let rest = [(self.differ, "hold where the paper differs"), (self.fail, "FAIL"), (self.errored, "ERROR")];
        parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_parts_stay_out_of_the_line() {
        let tally = Tally { hold: 12, differ: 2, fail: 1, errored: 0 };
        assert_eq!(tally.line(), "12 hold, 2 hold where the paper differs, 1 FAIL");
        assert_eq!(Tally::default().line(), "0 hold");
        assert_eq!([tally.exit_code(), Tally::default().exit_code()], [1, 0]);
        assert_eq!(Tally { errored: 1, ..Tally::default() }.exit_code(), 1);
    }
}
