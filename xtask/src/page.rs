//! `index.html`: one file with style and plots inside, which works offline and without scripts.
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use crate::claim::{Claim, Standing, Verdict};
use crate::context::Effort;
use crate::run::{Finished, Outcome, Tally};
use crate::versions::Versions;

/// What holds for the run as a whole.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) effort: Effort,
    pub(crate) prefix: Option<&'a str>,
    pub(crate) seconds: f64,
    pub(crate) versions: &'a Versions,
}

/// The page's text.
pub(crate) fn page(outcomes: &[Outcome], run: &Run<'_>) -> String {
    let tally = Tally::of(outcomes);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Reproduced figures: " (tally.line()) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                header {
                    h1 { "Reproduced figures" }
                    (summary(tally))
                    p.faint {
                        (outcomes.len()) " figures, " (run.effort.name()) " run of " (format!("{:.1}", run.seconds)) " s"
                        @if let Some(prefix) = run.prefix { "; only those whose id starts with “" (prefix) "”" }
                        @if run.effort == Effort::Quick { ". Claims whose run was cut say so." }
                    }
                    (contents(outcomes))
                }
                main { @for outcome in outcomes { (section(outcome)) } }
                footer { p.faint { (run.versions.line()) } }
            }
        }
    }
    .into_string()
}

fn summary(tally: Tally) -> Markup {
    let plural = |n: usize, one: &'static str, many: &'static str| if n == 1 { one } else { many };
    html! {
        ul.tally {
            li.good[tally.hold > 0] { (tally.hold) (plural(tally.hold, " claim holds", " claims hold")) }
            li.bad[tally.fail > 0] { (tally.fail) (plural(tally.fail, " fails", " fail")) }
            li.odd[tally.differ > 0] { (tally.differ) " where the paper differs and ours holds" }
            @if tally.errored > 0 {
                li.bad { (tally.errored) (plural(tally.errored, " figure errored", " figures errored")) }
            }
        }
    }
}

fn contents(outcomes: &[Outcome]) -> Markup {
    html! {
        nav aria-label="Figures" {
            @if outcomes.is_empty() { p { "No figures in the table yet." } }
            @else {
                ol {
                    @for outcome in outcomes {
                        @let tally = Tally::of([outcome]);
                        li {
                            a href={ "#" (outcome.figure.id) } { (outcome.figure.title) }
                            span.faint { (outcome.figure.source) }
                            @if tally.hold > 0 { span.badge.good { (tally.hold) " ✓" } }
                            @if tally.differ > 0 { span.badge.odd { (tally.differ) " paper differs" } }
                            @if tally.fail > 0 { span.badge.bad { (tally.fail) " ✗" } }
                            @if tally.errored > 0 { span.badge.bad { "error" } }
                        }
                    }
                }
            }
        }
    }
}

fn section(outcome: &Outcome) -> Markup {
    let figure = &outcome.figure;
    html! {
        section id=(figure.id) {
            h2 { a href={ "#" (figure.id) } { (figure.title) } }
            p.faint { (figure.source) " · " (figure.id) " · " (format!("{:.2}", outcome.seconds)) " s" }
            @match &outcome.result {
                Ok(finished) => (body(finished)),
                Err(error) => div.error { "This figure could not be computed: " (error) },
            }
            p.faint {
                @if outcome.result.is_ok() { a href={ (figure.id) ".csv" } { "CSV" } " · " }
                a href={ (figure.id) ".json" } { "JSON" }
                @if let Ok(finished) = &outcome.result {
                    @for (name, _) in &finished.plots { " · " a href=(name) { (name) } }
                }
            }
        }
    }
}

fn body(finished: &Finished) -> Markup {
    let artifact = &finished.artifact;
    html! {
        @if !finished.plots.is_empty() {
            div.plots { @for (_, svg) in &finished.plots { figure { (PreEscaped(svg)) } } }
        }
        @if !artifact.caption.is_empty() { p.caption { (artifact.caption) } }
        @if !artifact.claims.is_empty() { (claims(&artifact.claims)) }
        @if let Some(parameters) = artifact.parameters.as_object() {
            details {
                summary { "Parameters" }
                table { tbody { @for (name, value) in parameters { tr { td { (name) } td { (plain(value)) } } } } }
            }
        }
    }
}

fn claims(claims: &[Claim]) -> Markup {
    html! {
        table.claims {
            thead { tr { th { "Claim" } th { "Paper" } th { "Measured" } th { "Accepted" } th { "Verdict" } } }
            tbody {
                @for claim in claims {
                    tr {
                        td data-name="Claim" {
                            div {
                                (claim.text)
                                @if let Some(how) = &claim.shortened { span.cut { "shortened: " (how) } }
                            }
                        }
                        td data-name="Paper" { div { (paper(&claim.standing)) } }
                        td data-name="Measured" { div.number { (claim.measured()) } }
                        td data-name="Accepted" { div.number { (claim.accepted()) } }
                        td data-name="Verdict" { div { (badge(claim.verdict())) } }
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

fn badge(verdict: Verdict) -> Markup {
    let (class, sign) = match verdict {
        Verdict::Holds => ("badge good", "✓"),
        Verdict::PaperDiffers => ("badge odd", "≠"),
        Verdict::Fails => ("badge bad", "✗"),
    };
    html! { span class=(class) { (sign) " " (verdict.label()) } }
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
    fn an_empty_table_still_makes_a_page() {
        let versions = Versions::detect();
        let page = page(&[], &Run { effort: Effort::Quick, prefix: None, seconds: 0.0, versions: &versions });
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("No figures") && page.contains("0 claims hold"));
    }

    #[test]
    fn text_is_escaped_and_a_wrong_paper_is_named() {
        let claim = Claim::paper_differs("a < b", "says c", "holds d", 1.0, 0.0..=2.0).shortened(Some("half"));
        let text = claims(&[claim]).into_string();
        for part in ["a &lt; b", "says c", "holds d", "paper differs: ours holds", "shortened: half"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
