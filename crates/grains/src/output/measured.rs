//! Tables of measurements.

use dem_contact::measure::{Bulk, GridFields};
use rrp_geom::glam::{DMat3, DVec3};

use super::columns::{components, text};
use crate::scene::measures::Measure;
use crate::simulation::Measured;

/// Columns of means after those of step and time. Matrices go row by row; symmetric ones have their upper half.
const MEANS: &str = "grains,mass,volume,solid_fraction,vx,vy,vz,pressure,\
    contact_xx,contact_xy,contact_xz,contact_yx,contact_yy,contact_yz,contact_zx,contact_zy,contact_zz,\
    kinetic_xx,kinetic_xy,kinetic_xz,kinetic_yy,kinetic_yz,kinetic_zz,\
    fabric_xx,fabric_xy,fabric_xz,fabric_yy,fabric_yz,fabric_zz,\
    coordination,bearing_coordination,rattlers,temperature,\
    power_normal,power_sliding,power_rolling,power_twisting,power_walls";

/// Columns of fields after those of step and time.
const FIELDS: &str = "x,y,z,density,vx,vy,vz,\
    contact_xx,contact_xy,contact_xz,contact_yx,contact_yy,contact_yz,contact_zx,contact_zy,contact_zz,\
    kinetic_xx,kinetic_xy,kinetic_xz,kinetic_yy,kinetic_yz,kinetic_zz,\
    temperature,outer_fx,outer_fy,outer_fz";

/// The first line of the table of a measurement.
pub(crate) fn measured_header(measure: &Measure) -> String {
    let columns = if measure.grid.is_some() { FIELDS } else { MEANS };
    format!("step,time,{columns}\n")
}

/// The lines of a measurement at one time, after so many steps if that is known.
pub(crate) fn measured_lines(step: Option<u64>, time: f64, measured: &Measured) -> String {
    let start = [step.map_or_else(String::new, |step| step.to_string()), time.to_string()];
    match measured {
        Measured::Means(bulk) => text([start.into_iter().chain(means(bulk))]),
        Measured::Fields(fields) => text(rows(fields).map(|row| start.clone().into_iter().chain(row))),
    }
}

fn means(bulk: &Bulk) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut fields = vec![bulk.grains.to_string(), bulk.mass.to_string()];
    fields.extend([bulk.volume, bulk.solid_fraction()].map(optional));
    fields.extend(components(bulk.mean_velocity()));
    fields.push(optional(bulk.pressure()));
    fields.extend(bulk.contact_stress().map_or_else(|| empty(9), |stress| whole(stress).map(number).to_vec()));
    fields.extend(bulk.kinetic_stress().map_or_else(|| empty(6), |stress| upper(stress).map(number).to_vec()));
    fields.extend(upper(bulk.fabric()).map(number));
    fields.extend([bulk.coordination(), bulk.bearing_coordination()].map(number));
    fields.extend([bulk.rattlers.to_string(), bulk.temperature().to_string()]);
    let power = bulk.power;
    let powers = [power.normal, power.sliding, power.rolling, power.twisting, bulk.power_at_walls.total()];
    fields.extend(powers.map(number));
    fields
}

fn rows(fields: &GridFields) -> impl Iterator<Item = Vec<String>> + '_ {
    let [nx, ny, _] = fields.grid.cells;
    fields.points.iter().enumerate().map(move |(index, point)| {
        let place = fields.grid.point([index % nx, index / nx % ny, index / nx / ny]);
        let mut row: Vec<String> = components(place).into();
        row.push(point.density.to_string());
        row.extend(components(point.velocity()));
        row.extend(whole(point.contact_stress).map(number));
        row.extend(upper(point.kinetic_stress()).map(number));
        row.push(point.temperature().to_string());
        row.extend(components(point.outer_force));
        row
    })
}

fn number(value: f64) -> String {
    value.to_string()
}

fn empty(count: usize) -> Vec<String> {
    vec![String::new(); count]
}

/// The entries of a matrix, row by row.
fn whole(matrix: DMat3) -> [f64; 9] {
    let [x, y, z] = [0, 1, 2].map(|row| matrix.row(row));
    let entries = |row: DVec3| row.to_array();
    let ([xx, xy, xz], [yx, yy, yz], [zx, zy, zz]) = (entries(x), entries(y), entries(z));
    [xx, xy, xz, yx, yy, yz, zx, zy, zz]
}

/// The upper half of a matrix, row by row.
fn upper(matrix: DMat3) -> [f64; 6] {
    let [xx, xy, xz, _, yy, yz, _, _, zz] = whole(matrix);
    [xx, xy, xz, yy, yz, zz]
}
