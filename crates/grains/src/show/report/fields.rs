//! Plots of tables with several rows for each time: fields on a grid as profiles, masses of fragments.

use grains_pages::plot::{Axis, Plot, Series};

use crate::output::explained::TableKind;
use crate::results::table::{Table, in_words};

/// Columns of a table of fields that are no fields.
const PLACES: [&str; 5] = ["step", "time", "x", "y", "z"];
/// Columns whose means are taken by mass.
const BY_MASS: [&str; 4] = ["vx", "vy", "vz", "temperature"];

/// Makes the plots of the last time of a table of fields or of fragments.
pub(super) fn plots(name: &str, table: &Table) -> Vec<Plot> {
    match table.kind() {
        Some(TableKind::Fields) => fields(name, table),
        Some(TableKind::Fragments) => fragments(name, table).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Makes a profile of each field along the first direction with several cells: means over the other directions, of
/// velocities by mass.
fn fields(name: &str, table: &Table) -> Vec<Plot> {
    let along = table.usual_abscissa();
    let rows = table.rows_at(None);
    let Some(places) = table.get(along) else { return Vec::new() };
    let mut profile: Vec<f64> = rows.iter().map(|&row| places[row]).collect();
    profile.sort_by(f64::total_cmp);
    profile.dedup();
    let cells: Vec<usize> = rows.iter().map(|&row| profile.partition_point(|&place| place < places[row])).collect();
    let density = table.get("density");
    let plot = |(number, column): (usize, &String)| {
        let values = table.get(column)?;
        let is_by_mass = BY_MASS.contains(&&column[..]);
        let mut sums = vec![0.0; profile.len()];
        let mut weights = vec![0.0; profile.len()];
        for (&row, &cell) in rows.iter().zip(&cells).filter(|(row, _)| values[**row].is_finite()) {
            let weight = density.filter(|_| is_by_mass).map_or(1.0, |density| density[row]);
            sums[cell] += weight * values[row];
            weights[cell] += weight;
        }
        let points = profile.iter().zip(sums.iter().zip(&weights)).map(|(&place, (sum, weight))| (place, sum / weight));
        let points: Vec<(f64, f64)> = points.collect();
        let is_empty = points.iter().all(|(_, value)| *value == 0.0 || !value.is_finite());
        (!is_empty).then(|| {
            let title = format!("{}, at the last time", in_words(column));
            let x = Axis::linear(along, table.unit(along));
            let y = Axis::linear(in_words(column), table.unit(column));
            Plot::new(format!("{name}-{number}"), title, x, y).series(Series::line("", points))
        })
    };
    let fields = table.columns.iter().filter(|column| !PLACES.contains(&&column[..]));
    fields.enumerate().filter_map(plot).collect()
}

/// Makes a plot of the masses of fragments at the last time, the heaviest first.
fn fragments(name: &str, table: &Table) -> Option<Plot> {
    let rows = table.rows_at(None);
    let masses = table.get("mass")?;
    let points = rows.iter().enumerate().map(|(rank, &row)| ((rank + 1) as f64, masses[row]));
    let [x, y] = [Axis::log("rank", ""), Axis::log("mass", table.unit("mass"))];
    Some(Plot::new(format!("{name}-0"), "Masses of fragments, at the last time", x, y).series(Series::line("", points)))
}
