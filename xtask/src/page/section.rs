//! Section of one figure on the page: pictures, views, caption, claims, parameters, and links to files.
use grains_pages::{figure, number};
use maud::{Markup, html};
use serde_json::Value;

use super::kinds::{kinds, kinds_of};
use super::math;
use crate::model::{Certainty, Claim, Standing, Verdict};
use crate::run::{Finished, Outcome, Picture, Scenery};

/// Length in bytes above which a caption that has its own row is set in two columns.
const LONG: usize = 400;

pub(super) fn section(outcome: &Outcome) -> Markup {
    let figure = &outcome.figure;
    html! {
        section id=(figure.id) data-has=(kinds_of(outcome)) {
            h3 { a href={ "#" (figure.id) } { (figure.title) } }
            p.faint { (figure.source) }
            @match &outcome.result {
                Ok(finished) => (body(finished)),
                Err(error) => div.error { "This figure could not be computed: " (error) },
            }
            p.faint.files {
                (super::seconds(outcome.seconds))
                @if outcome.reused { " (reused)" }
                @if outcome.result.is_ok() { " · " a href={ (figure.id) ".csv" } { "CSV" } }
                " · " a href={ (figure.id) ".json" } { "JSON" }
                @if let Ok(finished) = &outcome.result {
                    @for picture in &finished.pictures { " · " a href=(picture.name) { (picture.name) } }
                }
            }
        }
    }
}

/// Returns the pictures, views, caption, claims and parameters of a computed figure. Pictures are in two columns; after
/// an odd number of them, the caption fills the free place.
fn body(finished: &Finished) -> Markup {
    let wide = finished.pictures.iter().filter(|picture| is_wide(picture)).count();
    let floors = finished.views.iter().filter(|view| view.kind == "floors").count();
    let is_even = (finished.pictures.len() + finished.views.len() - wide - floors).is_multiple_of(2);
    let is_long = finished.caption.len() > LONG;
    html! {
        div.plots {
            @for picture in &finished.pictures { (still(picture)) }
            @for view in &finished.views { (scenery(view)) }
            @if !finished.caption.is_empty() { p.caption.across[is_even].long[is_even && is_long] { (math::text(&finished.caption)) } }
        }
        @if !finished.claims.is_empty() { (claims(&finished.claims)) }
        @if let Some(parameters) = finished.parameters.as_object() {
            details {
                summary { "Parameters" }
                table { tbody { @for (name, value) in parameters { tr { td { (name) } td { (plain(value)) } } } } }
            }
        }
    }
}

/// Returns whether a picture is so wide that it has its own row, as drawings with several panels are.
fn is_wide(picture: &Picture) -> bool {
    picture.svg.contains("class=\"drawing wide\"")
}

/// Returns a picture as HTML; a plot has a button that makes it interactive.
fn still(picture: &Picture) -> Markup {
    if picture.data.is_some() {
        return figure::interactive(&picture.name, &picture.svg);
    }
    html! {
        figure.wide[is_wide(picture)] data-state="still" {
            div.still.sheet { (figure::element(&picture.name, &picture.svg)) }
        }
    }
}

/// Returns an empty HTML element for a view, which `views.js` fills.
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

/// Returns the HTML table of a figure's claims with measured values, accepted ranges and verdicts.
fn claims(claims: &[Claim]) -> Markup {
    html! {
        table.claims.stacked {
            thead { tr { th { "Claim" } th { "Paper says" } th { "Measured" } th { "Accepted" } th { "Verdict" } } }
            tbody {
                @for claim in claims {
                    tr data-is=(kinds(claim)) {
                        td data-name="Claim" {
                            div {
                                (math::text(&claim.text))
                                @if let Some(how) = &claim.shortened { span.cut { "run cut short: " (math::text(how)) } }
                            }
                        }
                        td data-name="Paper says" { div { (paper(&claim.standing)) } }
                        td data-name="Measured" { div.number { (claim.measured()) } }
                        td data-name="Accepted" { div.number { (claim.accepted()) } }
                        td data-name="Verdict" { div { (verdict(claim)) } }
                    }
                }
            }
        }
    }
}

/// Returns what the paper says about a claim, and the correction if it is wrong.
fn paper(standing: &Standing) -> Markup {
    html! {
        @match standing {
            Standing::AsPaper { paper } => (math::text(paper)),
            Standing::PaperDiffers { paper, instead } => { (math::text(paper)) span.instead { strong { "Instead: " } (math::text(instead)) } },
            Standing::Ours => span.faint { "nothing; ours" },
        }
    }
}

/// Returns the badges with the verdict on a claim.
fn verdict(claim: &Claim) -> Markup {
    html! {
        @match (claim.verdict(), claim.certainty()) {
            (Verdict::Fails, _) => span.badge.bad { "✗ fails" },
            (Verdict::PaperDiffers, Certainty::CutShort) => {
                span.badge.odd { "≠ not as printed" } " " span.badge.open { "? so far" }
            },
            (Verdict::PaperDiffers, _) => {
                span.badge.odd { "≠ not as printed" } " " span.badge.good { "✓ holds instead" }
            },
            (Verdict::Holds, Certainty::CutShort) => span.badge.open { "? holds so far" },
            (Verdict::Holds, Certainty::WideRange) => span.badge.open { "✓ in a wide range" },
            (Verdict::Holds, Certainty::Decided) => span.badge.good { "✓ holds" },
        }
    }
}

/// Formats a JSON value for readers: text without quotes, numbers as everywhere on the page.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, |v| number::short(v, 17)),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(items) => {
            items.iter().map(|(name, value)| format!("{name}: {}", plain(value))).collect::<Vec<_>>().join("; ")
        }
        Value::Null => "–".into(),
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
        for part in
            ["a &lt; <i>b</i>", "says <i>c</i>", "holds <i>d</i>", "not as printed", "so far", "run cut short: half"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn parameters_read_like_other_numbers() {
        let value = serde_json::json!({ "h": 1e-6, "n": [3, 0.5], "of": null });
        assert_eq!(plain(&value), "h: 10⁻⁶; n: 3, 0.5; of: –");
    }
}
