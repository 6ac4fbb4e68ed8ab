//! One figure: pictures, views, claims, parameters, files.
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use crate::model::claim::{Claim, Standing, Verdict};
use crate::run::finished::{Finished, Picture, Scenery};
use crate::run::outcome::Outcome;

/// The figure's part of the page.
pub(super) fn section(outcome: &Outcome) -> Markup {
    let figure = &outcome.figure;
    html! {
        section id=(figure.id) {
            h2 { a href={ "#" (figure.id) } { (figure.title) } }
            p.faint {
                (figure.source) " · " (figure.id) " · " (format!("{:.2}", outcome.seconds)) " s"
                @if outcome.reused { " (reused)" }
            }
            @match &outcome.result {
                Ok(finished) => (body(finished)),
                Err(error) => div.error { "This figure could not be computed: " (error) },
            }
            p.faint {
                @if outcome.result.is_ok() { a href={ (figure.id) ".csv" } { "CSV" } " · " }
                a href={ (figure.id) ".json" } { "JSON" }
                @if let Ok(finished) = &outcome.result {
                    @for picture in &finished.pictures { " · " a href=(picture.name) { (picture.name) } }
                }
            }
        }
    }
}

fn body(finished: &Finished) -> Markup {
    html! {
        @if !finished.pictures.is_empty() || !finished.views.is_empty() {
            div.plots {
                @for picture in &finished.pictures { (still(picture)) }
                @for view in &finished.views { (scenery(view)) }
            }
        }
        @if !finished.caption.is_empty() { p.caption { (finished.caption) } }
        @if !finished.claims.is_empty() { (claims(&finished.claims)) }
        @if let Some(parameters) = finished.parameters.as_object() {
            details {
                summary { "Parameters" }
                table { tbody { @for (name, value) in parameters { tr { td { (name) } td { (plain(value)) } } } } }
            }
        }
    }
}

/// A picture; of plots, with a button that makes it one to zoom.
fn still(picture: &Picture) -> Markup {
    html! {
        figure.plot-figure data-plot=[picture.data.as_ref().map(|_| &picture.name)] data-state="still" {
            div.still { (PreEscaped(&picture.svg)) }
            @if picture.data.is_some() {
                div.live hidden {}
                button.zoom type="button" hidden { "Zoom and read off" }
            }
        }
    }
}

/// A view; what it is made of is put in by `views.js`.
fn scenery(view: &Scenery) -> Markup {
    html! {
        figure.view data-view=(view.id) data-kind=(view.kind) data-state="idle" {
            figcaption { (view.title) }
            div.stage role="img" aria-label=(view.title) tabindex="0" {
                p.faint { "To turn this in three dimensions the page needs scripts and WebGL; the still pictures show the same." }
            }
            div.controls {}
        }
    }
}

fn claims(claims: &[Claim]) -> Markup {
    html! {
        table.claims.stacked {
            thead { tr { th { "Claim" } th { "Paper says" } th { "Measured" } th { "Accepted" } th { "Verdict" } } }
            tbody {
                @for claim in claims {
                    tr {
                        td data-name="Claim" {
                            div {
                                (claim.text)
                                @if let Some(how) = &claim.shortened { span.cut { "shortened: " (how) } }
                            }
                        }
                        td data-name="Paper says" { div { (paper(&claim.standing)) } }
                        td data-name="Measured" { div.number { (claim.measured()) } }
                        td data-name="Accepted" { div.number { (claim.accepted()) } }
                        td data-name="Verdict" { div { (verdict(claim.verdict())) } }
                    }
                }
            }
        }
    }
}

fn paper(standing: &Standing) -> Markup {
    html! {
        @match standing {
            Standing::AsPaper { paper } => (paper),
            Standing::PaperDiffers { paper, instead } => { (paper) span.instead { strong { "Instead: " } (instead) } },
            Standing::Ours => span.faint { "says nothing; our own" },
        }
    }
}

fn verdict(verdict: Verdict) -> Markup {
    html! {
        @match verdict {
            Verdict::Holds => span.badge.good { "✓ holds" },
            Verdict::PaperDiffers => {
                span.badge.odd { "≠ not as printed" } " " span.badge.good { "✓ holds instead" }
            },
            Verdict::Fails => span.badge.bad { "✗ fails" },
        }
    }
}

/// JSON as a person would write it: text without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_a_wrong_paper_is_named() {
        let claim = Claim::paper_differs("a < b", "says c", "holds d", 1.0, 0.0..=2.0).shortened(Some("half"));
        let text = claims(&[claim]).into_string();
        for part in ["a &lt; b", "says c", "holds d", "not as printed", "holds instead", "shortened: half"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
