//! Frames for ParaView.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use dem_contact::io::{VtpContacts, VtpFrame, VtpWalls};
use dem_contact::measure::Touch;
use dem_contact::neighbor::Domain;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use super::names::{self, FRAME_PARTS, FramePart};
use crate::error::GrainsError;
use crate::files::{self, Owned};
use crate::progress::walls::StagedWall;
use crate::reading::Reading;
use crate::simulation::{Simulation, touches};
use crate::storage::WrittenFrame;

/// What stands in a list before and after the frames.
const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// What a frame shows.
#[derive(Debug)]
pub(crate) struct Frame {
    bodies: Arc<Bodies>,
    state: State,
    ids: Vec<u64>,
    /// None if there is only one material.
    materials: Option<Vec<u16>>,
    touches: Vec<Touch>,
    bonds: Option<Bonds>,
    /// As the contacts number them.
    walls: Vec<Wall>,
    /// The box that positions are wrapped into.
    wrapped_in: Option<Domain>,
}

impl Frame {
    /// The present state, of which `reading` is the reading.
    ///
    /// # Errors
    /// Those of [`Simulation::domain`].
    pub(crate) fn of(simulation: &Simulation, reading: &Reading) -> Result<Self, GrainsError> {
        let materials = &simulation.progress.materials.bodies;
        let wraps = simulation.plan.output().wrap;
        Ok(Self {
            wrapped_in: wraps.then(|| simulation.domain()).transpose()?,
            bodies: Arc::clone(&simulation.bodies),
            state: simulation.state().clone(),
            ids: simulation.ids().to_vec(),
            materials: (!materials.is_empty()).then(|| materials.clone()),
            touches: touches(reading),
            bonds: simulation.bonds().cloned(),
            walls: simulation.progress.walls.iter().map(StagedWall::as_it_acts).collect(),
        })
    }

    /// A box around all bodies as they are drawn.
    fn bounds(&self) -> Result<[DVec3; 2], DemError> {
        let Self { bodies, state, wrapped_in, .. } = self;
        if let Some(domain) = wrapped_in.filter(|domain| domain.is_periodic()) {
            let domain = domain.at(state.time())?;
            return Ok([domain.low(), domain.high()]);
        }
        let mut bounds: Option<[DVec3; 2]> = None;
        for (center, &radius) in state.position().iter().zip(bodies.radius().iter()) {
            let [low, high] = bounds.unwrap_or([center; 2]);
            bounds = Some([low.min(center - radius), high.max(center + radius)]);
        }
        Ok(bounds.unwrap_or_default())
    }

    fn write(&self, part: FramePart, to: &mut dyn Write) -> Result<(), DemError> {
        let Self { bodies, state, ids, materials, touches, bonds, walls, wrapped_in } = self;
        match part {
            FramePart::Grains => {
                let mut frame = VtpFrame::new(bodies, state)?.with_ids(ids)?.with_wrenches().with_contacts(touches)?;
                if let Some(materials) = materials {
                    frame = frame.with_materials(materials)?;
                }
                if let Some(bonds) = bonds {
                    frame = frame.with_bonds(bonds)?;
                }
                if let Some(domain) = wrapped_in {
                    frame = frame.wrapped_in(domain)?;
                }
                frame.compressed().write(to)
            }
            FramePart::Contacts => {
                let mut lines = VtpContacts::new(bodies, state, touches)?.with_ids(ids)?;
                if let Some(domain) = wrapped_in {
                    lines = lines.wrapped_in(domain)?;
                }
                lines.compressed().write(to)
            }
            FramePart::Walls => VtpWalls::new(walls, state.time(), self.bounds()?)?.compressed().write(to),
        }
    }
}

/// Frames, each with a file for each of its parts, and their list, which is complete at any moment.
#[derive(Debug)]
pub(super) struct Frames {
    folder: PathBuf,
    written: Vec<WrittenFrame>,
    list: Owned,
    /// How many frames are on the disk.
    synced: usize,
}

impl Frames {
    /// The frames in `folder`, where these are written. Those that the run wrote later are removed.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] for a frame that is gone or of another length,
    /// [`GrainsError::ResultsReplaced`] for one that the run did not write.
    pub(super) fn at(folder: &Path, written: Vec<WrittenFrame>) -> Result<Self, GrainsError> {
        written.iter().enumerate().try_for_each(|(number, frame)| check_lengths(folder, number, frame))?;
        remove_later(folder, written.len())?;
        let list = list(folder, &written)?;
        Ok(Self { folder: folder.to_owned(), synced: written.len(), written, list })
    }

    /// Writes a frame and adds it to the list.
    pub(super) fn push(&mut self, frame: &Frame) -> Result<(), GrainsError> {
        let (number, time) = (self.written.len(), frame.state.time());
        let mut lengths = [0; FRAME_PARTS.len()];
        for (part, length) in FRAME_PARTS.into_iter().zip(&mut lengths) {
            let path = self.folder.join(names::frame(part, number));
            let mut file = Owned::create(files::temporary(&path))?;
            let mut written = || -> Result<(), DemError> {
                let mut buffer = BufWriter::new(&mut file);
                frame.write(part, &mut buffer)?;
                Ok(buffer.flush()?)
            };
            written().map_err(|error| match error {
                DemError::Io(source) => GrainsError::io(&path)(source),
                source => GrainsError::Reading { time, source: Box::new(source) },
            })?;
            *length = file.length();
            file.rename(path)?;
        }
        self.written.push(WrittenFrame { time, lengths });
        self.list
            .write_from(self.list.length() - TAIL.len() as u64, format!("{}{TAIL}", entry(number, time)).as_bytes())
    }

    pub(super) fn written(&self) -> &[WrittenFrame] {
        &self.written
    }

    /// Checks that nothing else has changed frames and their list.
    pub(super) fn check(&self) -> Result<(), GrainsError> {
        let frames = self.written.iter().enumerate();
        frames.into_iter().try_for_each(|(number, frame)| check_lengths(&self.folder, number, frame))?;
        self.list.check()
    }

    /// Writes frames and their list to the disk.
    pub(super) fn sync(&mut self) -> Result<(), GrainsError> {
        for (number, frame) in self.written.iter().enumerate().skip(self.synced) {
            check_lengths(&self.folder, number, frame)?;
            for part in FRAME_PARTS {
                let path = self.folder.join(names::frame(part, number));
                fs::File::open(&path).and_then(|file| file.sync_all()).map_err(GrainsError::io(path))?;
            }
        }
        self.synced = self.written.len();
        self.list.sync()
    }
}

/// Checks the lengths of the files of a frame.
fn check_lengths(folder: &Path, number: usize, frame: &WrittenFrame) -> Result<(), GrainsError> {
    let mut parts = FRAME_PARTS.into_iter().zip(frame.lengths);
    parts.try_for_each(|(part, length)| files::require_length(&folder.join(names::frame(part, number)), length))
}

/// The lines of a frame in a list.
fn entry(number: usize, time: f64) -> String {
    let line = |(index, part)| {
        let name = names::frame(part, number);
        format!("<DataSet timestep=\"{time}\" part=\"{index}\" file=\"{name}\"/>\n")
    };
    FRAME_PARTS.into_iter().enumerate().map(line).collect()
}

/// Writes the list of frames anew.
fn list(folder: &Path, written: &[WrittenFrame]) -> Result<Owned, GrainsError> {
    let mut text = String::from(HEAD);
    for (number, frame) in written.iter().enumerate() {
        text.push_str(&entry(number, frame.time));
    }
    text.push_str(TAIL);
    let path = folder.join(names::FRAMES);
    let mut list = Owned::create(files::temporary(&path))?;
    list.push(text.as_bytes())?;
    list.replace(path)
}

/// Removes the frames from number `first` on that the run wrote: those that are listed, and all that follow each other.
///
/// # Errors
/// [`GrainsError::ResultsReplaced`] for other frames, and [`GrainsError::Io`].
fn remove_later(folder: &Path, first: usize) -> Result<(), GrainsError> {
    let list = fs::read(folder.join(names::FRAMES)).unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let mut all = Vec::new();
    for (index, part) in FRAME_PARTS.into_iter().enumerate() {
        let part_of = format!("part=\"{index}\"");
        let listed = list.lines().filter(|line| line.starts_with("<DataSet ") && line.contains(&part_of)).count();
        let number = |path: &Path| path.file_name().and_then(|name| names::frame_number(part, name.to_str()?));
        let later = |name: &str| names::frame_number(part, name).is_some_and(|number| number >= first);
        let mut found = names::files_in(folder, later)?;
        found.sort_by_key(|path| number(path));
        let mut is_own = found
            .iter()
            .enumerate()
            .map(|(k, path)| number(path).is_some_and(|number| number < listed || number == first + k));
        if let Some(other) = is_own.position(|is_own| !is_own) {
            return Err(GrainsError::ResultsReplaced { path: found.swap_remove(other) });
        }
        all.append(&mut found);
    }
    all.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(GrainsError::io(path)))
}
