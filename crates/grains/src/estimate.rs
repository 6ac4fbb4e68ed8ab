//! Estimates of the time, memory and disk space of a run, from trial steps.

mod bed;
mod results;
mod spent;

use std::path::Path;
use std::time::Duration;

use grains_pages::number::short;
use rrp_geom::glam::DVec3;

use self::bed::Bed;
use self::results::Results;
use self::spent::{Spent, Watch, peak_memory};
use crate::build::coming;
use crate::build::sizes::OF_BODY;
use crate::error::{GrainsError, Note};
use crate::output::names::refuse_what_is_in_the_way;
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::simulation::Simulation;
use crate::source::Source;

/// Shortest clock time of the trial steps of a scene.
const TRIAL: Duration = Duration::from_millis(1500);
/// Largest ratio of the ends of an estimated range for which only the upper end is shown.
const ALIKE: f64 = 1.1;
const FEWEST_STEPS: u64 = 20;
const MOST_STEPS: u64 = 200_000;

/// The size of a scene and the estimated cost of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Title of the estimated scene.
    pub title: String,
    /// Name of the scene's integrator.
    pub integrator: &'static str,
    /// Number of bodies of the scene after the trial steps.
    pub bodies: usize,
    /// Estimated largest number of bodies, with the grains that sources will insert.
    pub last_bodies: usize,
    /// Number of fixed bodies of the scene.
    pub fixed: usize,
    /// Number of walls of the scene.
    pub walls: usize,
    /// Number of bonds between bodies of the scene.
    pub bonds: usize,
    /// Number of touching contacts at the start of the run.
    pub contacts: usize,
    /// Time step of the run in s.
    pub dt: f64,
    /// Time step in s that `"auto"` takes; none if no time scale is known.
    pub recommended_dt: Option<f64>,
    /// The impact, spring, damper or drive that requires the shortest step, the recommended one.
    pub decided_by: Option<String>,
    /// Number of steps of the whole run.
    pub steps: u64,
    /// Number of trial steps.
    pub tried: u64,
    /// Peak memory of this process in bytes, as a range: after the trial steps, and estimated with all grains of
    /// sources. None on systems that do not report it.
    pub memory: Option<[u64; 2]>,
    /// Disk space of the results in bytes, as a range: with the present bodies and contacts, and with all bodies in a
    /// bed where each body touches six others.
    pub results: [u64; 2],
    /// Range of the clock time for all steps and results on this machine at its present load. At the lower end all
    /// steps take as long as the trial steps; at the upper end all bodies of sources are present, and each touches six
    /// others.
    pub duration: [Duration; 2],
    /// Range of the processor time for all steps and results, with the same ends as `duration`. None on systems that do
    /// not report it.
    pub processor: Option<[Duration; 2]>,
    /// Notes: [`Simulation::notes`], the number of grains that sources will insert, whether any grain came during the
    /// trial steps, and whether the energy grew.
    pub notes: Vec<Note>,
}

impl Estimate {
    /// Builds the scene file at `path`, takes trial steps, and writes results into a temporary folder.
    ///
    /// # Errors
    /// Errors of reading and building a scene, with file, key and line, and errors of steps;
    /// [`GrainsError::InputInTheWay`] if results in the folder of the scene would replace one of its files.
    pub fn of_file(path: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        Self::of_file_with(path, &[], quick)
    }

    /// Estimates a run of the scene file at `path` with other values of some keys; see
    /// [`RunOptions::set`](crate::RunOptions::set).
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn of_file_with(path: impl AsRef<Path>, set: &[String], quick: bool) -> Result<Self, GrainsError> {
        let path = path.as_ref();
        let source = Source::from_path(path)?.with(set)?;
        let scene: Scene = source.read()?;
        let home = path.parent().unwrap_or(Path::new(""));
        let inputs: Vec<_> = scene.files().map(|file| home.join(file)).chain([path.to_owned()]).collect();
        let folder = scene.output.folder_of(path);
        refuse_what_is_in_the_way(&folder, &inputs, true)?;
        let mut estimate = Self::new(&scene, home, quick).map_err(|error| source.locate(error))?;
        if let Err(error) = refuse_what_is_in_the_way(&folder, &inputs, false) {
            estimate.notes.push(Note::new("output.folder", error.to_string()));
        }
        estimate.notes.extend(source.notes());
        estimate.notes.iter_mut().for_each(|note| source.find(&mut note.at));
        Ok(estimate)
    }

    /// Builds a scene whose files are in `folder`, takes trial steps, and writes results into a temporary folder.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn new(scene: &Scene, folder: &Path, quick: bool) -> Result<Self, GrainsError> {
        let whole = Watch::start();
        let mut simulation = Simulation::new(scene, folder, quick)?;
        simulation.drop_unwritten();
        let built = whole.spent();
        let bodies_at_start = simulation.bodies().len();
        let recommended = simulation.recommended_step()?;
        let reading = simulation.read()?;
        let steps = simulation.steps();
        let mut notes = simulation.notes().to_vec();
        notes.extend(coming::notes(&simulation.plan, &simulation.sources, quick));
        let trial_steps = Watch::start();
        while !simulation.is_over()
            && simulation.steps_taken() < steps.min(MOST_STEPS)
            && (simulation.steps_taken() < FEWEST_STEPS || trial_steps.clock.elapsed() < TRIAL)
        {
            match simulation.step() {
                Ok(_) => {}
                // The steps before the failure are still a valid sample.
                Err(error @ GrainsError::EnergyGrown { .. }) => {
                    notes.push(Note::new("time.dt", format!("the run will stop: {error}")));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let tried = simulation.steps_taken();
        let each = trial_steps.spent().times(1.0 / tried.max(1) as f64);
        notes.extend(sources_without_room(&simulation));
        let results = Results::tried(scene, &simulation, steps, quick)?;
        // The peak is read before the trial bed takes memory for a second simulation.
        let memory = peak_memory();
        let bodies = simulation.bodies().len();
        let coming = coming::count(&simulation.plan, &simulation.sources, quick);
        let last = bodies.max(bodies_at_start.saturating_add(coming));
        let coming_memory = ((last - bodies) as u64).saturating_mul(OF_BODY);
        // Falling bodies settle into a bed, whose steps take longer, and sources insert more bodies.
        let may_grow = last > bodies || may_settle(scene, &reading);
        let bed = if may_grow { Bed::tried(scene, &simulation, last, steps, quick) } else { None };
        if may_grow && bed.is_none() {
            let text = "no settled bed of all bodies could be tried: time and results may be larger".to_owned();
            notes.push(Note::new("bodies", text));
        }
        let whole = whole.spent();
        // Writing the trial results is too short for counters of processor time: use the share of processor time in the
        // whole trial.
        let share = whole.processor.map(|processor| processor / whole.clock);
        let all = |of: fn(&Spent) -> f64, share: f64| {
            let least = of(&built) + of(&each) * steps as f64 + share * results.time;
            let most = bed.map_or(least, |bed| of(&built) + of(&bed.step) * steps as f64 + share * bed.results.time);
            [least, most.max(least)].map(in_time)
        };
        let duration = all(|spent| spent.clock, 1.0);
        let processor = share.map(|share| all(|spent| spent.processor.unwrap_or(spent.clock), share));
        let most_bytes = bed.map_or(0.0, |bed| bed.results.bytes).max(results.bytes);
        let fixed = simulation.bodies().fixed().len();
        Ok(Self {
            title: scene.title.clone(),
            integrator: scene.integrator.name(),
            bodies,
            last_bodies: last,
            fixed,
            walls: reading.wall_forces.len(),
            bonds: simulation.bonds().map_or(0, dem_contact::bond::Bonds::len),
            contacts: reading.contacts.len(),
            dt: simulation.dt(),
            recommended_dt: recommended.as_ref().map(|step| step.dt),
            decided_by: recommended.map(|step| step.decided_by),
            steps,
            tried,
            memory: memory.map(|bytes| [bytes, bytes.saturating_add(coming_memory)]),
            results: [results.bytes, most_bytes].map(|bytes| bytes as u64),
            duration,
            processor,
            notes,
        })
    }
}

/// Returns whether the bodies of a run may fall and settle into a bed, since they hardly touch at the start.
fn may_settle(scene: &Scene, start: &Reading) -> bool {
    let moves = !matches!(scene.integrator, Method::Static(_));
    moves && DVec3::from_array(scene.gravity).length() > 0.0 && start.contacts_per_body <= 2.0
}

/// Returns a note for each source that inserted no grain during the trial steps for lack of space.
fn sources_without_room(simulation: &Simulation) -> Vec<Note> {
    let tried = simulation.steps_taken();
    let tallies = simulation.progress.exchange.sources.iter().zip(&*simulation.sources).enumerate();
    let in_vain =
        tallies.filter(|(_, (tally, source))| tally.count == 0 && tally.attempts > 0 && tally.has_more(source));
    let note = |(index, _): (usize, _)| {
        let text = format!("none came in the {tried} steps that were tried: is there room for them in its region?");
        Note::new(format!("sources[{index}]"), text)
    };
    in_vain.map(note).collect()
}

/// Converts seconds to a duration; too many seconds, or NaN, give the longest duration.
fn in_time(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Formats a range of numbers, or a single number if both ends are nearly equal.
fn range([low, high]: [f64; 2], digits: usize) -> String {
    if high <= ALIKE * low { format!("{high:.digits$}") } else { format!("from {low:.digits$} to {high:.digits$}") }
}

/// Writes a range of times with two digits.
fn durations(times: [Duration; 2]) -> String {
    let [low, high] = times.map(|time| time.as_secs_f64());
    if high <= ALIKE * low { duration(high) } else { format!("from {} to {}", duration(low), duration(high)) }
}

/// Writes a time in s, min or h with two digits.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        ..120.0 => (seconds, "s"),
        120.0..7200.0 => (seconds / 60.0, "min"),
        _ => (seconds / 3600.0, "h"),
    };
    format!("{} {unit}", short(value, 2))
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        writeln!(f, "integrator        {}", self.integrator)?;
        write!(f, "bodies            {}, {} of them fixed", self.bodies, self.fixed)?;
        if self.last_bodies > self.bodies {
            write!(f, "; up to about {} later", self.last_bodies)?;
        }
        writeln!(f)?;
        writeln!(f, "walls             {}", self.walls)?;
        writeln!(f, "bonds             {}", self.bonds)?;
        writeln!(f, "contacts          {} at the start", self.contacts)?;
        writeln!(f, "time step         {:.6e}", self.dt)?;
        match (self.recommended_dt, &self.decided_by) {
            (Some(step), Some(by)) => writeln!(f, "recommended step  {step:.6e}, decided by {by}")?,
            (Some(step), None) => writeln!(f, "recommended step  {step:.6e}")?,
            (None, _) => writeln!(f, "recommended step  none: nothing sets a time scale")?,
        }
        writeln!(f, "steps             {}", self.steps)?;
        match self.memory {
            Some(bytes) => {
                writeln!(f, "memory            {} MiB", range(bytes.map(|bytes| bytes as f64 / 1_048_576.0), 1))?;
            }
            None => writeln!(f, "memory            the system does not tell")?,
        }
        writeln!(f, "results           {} MB", range(self.results.map(|bytes| bytes as f64 / 1e6), 2))?;
        if let Some(times) = self.processor {
            writeln!(f, "processor time    {}, summed over threads", durations(times))?;
        }
        write!(f, "waiting time      {}, by trying {} steps", durations(self.duration), self.tried)?;
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}
