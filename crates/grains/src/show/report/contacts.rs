//! Plots of the contacts at one moment: of the last frame, or of the last time in `contacts.csv`.

use std::f64::consts::PI;

use dem_contact::io::VtpTable;
use grains_pages::plot::{Axis, Plot, Series};
use rrp_geom::glam::DVec3;

use crate::results::table::Table;
use crate::scene::units::Units;

/// Number of bars of a histogram.
pub(super) const BARS: usize = 30;

/// Contacts at one moment; each list has one entry for each contact.
pub(super) struct Contacts {
    /// Vectors along the normals, of any length.
    normals: Vec<DVec3>,
    /// Normal forces in N, positive if the two bodies push each other apart.
    normal_forces: Vec<f64>,
    /// Absolute values of the tangential forces in N.
    tangential_forces: Vec<f64>,
    /// Distances of the surfaces in m, negative where they overlap.
    gaps: Vec<f64>,
}

impl Contacts {
    /// Reads the contacts from the table of a frame; `None` if the table lacks an array that runs write.
    pub(super) fn of_frame(contacts: &VtpTable) -> Option<Self> {
        let [forces, normal_forces, gaps] =
            ["force", "normal_force", "gap"].map(|name| contacts.cell_array(name).map(|array| &array.values));
        let normal_forces = normal_forces?.clone();
        let forces = forces?.as_chunks::<3>().0.iter().zip(&normal_forces);
        let tangential = |(&force, normal): (&[f64; 3], &f64)| {
            (DVec3::from_array(force).length_squared() - normal * normal).max(0.0).sqrt()
        };
        Some(Self {
            normals: contacts.lines.iter().map(|&[a, b]| contacts.points[b] - contacts.points[a]).collect(),
            tangential_forces: forces.map(tangential).collect(),
            normal_forces,
            gaps: gaps?.clone(),
        })
    }

    /// Reads the contacts at the last time of the table of contacts; `None` if the table lacks a column that runs
    /// write.
    pub(super) fn of_table(table: &Table) -> Option<Self> {
        let rows = table.rows_at(None);
        let numbers = |name: &str| {
            let all = table.get(name)?;
            Some(rows.iter().map(|&row| all[row]).collect::<Vec<f64>>())
        };
        let vectors = |names: [&str; 3]| {
            let [x, y, z] = names.map(numbers);
            let (x, y, z) = (x?, y?, z?);
            Some((0..rows.len()).map(|k| DVec3::new(x[k], y[k], z[k])).collect::<Vec<_>>())
        };
        Some(Self {
            normals: vectors(["nx", "ny", "nz"])?,
            normal_forces: numbers("normal_force")?,
            tangential_forces: vectors(["tangential_fx", "tangential_fy", "tangential_fz"])?
                .iter()
                .map(|force| force.length())
                .collect(),
            gaps: numbers("gap")?,
        })
    }

    /// Makes plots of normal forces, of friction that is mobilised, of overlaps and of the directions of contacts.
    pub(super) fn plots(&self, units: &Units) -> Vec<Plot> {
        [self.forces(), self.mobilised(), self.overlaps(units), self.directions()].into_iter().flatten().collect()
    }

    /// Plots the probability density of normal forces, divided by their mean.
    fn forces(&self) -> Option<Plot> {
        let pushing: Vec<f64> = self.normal_forces.iter().copied().filter(|force| *force > 0.0).collect();
        let mean = pushing.iter().sum::<f64>() / pushing.len() as f64;
        let relative: Vec<f64> = pushing.iter().map(|force| force / mean).collect();
        let [x, y] = [Axis::linear("normal force over its mean", ""), Axis::log("probability density", "")];
        let plot = Plot::new("forces", "Distribution of normal forces", x, y);
        Some(plot.series(Series::line("", steps(&density(&relative)?))))
    }

    /// Plots the probability density of the ratio of tangential to normal force, which friction limits.
    fn mobilised(&self) -> Option<Plot> {
        let forces = self.tangential_forces.iter().zip(&self.normal_forces).filter(|(_, normal)| **normal > 0.0);
        let ratios: Vec<f64> = forces.map(|(tangential, normal)| tangential / normal).collect();
        // Contacts without friction have rounding errors of the normal force, which frames may have in single precision.
        let is_frictionless = ratios.iter().all(|ratio| *ratio < 1e-3);
        let [x, y] = [Axis::linear("tangential over normal force", ""), Axis::linear("probability density", "")];
        let plot = Plot::new("mobilised", "Friction that is mobilised", x, y);
        let bars = density(&ratios).filter(|_| !is_frictionless)?;
        Some(plot.series(Series::bars("", outline(bars.into_iter()))))
    }

    /// Plots the probability density of the overlaps of contacts.
    fn overlaps(&self, units: &Units) -> Option<Plot> {
        let overlaps: Vec<f64> = self.gaps.iter().map(|gap| -gap).filter(|overlap| *overlap > 0.0).collect();
        let [x, y] = [("overlap", "m"), ("probability density", "1/m")]
            .map(|(name, unit)| Axis::linear(name, units.named(unit)));
        let plot = Plot::new("overlaps", "Distribution of overlaps", x, y);
        Some(plot.series(Series::bars("", outline(density(&overlaps)?.into_iter()))))
    }

    /// Plots the directions of contacts in the plane of x and z, or of x and y if all grains have the same z: the
    /// number of contacts by the angle of their normal to x, over the mean of all angles.
    fn directions(&self) -> Option<Plot> {
        let normals = &self.normals;
        let is_flat = normals.iter().all(|normal| normal.z.abs() <= 1e-9 * normal.length());
        let angle = |normal: &DVec3| if is_flat { normal.y.atan2(normal.x) } else { normal.z.atan2(normal.x) };
        if normals.len() < BARS {
            return None;
        }
        let mut counts = [0.0; BARS];
        for normal in normals {
            // A contact and its reverse have one direction.
            let share = angle(normal).rem_euclid(PI) / PI;
            counts[((share * BARS as f64) as usize).min(BARS - 1)] += 1.0;
        }
        let mean = normals.len() as f64 / BARS as f64;
        let width = 180.0 / BARS as f64;
        let bar = |(k, count): (usize, &f64)| Bar {
            left: k as f64 * width,
            right: (k + 1) as f64 * width,
            height: count / mean,
        };
        let bars = counts.iter().enumerate().map(bar);
        let plane = if is_flat { "x and y" } else { "x and z" };
        let [x, y] = [Axis::linear("angle to x", "°"), Axis::linear("contacts over the mean of all angles", "")];
        let plot = Plot::new("directions", format!("Directions of contacts in the plane of {plane}"), x, y);
        Some(plot.series(Series::bars("", outline(bars))).level(1.0, "isotropic"))
    }
}

/// A bar of a histogram.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) height: f64,
}

/// Returns the probability density of `values` as bars of equal width from zero to the largest value; `None` if there are
/// fewer than two values, or one is not finite.
fn density(values: &[f64]) -> Option<Vec<Bar>> {
    let largest = values.iter().copied().fold(0.0, f64::max);
    if values.len() < 2 || !(largest > 0.0 && largest.is_finite()) || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let width = largest / BARS as f64;
    let mut counts = [0.0; BARS];
    values.iter().for_each(|value| counts[((value / width) as usize).min(BARS - 1)] += 1.0);
    let bar = |(k, count): (usize, &f64)| Bar {
        left: k as f64 * width,
        right: (k + 1) as f64 * width,
        height: count / (values.len() as f64 * width),
    };
    Some(counts.iter().enumerate().map(bar).collect())
}

/// Returns the outline of bars, which begins and ends at zero.
pub(super) fn outline(bars: impl Iterator<Item = Bar>) -> Vec<(f64, f64)> {
    bars.flat_map(|Bar { left, right, height }| [(left, 0.0), (left, height), (right, height), (right, 0.0)]).collect()
}

/// Returns the tops of bars as a line of steps, for a logarithmic axis, which has no zero: there is a gap where a bar has
/// no height.
fn steps(bars: &[Bar]) -> Vec<(f64, f64)> {
    let top = |&Bar { left, right, height }: &Bar| {
        if height > 0.0 { [(left, height), (right, height)] } else { [(f64::NAN, f64::NAN); 2] }
    };
    bars.iter().flat_map(top).collect()
}
