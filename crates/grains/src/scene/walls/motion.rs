//! How walls move.

use serde::{Deserialize, Serialize};

/// How a wall moves.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallMotion {
    /// Velocity in m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s, along the axis that it turns about.
    #[serde(default)]
    pub spin: [f64; 3],
    /// The point that it turns about in m, when the motion begins; its own point if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pivot: Option<[f64; 3]>,
    /// An oscillation on top of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oscillation: Option<Oscillation>,
    /// A motion by a table on top of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<MotionRows>,
    /// Velocity in m/s at which its surface runs like a belt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_velocity: Option<[f64; 3]>,
    /// What sets its velocity instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servo: Option<WallServo>,
}

/// What drives a wall beside a constant velocity and spin.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WallDrive {
    /// An oscillation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oscillation: Option<Oscillation>,
    /// A motion by a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<MotionRows>,
    /// Velocity in m/s at which its surface runs like a belt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface_velocity: Option<[f64; 3]>,
    /// What sets its velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servo: Option<WallServo>,
}

/// `amplitude` sin(2π `frequency` t + `phase`), where t is the time since the motion began.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Oscillation {
    /// In m.
    pub amplitude: [f64; 3],
    /// In Hz.
    pub frequency: f64,
    /// In rad.
    #[serde(default)]
    pub phase: f64,
}

/// Rows of a time in s since the motion began, zero in the first one, and a vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MotionRows {
    /// Velocities in m/s, linear between rows; the last one stays.
    Velocities(Vec<[f64; 4]>),
    /// Positions in m, of which differences to the first one count; a cubic spline that begins and ends at rest.
    Positions(Vec<[f64; 4]>),
}

/// Drives a wall until bodies push against it as wanted, see [`dem_contact::wall::Servo`].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallServo {
    /// The force that is wanted, in N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<f64>,
    /// The pressure that is wanted, in Pa, instead of `force`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<f64>,
    /// The area in m² that the pressure acts on; that of the box if it is periodic along a plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// Along which the wall pushes the bodies, of any length; the normal of a plane if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// The largest speed in m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Within which a small error decays, in s; 100 steps if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<f64>,
    /// The mass of a wall that the force pushes freely, in kg, instead of `speed` and `response`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
}

impl WallMotion {
    /// What drives the wall beside velocity and spin.
    pub(crate) fn drive(&self) -> WallDrive {
        let Self { oscillation, surface_velocity, servo, .. } = *self;
        WallDrive { oscillation, table: self.table.clone(), surface_velocity, servo }
    }

    /// Whether the wall moves.
    pub(crate) fn is_moving(&self) -> bool {
        let moves = |velocity: [f64; 3]| velocity.iter().any(|component| component.abs() > 0.0);
        moves(self.velocity) || moves(self.spin) || self.drive() != WallDrive::default()
    }
}
