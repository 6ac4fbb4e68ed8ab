//! Plots of the sizes of grains and of the numbers of their contacts.

use dem_contact::io::VtpTable;
use grains_pages::plot::{Axis, Plot, Series};

use super::contacts::{BARS, Bar, outline};
use crate::results::table::Table;
use crate::scene::units::Units;

/// Makes plots of the sizes and of the numbers of contacts of the grains of a frame.
pub(super) fn plots(grains: &VtpTable, units: &Units) -> Vec<Plot> {
    sizes(grains, units).into_iter().chain(coordination(grains)).collect()
}

/// Makes a plot of the sizes of the grains that passed gates along the normals of the gates, from the table of all
/// grains that passed.
pub(super) fn passed(table: &Table, units: &Units) -> Option<Plot> {
    let [radii, masses, ways] = ["radius", "mass", "way"].map(|column| table.get(column));
    let (radii, masses, ways) = (radii?, masses?, ways?);
    let mut gates = table.gates.clone();
    gates.sort();
    gates.dedup();
    let [x, y] = axes(units);
    let plot = Plot::new("passed", "Size distribution of the grains that passed", x, y);
    let of_gate = |gate: &String| {
        let rows = (0..table.rows()).filter(|&row| table.gates[row] == *gate && ways[row] > 0.0);
        let points = smaller(rows.map(|row| (2.0 * radii[row], masses[row])).collect());
        (points.len() > 2).then(|| Series::line(gate, points).plain())
    };
    let plot = gates.iter().filter_map(of_gate).fold(plot, Plot::series);
    (!plot.series.is_empty()).then_some(plot)
}

/// Returns the axes of a size distribution.
fn axes(units: &Units) -> [Axis; 2] {
    [Axis::linear("diameter", &units.length), Axis::linear("mass of smaller grains", "%")]
}

/// Returns for each diameter the share (%) of the mass in grains that are smaller, as steps with two points for each
/// grain; `grains` holds diameter and mass of each.
fn smaller(mut grains: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    grains.sort_by(|one, other| one.0.total_cmp(&other.0));
    let total: f64 = grains.iter().map(|(_, mass)| mass).sum();
    let mut below = 0.0;
    let mut points = Vec::with_capacity(2 * grains.len());
    for (diameter, mass) in grains {
        points.push((diameter, 100.0 * below / total));
        below += mass;
        points.push((diameter, 100.0 * below / total));
    }
    points
}

/// Plots the share of the mass in grains that are smaller than a diameter; `None` if all free grains have one size.
fn sizes(grains: &VtpTable, units: &Units) -> Option<Plot> {
    let radii = &grains.point_array("radius")?.values;
    let masses = &grains.point_array("mass")?.values;
    let free = radii.iter().zip(masses).filter(|(_, mass)| mass.is_finite());
    let points = smaller(free.map(|(&radius, &mass)| (2.0 * radius, mass)).collect());
    let ends = [points.first()?, points.last()?];
    if ends[0].0.to_bits() == ends[1].0.to_bits() {
        return None;
    }
    let [x, y] = axes(units);
    Some(Plot::new("sizes", "Size distribution", x, y).series(Series::line("", points)))
}

/// Plots the number of grains by their number of contacts; the last bar has all grains with more contacts.
fn coordination(grains: &VtpTable) -> Option<Plot> {
    let contacts = grains.point_array("contacts")?.values.iter().copied().filter(|count| *count >= 0.0);
    let mut counts = [0.0; BARS];
    contacts.for_each(|count| counts[(count as usize).min(BARS - 1)] += 1.0);
    let most = counts.iter().rposition(|&count| count > 0.0).filter(|&most| most > 0)?;
    let bar = |(k, &height): (usize, &f64)| Bar { left: k as f64 - 0.5, right: k as f64 + 0.5, height };
    let bars = counts[..=most].iter().enumerate().map(bar);
    let [x, y] = [Axis::linear("contacts of a grain", ""), Axis::linear("grains", "")];
    Some(Plot::new("coordination", "Contacts of a grain", x, y).series(Series::bars("", outline(bars))))
}
