//! Pictures of frames, without a window.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grains_pages::number;
use grains_pages::picture::{Camera, Colouring, Paint, Picture, Scenery, Sphere, Stroke, Triangle};
use grains_pages::plot::Axis;
use rrp_geom::glam::DVec3;

use crate::error::{GrainsError, Location};
use crate::files;
use crate::results::Results;
use crate::results::drawn::{DrawnFrame, GrainColumn};
use crate::results::frames::{ListedFrame, list};
use crate::results::labels::Labels;

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

/// What of a frame is drawn, and from where.
#[derive(Debug, Clone)]
pub struct PictureRequest {
    /// Column of the grains that decides on their colours, such as `speed`, `diameter`, `material` or `velocity_z`.
    pub colour: String,
    /// Smallest and largest number of the colour bar; those of the drawn frames if none are given.
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
/// [`GrainsError::NoFolder`], [`GrainsError::NoResults`], [`GrainsError::NoFrames`], [`GrainsError::UnknownColumn`],
/// [`GrainsError::UnknownFormat`], [`GrainsError::Exists`], and errors of reading and writing.
pub fn picture(
    run: &Path,
    request: &PictureRequest,
    at: Option<f64>,
    to: &Path,
    overwrite: bool,
) -> Result<(), GrainsError> {
    require_png(to)?;
    let frames = frames_of(run)?;
    let distance = |frame: &ListedFrame| at.map_or(-frame.time, |at| (frame.time - at).abs());
    let nearest = frames.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let Some(frame) = nearest else { return Err(GrainsError::NoFrames { path: run.to_owned() }) };
    let drawn = Drawn::read(frame, request)?;
    let shared = Shared { labels: labels_of(run)?, range: request.range, framed: None };
    write_png(&drawn.picture(request, &shared), to, overwrite)
}

/// Writes a picture of each frame, with one colour bar and one framing for all: `drum.png` becomes `drum-000000.png`
/// and so on. Where `ffmpeg` is found they become the film `drum.mp4` as well.
///
/// # Errors
/// As [`picture`].
pub fn film(run: &Path, request: &PictureRequest, to: &Path, overwrite: bool) -> Result<Film, GrainsError> {
    require_png(to)?;
    let frames = frames_of(run)?;
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut bounds: Option<[DVec3; 2]> = None;
    for frame in &frames {
        let drawn = Drawn::read(frame, request)?;
        for &value in drawn.column.values.iter().filter(|value| value.is_finite()) {
            range = [range[0].min(value), range[1].max(value)];
        }
        if let Some([low, high]) = drawn.bounds() {
            bounds = Some(bounds.map_or([low, high], |[least, most]| [least.min(low), most.max(high)]));
        }
    }
    let range = request.range.or((range[0] <= range[1]).then_some(range));
    let shared = Shared { labels: labels_of(run)?, range, framed: bounds };
    let stem = to.with_extension("").display().to_string();
    let path = |number: usize| PathBuf::from(format!("{stem}-{number:06}.png"));
    if let Some(taken) = (0..frames.len()).map(path).find(|path| files::is_taken(path)).filter(|_| !overwrite) {
        return Err(GrainsError::Exists { path: taken });
    }
    for (number, frame) in frames.iter().enumerate() {
        let drawn = Drawn::read(frame, request)?;
        write_png(&drawn.picture(request, &shared), &path(number), overwrite)?;
    }
    Ok(Film { pictures: (0..frames.len()).map(path).collect(), film: joined(&stem, overwrite) })
}

/// Joins numbered pictures into a film by `ffmpeg`. Returns the path of the film; none if there is no `ffmpeg`, if it
/// fails, or if another file is at the path and may not be replaced.
fn joined(stem: &str, overwrite: bool) -> Option<PathBuf> {
    let film = PathBuf::from(format!("{stem}.mp4"));
    if files::is_taken(&film) && !overwrite {
        return None;
    }
    let mut command = Command::new("ffmpeg");
    command.args(["-y", "-loglevel", "error", "-framerate", FILM_RATE, "-i"]).arg(format!("{stem}-%06d.png"));
    // Players need even numbers of pixels and this order of colours.
    command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).arg(&film);
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success()).then_some(film)
}

fn require_png(to: &Path) -> Result<(), GrainsError> {
    if to.extension().is_some_and(|ending| ending == "png") {
        return Ok(());
    }
    Err(GrainsError::UnknownFormat { at: Location::of("output"), path: to.to_owned(), known: ".png" })
}

fn frames_of(run: &Path) -> Result<Vec<ListedFrame>, GrainsError> {
    let results = Results::open(run)?;
    if !results.has(crate::output::names::FRAMES) {
        return Err(GrainsError::NoFrames { path: run.to_owned() });
    }
    list(&results.folder)
}

fn write_png(picture: &Picture, to: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let bytes = picture.png()?;
    files::write_new(to, overwrite, |file| file.write_all(&bytes).map_err(GrainsError::io(to)))
}

fn labels_of(run: &Path) -> Result<Labels, GrainsError> {
    Ok(Labels::read(&Results::open(run)?))
}

/// What all pictures of a film share.
struct Shared {
    labels: Labels,
    /// Smallest and largest number of the colour bar; those of the picture if none are given.
    range: Option<[f64; 2]>,
    /// Corners of the box that is framed; that of the picture if none is given.
    framed: Option<[DVec3; 2]>,
}

/// A frame with the column that colours its grains.
struct Drawn {
    time: f64,
    frame: DrawnFrame,
    column: GrainColumn,
}

impl Drawn {
    fn read(listed: &ListedFrame, request: &PictureRequest) -> Result<Self, GrainsError> {
        let frame = DrawnFrame::read(listed)?;
        let column = frame.column(&request.colour, listed)?;
        Ok(Self { time: listed.time, frame, column })
    }

    /// Corners of the box around all grains; none without grains.
    fn bounds(&self) -> Option<[DVec3; 2]> {
        let spheres = self.frame.centers().iter().zip(self.frame.radii());
        let boxes = spheres.map(|(&center, radius)| [center - radius, center + radius]);
        boxes.reduce(|[low, high], [least, most]| [low.min(least), high.max(most)])
    }

    fn picture(&self, request: &PictureRequest, shared: &Shared) -> Picture {
        let GrainColumn { quantity, unit, is_label, .. } = &self.column;
        let names = shared.labels.of(&request.colour);
        let colouring = match shared.range {
            _ if !names.is_empty() => Colouring::names(quantity, names),
            _ if *is_label => Colouring::labels(quantity),
            None => Colouring::numbers(Axis::linear(quantity, *unit)),
            Some([low, high]) => Colouring::numbers(Axis::linear(quantity, *unit)).range(low, high),
        };
        let has_lines = request.forces || request.bonds;
        let [width, height] = request.size;
        let camera = self.camera(request);
        let camera = shared.framed.map_or(camera, |[low, high]| camera.frame(low, high));
        let picture = Picture::new(self.scenery(request)).size(width, height).camera(camera).colouring(colouring);
        let picture = picture.title(format!("t = {} s", number::short(self.time, 4)));
        let picture = if request.forces {
            picture.stroke_colouring(Colouring::numbers(Axis::linear("normal force", "N")))
        } else {
            picture
        };
        if has_lines { picture.opacity(SEEN_THROUGH) } else { picture }
    }

    /// Looks along the normal of the plane in which all grains lie, if they do.
    fn camera(&self, request: &PictureRequest) -> Camera {
        if let Some(from) = request.from {
            return Camera::from_direction(DVec3::from_array(from)).perspective();
        }
        let Some([low, high]) = self.bounds() else { return Camera::default() };
        let thickness = high - low;
        let largest = self.frame.radii().into_iter().fold(0.0, f64::max);
        let is_flat = |axis: usize| thickness[axis] <= 2.001 * largest && thickness.max_element() > 4.0 * largest;
        match (is_flat(2), is_flat(1), is_flat(0)) {
            (true, false, false) => Camera::from_direction(DVec3::Z).up(DVec3::Y),
            (false, true, false) => Camera::from_direction(-DVec3::Y),
            (false, false, true) => Camera::from_direction(DVec3::X),
            _ => Camera::default().perspective(),
        }
    }

    fn scenery(&self, request: &PictureRequest) -> Scenery {
        let radii = self.frame.radii();
        let grains = self.frame.centers().iter().zip(&radii).zip(&self.column.values);
        let spheres = grains.map(|((&centre, &radius), &value)| Sphere { centre, radius, value }).collect();
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
