//! Tables of bodies.

use std::path::Path;

use rrp_geom::glam::DVec3;

use crate::GrainsError;

/// One row of a table of bodies; what the table does not have is none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Row {
    pub(crate) position: DVec3,
    pub(crate) radius: Option<f64>,
    pub(crate) mass: Option<f64>,
    pub(crate) velocity: Option<DVec3>,
    pub(crate) spin: Option<DVec3>,
}

/// The columns that a table may have.
const COLUMNS: [&str; 11] = ["x", "y", "z", "radius", "mass", "vx", "vy", "vz", "wx", "wy", "wz"];

/// Reads the table in `text`, whose first line that is no comment names the columns.
pub(crate) fn read(text: &str, path: &Path) -> Result<Vec<Row>, GrainsError> {
    let problem = |line: usize, column: &str, problem| GrainsError::Table {
        path: path.to_owned(),
        line,
        column: column.to_owned(),
        problem,
    };
    // Spreadsheets may begin a text file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (head, names) = lines.next().ok_or_else(|| problem(1, "x", "the table is empty"))?;
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    if let Some(name) = names.iter().find(|name| !COLUMNS.contains(name)) {
        return Err(problem(head, name, "is no column of bodies"));
    }
    let place = |wanted: &str| names.iter().position(|name| *name == wanted);
    if let Some(missing) = COLUMNS[..3].iter().find(|name| place(name).is_none()) {
        return Err(problem(head, missing, "is missing"));
    }
    let mut rows = Vec::new();
    for (number, line) in lines {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        if words.len() != names.len() {
            return Err(problem(
                number,
                names[words.len().min(names.len() - 1)],
                "the row has another number of columns",
            ));
        }
        let read = |name: &str| -> Result<Option<f64>, GrainsError> {
            let Some(at) = place(name) else { return Ok(None) };
            // Fixed bodies are of infinite mass.
            let may_be = |value: &f64| value.is_finite() || name == "mass" && *value > 0.0;
            let value = words[at].parse().ok().filter(may_be);
            value.map(Some).ok_or_else(|| problem(number, name, "is no finite number"))
        };
        let vector = |names: [&str; 3]| -> Result<Option<DVec3>, GrainsError> {
            let [x, y, z] = [read(names[0])?, read(names[1])?, read(names[2])?];
            let given = x.is_some() || y.is_some() || z.is_some();
            Ok(given.then(|| DVec3::new(x.unwrap_or(0.0), y.unwrap_or(0.0), z.unwrap_or(0.0))))
        };
        rows.push(Row {
            position: vector(["x", "y", "z"])?.unwrap_or_default(),
            radius: read("radius")?,
            mass: read("mass")?,
            velocity: vector(["vx", "vy", "vz"])?,
            spin: vector(["wx", "wy", "wz"])?,
        });
    }
    Ok(rows)
}
