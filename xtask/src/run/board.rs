//! Progress of the computation of figures on stderr: bars on a terminal, and one plain line per finished figure.
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::model::Progress;
use crate::run::forecast::{Forecast, in_words};

/// Progress display, shared by the threads that compute figures.
#[derive(Debug)]
pub(crate) struct Board {
    bars: MultiProgress,
    terminal: bool,
    start: Instant,
    run: Mutex<Run>,
}

/// Numbers of all figures and of finished ones, and the forecast of the remaining time.
#[derive(Debug)]
struct Run {
    figures: usize,
    finished: usize,
    forecast: Forecast,
}

impl Run {
    /// Formats the progress and the remaining time at the time `now` (s), for example `7 of 55, 12 min left`; at the
    /// end without a time.
    fn line(&self, now: f64) -> String {
        let counts = format!("{:>2} of {}", self.finished, self.figures);
        if self.finished == self.figures { counts } else { format!("{counts}, {}", in_words(self.forecast.left(now))) }
    }
}

impl Board {
    /// Makes the progress display for this number of figures; `forecast` covers only those that have to be computed.
    pub(crate) fn stderr(figures: usize, forecast: Forecast) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let run = Mutex::new(Run { figures, finished: 0, forecast });
        Self { bars: MultiProgress::with_draw_target(target), terminal, start: Instant::now(), run }
    }

    /// Returns the time in s since the display was made.
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a progress bar for the figure `id`, job number `job`, which starts now. `earlier` is the time in s that its
    /// last computation took.
    pub(crate) fn start(&self, job: usize, id: &'static str, earlier: Option<f64>) -> Progress {
        self.run().forecast.start(job, self.now());
        let bar = self.bars.add(ProgressBar::new(0));
        // An invalid template would leave the default style, which also works.
        let template = "{spinner} {prefix} {elapsed:>4} [{wide_bar}] {left:>12}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let done = state.len().filter(|len| *len > 0).map_or(0.0, |len| state.pos() as f64 / len as f64);
                let _shown = out.write_str(&time_left(state.elapsed().as_secs_f64(), done, earlier));
            };
            bar.set_style(style.with_key("left", left).progress_chars("━━ "));
        }
        bar.set_prefix(id);
        if self.terminal {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress::shown(bar)
    }

    /// Removes all progress bars from the terminal.
    pub(crate) fn clear(&self) {
        // A terminal with write errors shows no bars either.
        let _gone = self.bars.clear();
    }

    /// Removes the progress bar of job number `job`, which has finished.
    pub(crate) fn finish(&self, job: usize, progress: &Progress) {
        self.run().forecast.finish(job, self.now());
        progress.bar().finish_and_clear();
        self.bars.remove(progress.bar());
    }

    /// Prints `line`, the result of a finished figure, preceded by the number of finished figures and the remaining
    /// time.
    pub(crate) fn print(&self, line: &str) {
        let mut run = self.run();
        run.finished += 1;
        let far = run.line(self.now());
        let tell = || writeln!(std::io::stderr(), "{far:22}  {line}").unwrap_or_default();
        if self.terminal { self.bars.suspend(tell) } else { tell() }
    }
}

/// Estimates the remaining time of a figure from the part `done` of its work and the time `elapsed` (s), or, before it
/// has reported progress, from the time `earlier` (s) of its last computation.
fn time_left(elapsed: f64, done: f64, earlier: Option<f64>) -> String {
    let left = if done > 0.0 { Some(elapsed * (1.0 - done) / done) } else { earlier.map(|whole| whole - elapsed) };
    left.map(in_words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_how_many_figures_are_done_and_how_long_the_others_take() {
        let forecast = Forecast::new(1, [100.0, 200.0]);
        let mut run = Run { figures: 3, finished: 1, forecast };
        assert_eq!(run.line(0.0), " 1 of 3, 5 min left");
        run.finished = 3;
        assert_eq!(run.line(300.0), " 3 of 3");
    }

    #[test]
    fn time_left_is_that_of_this_run_once_it_has_begun_to_count() {
        assert_eq!(time_left(10.0, 0.25, Some(1000.0)), "30 s left");
        assert_eq!(time_left(10.0, 0.0, Some(310.0)), "5 min left");
        assert_eq!(time_left(10.0, 0.0, Some(5.0)), "0 s left");
        assert_eq!(time_left(10.0, 0.0, None), "");
    }
}
