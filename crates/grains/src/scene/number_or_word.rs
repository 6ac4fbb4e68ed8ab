//! Numbers in whose place one word may stand.

use std::fmt;

use serde::de::{Error, Visitor};

/// Implements reading, writing and the schema of an enum of two variants: a word, and a number in the second one.
macro_rules! number_or_word {
    ($choice:ident: $alone:ident = $word:literal, $fixed:ident; $about:literal, $of_number:literal, $of_word:literal) => {
        impl serde::Serialize for $choice {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self {
                    Self::$alone => to.serialize_str($word),
                    Self::$fixed(number) => to.serialize_f64(*number),
                }
            }
        }

        impl schemars::JsonSchema for $choice {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($choice).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "description": $about, "oneOf": [
                    { "type": "number", "description": $of_number },
                    { "const": $word, "description": $of_word },
                ] })
            }
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let number = from.deserialize_any($crate::scene::number_or_word::Reader(&[$word]))?;
                Ok(number.map_or(Self::$alone, Self::$fixed))
            }
        }
    };
}

pub(super) use number_or_word;

/// Reads a number, or none for the only word that may stand in its place.
pub(super) struct Reader(pub(super) &'static [&'static str; 1]);

impl Visitor<'_> for Reader {
    type Value = Option<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number or {:?}", self.0[0])
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<f64>, E> {
        Ok(Some(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<f64>, E> {
        Ok(Some(number as f64))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Option<f64>, E> {
        match word {
            _ if word == self.0[0] => Ok(None),
            _ if word.parse::<f64>().is_ok() => {
                Err(E::custom(format!("must be a number without quotation marks, or {:?}", self.0[0])))
            }
            _ => Err(E::unknown_variant(word, self.0)),
        }
    }
}
