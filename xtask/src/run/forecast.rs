//! Forecast of the time that the computation of all figures still takes.
use std::collections::BTreeMap;

/// Time in s that counts as computed at the expected pace. It keeps the first figures from determining the forecast
/// alone; with a larger value the forecast adapts to a slow machine later.
const PRIOR: f64 = 5.0;
/// Remaining time that is assumed for an overdue figure, as a share of its elapsed time.
const OVERDUE: f64 = 0.1;

/// Stage of a job; times are in s from the start of the program.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Waiting,
    Running { since: f64 },
    Finished { seconds: f64 },
}

/// Expected time of a job in s, and its stage.
#[derive(Clone, Copy, Debug)]
struct Entry {
    expected: f64,
    stage: Stage,
}

/// Forecast of the remaining time from the expected times of all figures and the actual times of finished ones. Each
/// figure is a job. Times are in s from the start of the program.
#[derive(Clone, Debug)]
pub(crate) struct Forecast {
    threads: usize,
    /// Jobs in the order in which they start.
    jobs: Vec<Entry>,
}

impl Forecast {
    /// Makes the forecast for jobs that are expected to take `expected` seconds each, and start in this order on at
    /// most `threads` threads.
    pub(crate) fn new(threads: usize, expected: impl IntoIterator<Item = f64>) -> Self {
        let waiting = |expected| Entry { expected, stage: Stage::Waiting };
        Self { threads: threads.max(1), jobs: expected.into_iter().map(waiting).collect() }
    }

    pub(crate) fn start(&mut self, job: usize, now: f64) {
        self.jobs[job].stage = Stage::Running { since: now };
    }

    pub(crate) fn finish(&mut self, job: usize, now: f64) {
        if let Stage::Running { since } = self.jobs[job].stage {
            self.jobs[job].stage = Stage::Finished { seconds: now - since };
        }
    }

    /// Returns the ratio of the actual to the expected time of all finished and overdue jobs; above one on a slow
    /// machine.
    fn pace(&self, now: f64) -> f64 {
        let mut taken = PRIOR;
        let mut expected = PRIOR;
        for job in &self.jobs {
            let seconds = match job.stage {
                Stage::Finished { seconds } => seconds,
                Stage::Running { since } if now - since > job.expected => now - since,
                _ => continue,
            };
            taken += seconds;
            expected += job.expected;
        }
        taken / expected
    }

    /// Returns the time in s until the last job ends, if all jobs take their expected times multiplied by the present
    /// pace.
    pub(crate) fn left(&self, now: f64) -> f64 {
        let pace = self.pace(now);
        // Times at which threads become free are in µs, since whole numbers can be sorted.
        let mut free: BTreeMap<(u64, usize), ()> = BTreeMap::new();
        let at = |seconds: f64| (seconds * 1e6) as u64;
        let running = self.jobs.iter().filter_map(|job| match job.stage {
            Stage::Running { since } => Some((pace * job.expected - (now - since)).max(OVERDUE * (now - since))),
            _ => None,
        });
        let idle = std::iter::repeat(0.0);
        for (thread, seconds) in running.chain(idle).take(self.threads).enumerate() {
            free.insert((at(seconds), thread), ());
        }
        let waiting = self.jobs.iter().filter(|job| matches!(job.stage, Stage::Waiting));
        for job in waiting {
            if let Some(((first, thread), ())) = free.pop_first() {
                free.insert((first + at(pace * job.expected), thread), ());
            }
        }
        free.last_key_value().map_or(0.0, |(&(last, _), ())| last as f64 * 1e-6)
    }
}

pub(crate) fn in_words(seconds: f64) -> String {
    format!("{} left", duration(seconds))
}

/// Formats a time given in s, in minutes from 90 s on.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds >= 90.0 { format!("{:.0} min", seconds / 60.0) } else { format!("{:.0} s", seconds.max(0.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn jobs_are_dealt_to_the_threads_that_are_free_first() {
        let mut forecast = Forecast::new(2, [100.0, 60.0, 30.0, 20.0]);
        assert!(near(forecast.left(0.0), 110.0), "{}", forecast.left(0.0));
        forecast.start(0, 0.0);
        forecast.start(1, 0.0);
        assert!(near(forecast.left(10.0), 100.0));
        forecast.finish(1, 60.0);
        forecast.start(2, 60.0);
        assert!(near(forecast.left(60.0), 50.0));
        assert!(near(Forecast::new(8, [3.0, 4.0]).left(0.0), 4.0));
        assert!(near(Forecast::new(2, []).left(0.0), 0.0));
    }

    #[test]
    fn a_slower_machine_is_noticed_by_what_finished_and_by_what_is_overdue() {
        let mut forecast = Forecast::new(1, [95.0, 100.0]);
        forecast.start(0, 0.0);
        // The run takes twice as long as expected, apart from the effect of `PRIOR`.
        assert!(forecast.left(190.0) > 190.0);
        forecast.finish(0, 195.0);
        assert!(near(forecast.left(195.0), 200.0));
    }

    #[test]
    fn words_are_minutes_for_what_is_long() {
        assert_eq!(in_words(301.0), "5 min left");
        assert_eq!(in_words(12.3), "12 s left");
    }
}
