//! Stored form of a limit that may be infinite: `None` stands for infinity, which some formats cannot hold.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Returns infinity, the limit of a stored record without this field.
pub(crate) fn infinite() -> f64 {
    f64::INFINITY
}

/// Serialises a limit, an infinite one as `None`.
pub(crate) fn serialize<S: Serializer>(limit: &f64, to: S) -> Result<S::Ok, S::Error> {
    limit.is_finite().then_some(*limit).serialize(to)
}

/// Deserialises a limit, which is infinite where `None` was stored.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
}
