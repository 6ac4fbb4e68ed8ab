//! Progress on stderr: bars on a terminal, one plain line per finished figure everywhere.
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

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

    /// A bar for a figure that starts now.
    pub(crate) fn start(&self, id: &'static str) -> Progress {
        let bar = self.bars.add(ProgressBar::new(0));
        // A template that does not parse would leave the default look, which serves as well.
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {prefix} {elapsed:>4} [{wide_bar}] {pos}/{len} {msg}")
        {
            bar.set_style(style.progress_chars("━━ "));
        }
        bar.set_prefix(id);
        if self.terminal {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar }
    }

    /// Removes the bar; prints `line` as soon as those of all figures before `index` are out.
    pub(crate) fn finish(&self, index: usize, progress: &Progress, line: String) {
        progress.bar.finish_and_clear();
        self.bars.remove(&progress.bar);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines.release(index, line) {
            if self.terminal {
                self.bars.suspend(|| eprintln!("{line}"));
            } else {
                eprintln!("{line}");
            }
        }
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
}
