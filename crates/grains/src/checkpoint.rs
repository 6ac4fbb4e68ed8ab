//! Checkpoints: everything that a run needs to continue with the same bits.
//!
//! A file has a header (magic, version, length, checksums), the stored simulation, and how far the files of results
//! were. It is written under another name and then renamed, so that there is a whole checkpoint at any moment.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use crate::build::bodies::smallest_radius;
use crate::build::parts::Parts;
use crate::engine::{self, RestoreError};
use crate::error::{GrainsError, Location};
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
    bodies: Bodies,
    state: State,
    engine: Vec<u8>,
}

/// How far the files of results were at a checkpoint. A resumed run writes again what came later.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct FilePositions {
    /// Bytes of the time series, if there is one.
    pub(crate) series: Option<u64>,
    /// Bytes of the table of contacts.
    pub(crate) contacts: Option<u64>,
    /// Times of the frames.
    pub(crate) frames: Vec<f64>,
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
        bodies: (*simulation.bodies).clone(),
        state: simulation.state.clone(),
        engine: simulation.engine.store().map_err(unstorable)?,
    };
    postcard::to_stdvec(&stored).map_err(unstorable)
}

/// Writes a checkpoint. The one that was at `path` becomes the previous one.
///
/// # Errors
/// [`GrainsError::Unstorable`] and [`GrainsError::Io`].
pub(crate) fn write(path: &Path, simulation: &[u8], positions: &FilePositions) -> Result<(), GrainsError> {
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
    let new = path.with_extension("new");
    let mut file = File::create(&new).map_err(GrainsError::io(&new))?;
    for bytes in [&header[..], simulation, &positions] {
        file.write_all(bytes).map_err(GrainsError::io(&new))?;
    }
    file.sync_all().map_err(GrainsError::io(&new))?;
    // At any moment one of the two names has a whole checkpoint.
    if path.exists() {
        let (kept, previous) = (path.with_extension("kept"), previous(path));
        fs::copy(path, &kept).and_then(|_| fs::rename(&kept, &previous)).map_err(GrainsError::io(&previous))?;
    }
    fs::rename(&new, path).map_err(GrainsError::io(path))
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
        let bytes = fs::read(path).map_err(|source| GrainsError::Unreadable {
            at: Location::of("checkpoint"),
            path: path.to_owned(),
            source,
        })?;
        let unusable = |problem: String| GrainsError::UnusableCheckpoint { path: path.to_owned(), problem };
        let payload = payload(&bytes, path)?;
        let (stored, rest) =
            postcard::take_from_bytes::<Stored>(payload).map_err(|error| unusable(error.to_string()))?;
        let positions: FilePositions = postcard::from_bytes(rest).map_err(|error| unusable(error.to_string()))?;
        let scene = Scene::parse(&stored.scene).map_err(|error| unusable(error.to_string()))?;
        let Stored { quick, dt, step, steps, iterations, baseline, bodies, state, engine, .. } = stored;
        state.check(&bodies).map_err(|error| unusable(error.to_string()))?;
        let parts = Parts::new(&scene, smallest_radius(&bodies), None)?;
        let engine = engine::restore(&scene, parts, dt, &engine).map_err(|error| match error {
            RestoreError::Bytes(error) => unusable(error.to_string()),
            RestoreError::Scene(error) => error,
        })?;
        let simulation = Simulation { bodies: Arc::new(bodies), state, engine, dt, step, steps, iterations };
        Ok(Self { scene, simulation, quick, baseline, positions })
    }
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
