//! The page `index.html` with all figures and claims: one file with embedded styles, plots, data and libraries, which
//! works offline. Without scripts it shows static pictures of the same figures.
//!
//! `summary` is the first screen, with the `papers` and the verdicts on their claims. `contents` is the list beside the
//! figures, each of which is a `section`; `kinds` are its filters. `thumbnail` and `math` make small pictures and
//! equations. `assets` has styles, scripts and libraries. The page is made of outcomes; it computes no figures and
//! reads no files.
mod assets;
mod contents;
mod kinds;
mod math;
mod papers;
mod section;
mod summary;
mod thumbnail;

use grains_pages::{figure, number, web};
use maud::{DOCTYPE, Markup, html};

use crate::model::{Effort, Figure};
use crate::run::{Outcome, Tally, Versions};
use papers::Paper;

/// Facts about the computation of the figures that the page states.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) effort: Effort,
    pub(crate) prefix: Option<&'a str>,
    pub(crate) seconds: f64,
    /// Figures that were not computed because of an interrupt.
    pub(crate) missing: &'a [Figure],
    pub(crate) versions: &'a Versions,
}

/// Returns the HTML text of the page.
pub(crate) fn page(outcomes: &[Outcome], run: &Run<'_>) -> String {
    let computed: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    let reused = outcomes.iter().filter(|outcome| outcome.reused).count();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // The policy forbids all external contents; the page has none.
                meta http-equiv="Content-Security-Policy" content=(web::POLICY);
                title { "Reproduced figures: " (Tally::of(outcomes).line()) }
                (assets::style())
                (figure::styles(pictures(outcomes)))
            }
            body {
                a.skip href="#figures" { "Skip to the figures" }
                header {
                    h1 { "Three papers on rigid bodies and grains, computed anew" }
                    (summary::verdict(outcomes, run.effort))
                    @if !run.missing.is_empty() {
                        p.error {
                            "The run was interrupted. Missing: "
                            (run.missing.iter().map(|figure| figure.id).collect::<Vec<_>>().join(", "))
                        }
                    }
                    (summary::cards(outcomes))
                    (summary::as_printed(outcomes))
                }
                div.reading {
                    (contents::switches(outcomes))
                    (contents::contents(outcomes))
                    main #figures tabindex="-1" {
                        @for (paper, figures) in papers::chapters(outcomes) { (chapter(paper, figures)) }
                    }
                }
                footer {
                    h2 { "How this page was made" }
                    p {
                        "A claim is a number and the range that it must lie in; the run that made this page decided each. "
                        "A claim of ours is one that no paper makes. What follows ± is one standard error, of a fit or of a mean."
                    }
                    p {
                        "Numbers of the papers are those of their texts and tables. Curves of their figures are not here: "
                        "the curves beside ours are closed forms, runs of LAMMPS with the papers' settings, and results of independent programs."
                    }
                    p.faint {
                        (outcomes.len()) " figures, " (run.effort.name()) " run of " (seconds(run.seconds))
                        @if reused > 0 {
                            "; " (reused) " reused from an earlier run of the same code, " (seconds(computed)) " of computing in all"
                        }
                        @if let Some(prefix) = run.prefix { "; only those whose id starts with “" (prefix) "”" }
                        "."
                    }
                    h3 { "Versions" }
                    p.faint { (run.versions.line()) }
                    (assets::notice())
                }
                (assets::scripts(outcomes))
            }
        }
    }
    .into_string()
}

/// Iterates over the SVG texts of all pictures.
fn pictures(outcomes: &[Outcome]) -> impl Iterator<Item = &str> {
    let finished = outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    finished.flat_map(|finished| &finished.pictures).map(|picture| &picture.svg[..])
}

/// Returns the chapter of one paper, or of our own figures: a heading and a section for each figure.
fn chapter(paper: Option<&Paper>, figures: &[Outcome]) -> Markup {
    html! {
        @if let Some(paper) = paper {
            div.chapter id=(paper.anchor()) {
                h2 { (paper.key) " " span.name { (paper.title) } }
                p.faint { (paper.authors) ", " a href=(paper.link()) { "doi:" (paper.doi) } }
                @if !paper.left_out.is_empty() { p.faint { (paper.left_out) } }
            }
        } @else {
            div.chapter { h2 { "Beyond the papers" } }
        }
        @for outcome in figures { (section::section(outcome)) }
    }
}

/// Formats a time in s with three digits and its unit.
fn seconds(time: f64) -> String {
    format!("{} s", number::short(time, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::demo;
    use crate::run::made_up;

    fn made(outcomes: &[Outcome], missing: &[Figure]) -> String {
        let versions = Versions::detect();
        page(outcomes, &Run { effort: Effort::Quick, prefix: None, seconds: 0.0, missing, versions: &versions })
    }

    #[test]
    fn an_empty_table_still_makes_a_page() {
        let page = made(&[], &[]);
        assert!(
            page.starts_with("<!DOCTYPE html>")
                && page.contains("No figures")
                && page.contains(">0</strong> of 0 claims")
        );
    }

    #[test]
    fn data_and_libraries_cannot_end_their_script_early() {
        let page = made(&made_up::outcomes(), &[demo::table()[4]]);
        let opened = page.matches("<script").count();
        let closed = page.matches("</script").count();
        assert_eq!(opened, closed);
        assert!(page.contains("interrupted") && page.contains("demo-panic"));
        assert!(!page.contains("src=\"http") && !page.contains("<link"), "something would be fetched");
    }
}
