//! The law of contacts.

use serde::{Deserialize, Serialize};

use super::{DampingLaw, NormalLaw, TangentLaw};

/// The law of all contacts, those with walls included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ContactModel {
    /// Elastic normal force.
    pub normal: NormalLaw,
    /// Damping of the normal motion.
    #[serde(default)]
    pub damping: DampingLaw,
    /// Tangential force.
    #[serde(default)]
    pub tangential: TangentLaw,
    /// Width of the skin of neighbour lists; a fifth of the smallest radius if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<f64>,
}
