//! The law of contacts between two materials.

use serde::{Deserialize, Serialize};

use super::{DampingLaw, NormalLaw, Resistance, TangentLaw};

/// What the law of contacts between two materials has other than that of all contacts. It must be of the same kinds: with the
/// same normal law, and with springs or without; beside `hertz-mindlin` it has restitution, friction and resistances only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PairLaw {
    /// The two materials, maybe the same; bodies and walls without a material are of `"other"`, or of the first of
    /// [`materials`](super::ContactModel::materials).
    pub between: [String; 2],
    /// Elastic normal force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<NormalLaw>,
    /// Damping of the normal motion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingLaw>,
    /// Tangential force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential: Option<TangentLaw>,
    /// Coefficient of restitution beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<f64>,
    /// Friction coefficient beside `hertz-mindlin`; the geometric mean of both materials if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Resistance to rolling; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling: Option<Resistance>,
    /// Resistance to twisting; explicit integrators only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twisting: Option<Resistance>,
}
