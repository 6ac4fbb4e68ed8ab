//! `[box]` and `[units]`: where the bodies are, and what the numbers are numbers of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wanted::Wanted;

/// The box that bodies are in. It adds no walls; those are in `[[walls]]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SimulationBox {
    /// Lower corner in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub low: [f64; 3],
    /// Upper corner in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.2]"))]
    pub high: [f64; 3],
    /// Boundary condition in the directions x, y and z.
    // Scenes of earlier versions say `sides`; `check` and `run` note it.
    #[serde(alias = "sides")]
    #[schemars(extend("toml" = r#"["periodic", "periodic", "open"]"#))]
    pub boundary: [Boundary; 3],
    /// Rates in 1/s at which periodic edges grow, each by its length at the moment; negative to compress. The bodies
    /// move by their forces alone. Explicit integrators only, without sources and ties, of walls only planes and
    /// endless cylinders, in all stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "1/s", "toml" = "[0.0, 0.0, -0.1]"))]
    pub strain_rate: Option<[f64; 3]>,
    /// Simple shear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#"{ along = "x", across = "z", rate = 0.1 }"#))]
    pub shear: Option<Shear>,
    /// Stresses that are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ x = 1e4, y = 1e4, z = 1e4, rate = 1.0 }"))]
    pub servo: Option<BoxServo>,
}

impl SimulationBox {
    /// How the box deforms.
    pub(crate) fn motion(&self) -> BoxMotion {
        BoxMotion { strain_rate: self.strain_rate, shear: self.shear, servo: self.servo.clone() }
    }

    /// Lets the box deform like this.
    pub(crate) fn set_motion(&mut self, motion: BoxMotion) {
        (self.strain_rate, self.shear, self.servo) = (motion.strain_rate, motion.shear, motion.servo);
    }
}

/// How a periodic box deforms. The bodies move by their forces alone.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxMotion {
    /// As `box.strain-rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "1/s", "toml" = "[0.0, 0.0, -0.1]"))]
    pub strain_rate: Option<[f64; 3]>,
    /// As `box.shear`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = r#"{ along = "x", across = "z", rate = 0.1 }"#))]
    pub shear: Option<Shear>,
    /// As `box.servo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "{ x = 1e4, y = 1e4, z = 1e4, rate = 1.0 }"))]
    pub servo: Option<BoxServo>,
}

/// Simple shear: images above a side move along another direction.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shear {
    /// Along which images move.
    #[schemars(extend("toml" = r#""x""#))]
    pub along: Axis,
    /// Across which the velocity grows.
    #[schemars(extend("toml" = r#""z""#))]
    pub across: Axis,
    /// The rate in 1/s.
    #[schemars(extend("unit" = "1/s", "toml" = "0.1"))]
    pub rate: f64,
}

/// An axis of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// The first one.
    X,
    /// The second one.
    Y,
    /// The third one.
    Z,
}

/// A motion of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocked {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
    /// A spin about x.
    SpinX,
    /// A spin about y.
    SpinY,
    /// A spin about z.
    SpinZ,
}

/// Lets edges grow or shrink until stresses (of contacts) are as wanted: an edge shrinks at the strain rate `rate` ×
/// `gain` × (wanted − present stress)/(wanted stress), at most at `rate`. It shrinks more slowly where an error would
/// decay within less than 100 steps; and at a rate beside it that is learnt, so that a bed which strains steadily bears
/// what is wanted. The scene has no walls, see [`dem_contact::force::BoxDrive`].
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxServo {
    /// Normal stress along x that is wanted, in Pa, positive in compression; or a table of it over the time since the
    /// box began to move like this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "Pa", "toml" = "1e4"))]
    pub x: Option<Wanted>,
    /// Normal stress along y that is wanted, in Pa, or a table of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "Pa", "toml" = "1e4"))]
    pub y: Option<Wanted>,
    /// Normal stress along z that is wanted, in Pa, or a table of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("unit" = "Pa", "toml" = "[[0.0, 1e3], [0.5, 1e4]]"))]
    pub z: Option<Wanted>,
    /// The largest rate of strain in 1/s.
    #[schemars(extend("unit" = "1/s", "toml" = "1.0"))]
    pub rate: f64,
    /// The strain rate at zero stress, over `rate`; 1 if not given. A larger one lets errors decay faster, down to 100
    /// steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("toml" = "1.0"))]
    pub gain: Option<f64>,
}

/// Boundary condition of the two sides in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// Bodies near one side meet the images of those at the other.
    Periodic,
    /// A run stops with an error when a centre leaves by more than half the skin of the neighbour list.
    Closed,
    /// Bodies may leave.
    Open,
}

/// Names of the units of a scene, which has to be coherent; nothing is converted.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Units {
    /// Unit of length.
    #[schemars(extend("toml" = r#""mm""#))]
    pub length: String,
    /// Unit of mass.
    #[schemars(extend("toml" = r#""g""#))]
    pub mass: String,
    /// Unit of time.
    #[schemars(extend("toml" = r#""s""#))]
    pub time: String,
}

impl Default for Units {
    fn default() -> Self {
        Self { length: "m".into(), mass: "kg".into(), time: "s".into() }
    }
}

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "length {}, mass {}, time {}", self.length, self.mass, self.time)
    }
}
