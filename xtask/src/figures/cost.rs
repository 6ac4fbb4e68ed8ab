//! Typical computing time of each figure, from which figures are ordered and the remaining time is forecast.
use crate::model::Effort;

/// Id of a figure, and its computing time in s on one core at full and at quick effort. The time for a result that
/// several figures share is counted for only one of them.
const COSTS: &[(&str, f64, f64)] = &[
    ("bg21-fig1a", 1.5, 1.5),
    ("bg21-energy-slope", 28.0, 0.6),
    ("bg21-free-top", 1.6, 1.0),
    ("bg21-heavy-top", 2.2, 1.0),
    ("bg21-fig3", 1.6, 1.6),
    ("bg21-fig4", 1.5, 1.5),
    ("bg21-fig5", 275.0, 45.0),
    ("bg21-fig6", 5.2, 5.2),
    ("bg21-fig7-printed", 430.0, 6.0),
    ("bg21-fig7-unit-grains", 25.0, 13.0),
    ("dk21-fig2", 360.0, 11.0),
    ("dk21-fig5", 4.8, 4.8),
    ("dk21-fig6", 2.2, 1.0),
    ("dk21-fig9", 37.0, 5.0),
    ("dk21-fig11", 360.0, 20.0),
    ("dk21-large-steps", 100.0, 5.0),
    ("ok18-fig7", 20.0, 15.0),
    ("ok18-fig8", 8.5, 1.5),
    ("ok18-fig13", 8.5, 1.5),
    ("ok18-fig16", 8.5, 1.5),
    ("ok18-limit", 37.0, 5.0),
    ("ok18-choices", 7.5, 5.0),
    ("ok18-compliant-step", 1.5, 1.0),
    ("ok18-pour", 235.0, 0.7),
    ("beyond-powder", 15.0, 2.0),
    ("beyond-heap", 370.0, 4.0),
];

/// Assumed computing time in s of a figure that has no entry in `COSTS`.
const SMALL: f64 = 0.5;

/// Returns the ids of the figures in `COSTS`.
pub(super) fn ids() -> impl Iterator<Item = &'static str> {
    COSTS.iter().map(|cost| cost.0)
}

/// Returns the computing times in s of the figures in `COSTS`, the longest first, which is the order in which they
/// start.
pub(crate) fn all(effort: Effort) -> Vec<f64> {
    let mut costs: Vec<f64> = ids().map(|id| typical(id, effort)).collect();
    costs.sort_by(|a, b| b.total_cmp(a));
    costs
}

/// Returns the typical computing time in s of a figure on one core.
pub(crate) fn typical(id: &str, effort: Effort) -> f64 {
    COSTS.iter().find(|cost| cost.0 == id).map_or(SMALL, |&(_, full, quick)| match effort {
        Effort::Full => full,
        Effort::Quick => quick,
    })
}
