//! Columns of values by which grains are coloured.

use std::collections::BTreeMap;

use serde_json::Value;

/// Largest number of different identifiers in a column that get labels of their own. The names of so many labels take
/// about 100 kB of the page.
const MOST: usize = 10_000;
/// Name of the label that all identifiers beyond the first [`MOST`] share.
const OTHERS: &str = "others";

/// Meaning of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Numbers on a continuous colour scale from the lowest to the highest.
    Number,
    /// Labels: each value is the index of a name in `names`, and each name has its own colour.
    Label {
        /// Names of the things that the labels 0, 1, 2, … of this column stand for.
        names: Vec<String>,
    },
    /// Whole numbers that distinguish things, such as fragments. Each number is a label of its own.
    Identifier,
}

/// A column: one value for each grain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name of the quantity.
    pub name: String,
    /// Unit of the quantity; empty for a pure number.
    pub unit: String,
    /// Meaning of the values: numbers, labels or identifiers.
    pub kind: Kind,
}

impl Column {
    /// Makes a column of numbers.
    #[must_use]
    pub fn number(name: &str, unit: &str) -> Self {
        Self { name: name.into(), unit: unit.into(), kind: Kind::Number }
    }

    /// Makes a column of labels with these names.
    #[must_use]
    pub fn label(name: &str, names: Vec<String>) -> Self {
        Self { name: name.into(), unit: String::new(), kind: Kind::Label { names } }
    }

    /// Makes a column of whole numbers that only distinguish things: 7 is another thing than 6, not more than 6.
    #[must_use]
    pub fn identifier(name: &str) -> Self {
        Self { name: name.into(), unit: String::new(), kind: Kind::Identifier }
    }

    /// Describes the column as JSON for the scripts: name, unit and names of labels. `known` has the labels of all
    /// identifiers that have appeared in frames.
    pub(super) fn described(&self, known: Option<&Identifiers>) -> Value {
        let names = match &self.kind {
            Kind::Number => None,
            Kind::Label { names } => Some(&names[..]),
            Kind::Identifier => Some(known.map_or(&[][..], Identifiers::names)),
        };
        serde_json::json!({ "name": self.name, "unit": self.unit, "names": names })
    }
}

/// Labels of the identifiers in a column: whole numbers that only distinguish things. Labels are numbered in the order
/// in which identifiers first appear, so that a thing keeps its colour, and the first things have different colours.
#[derive(Debug, Default)]
pub(super) struct Identifiers {
    places: BTreeMap<u64, usize>,
    names: Vec<String>,
}

impl Identifiers {
    /// Returns the number of the label of each identifier in `values`; values that are not finite are unchanged.
    pub(super) fn labels(&mut self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|value| if value.is_finite() { self.label(*value) as f64 } else { *value }).collect()
    }

    fn label(&mut self, value: f64) -> usize {
        if let Some(known) = self.places.get(&value.to_bits()) {
            return *known;
        }
        let place = self.names.len().min(MOST);
        if self.names.len() < MOST {
            self.names.push(value.to_string());
            self.places.insert(value.to_bits(), place);
        } else if self.names.len() == MOST {
            self.names.push(OTHERS.into());
        }
        place
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_keep_their_labels_and_those_beyond_the_most_share_one() {
        let mut known = Identifiers::default();
        assert_eq!(known.labels(&[70.0, 7.0, 70.0]), [0.0, 1.0, 0.0]);
        let second = known.labels(&[f64::NAN, 7.0, 12.0]);
        assert!(second[0].is_nan());
        assert_eq!(second[1..], [1.0, 2.0]);
        assert_eq!(known.names(), ["70", "7", "12"]);
        let many: Vec<f64> = (100..100 + MOST as u32).map(f64::from).collect();
        let labels = known.labels(&many);
        assert_eq!(labels[labels.len() - 4..], [MOST - 1, MOST, MOST, MOST].map(|place| place as f64));
        assert_eq!((known.names().len(), known.names()[MOST].as_str()), (MOST + 1, OTHERS));
        assert_eq!(known.labels(&[7.0, 1e9]), [1.0, MOST as f64]);
    }
}
