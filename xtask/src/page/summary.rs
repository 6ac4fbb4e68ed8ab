//! How many claims hold, and which statements of the papers do not hold as printed, and why.
use maud::{Markup, html};

use crate::model::claim::{Standing, Verdict};
use crate::run::outcome::{Outcome, Tally};

/// The counts.
pub(super) fn summary(outcomes: &[Outcome]) -> Markup {
    let tally = Tally::of(outcomes);
    let plural = |n: usize, one: &'static str, many: &'static str| if n == 1 { one } else { many };
    html! {
        ul.tally {
            li.good[tally.hold > 0] { "✓ " (tally.hold) (plural(tally.hold, " claim holds", " claims hold")) }
            li.odd[tally.differ > 0] {
                "≠ " (tally.differ) (plural(tally.differ, " does not hold as printed", " do not hold as printed"))
                @if tally.differ > 0 { "; what we state instead holds" }
            }
            li.bad[tally.fail > 0] { "✗ " (tally.fail) (plural(tally.fail, " fails", " fail")) }
            @if tally.errored > 0 {
                li.bad { (tally.errored) (plural(tally.errored, " figure errored", " figures errored")) }
            }
        }
    }
}

/// One statement of a paper that does not hold, what holds instead, and the figures that show it.
struct Erratum<'a> {
    paper: &'a str,
    instead: &'a str,
    figures: Vec<&'a Outcome>,
    claims: usize,
}

/// The statements that do not hold as printed; claims with the same words share a row.
pub(super) fn as_printed(outcomes: &[Outcome]) -> Markup {
    let mut errata: Vec<Erratum<'_>> = Vec::new();
    for outcome in outcomes {
        let Ok(finished) = &outcome.result else { continue };
        for claim in &finished.claims {
            let Standing::PaperDiffers { paper, instead } = &claim.standing else { continue };
            // What failed holds neither as printed nor instead.
            if claim.verdict() != Verdict::PaperDiffers {
                continue;
            }
            match errata.iter_mut().find(|known| known.paper == paper && known.instead == instead) {
                Some(known) => {
                    known.claims += 1;
                    if known.figures.iter().all(|figure| figure.figure.id != outcome.figure.id) {
                        known.figures.push(outcome);
                    }
                }
                None => errata.push(Erratum { paper, instead, figures: vec![outcome], claims: 1 }),
            }
        }
    }
    html! {
        @if !errata.is_empty() {
            section #as-printed {
                h2 { "What does not hold as printed, and why" }
                table.stacked {
                    thead { tr { th { "The paper says" } th { "Holds instead" } th { "Shown by" } } }
                    tbody {
                        @for erratum in &errata {
                            tr {
                                td data-name="Paper" { div { (erratum.paper) } }
                                td data-name="Instead" { div { (erratum.instead) } }
                                td data-name="Shown by" {
                                    div {
                                        @for (k, outcome) in erratum.figures.iter().enumerate() {
                                            @if k > 0 { ", " }
                                            a href={ "#" (outcome.figure.id) } { (outcome.figure.id) }
                                        }
                                        @if erratum.claims > 1 { span.faint { " " (erratum.claims) " claims" } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn statements_that_do_not_hold_are_named_with_the_figure_that_shows_it() {
        let text = as_printed(&made_up::outcomes()).into_string();
        assert!(text.contains("first order: the velocity") && text.contains("href=\"#demo-order\""), "{text}");
        assert_eq!(as_printed(&[]).into_string(), "");
    }
}
