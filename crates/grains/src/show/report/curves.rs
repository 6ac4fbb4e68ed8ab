//! Plots of tables with one row for each time: the series of a run, and means of measurements.

use grains_pages::number;
use grains_pages::plot::{Axis, Plot, Series};

use crate::output::explained::TableKind;
use crate::results::asked::Asked;
use crate::results::table::{Span, Table, in_words};
use crate::show::plot::asked_in_words;

/// Columns that are drawn on one pair of axes.
struct Group {
    title: &'static str,
    columns: &'static [&'static str],
}

const fn group(title: &'static str, columns: &'static [&'static str]) -> Group {
    Group { title, columns }
}

/// Groups of the columns of `series.csv`. Columns without a group have a plot each.
const SERIES: [Group; 19] = [
    group("Kinetic energy", &["kinetic_translation", "kinetic_rotation"]),
    group("Energy stored in contacts and bonds", &["elastic", "bonds", "capillary"]),
    group("Energy of gravity", &["external", "staggered"]),
    group(
        "Energy, lost, gained and put in since the start",
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
    /// Loads that servos were asked to apply, by column; empty for tables of measurements.
    pub(super) asked: Asked,
    /// Part of the time that is drawn.
    pub(super) span: Span,
}

/// What a table over time shows.
#[derive(Default)]
pub(super) struct Curves {
    pub(super) plots: Vec<Plot>,
    /// Columns that do not change, in words: a plot of each would be a straight line.
    pub(super) constant: Vec<String>,
}

/// Makes the plots of one kind of table of one or several runs. With one run a plot has all columns of a group, with
/// several runs a plot has one column of all runs.
pub(super) fn of_tables(name: &str, curves: &[Curve<'_>]) -> Curves {
    let Some(first) = curves.first() else { return Curves::default() };
    let groups: &[Group] = if first.table.kind() == Some(TableKind::Series) { &SERIES } else { &MEANS };
    let mut found = Curves::default();
    let mut seen = vec!["step".to_owned(), "time".to_owned()];
    let mut add = |title: &str, columns: &[String], shown: Shown| {
        let group = of_group(title, columns, curves, shown);
        found.plots.extend(group.plots);
        found.constant.extend(group.constant);
    };
    for Group { title, columns } in groups {
        let columns = columns.iter().map(|&column| column.to_owned()).collect::<Vec<_>>();
        add(title, &columns, Shown::Values);
        seen.extend(columns);
    }
    for Part { title, rate, columns } in of_parts(&first.table.columns, &seen) {
        if let Some(rate) = rate {
            add(&rate, &columns, Shown::Rates);
        }
        add(&title, &columns, Shown::Values);
        seen.extend(columns);
    }
    for column in first.table.columns.iter().filter(|column| !seen.contains(column)) {
        add(&in_words(column), std::slice::from_ref(column), Shown::Values);
    }
    found.plots.iter_mut().enumerate().for_each(|(number, plot)| plot.id = format!("{name}-{number}"));
    found
}

/// Whether a plot shows the numbers of columns or their rates of change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Values,
    /// Rate of change: the difference of the numbers in two rows, over the time between these rows.
    Rates,
}

/// Endings of the names of columns of walls, sources and gates that are drawn in one plot; the title of this plot; and,
/// for columns that are sums over time, the title of the plot of their rates of change.
const PARTS: [(&[&str], &str, Option<&str>); 5] = [
    (&["_fx", "_fy", "_fz"], "force of the grains", None),
    (&["_tx", "_ty", "_tz"], "torque of the contacts", None),
    (&["_x", "_y", "_z"], "place", None),
    (&["_mass"], "mass of grains that came or passed", Some("mass flow")),
    (&["_count"], "number of grains that came or passed", Some("flow of grains")),
];

/// Columns of a wall, source or gate that belong together.
struct Part {
    title: String,
    /// Title of the plot of the rates of change; `None` unless the columns are sums over time.
    rate: Option<String>,
    columns: Vec<String>,
}

/// Groups the columns of walls, sources and gates, which begin with a name. Columns in `seen` are left out.
fn of_parts(columns: &[String], seen: &[String]) -> Vec<Part> {
    let mut groups: Vec<Part> = Vec::new();
    for (ends, what, rate) in PARTS {
        for column in columns.iter().filter(|column| !seen.contains(column)) {
            let Some(part) = ends.iter().find_map(|end| column.strip_suffix(end)) else { continue };
            let title = format!("{part}: {what}");
            match groups.iter_mut().find(|known| known.title == title) {
                Some(group) => group.columns.push(column.clone()),
                None => groups.push(Part {
                    title,
                    rate: rate.map(|rate| format!("{part}: {rate}")),
                    columns: vec![column.clone()],
                }),
            }
        }
    }
    groups
}

/// Returns the points of a column over time; `None` if the table lacks the column, or has no number in it.
fn points(curve: &Curve<'_>, column: &str, shown: Shown) -> Option<Vec<(f64, f64)>> {
    let values = curve.table.get(column)?;
    let times = curve.table.get("time")?;
    // The value of the balance means nothing, its change does.
    let origin = if column == "balance" { values.iter().copied().find(|value| value.is_finite())? } else { 0.0 };
    let points = times.iter().zip(values).map(|(&time, &value)| (time, value - origin));
    let points = points.filter(|(time, _)| curve.span.has(*time)).collect::<Vec<_>>();
    let points = if shown == Shown::Rates { rates(&points) } else { points };
    points.iter().any(|(_, value)| value.is_finite()).then_some(points)
}

/// Returns the rate of change of a sum, constant between two rows: the difference over the time between the rows.
fn rates(sums: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let between = |pair: &[(f64, f64)]| {
        let rate = (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
        [(pair[0].0, rate), (pair[1].0, rate)]
    };
    sums.windows(2).filter(|pair| pair[1].0 > pair[0].0).flat_map(between).collect()
}

/// Makes the plots of those `columns` that some run has, and that are neither empty nor zero all the time. A plot of
/// the load on a wall or box also shows the load that its servo was asked to apply. Columns that do not change are told in
/// words instead, if all columns of the plot do not.
fn of_group(title: &str, columns: &[String], curves: &[Curve<'_>], shown: Shown) -> Curves {
    let unit = |column: &str| curves.iter().map(|curve| curve.table.unit(column)).find(|unit| !unit.is_empty());
    let time_unit = || unit("time").unwrap_or_default();
    let axis = |quantity: String, column: &str, values: &[&[(f64, f64)]]| {
        let unit = unit(column).unwrap_or_default();
        match shown {
            Shown::Values if has_a_peak(values) => Axis::log(quantity, unit),
            Shown::Values => Axis::linear(quantity, unit),
            Shown::Rates if unit.is_empty() => Axis::linear(quantity, format!("1/{}", time_unit())),
            Shown::Rates => Axis::linear(quantity, format!("{unit}/{}", time_unit())),
        }
    };
    let time = || Axis::linear("time", time_unit());
    let asked = |curve: &Curve<'_>, column: &str| {
        let points = curve.asked.get(column)?.iter().copied();
        Some(points.filter(|(time, _)| time.is_nan() || curve.span.has(*time)).collect::<Vec<_>>())
    };
    let said =
        |column: &str, values: &[(&str, f64)]| said(&in_words(column), &unit(column).unwrap_or_default(), values);
    if let [curve] = curves {
        let found = columns.iter().filter_map(|column| Some((column, points(curve, column, shown)?)));
        let found = found.filter(|(column, points)| !is_zero(points) || curve.asked.contains_key(*column));
        let found = found.collect::<Vec<_>>();
        let Some((first, _)) = found.first() else { return Curves::default() };
        let constant = found.iter().map(|(column, points)| {
            let value = constant(points).filter(|_| shown == Shown::Values && !curve.asked.contains_key(*column))?;
            Some(said(column, &[("", value)]))
        });
        if let Some(constant) = constant.collect::<Option<Vec<_>>>() {
            return Curves { plots: Vec::new(), constant };
        }
        let is_alone = found.len() == 1;
        let of_column = is_alone && shown == Shown::Values;
        let quantity = if of_column { in_words(first) } else { in_words(title_of_axis(title)) };
        let values: Vec<&[(f64, f64)]> = found.iter().map(|(_, points)| &points[..]).collect();
        let mut plot = Plot::new("", title, time(), axis(quantity, first, &values));
        for (column, points) in &found {
            let asked = asked(curve, column);
            let name = if is_alone && asked.is_none() { String::new() } else { in_words(column) };
            let position = plot.series.len();
            plot = plot.series(Series::line(name, points.iter().copied()).plain());
            if let Some(asked) = asked {
                plot = plot.series(Series::line(asked_in_words(column), asked).plain().beside(position));
            }
        }
        return Curves { plots: vec![plot], constant: Vec::new() };
    }
    let mut all = Curves::default();
    for column in columns {
        let found = curves.iter().filter_map(|curve| Some((curve, points(curve, column, shown)?))).collect::<Vec<_>>();
        if found.iter().all(|(curve, points)| is_zero(points) && !curve.asked.contains_key(column)) {
            continue;
        }
        let values = found.iter().map(|(curve, points)| {
            let value = constant(points).filter(|_| shown == Shown::Values && !curve.asked.contains_key(column))?;
            Some((curve.run, value))
        });
        if let Some(values) = values.collect::<Option<Vec<_>>>() {
            all.constant.push(said(column, &values));
            continue;
        }
        let what = in_words(column);
        // The first words say enough beside the name of the column.
        let group = title.split(',').next().unwrap_or(title);
        let title = if columns.len() == 1 { title.to_owned() } else { format!("{group}: {what}") };
        let quantity = if shown == Shown::Rates { title_of_axis(&title).to_owned() } else { what.clone() };
        let values: Vec<&[(f64, f64)]> = found.iter().map(|(_, points)| &points[..]).collect();
        let mut plot = Plot::new("", title, time(), axis(quantity, column, &values));
        for (curve, points) in found {
            let position = plot.series.len();
            plot = plot.series(Series::line(curve.run, points).plain());
            if let Some(asked) = asked(curve, column) {
                let name = format!("{}: {}", curve.run, asked_in_words(column));
                plot = plot.series(Series::line(name, asked).plain().beside(position));
            }
        }
        all.plots.push(plot);
    }
    all
}

/// How many times as large as the median a value must be for a logarithmic axis: with twice as much the rest of a curve
/// would have some ten pixels of a linear one, and with half as much it is still seen there.
const PEAK: f64 = 30.0;
/// Smallest number of points from which a peak is told from the rest.
const FEWEST: usize = 20;

/// Returns whether curves have only positive numbers and zeros, most of them far below the largest: such as the kinetic
/// energy of grains that fall first. On a linear axis all the rest would be a line along the time axis.
fn has_a_peak(curves: &[&[(f64, f64)]]) -> bool {
    let finite = curves.iter().copied().flatten().map(|(_, value)| *value).filter(|value| value.is_finite());
    let mut values: Vec<f64> = finite.filter(|value| *value != 0.0).collect();
    values.sort_by(f64::total_cmp);
    match values[..] {
        [least, .., largest] if least > 0.0 && values.len() >= FEWEST => largest > PEAK * values[values.len() / 2],
        _ => false,
    }
}

/// Returns the number of all points of a curve, if there is only one.
fn constant(points: &[(f64, f64)]) -> Option<f64> {
    let mut values = points.iter().map(|(_, value)| *value).filter(|value| !value.is_nan());
    let first = values.next()?;
    values.all(|value| value.to_bits() == first.to_bits()).then_some(first)
}

/// Returns a constant quantity in words, such as `bodies 400`, with the names of runs that differ in it.
fn said(quantity: &str, unit: &str, values: &[(&str, f64)]) -> String {
    let number = |value: f64| format!("{} {unit}", number::short(value, 6)).trim_end().to_owned();
    match values {
        [(_, first), rest @ ..] if rest.iter().all(|(_, value)| value.to_bits() == first.to_bits()) => {
            format!("{quantity} {}", number(*first))
        }
        _ => {
            let of_run = |(run, value): &(&str, f64)| format!("{} ({run})", number(*value));
            format!("{quantity} {}", values.iter().map(of_run).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns whether all numbers of a curve are zero.
fn is_zero(points: &[(f64, f64)]) -> bool {
    points.iter().all(|(_, value)| *value == 0.0 || value.is_nan())
}

/// Returns the label of the vertical axis of a plot with this title: the words after a name with a colon, and before a
/// comma or `about`, since a long label would not fit beside the plot.
fn title_of_axis(title: &str) -> &str {
    let what = title.split_once(": ").map_or(title, |(_, what)| what);
    let what = what.split(',').next().unwrap_or(what);
    what.split(" about ").next().unwrap_or(what)
}
