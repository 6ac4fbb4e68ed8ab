//! Centres of the bodies of a group.

use std::io;
use std::path::Path;

use dem_contact::error::DemError;
use dem_contact::io::{LammpsData, VtpMarks, VtpPoints};
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::packing::CannonballPyramid;
use rrp_geom::glam::DVec3;

use super::sizes;
use super::table::{self, Row, Table};
use crate::error::{GrainsError, Location};
use crate::files;
use crate::scene::bodies::{BodyGroup, Place};
use crate::value::{positive, vector};

/// A group of bodies of the scene, with its key and the folder of its files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) values: &'a BodyGroup,
    /// Key of the group in the scene, such as `bodies[0]`.
    pub(super) key: &'a str,
    pub(super) folder: &'a Path,
}

/// The rows of the bodies of one group, with further contents of the group's file.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub(super) rows: Vec<Row>,
    /// Number of bodies at the beginning of `rows` that are fixed: the base of a pyramid.
    pub(super) fixed: usize,
    /// Type of each body in a LAMMPS data file, counted from one; empty for groups that are placed in another way.
    pub(super) types: Vec<u32>,
    pub(super) marks: VtpMarks,
    /// Contents of the group's file that have no effect on its bodies, in words.
    pub(super) left_out: Vec<String>,
    /// Box of the group's LAMMPS data file.
    pub(super) domain: Option<Domain>,
}

/// Places the bodies of the group. `radii` has one entry per body if their number is [known](sizes::count) in advance.
///
/// # Errors
/// For invalid places; the error names the key.
pub(super) fn place(group: &Group<'_>, radii: &[f64]) -> Result<Placed, GrainsError> {
    let Group { values, key, folder } = *group;
    let under = |name: &str| format!("{key}.place.{name}");
    let mut fixed = 0;
    let centres: Vec<DVec3> = match &values.place {
        Place::List(list) => {
            let centre = |(i, &centre)| vector(format!("{key}.place.list[{i}]"), centre);
            list.iter().enumerate().map(centre).collect::<Result<_, _>>()?
        }
        Place::File { path, .. } => return file(&folder.join(path), &under("file.path")),
        Place::Lattice { origin, count, spacing } => {
            let origin = vector(under("lattice.origin"), *origin)?;
            let spacing = vector(under("lattice.spacing"), *spacing)?;
            let [nx, ny, nz] = *count;
            let index = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
            index.map(|index| origin + spacing * DVec3::from_array(index.map(|i| i as f64))).collect()
        }
        Place::Pyramid { layers, lift } => {
            let radius = radii.first().copied().unwrap_or(1.0);
            let at = || GrainsError::refused(under("pyramid"));
            let pyramid = CannonballPyramid::new(*layers, radius, 1.0).and_then(|pyramid| pyramid.lifted(*lift));
            let pyramid = pyramid.map_err(at())?;
            fixed = pyramid.fixed();
            pyramid.centres()
        }
        Place::Ring { centre, diameter, count } => {
            let centre = vector(under("ring.centre"), *centre)?;
            let diameter = positive(under("ring.diameter"), *diameter)?;
            let angle = |k: usize| std::f64::consts::TAU * k as f64 / *count as f64;
            let point = |k| centre + 0.5 * diameter * DVec3::new(angle(k).cos(), angle(k).sin(), 0.0);
            (0..*count).map(point).collect()
        }
        Place::Pour { .. } | Place::PourWith { .. } => Vec::new(),
    };
    Ok(Placed { rows: of_centres(centres), fixed, ..Placed::default() })
}

pub(super) fn of_centres(centres: impl IntoIterator<Item = DVec3>) -> Vec<Row> {
    centres.into_iter().map(|position| Row { position, ..Row::default() }).collect()
}

fn rows(points: &VtpPoints, mass: Option<&[f64]>) -> Vec<Row> {
    let pick = |column: &Option<Vec<DVec3>>, i: usize| column.as_ref().map(|column| column[i]);
    let row = |(i, &position)| Row {
        position,
        radius: points.radius.as_ref().map(|radius| radius[i]),
        mass: mass.map(|mass| mass[i]),
        velocity: pick(&points.velocity, i),
        spin: pick(&points.spin, i),
    };
    points.position.iter().enumerate().map(row).collect()
}

/// Reads the bodies of a file, which `key` names.
///
/// # Errors
/// Errors of reading, [`GrainsError::TooLarge`], and [`GrainsError::UnknownFormat`].
pub(super) fn file(path: &Path, key: &str) -> Result<Placed, GrainsError> {
    let name = path.to_string_lossy();
    let at = || Location::of(key);
    let unreadable = |source: io::Error| GrainsError::Unreadable { at: at(), path: path.to_owned(), source };
    let refused = |error| match error {
        DemError::Io(source) => unreadable(source),
        source => GrainsError::File { at: at(), path: path.to_owned(), source: Box::new(source) },
    };
    if name.ends_with(".csv") {
        let text = files::text(files::read(path, at(), 2)?).map_err(|line| GrainsError::Table {
            path: path.to_owned(),
            line,
            column: "x".to_owned(),
            problem: "there is a byte that is no text in UTF-8",
        })?;
        sizes::refuse_bodies(text.lines().count(), key)?;
        let Table { rows, has_labels } = table::read(&text, path)?;
        let left_out = has_labels.then(|| "its columns of ids, groups and materials".to_owned());
        return Ok(Placed { rows, left_out: left_out.into_iter().collect(), ..Placed::default() });
    }
    if name.ends_with(".vtp") {
        let bytes = files::read(path, at(), 8)?;
        let (points, marks) = VtpPoints::read_with_marks(&mut &bytes[..], sizes::most_bodies()).map_err(refused)?;
        let rows = rows(&points, marks.mass.as_deref());
        sizes::refuse_bodies(rows.len(), key)?;
        return Ok(Placed { rows, marks, ..Placed::default() });
    }
    if !(name.ends_with(".data") || name.ends_with(".data.gz") || name.ends_with(".lammps")) {
        let known = ".csv, .data, .data.gz, .lammps and .vtp";
        return Err(GrainsError::UnknownFormat { at: at(), path: path.to_owned(), known });
    }
    files::open(path).map_err(unreadable)?;
    let data = LammpsData::read_at_most(path, sizes::most_bodies()).map_err(refused)?;
    let row = |i: usize| Row {
        position: data.state.position().get(i),
        radius: Some(data.bodies.radius()[i]),
        mass: Some(data.bodies.mass()[i]),
        velocity: Some(data.state.velocity().get(i)),
        spin: Some(data.state.spin(&data.bodies, i)),
    };
    let rows = (0..data.bodies.len()).map(row).collect();
    let mut left_out = data.left_out.clone();
    let gone_round = data.image.iter().filter(|image| **image != [0; 3]).count();
    if gone_round > 0 {
        left_out.push(format!("the image flags of {gone_round} atoms, whose positions are taken as they are"));
    }
    let domain = data.domain([Boundary::Open; 3]).map_err(refused)?;
    Ok(Placed { rows, types: data.kind, left_out, domain: Some(domain), ..Placed::default() })
}
