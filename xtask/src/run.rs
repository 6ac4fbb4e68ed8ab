//! Runs figures side by side, keeps each one's failure to itself, and counts verdicts.
use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, ensure};

use crate::artifact::Artifact;
use crate::claim::{Claim, Verdict};
use crate::context::{Context, Effort};
use crate::figure::{Figure, is_id};
use crate::progress::{Board, Progress};
use crate::table::Table;

/// A figure that was tried.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) figure: Figure,
    pub(crate) seconds: f64,
    pub(crate) result: Result<Finished, String>,
}

/// A figure that was computed, with the text of its files.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) artifact: Artifact,
    /// File name and contents of drawings and plots.
    pub(crate) plots: Vec<(String, String)>,
    pub(crate) csv: String,
}

/// Verdicts counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) hold: usize,
    pub(crate) differ: usize,
    pub(crate) fail: usize,
    /// Figures that could not be computed.
    pub(crate) errored: usize,
}

impl Tally {
    pub(crate) fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            match &outcome.result {
                Ok(finished) => finished.artifact.claims.iter().for_each(|claim| tally.count(claim)),
                Err(_) => tally.errored += 1,
            }
        }
        tally
    }

    fn count(&mut self, claim: &Claim) {
        match claim.verdict() {
            Verdict::Holds => self.hold += 1,
            Verdict::PaperDiffers => self.differ += 1,
            Verdict::Fails => self.fail += 1,
        }
    }

    /// 0, or 1 when a claim fails or a figure could not be computed.
    pub(crate) fn exit_code(self) -> u8 {
        u8::from(self.fail + self.errored > 0)
    }

    /// In words; parts that are zero stay out, except the first.
    pub(crate) fn line(self) -> String {
        let mut parts = vec![format!("{} hold", self.hold)];
        let rest = [(self.differ, "hold where the paper differs"), (self.fail, "FAIL"), (self.errored, "ERROR")];
        parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        parts.join(", ")
    }
}

/// Runs the figures on up to `jobs` threads; the outcomes come in the order of `figures`.
///
/// Plain threads and not rayon tasks: a figure that waits inside a rayon loop would otherwise be handed another whole
/// figure to run meanwhile, and its time would count both.
pub(crate) fn run_all(figures: &[Figure], effort: Effort, jobs: usize, board: &Board) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes: Vec<OnceLock<Outcome>> = figures.iter().map(|_| OnceLock::new()).collect();
    let width = figures.iter().map(|figure| figure.id.len()).max().unwrap_or(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, figures.len().max(1)) {
            scope.spawn(|| {
                while let Some((index, figure)) = take(&next, figures) {
                    let progress = board.start(figure.id);
                    let outcome = run_one(*figure, effort, progress.clone());
                    let verdicts = Tally::of([&outcome]).line();
                    let verdicts = if outcome.result.is_ok() { verdicts } else { "ERROR".into() };
                    board.finish(
                        index,
                        &progress,
                        format!("{:width$}  {:>8.2} s  {verdicts}", figure.id, outcome.seconds),
                    );
                    let _first = outcomes[index].set(outcome);
                }
            });
        }
    });
    outcomes.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn take<'a>(next: &AtomicUsize, figures: &'a [Figure]) -> Option<(usize, &'a Figure)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    figures.get(index).map(|figure| (index, figure))
}

fn run_one(figure: Figure, effort: Effort, progress: Progress) -> Outcome {
    let start = Instant::now();
    let context = Context { effort, progress };
    // Nothing of a figure that panicked is looked at afterwards.
    let result = catch_unwind(AssertUnwindSafe(|| compute(figure, &context)))
        .unwrap_or_else(|payload| Err(anyhow!("panicked: {}", message(payload.as_ref()))))
        .map_err(|error| format!("{error:#}"));
    Outcome { figure, seconds: start.elapsed().as_secs_f64(), result }
}

fn compute(figure: Figure, context: &Context) -> Result<Finished> {
    let artifact = (figure.run)(context)?;
    let mut seen = BTreeSet::new();
    let mut plots = Vec::new();
    let mut add = |id: &'static str, svg: String| {
        ensure!(is_id(id), "plot id {id:?} is not made of a-z, 0-9 and '-' alone");
        ensure!(seen.insert(id), "plot id {id:?} occurs twice in the figure");
        plots.push((format!("{}-{id}.svg", figure.id), svg));
        Ok(())
    };
    for drawing in &artifact.drawings {
        add(drawing.id, drawing.svg())?;
    }
    for plot in &artifact.plots {
        add(plot.id, plot.svg().with_context(|| format!("drawing plot {:?}", plot.id))?)?;
    }
    let csv = match &artifact.table {
        Some(table) => table.csv(),
        None => Table::of_plots(&artifact.plots).csv(),
    };
    Ok(Finished { csv: csv.context("writing the CSV text")?, plots, artifact })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;

    #[test]
    fn only_failures_and_errors_make_the_exit_code() {
        assert_eq!(Tally::default().exit_code(), 0);
        assert_eq!(Tally { hold: 3, differ: 2, ..Tally::default() }.exit_code(), 0);
        assert_eq!(Tally { hold: 3, fail: 1, ..Tally::default() }.exit_code(), 1);
        assert_eq!(Tally { errored: 256, ..Tally::default() }.exit_code(), 1);
    }

    #[test]
    fn a_figure_that_errors_or_panics_does_not_stop_the_others() {
        let figures = demo::table();
        for jobs in [1, 3] {
            let outcomes = run_all(&figures, Effort::Quick, jobs, &Board::stderr());
            let ids = |figures: &mut dyn Iterator<Item = &Figure>| figures.map(|f| f.id).collect::<Vec<_>>();
            assert_eq!(ids(&mut outcomes.iter().map(|o| &o.figure)), ids(&mut figures.iter()));
            assert_eq!(Tally::of(&outcomes), demo::TALLY);
            let errors: Vec<_> = outcomes.iter().filter_map(|o| o.result.as_ref().err()).collect();
            assert!(errors[0].contains("step 17: residual 0.3"), "{errors:?}");
            assert!(errors[1].contains("panicked: index 4"), "{errors:?}");
        }
    }
}
