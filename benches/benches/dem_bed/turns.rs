//! Ratios of two threads to one, and of a million spheres to 4000. Both sides alternate, since the processors of a
//! virtual machine may temporarily share a core, and the speed of memory depends on other programs.

use std::time::{Duration, Instant};

use rrp_benches::{independent_gain, median, pool};
use rrp_integrate::{Bodies, Explicit, FieldError, Map, State};

use super::contacts::Field;
use super::{Bed, DT, STRETCH};

/// Bodies times steps in one turn, which takes 0.05 to 0.2 s, or longer with a million bodies.
const TURN: usize = 1_600_000;

struct Course {
    bodies: Bodies,
    state: State,
    field: Field,
    map: Explicit,
    steps: usize,
}

impl Course {
    fn of(bed: &Bed, law: &str) -> Result<Self, FieldError> {
        let steps = (TURN / bed.bodies.len()).max(STRETCH);
        let bodies = bed.bodies.clone();
        let state = bed.state.clone();
        let field = Field::of(bed, law)?;
        let map = Explicit::new(Map::Rodrigues25, DT)?;
        let mut course = Self { bodies, state, field, map, steps };
        let _ = course.turn()?;
        Ok(course)
    }

    /// Returns the time of one turn in ns per body and step. Untimed steps first bring the bodies into the caches of
    /// this core: in the turn before, half of them may have been in those of another core.
    fn turn(&mut self) -> Result<f64, FieldError> {
        self.advance(self.steps.div_ceil(8))?;
        let start = Instant::now();
        self.advance(self.steps)?;
        Ok(start.elapsed().as_secs_f64() * 1e9 / (self.bodies.len() * self.steps) as f64)
    }

    fn advance(&mut self, steps: usize) -> Result<(), FieldError> {
        let Self { bodies, state, field, map, .. } = self;
        (0..steps).step_by(STRETCH).try_for_each(|step| {
            map.run(bodies, field, state, STRETCH.min(steps - step))?;
            Ok(())
        })
    }
}

fn least(times: impl Iterator<Item = f64>) -> f64 {
    times.fold(f64::INFINITY, f64::min)
}

/// One turn on each number of threads.
struct Round {
    /// Gain of two independent loops on two threads: the smaller one of the gains before and after the turn.
    independent: f64,
    /// Time in ns per body and step, on one thread and on two.
    times: [f64; 2],
    /// Time in ns per body and step of two beds that run at the same time on one thread each, relative to the bodies of
    /// both.
    copies: f64,
}

/// Least gain of two independent loops that counts as two cores. With less, both threads shared a core, or other
/// programs used the cores.
const TWO_CORES: f64 = 1.8;

/// Prints the gain of two threads, in all turns and in those with two cores, the gain of two beds that run at the same
/// time on one thread each, and the least gain of two independent loops.
pub(super) fn threads(bed: &Bed, law: &str, seconds: u64) -> Result<(), FieldError> {
    let one = pool(1);
    let other = pool(1);
    let two = pool(2);
    let mut course = Course::of(bed, law)?;
    let mut copy = Course::of(bed, law)?;
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut rounds = Vec::new();
    while rounds.len() < 5 || Instant::now() < until {
        let independent = independent_gain();
        let times = [one.install(|| course.turn())?, two.install(|| course.turn())?];
        let copies = std::thread::scope(|scope| {
            let beside = scope.spawn(|| other.install(|| copy.turn()));
            let own = one.install(|| course.turn())?;
            let beside = beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok::<_, FieldError>(0.25 * (own + beside))
        })?;
        rounds.push(Round { independent: independent.min(independent_gain()), times, copies });
    }
    let had_two = |round: &&Round| round.independent >= TWO_CORES;
    report(&format!("{} {law}, all", bed.name), &rounds.iter().collect::<Vec<_>>());
    report("    two cores", &rounds.iter().filter(had_two).collect::<Vec<_>>());
    Ok(())
}

fn report(which: &str, rounds: &[&Round]) {
    if rounds.is_empty() {
        return;
    }
    let times = |threads: usize| rounds.iter().map(move |round| round.times[threads - 1]);
    let best = [1, 2].map(|threads| least(times(threads)));
    let middle = [1, 2].map(|threads| median(times(threads)));
    let copies = || rounds.iter().map(|round| round.copies);
    // Ratios are taken within a turn, since a slow phase of a processor affects both sides.
    let gains = [|round: &Round| round.times[0] / round.times[1], |round: &Round| round.times[0] / round.copies];
    let turns = gains.map(|gain| median(rounds.iter().map(|round| gain(round))));
    println!(
        "{which}, {} turns: one thread {:.1} ns (median {:.1}), two {:.1} ns ({:.1}); two gain {:.2} by the best, {:.2} by the \
         medians, {:.2} in the middle turn; two copies {:.2}, {:.2}, {:.2}; two independent loops at least {:.2}",
        rounds.len(),
        best[0],
        middle[0],
        best[1],
        middle[1],
        best[0] / best[1],
        middle[0] / middle[1],
        turns[0],
        best[0] / least(copies()),
        middle[0] / median(copies()),
        turns[1],
        least(rounds.iter().map(|round| round.independent)),
    );
}

pub(super) fn growth(small: &Bed, large: &Bed, seconds: u64) -> Result<(), FieldError> {
    let mut courses = [Course::of(small, "hooke")?, Course::of(large, "hooke")?];
    let until = Instant::now() + Duration::from_secs(seconds);
    let one = pool(1);
    let mut times = Vec::new();
    while times.len() < 5 || Instant::now() < until {
        let [small, large] = &mut courses;
        times.push([one.install(|| small.turn())?, one.install(|| large.turn())?]);
    }
    let more = large.bodies.len() as f64 / small.bodies.len() as f64;
    let exponent = |[small, large]: [f64; 2]| 1.0 + (large / small).ln() / more.ln();
    let column = |k: usize| times.iter().map(move |turn| turn[k]);
    let best = [0, 1].map(|k| least(column(k)));
    let middle = [0, 1].map(|k| median(column(k)));
    let mean = [0, 1].map(|k| column(k).sum::<f64>() / times.len() as f64);
    println!(
        "{} to {} hooke, {} turns, {} new lists: {:.1} to {:.1} ns, N^{:.3} by the best; {:.1} to {:.1} ns, N^{:.3} by the medians; \
         {:.1} to {:.1} ns, N^{:.3} by the means",
        small.name,
        large.name,
        times.len(),
        courses
            .iter()
            .map(|course| (course.field.contacts.list().builds() - 1).to_string())
            .collect::<Vec<_>>()
            .join(" and "),
        best[0],
        best[1],
        exponent(best),
        middle[0],
        middle[1],
        exponent(middle),
        mean[0],
        mean[1],
        exponent(mean),
    );
    Ok(())
}
