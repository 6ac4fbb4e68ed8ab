//! `[box]`: where the bodies are.

use dem_contact::neighbor::Boundary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wanted::Wanted;

/// The box that bodies are in. It adds no walls, which are in `[[walls]]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SimulationBox {
    /// Lower corner of the box in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub low: [f64; 3],
    /// Upper corner of the box in m.
    #[schemars(extend("unit" = "m", "toml" = "[0.1, 0.1, 0.2]"))]
    pub high: [f64; 3],
    /// Boundary condition of the box in the directions x, y and z.
    // Scenes of earlier versions say `sides`; `check` and `run` note it.
    #[serde(alias = "sides")]
    #[schemars(extend("toml" = r#"["periodic", "periodic", "open"]"#))]
    pub boundary: [Boundary; 3],
    /// Rates in 1/s at which periodic edges grow, each relative to its length at the moment; negative to compress. The
    /// bodies move by their forces alone. Explicit integrators only, without sources and ties, of walls only planes and
    /// endless cylinders, in all stages.
    #[schemars(extend("unit" = "1/s", "toml" = "[0.0, 0.0, -0.1]"))]
    pub strain_rate: Option<[f64; 3]>,
    /// Simple shear of the periodic box.
    #[schemars(extend("toml" = r#"{ along = "x", across = "z", rate = 0.1 }"#))]
    pub shear: Option<Shear>,
    /// Servo that deforms the box until stresses are as wanted.
    #[schemars(extend("toml" = "{ x = 1e4, y = 1e4, z = 1e4, rate = 1.0 }"))]
    pub servo: Option<BoxServo>,
}

impl SimulationBox {
    /// Returns the deformation that the scene gives the box.
    pub(crate) fn motion(&self) -> BoxMotion {
        BoxMotion { strain_rate: self.strain_rate, shear: self.shear, servo: self.servo.clone() }
    }

    /// Replaces the deformation that the scene gives the box.
    pub(crate) fn set_motion(&mut self, motion: BoxMotion) {
        (self.strain_rate, self.shear, self.servo) = (motion.strain_rate, motion.shear, motion.servo);
    }
}

/// How a periodic box deforms. The bodies move by their forces alone.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxMotion {
    /// Rates in 1/s at which periodic edges grow, as `box.strain-rate`.
    #[schemars(extend("unit" = "1/s", "toml" = "[0.0, 0.0, -0.1]"))]
    pub strain_rate: Option<[f64; 3]>,
    /// Simple shear of the box, as `box.shear`.
    #[schemars(extend("toml" = r#"{ along = "x", across = "z", rate = 0.1 }"#))]
    pub shear: Option<Shear>,
    /// Servo that deforms the box until stresses are as wanted, as `box.servo`.
    #[schemars(extend("toml" = "{ x = 1e4, y = 1e4, z = 1e4, rate = 1.0 }"))]
    pub servo: Option<BoxServo>,
}

/// Simple shear of a periodic box: images above a side move along another direction.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Shear {
    /// Axis along which the images of bodies move in shear.
    #[schemars(extend("toml" = r#""x""#))]
    pub along: Axis,
    /// Axis along which the velocity of images grows in shear.
    #[schemars(extend("toml" = r#""z""#))]
    pub across: Axis,
    /// Shear rate of the box in 1/s.
    #[schemars(extend("unit" = "1/s", "toml" = "0.1"))]
    pub rate: f64,
}

/// An axis of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// The axis x of the box.
    X,
    /// The axis y of the box.
    Y,
    /// The axis z of the box.
    Z,
}

/// A component of the motion of bodies that is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocked {
    /// Blocks the translation of bodies along x.
    X,
    /// Blocks the translation of bodies along y.
    Y,
    /// Blocks the translation of bodies along z.
    Z,
    /// Blocks the spin of bodies about x.
    SpinX,
    /// Blocks the spin of bodies about y.
    SpinY,
    /// Blocks the spin of bodies about z.
    SpinZ,
}

/// Servo of a box: edges grow or shrink until stresses (of contacts) are as wanted. An edge shrinks at the strain rate
/// `rate` × `gain` × (wanted − present stress)/(wanted stress), at most at `rate`. It shrinks more slowly where an
/// error would decay within less than 100 steps; and at a rate beside it that is learnt, so that a bed which strains
/// steadily bears the wanted stress. The scene has no walls, see [`dem_contact::force::BoxDrive`].
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoxServo {
    /// Wanted normal stress along x in Pa, positive in compression; or a table of it over the time since the box began
    /// to move like this.
    #[schemars(extend("unit" = "Pa", "toml" = "1e4"))]
    pub x: Option<Wanted>,
    /// Wanted normal stress along y in Pa, positive in compression, or a table of it as for `x`.
    #[schemars(extend("unit" = "Pa", "toml" = "1e4"))]
    pub y: Option<Wanted>,
    /// Wanted normal stress along z in Pa, positive in compression, or a table of it as for `x`.
    #[schemars(extend("unit" = "Pa", "toml" = "[[0.0, 1e3], [0.5, 1e4]]"))]
    pub z: Option<Wanted>,
    /// Largest strain rate of the servo in 1/s.
    #[schemars(extend("unit" = "1/s", "toml" = "1.0"))]
    pub rate: f64,
    /// Strain rate of the servo at zero stress, over `rate`; 1 if not given. A larger gain lets errors decay faster,
    /// down to 100 steps.
    #[schemars(extend("toml" = "1.0"))]
    pub gain: Option<f64>,
}
