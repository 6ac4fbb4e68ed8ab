//! A scene: all that a run depends on, as a file describes it.
//!
//! One file per table of a scene. The types here hold values and know their keys; they do not check numbers (see
//! `build` and `laws`) and do not read files (see `source`). A key that may be missing is an `Option`: serde reads it as
//! none, and TOML leaves it out.

pub mod adhesion;
pub mod bodies;
pub mod bonds;
pub mod contact;
pub mod damping;
pub mod integrator;
pub mod liquid;
pub mod measures;
pub mod name;
mod number_or_word;
pub mod output;
pub mod regions;
pub mod resistance;
pub mod sizes;
pub mod sources;
pub mod space;
pub mod stages;
pub mod tangential;
pub mod time;
pub mod units;
pub mod walls;
pub mod wanted;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::bodies::{BodyGroup, Place};
use self::bonds::{BondGroups, TieGroup};
use self::contact::ContactModel;
use self::damping::Damping;
use self::integrator::Method;
use self::liquid::LiquidGroup;
use self::measures::Measure;
use self::output::OutputPlan;
use self::sources::{Gate, Source, SourceRegion};
use self::space::{Blocked, BoxMotion, SimulationBox};
use self::stages::Stage;
use self::time::Timing;
use self::units::Units;
use self::walls::{WallGroup, WallShape};
use crate::error::{GrainsError, Location};

/// A scene. Units are coherent, vectors are in the world frame.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scene {
    /// Version of the format of the scene: 1.
    #[serde(default = "first")]
    #[schemars(extend("toml" = "1"))]
    pub format: u32,
    /// Title of the scene, for readers of results.
    #[serde(default)]
    #[schemars(extend("toml" = r#""A heap""#))]
    pub title: String,
    /// Acceleration of gravity in m/s².
    #[serde(default)]
    #[schemars(extend("unit" = "m/s²", "toml" = "[0.0, 0.0, -9.81]"))]
    pub gravity: [f64; 3],
    /// The integrator: how bodies move in a time step.
    #[schemars(extend("toml" = r#""verlet""#))]
    pub integrator: Method,
    /// Motions of bodies that no force changes. Initial velocities in these directions must be zero.
    /// `["z", "spin-x", "spin-y"]` keeps a run in a plane. Explicit integrators only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"["z", "spin-x", "spin-y"]"#))]
    pub blocked: Vec<Blocked>,
    /// Names of the units of the scene; nothing is converted.
    #[serde(default)]
    #[schemars(extend("toml" = r#"{ length = "mm", mass = "g", time = "s" }"#))]
    pub units: Units,
    /// How long the scene runs, and in which steps.
    #[serde(default)]
    #[schemars(extend("toml" = r#"{ dt = "auto", duration = 2.0 }"#))]
    pub time: Timing,
    /// A checkpoint, from the folder of the scene, with which the scene begins: its bodies, ids, bonds and contact
    /// histories, instead of `bodies`. The time is zero again. Materials and walls are known by their names; contacts
    /// with walls that had no name begin anew. Bodies may overlap each other as they did. `box` has to have the edges
    /// that the run left; a sheared box is refused. Walls are where the scene places them. Groups of fixed bodies that
    /// were driven rest until a stage drives them. If the checkpoint has bonds or ties, the scene may have none, but
    /// stages may make bonds.
    #[schemars(extend("toml" = r#""fill.out/checkpoint.grains""#))]
    pub start: Option<PathBuf>,
    /// The law of contacts; contact dynamics needs none.
    #[schemars(extend("toml" = "{ normal = { hooke = { stiffness = 1e5 } } }"))]
    pub contact: Option<ContactModel>,
    /// The box that bodies are in; all of space if not given.
    #[serde(rename = "box")]
    #[schemars(extend("toml" = r#"{ low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], boundary = ["periodic", "periodic", "open"] }"#))]
    pub simulation_box: Option<SimulationBox>,
    /// Groups of bodies at the start; bodies are numbered in the order of the groups.
    #[serde(default)]
    #[schemars(extend("toml" = "[{ place = { list = [[0.0, 0.0, 1.0]] }, radius = 0.05, density = 2500.0 }]"))]
    pub bodies: Vec<BodyGroup>,
    /// Sources of grains that come in the course of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = "[{ region = { box = { low = [0.0, 0.0, 0.5], high = [0.1, 0.1, 0.6] } }, sizes = { radius = 0.002 }, density = 2500.0 }]"))]
    pub sources: Vec<Source>,
    /// Gates, where grains are counted or taken away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = "[{ shape = { plane = { point = [0.0, 0.0, -0.1], normal = [0.0, 0.0, 1.0] } }, remove = true }]"))]
    pub gates: Vec<Gate>,
    /// Walls, numbered in the order of this list.
    #[serde(default)]
    #[schemars(extend("toml" = r#"[{ name = "floor", plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }]"#))]
    pub walls: Vec<WallGroup>,
    /// Bonds that are made at the start; a table, or a list of tables for bonds of several kinds. Stages may make more.
    #[serde(default, skip_serializing_if = "BondGroups::is_empty")]
    #[schemars(extend("toml" = "{ gap = 1e-4, stretching = 1e-3 }"))]
    pub bonds: BondGroups,
    /// Ties between bodies that touch at the start; none if not given.
    #[schemars(extend("toml" = "{ stiffness = 1e4 }"))]
    pub ties: Option<TieGroup>,
    /// Liquid on bodies, and the bridges that it makes; none if not given.
    #[schemars(extend("toml" = "{ content = 0.01, surface-tension = 0.072 }"))]
    pub liquid: Option<LiquidGroup>,
    /// Damping of all motion beside that of contacts. Explicit integrators only, in boxes that do not deform.
    #[schemars(extend("toml" = "{ viscous = 5.0 }"))]
    pub global_damping: Option<Damping>,
    /// Results that are written, and how often.
    #[serde(default)]
    #[schemars(extend("toml" = "{ series = { time = 0.01 } }"))]
    pub output: OutputPlan,
    /// Measurements in the course of the run.
    #[serde(default, rename = "measure", skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = r#"[{ name = "bed", every = { time = 0.1 } }]"#))]
    pub measures: Vec<Measure>,
    /// Stages of the run, one after another; a single one of `time.duration` if not given.
    #[serde(default, rename = "stage", skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("toml" = "[{ duration = 2.0 }]"))]
    pub stages: Vec<Stage>,
}

fn first() -> u32 {
    1
}

/// Default of factors in the tables of a scene.
fn one() -> f64 {
    1.0
}

/// Default of shares in the tables of a scene.
fn half() -> f64 {
    0.5
}

impl Scene {
    /// Formats the scene as TOML. [`parse`](Self::parse) makes an equal scene of it.
    ///
    /// # Errors
    /// [`GrainsError::Unwritable`] for values that TOML cannot hold, such as a seed beyond 2⁶³.
    pub fn to_toml(&self) -> Result<String, GrainsError> {
        toml::to_string(self).map_err(|error| GrainsError::Unwritable { problem: error.to_string() })
    }

    /// Lists the files that the scene names: tables of bodies, meshes, and the checkpoint of `start`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let of_bodies = self.bodies.iter().filter_map(|group| match &group.place {
            Place::File { path, .. } => Some(path),
            _ => None,
        });
        let of_walls = self.walls.iter().filter_map(|wall| match &wall.shape {
            WallShape::Stl { path, .. } => Some(path),
            _ => None,
        });
        let of_sources = self.sources.iter().filter_map(|source| match &source.region {
            SourceRegion::Faces(faces) => Some(&faces.path),
            _ => None,
        });
        of_bodies.chain(of_walls).chain(of_sources).chain(&self.start)
    }

    /// Duration of the scene in s, or that of its quick version.
    pub(crate) fn duration(&self, quick: bool) -> f64 {
        let Timing { duration, quick: short, .. } = self.time;
        let duration = duration.unwrap_or(0.0);
        if quick { short.unwrap_or(0.05 * duration) } else { duration }
    }

    /// Returns whether any wall of the scene moves or its box deforms, without regard to later stages.
    pub(crate) fn has_moving_walls(&self) -> bool {
        self.walls.iter().any(|wall| wall.motion().is_moving()) || self.deforms()
    }

    /// Returns whether the scene deforms its box, without regard to later stages.
    pub(crate) fn deforms(&self) -> bool {
        self.simulation_box.as_ref().is_some_and(|space| space.motion() != BoxMotion::default())
    }

    /// Returns whether the box deforms from the start or in any stage.
    pub(crate) fn deforms_in_any_stage(&self) -> bool {
        let mut motions = self.stages.iter().filter_map(|stage| stage.simulation_box.as_ref());
        self.deforms() || motions.any(|motion| *motion != BoxMotion::default())
    }

    /// Returns whether bonds are made at the start or in any stage.
    pub(crate) fn has_bonds_in_any_stage(&self) -> bool {
        !self.bonds.is_empty() || self.stages.iter().any(|stage| !stage.bonds.is_empty())
    }

    /// Returns the contact law of the scene, which contact dynamics alone does without.
    ///
    /// # Errors
    /// [`GrainsError::MissingKey`].
    pub(crate) fn contact_model(&self) -> Result<&ContactModel, GrainsError> {
        let missing = || GrainsError::MissingKey { at: Location::of("contact"), missing: "contact".into() };
        self.contact.as_ref().ok_or_else(missing)
    }
}
