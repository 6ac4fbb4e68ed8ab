//! Plots of columns of results.

use std::path::{Path, PathBuf};

use grains_pages::number;
use grains_pages::plot::{Axis, Plot, Series};

use crate::error::{GrainsError, Location};
use crate::output::names;
use crate::results::Results;
use crate::results::table::{Span, Table, in_words};
use crate::show::{differences, write_file};

/// Largest number of characters of an axis label that names several columns; a longer label is replaced by `value`.
const LONGEST_LABEL: usize = 40;

/// Width in characters of the names in a list of columns.
const WIDTH: usize = 28;

/// Request for a plot of columns of one or several runs.
#[derive(Debug, Clone, Default)]
pub struct PlotRequest {
    /// Folders of results whose columns are drawn on the same axes.
    pub runs: Vec<PathBuf>,
    /// Columns along the vertical axis: of `series.csv`, or as `NAME:COLUMN` of the file `NAME.csv` of the run or, if
    /// there is none, of the measurement `NAME`. So `measure-NAME:COLUMN` is always that of a measurement.
    pub columns: Vec<String>,
    /// Column along the horizontal axis, of the table of each plotted column; the time if none is given, and for fields
    /// on a grid the first direction with several cells.
    pub against: Option<String>,
    /// Time in s of the rows that are drawn of a table with several rows for each time; the last time if none is given.
    pub at: Option<f64>,
    /// Time in s before which nothing is drawn; the start if none is given.
    pub from: Option<f64>,
    /// Time in s after which nothing is drawn; the end if none is given.
    pub until: Option<f64>,
    /// Whether the horizontal axis is logarithmic.
    pub log_x: bool,
    /// Whether the vertical axis is logarithmic.
    pub log_y: bool,
}

/// Makes a plot of columns of results. A plot of the load on a wall or a box over time also shows the load that its
/// servo was asked to apply.
///
/// # Errors
/// [`GrainsError::NoResults`], [`GrainsError::UnknownColumn`], [`GrainsError::NothingInside`], and errors of reading a
/// table.
pub fn plot(request: &PlotRequest) -> Result<Plot, GrainsError> {
    let PlotRequest { runs, columns, against, at, from, until, log_x, log_y } = request;
    let span = Span { from: *from, until: *until };
    let mut series = Vec::new();
    let mut horizontal: Vec<Labelled> = Vec::new();
    let mut vertical: Vec<Labelled> = Vec::new();
    let mut moment = String::new();
    let opened = runs.iter().map(|run| Results::open(run)).collect::<Result<Vec<_>, _>>()?;
    for (results, run) in opened.iter().zip(differences::names(&opened)) {
        for wanted in columns {
            let (file, column) = file_and_column(wanted, results);
            let table = results.table(&file)?;
            let x = against.clone().unwrap_or_else(|| table.usual_abscissa().to_owned());
            let mut rows = table.rows_at(*at);
            if let Some(times) = table.get("time") {
                rows.retain(|&row| span.has(times[row]));
                if rows.is_empty()
                    && let (Some(&first), Some(&last)) = (times.first(), times.last())
                {
                    return Err(GrainsError::NothingInside { path: results.folder.join(&file), times: [first, last] });
                }
            }
            if let (false, Some(times), Some(&row)) = (table.has_one_row_a_time(), table.get("time"), rows.first()) {
                moment = format!(", at {} {}", number::short(times[row], 4), results.units.time);
            }
            let abscissae = table.column(&x)?;
            let ordinates = table.column(column)?;
            let points = rows.iter().map(|&row| (abscissae[row], ordinates[row])).collect::<Vec<_>>();
            horizontal.push(Labelled::of(&table, &x));
            vertical.push(Labelled::of(&table, column));
            series.push((run.clone(), in_words(wanted), points, None));
            let of_servo =
                (file == names::SERIES && x == "time").then(|| results.asked(&table).remove(column)).flatten();
            if let Some(mut points) = of_servo {
                points.retain(|(time, _)| time.is_nan() || span.has(*time));
                vertical.push(Labelled::of(&table, column));
                let beside = series.len() - 1;
                series.push((run.clone(), asked_in_words(column), points, Some(beside)));
            }
        }
    }
    let mut title = columns.iter().map(|column| in_words(column)).collect::<Vec<_>>().join(", ");
    title.push_str(&moment);
    if let [run] = &opened[..] {
        title = format!("{}: {title}", run.name());
    }
    let axis = |labels: &[Labelled], is_log: bool| {
        let Labelled { quantity, unit } = shared(labels);
        if is_log { Axis::log(quantity, unit) } else { Axis::linear(quantity, unit) }
    };
    let plot = Plot::new("plot", title, axis(&horizontal, *log_x), axis(&vertical, *log_y));
    let units = vertical.iter().map(|label| &label.unit[..]).collect::<Vec<_>>();
    let has_one_unit = units.windows(2).all(|pair| pair[0] == pair[1]);
    let is_alone = series.len() == runs.len();
    Ok(series.into_iter().zip(units).fold(plot, |plot, ((run, column, points, beside), unit)| {
        let unit = if has_one_unit || unit.is_empty() { String::new() } else { format!(" [{unit}]") };
        let name = match (runs.len() > 1, !is_alone) {
            (true, true) => format!("{run}: {column}{unit}"),
            (true, false) => format!("{run}{unit}"),
            (false, true) => format!("{column}{unit}"),
            (false, false) => String::new(),
        };
        let series = Series::line(name, points).plain();
        plot.series(if let Some(beside) = beside { series.beside(beside) } else { series })
    }))
}

/// Writes a plot of columns of results to a file, `.svg` or `.png`.
///
/// # Errors
/// Those of [`plot`], [`GrainsError::UnknownFormat`], [`GrainsError::Exists`], [`GrainsError::Io`].
pub(crate) fn write_plot(request: &PlotRequest, to: &Path, overwrite: bool) -> Result<(), GrainsError> {
    let plot = plot(request)?;
    let bytes = match to.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => plot.svg()?.into_bytes(),
        Some("png") => plot.png()?,
        _ => {
            let at = Location::of("output");
            return Err(GrainsError::UnknownFormat { at, path: to.to_owned(), known: ".svg and .png" });
        }
    };
    write_file(to, overwrite, &bytes)
}

/// Returns the columns of all tables of a run that [`plot`] takes, with their units, one line each.
///
/// # Errors
/// [`GrainsError::NoResults`], and errors of reading a table.
pub(crate) fn columns(run: &Path) -> Result<String, GrainsError> {
    let results = Results::open(run)?;
    let others = [names::CONTACTS, names::PASSED].into_iter().filter(|name| results.has(name)).map(str::to_owned);
    let mut lines = Vec::new();
    for file in results.tables()?.into_iter().chain(others) {
        let table = results.table(&file)?;
        let stem = file.trim_end_matches(".csv");
        let begin = if file == names::SERIES { String::new() } else { format!("{stem}:") };
        lines.push(format!("# {file}"));
        for column in &table.columns {
            let name = format!("{begin}{column}");
            let is_empty = table.get(column).is_some_and(|values| values.iter().all(|value| value.is_nan()));
            let remark = if is_empty && column != "gate" { "(no numbers)".to_owned() } else { table.unit(column) };
            lines.push(format!("{name:<WIDTH$}{remark}").trim_end().to_owned());
        }
        lines.push(String::new());
    }
    lines.push(format!("plot some of them with: grains plot {} COLUMN...", run.display()));
    lines.push("what they are: grains schema --columns".to_owned());
    Ok(lines.join("\n"))
}

/// Name and unit of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Labelled {
    quantity: String,
    unit: String,
}

impl Labelled {
    fn of(table: &Table, column: &str) -> Self {
        Self { quantity: in_words(column), unit: table.unit(column) }
    }
}

/// Returns the label of an axis for several columns: their names, or `value` if these are too long, and the unit if all
/// columns have the same.
fn shared(labels: &[Labelled]) -> Labelled {
    let Some(first) = labels.first() else { return Labelled { quantity: String::new(), unit: String::new() } };
    let mut names: Vec<&str> = labels.iter().map(|label| &label.quantity[..]).collect();
    names.dedup();
    let all = names.join(", ");
    let has_one_unit = labels.iter().all(|label| label.unit == first.unit);
    let unit = if has_one_unit { first.unit.clone() } else { String::new() };
    let length = all.chars().count() + unit.chars().count();
    let quantity = if names.len() == 1 || length <= LONGEST_LABEL { &all[..] } else { "value" };
    Labelled { quantity: quantity.to_owned(), unit }
}

/// Returns the file and the name of a column that is given as `NAME:COLUMN` or as `COLUMN`.
fn file_and_column<'a>(wanted: &'a str, results: &Results) -> (String, &'a str) {
    let Some((name, column)) = wanted.split_once(':') else { return (names::SERIES.to_owned(), wanted) };
    let file = format!("{name}.csv");
    let is_measure = results.has(&names::measure(name)) && !results.has(&file);
    (if names::is_result(&file) && !is_measure { file } else { names::measure(name) }, column)
}

/// Returns the legend text for the force or stress that a servo was asked to apply, given the name of the `column` with
/// the measured force or stress.
pub(super) fn asked_in_words(column: &str) -> String {
    format!("{}, asked of the servo", in_words(column))
}
