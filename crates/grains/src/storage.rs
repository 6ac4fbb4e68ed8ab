//! Checkpoint files: a header (magic, version, instructions, length, checksums), the stored run, and the positions in
//! its files of results.
//!
//! A file is written under a temporary name and then renamed, so that there is a whole checkpoint at any time.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use dem_contact::source::MeshFaces;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Instructions, State};
use serde::{Deserialize, Serialize, Serializer};

use crate::engine::in_words;
use crate::error::{CheckpointError, GrainsError, Location};
use crate::files::{self, Owned};
use crate::progress::Progress;
use crate::scene::Scene;

/// File name of the last checkpoint in a folder of results.
pub(crate) const FILE: &str = "checkpoint.grains";
/// File name of the checkpoint before the last in a folder of results.
pub(crate) const PREVIOUS: &str = "previous.grains";

/// First bytes of a checkpoint file. Transfers as text change the line end, which reveals the damage.
const MAGIC: [u8; 8] = *b"GRAINS\r\n";
/// Version of checkpoints that this program reads and writes; every change of the stored contents raises it.
const VERSION: u16 = 15;
/// Largest memory in bytes per byte of the checkpoint file that a continued run takes.
const MEMORY: u64 = 4;
/// Length of the header in bytes: magic, version, instructions, length of the rest, and the checksums of the rest and
/// of the header.
const HEADER: usize = 8 + 2 + 2 + 8 + 4 + 4;

/// The file that the scene of a run came from, with the keys that the command line has set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SceneFile {
    /// Path of the scene file. A path that is not UTF-8 is stored with U+FFFD, so that `resume` cannot compare the
    /// scene file with the stored scene.
    #[serde(serialize_with = "as_text")]
    pub(crate) path: PathBuf,
    pub(crate) set: Vec<String>,
}

/// Stores a path as text, with U+FFFD for bytes that are not UTF-8.
fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Contents of a checkpoint: a run with its scene, bodies, state and engine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredRun {
    /// Scene of the run as TOML text.
    pub(crate) scene: String,
    /// File of the run's scene; none for a scene that was in memory only.
    pub(crate) file: Option<SceneFile>,
    pub(crate) quick: bool,
    /// Energy balance in J at the start of the run; none if it is not recorded.
    pub(crate) baseline: Option<f64>,
    /// Mesh faces from which the grains of each source come; none for sources with other regions.
    pub(crate) faces: Vec<Option<MeshFaces>>,
    pub(crate) progress: Progress,
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    pub(crate) engine: Vec<u8>,
}

/// Length and checksum of the text that a run has written to a file of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrittenText {
    /// Number of bytes written to the file of results.
    pub(crate) length: u64,
    /// CRC-32 of the bytes written to the file of results.
    pub(crate) checksum: u32,
}

/// The file of a part of a frame, as a checkpoint knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WrittenPart {
    /// Number of the frame with which the file was written: an earlier one if this part has not changed since.
    pub(crate) frame: u64,
    /// Length in bytes of the file of this part of a frame.
    pub(crate) length: u64,
}

/// A frame that a run has written, as a checkpoint knows it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WrittenFrame {
    /// Simulated time of the frame in s.
    pub(crate) time: f64,
    /// File of each part of the frame; none for parts that the scene does not show.
    pub(crate) parts: [Option<WrittenPart>; 5],
}

/// A wall at rest that frames show, with its position and rotation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct WallAtRest {
    /// Number of the wall at rest among all walls of the scene.
    pub(crate) wall: u32,
    /// Origin in m of the frame of reference of the wall's shape; the next field is its rotation, a quaternion.
    pub(crate) origin: [f64; 3],
    pub(crate) rotation: [f64; 4],
}

/// Lengths and contents of the files of results at a checkpoint. A resumed run cuts the files back to these and goes
/// on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct FilePositions {
    /// Written text of the time series; none if it is not written.
    pub(crate) series: Option<WrittenText>,
    /// Written text of the table of contacts; none if it is not written.
    pub(crate) contacts: Option<WrittenText>,
    /// Written text of the table of grains that passed gates; none if it is not written.
    pub(crate) passed: Option<WrittenText>,
    /// Written texts of the tables of measurements, by their numbers.
    pub(crate) measures: Vec<WrittenText>,
    /// All frames that the run has written so far.
    pub(crate) frames: Vec<WrittenFrame>,
    /// Places of the walls at rest that the last frame shows.
    pub(crate) at_rest: Vec<WallAtRest>,
}

/// Writes a checkpoint and returns its length in bytes. The checkpoint that was at `path` becomes the previous one.
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
    header.extend(Instructions::here().code().to_le_bytes());
    header.extend(((simulation.len() + positions.len()) as u64).to_le_bytes());
    header.extend(hasher.finalize().to_le_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    let mut file = Owned::create(files::temporary(path))?;
    for bytes in [&header[..], simulation, &positions] {
        file.push(bytes)?;
    }
    file.sync()?;
    // At any time `path` or `previous` is a whole checkpoint.
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

fn previous(path: &Path) -> PathBuf {
    path.with_file_name(PREVIOUS)
}

/// Returns the [code](Instructions::code) of the vector instructions in the header of the checkpoint at `path`, if any.
pub(crate) fn instructions_of(path: &Path) -> Option<u16> {
    let mut header = [0; HEADER];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    Some(u16::from_le_bytes([header[10], header[11]]))
}

/// Returns a function that makes the error for unusable contents of the checkpoint at `path`.
pub(crate) fn unusable(path: &Path) -> impl Fn(String) -> GrainsError {
    let path = path.to_owned();
    move |problem| GrainsError::Checkpoint { path: path.clone(), source: CheckpointError::Unusable { problem } }
}

/// Reads the checkpoint at `path`, named by the scene's key `key`, and decodes its scene.
///
/// # Errors
/// [`GrainsError::Unreadable`], and errors of damaged files or files that are no checkpoints.
pub(crate) fn read(path: &Path, key: &str) -> Result<(StoredRun, Scene, FilePositions), GrainsError> {
    let bytes = files::read(path, Location::of(key), MEMORY)?;
    let unusable = unusable(path);
    let payload =
        payload(&bytes, previous(path)).map_err(|source| GrainsError::Checkpoint { path: path.to_owned(), source })?;
    let (stored, rest) =
        postcard::take_from_bytes::<StoredRun>(payload).map_err(|error| unusable(in_words(&error).to_owned()))?;
    let (positions, rest) =
        postcard::take_from_bytes::<FilePositions>(rest).map_err(|error| unusable(in_words(&error).to_owned()))?;
    if !rest.is_empty() {
        return Err(unusable(format!("{} bytes at its end mean nothing", rest.len())));
    }
    let scene = Scene::parse(&stored.scene).map_err(|error| unusable(error.to_string()))?;
    let StoredRun { bodies, state, progress, .. } = &stored;
    let is_sphere = |moments: DVec3| moments.to_array().iter().all(|moment| moment.to_bits() == moments.x.to_bits());
    if !bodies.inertia().iter().all(is_sphere) {
        return Err(unusable("its bodies are no spheres".to_owned()));
    }
    state.check(bodies).map_err(|error| unusable(error.to_string()))?;
    progress.identities.check(bodies.len()).map_err(|problem| unusable(problem.to_owned()))?;
    let grouped = progress.groups.check(bodies.len(), scene.sources.len());
    grouped.map_err(|problem| unusable(problem.to_owned()))?;
    let walls: usize = scene.walls.iter().map(|wall| wall.shape.count()).sum();
    let exchanged = [progress.exchange.sources.len(), progress.exchange.gates.len()];
    if exchanged != [scene.sources.len(), scene.gates.len()] {
        return Err(unusable("its sources and gates are not those of its scene".to_owned()));
    }
    let materials = [&progress.materials.bodies, &progress.materials.walls].map(Vec::len);
    if progress.walls.len() != walls
        || ![0, bodies.len()].contains(&materials[0])
        || ![0, walls].contains(&materials[1])
    {
        return Err(unusable("its walls and materials are not those of its scene".to_owned()));
    }
    Ok((stored, scene, positions))
}

/// Returns the bytes of a checkpoint after its header, if the checksums match. `previous` is the path of the previous
/// checkpoint.
fn payload(bytes: &[u8], previous: PathBuf) -> Result<&[u8], CheckpointError> {
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return Err(CheckpointError::OtherFile);
    }
    let found = bytes.len() as u64;
    if bytes.len() < HEADER {
        return Err(CheckpointError::WrongLength { expected: HEADER as u64, found, previous });
    }
    let (header, rest) = bytes.split_at(HEADER);
    let half = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if crc32fast::hash(&header[..HEADER - 4]) != word(HEADER - 4) {
        return Err(CheckpointError::Damaged { previous });
    }
    match half(8) {
        VERSION => {}
        0 => return Err(CheckpointError::Unusable { problem: "there is no version 0".to_owned() }),
        found if found > VERSION => return Err(CheckpointError::Newer { found: found.into(), known: VERSION.into() }),
        found => return Err(CheckpointError::Older { found: found.into(), known: VERSION.into() }),
    }
    let length = u64::from(word(12)) | u64::from(word(16)) << 32;
    if rest.len() as u64 != length {
        let expected = length.saturating_add(HEADER as u64);
        return Err(CheckpointError::WrongLength { expected, found, previous });
    }
    if crc32fast::hash(rest) != word(20) {
        return Err(CheckpointError::Damaged { previous });
    }
    Ok(rest)
}
