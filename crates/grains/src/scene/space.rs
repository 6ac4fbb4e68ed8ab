//! `[box]` and `[units]`: where the bodies are, and what the numbers are numbers of.

use serde::{Deserialize, Serialize};

/// The box that bodies are in. It adds no walls; those are in `[[walls]]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SimulationBox {
    /// Lower corner in m.
    pub low: [f64; 3],
    /// Upper corner in m.
    pub high: [f64; 3],
    /// What both sides in the directions x, y and z are.
    pub boundary: [Boundary; 3],
    /// Rates in 1/s at which periodic edges grow, each by its length at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain_rate: Option<[f64; 3]>,
    /// Simple shear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<Shear>,
    /// Stresses that are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servo: Option<BoxServo>,
}

impl SimulationBox {
    /// How the box deforms.
    pub(crate) fn motion(&self) -> BoxMotion {
        BoxMotion { strain_rate: self.strain_rate, shear: self.shear, servo: self.servo }
    }

    /// Lets the box deform like this.
    pub(crate) fn set_motion(&mut self, motion: BoxMotion) {
        (self.strain_rate, self.shear, self.servo) = (motion.strain_rate, motion.shear, motion.servo);
    }
}

/// How a periodic box deforms. The bodies move by their forces alone.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxMotion {
    /// As `box.strain-rate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain_rate: Option<[f64; 3]>,
    /// As `box.shear`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<Shear>,
    /// As `box.servo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servo: Option<BoxServo>,
}

/// Simple shear: images above a side move along another direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shear {
    /// Along which images move.
    pub along: Axis,
    /// Across which the velocity grows.
    pub across: Axis,
    /// The rate in 1/s.
    pub rate: f64,
}

/// An axis of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Lets edges grow or shrink until stresses are as wanted, see [`dem_contact::force::BoxDrive`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxServo {
    /// Normal stress along x that is wanted, in Pa, positive in compression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// The same along y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// The same along z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// The largest rate of strain in 1/s.
    pub rate: f64,
    /// The rate of strain for an error as large as the stress, over the largest one; 1 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
}

/// What the two sides of a box in one direction are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Units {
    /// Unit of length.
    pub length: String,
    /// Unit of mass.
    pub mass: String,
    /// Unit of time.
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
