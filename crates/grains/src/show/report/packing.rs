//! Statistics of the grains and contacts of one frame.

use std::f64::consts::TAU;

use dem_contact::io::VtpTable;
use grains_pages::plot::{Axis, Plot, Series};
use rrp_geom::glam::DVec3;

/// Number of bars of a histogram.
const BARS: usize = 30;
/// Number of directions of a rose.
const DIRECTIONS: usize = 36;

/// Makes plots of sizes, of numbers of contacts, of normal forces and of the directions of contacts.
pub(super) fn plots(grains: &VtpTable, contacts: Option<&VtpTable>) -> Vec<Plot> {
    let mut plots = Vec::new();
    plots.extend(sizes(grains));
    plots.extend(coordination(grains));
    if let Some(contacts) = contacts {
        plots.extend(forces(contacts));
        plots.extend(rose(contacts));
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
    if free.is_empty() || free[0].0 == free[free.len() - 1].0 {
        return None;
    }
    let mut below = 0.0;
    let mut points = Vec::with_capacity(2 * free.len());
    for (diameter, mass) in free {
        points.push((diameter, 100.0 * below / total));
        below += mass;
        points.push((diameter, 100.0 * below / total));
    }
    let axes = [Axis::linear("diameter", "m"), Axis::linear("mass of smaller grains", "%")];
    let [x, y] = axes;
    Some(Plot::new("sizes", "Size distribution", x, y).series(Series::line("", points)))
}

/// Number of grains by their number of contacts.
fn coordination(grains: &VtpTable) -> Option<Plot> {
    let contacts = &grains.point_array("contacts")?.values;
    let most = contacts.iter().copied().fold(0.0, f64::max) as usize;
    if contacts.is_empty() || most == 0 {
        return None;
    }
    let mut counts = vec![0.0; most + 1];
    contacts.iter().for_each(|&count| counts[count as usize] += 1.0);
    let bars = outline(counts.into_iter().enumerate().map(|(k, count)| (k as f64 - 0.5, k as f64 + 0.5, count)));
    let axes = [Axis::linear("contacts of a grain", ""), Axis::linear("grains", "")];
    let [x, y] = axes;
    Some(Plot::new("coordination", "Contacts of a grain", x, y).series(Series::bars("", bars)))
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
    let axes = [Axis::linear("normal force over its mean", ""), Axis::log("probability density", "")];
    let [x, y] = axes;
    Some(Plot::new("forces", "Distribution of normal forces", x, y).series(Series::line("", points)))
}

/// Directions of contacts in the plane of x and z, or of x and y where all grains are at one z: the radius is the share
/// of the contacts in a direction over the mean of all directions.
fn rose(contacts: &VtpTable) -> Option<Plot> {
    let normals = contacts.lines.iter().map(|&[a, b]| contacts.points[b] - contacts.points[a]).collect::<Vec<DVec3>>();
    let is_flat = normals.iter().all(|normal| normal.z.abs() <= 1e-9 * normal.length());
    let angle = |normal: &DVec3| if is_flat { normal.y.atan2(normal.x) } else { normal.z.atan2(normal.x) };
    if normals.len() < DIRECTIONS {
        return None;
    }
    let mut counts = [0.0; DIRECTIONS];
    for normal in &normals {
        // A contact has two directions.
        for turn in [angle(normal), angle(&-*normal)] {
            counts[(turn.rem_euclid(TAU) / TAU * DIRECTIONS as f64) as usize % DIRECTIONS] += 1.0;
        }
    }
    let mean = 2.0 * normals.len() as f64 / DIRECTIONS as f64;
    let corner = |k: usize, radius: f64| {
        let angle = TAU * k as f64 / DIRECTIONS as f64;
        (radius * angle.cos(), radius * angle.sin())
    };
    let points = (0..DIRECTIONS).flat_map(|k| [corner(k, counts[k] / mean), corner(k + 1, counts[k] / mean)]);
    let first = corner(0, counts[0] / mean);
    let circle = (0..=100).map(|k| (TAU * f64::from(k) / 100.0).sin_cos()).map(|(sin, cos)| (cos, sin));
    let [x, y] = [Axis::linear("along x", ""), Axis::linear(if is_flat { "along y" } else { "along z" }, "")];
    let plot = Plot::new("rose", "Directions of contacts, over the mean of all directions", x, y);
    Some(plot.series(Series::line("contacts", points.chain([first]))).series(Series::line("isotropic", circle)))
}

/// Returns the outline of bars that are given as (left, right, height).
fn outline(bars: impl Iterator<Item = (f64, f64, f64)>) -> Vec<(f64, f64)> {
    bars.flat_map(|(left, right, height)| [(left, 0.0), (left, height), (right, height), (right, 0.0)]).collect()
}
