//! Outcomes of the made-up figures of `figures::demo`, for tests of the page and of reports.
use crate::figures::demo;
use crate::model::{Context, Effort, Figure, Memo, Progress};
use crate::run::finished::Finished;
use crate::run::outcome::{Outcome, Tally};

pub(crate) const TALLY: Tally = Tally { hold: 2, differ: 1, fail: 1, errored: 2 };

pub(crate) fn finished(figure: Figure) -> Finished {
    let context = context();
    Finished::new(figure, (figure.run)(&context).unwrap()).unwrap()
}

/// Computes all made-up figures except the one that panics, and returns their outcomes.
pub(crate) fn outcomes() -> Vec<Outcome> {
    let context = context();
    let outcome = |figure: Figure| {
        let result = (figure.run)(&context).and_then(|artifact| Finished::new(figure, artifact));
        Outcome { figure, seconds: 1.0, reused: false, result: result.map_err(|error| error.to_string()) }
    };
    demo::table().into_iter().filter(|figure| figure.id != "demo-panic").map(outcome).collect()
}

fn context() -> Context {
    Context { effort: Effort::Quick, progress: Progress::hidden(), memo: Memo::default() }
}
