//! Errors of values that cannot be deserialised, as data instead of text.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};

/// An error of the deserialiser in one value of a scene. The path of the deserialiser gives the value's key.
#[derive(Debug)]
pub(super) enum Fault {
    /// A table of the scene has an unknown key, or a value is an unknown word.
    UnknownName { found: String, known: &'static [&'static str] },
    /// A table of the scene lacks this required key.
    MissingKey(&'static str),
    /// A value of the scene has a wrong type or length, described in words.
    WrongType(String),
}

impl Fault {
    fn wrong_type(found: &str, expected: &dyn Expected) -> Self {
        Self::WrongType(format!("must be {}, but is {found}", plain(&expected.to_string())))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { found, .. } => write!(f, "unknown name {found}"),
            Self::MissingKey(key) => write!(f, "missing key {key}"),
            Self::WrongType(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::WrongType(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::wrong_type(&words(found), expected)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::wrong_type(&words(found), expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::wrong_type(&format!("of length {length}"), expected)
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Self {
        Self::UnknownName { found: found.to_owned(), known }
    }

    fn unknown_field(found: &str, known: &'static [&'static str]) -> Self {
        Self::UnknownName { found: found.to_owned(), known }
    }

    fn missing_field(key: &'static str) -> Self {
        Self::MissingKey(key)
    }
}

/// Describes a value of a wrong type without terms of Rust.
fn words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => format!("the number {value}"),
        Unexpected::Signed(value) => format!("the number {value}"),
        Unexpected::Float(value) => format!("the number {value}"),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        Unexpected::UnitVariant => "a word alone".to_owned(),
        other => other.to_string(),
    }
}

/// Describes an expected type without terms of Rust.
fn plain(expected: &str) -> String {
    let first = expected.split(' ').next().unwrap_or_default();
    match expected {
        "a boolean" | "bool" => "true or false".to_owned(),
        "f64" => "a number".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" | "newtype variant" | "struct variant" => "a table".to_owned(),
        "a sequence of 3 f64 values" => "a list of length 3".to_owned(),
        "a string" | "path string" => "text in quotation marks".to_owned(),
        "variant identifier" | "field identifier" => "a name".to_owned(),
        _ if first == "struct" => "a table".to_owned(),
        _ if first == "enum" => "a word in quotation marks, or a table of one key".to_owned(),
        _ => expected.replace("an array", "a list").replace("tuple of", "a list of"),
    }
}
