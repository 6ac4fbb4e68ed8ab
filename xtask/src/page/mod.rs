//! `index.html`: one file with style, plots, data and libraries inside, which works offline. Without scripts it shows
//! the same figures as still pictures.
//!
//! `summary` and `contents` stand on top, then a `section` for each figure. `assets` holds style, scripts and
//! libraries. The page is made of outcomes and knows neither figures' functions nor files.
mod assets;
mod contents;
mod section;
mod summary;

use maud::{DOCTYPE, html};

use crate::model::context::Effort;
use crate::model::figure::Figure;
use crate::run::outcome::{Outcome, Tally};
use crate::run::versions::Versions;

/// What holds for the run as a whole.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) effort: Effort,
    pub(crate) prefix: Option<&'a str>,
    pub(crate) seconds: f64,
    /// Figures that an interrupted run did not come to.
    pub(crate) missing: &'a [Figure],
    pub(crate) versions: &'a Versions,
}

/// The page's text.
pub(crate) fn page(outcomes: &[Outcome], run: &Run<'_>) -> String {
    let computed: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    let reused = outcomes.iter().filter(|outcome| outcome.reused).count();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Nothing is fetched from anywhere, and nothing could be.
                meta http-equiv="Content-Security-Policy" content=(assets::POLICY);
                title { "Reproduced figures: " (Tally::of(outcomes).line()) }
                (assets::style())
            }
            body {
                header {
                    h1 { "Reproduced figures" }
                    p.lead {
                        "Every figure of three papers on rigid bodies and grains, computed anew, with a verdict on every claim. "
                        "A claim is a number and the range that it must lie in; the run that made this page decided each."
                    }
                    (summary::summary(outcomes))
                    p.faint {
                        (outcomes.len()) " figures, " (run.effort.name()) " run of " (format!("{:.1}", run.seconds)) " s"
                        @if reused > 0 {
                            "; " (reused) " reused from an earlier run of the same code, " (format!("{computed:.1}")) " s of computing in all"
                        }
                        @if let Some(prefix) = run.prefix { "; only those whose id starts with “" (prefix) "”" }
                        @if run.effort == Effort::Quick { ". Claims whose run was cut say so." }
                    }
                    @if !run.missing.is_empty() {
                        p.error {
                            "The run was interrupted. Missing: "
                            (run.missing.iter().map(|figure| figure.id).collect::<Vec<_>>().join(", "))
                        }
                    }
                    (contents::contents(outcomes))
                    (summary::as_printed(outcomes))
                }
                main { @for outcome in outcomes { (section::section(outcome)) } }
                footer {
                    h2 { "Versions" }
                    p.faint { (run.versions.line()) }
                    (assets::notice())
                }
                (assets::scripts(outcomes))
            }
        }
    }
    .into_string()
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
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("No figures") && page.contains("0 claims hold"));
    }

    #[test]
    fn data_and_libraries_cannot_end_their_script_early() {
        let page = made(&made_up::outcomes(), &[demo::table()[4]]);
        let (opened, closed) = (page.matches("<script").count(), page.matches("</script").count());
        assert_eq!(opened, closed);
        assert!(page.contains("interrupted") && page.contains("demo-panic"));
        assert!(!page.contains("src=\"http") && !page.contains("<link"), "something would be fetched");
    }
}
