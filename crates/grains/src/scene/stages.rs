//! `[[stage]]`: what a scene does one after another.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bodies::BodyMotion;
use super::bonds::BondGroups;
use super::damping::Damping;
use super::integrator::Method;
use super::name::NameOrNumber;
use super::output::Interval;
use super::space::BoxMotion;
use super::time::TimeStep;
use super::walls::motion::WallMotion;

/// A stage, a part of a run. Keys that a stage does not give keep their values from the stage before, in the first
/// stage those of the scene.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stage {
    /// Name of the stage, for readers of the scene.
    #[schemars(extend("toml" = r#""fill""#))]
    pub name: Option<String>,
    /// Longest duration of the stage in s.
    #[schemars(extend("unit" = "s", "toml" = "2.0"))]
    pub duration: f64,
    /// Duration of the stage in s in a quick run; a twentieth of `duration` if not given.
    #[schemars(extend("unit" = "s", "toml" = "0.1"))]
    pub quick: Option<f64>,
    /// Condition that ends the stage before its duration is over.
    #[schemars(extend("toml" = "{ kinetic-energy = 1e-6 }"))]
    pub end: Option<StageEnd>,
    /// Shortest duration of the stage in s, beside `end`, so that the stage does not end before bodies have begun to
    /// move. At most `duration`, and shorter by as much with `--quick`.
    #[schemars(extend("unit" = "s", "toml" = "0.1"))]
    pub at_least: Option<f64>,
    /// Another integrator, from this stage on.
    #[schemars(extend("toml" = r#""rodrigues-25""#))]
    pub integrator: Option<Method>,
    /// Time step from this stage on, in s, or `"auto"`.
    #[schemars(extend("unit" = "s", "toml" = "1e-5"))]
    pub dt: Option<TimeStep>,
    /// Acceleration of gravity from this stage on, in m/s².
    #[schemars(extend("unit" = "m/s²", "toml" = "[0.0, 0.0, -9.81]"))]
    pub gravity: Option<[f64; 3]>,
    /// Damping of all motion from this stage on, or `"off"`.
    #[schemars(extend("toml" = "{ cundall = 0.7 }"))]
    pub global_damping: Option<Damping>,
    /// Changes of walls when the stage begins, by the names of the walls.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("toml" = r#"{ gate = "gone" }"#))]
    pub walls: BTreeMap<String, WallChange>,
    /// Motions of groups of fixed bodies from this stage on, by the names of the groups. Explicit integrators only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("toml" = "{ plate = { velocity = [0.1, 0.0, 0.0] } }"))]
    pub bodies: BTreeMap<String, BodyMotion>,
    /// Bonds that are made where the stage begins, beside those that there are: a table, or a list of tables. So grains
    /// settle first, and are cemented where they lie.
    #[serde(default, skip_serializing_if = "BondGroups::is_empty")]
    #[schemars(extend("toml" = "{ gap = 1e-4, stretching = 1e-3 }"))]
    pub bonds: BondGroups,
    /// Deformation of a periodic box from this stage on; none where nothing is given.
    #[serde(rename = "box")]
    #[schemars(extend("toml" = "{ strain-rate = [0.0, 0.0, -0.1] }"))]
    pub simulation_box: Option<BoxMotion>,
    /// Sources that the stage switches on or off, by their names. All sources run from the start.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("toml" = r#"{ feed = "off" }"#))]
    pub sources: BTreeMap<String, Switch>,
    /// Intervals at which results are written from this stage on.
    #[schemars(extend("toml" = "{ series = { time = 0.001 } }"))]
    pub output: Option<StageOutput>,
}

/// Condition under which a stage ends before its duration is over. It is checked every 64 steps. A stage without free
/// bodies whose sources have more to bring has no end but its duration.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StageEnd {
    /// The stage ends when all bodies together have less kinetic energy than this, in J.
    #[schemars(extend("unit" = "J", "toml" = "{ kinetic-energy = 1e-6 }"))]
    KineticEnergy(f64),
    /// The stage ends when all bodies together have less kinetic energy of translation than this, in J: grains may spin
    /// on. Without resistance to twisting nothing stops a sphere that spins about the normal of its contact.
    #[schemars(extend("unit" = "J", "toml" = "{ kinetic-translation = 1e-6 }"))]
    KineticTranslation(f64),
    /// The stage ends when the mean force on a free body is below this share of the mean force at a contact. Explicit
    /// integrators only.
    #[schemars(extend("toml" = "{ unbalanced-force = 1e-3 }"))]
    UnbalancedForce(f64),
    /// The stage ends when the centres of all free bodies are behind a plane.
    #[schemars(extend("toml" = "{ behind = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }"))]
    Behind {
        /// A point in m of the plane that the bodies have to be behind.
        #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
        point: [f64; 3],
        /// Normal of the plane, away from where the bodies have to go, of any length.
        #[schemars(extend("toml" = "[0.0, 0.0, 1.0]"))]
        normal: [f64; 3],
    },
    /// The stage ends when more than this mass has passed a gate since the run began.
    #[schemars(extend("toml" = r#"{ passed = { gate = "outflow", mass = 0.5 } }"#))]
    Passed {
        /// The gate that grains have to pass, given by its `name` or its number.
        #[schemars(extend("toml" = r#""outflow""#))]
        gate: NameOrNumber,
        /// Mass in kg that has to pass the gate.
        #[schemars(extend("unit" = "kg", "toml" = "0.5"))]
        mass: f64,
    },
    /// The stage ends when the tables of all servos are over, and the servos have borne their target loads, within this
    /// relative tolerance, at 16 checks in a row.
    #[schemars(extend("toml" = "{ servo-at-rest = 0.01 }"))]
    ServoAtRest(f64),
}

/// Whether a source runs from a stage on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// The source runs.
    On,
    /// The source does not run.
    Off,
}

/// Change of a wall when a stage begins.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WallChange {
    /// The wall is taken away.
    Gone,
    /// The wall is put where it was when it was taken away, or where the scene places it, with the motion that it had,
    /// about the point that moved with it.
    There,
    /// The wall stops where it is.
    Rest,
    /// The wall moves as given from now on, from where it is, about a point in space.
    #[schemars(extend("toml" = "{ move = { velocity = [0.0, 0.0, 0.1] } }"))]
    Move(Box<WallMotion>),
}

/// Intervals at which results are written from a stage on.
#[derive(Debug, Clone, Copy, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageOutput {
    /// Interval of the time series, as `output.series`.
    #[schemars(extend("toml" = "{ time = 0.001 }"))]
    pub series: Option<Interval>,
    /// Interval of the table of contacts, as `output.contacts`.
    #[schemars(extend("toml" = "{ time = 0.1 }"))]
    pub contacts: Option<Interval>,
    /// Interval of frames, as `output.frames`.
    #[schemars(extend("toml" = "{ time = 0.01 }"))]
    pub frames: Option<Interval>,
    /// Steps or time between files with friction problems, as `output.fclib`.
    #[schemars(extend("toml" = "{ steps = 100 }"))]
    pub fclib: Option<Interval>,
    /// Interval of checkpoints, as `output.checkpoints`.
    #[schemars(extend("toml" = "{ time = 0.5 }"))]
    pub checkpoints: Option<Interval>,
}
