//! How walls move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::wanted::Wanted;

/// Motion of a wall: velocity, spin, and what drives it beside them.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallMotion {
    /// Velocity of the wall in m/s.
    #[serde(default)]
    #[schemars(extend("unit" = "m/s", "toml" = "[0.0, 0.0, 0.1]"))]
    pub velocity: [f64; 3],
    /// Angular velocity of the wall in rad/s, along the axis that it turns about.
    #[serde(default)]
    #[schemars(extend("unit" = "rad/s", "toml" = "[0.0, 1.0, 0.0]"))]
    pub spin: [f64; 3],
    /// The point in m that the wall turns about, when the motion begins; its own point if not given.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.0]"))]
    pub pivot: Option<[f64; 3]>,
    /// An oscillation of the wall on top of its velocity.
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion of the wall by a table, on top of its velocity.
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
    /// A turn of the wall by an angle that oscillates or follows a table, about the point that the wall turns about.
    #[schemars(extend(
        "toml" = "{ axis = [0.0, 1.0, 0.0], oscillation = { amplitude = 0.3, frequency = 2.0 } }"
    ))]
    pub turn: Option<TurnByAngle>,
    /// Velocity in m/s at which the wall's surface runs like a belt while the wall stays where it is; at each contact
    /// the part along the surface counts. Explicit integrators only.
    #[schemars(extend("unit" = "m/s", "toml" = "[1.0, 0.0, 0.0]"))]
    pub surface_velocity: Option<[f64; 3]>,
    /// A servo that sets the velocity of the wall instead.
    #[schemars(extend("toml" = "{ pressure = 1e4, area = 0.01, speed = 0.1 }"))]
    pub servo: Option<WallServo>,
}

/// Motion of a wall beside a constant velocity and spin.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WallDrive {
    /// An oscillation of the wall.
    #[schemars(extend("toml" = "{ amplitude = [0.0, 0.0, 0.001], frequency = 50.0 }"))]
    pub oscillation: Option<Oscillation>,
    /// A motion of the wall by a table.
    #[schemars(extend("toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    pub table: Option<MotionRows>,
    /// A turn by an angle that oscillates or follows a table, about the point that the wall turns about.
    #[schemars(extend(
        "toml" = "{ axis = [0.0, 1.0, 0.0], oscillation = { amplitude = 0.3, frequency = 2.0 } }"
    ))]
    pub turn: Option<TurnByAngle>,
    /// Velocity in m/s at which the wall's surface runs like a belt while the wall stays where it is; at each contact
    /// the part along the surface counts. Explicit integrators only.
    #[schemars(extend("unit" = "m/s", "toml" = "[1.0, 0.0, 0.0]"))]
    pub surface_velocity: Option<[f64; 3]>,
    /// A servo that sets the velocity of the wall.
    #[schemars(extend("toml" = "{ pressure = 1e4, area = 0.01, speed = 0.1 }"))]
    pub servo: Option<WallServo>,
}

/// An oscillation of a wall or a group on top of its other motion: `amplitude` sin(2π `frequency` t + `phase`), where t
/// is the time since the motion began. With a phase, a wall begins beside its place; a group begins at its place and
/// swings about another one.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Oscillation {
    /// Amplitude of the oscillation in m, a vector.
    #[schemars(extend("unit" = "m", "toml" = "[0.0, 0.0, 0.001]"))]
    pub amplitude: [f64; 3],
    /// Frequency of the oscillation in Hz.
    #[schemars(extend("unit" = "Hz", "toml" = "50.0"))]
    pub frequency: f64,
    /// Phase of the oscillation at the beginning, in rad.
    #[serde(default)]
    #[schemars(extend("unit" = "rad", "toml" = "1.5708"))]
    pub phase: f64,
}

/// A motion by a table, on top of the other motion of the wall or the group: rows of a time in s since the motion
/// began, ascending from zero in the first one, and a vector.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MotionRows {
    /// Velocities in m/s, linear between rows; the last one stays.
    #[schemars(extend("unit" = "s, m/s", "toml" = "{ velocities = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    Velocities(Vec<[f64; 4]>),
    /// Positions in m, of which differences to the first one count; a cubic spline that begins and ends at rest.
    #[schemars(extend("unit" = "s, m", "toml" = "{ positions = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.1]] }"))]
    Positions(Vec<[f64; 4]>),
}

/// A turn of a wall about an axis through the point that the wall turns about: by an angle that oscillates, that follows
/// a table, or the sum of both, such as for drums that rock and flaps that open. On top of a `spin` along the same axis.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TurnByAngle {
    /// Direction of the axis, of any length. Angles are positive by the right-hand rule.
    #[schemars(extend("toml" = "[0.0, 1.0, 0.0]"))]
    pub axis: [f64; 3],
    /// An oscillation of the angle of the wall.
    #[schemars(extend("toml" = "{ amplitude = 0.3, frequency = 2.0 }"))]
    pub oscillation: Option<AngleOscillation>,
    /// A table of the angle of the wall, or of its rate, over time.
    #[schemars(extend("toml" = "{ angles = [[0.0, 0.0], [0.5, 1.5708]] }"))]
    pub table: Option<AngleRows>,
}

/// The angle `amplitude` sin(2π `frequency` t + `phase`), where t is the time since the motion began. With a phase, a
/// wall begins turned.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AngleOscillation {
    /// Largest angle from the middle of the oscillation, in rad.
    #[schemars(extend("unit" = "rad", "toml" = "0.3"))]
    pub amplitude: f64,
    /// Frequency of the oscillation in Hz.
    #[schemars(extend("unit" = "Hz", "toml" = "2.0"))]
    pub frequency: f64,
    /// Phase of the oscillation at the beginning, in rad.
    #[serde(default)]
    #[schemars(extend("unit" = "rad", "toml" = "1.5708"))]
    pub phase: f64,
}

/// An angle by a table: rows of a time in s since the motion began, ascending from zero in the first one, and a number.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AngleRows {
    /// Angular velocities in rad/s, linear between rows; the last one stays.
    #[schemars(extend("unit" = "s, rad/s", "toml" = "{ rates = [[0.0, 0.0], [1.0, 6.2832]] }"))]
    Rates(Vec<[f64; 2]>),
    /// Angles in rad, of which differences to the first one count; a cubic spline that begins and ends at rest.
    #[schemars(extend("unit" = "s, rad", "toml" = "{ angles = [[0.0, 0.0], [0.5, 1.5708]] }"))]
    Angles(Vec<[f64; 2]>),
}

impl AngleRows {
    /// The largest rate in rad/s, between rows on average.
    pub(crate) fn fastest(&self) -> f64 {
        match self {
            Self::Rates(rows) => rows.iter().map(|[_, rate]| rate.abs()).fold(0.0, f64::max),
            Self::Angles(rows) => {
                let between = |pair: &[[f64; 2]]| ((pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).abs();
                rows.windows(2).map(between).fold(0.0, f64::max)
            }
        }
    }
}

/// A servo of a wall: it drives the wall until bodies push against it with a `force`, or a `pressure` on an `area`:
/// either with a largest `speed`, or as a wall with a `mass` that the force pushes. Explicit integrators only, see
/// [`dem_contact::wall::Servo`].
#[derive(Debug, Clone, PartialEq, Default, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WallServo {
    /// Wanted force in N on the wall; or a table of it over the time since the motion began.
    #[schemars(extend("unit" = "N", "toml" = "100.0"))]
    pub force: Option<Wanted>,
    /// Wanted pressure in Pa on the wall, instead of `force`; or a table of it, such as a ramp of load steps.
    #[schemars(extend("unit" = "Pa", "toml" = "[[0.0, 1e3], [0.5, 1e4]]"))]
    pub pressure: Option<Wanted>,
    /// Area in m² that the pressure acts on; the cross section of the box if it is periodic along a plane.
    #[schemars(extend("unit" = "m²", "toml" = "0.01"))]
    pub area: Option<f64>,
    /// Direction, of any length, in which the wall pushes the bodies; the normal of a plane if not given.
    #[schemars(extend("toml" = "[0.0, 0.0, -1.0]"))]
    pub direction: Option<[f64; 3]>,
    /// Largest speed of the wall in m/s.
    #[schemars(extend("unit" = "m/s", "toml" = "0.1"))]
    pub speed: Option<f64>,
    /// Time in s within which a small error decays, as exp(−2 t/`response`): at least some contact times; 100 steps if
    /// not given. The stiffness of the bed is measured meanwhile, which takes one `response` at first. An error does not
    /// decay faster than waves run through the bed and back, about one contact time for each layer.
    #[schemars(extend("unit" = "s", "toml" = "0.001"))]
    pub response: Option<f64>,
    /// Mass in kg of a wall that the force pushes freely, instead of `speed` and `response`.
    #[schemars(extend("unit" = "kg", "toml" = "1.0"))]
    pub mass: Option<f64>,
}

impl WallMotion {
    /// Returns the motion of the wall beside its velocity and spin.
    pub(crate) fn drive(&self) -> WallDrive {
        let Self { oscillation, surface_velocity, .. } = *self;
        WallDrive {
            oscillation,
            table: self.table.clone(),
            turn: self.turn.clone(),
            surface_velocity,
            servo: self.servo.clone(),
        }
    }

    /// Returns whether the wall moves.
    pub(crate) fn is_moving(&self) -> bool {
        let moves = |velocity: [f64; 3]| velocity.iter().any(|component| component.abs() > 0.0);
        moves(self.velocity) || moves(self.spin) || self.drive() != WallDrive::default()
    }
}
