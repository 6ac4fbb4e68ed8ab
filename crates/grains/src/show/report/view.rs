//! The view of the frames of a run, which turns and plays.

use std::collections::BTreeMap;

use grains_pages::view::{Bond, Column, Contact, Frame, View};
use rrp_geom::glam::DVec3;

use crate::error::GrainsError;
use crate::output::names;
use crate::results::Results;
use crate::results::drawn::{DrawnFrame, FrameReader, GrainColumn};
use crate::results::frames::list;
use crate::results::labels::Labels;

/// Columns that are shown if the frames have them, in the order of the choice.
const COLUMNS: [&str; 9] = ["speed", "diameter", "material", "group", "fragment", "id", "force", "overlap", "contacts"];
/// Columns that are left out of views of very many grains: they change from frame to frame, and take as many bytes as a
/// third of the positions each.
const CHANGING: [&str; 3] = ["force", "overlap", "contacts"];
/// Name of the column of the time in s since a grain was first seen in a frame.
const AGE: &str = "age";
/// Largest number of grains in all frames together for which all columns are shown.
const MOST_GRAINS: usize = 1_500_000;
/// A view, and what of the run it does not show, in words.
pub(super) struct ShownView {
    pub(super) view: View,
    pub(super) note: String,
}

/// Makes the view of all frames of a run in at most so many bytes; none for a run without frames.
///
/// # Errors
/// Those of reading frames.
pub(super) fn view(results: &Results, name: &str, bytes: usize) -> Result<Option<ShownView>, GrainsError> {
    if !results.has(names::FRAMES) {
        return Ok(None);
    }
    let frames = list(&results.folder)?;
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return Ok(None) };
    let mut reader = FrameReader::default();
    // Grains may all come later, and the first frame of a run does not have all columns.
    let [early, late] = [reader.read(first)?, reader.read(last)?];
    let most = early.centers().len().max(late.centers().len());
    let is_large = most.saturating_mul(frames.len()) > MOST_GRAINS;
    let known = [early.columns(), late.columns()].concat();
    let is_shown =
        |column: &&&str| known.iter().any(|known| known == **column) && !(is_large && CHANGING.contains(column));
    let columns: Vec<&str> = COLUMNS.iter().filter(is_shown).copied().collect();
    let mut view = View::new(name, "Grains").limit(bytes);
    view = match late.flat_axis() {
        Some(2) => view.up(DVec3::Y).eye(DVec3::Z),
        Some(1) => view.eye(-DVec3::Y),
        Some(_) => view.eye(DVec3::X),
        None => view,
    };
    for column in &columns {
        let of = late.column(column, last).or_else(|_| early.column(column, first))?;
        view = view.column(described(&of, column, &results.labels));
    }
    let mut ages = Ages::default();
    let has_age = ages.of(&early, first.time).is_some();
    if has_age {
        view = view.column(Column::number(AGE, "s"));
    }
    let mut walls: Option<Vec<_>> = None;
    for listed in &frames {
        let frame = reader.read(listed)?;
        let unknown = || vec![f64::NAN; frame.centers().len()];
        let values =
            columns.iter().map(|column| frame.column(column, listed).map_or_else(|_| unknown(), |found| found.values));
        let mut values = values.collect::<Vec<_>>();
        if has_age {
            values.push(ages.of(&frame, listed.time).unwrap_or_else(unknown));
        }
        let are_moved = walls.as_ref() != Some(&frame.walls);
        let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        let contacts =
            frame.contacts().iter().map(|line| Contact { ends: line.ends, value: line.force }).collect::<Vec<_>>();
        let bonds =
            frame.bonds().iter().map(|line| Bond { ends: line.ends, intact: line.is_intact }).collect::<Vec<_>>();
        let radii = frame.radii();
        view.frame(&Frame {
            time: listed.time,
            centres: frame.centers(),
            radii: &radii,
            columns: &values,
            contacts: &contacts,
            bonds: &bonds,
            walls: are_moved.then_some(&frame.walls[..]),
        })?;
        if are_moved {
            walls = Some(frame.walls.clone());
        }
    }
    let changing = format!("Without the columns {}: there are too many grains for them.", CHANGING.join(", "));
    Ok(Some(ShownView { view, note: if is_large { changing } else { String::new() } }))
}

/// Returns the description of a column: labels have names, numbers have a unit.
fn described(of: &GrainColumn, column: &str, labels: &Labels) -> Column {
    let names = labels.of(column);
    if names.is_empty() { Column::number(&of.quantity, of.unit) } else { Column::label(&of.quantity, names.to_vec()) }
}

/// Times in s at which grains were first seen, by their ids.
#[derive(Default)]
struct Ages {
    first: BTreeMap<u64, f64>,
}

impl Ages {
    /// Returns the age of each grain of a frame; none for frames without ids.
    fn of(&mut self, frame: &DrawnFrame, time: f64) -> Option<Vec<f64>> {
        let ids = frame.ids()?;
        let age = |id: &f64| time - *self.first.entry(id.to_bits()).or_insert(time);
        Some(ids.iter().map(age).collect())
    }
}
