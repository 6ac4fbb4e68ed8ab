//! Progress on stderr: bars on a terminal, one plain line per finished figure everywhere.
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A figure function's handle; cheap to clone and free to ignore.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
pub(crate) struct Progress {
    bar: ProgressBar,
}

#[allow(dead_code, reason = "the vocabulary of figure functions: no figure needs every word of it")]
impl Progress {
    /// For tests.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    /// Announces how many steps are to come.
    pub(crate) fn total(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// Reports steps done.
    pub(crate) fn advance(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Says what is going on, in a few words.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.bar.set_message(text.into());
    }
}

/// All bars, and the lines of finished figures in the order of the table.
#[derive(Debug)]
pub(crate) struct Board {
    bars: MultiProgress,
    terminal: bool,
    lines: Mutex<Lines>,
}

/// Lines that wait for those before them.
#[derive(Debug, Default)]
struct Lines {
    next: usize,
    waiting: BTreeMap<usize, String>,
}

impl Lines {
    /// Takes line `index` and releases every line whose predecessors are all there.
    fn release(&mut self, index: usize, line: String) -> Vec<String> {
        self.waiting.insert(index, line);
        let mut ready = Vec::new();
        while let Some(line) = self.waiting.remove(&self.next) {
            ready.push(line);
            self.next += 1;
        }
        ready
    }
}

impl Board {
    pub(crate) fn stderr() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bars: MultiProgress::with_draw_target(target), terminal, lines: Mutex::default() }
    }

    /// A bar for a figure that starts now, and took `expected` seconds in an earlier run.
    pub(crate) fn start(&self, id: &'static str, expected: Option<f64>) -> Progress {
        let bar = self.bars.add(ProgressBar::new(0));
        // A template that does not parse would leave the default look, which serves as well.
        let template = "{spinner} {prefix} {elapsed:>4} [{wide_bar}] {left:>12} {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let done = state.len().filter(|len| *len > 0).map_or(0.0, |len| state.pos() as f64 / len as f64);
                let _shown = out.write_str(&time_left(state.elapsed().as_secs_f64(), done, expected));
            };
            bar.set_style(style.with_key("left", left).progress_chars("━━ "));
        }
        bar.set_prefix(id);
        if self.terminal {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar }
    }

    /// Takes all bars away.
    pub(crate) fn clear(&self) {
        // A terminal that cannot be written to shows no bars either.
        let _gone = self.bars.clear();
    }

    /// Removes the bar.
    pub(crate) fn finish(&self, progress: &Progress) {
        progress.bar.finish_and_clear();
        self.bars.remove(&progress.bar);
    }

    /// Prints `line` as soon as those of all figures before `index` are out.
    pub(crate) fn print(&self, index: usize, line: String) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines.release(index, line) {
            // Nobody may be listening any more.
            let tell = || writeln!(std::io::stderr(), "{line}").unwrap_or_default();
            if self.terminal { self.bars.suspend(tell) } else { tell() }
        }
    }
}

/// Time left in words, from the part that is done, else from what an earlier run took.
fn time_left(elapsed: f64, done: f64, expected: Option<f64>) -> String {
    let left = if done > 0.0 { Some(elapsed * (1.0 - done) / done) } else { expected.map(|whole| whole - elapsed) };
    match left {
        Some(left) if left >= 90.0 => format!("{:.0} min left", left / 60.0),
        Some(left) => format!("{:.0} s left", left.max(0.0)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_table_order_whatever_finishes_first() {
        let mut lines = Lines::default();
        assert!(lines.release(2, "c".into()).is_empty());
        assert_eq!(lines.release(0, "a".into()), ["a"]);
        assert_eq!(lines.release(1, "b".into()), ["b", "c"]);
    }

    #[test]
    fn time_left_is_that_of_this_run_once_it_has_begun_to_count() {
        assert_eq!(time_left(10.0, 0.25, Some(1000.0)), "30 s left");
        assert_eq!(time_left(10.0, 0.0, Some(310.0)), "5 min left");
        assert_eq!(time_left(10.0, 0.0, Some(5.0)), "0 s left");
        assert_eq!(time_left(10.0, 0.0, None), "");
    }
}
