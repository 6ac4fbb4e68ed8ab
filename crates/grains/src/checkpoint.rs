//! Checkpoints: everything that a run needs to continue with the same bits.
//!
//! A file has a header (magic, version, length, checksums), the stored simulation, and how far the files of results
//! were. It is written under another name and then renamed, so that there is a whole checkpoint at any moment.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use crate::build::bodies::smallest_radius;
use crate::build::parts::Parts;
use crate::energy_guard::EnergyGuard;
use crate::engine::{self, RestoreError};
use crate::error::{GrainsError, Location};
use crate::files::{self, Owned};
use crate::scene::Scene;
use crate::simulation::Simulation;

/// The last checkpoint in a folder of results.
pub(crate) const FILE: &str = "checkpoint.grains";
/// The checkpoint before the last.
pub(crate) const PREVIOUS: &str = "previous.grains";

/// The first bytes of a file; the line end shows transfers as text.
const MAGIC: [u8; 8] = *b"GRAINS\r\n";
/// The version that this program reads and writes. A change of what is stored raises it.
pub(crate) const VERSION: u32 = 4;
/// Most memory that a byte of a file takes when it is read, and when what it holds goes on.
const MEMORY: u64 = 4;
/// Magic, version, length of the rest, and the checksums of the rest and of these numbers.
const HEADER: usize = 8 + 4 + 8 + 4 + 4;

/// A simulation as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    /// As TOML.
    scene: String,
    quick: bool,
    dt: f64,
    step: u64,
    steps: u64,
    iterations: usize,
    /// Energy balance at the start.
    baseline: Option<f64>,
    guard: EnergyGuard,
    bodies: Bodies,
    state: State,
    engine: Vec<u8>,
}

/// How much text was written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrittenText {
    /// Number of bytes.
    pub(crate) length: u64,
    /// Their CRC-32.
    pub(crate) checksum: u32,
}

/// A frame that was written.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WrittenFrame {
    /// Time in s.
    pub(crate) time: f64,
    /// Number of bytes.
    pub(crate) length: u64,
}

/// How far the files of results were at a checkpoint. A resumed run writes again what came later.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct FilePositions {
    /// The time series, if there is one.
    pub(crate) series: Option<WrittenText>,
    /// The table of contacts.
    pub(crate) contacts: Option<WrittenText>,
    /// The frames.
    pub(crate) frames: Vec<WrittenFrame>,
}

/// The run that a checkpoint belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunHeader<'a> {
    /// The scene as TOML.
    pub(crate) scene: &'a str,
    pub(crate) quick: bool,
    /// Energy balance at the start.
    pub(crate) baseline: Option<f64>,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Checkpoint {
    /// The scene.
    pub scene: Scene,
    /// The simulation, ready to continue.
    pub simulation: Simulation,
    /// Whether the run was a quick one.
    pub quick: bool,
    pub(crate) baseline: Option<f64>,
    pub(crate) positions: FilePositions,
}

/// The simulation as bytes.
///
/// # Errors
/// [`GrainsError::Unstorable`].
pub(crate) fn encode(run: RunHeader<'_>, simulation: &Simulation) -> Result<Vec<u8>, GrainsError> {
    let unstorable = |error: postcard::Error| GrainsError::Unstorable { problem: error.to_string() };
    let stored = Stored {
        scene: run.scene.to_owned(),
        quick: run.quick,
        dt: simulation.dt,
        step: simulation.step,
        steps: simulation.steps,
        iterations: simulation.iterations,
        baseline: run.baseline,
        guard: simulation.guard,
        bodies: (*simulation.bodies).clone(),
        state: simulation.state.clone(),
        engine: simulation.engine.store().map_err(unstorable)?,
    };
    postcard::to_stdvec(&stored).map_err(unstorable)
}

/// Writes a checkpoint and returns its length in bytes. The one that was at `path` becomes the previous one.
///
/// # Errors
/// [`GrainsError::Unstorable`] and [`GrainsError::Io`].
pub(crate) fn write(path: &Path, simulation: &[u8], positions: &FilePositions) -> Result<u64, GrainsError> {
    let positions = postcard::to_stdvec(positions);
    let positions = positions.map_err(|error| GrainsError::Unstorable { problem: error.to_string() })?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(simulation);
    hasher.update(&positions);
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend(((simulation.len() + positions.len()) as u64).to_le_bytes());
    header.extend(hasher.finalize().to_le_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    let mut file = Owned::create(files::temporary(path))?;
    for bytes in [&header[..], simulation, &positions] {
        file.push(bytes)?;
    }
    file.sync()?;
    // At any moment one of the two names has a whole checkpoint.
    let previous = previous(path);
    if path.exists() && !files::is_same(path, &previous) {
        let kept = files::temporary(&previous);
        let linked = fs::hard_link(path, &kept).or_else(|_| fs::copy(path, &kept).map(|_| ()));
        linked.and_then(|()| fs::rename(&kept, &previous)).map_err(GrainsError::io(&previous))?;
    }
    let length = file.replace(path.to_owned())?.length();
    files::sync_folder(path.parent().unwrap_or(Path::new("")))?;
    Ok(length)
}

/// The path of the checkpoint before the one at `path`.
fn previous(path: &Path) -> PathBuf {
    path.with_file_name(PREVIOUS)
}

impl Checkpoint {
    /// Reads the checkpoint at `path`.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], [`NotACheckpoint`](GrainsError::NotACheckpoint),
    /// [`NewerCheckpoint`](GrainsError::NewerCheckpoint), [`TruncatedCheckpoint`](GrainsError::TruncatedCheckpoint),
    /// [`DamagedCheckpoint`](GrainsError::DamagedCheckpoint), [`UnusableCheckpoint`](GrainsError::UnusableCheckpoint).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, GrainsError> {
        let path = path.as_ref();
        let bytes = files::read(path, Location::of("checkpoint"), MEMORY)?;
        let unusable = |problem: String| GrainsError::UnusableCheckpoint { path: path.to_owned(), problem };
        let payload = payload(&bytes, path)?;
        let (stored, rest) =
            postcard::take_from_bytes::<Stored>(payload).map_err(|error| unusable(error.to_string()))?;
        let (positions, rest) =
            postcard::take_from_bytes::<FilePositions>(rest).map_err(|error| unusable(error.to_string()))?;
        if !rest.is_empty() {
            return Err(unusable(format!("{} bytes at its end mean nothing", rest.len())));
        }
        let scene = Scene::parse(&stored.scene).map_err(|error| unusable(error.to_string()))?;
        let Stored { quick, dt, step, steps, iterations, baseline, guard, bodies, state, engine, .. } = stored;
        check_steps(&scene, dt, [step, steps], &positions).map_err(|problem| unusable(problem.to_owned()))?;
        let is_sphere =
            |moments: DVec3| moments.to_array().iter().all(|moment| moment.to_bits() == moments.x.to_bits());
        if !bodies.inertia().iter().all(is_sphere) {
            return Err(unusable("its bodies are no spheres".to_owned()));
        }
        state.check(&bodies).map_err(|error| unusable(error.to_string()))?;
        let parts = Parts::new(&scene, smallest_radius(&bodies), None).map_err(|error| unusable(error.to_string()))?;
        let engine = engine::restore(&scene, parts, dt, &engine).map_err(|error| match error {
            RestoreError::Bytes(error) => unusable(error.to_string()),
            RestoreError::Scene(error) => unusable(error.to_string()),
        })?;
        let (bodies, inputs, notes) = (Arc::new(bodies), Vec::new(), Vec::new());
        let simulation = Simulation { bodies, state, engine, dt, step, steps, iterations, inputs, notes, guard };
        Ok(Self { scene, simulation, quick, baseline, positions })
    }
}

/// Checks that numbers of steps, and of files of results, fit each other and the scene. Returns what does not.
fn check_steps(scene: &Scene, dt: f64, [step, steps]: [u64; 2], positions: &FilePositions) -> Result<(), &'static str> {
    let plan = &scene.output;
    if !(dt.is_finite() && dt > 0.0) {
        return Err("the time step is not positive");
    }
    if step > steps {
        return Err("it has taken more steps than the run has");
    }
    if positions.series.is_some() != plan.series.is_some() || positions.contacts.is_some() != plan.contacts.is_some() {
        return Err("its files of results are not those of its scene");
    }
    let most = plan.frames.map_or(0, |interval| step / interval.steps(dt) + 2);
    if positions.frames.len() as u64 > most || positions.frames.iter().any(|frame| !frame.time.is_finite()) {
        return Err("its frames are not those of its scene");
    }
    Ok(())
}

/// The bytes after the header, if the checksums match.
fn payload<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a [u8], GrainsError> {
    let path = path.to_owned();
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(GrainsError::NotACheckpoint { path });
    }
    let previous = previous(&path);
    let found = bytes.len() as u64;
    if bytes.len() < HEADER {
        return Err(GrainsError::TruncatedCheckpoint { path, expected: HEADER as u64, found, previous });
    }
    let (header, rest) = bytes.split_at(HEADER);
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if crc32fast::hash(&header[..HEADER - 4]) != word(HEADER - 4) {
        return Err(GrainsError::DamagedCheckpoint { path, previous });
    }
    match word(8) {
        VERSION => {}
        0 => return Err(GrainsError::UnusableCheckpoint { path, problem: "there is no version 0".to_owned() }),
        found if found > VERSION => return Err(GrainsError::NewerCheckpoint { path, found, known: VERSION }),
        found => return Err(GrainsError::OlderCheckpoint { path, found, known: VERSION }),
    }
    let length = u64::from(word(12)) | u64::from(word(16)) << 32;
    if rest.len() as u64 != length {
        let expected = length.saturating_add(HEADER as u64);
        return Err(GrainsError::TruncatedCheckpoint { path, expected, found, previous });
    }
    if crc32fast::hash(rest) != word(20) {
        return Err(GrainsError::DamagedCheckpoint { path, previous });
    }
    Ok(rest)
}
