//! A scene, as a file describes it.

mod body_group;
mod bond_group;
mod contact_model;
mod damping_law;
mod implicit_method;
mod interval;
mod material;
mod method;
mod normal_law;
mod output_plan;
mod pair_law;
mod place;
mod radii;
mod region;
mod resistance;
mod rigid_method;
mod static_method;
mod tangent_law;
mod tie_group;
mod time_step;
mod timing;
mod units;
mod wall_group;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use body_group::BodyGroup;
pub use bond_group::{BondGroup, Shear};
pub use contact_model::ContactModel;
pub use damping_law::DampingLaw;
pub use implicit_method::{ImplicitForm, ImplicitMethod};
pub use interval::Interval;
pub use material::Material;
pub use method::Method;
pub use normal_law::NormalLaw;
pub use output_plan::OutputPlan;
pub use pair_law::PairLaw;
pub use place::Place;
pub use radii::Radii;
pub use region::{Region, Sides};
pub use resistance::Resistance;
pub use rigid_method::{Compatibility, RigidMethod, RigidSolver};
pub use static_method::StaticMethod;
pub use tangent_law::TangentLaw;
pub use tie_group::TieGroup;
pub use time_step::TimeStep;
pub use timing::Timing;
pub use units::Units;
pub use wall_group::{Side, WallGroup};

use crate::source::Source;
use crate::{GrainsError, Location};

/// A scene: all that a run depends on. Coherent units; world frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scene {
    /// What it shows.
    #[serde(default)]
    pub title: String,
    /// Acceleration of gravity in m/s².
    #[serde(default)]
    pub gravity: [f64; 3],
    /// What moves the bodies.
    pub integrator: Method,
    /// Names of units.
    #[serde(default)]
    pub units: Units,
    /// How long, and in which steps.
    pub time: Timing,
    /// The law of contacts; contact dynamics needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactModel>,
    /// The box; all of space if not given.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// Bodies, numbered in the order of the groups.
    #[serde(default)]
    pub bodies: Vec<BodyGroup>,
    /// Walls, numbered in this order.
    #[serde(default)]
    pub walls: Vec<WallGroup>,
    /// Bonds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonds: Option<BondGroup>,
    /// Ties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ties: Option<TieGroup>,
    /// What is written.
    #[serde(default)]
    pub output: OutputPlan,
}

impl Scene {
    /// Reads a scene from TOML.
    ///
    /// # Errors
    /// Those of a text that is no scene, each with line and key: [`GrainsError::Syntax`],
    /// [`UnknownName`](GrainsError::UnknownName), [`MissingKey`](GrainsError::MissingKey),
    /// [`WrongType`](GrainsError::WrongType). Values are checked when the scene is built.
    pub fn parse(text: &str) -> Result<Self, GrainsError> {
        Source::new(text, None).read()
    }

    /// Reads the scene file at `path`.
    ///
    /// # Errors
    /// [`GrainsError::Io`], and as [`parse`](Self::parse).
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, GrainsError> {
        Ok(Source::from_path(path.as_ref())?.0)
    }

    /// The scene as TOML, which [`parse`](Self::parse) makes an equal scene of.
    ///
    /// # Errors
    /// [`GrainsError::Unwritable`] for what TOML cannot hold, such as a seed beyond 2⁶³.
    pub fn to_toml(&self) -> Result<String, GrainsError> {
        toml::to_string(self).map_err(|error| GrainsError::Unwritable { problem: error.to_string() })
    }

    /// How long the scene runs, in s.
    pub(crate) fn duration(&self, quick: bool) -> f64 {
        let Timing { duration, quick: short, .. } = self.time;
        if quick { short.unwrap_or(0.05 * duration) } else { duration }
    }

    /// Whether any wall moves.
    pub(crate) fn has_moving_walls(&self) -> bool {
        let moves = |velocity: &[f64; 3]| velocity.iter().any(|component| component.abs() > 0.0);
        self.walls.iter().any(|wall| wall.motion().iter().any(moves))
    }

    /// The law of contacts.
    pub(crate) fn law(&self) -> Result<&ContactModel, GrainsError> {
        let at = || Location::of("contact");
        self.contact.as_ref().ok_or_else(|| GrainsError::MissingKey { at: at(), missing: "contact".into() })
    }
}
