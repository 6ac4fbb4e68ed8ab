//! A group of bodies.

use serde::{Deserialize, Serialize};

use super::{Place, Radii};

/// Spheres that are alike but for their places.
///
/// Their mass is given as `mass` or `density`; fixed ones need neither. What a file says of its bodies goes first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BodyGroup {
    /// Where they are.
    pub place: Place,
    /// Radius in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Radii that differ, instead of `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radii: Option<Radii>,
    /// Mass of each in kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Density in kg/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Moment of inertia in kg m²; that of a solid sphere if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Velocity of all in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Velocity of each in m/s, in their order, instead of `velocity`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub velocities: Vec<[f64; 3]>,
    /// Angular velocity of all in rad/s, world frame.
    #[serde(default)]
    pub spin: [f64; 3],
    /// The material, one that `contact.materials` or `contact.pairs` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Whether they are of infinite mass: nothing changes their velocity.
    #[serde(default)]
    pub fixed: bool,
}
