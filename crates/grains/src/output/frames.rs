//! Frames for ParaView, written as files.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_contact::bond::Bonds;
use dem_contact::error::DemError;
use dem_contact::io::{VtpBonds, VtpContacts, VtpEncoding, VtpFrame, VtpWalls};
use dem_contact::measure::Touch;
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Shape, Wall};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use super::names::{self, FRAME_PARTS, FramePart};
use crate::build::walls::group_of;
use crate::error::GrainsError;
use crate::files::{self, Owned};
use crate::plan::Plan;
use crate::progress::walls::StagedWall;
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::output::{FrameNumbers, LeftOut, OutputPlan};
use crate::scene::walls::motion::WallMotion;
use crate::scene::walls::{WallGroup, WallShape};
use crate::simulation::{Simulation, touches};
use crate::storage::{WallAtRest, WrittenFrame, WrittenPart};

/// Text of the list of frames before its entries (`HEAD`) and after them (`TAIL`).
const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// Contents of a frame, copied for the thread of the writer.
#[derive(Debug)]
pub(crate) struct Frame {
    bodies: Arc<Bodies>,
    state: State,
    ids: Vec<u64>,
    /// Number of the material of each body; none for a single material.
    materials: Option<Vec<u16>>,
    groups: Vec<u32>,
    /// Angular velocities (rad/s) of spinning fixed bodies, with body numbers.
    spins: Vec<(usize, DVec3)>,
    touches: Vec<Touch>,
    bonds: Option<Bonds>,
    /// All walls by number; `Shape::Nowhere` replaces walls that are in `walls_at_rest`.
    walls: Vec<Wall>,
    /// Low and high corner of the wall box of which each wall is a side; none for other walls.
    boxes: Vec<Option<[DVec3; 2]>>,
    /// Whether any frame of the run may have walls outside of `walls_at_rest`.
    shows_walls: bool,
    /// Meshes and turned profiles at rest by wall number, with `Shape::Nowhere` for all other walls, and their places;
    /// none in a scene without any.
    walls_at_rest: Option<(Vec<Wall>, Vec<WallAtRest>)>,
    /// The box into which positions are wrapped, if they are.
    wrapped_in: Option<Domain>,
    /// Periods of the box in m, if faces of walls show forces.
    face_forces_in: Option<DVec3>,
    numbers: FrameNumbers,
    left_out: Vec<LeftOut>,
}

impl Frame {
    /// Collects a frame of the present state of the simulation and its `reading`.
    ///
    /// # Errors
    /// Errors of [`Simulation::domain`].
    pub(crate) fn of(simulation: &Simulation, reading: &Reading) -> Result<Self, GrainsError> {
        let materials = &simulation.progress.materials.bodies;
        let OutputPlan { wrap, frame_numbers, frames_without, face_forces, .. } = simulation.plan.output();
        // All frames of a run have the same parts, also before bonds are made.
        let bonds = match simulation.bonds() {
            None if simulation.has_bonds_at_any_time() => {
                let none = Bonds::new(simulation.bodies(), simulation.state(), []);
                Some(none.map_err(GrainsError::unreadable(reading.time))?)
            }
            bonds => bonds.cloned(),
        };
        let staged = &simulation.progress.walls;
        let mut walls: Vec<Wall> = staged.iter().map(StagedWall::as_it_acts).collect();
        let [shows_walls, shows_walls_at_rest] = parts_of_walls(&simulation.plan);
        let taken = (!face_forces).then(|| take_those_at_rest(&mut walls, simulation.state().time()));
        let has_surface = |wall: &Wall| !matches!(wall.shape(), Shape::Nowhere);
        let shows_all = face_forces && shows_walls_at_rest;
        Ok(Self {
            shows_walls: shows_walls || shows_all || walls.iter().any(has_surface),
            walls_at_rest: taken.filter(|(_, places)| shows_walls_at_rest || !places.is_empty()),
            boxes: boxes(&simulation.plan.stages[0].scene, walls.len()),
            wrapped_in: wrap.then(|| simulation.domain()).transpose()?,
            face_forces_in: face_forces.then(|| simulation.domain()).transpose()?.map(|domain| domain.periods()),
            numbers: frame_numbers,
            left_out: frames_without,
            bodies: Arc::clone(&simulation.bodies),
            state: simulation.state().clone(),
            ids: simulation.ids().to_vec(),
            groups: simulation.progress.groups.all().to_vec(),
            materials: (!materials.is_empty()).then(|| materials.clone()),
            spins: simulation.fixed_spins(),
            touches: touches(reading),
            bonds,
            walls,
        })
    }

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

    /// Returns whether the scene has contents for `part` and does not leave it out.
    fn has(&self, part: FramePart) -> bool {
        let wants = |left_out| !self.left_out.contains(&left_out);
        match part {
            FramePart::Grains => true,
            FramePart::Contacts => wants(LeftOut::Contacts),
            FramePart::Walls => self.shows_walls && wants(LeftOut::Walls),
            FramePart::Bonds => self.bonds.is_some() && wants(LeftOut::Bonds),
            FramePart::WallsAtRest => self.walls_at_rest.is_some() && wants(LeftOut::Walls),
        }
    }

    fn write(&self, part: FramePart, to: &mut dyn Write) -> Result<(), DemError> {
        let Self { bodies, state, ids, materials, groups, spins, touches, bonds, .. } = self;
        let Self { walls, boxes, walls_at_rest, wrapped_in, face_forces_in, numbers, .. } = self;
        let encoding = VtpEncoding::default().compressed();
        let encoding = match numbers {
            FrameNumbers::Float32 => encoding.in_single_precision(),
            FrameNumbers::Float64 => encoding,
        };
        match part {
            FramePart::Grains => {
                let named = |bonds: &Bonds| bonds.fragments().into_iter().map(|body| ids[body]).collect::<Vec<u64>>();
                let fragments = bonds.as_ref().map(named);
                let mut frame = VtpFrame::new(bodies, state)?.with_ids(ids)?.with_groups(groups)?;
                frame = frame.with_wrenches().with_contacts(touches)?.with_fixed_spins(spins)?;
                if let Some(fragments) = &fragments {
                    frame = frame.with_fragments(fragments)?;
                }
                if let Some(materials) = materials {
                    frame = frame.with_materials(materials)?;
                }
                if let Some(domain) = wrapped_in {
                    frame = frame.wrapped_in(domain)?;
                }
                frame.encoded(encoding).write(to)
            }
            FramePart::Contacts => {
                let mut lines = VtpContacts::new(bodies, state, touches)?.with_ids(ids)?;
                if let Some(domain) = wrapped_in {
                    lines = lines.wrapped_in(domain)?;
                }
                lines.encoded(encoding).write(to)
            }
            FramePart::Walls => {
                let [low, mut high] = self.bounds()?;
                // All forces on a plane act within one period, so the plane is drawn over one period, wherever the
                // bodies are.
                if let Some(periods) = face_forces_in {
                    (0..3).filter(|&c| periods[c] > 0.0).for_each(|c| high[c] = low[c] + periods[c]);
                }
                let mut faces = VtpWalls::new(walls, state.time(), [low, high])?.with_boxes(boxes)?;
                if let Some(periods) = face_forces_in {
                    faces = faces.with_contacts(bodies, state, touches, *periods)?;
                }
                faces.encoded(encoding).write(to)
            }
            FramePart::Bonds => {
                let Some(bonds) = bonds else { return Ok(()) };
                let mut lines = VtpBonds::new(bodies, state, bonds)?.with_ids(ids)?;
                if let Some(domain) = wrapped_in {
                    lines = lines.wrapped_in(domain)?;
                }
                lines.encoded(encoding).write(to)
            }
            FramePart::WallsAtRest => {
                let Some((walls, _)) = walls_at_rest else { return Ok(()) };
                let faces = VtpWalls::new(walls, state.time(), [DVec3::ZERO; 2])?;
                faces.encoded(encoding).write(to)
            }
        }
    }
}

/// Returns two flags: whether frames of a run may have walls that move or are infinite, and whether they may have
/// meshes and turned profiles at rest. All frames of a run have the same parts.
fn parts_of_walls(plan: &Plan) -> [bool; 2] {
    let groups = || plan.stages.iter().flat_map(|stage| &stage.scene.walls);
    let is_whole = |group: &WallGroup| matches!(group.shape, WallShape::Revolution { .. } | WallShape::Stl { .. });
    let may_move = |group: &WallGroup| WallMotion { surface_velocity: None, ..group.motion() }.is_moving();
    let may_rest = |group: &WallGroup| {
        let WallMotion { velocity, spin, .. } = group.motion();
        !WallMotion { velocity, spin, ..WallMotion::default() }.is_moving()
    };
    let shows = |group: &WallGroup| if is_whole(group) { may_move(group) } else { group.shape.count() > 0 };
    [groups().any(shows), groups().any(|group| is_whole(group) && may_rest(group))]
}

/// Returns for each wall the low and the high corner of the wall box of `scene` of which it is a side; none for other
/// walls.
fn boxes(scene: &Scene, walls: usize) -> Vec<Option<[DVec3; 2]>> {
    let all = (0..walls).map(|wall| match scene.walls.get(group_of(scene, wall))?.shape {
        WallShape::Box { low, high, .. } => Some([low, high].map(DVec3::from_array)),
        _ => None,
    });
    all.collect()
}

/// Returns whether `shape` is a mesh or a turned profile, which is drawn completely, wherever the bodies are.
fn is_drawn_whole(shape: &Shape) -> bool {
    matches!(shape, Shape::Mesh(_) | Shape::Revolution(_))
}

/// Moves meshes and turned profiles that are at rest at `time` (s) out of `walls` and leaves `Shape::Nowhere`. Returns
/// these walls and their places.
fn take_those_at_rest(walls: &mut [Wall], time: f64) -> (Vec<Wall>, Vec<WallAtRest>) {
    let nothing = |wall: &Wall| Wall::new(Shape::Nowhere, wall.point());
    let mut taken = Vec::with_capacity(walls.len());
    let mut places = Vec::new();
    for (number, wall) in walls.iter_mut().enumerate() {
        let none = nothing(wall);
        let pose = wall.pose(time);
        let is_at_rest = [pose.velocity, pose.spin] == [DVec3::ZERO; 2];
        if is_at_rest && is_drawn_whole(wall.shape()) {
            let origin = wall.origin_at(time).to_array();
            places.push(WallAtRest { wall: number as u32, origin, rotation: pose.rotation.to_array() });
            taken.push(std::mem::replace(wall, none));
        } else {
            taken.push(none);
        }
    }
    (taken, places)
}

/// The frames of a run on disk, one file for each part of a frame, and the list of frames, which is updated with each
/// frame.
#[derive(Debug)]
pub(super) struct Frames {
    folder: PathBuf,
    written: Vec<WrittenFrame>,
    /// Places of the walls at rest in the last frame.
    at_rest: Vec<WallAtRest>,
    list: Owned,
    synced: usize,
}

impl Frames {
    /// Opens the frames in `folder`. The frames `written` are kept, and the last of them shows the walls `at_rest`;
    /// later frames of the run are removed.
    ///
    /// # Errors
    /// [`GrainsError::ResultsChanged`] for a missing frame or one of another length, [`GrainsError::ResultsReplaced`]
    /// for one that the run did not write.
    pub(super) fn at(folder: &Path, written: Vec<WrittenFrame>, at_rest: Vec<WallAtRest>) -> Result<Self, GrainsError> {
        written.iter().enumerate().try_for_each(|(number, frame)| check_lengths(folder, number, frame))?;
        remove_later(folder, written.len())?;
        let list = list(folder, &written)?;
        Ok(Self { folder: folder.to_owned(), synced: written.len(), written, at_rest, list })
    }

    pub(super) fn push(&mut self, frame: &Frame) -> Result<(), GrainsError> {
        let number = self.written.len();
        let time = frame.state.time();
        let mut parts = [None; FRAME_PARTS.len()];
        let at_rest = frame.walls_at_rest.as_ref().map_or(&[][..], |(_, places)| places);
        let last = self.written.last().map(|last| last.parts);
        for (index, part) in FRAME_PARTS.into_iter().enumerate().filter(|(_, part)| frame.has(*part)) {
            if let Some(last) = last.filter(|_| part == FramePart::WallsAtRest && at_rest == self.at_rest) {
                parts[index] = last[index];
                continue;
            }
            let path = self.folder.join(names::frame(part, number));
            let mut file = Owned::create(files::temporary(&path))?;
            let mut written = || -> Result<(), DemError> {
                let mut buffer = BufWriter::new(&mut file);
                frame.write(part, &mut buffer)?;
                Ok(buffer.flush()?)
            };
            written().map_err(|error| match error {
                DemError::Io(source) => GrainsError::io(&path)(source),
                source => GrainsError::unreadable(time)(source),
            })?;
            parts[index] = Some(WrittenPart { frame: number as u64, length: file.length() });
            file.rename(path)?;
        }
        self.at_rest = at_rest.to_vec();
        let written = WrittenFrame { time, parts };
        self.written.push(written);
        self.list.write_from(self.list.length() - TAIL.len() as u64, format!("{}{TAIL}", entry(&written)).as_bytes())
    }

    /// Length in bytes of all files written for the last frame, without the files of earlier frames to which it refers.
    pub(super) fn length_of_last(&self) -> u64 {
        let last = self.written.iter().enumerate().next_back();
        last.map_or(0, |(number, frame)| own_files(number, frame).map(|(_, length)| length).sum())
    }

    pub(super) fn written(&self) -> &[WrittenFrame] {
        &self.written
    }

    pub(super) fn at_rest(&self) -> &[WallAtRest] {
        &self.at_rest
    }

    pub(super) fn check(&self) -> Result<(), GrainsError> {
        let frames = self.written.iter().enumerate();
        frames.into_iter().try_for_each(|(number, frame)| check_lengths(&self.folder, number, frame))?;
        self.list.check()
    }

    pub(super) fn sync(&mut self) -> Result<(), GrainsError> {
        for (number, frame) in self.written.iter().enumerate().skip(self.synced) {
            check_lengths(&self.folder, number, frame)?;
            for name in own_files(number, frame).map(|(name, _)| name) {
                let path = self.folder.join(name);
                fs::File::open(&path).and_then(|file| file.sync_all()).map_err(GrainsError::io(path))?;
            }
        }
        self.synced = self.written.len();
        self.list.sync()
    }
}

/// Returns names and lengths of the files written for a frame, without the files of earlier frames to which it refers.
fn own_files(number: usize, frame: &WrittenFrame) -> impl Iterator<Item = (String, u64)> {
    let parts = FRAME_PARTS.into_iter().zip(frame.parts);
    parts.filter_map(move |(part, written)| {
        let WrittenPart { frame, length } = written?;
        (frame == number as u64).then(|| (names::frame(part, number), length))
    })
}

fn check_lengths(folder: &Path, number: usize, frame: &WrittenFrame) -> Result<(), GrainsError> {
    let mut files = own_files(number, frame);
    files.try_for_each(|(name, length)| files::require_length(&folder.join(name), length))
}

/// Returns the lines for a frame in the list of frames.
fn entry(frame: &WrittenFrame) -> String {
    let WrittenFrame { time, parts } = frame;
    let line = |(index, (part, written)): (usize, (FramePart, &Option<WrittenPart>))| {
        let name = names::frame(part, (*written)?.frame as usize);
        Some(format!("<DataSet timestep=\"{time}\" part=\"{index}\" file=\"{name}\"/>\n"))
    };
    FRAME_PARTS.into_iter().zip(parts).enumerate().filter_map(line).collect()
}

/// Opens the list of frames, and replaces it unless it lists these frames already: a run that is finished keeps the time
/// at which it was written.
fn list(folder: &Path, written: &[WrittenFrame]) -> Result<Owned, GrainsError> {
    let mut text = String::from(HEAD);
    written.iter().for_each(|frame| text.push_str(&entry(frame)));
    text.push_str(TAIL);
    let path = folder.join(names::FRAMES);
    let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
    if is_file && fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
        return Owned::cut(path, text.len() as u64, |_| true);
    }
    let mut list = Owned::create(files::temporary(&path))?;
    list.push(text.as_bytes())?;
    list.replace(path)
}

/// Removes the frames of the run from the number `first` on: frames in the list, and those with consecutive numbers
/// after it.
///
/// # Errors
/// [`GrainsError::ResultsReplaced`] for other frames, and [`GrainsError::Io`].
fn remove_later(folder: &Path, first: usize) -> Result<(), GrainsError> {
    let list = fs::read(folder.join(names::FRAMES)).unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let mut all = Vec::new();
    let mut frames = 0;
    for (index, part) in FRAME_PARTS.into_iter().enumerate() {
        let part_of = format!("part=\"{index}\"");
        let listed = list.lines().filter(|line| line.starts_with("<DataSet ") && line.contains(&part_of)).count();
        // Each frame has grains, its first part.
        let is_listed = |number: usize| number < listed.max(frames);
        let number = |path: &Path| path.file_name().and_then(|name| names::frame_number(part, name.to_str()?));
        let later = |name: &str| names::frame_number(part, name).is_some_and(|number| number >= first);
        let mut found = names::files_in(folder, later)?;
        found.sort_by_key(|path| number(path));
        let mut is_own = found
            .iter()
            .enumerate()
            .map(|(k, path)| number(path).is_some_and(|number| is_listed(number) || number == first + k));
        if let Some(other) = is_own.position(|is_own| !is_own) {
            return Err(GrainsError::ResultsReplaced { path: found.swap_remove(other) });
        }
        if part == FramePart::Grains {
            frames = first + found.len();
        }
        all.append(&mut found);
    }
    all.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(GrainsError::io(path)))
}
