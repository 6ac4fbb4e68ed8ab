//! Statistics of the grains and contacts of one frame.

use std::f64::consts::PI;

use dem_contact::io::VtpTable;
use grains_pages::plot::{Axis, Plot, Series};
use rrp_geom::glam::DVec3;

/// Number of bars of a histogram.
const BARS: usize = 30;

/// Makes plots of sizes, of numbers of contacts, of normal forces and of the directions of contacts.
pub(super) fn plots(grains: &VtpTable, contacts: Option<&VtpTable>) -> Vec<Plot> {
    let mut plots = Vec::new();
    plots.extend(sizes(grains));
    plots.extend(coordination(grains));
    if let Some(contacts) = contacts {
        plots.extend(forces(contacts));
        plots.extend(directions(contacts));
    }
    plots
}

/// Share of the mass in grains that are smaller than a diameter.
fn sizes(grains: &VtpTable) -> Option<Plot> {
    let radii = &grains.point_array("radius")?.values;
    let masses = &grains.point_array("mass")?.values;
    let mut free: Vec<(f64, f64)> = radii
        .iter()
        .zip(masses)
        .filter(|(_, mass)| mass.is_finite())
        .map(|(&radius, &mass)| (2.0 * radius, mass))
        .collect();
    free.sort_by(|one, other| one.0.total_cmp(&other.0));
    let total: f64 = free.iter().map(|(_, mass)| mass).sum();
    if free.is_empty() || free[0].0.to_bits() == free[free.len() - 1].0.to_bits() {
        return None;
    }
    let mut below = 0.0;
    let mut points = Vec::with_capacity(2 * free.len());
    for (diameter, mass) in free {
        points.push((diameter, 100.0 * below / total));
        below += mass;
        points.push((diameter, 100.0 * below / total));
    }
    let [x, y] = [Axis::linear("diameter", "m"), Axis::linear("mass of smaller grains", "%")];
    Some(Plot::new("sizes", "Size distribution", x, y).series(Series::line("", points)))
}

/// Number of grains by their number of contacts; the last bar has all grains with more.
fn coordination(grains: &VtpTable) -> Option<Plot> {
    let contacts = grains.point_array("contacts")?.values.iter().copied().filter(|count| *count >= 0.0);
    let mut counts = [0.0; BARS];
    contacts.for_each(|count| counts[(count as usize).min(BARS - 1)] += 1.0);
    let most = counts.iter().rposition(|&count| count > 0.0).filter(|&most| most > 0)?;
    let bars = counts[..=most].iter().enumerate().map(|(k, &count)| (k as f64 - 0.5, k as f64 + 0.5, count));
    let [x, y] = [Axis::linear("contacts of a grain", ""), Axis::linear("grains", "")];
    Some(Plot::new("coordination", "Contacts of a grain", x, y).series(Series::bars("", outline(bars))))
}

/// Density of normal forces over their mean.
fn forces(contacts: &VtpTable) -> Option<Plot> {
    let forces = &contacts.cell_array("normal_force")?.values;
    let pushing: Vec<f64> = forces.iter().copied().filter(|force| *force > 0.0).collect();
    let mean = pushing.iter().sum::<f64>() / pushing.len() as f64;
    let largest = pushing.iter().copied().fold(0.0, f64::max) / mean;
    if pushing.len() < 2 || !largest.is_finite() {
        return None;
    }
    let width = largest / BARS as f64;
    let mut counts = [0.0; BARS];
    pushing.iter().for_each(|force| counts[((force / mean / width) as usize).min(BARS - 1)] += 1.0);
    let share = |count: f64| count / (pushing.len() as f64 * width);
    let points = counts.iter().enumerate().map(|(k, &count)| ((k as f64 + 0.5) * width, share(count)));
    let [x, y] = [Axis::linear("normal force over its mean", ""), Axis::log("probability density", "")];
    Some(Plot::new("forces", "Distribution of normal forces", x, y).series(Series::line("", points)))
}

/// Directions of contacts in the plane of x and z, or of x and y where all grains are at one z: the number of contacts
/// by their angle to x, over the mean of all angles.
fn directions(contacts: &VtpTable) -> Option<Plot> {
    let normals = contacts.lines.iter().map(|&[a, b]| contacts.points[b] - contacts.points[a]).collect::<Vec<DVec3>>();
    let is_flat = normals.iter().all(|normal| normal.z.abs() <= 1e-9 * normal.length());
    let angle = |normal: &DVec3| if is_flat { normal.y.atan2(normal.x) } else { normal.z.atan2(normal.x) };
    if normals.len() < BARS {
        return None;
    }
    let mut counts = [0.0; BARS];
    for normal in &normals {
        // A contact and its reverse have one direction.
        let share = angle(normal).rem_euclid(PI) / PI;
        counts[((share * BARS as f64) as usize).min(BARS - 1)] += 1.0;
    }
    let mean = normals.len() as f64 / BARS as f64;
    let width = 180.0 / BARS as f64;
    let bars = counts.iter().enumerate().map(|(k, &count)| (k as f64 * width, (k + 1) as f64 * width, count / mean));
    let plane = if is_flat { "x and y" } else { "x and z" };
    let [x, y] = [Axis::linear("angle to x", "°"), Axis::linear("contacts over the mean of all angles", "")];
    let plot = Plot::new("directions", format!("Directions of contacts in the plane of {plane}"), x, y);
    Some(plot.series(Series::bars("", outline(bars))).level(1.0, "isotropic"))
}

/// Returns the outline of bars that are given as (left, right, height).
fn outline(bars: impl Iterator<Item = (f64, f64, f64)>) -> Vec<(f64, f64)> {
    bars.flat_map(|(left, right, height)| [(left, 0.0), (left, height), (right, height), (right, 0.0)]).collect()
}
