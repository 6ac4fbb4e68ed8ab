//! Turns of walls about an axis by an angle that oscillates or follows a table.

use std::f64::consts::TAU;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::wall::{WallError, check_finite};
use crate::wall::cylinder::unit_along;
use crate::wall::table::MotionTable;

/// Turn of a wall about an axis by an angle over the time since the motion began: `amplitude` sin(2π `frequency` t +
/// `phase`), an angle by a table, or the sum of both. The angular velocity is the derivative of the angle.
///
/// ```
/// # use dem_contact::wall::{Turn, Wall};
/// # use rrp_geom::glam::DVec3;
/// // A flap that opens by a quarter of a turn within half a second, from rest to rest.
/// let opening = Turn::about(DVec3::Y)?.by_angles([(0.0, 0.0), (0.5, 0.5 * std::f64::consts::PI)])?;
/// let flap = Wall::plane(DVec3::ZERO, DVec3::Z).turning(opening);
/// assert!((flap.normal_at(2.0).unwrap() - DVec3::X).length() < 1e-14);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Turn {
    axis: DVec3,
    /// Amplitude in rad of the oscillation of the angle; `frequency` is in Hz, `phase` in rad.
    amplitude: f64,
    frequency: f64,
    phase: f64,
    /// Table of angles (rad) and angular velocities (rad/s), stored as the x components of its displacements and
    /// velocities.
    table: Option<MotionTable>,
}

impl Turn {
    /// Returns a turn by the angle zero about `axis`, a vector of any length in the world frame.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for an axis without a direction.
    pub fn about(axis: DVec3) -> Result<Self, DemError> {
        let Some(unit) = unit_along(axis) else {
            let parameter = "length of the axis of a turn";
            let range = "positive and finite";
            return Err(DemError::InvalidParameter { parameter, range, value: axis.length() });
        };
        Ok(Self { axis: unit, amplitude: 0.0, frequency: 0.0, phase: 0.0, table: None })
    }

    /// Returns this turn with the oscillating angle `amplitude` sin(2π `frequency` t + `phase`), in rad, Hz and rad.
    #[must_use]
    pub fn oscillating(self, amplitude: f64, frequency: f64, phase: f64) -> Self {
        Self { amplitude, frequency, phase, ..self }
    }

    /// Returns this turn with a table of times (s) and angular velocities (rad/s), interpolated as in
    /// [`MotionTable::of_velocities`].
    ///
    /// # Errors
    /// As [`MotionTable::of_velocities`].
    pub fn by_rates(self, rows: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, DemError> {
        Ok(Self { table: Some(MotionTable::of_velocities(along_x(rows))?), ..self })
    }

    /// Returns this turn with a table of times (s) and angles (rad), interpolated as in [`MotionTable::of_positions`].
    ///
    /// # Errors
    /// As [`MotionTable::of_velocities`].
    pub fn by_angles(self, rows: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, DemError> {
        Ok(Self { table: Some(MotionTable::of_positions(along_x(rows))?), ..self })
    }

    pub(super) fn axis(&self) -> DVec3 {
        self.axis
    }

    pub(super) fn at(&self, elapsed: f64) -> [f64; 2] {
        let rate = TAU * self.frequency;
        let (sine, cosine) = (rate * elapsed + self.phase).sin_cos();
        let [angle, speed] = [self.amplitude * sine, self.amplitude * rate * cosine];
        match &self.table {
            Some(table) => {
                let [displacement, velocity] = table.at(elapsed);
                [angle + displacement.x, speed + velocity.x]
            }
            None => [angle, speed],
        }
    }

    pub(super) fn check(&self, wall: usize) -> Result<(), DemError> {
        let rhythm = DVec3::new(self.amplitude, self.frequency, self.phase);
        check_finite(wall, [("axis of its turn", self.axis), ("oscillation of its turn", rhythm)])?;
        let value = self.axis.length();
        if (value - 1.0).abs() > 1e-12 {
            let parameter = "length of the axis of its turn";
            let range = "one";
            return Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range, value }));
        }
        self.table.as_ref().map_or(Ok(()), |table| table.check(wall))
    }
}

fn along_x(rows: impl IntoIterator<Item = (f64, f64)>) -> impl Iterator<Item = (f64, DVec3)> {
    rows.into_iter().map(|(time, value)| (time, value * DVec3::X))
}
