//! Ties of pairs that touch at the start.

use serde::{Deserialize, Serialize};

/// Pairs that touch at the start get a contact that also pulls, `[DK21]` section 3.3.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TieGroup {
    /// `k_B` in N/m.
    pub stiffness: f64,
}
