//! Plots of tables with several rows for each time: fields on a grid as profiles or maps, sizes of fragments.

use grains_pages::plot::{Axis, Plot, Series};

use crate::output::explained::TableKind;
use crate::results::table::{Table, in_words};
use crate::show::plot::{rows_to_draw, usual_abscissa};

/// Columns of fields that are drawn as profiles or maps.
const FIELDS: [&str; 8] = ["density", "vx", "vy", "vz", "contact_xx", "contact_zz", "contact_xz", "temperature"];

/// Makes the plots of the last time of a table of fields or of fragments.
pub(super) fn plots(name: &str, table: &Table) -> Vec<Plot> {
    match table.kind() {
        Some(TableKind::Fields) => fields(name, table),
        Some(TableKind::Fragments) => fragments(name, table).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Makes a profile of each field along the first direction with several cells. Where several directions have several
/// cells, the profile has the means over the others.
fn fields(name: &str, table: &Table) -> Vec<Plot> {
    let along = usual_abscissa(table);
    let rows = rows_to_draw(table, None);
    let Some(places) = table.get(&along) else { return Vec::new() };
    let plot = |(number, column): (usize, &&str)| {
        let values = table.get(column)?;
        let mut profile: Vec<(f64, f64, usize)> = Vec::new();
        for &row in &rows {
            match profile.iter_mut().find(|(place, _, _)| *place == places[row]) {
                Some((_, sum, count)) if values[row].is_finite() => {
                    *sum += values[row];
                    *count += 1;
                }
                Some(_) => {}
                None if values[row].is_finite() => profile.push((places[row], values[row], 1)),
                None => profile.push((places[row], 0.0, 0)),
            }
        }
        let points = profile.into_iter().map(|(place, sum, count)| (place, sum / count as f64)).collect::<Vec<_>>();
        points.iter().any(|(_, value)| value.is_finite()).then(|| {
            let title = format!("{}, at the last time", in_words(column));
            let x = Axis::linear(along.clone(), table.unit(&along));
            let y = Axis::linear(in_words(column), table.unit(column));
            Plot::new(format!("{name}-{number}"), title, x, y).series(Series::line("", points))
        })
    };
    FIELDS.iter().enumerate().filter_map(plot).collect()
}

/// Makes a plot of the masses of fragments at the last time, the heaviest first.
fn fragments(name: &str, table: &Table) -> Option<Plot> {
    let rows = rows_to_draw(table, None);
    let masses = table.get("mass")?;
    let points = rows.iter().enumerate().map(|(rank, &row)| ((rank + 1) as f64, masses[row]));
    let axes = [Axis::log("rank", ""), Axis::log("mass", table.unit("mass"))];
    let [x, y] = axes;
    Some(Plot::new(format!("{name}-0"), "Masses of fragments, at the last time", x, y).series(Series::line("", points)))
}
