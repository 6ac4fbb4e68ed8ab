//! Outcomes of the computation of figures, and numbers of verdicts on their claims.
use serde::Serialize;

use crate::model::{Certainty, Claim, Figure, Standing, Verdict};
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
        let Counts { hold, open, differ, ours, fail, ours_fail, errored } = Counts::of(outcomes);
        Self { hold: hold + open + ours, differ, fail: fail + ours_fail, errored }
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

/// Numbers of verdicts on the statements of the papers, and on our own statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Number of statements of the papers that hold in a full computation.
    pub(crate) hold: usize,
    /// Number of statements of the papers that hold in a shortened computation, which leaves them undecided.
    pub(crate) open: usize,
    /// Number of statements of the papers that are wrong as printed, whose correction holds.
    pub(crate) differ: usize,
    /// Number of our own statements that hold.
    pub(crate) ours: usize,
    /// Number of statements of the papers that fail, as printed or in their corrected form.
    pub(crate) fail: usize,
    /// Number of our own statements that fail.
    pub(crate) ours_fail: usize,
    /// Number of figures that could not be computed.
    pub(crate) errored: usize,
}

impl Counts {
    pub(crate) fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            match &outcome.result {
                Ok(finished) => finished.claims.iter().for_each(|claim| counts.count(claim)),
                Err(_) => counts.errored += 1,
            }
        }
        counts
    }

    fn count(&mut self, claim: &Claim) {
        let number = match (claim.verdict(), &claim.standing) {
            (Verdict::Fails, Standing::Ours) => &mut self.ours_fail,
            (Verdict::Fails, _) => &mut self.fail,
            (Verdict::PaperDiffers, _) => &mut self.differ,
            (Verdict::Holds, Standing::Ours) => &mut self.ours,
            (Verdict::Holds, _) if claim.certainty() == Certainty::CutShort => &mut self.open,
            (Verdict::Holds, _) => &mut self.hold,
        };
        *number += 1;
    }

    /// Returns the number of statements of the papers.
    pub(crate) fn of_the_paper(self) -> usize {
        self.hold + self.open + self.differ + self.fail
    }

    /// Returns the number of failed statements and of figures that could not be computed.
    pub(crate) fn bad(self) -> usize {
        self.fail + self.ours_fail + self.errored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn zero_parts_stay_out_of_the_line() {
        let tally = Tally { hold: 12, differ: 2, fail: 1, errored: 0 };
        assert_eq!(tally.line(), "12 hold, 2 hold where the paper differs, 1 FAIL");
        assert_eq!(Tally::default().line(), "0 hold");
        assert_eq!([tally.exit_code(), Tally::default().exit_code()], [1, 0]);
        assert_eq!(Tally { errored: 1, ..Tally::default() }.exit_code(), 1);
    }

    #[test]
    fn statements_of_the_paper_are_counted_apart_from_ours() {
        let counts = Counts::of(&made_up::outcomes());
        assert_eq!(counts, Counts { hold: 1, differ: 1, ours: 1, fail: 1, ours_fail: 0, errored: 1, open: 0 });
        assert_eq!(counts.of_the_paper(), 3);
    }
}
