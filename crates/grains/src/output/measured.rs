//! Tables of measurements.

use std::sync::Arc;

use dem_contact::measure::{GridFields, PointFields};
use rrp_geom::glam::{DMat3, DVec3};

use super::columns::text;
use crate::error::GrainsError;
use crate::reading::Reading;
use crate::scene::measures::Measure;
use crate::simulation::{Means, Measured, NamedFragment, Simulation};

/// Columns of a table of means, after step and time. Matrices are stored by rows, symmetric ones by their upper half.
pub(super) const MEANS: &str = "grains,mass,volume,solid_fraction,vx,vy,vz,pressure,\
    contact_xx,contact_xy,contact_xz,contact_yx,contact_yy,contact_yz,contact_zx,contact_zy,contact_zz,\
    kinetic_xx,kinetic_xy,kinetic_xz,kinetic_yy,kinetic_yz,kinetic_zz,\
    fabric_xx,fabric_xy,fabric_xz,fabric_yy,fabric_yz,fabric_zz,\
    coordination,bearing_coordination,rattlers,temperature,\
    power_normal,power_sliding,power_rolling,power_twisting,power_walls,\
    x,y,z,low_x,low_y,low_z,high_x,high_y,high_z,mixing";

/// Columns of a table of fields on a grid, after step and time.
pub(super) const FIELDS: &str = "x,y,z,density,vx,vy,vz,\
    contact_xx,contact_xy,contact_xz,contact_yx,contact_yy,contact_yz,contact_zx,contact_zy,contact_zz,\
    kinetic_xx,kinetic_xy,kinetic_xz,kinetic_yy,kinetic_yz,kinetic_zz,\
    temperature,outer_fx,outer_fy,outer_fz";

/// Columns of a table of fragments, after step and time.
pub(super) const FRAGMENTS: &str = "fragment,grains,mass";

/// Reasons why columns of a table of means have no value in any row, with the columns that each reason applies to.
const EMPTY: [(&[&str], &str); 3] = [
    (&["step"], "frames do not store the number of their step"),
    (
        &[
            "volume",
            "solid_fraction",
            "pressure",
            "contact_xx",
            "contact_xy",
            "contact_xz",
            "contact_yx",
            "contact_yy",
            "contact_yz",
            "contact_zx",
            "contact_zy",
            "contact_zz",
            "kinetic_xx",
            "kinetic_xy",
            "kinetic_xz",
            "kinetic_yy",
            "kinetic_yz",
            "kinetic_zz",
        ],
        "an open box has no volume; give the measurement a `region`",
    ),
    (&["mixing"], "the measurement has no `mixing`"),
];

/// Returns a sentence for each reason why some of the `empty` columns of a table have no values, with the names of these
/// columns.
pub(crate) fn why_empty(empty: &[&str]) -> Vec<String> {
    let reason_of = |column: &str| EMPTY.iter().find(|(columns, _)| columns.contains(&column)).map(|(_, why)| *why);
    let reasons = EMPTY.iter().map(|(_, why)| Some(*why)).chain([None]);
    let sentence = |why: Option<&str>| {
        let names: Vec<&str> = empty.iter().copied().filter(|column| reason_of(column) == why).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        let why = why.unwrap_or("there is nothing to take that of");
        (!names.is_empty()).then(|| format!("{} {verb} empty: {why}", names.join(", ")))
    };
    reasons.filter_map(sentence).collect()
}

/// Number of time-averaged components of all densities at a grid point.
const OF_POINT: usize = 25;

/// Returns the header line of the table of a measurement.
pub(crate) fn measured_header(measure: &Measure) -> String {
    let columns = match (measure.grid, measure.fragments) {
        (Some(_), _) => FIELDS,
        (None, Some(_)) => FRAGMENTS,
        (None, None) => MEANS,
    };
    format!("step,time,{columns}\n")
}

/// Takes the measurements that are due, and returns the lines of completed rows, each with its measurement's number.
/// Regions that are empty in the last state of the run are reported at the end of the run.
///
/// # Errors
/// As [`Simulation::measure`].
pub(crate) fn measure_due(
    simulation: &mut Simulation,
    reading: &Reading,
    due: &[DueMeasure],
) -> Result<Vec<(usize, String)>, GrainsError> {
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let plan = Arc::clone(&simulation.plan);
    let clock = simulation.progress.clock;
    let numbers = due.iter().map(|due| due.number).collect::<Vec<_>>();
    let scene = &plan.stages[clock.stage].scene;
    let mut rows = Vec::new();
    for (&DueMeasure { number, ends_row }, mut found) in due.iter().zip(simulation.measure(scene, &numbers, reading)?) {
        let measure = &scene.measures[number];
        let is_empty = matches!(&found, Measured::Means(means) if means.bulk.grains == 0);
        if is_empty && measure.region.is_some() && clock.is_over() {
            let name = &measure.name;
            simulation.messages.push(format!("at the end no grain is in the region of the measure `{name}`"));
        }
        if measure.samples.is_some() {
            let sums = &mut simulation.progress.measured[number];
            sums.add(&found.numbers());
            if ends_row {
                found.set_numbers(&sums.take_means());
            }
        }
        if ends_row {
            rows.push((number, measured_lines(Some(clock.step), reading.time, &found)));
        }
    }
    Ok(rows)
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DueMeasure {
    pub(crate) number: usize,
    /// Whether this sample completes a row, which is then written.
    pub(crate) ends_row: bool,
}

/// Formats the lines of a measurement at one time. `step` is the number of steps taken, if known.
pub(crate) fn measured_lines(step: Option<u64>, time: f64, measured: &Measured) -> String {
    let start = [step.map_or_else(String::new, |step| step.to_string()), time.to_string()];
    match measured {
        Measured::Means(means) => text([start.into_iter().chain(words(numbers_of(means)))]),
        Measured::TimeMeans(numbers) => text([start.into_iter().chain(words(numbers.clone()))]),
        Measured::Fields(fields) => text(rows(fields).map(|row| start.clone().into_iter().chain(words(row)))),
        Measured::Fragments(fragments) => text(fragments.iter().map(|&NamedFragment { id, grains, mass }| {
            start.clone().into_iter().chain([id.to_string(), grains.to_string(), mass.to_string()])
        })),
    }
}

impl Measured {
    /// Returns the numbers of a measurement's result that are averaged over time.
    fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Means(means) => numbers_of(means),
            Self::TimeMeans(numbers) => numbers.clone(),
            Self::Fields(fields) => fields.points.iter().flat_map(of_point).collect(),
            // Tables of fragments are not averaged over time.
            Self::Fragments(_) => Vec::new(),
        }
    }

    fn set_numbers(&mut self, numbers: &[f64]) {
        match self {
            Self::Means(_) | Self::TimeMeans(_) => *self = Self::TimeMeans(numbers.to_vec()),
            Self::Fields(fields) => {
                let points = fields.points.iter_mut().zip(numbers.chunks_exact(OF_POINT));
                points.for_each(|(point, numbers)| *point = point_of(numbers));
            }
            Self::Fragments(_) => {}
        }
    }
}

/// Formats the numbers of a row; NaN, for missing numbers, gives an empty text.
fn words(numbers: Vec<f64>) -> impl Iterator<Item = String> {
    numbers.into_iter().map(|number| if number.is_nan() { String::new() } else { number.to_string() })
}

fn numbers_of(Means { bulk, mixing }: &Means) -> Vec<f64> {
    let missing = f64::NAN;
    let vector = |vector: Option<DVec3>| vector.map_or([missing; 3], |vector| vector.to_array());
    let mut numbers = vec![bulk.grains as f64, bulk.mass];
    numbers.extend([bulk.volume, bulk.solid_fraction()].map(|number| number.unwrap_or(missing)));
    numbers.extend(bulk.mean_velocity().to_array());
    numbers.push(bulk.pressure().unwrap_or(missing));
    numbers.extend(bulk.contact_stress().map_or([missing; 9], whole));
    numbers.extend(bulk.kinetic_stress().map_or([missing; 6], upper));
    numbers.extend(upper(bulk.fabric()));
    numbers.extend([bulk.coordination(), bulk.bearing_coordination()]);
    numbers.extend([bulk.rattlers as f64, bulk.temperature()]);
    let power = bulk.power;
    numbers.extend([power.normal, power.sliding, power.rolling, power.twisting, bulk.power_at_walls.total()]);
    numbers.extend(vector(bulk.center_of_mass()));
    let corner = |index: usize| vector(bulk.bounds.map(|bounds| bounds[index]));
    numbers.extend([corner(0), corner(1)].concat());
    numbers.push(mixing.unwrap_or(missing));
    numbers
}

fn rows(fields: &GridFields) -> impl Iterator<Item = Vec<f64>> + '_ {
    let [nx, ny, _] = fields.grid.cells;
    fields.points.iter().enumerate().map(move |(index, point)| {
        let place = fields.grid.point([index % nx, index / nx % ny, index / nx / ny]);
        let mut row: Vec<f64> = place.to_array().into();
        row.push(point.density);
        row.extend(point.velocity().to_array());
        row.extend(whole(point.contact_stress));
        row.extend(upper(point.kinetic_stress()));
        row.push(point.temperature());
        row.extend(point.outer_force.to_array());
        row
    })
}

/// Returns the densities at a grid point, from which all other columns follow.
fn of_point(point: &PointFields) -> Vec<f64> {
    let &PointFields { density, momentum, flux, contact_stress, outer_force } = point;
    let mut numbers = vec![density];
    numbers.extend(momentum.to_array());
    numbers.extend(flux.to_cols_array());
    numbers.extend(contact_stress.to_cols_array());
    numbers.extend(outer_force.to_array());
    numbers
}

fn point_of(numbers: &[f64]) -> PointFields {
    PointFields {
        density: numbers[0],
        momentum: DVec3::from_slice(&numbers[1..4]),
        flux: DMat3::from_cols_slice(&numbers[4..13]),
        contact_stress: DMat3::from_cols_slice(&numbers[13..22]),
        outer_force: DVec3::from_slice(&numbers[22..25]),
    }
}

fn whole(matrix: DMat3) -> [f64; 9] {
    let [x, y, z] = [0, 1, 2].map(|row| matrix.row(row));
    let entries = |row: DVec3| row.to_array();
    let ([xx, xy, xz], [yx, yy, yz], [zx, zy, zz]) = (entries(x), entries(y), entries(z));
    [xx, xy, xz, yx, yy, yz, zx, zy, zz]
}

fn upper(matrix: DMat3) -> [f64; 6] {
    let [xx, xy, xz, _, yy, yz, _, _, zz] = whole(matrix);
    [xx, xy, xz, yy, yz, zz]
}
