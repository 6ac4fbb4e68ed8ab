//! First screen of the page: how many statements of the papers hold, and which do not hold as printed, with reasons.
use maud::{Markup, html};

use super::math;
use super::papers::{self, PAPERS, Paper};
use super::thumbnail;
use crate::model::{Claim, Effort, Standing, Verdict};
use crate::run::{Counts, Outcome, Picture};

/// Returns a paragraph with the numbers of claims that hold and of claims that do not.
pub(super) fn verdict(outcomes: &[Outcome], effort: Effort) -> Markup {
    let counts = Counts::of(outcomes);
    let fail = counts.fail + counts.ours_fail;
    html! {
        p.verdict {
            strong.good { (counts.hold) } " of " (counts.of_the_paper()) " claims of the papers hold, "
            strong.odd { (counts.differ) } (one(counts.differ, " does not hold as printed", " do not hold as printed"))
            @if counts.open > 0 { ", " strong.open { (counts.open) } " hold as far as this run goes" }
            "; " strong.ours { (counts.ours) }
            (one(counts.ours, " more is ours, and holds.", " more are ours, and hold."))
            @if fail > 0 { " " strong.bad { "✗ " (fail) (one(fail, " claim fails.", " claims fail.")) } }
            @if counts.errored > 0 {
                " " strong.bad { (counts.errored) (one(counts.errored, " figure errored.", " figures errored.")) }
            }
        }
        @if effort == Effort::Quick && counts.open > 0 {
            p.faint { "A quick run cuts long computations short. What it cannot decide is grey; the full run decides it." }
        }
    }
}

/// Returns the singular `one` or the plural `many` of a phrase about `n` things.
fn one(n: usize, one: &'static str, many: &'static str) -> &'static str {
    if n == 1 { one } else { many }
}

/// Returns a card for each paper of which figures were computed.
pub(super) fn cards(outcomes: &[Outcome]) -> Markup {
    let figures = |paper: &'static Paper| outcomes.iter().filter(move |outcome| papers::of(outcome) == Some(paper));
    html! {
        div.cards {
            @for paper in PAPERS.iter().filter(|paper| figures(paper).next().is_some()) {
                (card(paper, &figures(paper).collect::<Vec<_>>()))
            }
        }
    }
}

/// Returns the card of one paper: picture, title, equation and numbers of claims.
fn card(paper: &'static Paper, figures: &[&Outcome]) -> Markup {
    let counts = Counts::of(figures.iter().copied());
    let pictures = || figures.iter().filter_map(|outcome| outcome.result.as_ref().ok()).flat_map(|f| &f.pictures);
    let telling: Option<&Picture> =
        pictures().find(|picture| picture.name == paper.picture).or_else(|| pictures().next());
    html! {
        article.card {
            @if let Some(picture) = telling {
                a.telling href={ "#" (paper.anchor()) } aria-label={ "Figures of " (paper.key) } { (thumbnail::thumbnail(picture)) }
            }
            h2 { a href={ "#" (paper.anchor()) } { (paper.key) } " " span.name { (paper.title) } }
            p.equation { (math::display(paper.equation)) span.faint { (paper.equation_name) } }
            p.counts {
                span.badge.good { (counts.hold) " of " (counts.of_the_paper()) " hold" }
                @if counts.differ > 0 { " " span.badge.odd { (counts.differ) " not as printed" } }
                @if counts.open > 0 { " " span.badge.open { (counts.open) " open" } }
                @if counts.bad() > 0 { " " span.badge.bad { (counts.bad()) " fail" } }
                " " span.badge.ours { (counts.ours) " ours" }
            }
            p.faint { (paper.authors) ", " a href=(paper.link()) { "doi:" (paper.doi) } }
        }
    }
}

/// Wrong statement of a paper, its correction, and the claims that show both, each with its figure.
struct Erratum<'a> {
    paper: &'a str,
    instead: &'a str,
    claims: Vec<(&'a Outcome, &'a Claim)>,
}

/// Collects the statements of the papers that are wrong as printed; claims about the same statement and with the same
/// correction are grouped.
fn errata(outcomes: &[Outcome]) -> Vec<Erratum<'_>> {
    let mut errata: Vec<Erratum<'_>> = Vec::new();
    let finished = outcomes.iter().filter_map(|outcome| Some((outcome, outcome.result.as_ref().ok()?)));
    for (outcome, claim) in finished.flat_map(|(outcome, done)| done.claims.iter().map(move |claim| (outcome, claim))) {
        let Standing::PaperDiffers { paper, instead } = &claim.standing else { continue };
        // A failed claim holds neither as printed nor as corrected.
        if claim.verdict() != Verdict::PaperDiffers {
            continue;
        }
        match errata.iter_mut().find(|known| known.paper == paper && known.instead == instead) {
            Some(known) => known.claims.push((outcome, claim)),
            None => errata.push(Erratum { paper, instead, claims: vec![(outcome, claim)] }),
        }
    }
    errata
}

/// Returns the table of the papers' statements that are wrong as printed; nothing if there are none.
pub(super) fn as_printed(outcomes: &[Outcome]) -> Markup {
    let errata = errata(outcomes);
    html! {
        @if !errata.is_empty() {
            section #as-printed {
                h2 { "What does not hold as printed, and why" }
                table.stacked {
                    thead { tr { th { "Paper" } th { "Says" } th { "Measured" } th { "Why, and what holds instead" } th { "Shown by" } } }
                    tbody { @for erratum in &errata { (row(erratum)) } }
                }
            }
        }
    }
}

/// Returns a row of the table for one wrong statement.
fn row(erratum: &Erratum<'_>) -> Markup {
    let (first, claim) = erratum.claims[0];
    let mut figures: Vec<&Outcome> = Vec::new();
    for (outcome, _) in &erratum.claims {
        if figures.iter().all(|known| known.figure.id != outcome.figure.id) {
            figures.push(outcome);
        }
    }
    html! {
        tr {
            td data-name="Paper" { div { (papers::of(first).map_or("", |paper| paper.key)) } }
            td data-name="Says" { div { (math::text(erratum.paper)) } }
            td data-name="Measured" {
                div {
                    span.faint { (math::text(&claim.text)) ": " } span.number { (claim.measured()) }
                    @if erratum.claims.len() > 1 { span.faint { "; " (erratum.claims.len()) " claims in all" } }
                }
            }
            td data-name="Why" { div { (math::text(erratum.instead)) } }
            td data-name="Shown by" {
                div {
                    @for (k, outcome) in figures.iter().enumerate() {
                        @if k > 0 { ", " }
                        a href={ "#" (outcome.figure.id) } { (outcome.figure.id) }
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
        for part in ["first order: the velocity", "href=\"#demo-order\"", "observed order of (21)", "1.003"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(as_printed(&[]).into_string(), "");
    }

    #[test]
    fn the_sentence_counts_what_holds_and_what_does_not() {
        let text = verdict(&made_up::outcomes(), Effort::Full).into_string();
        assert!(
            text.contains(">1</strong> of 3 claims of the papers hold") && text.contains("1 claim fails."),
            "{text}"
        );
    }
}
