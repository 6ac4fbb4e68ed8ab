//! Columns of the tables that are written. All are CSV; numbers have as many digits as reading them back to the same
//! bits takes.

use csv::{Terminator, WriterBuilder};
use dem_contact::law::Partner;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::build::table::COLUMNS;
use crate::reading::{ContactRow, Energies, Reading};

/// Columns of the time series before the forces on walls.
const SERIES: [&str; 24] = [
    "step",
    "time",
    "kinetic_translation",
    "kinetic_rotation",
    "elastic",
    "external",
    "bonds",
    "released",
    "dissipated",
    "gained",
    "wall_work",
    "supplied",
    "balance",
    "px",
    "py",
    "pz",
    "lx",
    "ly",
    "lz",
    "mean_kinetic",
    "velocity_variance",
    "contacts",
    "contacts_per_body",
    "iterations",
];

/// Columns of the table of contacts.
const CONTACTS: [&str; 15] = [
    "step",
    "time",
    "a",
    "b",
    "with_wall",
    "gap",
    "nx",
    "ny",
    "nz",
    "normal_force",
    "tangential_fx",
    "tangential_fy",
    "tangential_fz",
    "elastic_energy",
    "dissipated_power",
];

/// The first line of the time series.
pub(crate) fn series_header(walls: usize) -> String {
    let forces = (0..walls).flat_map(|wall| ["fx", "fy", "fz"].map(|name| format!("wall{wall}_{name}")));
    text([SERIES.iter().map(|&name| name.to_owned()).chain(forces)])
}

/// One line of the time series. Energies that an integrator does not record stay empty.
pub(crate) fn series_line(step: u64, reading: &Reading, iterations: usize) -> String {
    let Energies { elastic, external, bonds, released, dissipated, gained, wall_work, supplied } = reading.energies;
    let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut fields = vec![step.to_string()];
    let kinetic = reading.kinetic;
    let numbers = [reading.time, kinetic.translation, kinetic.rotation, elastic, external, bonds, released];
    fields.extend(numbers.map(|number| number.to_string()));
    fields.extend([dissipated, gained, wall_work, Some(supplied), reading.balance()].map(optional));
    fields.extend([reading.linear_momentum, reading.angular_momentum].into_iter().flat_map(components));
    fields.extend([reading.mean_kinetic, reading.velocity_variance].map(|number| number.to_string()));
    fields.push(reading.contacts.len().to_string());
    fields.extend([reading.contacts_per_body.to_string(), iterations.to_string()]);
    fields.extend(reading.wall_forces.iter().copied().flat_map(components));
    text([fields])
}

/// The first line of the table of contacts.
pub(super) fn contacts_header() -> String {
    text([CONTACTS.map(str::to_owned)])
}

/// One line per contact.
pub(crate) fn contact_lines(step: u64, time: f64, contacts: &[ContactRow]) -> String {
    text(contacts.iter().map(|row| {
        let (b, with_wall) = match row.b {
            Partner::Body(b) => (b, "0"),
            Partner::Wall(wall) => (wall, "1"),
        };
        let mut fields = vec![step.to_string(), time.to_string(), row.a.to_string(), b.to_string()];
        fields.push(with_wall.to_owned());
        fields.push(row.gap.to_string());
        fields.extend(components(row.normal));
        fields.push(row.normal_force.to_string());
        fields.extend(components(row.tangential_force));
        fields.extend([row.elastic_energy, row.dissipated_power].map(|number| number.to_string()));
        fields
    }))
}

/// Bodies as a table that a scene can read.
pub(crate) fn body_table(bodies: &Bodies, state: &State) -> String {
    let row = |i: usize| {
        let sizes = [bodies.radius()[i], bodies.mass()[i]].map(|number| number.to_string());
        let [position, velocity] = [state.position(), state.velocity()].map(|column| components(column.get(i)));
        position.into_iter().chain(sizes).chain(velocity).chain(components(state.spin(bodies, i))).collect()
    };
    let header = COLUMNS.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    text(std::iter::once(header).chain((0..bodies.len()).map(row)))
}

fn components(vector: DVec3) -> [String; 3] {
    vector.to_array().map(|component| component.to_string())
}

/// Records as CSV, one a line.
fn text<R: IntoIterator<Item = String>>(records: impl IntoIterator<Item = R>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).flexible(true).from_writer(Vec::new());
    for record in records {
        // Writing to memory cannot fail.
        let _written = writer.write_record(record.into_iter().map(String::into_bytes));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
