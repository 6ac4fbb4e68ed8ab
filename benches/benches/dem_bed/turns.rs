//! Figures that are ratios: two threads against one, a million spheres against 4000. Both sides take turns, again and again,
//! since the processors of a virtual machine may be one core for a while, and what memory gives depends on others.

use std::time::{Duration, Instant};

use rrp_benches::independent_gain;
use rrp_integrate::{Bodies, Explicit, FieldError, Integrator, Map, State};

use super::contacts::Field;
use super::{Bed, DT};

/// Steps of bodies in one turn: some 0.05 to 0.2 s.
const TURN: usize = 1_600_000;

/// A bed in motion.
struct Course {
    bodies: Bodies,
    state: State,
    field: Field,
    map: Explicit,
    steps: usize,
}

impl Course {
    fn of(bed: &Bed, law: &str) -> Result<Self, FieldError> {
        let steps = (TURN / bed.bodies.len()).max(5);
        let (bodies, state) = (bed.bodies.clone(), bed.state.clone());
        let (field, map) = (Field::of(bed, law)?, Explicit::new(Map::Newmark, DT)?);
        let mut course = Self { bodies, state, field, map, steps };
        let _ = course.turn()?;
        Ok(course)
    }

    /// Time in ns for each body and step of one turn.
    fn turn(&mut self) -> Result<f64, FieldError> {
        let start = Instant::now();
        for _ in 0..self.steps {
            self.map.step(&self.bodies, &mut self.field, &mut self.state)?;
        }
        Ok(start.elapsed().as_secs_f64() * 1e9 / (self.bodies.len() * self.steps) as f64)
    }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, FieldError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn least(times: impl Iterator<Item = f64>) -> f64 {
    times.fold(f64::INFINITY, f64::min)
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints what two threads gain. Beside it are the gain in the third of the turns in which two loops that share nothing gained
/// most, and the least that those gained then.
pub(super) fn threads(bed: &Bed, law: &str, seconds: u64) -> Result<(), FieldError> {
    let (one, two, mut course) = (pool(1)?, pool(2)?, Course::of(bed, law)?);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut rounds = Vec::new();
    while rounds.len() < 5 || Instant::now() < until {
        let before = independent_gain();
        let alone = one.install(|| course.turn())?;
        let together = two.install(|| course.turn())?;
        rounds.push([before.min(independent_gain()), alone, together]);
    }
    let column = |rounds: &[[f64; 3]], k: usize| rounds.iter().map(|round| round[k]).collect::<Vec<f64>>().into_iter();
    let best = [1, 2].map(|k| least(column(&rounds, k)));
    let middle = [1, 2].map(|k| median(column(&rounds, k)));
    let turns = rounds.len();
    rounds.sort_by(|a, b| b[0].total_cmp(&a[0]));
    rounds.truncate(turns.div_ceil(3));
    let then = least(column(&rounds, 1)) / least(column(&rounds, 2));
    println!(
        "{} {law}, {turns} turns: one thread {:.1} ns (median {:.1}), two {:.1} ns ({:.1}); two gain {:.2} by the best, {:.2} by \
         the medians, {then:.2} while two independent loops gained {:.2}",
        bed.name,
        best[0],
        middle[0],
        best[1],
        middle[1],
        best[0] / best[1],
        middle[0] / middle[1],
        least(column(&rounds, 0)),
    );
    Ok(())
}

/// Prints how the cost of a step on one thread grows with the number of bodies.
pub(super) fn growth(small: &Bed, large: &Bed, seconds: u64) -> Result<(), FieldError> {
    let mut courses = [Course::of(small, "hooke")?, Course::of(large, "hooke")?];
    let until = Instant::now() + Duration::from_secs(seconds);
    let (one, mut times) = (pool(1)?, Vec::new());
    while times.len() < 5 || Instant::now() < until {
        let [small, large] = &mut courses;
        times.push([one.install(|| small.turn())?, one.install(|| large.turn())?]);
    }
    let more = large.bodies.len() as f64 / small.bodies.len() as f64;
    let exponent = |[small, large]: [f64; 2]| 1.0 + (large / small).ln() / more.ln();
    let column = |k: usize| times.iter().map(move |turn| turn[k]);
    let (best, middle) = ([0, 1].map(|k| least(column(k))), [0, 1].map(|k| median(column(k))));
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
