//! Names of tables of a scene, or their numbers.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A table in a list of the scene, such as a gate or a group of bodies, given by its name or by its number.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum NameOrNumber {
    /// Index of the table in its list of the scene, from zero.
    Number(usize),
    /// Name of the table: the value of its key `name`.
    Name(String),
}

impl<'de> Deserialize<'de> for NameOrNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = NameOrNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name in quotation marks, or its number, from zero")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<NameOrNumber, E> {
        let refused = |_| E::invalid_value(Unexpected::Signed(number), &self);
        usize::try_from(number).map(NameOrNumber::Number).map_err(refused)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<NameOrNumber, E> {
        Ok(NameOrNumber::Name(name.to_owned()))
    }
}
