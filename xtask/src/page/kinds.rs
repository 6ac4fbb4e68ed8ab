//! Filters of the page that select claims and figures.
use crate::model::{Certainty, Claim, Standing, Verdict};
use crate::run::Outcome;

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
