//! What is on the page, by paper, and beyond the papers.
use maud::{Markup, html};

use crate::run::outcome::{Outcome, Tally};

/// A paper, or what is beyond them: prefix of its figures' ids, what to call it, and what of it is not here.
struct Paper {
    prefix: &'static str,
    key: &'static str,
    name: &'static str,
    left_out: &'static str,
}

const PAPERS: [Paper; 4] = [
    Paper {
        prefix: "bg21",
        key: "[BG21]",
        name: "Baker and Gonzalez, Explicit variational time integrator based on rescaled Rodrigues parameters",
        left_out: "",
    },
    Paper {
        prefix: "dk21",
        key: "[DK21]",
        name: "De Klerk et al., A Variational Integrator for the Discrete Element Method",
        left_out: "Fig. 1 is a chart that classifies methods. There is nothing in it to compute, so it is left out.",
    },
    Paper {
        prefix: "ok18",
        key: "[OK18]",
        name: "Olsen and Kamrin, Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions",
        left_out: "",
    },
    Paper { prefix: "beyond", key: "Beyond the papers:", name: "contact dynamics with friction", left_out: "" },
];

/// A list for each paper, in the order of the table, and one for the rest.
pub(super) fn contents(outcomes: &[Outcome]) -> Markup {
    let of = |outcome: &&Outcome, paper: &Paper| outcome.figure.id.starts_with(paper.prefix);
    let rest: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| PAPERS.iter().all(|paper| !of(outcome, paper))).collect();
    html! {
        nav aria-label="Figures" {
            @if outcomes.is_empty() { p { "No figures in the table yet." } }
            @for paper in &PAPERS {
                @let figures: Vec<&Outcome> = outcomes.iter().filter(|outcome| of(outcome, paper)).collect();
                @if !figures.is_empty() {
                    h2 { (paper.key) " " span.name { (paper.name) } }
                    (list(&figures))
                    @if !paper.left_out.is_empty() { p.faint { (paper.left_out) } }
                }
            }
            @if !rest.is_empty() { (list(&rest)) }
        }
    }
}

fn list(figures: &[&Outcome]) -> Markup {
    html! {
        ol {
            @for outcome in figures {
                @let tally = Tally::of([*outcome]);
                li {
                    a href={ "#" (outcome.figure.id) } { (outcome.figure.title) }
                    span.faint { (outcome.figure.source) }
                    @if tally.hold > 0 { span.badge.good { (tally.hold) " ✓" } }
                    @if tally.differ > 0 { span.badge.odd { (tally.differ) " not as printed" } }
                    @if tally.fail > 0 { span.badge.bad { (tally.fail) " ✗" } }
                    @if tally.errored > 0 { span.badge.bad { "error" } }
                }
            }
        }
    }
}
