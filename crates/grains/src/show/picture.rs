//! Pictures of frames, without a window.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grains_pages::picture::{Camera, Colouring, Paint, Picture, Scenery, Sphere, Stroke, Triangle};
use grains_pages::plot::Axis;
use rrp_geom::glam::DVec3;

use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::names;
use crate::results::Results;
use crate::results::drawn::{DrawnFrame, FrameReader, GrainColumn};
use crate::results::frames::{FrameTimes, ListedFrame, list};
use crate::results::labels::Labels;
use crate::scene::units::Units;
use crate::show::write_file;

/// Diameter of the line of the largest contact force, in mean radii of grains.
const THICKEST: f64 = 0.8;
/// Diameter of the line of a bond, in mean radii of grains.
const BOND: f64 = 0.4;
/// Colours of whole and of broken bonds.
const INTACT: [u8; 3] = [0x3A, 0x3F, 0x45];
const BROKEN: [u8; 3] = [0xD5, 0x5E, 0x00];
/// Opacity of grains through which lines of forces or bonds are seen.
const SEEN_THROUGH: f64 = 0.35;
/// Frames a second of a film.
const FILM_RATE: &str = "15";

/// Request for a picture of a frame: what is drawn, and from which direction.
#[derive(Debug, Clone)]
pub struct PictureRequest {
    /// Column of the grains that decides on their colours, such as `speed`, `diameter`, `material` or `velocity_z`; if it
    /// is empty, all grains are grey.
    pub colour: String,
    /// Smallest and largest number of the colour bar; those of the values in the drawn frames if none are given.
    pub range: Option<[f64; 2]>,
    /// Direction towards the eye; from the front, the right and above if none is given, and straight onto grains that
    /// lie in a plane.
    pub from: Option<[f64; 3]>,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Whether contact forces are drawn as lines, through translucent grains.
    pub forces: bool,
    /// Whether bonds are drawn as lines, through translucent grains.
    pub bonds: bool,
    /// Whether walls are drawn.
    pub walls: bool,
}

impl Default for PictureRequest {
    fn default() -> Self {
        let colour = "speed".to_owned();
        Self { colour, range: None, from: None, size: [1200, 900], forces: false, bonds: false, walls: true }
    }
}

/// Files that show all frames of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Film {
    /// Paths of the pictures, in the order of the frames.
    pub pictures: Vec<PathBuf>,
    /// Path of the film; none where there is no `ffmpeg`.
    pub film: Option<PathBuf>,
}

/// Writes a picture of the frame nearest to the time `at` (s), by default the last one, as a `.png` file.
///
/// # Errors
/// [`GrainsError::NoResults`], [`GrainsError::NoFrames`], [`GrainsError::UnknownColumn`],
/// [`GrainsError::UnknownFormat`], [`GrainsError::Exists`], and errors of reading and writing.
pub fn picture(
    run: &Path,
    request: &PictureRequest,
    at: Option<f64>,
    to: &Path,
    overwrite: bool,
) -> Result<(), GrainsError> {
    draw(run, request, at, to, overwrite).map(|_| ())
}

/// The frame that a picture shows, and the frames from which it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShownFrame {
    /// Time of the frame in words, such as `0.25 s`.
    pub(crate) time: String,
    /// Times of the first and the last frame of the run in words, if the time asked for is before or after all frames.
    pub(crate) ends: Option<[String; 2]>,
}

/// Writes a picture as [`picture`] does, and returns which frame it shows.
///
/// # Errors
/// As [`picture`].
pub(crate) fn draw(
    run: &Path,
    request: &PictureRequest,
    at: Option<f64>,
    to: &Path,
    overwrite: bool,
) -> Result<ShownFrame, GrainsError> {
    require_png(to)?;
    let results = Results::open(run)?;
    let frames = frames_of(&results)?;
    let distance = |frame: &ListedFrame| at.map_or(-frame.time, |at| (frame.time - at).abs());
    let nearest = frames.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let Some(frame) = nearest else { return Err(GrainsError::NoFrames { path: run.to_owned() }) };
    let drawn = Drawn::read(frame, request, &mut FrameReader::of(&results))?;
    let times = FrameTimes::of(&frames);
    let shared = Shared { labels: &results.labels, units: &results.units, range: request.range, framed: None, times };
    write_file(to, overwrite, &drawn.picture(request, &shared).png()?)?;
    let ends = at.and_then(|at| times.ends_if_outside(at));
    let in_words = |time: f64| times.in_words(time, &results.units.time);
    Ok(ShownFrame { time: in_words(frame.time), ends: ends.map(|ends| ends.map(in_words)) })
}

/// Writes a picture of each frame, with one colour bar and one framing for all: `drum.png` becomes `drum-000000.png`
/// and so on. Where `ffmpeg` is found they become the film `drum.mp4` as well.
///
/// # Errors
/// As [`picture`].
pub fn film(run: &Path, request: &PictureRequest, to: &Path, overwrite: bool) -> Result<Film, GrainsError> {
    require_png(to)?;
    let results = Results::open(run)?;
    let frames = frames_of(&results)?;
    let stem = to.with_extension("").display().to_string();
    let path = |number: usize| PathBuf::from(format!("{stem}-{number:06}.png"));
    let joined = PathBuf::from(format!("{stem}.mp4"));
    let taken = (0..frames.len()).map(path).chain([joined.clone()]).find(|path| files::is_taken(path));
    if let Some(path) = taken.filter(|_| !overwrite) {
        return Err(GrainsError::Exists { path });
    }
    let mut reader = FrameReader::of(&results);
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut bounds: Option<[DVec3; 2]> = None;
    for frame in &frames {
        let drawn = Drawn::read(frame, request, &mut reader)?;
        for &value in drawn.column.iter().flat_map(|column| &column.values).filter(|value| value.is_finite()) {
            range = [range[0].min(value), range[1].max(value)];
        }
        let walls = drawn.frame.walls.iter().flatten().filter(|_| request.walls).map(|&corner| [corner, corner]);
        for [low, high] in drawn.frame.bounds().into_iter().chain(walls) {
            bounds = Some(bounds.map_or([low, high], |[least, most]| [least.min(low), most.max(high)]));
        }
    }
    let range = request.range.or((range[0] <= range[1]).then_some(range));
    let times = FrameTimes::of(&frames);
    let shared = Shared { labels: &results.labels, units: &results.units, range, framed: bounds, times };
    for (number, frame) in frames.iter().enumerate() {
        let drawn = Drawn::read(frame, request, &mut reader)?;
        write_file(&path(number), overwrite, &drawn.picture(request, &shared).png()?)?;
    }
    let film = join(&stem, frames.len(), &joined)?;
    Ok(Film { pictures: (0..frames.len()).map(path).collect(), film })
}

/// Joins the numbered pictures of a film by `ffmpeg`. Returns the path of the film; none if there is no `ffmpeg`.
///
/// # Errors
/// [`GrainsError::Io`] if `ffmpeg` fails.
fn join(stem: &str, pictures: usize, film: &Path) -> Result<Option<PathBuf>, GrainsError> {
    let unfinished = film.with_extension("unfinished.mp4");
    let mut command = Command::new("ffmpeg");
    command.args(["-y", "-loglevel", "error", "-framerate", FILM_RATE, "-start_number", "0", "-i"]);
    command.arg(format!("{}-%06d.png", stem.replace('%', "%%"))).args(["-frames:v", &pictures.to_string()]);
    // Players need even numbers of pixels and this order of colours.
    command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).arg(&unfinished);
    let output = match command.stdin(Stdio::null()).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output.map_err(GrainsError::io(film))?,
    };
    if !output.status.success() {
        let _gone = fs::remove_file(&unfinished);
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(GrainsError::io(film)(std::io::Error::other(format!("ffmpeg: {said}"))));
    }
    fs::rename(&unfinished, film).map_err(GrainsError::io(film))?;
    Ok(Some(film.to_owned()))
}

fn require_png(to: &Path) -> Result<(), GrainsError> {
    if to.extension().is_some_and(|ending| ending == "png") {
        return Ok(());
    }
    Err(GrainsError::UnknownFormat { at: Location::of("output"), path: to.to_owned(), known: ".png" })
}

/// Reads the list of the frames of a run.
///
/// # Errors
/// [`GrainsError::NoFrames`], and errors of reading the list.
fn frames_of(results: &Results) -> Result<Vec<ListedFrame>, GrainsError> {
    let frames = if results.has(names::FRAMES) { list(&results.folder)? } else { Vec::new() };
    if frames.is_empty() { Err(GrainsError::NoFrames { path: results.folder.clone() }) } else { Ok(frames) }
}

/// Settings that all pictures of a film share.
struct Shared<'a> {
    labels: &'a Labels,
    /// Smallest and largest number of the colour bar; if none are given, those of the values in each picture.
    range: Option<[f64; 2]>,
    /// Opposite corners of the box that the picture shows; if none are given, the picture is fitted to its scenery.
    framed: Option<[DVec3; 2]>,
    times: FrameTimes,
    units: &'a Units,
}

/// A frame with the column of values that colour its grains; `None` for grey grains.
struct Drawn {
    time: f64,
    frame: DrawnFrame,
    column: Option<GrainColumn>,
}

impl Drawn {
    fn read(listed: &ListedFrame, request: &PictureRequest, reader: &mut FrameReader<'_>) -> Result<Self, GrainsError> {
        let frame = reader.read(listed)?;
        let is_grey = request.colour.is_empty();
        let column = if is_grey { None } else { Some(frame.column(&request.colour, listed)?) };
        Ok(Self { time: listed.time, frame, column })
    }

    fn picture(&self, request: &PictureRequest, shared: &Shared<'_>) -> Picture {
        let has_lines = request.forces || request.bonds;
        let [width, height] = request.size;
        let camera = self.camera(request);
        let camera = shared.framed.map_or(camera, |[low, high]| camera.frame(low, high));
        let mut picture = Picture::new(self.scenery(request)).size(width, height).camera(camera);
        picture = picture.title(format!("t = {}", shared.times.in_words(self.time, &shared.units.time)));
        picture = picture.length_unit(&shared.units.length);
        if let Some(column) = &self.column {
            picture = picture.colouring(colouring(column, shared.labels.of(&request.colour), shared.range));
        }
        if request.forces {
            picture =
                picture.stroke_colouring(Colouring::numbers(Axis::linear("normal force", shared.units.named("N"))));
        }
        if has_lines { picture.opacity(SEEN_THROUGH) } else { picture }
    }

    /// Returns the camera of a request. By default it looks along the normal of the plane in which all grains lie, if
    /// there is one.
    fn camera(&self, request: &PictureRequest) -> Camera {
        if let Some(from) = request.from {
            return Camera::from_direction(DVec3::from_array(from)).perspective();
        }
        match self.frame.flat_axis() {
            Some(2) => Camera::from_direction(DVec3::Z).up(DVec3::Y),
            Some(1) => Camera::from_direction(-DVec3::Y),
            Some(_) => Camera::from_direction(DVec3::X),
            None => Camera::default().perspective(),
        }
    }

    fn scenery(&self, request: &PictureRequest) -> Scenery {
        let radii = self.frame.radii();
        let values = self.column.as_ref().map(|column| &column.values);
        let value = |grain: usize| values.and_then(|values| values.get(grain)).copied().unwrap_or(f64::NAN);
        let grains = self.frame.centers().iter().zip(&radii).zip((0..).map(value));
        let spheres = grains.map(|((&centre, &radius), value)| Sphere { centre, radius, value }).collect();
        let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
        let mut strokes = Vec::new();
        if request.forces {
            let contacts = self.frame.contacts();
            let largest = contacts.iter().map(|contact| contact.force.abs()).fold(0.0, f64::max);
            strokes.extend(contacts.iter().filter(|contact| contact.force != 0.0).map(|contact| Stroke {
                ends: contact.ends,
                width: THICKEST * mean * contact.force.abs() / largest,
                paint: Paint::Value(contact.force),
            }));
        }
        if request.bonds {
            strokes.extend(self.frame.bonds().iter().map(|bond| Stroke {
                ends: bond.ends,
                width: BOND * mean,
                paint: Paint::Fixed(if bond.is_intact { INTACT } else { BROKEN }),
            }));
        }
        let walls = if request.walls { &self.frame.walls[..] } else { &[] };
        Scenery { spheres, walls: walls.iter().map(|&corners| Triangle { corners }).collect(), strokes }
    }
}

/// Returns the meaning of the colours of grains by a column: `names` of the numbers in it, if there are any, numbers that
/// only distinguish grains, or numbers on a colour bar with this `range`.
fn colouring(column: &GrainColumn, names: &[String], range: Option<[f64; 2]>) -> Colouring {
    let GrainColumn { quantity, unit, is_label, .. } = column;
    match range {
        _ if !names.is_empty() => Colouring::names(quantity, names),
        _ if *is_label => Colouring::labels(quantity),
        None => Colouring::numbers(Axis::linear(quantity, unit)),
        Some([low, high]) => Colouring::numbers(Axis::linear(quantity, unit)).range(low, high),
    }
}
