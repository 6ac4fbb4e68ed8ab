//! Tables that runs write.

use std::fs;
use std::path::Path;

use crate::support::whole;

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) names: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn read(path: impl AsRef<Path>) -> Self {
        Self::of(&fs::read_to_string(path).unwrap())
    }

    pub(crate) fn of(text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        Self { names: lines.next().unwrap(), rows: lines.collect() }
    }

    /// Runs a scene in memory and reads its time series.
    pub(crate) fn of_series(text: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        whole(text, home.path());
        Self::read(home.path().join("series.csv"))
    }

    #[track_caller]
    pub(crate) fn value(&self, row: &[String], name: &str) -> f64 {
        let at = self.names.iter().position(|known| known == name);
        row[at.unwrap_or_else(|| panic!("there is no column {name}"))].parse().unwrap_or(f64::NAN)
    }

    /// Returns all numbers of a column, NaN for empty fields.
    #[track_caller]
    pub(crate) fn column(&self, name: &str) -> Vec<f64> {
        self.rows.iter().map(|row| self.value(row, name)).collect()
    }

    #[track_caller]
    pub(crate) fn last(&self, name: &str) -> f64 {
        self.value(self.rows.last().unwrap(), name)
    }
}
