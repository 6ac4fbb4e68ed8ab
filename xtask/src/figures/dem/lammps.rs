//! Runs of LAMMPS, version 22Jul2025, thinned; the law is `gran/hooke`, units are d = m = g = 1.
use anyhow::{Context as _, Result};
use csv::Reader;

/// `[DK21] Fig. 6-8`: energies of the right sphere during the impact.
pub(super) const IMPACT: &str = include_str!("../../../data/dk21/impact.csv");
/// Energies of impacts with `γ_n` = 600, where the normal force may become attractive and where it is cut off
/// (`limit_damping`).
pub(super) const IMPACT_HEAVY: &str = include_str!("../../../data/dk21/impact_heavy.csv");
/// Energies after impacts whose first touch is at different fractions of a step.
pub(super) const IMPACT_PHASES: &str = include_str!("../../../../crates/dem-contact/tests/data/impact_phase_sweep.csv");
/// `[DK21] Fig. 9`: the total energy in the last six of 250 collisions.
pub(super) const WALLS: &str = include_str!("../../../data/dk21/walls.csv");
/// Error of the kinetic energy that LAMMPS makes after each of 250 collisions of the sphere of `[DK21] Fig. 9`.
pub(super) const WALLS_FREE: &str = include_str!("../../../data/dk21/walls_free.csv");
/// `[DK21] Fig. 10`: a bonded pair hit by a third sphere.
pub(super) const BONDED: &str = include_str!("../../../data/dk21/bonded.csv");
/// `[DK21] Fig. 11`: 218 spheres settle in a box.
pub(super) const BOX_FILL: &str = include_str!("../../../data/dk21/boxfill.csv");
/// Centres of 4000 spheres that settled under gravity on a floor at z = 0, periodic with 15 d in x and y.
pub(super) const BED: &str = include_str!("../../../data/dk21/bed.csv");
/// Version of LAMMPS that the figures name.
pub(super) const VERSION: &str = "22Jul2025";

/// Table of numbers with named columns.
#[derive(Clone, Debug)]
pub(super) struct Data {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Data {
    /// Reads CSV; text becomes NaN.
    ///
    /// # Errors
    /// Rows of unequal length.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader::from_reader(text.as_bytes());
        let names = reader.headers()?.iter().map(Into::into).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            rows.push(record?.iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect());
        }
        Ok(Self { names, rows })
    }

    fn place(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|other| other == name).with_context(|| format!("no column {name:?} in LAMMPS' data"))
    }

    /// Keeps the rows with this value in this column.
    pub(super) fn only(mut self, name: &str, value: f64) -> Result<Self> {
        let place = self.place(name)?;
        self.rows.retain(|row| (row[place] - value).abs() < 1e-9);
        Ok(self)
    }

    pub(super) fn column(&self, name: &str) -> Result<Vec<f64>> {
        let place = self.place(name)?;
        Ok(self.rows.iter().map(|row| row[place]).collect())
    }

    pub(super) fn pairs(&self, x: &str, y: &str) -> Result<Vec<(f64, f64)>> {
        Ok(self.column(x)?.into_iter().zip(self.column(y)?).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_chosen_by_a_value_and_read_by_name() {
        let data = Data::parse("a,word,b\n1,x,2\n3,y,4\n1,z,5\n").unwrap().only("a", 1.0).unwrap();
        assert_eq!(data.pairs("a", "b").unwrap(), [(1.0, 2.0), (1.0, 5.0)]);
        assert!(data.column("word").unwrap().iter().all(|value| value.is_nan()));
        assert!(data.column("c").is_err());
    }

    #[test]
    fn every_file_has_rows_and_no_words_but_names() {
        for text in [IMPACT, IMPACT_HEAVY, WALLS, WALLS_FREE, BONDED, BOX_FILL] {
            let data = Data::parse(text).unwrap();
            assert!(data.rows.len() > 100);
            assert!(data.rows.iter().all(|row| row.len() == data.names.len() && row.iter().all(|v| v.is_finite())));
        }
    }
}
