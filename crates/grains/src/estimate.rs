//! What a run would take.

use std::path::Path;
use std::time::{Duration, Instant};

use rrp_geom::glam::DVec3;

use crate::output::Scratch;
use crate::source::Source;
use crate::{
    BodyGroup, ContactModel, GrainsError, Interval, Method, Place, Reading, Scene, Simulation, TimeStep, Timing,
};
use crate::{checkpoint, output};

/// How long steps are tried.
const TRIAL: Duration = Duration::from_millis(1500);
/// How long what is done between steps is tried.
const READING: Duration = Duration::from_millis(5);
/// Most frames in the list that is tried.
const LISTED: f64 = 1e4;
/// Fewest and most steps that are tried.
const STEPS: (u64, u64) = (20, 200_000);

/// What a scene is and what its run would take, found by trying some steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Title of the scene.
    pub title: String,
    /// Its integrator.
    pub integrator: &'static str,
    /// Number of bodies, and of those that are fixed.
    pub bodies: (usize, usize),
    /// Number of walls.
    pub walls: usize,
    /// Number of bonds.
    pub bonds: usize,
    /// Touching contacts at the start.
    pub contacts: usize,
    /// Time step in s that is used, and the one that `"auto"` takes, if there is one.
    pub dt: (f64, Option<f64>),
    /// Number of steps.
    pub steps: u64,
    /// Steps that were tried.
    pub tried: u64,
    /// Largest memory of the process in bytes, where the system tells: this process has built and moved the scene.
    pub memory: Option<u64>,
    /// Time that all steps and results would take on this machine, as busy as it is.
    pub duration: Duration,
    /// How much of it processors would work for the run, where the system tells.
    pub processor: Option<Duration>,
}

impl Estimate {
    /// Builds the scene file at `path`, tries some steps, and writes some results into a temporary folder, which is removed.
    ///
    /// # Errors
    /// Those of reading and building a scene, with file, key and line, and those of steps.
    pub fn of_file(path: impl AsRef<Path>, quick: bool) -> Result<Self, GrainsError> {
        let path = path.as_ref();
        let (scene, source) = Source::from_path(path)?;
        let home = path.parent().unwrap_or(Path::new(""));
        Self::new(&scene, home, quick).map_err(|error| source.locate(error))
    }

    /// The same for a scene whose files are in `folder`.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn new(scene: &Scene, folder: &Path, quick: bool) -> Result<Self, GrainsError> {
        let advice = crate::build::checks::advice(scene, folder)?;
        let worked = processor_time();
        let begin = Instant::now();
        let mut simulation = Simulation::new(scene, folder, quick)?;
        let (whole, built) = (begin, begin.elapsed());
        let reading = simulation.read()?;
        let steps = simulation.steps();
        let begin = Instant::now();
        while simulation.steps_taken() < steps.min(STEPS.1)
            && (simulation.steps_taken() < STEPS.0 || begin.elapsed() < TRIAL)
        {
            simulation.step()?;
        }
        let tried = simulation.steps_taken();
        let each = begin.elapsed().div_f64(tried.max(1) as f64);
        let often = |interval: Option<Interval>| {
            interval.map_or(0.0, |interval| 1.0 + (steps / interval.steps(simulation.dt())) as f64)
        };
        let plan = &scene.output;
        let (series, contacts) = (often(plan.series), often(plan.contacts));
        // One at the start and one at the end there always is.
        let checkpoints = often(plan.checkpoints).max(2.0);
        let text = scene.to_toml()?;
        let now = simulation.read()?;
        let frames = often(plan.frames);
        // The list of frames is written with each of them, and is half as long on average: one that is too long to try takes
        // time by its length.
        let listed = (0.5 * frames).min(LISTED);
        let longer = (0.5 * frames / listed.max(1.0)).max(1.0);
        let mut scratch = Scratch::create(listed as usize)?;
        let results = [
            (timed(|| simulation.read().map(|_| ()))?, series.max(contacts)),
            (timed(|| scratch.lines(&output::line(0, &now, 0)))?, series),
            (timed(|| scratch.lines(&output::contact_lines(0, 0.0, &now.contacts)))?, contacts),
            (timed(|| scratch.frame(&simulation))?, longer * frames),
            (timed(|| scratch.checkpoint(&checkpoint::encode(&text, &simulation, (quick, None))?))?, checkpoints),
        ];
        let results: f64 = results.iter().map(|(once, times)| once.as_secs_f64() * times).sum();
        // That of one simulation: now there comes another one.
        let memory = peak_memory();
        // What falls is a bed later on, whose steps take longer.
        let settled = settled(scene, &simulation, &reading);
        let later = if settled > 0.0 { bed(scene, &simulation).unwrap_or(each).max(each) } else { each };
        let stepping = each.as_secs_f64() * (1.0 - settled) + later.as_secs_f64() * settled;
        // More than a clock can tell is as long as it can.
        let duration = Duration::try_from_secs_f64(built.as_secs_f64() + stepping * steps as f64 + results);
        let duration = duration.unwrap_or(Duration::MAX);
        let share = |end: Duration, start: Duration| end.saturating_sub(start).div_duration_f64(whole.elapsed());
        let share = processor_time().zip(worked).map(|(end, start)| share(end, start));
        let fixed = simulation.bodies().fixed().len();
        Ok(Self {
            title: scene.title.clone(),
            integrator: scene.integrator.name(),
            bodies: (simulation.bodies().len(), fixed),
            walls: reading.wall_forces.len(),
            bonds: simulation.bonds().map_or(0, dem_contact::bond::Bonds::len),
            contacts: reading.contacts.len(),
            dt: (simulation.dt(), advice),
            steps,
            tried,
            memory,
            duration,
            processor: share.map(|share| duration.mul_f64(share)),
        })
    }
}

/// Share of the run after the time of a fall through the scene, for bodies that are not in contact yet.
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

/// How long a step of as many equal bodies takes that touch six others each, if they can be tried.
fn bed(scene: &Scene, simulation: &Simulation) -> Option<Duration> {
    let (bodies, count) = (simulation.bodies(), simulation.bodies().len());
    let free = |i: &usize| bodies.inverse_mass()[*i] > 0.0 && bodies.radius()[*i] > 0.0;
    let body = (0..count).find(free)?;
    let radius = bodies.radius()[body];
    let side = (count as f64).cbrt().ceil() as usize;
    let place = Place::Lattice { origin: [0.0; 3], count: [side; 3], spacing: [1.998 * radius; 3] };
    // Of what those that move are made of: others may be too stiff for these steps.
    let material = scene.bodies.iter().find(|group| !group.fixed).and_then(|group| group.material.clone());
    let mass = Some(bodies.mass()[body]);
    let group = BodyGroup { place, radius: Some(radius), mass, material, ..BodyGroup::default() };
    let contact = scene.contact.clone().map(|model| ContactModel { wall_materials: Vec::new(), ..model });
    let dense = Scene {
        contact,
        gravity: [0.0; 3],
        time: Timing { dt: TimeStep::Fixed(simulation.dt()), duration: 1e6 * simulation.dt(), quick: None },
        region: None,
        bodies: vec![group],
        walls: Vec::new(),
        bonds: None,
        ties: None,
        ..scene.clone()
    };
    let mut dense = Simulation::new(&dense, Path::new(""), false).ok()?;
    let begin = Instant::now();
    while dense.steps_taken() < STEPS.0 || begin.elapsed() < TRIAL / 3 {
        dense.step().ok()?;
    }
    let each = begin.elapsed().div_f64(dense.steps_taken() as f64);
    Some(each.mul_f64(count as f64 / side.pow(3) as f64))
}

/// How long something takes on average, which is done as often as the clock needs.
fn timed(mut work: impl FnMut() -> Result<(), GrainsError>) -> Result<Duration, GrainsError> {
    let (begin, mut count) = (Instant::now(), 0);
    while count == 0 || begin.elapsed() < READING {
        work()?;
        count += 1;
    }
    Ok(begin.elapsed() / count)
}

/// Time that all threads of this process have worked, where the system tells.
fn processor_time() -> Option<Duration> {
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let total: Option<u64> = tasks.map(nanoseconds).sum();
    total.map(Duration::from_nanos)
}

/// The largest memory that this process has had, in bytes, where the system tells.
pub(crate) fn peak_memory() -> Option<u64> {
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
        writeln!(f, "bodies            {}, {} of them fixed", self.bodies.0, self.bodies.1)?;
        writeln!(f, "walls             {}", self.walls)?;
        writeln!(f, "bonds             {}", self.bonds)?;
        writeln!(f, "contacts          {} at the start", self.contacts)?;
        writeln!(f, "time step         {:.6e}", self.dt.0)?;
        match self.dt.1 {
            Some(advice) => writeln!(f, "recommended step  {advice:.6e}")?,
            None => writeln!(f, "recommended step  none: nothing sets a time scale")?,
        }
        writeln!(f, "steps             {}", self.steps)?;
        match self.memory {
            Some(bytes) => writeln!(f, "memory            {:.1} MiB", bytes as f64 / 1_048_576.0)?,
            None => writeln!(f, "memory            the system does not tell")?,
        }
        if let Some(time) = self.processor {
            writeln!(f, "processor time    {:.3} s", time.as_secs_f64())?;
        }
        write!(f, "estimated time    {:.3} s, by trying {} steps", self.duration.as_secs_f64(), self.tried)
    }
}
