//! Numbers of claims by verdict, as the page shows them.
use crate::model::claim::{Certainty, Claim, Standing, Verdict};
use crate::run::outcome::Outcome;

/// Numbers of verdicts on the statements of the papers, and on our own statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Number of statements of the papers that hold in a full computation.
    pub(super) hold: usize,
    /// Number of statements of the papers that hold in a shortened computation, which leaves them undecided.
    pub(super) open: usize,
    /// Number of statements of the papers that are wrong as printed, whose correction holds.
    pub(super) differ: usize,
    /// Number of our own statements that hold.
    pub(super) ours: usize,
    /// Number of statements of the papers that fail, as printed or in their corrected form.
    pub(super) fail: usize,
    /// Number of our own statements that fail.
    pub(super) ours_fail: usize,
    /// Number of figures that could not be computed.
    pub(super) errored: usize,
}

impl Counts {
    pub(super) fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
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
    pub(super) fn of_the_paper(self) -> usize {
        self.hold + self.open + self.differ + self.fail
    }

    /// Returns the number of failed statements and of figures that could not be computed.
    pub(super) fn bad(self) -> usize {
        self.fail + self.ours_fail + self.errored
    }
}

/// Returns the filters that select a claim, by their names in the style sheet, separated by spaces.
pub(super) fn kinds(claim: &Claim) -> &'static str {
    match (claim.verdict(), &claim.standing, claim.certainty()) {
        (Verdict::Fails, ..) => "fails",
        (Verdict::PaperDiffers, _, Certainty::CutShort) => "differs open",
        (Verdict::PaperDiffers, ..) => "differs",
        (Verdict::Holds, Standing::Ours, Certainty::CutShort) => "ours open",
        (Verdict::Holds, Standing::Ours, _) => "ours",
        (Verdict::Holds, _, Certainty::CutShort) => "open",
        (Verdict::Holds, ..) => "holds",
    }
}

/// Returns the filters that select a figure: those of its claims, and `beyond` for a figure of our own.
pub(super) fn kinds_of(outcome: &Outcome) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    if outcome.figure.is_ours() {
        kinds.push("beyond");
    }
    match &outcome.result {
        Ok(finished) => kinds.extend(finished.claims.iter().flat_map(|claim| self::kinds(claim).split(' '))),
        Err(_) => kinds.push("fails"),
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn statements_of_the_paper_are_counted_apart_from_ours() {
        let counts = Counts::of(&made_up::outcomes());
        assert_eq!(counts, Counts { hold: 1, differ: 1, ours: 1, fail: 1, ours_fail: 0, errored: 1, open: 0 });
        assert_eq!(counts.of_the_paper(), 3);
    }

    #[test]
    fn what_was_cut_short_is_open() {
        let claim = Claim::as_paper("", "", 1.0, 0.0..=2.0).shortened(Some("half"));
        assert_eq!(kinds(&claim), "open");
        assert_eq!(kinds(&Claim::ours("", 1.0, 0.0..=2.0).shortened(Some("half"))), "ours open");
        let differs = Claim::paper_differs("", "", "", 1.0, 0.0..=2.0).shortened(Some("half"));
        assert_eq!(kinds(&differs), "differs open");
        assert_eq!(kinds(&Claim::ours("", 3.0, 0.0..=2.0)), "fails");
    }
}
