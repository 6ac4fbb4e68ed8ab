//! Columns by which grains are coloured.

use serde_json::Value;

/// Meaning of the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Numbers, coloured from the lowest to the highest.
    Number,
    /// Labels: a value is the place of its name in this list, and each name has a colour of its own.
    Label {
        /// Names of the labels.
        names: Vec<String>,
    },
}

/// A value of each grain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name of the quantity.
    pub name: String,
    /// Unit of the quantity; empty if it has none.
    pub unit: String,
    /// Numbers or labels.
    pub kind: Kind,
}

impl Column {
    /// Makes a column of numbers.
    #[must_use]
    pub fn number(name: &str, unit: &str) -> Self {
        Self { name: name.into(), unit: unit.into(), kind: Kind::Number }
    }

    /// Makes a column of labels, of which the list `names` has the names.
    #[must_use]
    pub fn label(name: &str, names: Vec<String>) -> Self {
        Self { name: name.into(), unit: String::new(), kind: Kind::Label { names } }
    }

    pub(super) fn described(&self) -> Value {
        let names = match &self.kind {
            Kind::Number => None,
            Kind::Label { names } => Some(names),
        };
        serde_json::json!({ "name": self.name, "unit": self.unit, "names": names })
    }
}
