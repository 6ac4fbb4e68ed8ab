//! `[time]`: how long a scene runs, and in which steps.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How long a scene runs, and in which steps.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Timing {
    /// Time step in s, or `"auto"`.
    #[serde(default)]
    #[schemars(extend("unit" = "s", "toml" = r#""auto""#))]
    pub dt: TimeStep,
    /// Duration of the run in s; a scene with stages has none of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "s", "toml" = "2.0"))]
    pub duration: Option<f64>,
    /// Duration of a quick run in s; a twentieth of `duration` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "s", "toml" = "0.1"))]
    pub quick: Option<f64>,
}

/// A time step: a number, or `"auto"`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TimeStep {
    /// The recommended step, from the laws, the bodies, their speeds and driven walls.
    #[default]
    Auto,
    /// A given time step in s.
    Fixed(f64),
}

impl Serialize for TimeStep {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => to.serialize_str("auto"),
            Self::Fixed(dt) => to.serialize_f64(*dt),
        }
    }
}

impl JsonSchema for TimeStep {
    fn schema_name() -> Cow<'static, str> {
        "TimeStep".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A time step: a number, or `\"auto\"`.", "oneOf": [
            { "type": "number", "description": "The length of each step in s." },
            { "const": "auto", "description": "The recommended step, from the laws, the bodies, their speeds and driven walls." },
        ] })
    }
}

impl<'de> Deserialize<'de> for TimeStep {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = TimeStep;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or \"auto\"")
    }

    fn visit_f64<E: Error>(self, dt: f64) -> Result<TimeStep, E> {
        Ok(TimeStep::Fixed(dt))
    }

    fn visit_i64<E: Error>(self, dt: i64) -> Result<TimeStep, E> {
        Ok(TimeStep::Fixed(dt as f64))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<TimeStep, E> {
        match word {
            "auto" => Ok(TimeStep::Auto),
            _ if word.parse::<f64>().is_ok() => Err(E::custom("must be a number without quotation marks, or \"auto\"")),
            _ => Err(E::unknown_variant(word, &["auto"])),
        }
    }
}
