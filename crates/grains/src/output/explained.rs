//! Meanings and units of the columns of results, from the page of columns.

use serde_json::{Map, Value, json};

use super::names;
use crate::reference::COLUMNS;
use crate::scene::measures::Measure;
use crate::scene::units::Units;

/// A kind of table with its own section on the page of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    Series,
    Contacts,
    Passed,
    /// Table of a measurement with a row for each time.
    Means,
    /// Table of a measurement with a row for each grid cell and time.
    Fields,
    /// Table of a measurement with a row for each fragment and time.
    Fragments,
    /// Arrays of the files of frames.
    Frames,
}

impl TableKind {
    /// Returns the kind of the table with this file name and these columns, if a run writes such a table.
    pub(crate) fn of(file: &str, columns: &[String]) -> Option<Self> {
        let has = |name: &str| columns.iter().any(|column| column == name);
        match file {
            names::SERIES => Some(Self::Series),
            names::CONTACTS => Some(Self::Contacts),
            names::PASSED => Some(Self::Passed),
            _ if !file.starts_with("measure-") => None,
            _ if has("fragment") => Some(Self::Fragments),
            _ if has("density") => Some(Self::Fields),
            _ => Some(Self::Means),
        }
    }

    pub(super) fn of_measure(measure: &Measure) -> Self {
        match (measure.grid, measure.fragments) {
            (Some(_), _) => Self::Fields,
            (None, Some(_)) => Self::Fragments,
            (None, None) => Self::Means,
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Series => "`series.csv`\n",
            Self::Contacts => "`contacts.csv`\n",
            Self::Passed => "`passed.csv`\n",
            Self::Means => "`measure-NAME.csv`\n",
            Self::Fields => "`measure-NAME.csv` with `grid`\n",
            Self::Fragments => "`measure-NAME.csv` with `fragments`\n",
            Self::Frames => "Frames\n",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Explained {
    /// Name of the column; capitals stand for the name of a wall, source or gate.
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    /// SI unit of the column, empty for a pure number.
    pub(crate) unit: &'static str,
}

/// Returns all columns on the page of columns for a kind of table, in the order of the page.
pub(crate) fn all(kind: TableKind) -> Vec<Explained> {
    let section = COLUMNS.split("\n## ").find_map(|section| section.strip_prefix(kind.heading())).unwrap_or("");
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.trim_end_matches('|').split(" | ");
        Some([cells.next()?, cells.next()?, cells.next().unwrap_or("")].map(str::trim))
    });
    rows.flat_map(|[names, meaning, units]| {
        let names: Vec<&str> = names.split('`').step_by(2).filter(|name| !name.is_empty()).collect();
        let units: Vec<&str> = units.split(',').map(|unit| unit.trim().trim_matches('–')).collect();
        // A single unit applies to all columns of the row.
        let unit = move |k: usize| units.get(k).or(units.last()).copied().unwrap_or("");
        names.into_iter().enumerate().map(move |(k, name)| Explained { name, meaning, unit: unit(k) })
    })
    .collect()
}

/// Finds the explanation of a column by its name, or by its ending if it begins with the name of a wall, source or
/// gate.
pub(crate) fn explain(kind: TableKind, column: &str) -> Option<Explained> {
    let all = all(kind);
    let named = |known: &Explained| {
        let end = known.name.trim_start_matches(char::is_uppercase);
        end.len() < known.name.len() && column.len() > end.len() && column.ends_with(end)
    };
    let exact = all.iter().find(|known| known.name == column);
    exact.or_else(|| all.iter().find(|known| named(known))).cloned()
}

/// Returns meaning and unit of each of the `columns` as a JSON object with a member for each column, where the scene has
/// these `units`.
pub(super) fn as_json<'a>(kind: TableKind, columns: impl IntoIterator<Item = &'a str>, units: &Units) -> Value {
    let member = |column: &str| {
        let known = explain(kind, column)?;
        Some((column.to_owned(), json!({ "unit": units.named(known.unit), "meaning": known.meaning })))
    };
    Value::Object(columns.into_iter().filter_map(member).collect::<Map<_, _>>())
}
