//! Checks of stored numbers when they are read back.

use serde::de::{Deserialize, Deserializer, Error};

use crate::error::parameter;

/// Deserialises a finite positive number.
pub(crate) fn positive<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    parameter::positive("a stored parameter", f64::deserialize(source)?).map_err(Error::custom)
}

/// Deserialises a finite number that is not negative.
pub(crate) fn not_negative<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    parameter::not_negative("a stored parameter", f64::deserialize(source)?).map_err(Error::custom)
}

/// Deserialises a number in [0, 1].
pub(crate) fn fraction<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    parameter::fraction("a stored parameter", f64::deserialize(source)?).map_err(Error::custom)
}

/// Stores and restores a value that several owners share by reference: each owner stores a copy of the value.
pub(crate) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(shared: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
        (**shared).serialize(to)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}
