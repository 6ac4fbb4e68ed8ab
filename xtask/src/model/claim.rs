//! Claims: quantitative statements about the papers, each with a measured value, an accepted range and a verdict.
use grains_pages::number;
use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::model::measured::Measured;

/// Relation of a claim to the paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Standing {
    /// The paper makes the statement `paper`, and the accepted range is what this statement allows.
    AsPaper { paper: String },
    /// The statement `paper` of the paper is wrong or only partly right; the accepted range is what the statement
    /// `instead` allows.
    PaperDiffers { paper: String, instead: String },
    /// The paper does not make the statement.
    Ours,
}

/// Verdict on a claim, in the order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// The measured value lies in the accepted range.
    Holds,
    /// The measured value lies in the accepted range, which contradicts what the paper prints.
    PaperDiffers,
    /// The measured value lies outside the accepted range.
    Fails,
}

/// Strength of the verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Decided,
    /// The computation was shortened, so that the full computation may have another result.
    CutShort,
    /// The accepted range is so wide that very different values lie in it.
    WideRange,
}

/// Ratio of the ends of an accepted range above which [`Certainty::WideRange`] applies.
const WIDE: f64 = 5.0;

/// Quantitative statement that a figure tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// Text of the claim: what is measured and why it matters.
    pub(crate) text: String,
    pub(crate) standing: Standing,
    pub(crate) value: f64,
    /// Standard error of the value, if it comes from a fit or is a mean.
    pub(crate) standard_error: Option<f64>,
    /// Unit of `value` and `accept`; empty for a pure number.
    pub(crate) unit: Cow<'static, str>,
    pub(crate) accept: RangeInclusive<f64>,
    /// What a shortened computation leaves out, so that `value` may differ from that of the full one.
    pub(crate) shortened: Option<String>,
}

impl Claim {
    /// Makes a claim whose statement is that of the paper, quoted in `paper`.
    pub(crate) fn as_paper(
        text: impl Into<String>,
        paper: impl Into<String>,
        value: impl Into<Measured>,
        accept: RangeInclusive<f64>,
    ) -> Self {
        Self::new(text.into(), Standing::AsPaper { paper: paper.into() }, value.into(), accept)
    }

    /// Makes a claim about a wrong statement of the paper, quoted in `paper`; the value and range test `instead`.
    pub(crate) fn paper_differs(
        text: impl Into<String>,
        paper: impl Into<String>,
        instead: impl Into<String>,
        value: impl Into<Measured>,
        accept: RangeInclusive<f64>,
    ) -> Self {
        let standing = Standing::PaperDiffers { paper: paper.into(), instead: instead.into() };
        Self::new(text.into(), standing, value.into(), accept)
    }

    /// Makes a claim of our own, which no paper states.
    pub(crate) fn ours(text: impl Into<String>, value: impl Into<Measured>, accept: RangeInclusive<f64>) -> Self {
        Self::new(text.into(), Standing::Ours, value.into(), accept)
    }

    fn new(text: String, standing: Standing, measured: Measured, accept: RangeInclusive<f64>) -> Self {
        let Measured { value, standard_error } = measured;
        Self { text, standing, value, standard_error, unit: "".into(), accept, shortened: None }
    }

    pub(crate) fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit.into();
        self
    }

    /// Marks the claim as the result of a shortened computation, if `how` says what was left out:
    /// `.shortened(context.pick(None, Some("10³ of 10⁶ steps")))`.
    pub(crate) fn shortened(mut self, how: Option<&str>) -> Self {
        self.shortened = how.map(Into::into);
        self
    }

    /// Returns the verdict. A value that is NaN is in no range; a range with a NaN bound or with reversed bounds
    /// contains no value.
    pub(crate) fn verdict(&self) -> Verdict {
        match (self.accept.contains(&self.value), &self.standing) {
            (false, _) => Verdict::Fails,
            (true, Standing::PaperDiffers { .. }) => Verdict::PaperDiffers,
            (true, _) => Verdict::Holds,
        }
    }

    /// Returns how much the verdict means. A range with one end is a limit, which never counts as wide.
    pub(crate) fn certainty(&self) -> Certainty {
        let lo = *self.accept.start();
        let hi = *self.accept.end();
        let both_signs_of_infinity = lo == f64::NEG_INFINITY && hi == f64::INFINITY;
        let apart = (lo > 0.0 && hi.is_finite() && hi > WIDE * lo) || (hi < 0.0 && lo.is_finite() && lo < WIDE * hi);
        match (&self.shortened, both_signs_of_infinity || apart) {
            (Some(_), _) => Certainty::CutShort,
            (None, true) => Certainty::WideRange,
            (None, false) => Certainty::Decided,
        }
    }

    /// Formats the value with its standard error and unit, with enough digits that rounding does not move it across an
    /// end of the accepted range.
    pub(crate) fn measured(&self) -> String {
        let inside = self.accept.contains(&self.value);
        let digits = (4..17).find(|&d| self.accept.contains(&number::rounded(self.value, d)) == inside).unwrap_or(17);
        let value = number::short(self.value, digits);
        let text = match self.standard_error {
            Some(error) => format!("{value} ± {}", number::short(error, 2)),
            None => value,
        };
        with_unit(text, &self.unit)
    }

    /// Formats the accepted range with its unit, for example `1.9 … 2.1 rad` or `≤ 10⁻¹²`.
    pub(crate) fn accepted(&self) -> String {
        let lo = *self.accept.start();
        let hi = *self.accept.end();
        let text = |v| number::short(v, 17);
        let range = match (lo == f64::NEG_INFINITY, hi == f64::INFINITY) {
            (true, true) => "any number".into(),
            (true, false) => format!("≤ {}", text(hi)),
            (false, true) => format!("≥ {}", text(lo)),
            (false, false) if lo.total_cmp(&hi).is_eq() => format!("exactly {}", text(lo)),
            (false, false) => format!("{} … {}", text(lo), text(hi)),
        };
        with_unit(range, &self.unit)
    }
}

fn with_unit(text: String, unit: &str) -> String {
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(value: f64, accept: RangeInclusive<f64>) -> Verdict {
        Claim::ours("", value, accept).verdict()
    }

    #[test]
    fn both_edges_belong_to_the_range() {
        assert_eq!(verdict(1.9, 1.9..=2.1), Verdict::Holds);
        assert_eq!(verdict(2.1, 1.9..=2.1), Verdict::Holds);
        assert_eq!(verdict(2.1_f64.next_up(), 1.9..=2.1), Verdict::Fails);
        assert_eq!(verdict(1.9_f64.next_down(), 1.9..=2.1), Verdict::Fails);
    }

    #[test]
    fn nan_fails_whatever_is_accepted() {
        assert_eq!(verdict(f64::NAN, f64::NEG_INFINITY..=f64::INFINITY), Verdict::Fails);
        assert_eq!(verdict(1.0, f64::NAN..=2.0), Verdict::Fails);
        assert_eq!(verdict(1.0, 0.0..=f64::NAN), Verdict::Fails);
        assert_eq!(verdict(1.0, 2.0..=0.0), Verdict::Fails);
    }

    #[test]
    fn infinity_counts_where_it_is_accepted() {
        assert_eq!(verdict(f64::INFINITY, 10.0..=f64::INFINITY), Verdict::Holds);
        assert_eq!(verdict(f64::INFINITY, 10.0..=f64::MAX), Verdict::Fails);
    }

    #[test]
    fn a_differing_paper_is_visible_only_when_ours_holds() {
        let claim = |value| Claim::paper_differs("", "first order", "second order", value, 1.9..=2.1).verdict();
        assert_eq!(claim(2.0), Verdict::PaperDiffers);
        assert_eq!(claim(1.0), Verdict::Fails);
    }

    #[test]
    fn a_cut_run_and_a_wide_range_decide_less() {
        let certainty = |accept| Claim::ours("", 1.0, accept).certainty();
        assert_eq!(certainty(0.9..=1.1), Certainty::Decided);
        assert_eq!(certainty(0.0..=1e-12), Certainty::Decided);
        assert_eq!(certainty(0.5..=f64::INFINITY), Certainty::Decided);
        assert_eq!(certainty(0.1..=2.0), Certainty::WideRange);
        assert_eq!(certainty(-8.0..=-1.0), Certainty::WideRange);
        assert_eq!(certainty(f64::NEG_INFINITY..=f64::INFINITY), Certainty::WideRange);
        assert_eq!(Claim::ours("", 1.0, 0.9..=1.1).shortened(Some("half")).certainty(), Certainty::CutShort);
    }

    #[test]
    fn printed_digits_never_contradict_the_verdict() {
        assert_eq!(Claim::ours("", 2.100_004, 1.9..=2.1).measured(), "2.100004");
        assert_eq!(Claim::ours("", 2.000_004, 1.9..=2.1).unit("rad").measured(), "2.000 rad");
        assert_eq!(Claim::ours("", f64::NAN, 1.9..=2.1).measured(), "NaN");
    }

    #[test]
    fn a_standard_error_stands_beside_the_value() {
        let claim = Claim::ours("", Measured::within(2.000_004, 1.234e-4), 1.9..=2.1).unit("rad");
        assert_eq!(claim.measured(), "2.000 ± 1.2×10⁻⁴ rad");
        assert_eq!(Claim::ours("", Measured::within(2.0, f64::NAN), 1.9..=2.1).measured(), "2");
    }

    #[test]
    fn ranges_read_as_words() {
        assert_eq!(Claim::ours("", 0.0, f64::NEG_INFINITY..=1e-12).accepted(), "≤ 10⁻¹²");
        assert_eq!(Claim::ours("", 0.0, 1.9..=2.1).unit("s").accepted(), "1.9 … 2.1 s");
        assert_eq!(Claim::ours("", 0.0, 3.0..=3.0).accepted(), "exactly 3");
    }
}
