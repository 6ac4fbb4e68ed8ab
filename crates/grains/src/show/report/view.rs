//! Interactive view of the frames of a run in its page.

use std::collections::BTreeMap;

use grains_pages::view::{Bond, Column, Contact, Frame, View};
use rrp_geom::glam::DVec3;

use crate::error::GrainsError;
use crate::output::names;
use crate::results::Results;
use crate::results::drawn::{DrawnFrame, FrameReader, GrainColumn};
use crate::results::frames::list;
use crate::results::labels::Labels;

/// Columns listed first in the view's choice of colours, if the frames have them. All other columns of the frames
/// follow.
const COLUMNS: [&str; 9] = ["speed", "diameter", "material", "group", "fragment", "id", "force", "overlap", "contacts"];
/// Columns that are left out because another column shows the same: the radius is half of the diameter, and the length
/// of the velocity is the speed.
const SHOWN_BY_OTHERS: [&str; 2] = ["radius", "velocity"];
/// Columns that hardly change from frame to frame, and take few bytes therefore.
const STEADY: [&str; 6] = ["diameter", "mass", "material", "group", "fragment", "id"];
/// Name of the column of the materials of grains.
const MATERIAL: &str = "material";
/// Name of the column of the time in s since a grain was first seen in a frame.
const AGE: &str = "age";
/// Largest number of grains in a frame for which each id is a label with its own colour; nobody would read a longer
/// legend. For more grains the ids are numbers on a colour scale, which shows how grains mix that were added one after
/// another.
const FEW: usize = 24;
/// Largest number of contacts kept of each frame, those with the largest forces.
const CONTACTS: usize = 20_000;
/// How many numbers of the page each grain takes besides columns: the three coordinates of its centre.
const OF_GRAIN: usize = 3;
/// How many numbers of the page each contact or bond takes: six coordinates of its ends, and one value.
const OF_LINE: usize = 7;

/// A view of a run, and notes in words on what the view leaves out.
pub(super) struct ShownView {
    pub(super) view: View,
    pub(super) note: String,
}

/// Names of a view.
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewName<'a> {
    /// Name of its elements in the page.
    pub(super) id: &'a str,
    /// Words above it.
    pub(super) caption: &'a str,
}

/// Makes the view of all frames of a run in at most `bytes` bytes; `None` for a run without frames.
///
/// # Errors
/// Those of reading frames.
pub(super) fn view(results: &Results, name: ViewName<'_>, bytes: usize) -> Result<Option<ShownView>, GrainsError> {
    if !results.has(names::FRAMES) {
        return Ok(None);
    }
    let frames = list(&results.folder)?;
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return Ok(None) };
    let mut reader = FrameReader::of(results);
    // Grains may all come later, and the first frame of a run does not have all columns.
    let [early, late] = [reader.read(first)?, reader.read(last)?];
    let most = early.centers().len().max(late.centers().len());
    let lines = late.contacts().len().min(CONTACTS) + late.bonds().len();
    let known = [early.columns(), late.columns()].concat();
    let (mut columns, left_out) = chosen(&known, most, lines, bytes / frames.len());
    // The view opens with the colours of the first column. Several materials are the point of a scene that has them.
    if results.labels.of(MATERIAL).len() > 1 {
        columns.sort_by_key(|column| *column != MATERIAL);
    }
    let mut view = View::new(name.id, name.caption)
        .length_unit(&results.units.length)
        .time_unit(&results.units.time)
        .contacts("force", &results.units.named("N"))
        .limit(bytes)
        .strongest(CONTACTS);
    // All grains may have left the scene.
    let seen = if late.centers().is_empty() { &early } else { &late };
    view = match seen.flat_axis() {
        Some(2) => view.up(DVec3::Y).eye(DVec3::Z),
        Some(1) => view.eye(-DVec3::Y),
        Some(_) => view.eye(DVec3::X),
        None => view,
    };
    for column in &columns {
        let of = late.column(column, last).or_else(|_| early.column(column, first))?;
        view = view.column(described(&of, column, &results.labels, most <= FEW));
    }
    let mut ages = Ages::default();
    let has_age = ages.of(&early, first.time).is_some();
    if has_age {
        view = view.column(Column::number(AGE, &results.units.time));
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
    let note = format!("Without the columns {}: there are too many grains for them.", left_out.join(", "));
    Ok(Some(ShownView { view, note: if left_out.is_empty() { String::new() } else { note } }))
}

/// Chooses the columns that fit into `bytes` bytes of a frame with `grains` grains and `lines` contacts and bonds: all
/// columns that hardly change, and the first of the others. Returns the chosen columns, and the columns that are left
/// out.
fn chosen(known: &[String], grains: usize, lines: usize, bytes: usize) -> (Vec<&str>, Vec<&str>) {
    let first = COLUMNS.into_iter().filter(|column| known.iter().any(|known| known == column));
    let mut columns: Vec<&str> = first.collect();
    for column in known {
        if !columns.contains(&column.as_str()) && !SHOWN_BY_OTHERS.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    // A number has 16 bits, which are 8/3 bytes of text. Compression takes some of it away.
    let numbers = bytes / 8 * 3;
    let place = numbers.saturating_sub(OF_GRAIN * grains + OF_LINE * lines) / grains.max(1);
    let mut changing = 0;
    columns.into_iter().partition(|column| {
        let is_steady = STEADY.contains(column);
        changing += usize::from(!is_steady);
        // Colours of one column, which is the speed, are worth more than all frames.
        is_steady || changing <= place.max(1)
    })
}

/// Describes a column for the view: labels get names, numbers get a unit. Ids are labels if `are_few`, otherwise
/// numbers.
fn described(of: &GrainColumn, column: &str, labels: &Labels, are_few: bool) -> Column {
    let names = labels.of(column);
    if !names.is_empty() {
        Column::label(&of.quantity, names.to_vec())
    } else if of.is_label && (are_few || column != "id") {
        Column::identifier(&of.quantity)
    } else {
        Column::number(&of.quantity, &of.unit)
    }
}

/// Times in s at which grains were first seen, by their ids.
#[derive(Default)]
struct Ages {
    first: BTreeMap<u64, f64>,
}

impl Ages {
    /// Returns for each grain of a frame the time in s since the grain was first seen; `None` for frames without ids.
    fn of(&mut self, frame: &DrawnFrame, time: f64) -> Option<Vec<f64>> {
        let ids = frame.ids()?;
        let age = |id: &f64| time - *self.first.entry(id.to_bits()).or_insert(time);
        Some(ids.iter().map(age).collect())
    }
}

#[cfg(test)]
mod tests {
    use grains_pages::view::Kind;

    use super::*;

    /// Columns of a run with bonds, as [`DrawnFrame::columns`] lists them.
    fn known() -> Vec<String> {
        let names = "speed diameter radius mass velocity spin id fragment force contacts velocity_x force_x";
        names.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn all_columns_are_shown_where_there_is_place_and_the_first_ones_where_there_is_little() {
        let known = [known(), known()].concat();
        let all = ["speed", "diameter", "fragment", "id", "force", "contacts", "mass", "spin", "velocity_x", "force_x"];
        assert_eq!(chosen(&known, 1000, 3000, 1_000_000), (all.into(), vec![]));
        // Six numbers for each grain: three are its place.
        let (shown, left_out) = chosen(&known, 1000, 0, 16_000);
        assert_eq!(shown, ["speed", "diameter", "fragment", "id", "force", "contacts", "mass"]);
        assert_eq!(left_out, ["spin", "velocity_x", "force_x"]);
        // Bonds take their part, and the speed is always there.
        let (shown, _) = chosen(&known, 1000, 10_000, 16_000);
        assert_eq!(shown, ["speed", "diameter", "fragment", "id", "mass"]);
        assert_eq!(chosen(&[], 0, 0, 0), (vec![], vec![]));
    }

    #[test]
    fn numbers_that_name_things_are_labels_unless_they_are_ids_of_many_grains() {
        let of =
            |name: &str, is_label| GrainColumn { quantity: name.into(), unit: String::new(), is_label, values: vec![] };
        let kind =
            |name: &str, is_label, are_few| described(&of(name, is_label), name, &Labels::default(), are_few).kind;
        assert_eq!(kind("fragment", true, false), Kind::Identifier);
        assert_eq!(kind("material", true, false), Kind::Identifier);
        assert_eq!((kind("id", true, true), kind("id", true, false)), (Kind::Identifier, Kind::Number));
        assert_eq!(kind("contacts", false, true), Kind::Number);
    }
}
