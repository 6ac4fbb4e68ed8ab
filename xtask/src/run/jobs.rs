//! Computes figures in parallel; a figure that fails or panics does not affect the others.
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::model::{Context, Effort, Figure, Memo};
use crate::run::board::Board;
use crate::run::finished::Finished;
use crate::run::outcome::{Outcome, Tally};

/// Message to the main thread, which waits for figures to be computed.
#[derive(Debug)]
pub(crate) enum Event {
    /// The computation of a figure has ended; the number is the index of the figure in the table.
    Done(usize, Box<Outcome>),
    /// The user has interrupted the program.
    Interrupt,
}

/// How the computation of the figures ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    All,
    Interrupted,
}

/// Figure that has to be computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    /// Index of the figure in the table.
    pub(crate) index: usize,
    pub(crate) figure: Figure,
    /// Time in s that the last computation of the figure took, if it is known.
    pub(crate) earlier: Option<f64>,
}

/// Computes the figures on up to `threads` threads, in the order of `jobs`, and passes each outcome with its index to
/// `each` as soon as it is computed.
///
/// The threads are not rayon tasks: a figure that waits inside a rayon loop could otherwise be given another whole
/// figure to compute meanwhile, and its time would include both. The threads are not joined: after an interrupt,
/// figures that are still being computed end with the process.
///
/// # Errors
/// The first error of `each`.
pub(crate) fn run_all(
    jobs: Vec<Job>,
    effort: Effort,
    threads: usize,
    board: &Arc<Board>,
    events: (&Sender<Event>, &Receiver<Event>),
    mut each: impl FnMut(usize, Outcome) -> Result<()>,
) -> Result<End> {
    let mut left = jobs.len();
    let memo = Memo::default();
    let jobs = Arc::new(jobs);
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 0..threads.clamp(1, left.max(1)) {
        let jobs = jobs.clone();
        let next = next.clone();
        let board = board.clone();
        let sender = events.0.clone();
        let memo = memo.clone();
        std::thread::spawn(move || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { break };
                let progress = board.start(number, job.figure.id, job.earlier);
                let outcome = run_one(job.figure, Context { effort, progress: progress.clone(), memo: memo.clone() });
                board.finish(number, &progress);
                if sender.send(Event::Done(job.index, Box::new(outcome))).is_err() {
                    break;
                }
            }
        });
    }
    // A figure counts as finished, and is reported, after `each` has processed it.
    let mut finish = |index, outcome: Outcome| {
        let line = status_line(&outcome);
        each(index, outcome)?;
        board.print(&line);
        anyhow::Ok(())
    };
    while left > 0 {
        match events.1.recv() {
            Ok(Event::Done(index, outcome)) => {
                finish(index, *outcome)?;
                left -= 1;
            }
            Ok(Event::Interrupt) | Err(_) => {
                while let Ok(event) = events.1.try_recv() {
                    if let Event::Done(index, outcome) = event {
                        finish(index, *outcome)?;
                    }
                }
                return Ok(End::Interrupted);
            }
        }
    }
    Ok(End::All)
}

/// Formats the outcome of a figure as one line: id, time and numbers of verdicts.
pub(crate) fn status_line(outcome: &Outcome) -> String {
    let verdicts = if outcome.result.is_ok() { Tally::of([outcome]).line() } else { "ERROR".into() };
    let time = if outcome.reused { "reused".into() } else { format!("{:.2} s", outcome.seconds) };
    format!("{:20}  {time:>10}  {verdicts}", outcome.figure.id)
}

/// Computes one figure, and turns errors and panics into an outcome.
fn run_one(figure: Figure, context: Context) -> Outcome {
    let start = Instant::now();
    let compute = || Finished::new(figure, (figure.run)(&context)?);
    // The state of a panicked figure is not used afterwards.
    let result = catch_unwind(AssertUnwindSafe(compute))
        .unwrap_or_else(|payload| Err(anyhow!("panicked: {}", message(payload.as_ref()))))
        .map_err(|error| format!("{error:#}"));
    Outcome { figure, seconds: start.elapsed().as_secs_f64(), reused: false, result }
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::figures::demo;
    use crate::run::forecast::Forecast;
    use crate::run::made_up;

    fn jobs() -> Vec<Job> {
        let job = |(index, figure)| Job { index, figure, earlier: None };
        demo::table().into_iter().enumerate().map(job).collect()
    }

    fn board() -> Arc<Board> {
        let count = jobs().len();
        Arc::new(Board::stderr(count, Forecast::new(1, vec![1.0; count])))
    }

    #[test]
    fn a_figure_that_errors_or_panics_does_not_stop_the_others() {
        for threads in [1, 3] {
            let (sender, receiver) = channel();
            let mut outcomes = Vec::new();
            let each = |index, outcome| {
                outcomes.push((index, outcome));
                Ok(())
            };
            let board = board();
            let end = run_all(jobs(), Effort::Quick, threads, &board, (&sender, &receiver), each).unwrap();
            assert_eq!(end, End::All);
            outcomes.sort_by_key(|(index, _)| *index);
            let outcomes: Vec<Outcome> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
            let ids = outcomes.iter().map(|outcome| outcome.figure.id);
            assert!(ids.eq(demo::table().iter().map(|figure| figure.id)));
            assert_eq!(Tally::of(&outcomes), made_up::TALLY);
            let errors: Vec<_> = outcomes.iter().filter_map(|o| o.result.as_ref().err()).collect();
            assert!(errors[0].contains("step 17: residual 0.3"), "{errors:?}");
            assert!(errors[1].contains("panicked: index 4"), "{errors:?}");
        }
    }

    #[test]
    fn an_interrupt_ends_the_run_and_an_error_of_the_reader_too() {
        let (sender, receiver) = channel();
        sender.send(Event::Interrupt).unwrap();
        let board = board();
        let end = run_all(jobs(), Effort::Quick, 1, &board, (&sender, &receiver), |_, _| Ok(())).unwrap();
        assert_eq!(end, End::Interrupted);
        let (sender, receiver) = channel();
        let full = |_, _| Err(anyhow!("disk full"));
        let error = run_all(jobs(), Effort::Quick, 1, &board, (&sender, &receiver), full).unwrap_err();
        assert!(error.to_string().contains("disk full"));
    }
}
