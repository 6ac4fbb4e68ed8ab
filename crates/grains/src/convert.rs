//! Conversion of files of bodies between formats.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use dem_contact::error::DemError;
use dem_contact::io::{LammpsData, VtpFrame};
use dem_contact::neighbor::{Boundary, Domain};
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, State};

use crate::build::body_file::{Marks, of_file};
use crate::build::domain::domain;
use crate::checkpoint::Checkpoint;
use crate::error::{GrainsError, Location};
use crate::files;
use crate::output::columns::body_table;
use crate::progress::Progress;
use crate::scene::Scene;
use crate::scene::contact::ContactModel;
use crate::simulation::Simulation;
use crate::source;

/// Open boundaries of the box around bodies whose file has no box.
const OPEN: [Boundary; 3] = [Boundary::Open; 3];

/// Options of the conversion of a file of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConvertOptions {
    /// Whether the written file may replace an existing one; an input is never replaced.
    pub overwrite: bool,
}

/// Reads bodies from `from` and writes them to `to`. The formats follow from the endings of the names: `.csv`, `.data`,
/// `.data.gz`, `.vtp`, `.grains` and `.toml` for reading, `.csv`, `.data` and `.vtp` for writing. Bodies without a mass
/// get a density of one. Ids, groups and materials of a checkpoint or a frame are kept: all three in tables and frames,
/// the materials as types in LAMMPS data files. In a table from a checkpoint, groups and materials have their names.
///
/// The file at `to` is created or replaced only when everything is written. Returns, in words, the contents of `from`
/// that `to` lacks.
///
/// # Errors
/// [`GrainsError::UnknownFormat`]; [`GrainsError::Exists`] if there is a file at `to` and `overwrite` is not set;
/// [`GrainsError::InputInTheWay`] if `to` is `from` or a file that `from` names; and errors of reading and writing.
pub fn convert(from: &Path, to: &Path, options: ConvertOptions) -> Result<Vec<String>, GrainsError> {
    let ending = to.extension().unwrap_or_default().to_string_lossy().into_owned();
    if !["csv", "data", "vtp"].contains(&ending.as_str()) {
        let at = Location::of("convert");
        let path = to.to_owned();
        return Err(GrainsError::UnknownFormat { at, path, known: ".csv, .data and .vtp" });
    }
    let Source { bodies, state, domain, inputs, mut left_out, marks, labels } = read(from)?;
    files::refuse_input(to, &inputs)?;
    let refused = |error: DemError| match error {
        DemError::Io(source) => GrainsError::io(to)(source),
        error => GrainsError::File { at: Location::of("convert"), path: from.to_owned(), source: Box::new(error) },
    };
    files::write_new(to, options.overwrite, |file| match ending.as_str() {
        "csv" => file.write_all(body_table(&bodies, &state, labels.as_ref()).as_bytes()).map_err(GrainsError::io(to)),
        "vtp" => frame(&bodies, &state, marks.as_ref()).and_then(|frame| frame.write(file)).map_err(refused),
        _ => {
            let mut data = LammpsData::from_state(&bodies, &state, &domain).map_err(refused)?;
            if let Some(Marks { materials, .. }) = &marks {
                data.kind.iter_mut().zip(materials).for_each(|(kind, material)| *kind = u32::from(*material) + 1);
                left_out.push("ids and groups of its bodies".to_owned());
            }
            data.write(file).map_err(refused)
        }
    })?;
    Ok(left_out)
}

/// Makes a frame for ParaView of the bodies at one time, with ids, groups and materials if known.
fn frame<'a>(bodies: &'a Bodies, state: &'a State, marks: Option<&'a Marks>) -> Result<VtpFrame<'a>, DemError> {
    let frame = VtpFrame::new(bodies, state)?;
    let Some(Marks { ids, groups, materials }) = marks else { return Ok(frame) };
    let frame = frame.with_ids(ids)?.with_groups(groups)?;
    if materials.is_empty() { Ok(frame) } else { frame.with_materials(materials) }
}

/// The bodies to convert, with the other contents of their file.
struct Source {
    bodies: Bodies,
    state: State,
    domain: Domain,
    /// Paths of the files from which the bodies were read.
    inputs: Vec<PathBuf>,
    left_out: Vec<String>,
    /// Ids, groups and materials of the bodies, if the file has them.
    marks: Option<Marks>,
    /// Id of each body and the names or numbers of its group and material, if the file has them.
    labels: Option<Vec<[String; 3]>>,
}

/// Reads bodies, state and box of a file. Without a box in the file, the box is the smallest around all bodies.
fn read(from: &Path) -> Result<Source, GrainsError> {
    let name = from.to_string_lossy();
    let mut inputs = vec![from.to_owned()];
    let mut left_out = Vec::new();
    let mut marks = None;
    let mut named = None;
    let (bodies, state, domain) = if name.ends_with(".grains") {
        let Checkpoint { scene, simulation, .. } = Checkpoint::read(from)?;
        let still = |domain: Domain| domain.deforming(simulation.state.time(), DMat3::ZERO);
        let present = simulation.progress.domain.map(still).transpose().map_err(GrainsError::refused("box"))?;
        let domain = present.map_or_else(|| box_of(&scene), |domain| Ok(Some(domain)))?;
        let own = marks_of(&simulation.progress);
        let of_materials = scene.contact.as_ref().map(ContactModel::names).unwrap_or_default();
        named = Some(labels(&own, simulation.progress.groups.names(), &of_materials));
        marks = Some(own);
        ((*simulation.bodies).clone(), simulation.state, domain)
    } else if name.ends_with(".toml") {
        let source = source::Source::from_path(from)?;
        let scene: Scene = source.read()?;
        let simulation = Simulation::new(&scene, from.parent().unwrap_or(Path::new("")), false);
        let simulation = simulation.map_err(|error| source.locate(error))?;
        inputs.extend(simulation.inputs);
        left_out.extend(simulation.notes.iter().map(ToString::to_string));
        ((*simulation.bodies).clone(), simulation.state, box_of(&scene)?)
    } else {
        let file = of_file(from)?;
        left_out = file.left_out;
        named = file.marks.as_ref().map(|marks| labels(marks, &[], &[]));
        marks = file.marks;
        (file.bodies, file.state, file.domain)
    };
    let domain = match domain {
        Some(domain) => domain,
        None => hull(&bodies, &state)?,
    };
    Ok(Source { bodies, state, domain, inputs, left_out, marks, labels: named })
}

fn marks_of(progress: &Progress) -> Marks {
    Marks {
        ids: progress.identities.all().to_vec(),
        groups: progress.groups.all().to_vec(),
        materials: progress.materials.bodies.clone(),
    }
}

/// Returns the labels of each body: its id, and the names of its group and material, or their numbers if they have no
/// names.
fn labels(marks: &Marks, of_groups: &[Option<String>], of_materials: &[String]) -> Vec<[String; 3]> {
    let Marks { ids, groups, materials } = marks;
    let label = |(body, (id, &group)): (usize, (&u64, &u32))| {
        let material = materials.get(body).copied().unwrap_or(0);
        let group = of_groups.get(group as usize).cloned().flatten().unwrap_or_else(|| group.to_string());
        let material = of_materials.get(usize::from(material)).cloned().unwrap_or_else(|| material.to_string());
        [id.to_string(), group, material]
    };
    ids.iter().zip(groups).enumerate().map(label).collect()
}

/// Returns the box of a scene, if any.
fn box_of(scene: &Scene) -> Result<Option<Domain>, GrainsError> {
    scene.simulation_box.as_ref().map(|_| domain(scene)).transpose()
}

/// Returns the smallest box around all bodies; without bodies the unit cube (1 m) at the origin.
fn hull(bodies: &Bodies, state: &State) -> Result<Domain, GrainsError> {
    if bodies.is_empty() {
        return Domain::new(DVec3::ZERO, DVec3::ONE, OPEN).map_err(GrainsError::refused("convert"));
    }
    let corners = state.position().iter().zip(bodies.radius().iter());
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (centre, &radius)| {
        (low.min(centre - radius), high.max(centre + radius))
    });
    // Bodies without a radius may all lie in a plane, on a line or at a point; the box must have a volume.
    let high = DVec3::select(low.cmplt(high), high, low + 1.0);
    Domain::new(low, high, OPEN).map_err(GrainsError::refused("convert"))
}
