//! Tables of text and numbers in named columns, and their CSV files.
use anyhow::{Result, ensure};
use csv::{Terminator, WriterBuilder};

use grains_pages::plot::Plot;
use grains_pages::plot::label::labelled;

/// Cells of a column, which are all text or all numbers; a number may be missing.
#[derive(Clone, Debug)]
enum Column {
    Text(Vec<String>),
    Number(Vec<Option<f64>>),
}

/// Table of named columns of equal length, with one row per observation and one column per quantity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    columns: Vec<(String, Column)>,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn text(mut self, name: &str, cells: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.columns.push((name.into(), Column::Text(cells.into_iter().map(Into::into).collect())));
        self
    }

    /// Adds a column of numbers. `unit` becomes part of its header, and is empty for pure numbers.
    pub(crate) fn number(mut self, name: &str, unit: &str, cells: impl IntoIterator<Item = f64>) -> Self {
        let cells = cells.into_iter().map(Some).collect();
        self.columns.push((labelled(name, unit), Column::Number(cells)));
        self
    }

    /// Makes a table of the data of plots, with one row per point: id of the plot, name of the series, then one column
    /// for each distinct label of an axis. Cells of axes that a plot does not have are empty.
    pub(crate) fn of_plots(plots: &[Plot]) -> Self {
        let mut plot_ids = Vec::new();
        let mut names = Vec::new();
        let mut columns: Vec<(String, Vec<Option<f64>>)> = Vec::new();
        for plot in plots {
            let x_label = plot.x.label();
            let mut y_label = plot.y.label();
            if y_label == x_label {
                y_label.push_str(" (vertical)");
            }
            let x_at = column(&mut columns, x_label);
            let y_at = column(&mut columns, y_label);
            for series in &plot.series {
                for &(x, y) in &series.points {
                    plot_ids.push(plot.id.as_str());
                    names.push(series.name.as_str());
                    for (_, cells) in &mut columns {
                        cells.resize(plot_ids.len() - 1, None);
                    }
                    columns[x_at].1.push(Some(x));
                    columns[y_at].1.push(Some(y));
                }
            }
        }
        let rows = plot_ids.len();
        let mut table = Self::new().text("plot", plot_ids).text("series", names);
        for (name, mut cells) in columns {
            cells.resize(rows, None);
            table.columns.push((name, Column::Number(cells)));
        }
        table
    }

    /// Returns the table as CSV text, with quotes as in RFC 4180, line ends `\n`, and numbers that can be read back bit
    /// by bit.
    ///
    /// # Errors
    /// If the columns differ in length.
    pub(crate) fn csv(&self) -> Result<String> {
        let length = |column: &Column| match column {
            Column::Text(cells) => cells.len(),
            Column::Number(cells) => cells.len(),
        };
        let rows = self.columns.first().map_or(0, |(_, column)| length(column));
        for (name, column) in &self.columns {
            let found = length(column);
            ensure!(found == rows, "table column {name:?} has {found} cells, the first one has {rows}");
        }
        let mut out = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
        out.write_record(self.columns.iter().map(|(name, _)| name))?;
        for row in 0..rows {
            for (_, column) in &self.columns {
                match column {
                    Column::Text(cells) => out.write_field(&cells[row])?,
                    // Debug prints the shortest text that reads back as the same number, with an exponent if that is
                    // shorter.
                    Column::Number(cells) => {
                        out.write_field(cells[row].map(|number| format!("{number:?}")).unwrap_or_default())?;
                    }
                }
            }
            out.write_record(None::<&[u8]>)?;
        }
        Ok(String::from_utf8(out.into_inner()?)?)
    }
}

/// Returns the index of the column `name`, which is added if it is missing.
fn column(columns: &mut Vec<(String, Vec<Option<f64>>)>, name: String) -> usize {
    columns.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
        columns.push((name, Vec::new()));
        columns.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grains_pages::plot::Series;

    #[test]
    fn quotes_only_where_needed_and_keeps_every_bit() {
        let table = Table::new().text("a,b", ["plain", "say \"x\"", "two\nlines"]).number(
            "t",
            "s",
            [0.1 + 0.2, 1e-300, f64::NAN],
        );
        let csv = table.csv().unwrap();
        assert_eq!(csv, "\"a,b\",t [s]\nplain,0.30000000000000004\n\"say \"\"x\"\"\",1e-300\n\"two\nlines\",NaN\n");
    }

    #[test]
    fn unequal_columns_are_an_error_with_numbers() {
        let message = Table::new().number("x", "", [1.0, 2.0]).number("y", "", [1.0]).csv().unwrap_err().to_string();
        assert!(message.contains("1 cells") && message.contains('2'), "{message}");
    }

    #[test]
    fn plots_share_columns_by_axis() {
        let plot = |id, y| Plot::linear(id, "", ("t", "s"), (y, "J"));
        let plots = [
            plot("p", "E").series(Series::line("one", [(0.0, 5.0)])),
            plot("q", "W").series(Series::line("two", [(1.0, 6.0)])),
        ];
        assert_eq!(
            Table::of_plots(&plots).csv().unwrap(),
            "plot,series,t [s],E [J],W [J]\np,one,0.0,5.0,\nq,two,1.0,,6.0\n"
        );
        assert_eq!(Table::of_plots(&[]).csv().unwrap(), "plot,series\n");
    }
}
