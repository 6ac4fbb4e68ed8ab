//! Motions of walls by tables.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::wall::WallError;

/// Displacement of a wall by a table over the time since the motion began, with cubic interpolation between rows.
///
/// ```
/// # use dem_contact::wall::{MotionTable, Wall};
/// # use rrp_geom::glam::DVec3;
/// // From rest to 0.2 m/s within a second, and on at that velocity.
/// let table = MotionTable::of_velocities([(0.0, DVec3::ZERO), (1.0, 0.2 * DVec3::Z)])?;
/// let lid = Wall::plane(DVec3::ZERO, DVec3::Z).following(table);
/// assert!((lid.point_at(3.0).z - 0.5).abs() < 1e-15);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionTable {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Row {
    time: f64,
    displacement: DVec3,
    velocity: DVec3,
}

impl MotionTable {
    /// Makes a motion table from times (s) and velocities (m/s). The velocity is linear between two rows and constant
    /// after the last row. The times ascend from zero, the time when the motion begins.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for a table without rows, and for times or velocities that are not finite or not
    /// in order.
    pub fn of_velocities(rows: impl IntoIterator<Item = (f64, DVec3)>) -> Result<Self, DemError> {
        let mut done: Vec<Row> = Vec::new();
        for (time, velocity) in rows {
            let displacement = done
                .last()
                .map_or(DVec3::ZERO, |last| last.displacement + 0.5 * (time - last.time) * (last.velocity + velocity));
            done.push(Row { time, displacement, velocity });
        }
        Self { rows: done }.valid()
    }

    /// Makes a motion table from times (s) and positions (m), which are relative to the first position. Between rows
    /// the motion is the cubic spline with continuous accelerations that is at rest at both ends. After the last row
    /// the wall stays. The times ascend from zero, the time when the motion begins.
    ///
    /// # Errors
    /// As [`of_velocities`](Self::of_velocities).
    pub fn of_positions(rows: impl IntoIterator<Item = (f64, DVec3)>) -> Result<Self, DemError> {
        let mut done: Vec<Row> = Vec::new();
        let mut first = None;
        for (time, position) in rows {
            let displacement = position - *first.get_or_insert(position);
            done.push(Row { time, displacement, velocity: DVec3::ZERO });
        }
        let mut table = Self { rows: done }.valid()?;
        table.join();
        table.valid()
    }

    /// Computes the velocities in the inner rows for which accelerations are continuous, by elimination in a
    /// tridiagonal matrix.
    fn join(&mut self) {
        let rows = &mut self.rows;
        // Factor of the velocity of the next row in each row, after elimination.
        let mut factors = vec![0.0; rows.len()];
        for i in 1..rows.len().saturating_sub(1) {
            let [before, after] = [i - 1, i].map(|k| 1.0 / (rows[k + 1].time - rows[k].time));
            let [way, next] = [i - 1, i].map(|k| rows[k + 1].displacement - rows[k].displacement);
            let pivot = 2.0 * (before + after) - before * factors[i - 1];
            let right = 3.0 * (before * before * way + after * after * next) - before * rows[i - 1].velocity;
            factors[i] = after / pivot;
            rows[i].velocity = right / pivot;
        }
        for i in (1..rows.len().saturating_sub(1)).rev() {
            rows[i].velocity = rows[i].velocity - factors[i] * rows[i + 1].velocity;
        }
    }

    fn valid(self) -> Result<Self, DemError> {
        match self.fault() {
            Some((parameter, range, value)) => Err(DemError::InvalidParameter { parameter, range, value }),
            None => Ok(self),
        }
    }

    pub(super) fn check(&self, wall: usize) -> Result<(), DemError> {
        match self.fault() {
            Some((parameter, range, value)) => {
                Err(DemError::Wall(WallError::InvalidWall { wall, parameter, range, value }))
            }
            None => Ok(()),
        }
    }

    fn fault(&self) -> Option<(&'static str, &'static str, f64)> {
        let times = "times of a table of motion";
        match self.rows.first() {
            None => return Some(("number of rows of a table of motion", "one at least", 0.0)),
            Some(first) if first.time.abs() > 0.0 || first.time.is_nan() => {
                return Some((times, "ascending from zero", first.time));
            }
            Some(_) => {}
        }
        let ascends = |pair: &&[Row]| !(pair[1].time > pair[0].time && pair[1].time.is_finite());
        if let Some(pair) = self.rows.windows(2).find(ascends) {
            return Some((times, "ascending from zero", pair[1].time));
        }
        let mut values = self.rows.iter().flat_map(|row| [row.displacement, row.velocity]).flat_map(|v| v.to_array());
        let value = values.find(|value| !value.is_finite())?;
        Some(("values of a table of motion", "finite", value))
    }

    pub(super) fn at(&self, elapsed: f64) -> [DVec3; 2] {
        let next = self.rows.partition_point(|row| row.time <= elapsed);
        let Some(start) = next.checked_sub(1).map(|index| self.rows[index]) else {
            // Before the motion begins, such as in the middle of the previous step, the wall has the first velocity.
            return self.rows.first().map_or([DVec3::ZERO; 2], |row| [elapsed * row.velocity, row.velocity]);
        };
        let since = elapsed - start.time;
        let Some(end) = self.rows.get(next) else {
            return [start.displacement + since * start.velocity, start.velocity];
        };
        let length = end.time - start.time;
        let way = end.displacement - start.displacement;
        let s = since / length;
        let displacement = start.displacement
            + s * s * (3.0 - 2.0 * s) * way
            + length * s * (1.0 - s) * ((1.0 - s) * start.velocity - s * end.velocity);
        let velocity = 6.0 * s * (1.0 - s) / length * way
            + (1.0 - s) * (1.0 - 3.0 * s) * start.velocity
            + s * (3.0 * s - 2.0) * end.velocity;
        [displacement, velocity]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_linear_between_rows_and_positions_their_integral() {
        let rows = [(0.0, DVec3::X), (1.0, 3.0 * DVec3::X), (2.0, DVec3::ZERO)];
        let table = MotionTable::of_velocities(rows).unwrap();
        for (time, displacement, velocity) in
            [(0.0, 0.0, 1.0), (0.5, 0.75, 2.0), (1.0, 2.0, 3.0), (1.5, 3.125, 1.5), (2.0, 3.5, 0.0), (9.0, 3.5, 0.0)]
        {
            let [x, v] = table.at(time);
            assert!((x.x - displacement).abs() < 1e-14 && (v.x - velocity).abs() < 1e-14, "{time}: {x} {v}");
        }
    }

    #[test]
    fn positions_are_met_with_continuous_accelerations_from_rest_to_rest() {
        let rows = [(0.0, 5.0), (0.4, 5.3), (1.0, 5.1), (1.7, 6.0)];
        let table = MotionTable::of_positions(rows.map(|(time, y)| (time, y * DVec3::Y))).unwrap();
        for (time, y) in rows {
            assert!((table.at(time)[0].y - (y - 5.0)).abs() < 1e-14);
        }
        assert!(table.at(0.0)[1].length() < 1e-14 && table.at(1.7)[1].length() < 1e-14);
        let h = 1e-5;
        let acceleration = |time: f64| (table.at(time + h)[1] - table.at(time)[1]).y / h;
        for time in [0.4, 1.0] {
            assert!((acceleration(time) - acceleration(time - h)).abs() < 1e-2, "{time}");
        }
        let slope = (table.at(0.7 + h)[0] - table.at(0.7 - h)[0]) / (2.0 * h);
        assert!((slope - table.at(0.7)[1]).length() < 1e-8);
    }

    #[test]
    fn tables_without_meaning_are_refused() {
        let refused = |rows: Vec<(f64, DVec3)>| MotionTable::of_velocities(rows).is_err();
        assert!(refused(vec![]) && refused(vec![(1.0, DVec3::ZERO)]));
        assert!(refused(vec![(0.0, DVec3::ZERO), (0.0, DVec3::ZERO)]) && refused(vec![(0.0, DVec3::NAN)]));
        assert!(refused(vec![(0.0, DVec3::ZERO), (f64::INFINITY, DVec3::ZERO)]));
        assert!(MotionTable::of_positions([(0.0, DVec3::X), (-1.0, DVec3::X)]).is_err());
    }
}
