//! Frames of a run, read back to be drawn or measured.

use std::path::{Path, PathBuf};

use dem_contact::error::{DemError, FileError};
use dem_contact::io::VtpTable;
use grains_pages::number;

use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::names::{self, FRAME_PARTS, FramePart};

/// Largest number of bytes of memory that reading a frame takes for each byte of its file.
pub(crate) const MEMORY: u64 = 64;

/// Makes the function that turns an error of reading the frame file at `path` into a [`GrainsError`].
pub(crate) fn refused(path: &Path) -> impl Fn(DemError) -> GrainsError {
    let path = path.to_owned();
    move |error| GrainsError::File { at: Location::of("output.frames"), path: path.clone(), source: Box::new(error) }
}

/// A frame in the list of frames of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListedFrame {
    /// Simulated time of the frame in s.
    pub(crate) time: f64,
    /// File of each part that the frame has, in the order of [`FRAME_PARTS`].
    files: [Option<PathBuf>; FRAME_PARTS.len()],
}

impl ListedFrame {
    /// Returns the path of a part of the frame; `None` if the frame lacks this part.
    pub(crate) fn file(&self, part: FramePart) -> Option<&Path> {
        let index = FRAME_PARTS.iter().position(|known| *known == part)?;
        self.files[index].as_deref()
    }

    /// Reads a part of the frame; `None` if the frame lacks this part.
    ///
    /// # Errors
    /// [`GrainsError::Unreadable`], [`GrainsError::TooLarge`] and [`GrainsError::File`].
    pub(crate) fn read(&self, part: FramePart) -> Result<Option<VtpTable>, GrainsError> {
        let Some(path) = self.file(part) else { return Ok(None) };
        let bytes = files::read(path, Location::of("output.frames"), MEMORY)?;
        VtpTable::read(&mut &bytes[..]).map(Some).map_err(refused(path))
    }
}

/// Reads the list of frames in `folder`.
///
/// # Errors
/// [`GrainsError::Unreadable`], and [`GrainsError::File`] for a list that no run writes.
pub(crate) fn list(folder: &Path) -> Result<Vec<ListedFrame>, GrainsError> {
    let path = folder.join(names::FRAMES);
    let text = files::read(&path, Location::of("output.frames"), 2)?;
    let text = String::from_utf8_lossy(&text);
    let mut frames: Vec<ListedFrame> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("<DataSet ")) {
        let malformed = |expected: &'static str| {
            refused(&path)(FileError::Malformed { line: index + 1, expected, found: line.to_owned() }.into())
        };
        let attribute = |name: &str| Some(line.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0);
        let time = attribute("timestep").and_then(|time| time.parse().ok());
        let time: f64 = time.ok_or_else(|| malformed("a number as `timestep`"))?;
        let part: Option<usize> = attribute("part").and_then(|part| part.parse().ok());
        let part = part.filter(|&part| part < FRAME_PARTS.len()).ok_or_else(|| malformed("0 to 4 as `part`"))?;
        // Names of other files would lead out of the folder.
        let is_own = |name: &&str| names::frame_number(FRAME_PARTS[part], name).is_some();
        let file = attribute("file").filter(is_own).ok_or_else(|| malformed("the name of a frame as `file`"))?;
        if FRAME_PARTS[part] == FramePart::Grains {
            frames.push(ListedFrame { time, ..ListedFrame::default() });
        }
        let frame = frames.last_mut().ok_or_else(|| malformed("grains as the first part of a frame"))?;
        frame.files[part] = Some(folder.join(file));
    }
    Ok(frames)
}

/// Times of the frames of a run: the first, the last, and how far apart frames are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameTimes {
    /// Times of the first and of the last frame in s.
    ends: [f64; 2],
    /// Mean time between two frames in s; zero for a single frame.
    interval: f64,
}

/// Largest number of decimals of the time of a frame in s; shorter times are written with powers of ten.
const MOST_DECIMALS: i32 = 6;

impl FrameTimes {
    /// Returns the times of these frames, which ascend.
    pub(crate) fn of(frames: &[ListedFrame]) -> Self {
        let first = frames.first().map_or(0.0, |frame| frame.time);
        let last = frames.last().map_or(first, |frame| frame.time);
        Self { ends: [first, last], interval: (last - first) / (frames.len().max(2) - 1) as f64 }
    }

    /// Returns the times of the first and the last frame if a time (s) is before or after all frames, by more than the
    /// time between two frames.
    pub(crate) fn ends_if_outside(self, time: f64) -> Option<[f64; 2]> {
        let [first, last] = self.ends;
        (time < first - self.interval || time > last + self.interval).then_some(self.ends)
    }

    /// Formats the time of a frame with the `unit` of time. Frames are written at the ends of steps, a little before or
    /// after the moment that the scene asks for. The text therefore has only as many decimals as tell one frame from the next: `1.00 s`
    /// for 0.9998 s where frames are 0.05 s apart.
    pub(crate) fn in_words(self, time: f64, unit: &str) -> String {
        let decimals = (0..=MOST_DECIMALS).find(|decimals| 10f64.powi(-decimals) <= 0.25 * self.interval);
        match decimals {
            Some(decimals) if time.abs() < 1e6 => format!("{time:.0$} {unit}", decimals as usize).replace('-', "−"),
            _ => format!("{} {unit}", number::short(time, 4)),
        }
    }
}
