//! Labels of axes and columns.

/// Returns `name [unit]`, or `name` alone for a pure number.
#[must_use]
pub fn labelled(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.into() } else { format!("{name} [{unit}]") }
}
