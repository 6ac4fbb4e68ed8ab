//! Checks of single values of a scene. Each check returns the value, or an error with its key.

use rrp_geom::glam::DVec3;
use serde::Serialize;
use serde_json::Value;

use crate::error::{GrainsError, Location};

pub(crate) fn vector(key: impl Into<String>, value: [f64; 3]) -> Result<DVec3, GrainsError> {
    match value.iter().find(|component| !component.is_finite()) {
        None => Ok(DVec3::from_array(value)),
        Some(&value) => Err(GrainsError::out_of_range(key, "finite", value)),
    }
}

pub(crate) fn finite(key: impl Into<String>, value: f64) -> Result<f64, GrainsError> {
    if value.is_finite() { Ok(value) } else { Err(GrainsError::out_of_range(key, "finite", value)) }
}

pub(crate) fn direction(key: impl Into<String>, value: [f64; 3]) -> Result<DVec3, GrainsError> {
    let key = key.into();
    let found = vector(key.as_str(), value)?;
    if found.length() > 0.0 && found.length().is_finite() {
        return Ok(found);
    }
    Err(GrainsError::conflict(key, "must be a vector with a direction"))
}

pub(crate) fn positive(key: impl Into<String>, value: f64) -> Result<f64, GrainsError> {
    let is_valid = value.is_finite() && value > 0.0;
    if is_valid { Ok(value) } else { Err(GrainsError::out_of_range(key, "finite and positive", value)) }
}

pub(crate) fn not_negative(key: impl Into<String>, value: f64) -> Result<f64, GrainsError> {
    let is_valid = value.is_finite() && value >= 0.0;
    if is_valid { Ok(value) } else { Err(GrainsError::out_of_range(key, "finite and not negative", value)) }
}

/// Checks that the number at `key` is finite and above `low`, the value of the key `low` of the same table.
pub(crate) fn above(key: impl Into<String>, value: f64, low: f64) -> Result<f64, GrainsError> {
    let is_valid = value.is_finite() && value > low;
    if is_valid { Ok(value) } else { Err(GrainsError::out_of_range(key, "finite and above `low`", value)) }
}

/// Checks that the corners `low` and `high` of a box, keys of the table `key`, are finite and in order.
pub(crate) fn corners(key: &str, low: [f64; 3], high: [f64; 3]) -> Result<[DVec3; 2], GrainsError> {
    let low = vector(format!("{key}.low"), low)?;
    (0..3).try_for_each(|c| above(format!("{key}.high"), high[c], low[c]).map(drop))?;
    Ok([low, DVec3::from_array(high)])
}

/// Returns the number of the material `name` among `names`.
///
/// # Errors
/// [`GrainsError::UndefinedName`], with the nearest name.
pub(crate) fn material_number(names: &[String], name: &str, key: &str) -> Result<u16, GrainsError> {
    let number = names.iter().position(|known| known == name).and_then(|number| u16::try_from(number).ok());
    number.ok_or_else(|| undefined(name, names.to_vec(), key))
}

/// Returns the index of `name`, the value of `key`, among the known names.
///
/// # Errors
/// [`GrainsError::UndefinedName`], with the nearest name.
pub(crate) fn named<'a>(
    known: impl IntoIterator<Item = &'a Option<String>> + Clone,
    name: &str,
    key: &str,
) -> Result<usize, GrainsError> {
    let found = known.clone().into_iter().position(|known| known.as_deref() == Some(name));
    found.ok_or_else(|| undefined(name, known.into_iter().flatten().cloned().collect(), key))
}

/// Makes the error for the name `found`, the value of `key`, which is not among the `known` names.
pub(crate) fn undefined(found: &str, known: Vec<String>, key: &str) -> GrainsError {
    let nearest = nearest_name(found, &known);
    GrainsError::UndefinedName { at: Location::of(key), found: found.into(), nearest, known: known.into() }
}

/// Returns the word for the variant of an enum in a scene, such as `hooke`.
pub(crate) fn word_of(choice: &impl Serialize) -> String {
    match serde_json::to_value(choice) {
        Ok(Value::String(word)) => word,
        Ok(Value::Object(table)) => table.into_iter().map(|(word, _)| word).collect(),
        _ => String::new(),
    }
}

/// Rounds a number to four significant digits, for messages.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Returns the known name with the smallest number of typing errors relative to `found`, if any is similar.
pub(crate) fn nearest_name(found: &str, known: &[String]) -> Option<Box<str>> {
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let distance = |name: &String| strsim::damerau_levenshtein(&plain(found), &plain(name));
    let best = known.iter().min_by_key(|name| distance(name))?;
    (2 * distance(best) <= best.len().max(found.len())).then(|| best.as_str().into())
}
