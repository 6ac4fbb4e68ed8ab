//! An estimate of what a run would take, made by trying some steps.

use std::path::Path;
use std::time::{Duration, Instant};

use rrp_geom::glam::DVec3;

use crate::build::coming;
use crate::checkpoint::{self, RunHeader};
use crate::error::{GrainsError, Location, Note};
use crate::output::columns::{contact_lines, series_line};
use crate::output::frames::Frame;
use crate::output::measured::measured_lines;
use crate::output::names::refuse_what_is_in_the_way;
use crate::output::trial::TrialOutput;
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::scene::bonds::BondGroups;
use crate::scene::contact::ContactModel;
use crate::scene::integrator::Method;
use crate::scene::output::Interval;
use crate::scene::time::{TimeStep, Timing};
use crate::simulation::Simulation;
use crate::source::Source;

/// How long steps are tried.
const TRIAL: Duration = Duration::from_millis(1500);
/// How long the work between steps is tried.
const READING: Duration = Duration::from_millis(5);
/// Fewest steps that are tried.
const FEWEST_STEPS: u64 = 20;
/// Most steps that are tried.
const MOST_STEPS: u64 = 200_000;

/// The size of a scene and an estimate of what its run would take.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Title of the scene.
    pub title: String,
    /// Its integrator.
    pub integrator: &'static str,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of fixed bodies.
    pub fixed: usize,
    /// Number of walls.
    pub walls: usize,
    /// Number of bonds.
    pub bonds: usize,
    /// Touching contacts at the start.
    pub contacts: usize,
    /// Time step in s.
    pub dt: f64,
    /// The time step that `"auto"` takes, in s, if anything sets one.
    pub recommended_dt: Option<f64>,
    /// The impact, spring, damper or drive that decides the recommended step: longer ones are too long for it.
    pub decided_by: Option<String>,
    /// Number of steps.
    pub steps: u64,
    /// Number of steps that were tried.
    pub tried: u64,
    /// Largest memory of this process in bytes, after it built and moved the scene. None on systems that do not tell.
    pub memory: Option<u64>,
    /// Time for all steps and results on this machine at its present load.
    pub duration: Duration,
    /// Processor time of the run. None on systems that do not tell.
    pub processor: Option<Duration>,
    /// Remarks: [`Simulation::notes`], how many grains come later, whether any came and whether the energy grew while
    /// steps were tried.
    pub notes: Vec<Note>,
}

impl Estimate {
    /// Builds the scene file at `path`, tries some steps, and writes some results into a temporary folder.
    ///
    /// # Errors
    /// Those of reading and building a scene, with file, key and line, and those of steps;
    /// [`GrainsError::InputInTheWay`] if results in the folder of the scene would replace one of its files.
    pub fn of_file(path: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        Self::of_file_with(path, &[], quick)
    }

    /// The same with other values of some keys, see [`RunOptions::set`](crate::RunOptions::set).
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
            estimate.notes.push(Note { at: Location::of("output.folder"), text: error.to_string() });
        }
        estimate.notes.extend(source.notes());
        estimate.notes.iter_mut().for_each(|note| source.find(&mut note.at));
        Ok(estimate)
    }

    /// The same for a scene whose files are in `folder`.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn new(scene: &Scene, folder: &Path, quick: bool) -> Result<Self, GrainsError> {
        let whole = Watch::start();
        let mut simulation = Simulation::new(scene, folder, quick)?;
        simulation.keep_what_is_written();
        let built = whole.spent();
        let recommended = simulation.recommended_step()?;
        let reading = simulation.read()?;
        let (steps, mut notes) = (simulation.steps(), simulation.notes().to_vec());
        notes.extend(coming::notes(&simulation.plan, &simulation.sources, quick));
        let trial_steps = Watch::start();
        while !simulation.is_over()
            && simulation.steps_taken() < steps.min(MOST_STEPS)
            && (simulation.steps_taken() < FEWEST_STEPS || trial_steps.clock.elapsed() < TRIAL)
        {
            match simulation.step() {
                Ok(_) => {}
                // The estimate is good for what comes before.
                Err(error @ GrainsError::EnergyGrown { .. }) => {
                    notes.push(Note { at: Location::of("time.dt"), text: format!("the run will stop: {error}") });
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let tried = simulation.steps_taken();
        let each = trial_steps.spent().over(tried.max(1) as f64);
        notes.extend(sources_without_room(&simulation));
        let often = |interval: Option<Interval>| {
            interval.map_or(0.0, |interval| 1.0 + (steps / interval.steps(simulation.dt())) as f64)
        };
        let plan = simulation.plan.output();
        let (series, contacts) = (often(plan.series), often(plan.contacts));
        // There is always one at the start and one at the end.
        let checkpoints = often(plan.checkpoints).max(2.0);
        let text = scene.to_toml()?;
        let now = simulation.read()?;
        let frames = often(plan.frames);
        let mut trial = TrialOutput::create()?;
        let (mut measuring, mut most_often) = (0.0, series.max(contacts).max(frames));
        for (number, measure) in scene.measures.iter().enumerate() {
            let once = timed(|| {
                let found = simulation.measure(scene, &[number], &now)?;
                found.iter().try_for_each(|found| trial.lines(&measured_lines(Some(0), 0.0, found)))
            })?;
            let times = often(Some(measure.every)) * measure.samples.unwrap_or(1) as f64;
            measuring += once.as_secs_f64() * times;
            most_often = f64::max(most_often, times);
        }
        let run = RunHeader { scene: &text, file: None, quick, baseline: None };
        let results = [
            (timed(|| simulation.read().map(|_| ()))?, most_often),
            (
                timed(|| {
                    let fragments = simulation.tally_fragments()?;
                    let places = simulation.plan.servo_walls();
                    trial.lines(&series_line(&now, &simulation.progress, &places, fragments))
                })?,
                series,
            ),
            (
                timed(|| trial.lines(&contact_lines(0, 0.0, &now.contacts, simulation.bodies(), simulation.ids())))?,
                contacts,
            ),
            (timed(|| trial.frame(&Frame::of(&simulation, &now)?))?, frames),
            (timed(|| trial.checkpoint(&checkpoint::encode(run, &simulation)?))?, checkpoints),
        ];
        let results: f64 = results.iter().map(|(once, times)| once.as_secs_f64() * times).sum();
        // Before the second simulation below.
        let memory = peak_memory();
        // Falling bodies become a bed, whose steps take longer.
        let settled = settled(scene, &simulation, &reading);
        let bed = if settled > 0.0 { bed(scene, &simulation).unwrap_or(each) } else { each };
        let all_steps = |each: f64, bed: f64| (each * (1.0 - settled) + bed.max(each) * settled) * steps as f64;
        let whole = whole.spent();
        // Results are written in too short a time for counters of processor time.
        let share = whole.processor.map(|processor| processor / whole.clock);
        let writing = results + measuring;
        let duration = in_time(built.clock + all_steps(each.clock, bed.clock) + writing);
        let processor = |share: f64| {
            let [built, each, bed] = [built, each, bed].map(|spent| spent.processor.unwrap_or(spent.clock));
            in_time(built + all_steps(each, bed) + share * writing)
        };
        let fixed = simulation.bodies().fixed().len();
        Ok(Self {
            title: scene.title.clone(),
            integrator: scene.integrator.name(),
            bodies: simulation.bodies().len(),
            fixed,
            walls: reading.wall_forces.len(),
            bonds: simulation.bonds().map_or(0, dem_contact::bond::Bonds::len),
            contacts: reading.contacts.len(),
            dt: simulation.dt(),
            recommended_dt: recommended.as_ref().map(|step| step.dt),
            decided_by: recommended.map(|step| step.decided_by),
            steps,
            tried,
            memory,
            duration,
            processor: share.map(processor),
            notes,
        })
    }
}

/// Share of the run after a fall through the scene, for bodies that are not in contact yet.
fn settled(scene: &Scene, simulation: &Simulation, start: &Reading) -> f64 {
    let gravity = DVec3::from_array(scene.gravity);
    let springs = !matches!(scene.integrator, Method::ContactDynamics(_) | Method::Static(_));
    if !springs || gravity.length() <= 0.0 || start.contacts_per_body > 2.0 {
        return 0.0;
    }
    let heights = || simulation.state().position().iter().map(|position| position.dot(gravity));
    let fall = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
    let time = (2.0 * fall).sqrt() / gravity.length();
    (1.0 - time / (simulation.dt() * simulation.steps().max(1) as f64)).max(0.0)
}

/// Remarks for each source that has looked for room in vain while steps were tried.
fn sources_without_room(simulation: &Simulation) -> Vec<Note> {
    let tried = simulation.steps_taken();
    let tallies = simulation.progress.exchange.sources.iter().zip(&*simulation.sources).enumerate();
    let in_vain =
        tallies.filter(|(_, (tally, source))| tally.count == 0 && tally.attempts > 0 && tally.has_more(source));
    let note = |(index, _): (usize, _)| {
        let text = format!("none came in the {tried} steps that were tried: is there room for them in its region?");
        Note { at: Location::of(format!("sources[{index}]")), text }
    };
    in_vain.map(note).collect()
}

/// Time of a step of a bed of as many equal bodies, each of which touches six others; none if it cannot be tried.
fn bed(scene: &Scene, simulation: &Simulation) -> Option<Spent> {
    let (bodies, count) = (simulation.bodies(), simulation.bodies().len());
    let free = |i: &usize| bodies.inverse_mass()[*i] > 0.0 && bodies.radius()[*i] > 0.0;
    let body = (0..count).find(free)?;
    let radius = bodies.radius()[body];
    let side = (count as f64).cbrt().ceil() as usize;
    let place = Place::Lattice { origin: [0.0; 3], count: [side; 3], spacing: [1.998 * radius; 3] };
    // The material of free bodies: others may be too stiff for these steps.
    let material = scene.bodies.iter().find(|group| !group.fixed).and_then(|group| group.material.clone());
    let mass = Some(bodies.mass()[body]);
    let group = BodyGroup { place, radius: Some(radius), mass, material, ..BodyGroup::default() };
    let contact = scene.contact.clone().map(|model| ContactModel { wall_materials: Vec::new(), ..model });
    let dense = Scene {
        contact,
        gravity: [0.0; 3],
        time: Timing { dt: TimeStep::Fixed(simulation.dt()), duration: Some(1e6 * simulation.dt()), quick: None },
        simulation_box: None,
        bodies: vec![group],
        walls: Vec::new(),
        bonds: BondGroups::default(),
        ties: None,
        start: None,
        stages: Vec::new(),
        sources: Vec::new(),
        gates: Vec::new(),
        measures: Vec::new(),
        ..scene.clone()
    };
    let mut dense = Simulation::new(&dense, Path::new(""), false).ok()?;
    dense.keep_what_is_written();
    let begin = Watch::start();
    while dense.steps_taken() < FEWEST_STEPS || begin.clock.elapsed() < TRIAL / 3 {
        dense.step().ok()?;
    }
    Some(begin.spent().over(dense.steps_taken() as f64 * side.pow(3) as f64 / count as f64))
}

/// What work takes in s: by the clock, and of processors where the system tells.
#[derive(Debug, Clone, Copy)]
struct Spent {
    clock: f64,
    processor: Option<f64>,
}

impl Spent {
    /// One of so many equal parts.
    fn over(self, parts: f64) -> Self {
        Self { clock: self.clock / parts, processor: self.processor.map(|time| time / parts) }
    }
}

/// Sees what work takes.
#[derive(Debug, Clone, Copy)]
struct Watch {
    clock: Instant,
    processor: Option<Duration>,
}

impl Watch {
    fn start() -> Self {
        Self { processor: processor_time(), clock: Instant::now() }
    }

    fn spent(self) -> Spent {
        let clock = self.clock.elapsed().as_secs_f64();
        let processor = processor_time().zip(self.processor);
        Spent { clock, processor: processor.map(|(end, start)| end.saturating_sub(start).as_secs_f64()) }
    }
}

/// So many s, or the longest time that a clock knows.
fn in_time(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Average time of `work`, which is repeated as often as the clock needs.
fn timed(mut work: impl FnMut() -> Result<(), GrainsError>) -> Result<Duration, GrainsError> {
    let (begin, mut count) = (Instant::now(), 0);
    while count == 0 || begin.elapsed() < READING {
        work()?;
        count += 1;
    }
    Ok(begin.elapsed() / count)
}

/// Processor time of all threads of this process; none on systems that do not tell.
fn processor_time() -> Option<Duration> {
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let total: Option<u64> = tasks.map(nanoseconds).sum();
    total.map(Duration::from_nanos)
}

/// The largest memory of this process so far, in bytes; none on systems that do not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        writeln!(f, "integrator        {}", self.integrator)?;
        writeln!(f, "bodies            {}, {} of them fixed", self.bodies, self.fixed)?;
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
            Some(bytes) => writeln!(f, "memory            {:.1} MiB", bytes as f64 / 1_048_576.0)?,
            None => writeln!(f, "memory            the system does not tell")?,
        }
        if let Some(time) = self.processor {
            writeln!(f, "processor time    {:.3} s", time.as_secs_f64())?;
        }
        write!(f, "estimated time    {:.3} s, by trying {} steps", self.duration.as_secs_f64(), self.tried)?;
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}
