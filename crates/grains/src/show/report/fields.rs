//! Plots of tables with several rows for each time: fields on a grid as maps and profiles, masses of fragments.

use grains_pages::map::{self, Map};
use grains_pages::plot::{Axis, Plot, Series};

use crate::output::explained::TableKind;
use crate::results::table::{Table, in_words};

/// Columns of a table of fields that hold time and place, not a field.
const PLACES: [&str; 5] = ["step", "time", "x", "y", "z"];
/// Columns whose means over cells are weighted by the mass in each cell.
const BY_MASS: [&str; 4] = ["vx", "vy", "vz", "temperature"];

/// Makes the plots of the last time of a table of fields or of fragments.
pub(super) fn plots(name: &str, table: &Table) -> Vec<Plot> {
    match table.kind() {
        Some(TableKind::Fields) => profiles(name, table),
        Some(TableKind::Fragments) => fragments(name, table).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Largest number of cells of maps: with all fields they take some 2 MB of the page.
const MOST_CELLS: usize = 10_000;

/// A grid has too many cells to be drawn as maps.
#[derive(Debug, thiserror::Error)]
#[error("No maps: a grid of {width} by {height} cells is too large for the page, which draws {MOST_CELLS} at most.")]
pub(super) struct TooManyCells {
    width: usize,
    height: usize,
}

/// Makes maps of all fields at the last time of a table of fields on a grid with several cells along two or three
/// directions: means over the direction with the fewest cells. `None` for other tables.
///
/// # Errors
/// [`TooManyCells`].
pub(super) fn maps(name: &str, table: &Table) -> Result<Option<Map>, TooManyCells> {
    if table.kind() != Some(TableKind::Fields) {
        return Ok(None);
    }
    let rows = table.rows_at(None);
    let mut directions: Vec<(&str, Cells)> =
        ["x", "y", "z"].into_iter().filter_map(|along| Some((along, Cells::along(table, &rows, along)?))).collect();
    directions.retain(|(_, cells)| cells.places.len() > 1);
    let mut over = String::new();
    if directions.len() == 3 {
        let fewest = (0..3).min_by_key(|&k| directions[k].1.places.len()).unwrap_or(0);
        over = format!(", means over {}", directions.remove(fewest).0);
    }
    let [(across, columns), (up, lines)] = &directions[..] else { return Ok(None) };
    let [width, height] = [columns, lines].map(|cells| cells.places.len());
    if width.saturating_mul(height) > MOST_CELLS {
        return Err(TooManyCells { width, height });
    }
    let cells = lines.numbers.iter().zip(&columns.numbers).map(|(line, column)| line * width + column);
    let cells = cells.collect::<Vec<_>>();
    let title = format!("Fields over {across} and {up}, at the last time{over}");
    let side = |along: &str, cells: &Cells| map::Cells {
        axis: Axis::linear(along, table.unit(along)),
        places: cells.places.clone(),
    };
    let map = Map::new(name, title, side(across, columns), side(up, lines));
    let of_column = |column: &String| {
        let values = means(table, &rows, column, &cells, width * height)?;
        Some((Axis::linear(in_words(column), table.unit(column)), values))
    };
    let map = fields(table).filter_map(of_column).fold(map, |map, (quantity, values)| map.field(&quantity, values));
    Ok((!map.is_empty()).then_some(map))
}

/// Makes a profile of each field along the first direction with several cells: means over the other directions.
fn profiles(name: &str, table: &Table) -> Vec<Plot> {
    let along = table.usual_abscissa();
    let rows = table.rows_at(None);
    let Some(Cells { places, numbers }) = Cells::along(table, &rows, along) else { return Vec::new() };
    let plot = |(number, column): (usize, &String)| {
        let values = means(table, &rows, column, &numbers, places.len())?;
        let title = format!("{}, at the last time", in_words(column));
        let x = Axis::linear(along, table.unit(along));
        let y = Axis::linear(in_words(column), table.unit(column));
        let points = places.iter().copied().zip(values);
        Some(Plot::new(format!("{name}-{number}"), title, x, y).series(Series::line("", points)))
    };
    fields(table).enumerate().filter_map(plot).collect()
}

/// Returns the columns that are fields.
fn fields(table: &Table) -> impl Iterator<Item = &String> {
    table.columns.iter().filter(|column| !PLACES.contains(&&column[..]))
}

/// Cells of a grid along one direction.
struct Cells {
    /// Middles of the cells in m, ascending.
    places: Vec<f64>,
    /// For each row of the table, the number of its cell along this direction.
    numbers: Vec<usize>,
}

impl Cells {
    fn along(table: &Table, rows: &[usize], direction: &str) -> Option<Self> {
        let column = table.get(direction)?;
        let mut places: Vec<f64> = rows.iter().map(|&row| column[row]).collect();
        // A damaged table may have places that are no numbers.
        if !places.iter().all(|place| place.is_finite()) {
            return None;
        }
        places.sort_by(f64::total_cmp);
        places.dedup();
        let numbers = rows.iter().map(|&row| places.partition_point(|&place| place < column[row])).collect();
        Some(Self { places, numbers })
    }
}

/// Returns the means of a column over the rows of each of `count` cells, of velocities and temperatures by mass; NaN for
/// cells without a number. None if all are zero or missing.
fn means(table: &Table, rows: &[usize], column: &str, cells: &[usize], count: usize) -> Option<Vec<f64>> {
    let values = table.get(column)?;
    let density = table.get("density").filter(|_| BY_MASS.contains(&column));
    let mut sums = vec![0.0; count];
    let mut weights = vec![0.0; count];
    for (&row, &cell) in rows.iter().zip(cells).filter(|(row, _)| values[**row].is_finite()) {
        let weight = density.map_or(1.0, |density| density[row]);
        sums[cell] += weight * values[row];
        weights[cell] += weight;
    }
    let means: Vec<f64> = sums.iter().zip(&weights).map(|(sum, weight)| sum / weight).collect();
    means.iter().any(|value| value.is_finite() && *value != 0.0).then_some(means)
}

/// Makes a plot of the masses of fragments at the last time, the heaviest first.
fn fragments(name: &str, table: &Table) -> Option<Plot> {
    let rows = table.rows_at(None);
    let masses = table.get("mass")?;
    let points = rows.iter().enumerate().map(|(rank, &row)| ((rank + 1) as f64, masses[row]));
    let [x, y] = [Axis::log("rank", ""), Axis::log("mass", table.unit("mass"))];
    Some(Plot::new(format!("{name}-0"), "Masses of fragments, at the last time", x, y).series(Series::line("", points)))
}
