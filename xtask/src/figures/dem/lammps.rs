//! Results of simulations by LAMMPS, version 22Jul2025, with some of the samples left out. The contact law is
//! `gran/hooke`; the units are d = m = g = 1.
use anyhow::{Context as _, Result};
use csv::Reader;

/// CSV data of LAMMPS for `[DK21]` Figs. 6-8: energies of the right one of two spheres during their impact.
pub(super) const IMPACT: &str = include_str!("../../../data/dk21/impact.csv");
/// CSV data of LAMMPS: energies of the right one of two spheres during impacts with a large damping rate, `γ_n` = 600.
/// The normal force may become attractive, or is cut off at zero (option `limit_damping`).
pub(super) const IMPACT_HEAVY: &str = include_str!("../../../data/dk21/impact_heavy.csv");
/// CSV data of LAMMPS: final energies after impacts of two spheres that first touch at different fractions of a time
/// step.
pub(super) const IMPACT_PHASES: &str = include_str!("../../../../crates/dem-contact/tests/data/impact_phase_sweep.csv");
/// CSV data of LAMMPS for `[DK21]` Fig. 9: total energy of a sphere between two walls in the last six of 250
/// collisions.
pub(super) const WALLS: &str = include_str!("../../../data/dk21/walls.csv");
/// Error of the kinetic energy that LAMMPS makes after each of 250 collisions of the sphere of `[DK21] Fig. 9`.
pub(super) const WALLS_FREE: &str = include_str!("../../../data/dk21/walls_free.csv");
/// CSV data of LAMMPS for `[DK21]` Fig. 10: positions and forces of a bonded pair that is hit by a third sphere.
pub(super) const BONDED: &str = include_str!("../../../data/dk21/bonded.csv");
/// CSV data of LAMMPS for `[DK21]` Fig. 11: kinetic energy and velocity spread of 218 spheres that settle in a box.
pub(super) const BOX_FILL: &str = include_str!("../../../data/dk21/boxfill.csv");
/// CSV data of LAMMPS: centres in d of 4000 spheres that settled under gravity on a floor at z = 0, in a domain that is
/// periodic with 15 d in x and y.
pub(super) const BED: &str = include_str!("../../../data/dk21/bed.csv");
/// Version of LAMMPS that computed the data, as named in the parameters of the figures.
pub(super) const VERSION: &str = "22Jul2025";

/// Table of numbers with named columns, read from CSV.
#[derive(Clone, Debug)]
pub(in crate::figures) struct Data {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Data {
    /// Reads a table from CSV; cells that are no numbers become NaN.
    ///
    /// # Errors
    /// Rows of unequal length.
    pub(in crate::figures) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader::from_reader(text.as_bytes());
        let names = reader.headers()?.iter().map(Into::into).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            rows.push(record?.iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect());
        }
        Ok(Self { names, rows })
    }

    /// Returns the index of a column.
    fn place(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|other| other == name).with_context(|| format!("no column {name:?} in the data"))
    }

    /// Keeps only the rows with the value `value` in the column `name`.
    pub(super) fn only(mut self, name: &str, value: f64) -> Result<Self> {
        let place = self.place(name)?;
        self.rows.retain(|row| (row[place] - value).abs() < 1e-9);
        Ok(self)
    }

    pub(in crate::figures) fn column(&self, name: &str) -> Result<Vec<f64>> {
        let place = self.place(name)?;
        Ok(self.rows.iter().map(|row| row[place]).collect())
    }

    /// Returns the values of two columns as pairs.
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
