//! The progress of a run on the screen.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{print, tell};
use crate::error::GrainsError;
use crate::run::Run;

/// Shortest time between two updates of the progress bar on a terminal.
const UPDATE: Duration = Duration::from_millis(250);
/// Shortest time between two lines of progress in a log.
const LINE: Duration = Duration::from_secs(10);
/// Shortest time between two lines of progress in JSON.
const JSON_LINE: Duration = Duration::from_secs(1);
/// Number of equal parts of the simulated time that the progress bar counts.
const PARTS: u64 = 10_000;

fn parts_done(run: &Run) -> u64 {
    (run.simulation().share_done() * PARTS as f64) as u64
}

/// How a run shows its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// Progress as a bar on a terminal, as lines in a log.
    Words,
    /// Only the end of the run is shown.
    Quiet,
    /// Lines of JSON on the standard output, and messages on the standard error.
    Json,
}

#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    telling: Telling,
    begin: Instant,
    first: u64,
    last: Instant,
    between: Duration,
}

impl Progress {
    pub(super) fn new(run: &Run, telling: Telling) -> Self {
        let terminal = std::io::stderr().is_terminal() && telling == Telling::Words;
        let step = run.simulation().steps_taken();
        let bar = terminal.then(|| {
            let bar = ProgressBar::new(PARTS).with_position(parts_done(run));
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent:>3} % {msg}") {
                bar.set_style(style.progress_chars("━━ "));
            }
            bar
        });
        let now = Instant::now();
        let between = match telling {
            _ if terminal => UPDATE,
            Telling::Json => JSON_LINE,
            _ => LINE,
        };
        Self { bar, telling, begin: now, first: step, last: now, between }
    }

    /// Shows the progress if an update is due.
    ///
    /// # Errors
    /// Errors of the last step on several ranks.
    pub(super) fn show(&mut self, run: &mut Run) -> Result<(), GrainsError> {
        if self.telling == Telling::Quiet || self.last.elapsed() < self.between {
            return Ok(());
        }
        let update = Instant::now();
        run.gather()?;
        if self.telling == Telling::Json {
            print_json(in_json(run), "progress");
            self.last = Instant::now();
            return Ok(());
        }
        let text = self.text(run);
        let simulation = run.simulation();
        match &self.bar {
            Some(bar) => {
                bar.set_position(parts_done(run));
                bar.set_message(text);
            }
            None => tell(&format!("step {} of {}: {text}", simulation.steps_taken(), simulation.steps())),
        }
        // Limits the display to a fiftieth of the time.
        self.between = self.between.max(50 * update.elapsed());
        self.last = Instant::now();
        Ok(())
    }

    /// Prints a message of the run above the progress bar.
    pub(super) fn say(&self, line: &str) {
        match &self.bar {
            _ if self.telling == Telling::Quiet => {}
            Some(bar) => bar.suspend(|| tell(line)),
            None => tell(line),
        }
    }

    fn text(&self, run: &Run) -> String {
        let simulation = run.simulation();
        let step = simulation.steps_taken();
        let steps = simulation.steps();
        let rate = (step - self.first) as f64 / self.begin.elapsed().as_secs_f64();
        let left = Duration::from_secs_f64(((steps - step) as f64 / rate.max(1e-9)).min(1e9).round());
        let (error, contacts) = match simulation.read() {
            Ok(reading) => (run.energy_error(&reading), reading.contacts.len().to_string()),
            Err(_) => (None, "?".to_owned()),
        };
        let error = error.map_or_else(|| "-".to_owned(), |error| format!("{error:.1e}"));
        let most = if simulation.may_end_early() { "at most " } else { "" };
        format!(
            "t = {:.4}, {rate:.0} steps/s, energy error {error}, {contacts} contacts, {most}{} left",
            simulation.state().time(),
            indicatif::HumanDuration(left)
        )
    }

    pub(super) fn end(&mut self, run: &Run) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        } else if self.telling == Telling::Words && run.simulation().steps_taken() > self.first {
            tell(&self.text(run));
        }
    }
}

pub(super) fn in_json(run: &Run) -> Value {
    let simulation = run.simulation();
    let reading = simulation.read().ok();
    json!({
        "step": simulation.steps_taken(), "steps": simulation.steps(),
        "time": simulation.state().time(), "share": simulation.share_done(), "bodies": simulation.bodies().len(),
        "contacts": reading.as_ref().map(|reading| reading.contacts.len()),
        "energy_error": reading.as_ref().and_then(|reading| run.energy_error(reading)),
        "folder": run.folder(),
    })
}

/// Prints the state of a run as one line of JSON; `event` is the cause. Write errors are ignored, since a run's results
/// are in files.
pub(super) fn print_json(mut state: Value, event: &str) {
    state["event"] = event.into();
    let _printed = print(&state.to_string());
}
