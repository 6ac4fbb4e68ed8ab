//! Bodies of a table, a frame or a LAMMPS data file, read without a scene.

use std::path::Path;

use dem_contact::error::{DemError, FileError};
use dem_contact::io::VtpMarks;
use dem_contact::neighbor::Domain;
use rrp_integrate::{Bodies, State};

use super::bodies::{Motion, body, is_mixed, state};
use super::place::{self, Placed};
use crate::error::{GrainsError, Location};
use crate::scene::bodies::BodyGroup;

#[derive(Debug)]
pub(crate) struct BodyFile {
    pub(crate) bodies: Bodies,
    pub(crate) state: State,
    /// Box of a LAMMPS data file.
    pub(crate) domain: Option<Domain>,
    /// Ids, groups and materials of the bodies, if the file is a frame of a run.
    pub(crate) marks: Option<Marks>,
    /// Contents of the file that have no effect on its bodies, in words.
    pub(crate) left_out: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) ids: Vec<u64>,
    pub(crate) groups: Vec<u32>,
    /// Number of the material of each body; empty for a single material.
    pub(crate) materials: Vec<u16>,
}

impl Marks {
    /// Returns the ids, groups and materials that a frame stores for its bodies; none if the frame has no ids. If the
    /// frame has no numbers of groups, all bodies are in the first group.
    fn of_frame(marks: VtpMarks) -> Result<Option<Self>, DemError> {
        let Some(ids) = marks.id else { return Ok(None) };
        let mut groups = numbers(marks.group, "group")?;
        groups.resize(ids.len(), 0);
        Ok(Some(Self { ids, groups, materials: numbers(marks.material, "material")? }))
    }
}

/// Converts the integers in a column of a frame to another type; empty if the frame lacks the column.
pub(crate) fn numbers<T: TryFrom<i64>>(found: Option<Vec<i64>>, column: &str) -> Result<Vec<T>, DemError> {
    let numbers = found.unwrap_or_default().into_iter().map(T::try_from).collect::<Result<Vec<T>, T::Error>>();
    let problem = "has numbers that are negative or too large";
    numbers.map_err(|_| FileError::Vtk { array: column.to_owned(), problem }.into())
}

/// Reads the bodies of a table, a frame or a LAMMPS data file. Bodies without a mass get a density of one.
///
/// # Errors
/// Errors of reading, and [`GrainsError::MissingKey`] for bodies without a radius.
pub(crate) fn of_file(path: &Path) -> Result<BodyFile, GrainsError> {
    let group = BodyGroup { density: Some(1.0), ..BodyGroup::default() };
    let mut rows = Vec::new();
    let mut motions = Vec::new();
    let Placed { rows: placed, types, marks, mut left_out, domain, .. } = place::file(path, "convert")?;
    if is_mixed(&types) {
        left_out.push("the types of its atoms".to_owned());
    }
    for row in placed {
        let missing = |name: &str| {
            let at = Location { file: Some(path.to_owned()), ..Location::of("convert") };
            GrainsError::MissingKey { at, missing: name.to_owned() }
        };
        let radius = row.radius.ok_or_else(|| missing("radius"))?;
        rows.push(body(&group, &row, radius).ok_or_else(|| missing("mass"))?);
        motions.push(Motion {
            position: row.position,
            velocity: row.velocity.unwrap_or_default(),
            spin: row.spin.unwrap_or_default(),
        });
    }
    let refused = |source: DemError| {
        let at = Location::of("convert");
        let path = path.to_owned();
        GrainsError::File { at, path, source: Box::new(source) }
    };
    let bodies = Bodies::new(rows).map_err(|error| refused(error.into()))?;
    let state = state(&bodies, motions);
    Ok(BodyFile { bodies, state, domain, marks: Marks::of_frame(marks).map_err(refused)?, left_out })
}
