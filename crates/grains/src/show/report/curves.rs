//! Plots of tables with one row for each time: the series of a run, and means of measurements.

use grains_pages::plot::{Axis, Plot, Series};

use crate::output::explained::TableKind;
use crate::results::table::{Table, in_words};

/// Columns that belong on one pair of axes.
struct Group {
    title: &'static str,
    columns: &'static [&'static str],
}

const fn group(title: &'static str, columns: &'static [&'static str]) -> Group {
    Group { title, columns }
}

/// Groups of the columns of `series.csv`. Columns without a group have a plot each.
const SERIES: [Group; 17] = [
    group(
        "Energies",
        &["kinetic_translation", "kinetic_rotation", "elastic", "staggered", "bonds", "capillary", "external"],
    ),
    group(
        "Energy lost, gained and put in since the start",
        &[
            "dissipated",
            "damped",
            "released",
            "jump_work",
            "capillary_loss",
            "gained",
            "wall_work",
            "box_work",
            "supplied",
        ],
    ),
    group("Energy balance, change since the start", &["balance"]),
    group("Contacts", &["contacts"]),
    group("Contacts of a grain, mean", &["contacts_per_body"]),
    group("Largest overlap as a share of the smaller radius", &["largest_overlap"]),
    group("Grains", &["bodies"]),
    group("Kinetic energy of a grain, mean", &["mean_kinetic"]),
    group("Momentum", &["px", "py", "pz"]),
    group("Angular momentum about the origin", &["lx", "ly", "lz"]),
    group("Stresses of the box", &["stress_x", "stress_y", "stress_z"]),
    group("Edges of the box", &["box_x", "box_y", "box_z", "box_offset"]),
    group("Liquid", &["liquid_on_bodies", "liquid_in_bridges", "liquid_removed"]),
    group(
        "Energy taken by motions of contacts",
        &["dissipated_normal", "dissipated_sliding", "dissipated_rolling", "dissipated_twisting", "dissipated_walls"],
    ),
    group("Broken bonds", &["broken"]),
    group("Iterations of the solver", &["iterations"]),
    group("Variance of velocities", &["velocity_variance"]),
];

/// Groups of the columns of a table of means.
const MEANS: [Group; 13] = [
    group("Solid fraction", &["solid_fraction"]),
    group("Pressure", &["pressure"]),
    group("Normal stresses of contacts", &["contact_xx", "contact_yy", "contact_zz"]),
    group(
        "Shear stresses of contacts",
        &["contact_xy", "contact_yx", "contact_xz", "contact_zx", "contact_yz", "contact_zy"],
    ),
    group(
        "Stresses of velocities",
        &["kinetic_xx", "kinetic_yy", "kinetic_zz", "kinetic_xy", "kinetic_xz", "kinetic_yz"],
    ),
    group("Fabric", &["fabric_xx", "fabric_yy", "fabric_zz", "fabric_xy", "fabric_xz", "fabric_yz"]),
    group("Contacts of a grain, mean", &["coordination", "bearing_coordination"]),
    group("Mean velocity", &["vx", "vy", "vz"]),
    group("Granular temperature", &["temperature"]),
    group(
        "Power taken by contacts",
        &["power_normal", "power_sliding", "power_rolling", "power_twisting", "power_walls"],
    ),
    group("Centre of mass", &["x", "y", "z"]),
    group("Box around the grains", &["low_x", "low_y", "low_z", "high_x", "high_y", "high_z"]),
    group("Grains", &["grains", "rattlers"]),
];

/// A table of one of the runs that a page shows.
pub(super) struct Curve<'a> {
    /// Name of the run in legends.
    pub(super) run: &'a str,
    pub(super) table: &'a Table,
}

/// Makes the plots of one kind of table of one or several runs. With one run a plot has all columns of a group, with
/// several runs a plot has one column of all runs.
pub(super) fn plots(name: &str, curves: &[Curve<'_>]) -> Vec<Plot> {
    let Some(first) = curves.first() else { return Vec::new() };
    let groups: &[Group] = if first.table.kind() == Some(TableKind::Series) { &SERIES } else { &MEANS };
    let mut plots = Vec::new();
    let mut seen = vec!["step".to_owned(), "time".to_owned()];
    for Group { title, columns } in groups {
        seen.extend(columns.iter().map(|&column| column.to_owned()));
        add(&mut plots, name, title, &columns.iter().map(|&column| column.to_owned()).collect::<Vec<_>>(), curves);
    }
    for (title, columns) in of_parts(&first.table.columns, &seen) {
        seen.extend(columns.iter().cloned());
        add(&mut plots, name, &title, &columns, curves);
    }
    for column in first.table.columns.iter().filter(|column| !seen.contains(column)) {
        add(&mut plots, name, &in_words(column), std::slice::from_ref(column), curves);
    }
    plots
}

/// Ends of columns of walls, sources and gates, and the title of their plot.
const PARTS: [(&[&str], &str); 5] = [
    (&["_fx", "_fy", "_fz"], "force of the grains"),
    (&["_tx", "_ty", "_tz"], "torque of the contacts"),
    (&["_x", "_y", "_z"], "place"),
    (&["_mass"], "mass of grains that came or passed"),
    (&["_count"], "number of grains that came or passed"),
];

/// Groups the columns of walls, sources and gates, which begin with a name. Columns in `seen` are left out.
fn of_parts(columns: &[String], seen: &[String]) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (ends, what) in PARTS {
        for column in columns.iter().filter(|column| !seen.contains(column)) {
            let Some(part) = ends.iter().find_map(|end| column.strip_suffix(end)) else { continue };
            let title = format!("{part}: {what}");
            match groups.iter_mut().find(|(known, _)| *known == title) {
                Some((_, group)) => group.push(column.clone()),
                None => groups.push((title, vec![column.clone()])),
            }
        }
    }
    groups
}

/// Adds the plots of the `columns` that some run has, and that are neither empty nor zero all the time.
fn add(plots: &mut Vec<Plot>, name: &str, title: &str, columns: &[String], curves: &[Curve<'_>]) {
    let points = |curve: &Curve<'_>, column: &str| {
        let values = curve.table.get(column)?;
        let times = curve.table.get("time")?;
        // The value of the balance means nothing, its change does.
        let origin = if column == "balance" { values.iter().copied().find(|value| value.is_finite())? } else { 0.0 };
        let points = times.iter().zip(values).map(|(&time, &value)| (time, value - origin)).collect::<Vec<_>>();
        points.iter().any(|(_, value)| value.is_finite()).then_some(points)
    };
    let id = |number: usize| format!("{name}-{number}");
    let unit = |column: &str| curves.iter().map(|curve| curve.table.unit(column)).find(|unit| !unit.is_empty());
    let axis = |quantity: String, column: &str| Axis::linear(quantity, unit(column).unwrap_or(""));
    let time = || axis("time".to_owned(), "time");
    if let [curve] = curves {
        let found = columns.iter().filter_map(|column| Some((column, points(curve, column)?))).collect::<Vec<_>>();
        let shown = found.iter().filter(|(_, points)| !is_zero(points)).collect::<Vec<_>>();
        let Some((first, _)) = shown.first() else { return };
        let quantity = if shown.len() == 1 { in_words(first) } else { in_words(title_of_axis(title)) };
        let plot = Plot::new(id(plots.len()), title, time(), axis(quantity, first));
        let is_alone = shown.len() == 1;
        let series = shown.into_iter().map(|(column, points)| {
            Series::line(if is_alone { String::new() } else { in_words(column) }, points.iter().copied()).plain()
        });
        plots.push(series.fold(plot, Plot::series));
        return;
    }
    for column in columns {
        let found = curves.iter().filter_map(|curve| Some((curve.run, points(curve, column)?))).collect::<Vec<_>>();
        if found.iter().all(|(_, points)| is_zero(points)) {
            continue;
        }
        let title = if columns.len() == 1 { title.to_owned() } else { format!("{title}: {}", in_words(column)) };
        let plot = Plot::new(id(plots.len()), title, time(), axis(in_words(column), column));
        plots.push(found.into_iter().fold(plot, |plot, (run, points)| plot.series(Series::line(run, points).plain())));
    }
}

/// Returns whether a curve has no other numbers than zero.
fn is_zero(points: &[(f64, f64)]) -> bool {
    points.iter().all(|(_, value)| *value == 0.0 || value.is_nan())
}

/// Returns what the vertical axis of a plot with this title shows: the words before a comma, after a name with a colon.
fn title_of_axis(title: &str) -> &str {
    let what = title.split_once(": ").map_or(title, |(_, what)| what);
    what.split(',').next().unwrap_or(what)
}
