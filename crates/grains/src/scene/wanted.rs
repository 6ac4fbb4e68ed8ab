//! A wanted value of a servo: a number, or a table over time.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A load that a servo should hold: one value, or a table of values for a load that grows or falls.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Wanted {
    /// One load that is held throughout.
    #[schemars(extend("toml" = "1e4"))]
    Constant(f64),
    /// Rows of a time in s since the motion began, ascending from zero in the first row, and a load: linear between
    /// rows; the last load stays.
    #[schemars(extend("unit" = "s, as the key", "toml" = "[[0.0, 1e3], [0.5, 1e4]]"))]
    Table(Vec<[f64; 2]>),
}

impl Wanted {
    /// Lists all loads, each with the part of its key after the key of the servo.
    pub(crate) fn values(&self) -> Vec<(String, f64)> {
        match self {
            Self::Constant(value) => vec![(String::new(), *value)],
            Self::Table(rows) => rows.iter().enumerate().map(|(k, row)| (format!("[{k}][1]"), row[1])).collect(),
        }
    }

    /// Multiplies all loads by a factor.
    pub(crate) fn times(&self, factor: f64) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(value * factor),
            Self::Table(rows) => Self::Table(rows.iter().map(|&[time, value]| [time, value * factor]).collect()),
        }
    }
}

impl<'de> Deserialize<'de> for Wanted {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Wanted;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or rows of a time and a number such as [[0.0, 1e3], [0.5, 1e4]]")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Wanted, E> {
        Ok(Wanted::Constant(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Wanted, E> {
        Ok(Wanted::Constant(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Wanted, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(rows)).map(Wanted::Table)
    }
}
