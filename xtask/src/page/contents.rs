//! List of the figures by paper with a filter of verdicts, which remain visible while the page is scrolled.
use maud::{Markup, html};

use super::kinds::kinds_of;
use super::{papers, thumbnail};
use crate::run::{Counts, Outcome};

/// Filters of figures and claims: name in the style sheet, and name that the reader sees.
const FILTERS: [(&str, &str); 7] = [
    ("all", "everything"),
    ("holds", "holds"),
    ("differs", "not as printed"),
    ("open", "not decided"),
    ("fails", "fails"),
    ("beyond", "beyond the papers"),
    ("ours", "ours"),
];

pub(super) fn contents(outcomes: &[Outcome]) -> Markup {
    html! {
        nav.contents aria-label="Figures" {
            @if outcomes.is_empty() { p { "No figures in the table yet." } }
            @else { (filter(outcomes)) }
            details.list open {
                summary { "Figures" }
                @for (paper, figures) in papers::chapters(outcomes) {
                    p.chapter {
                        @if let Some(paper) = paper { a href={ "#" (paper.anchor()) } { (paper.key) } }
                        @else { "Beyond the papers" }
                    }
                    ol { @for outcome in figures { (entry(outcome)) } }
                }
            }
        }
    }
}

/// Returns the labels of the filter's radio buttons, which [`switches`] returns.
fn filter(outcomes: &[Outcome]) -> Markup {
    html! {
        div.filter {
            span.legend { "Show" }
            @for (kind, name, figures) in offered(outcomes) {
                label for={ "show-" (kind) } { span { (name) " " span.faint { (figures) } } }
            }
        }
    }
}

/// Returns the radio buttons of the filter. They precede everything that they filter on the page, so that the style
/// sheet can filter without scripts.
pub(super) fn switches(outcomes: &[Outcome]) -> Markup {
    html! {
        @for (kind, name, _) in offered(outcomes) {
            input.show type="radio" name="show" id={ "show-" (kind) } aria-label={ "Show " (name) } checked[kind == "all"];
        }
    }
}

/// Iterates over the filters that select at least one figure, with the number of figures that they select.
fn offered(outcomes: &[Outcome]) -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    let figures = |kind: &str| {
        outcomes.iter().filter(|outcome| kind == "all" || kinds_of(outcome).split(' ').any(|has| has == kind)).count()
    };
    FILTERS.iter().map(move |&(kind, name)| (kind, name, figures(kind))).filter(|(_, _, figures)| *figures > 0)
}

/// Returns the entry of one figure: thumbnail, title, and numbers of its verdicts.
fn entry(outcome: &Outcome) -> Markup {
    let counts = Counts::of([outcome]);
    html! {
        li data-has=(kinds_of(outcome)) {
            a href={ "#" (outcome.figure.id) } {
                @if let Some(picture) = thumbnail::first(outcome) { (thumbnail::thumbnail(picture)) }
                @else { span.thumbnail {} }
                span.title { (outcome.figure.title) }
            }
            span.marks {
                @if counts.hold > 0 { span.good { "✓" (counts.hold) } " " }
                @if counts.differ > 0 { span.odd { "≠" (counts.differ) } " " }
                @if counts.open > 0 { span.open { "?" (counts.open) } " " }
                @if counts.ours > 0 { span.ours { "+" (counts.ours) } " " }
                @if counts.bad() > 0 { span.bad { "✗" (counts.bad()) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::made_up;

    #[test]
    fn the_filter_offers_what_there_is_and_says_how_much() {
        let outcomes = made_up::outcomes();
        let text = switches(&outcomes).into_string() + &contents(&outcomes).into_string();
        assert!(text.contains("id=\"show-differs\"") && !text.contains("id=\"show-open\""), "{text}");
        assert!(text.contains("data-has=\"differs fails holds\""), "{text}");
    }
}
