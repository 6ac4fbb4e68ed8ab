//! Target values of servos as functions of time.

use crate::error::DemError;
use crate::error::parameter::finite;

/// Target value of a servo as a table over the time since the servo began: linear between two rows, constant after the
/// last row. A schedule made from a number is constant.
///
/// ```
/// # use dem_contact::wall::Schedule;
/// let ramp = Schedule::new([[0.0, 100.0], [2.0, 500.0]])?;
/// assert_eq!([0.5, 2.0, 9.0].map(|elapsed| ramp.at(elapsed)), [200.0, 500.0, 500.0]);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Schedule {
    rows: Vec<[f64; 2]>,
}

impl From<f64> for Schedule {
    fn from(value: f64) -> Self {
        Self { rows: vec![[0.0, value]] }
    }
}

impl Schedule {
    /// Makes a schedule from rows of a time (s) and a target value. The times ascend from zero, when the servo begins.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for a table without rows, and for times or values that are not finite or not in
    /// order.
    pub fn new(rows: impl IntoIterator<Item = [f64; 2]>) -> Result<Self, DemError> {
        let rows: Vec<[f64; 2]> = rows.into_iter().collect();
        let times = |value| DemError::InvalidParameter {
            parameter: "times of a table of a servo",
            range: "ascending from zero",
            value,
        };
        let Some(&[first, _]) = rows.first() else {
            let parameter = "number of rows of a table of a servo";
            return Err(DemError::InvalidParameter { parameter, range: "one at least", value: 0.0 });
        };
        if first.abs() > 0.0 || first.is_nan() {
            return Err(times(first));
        }
        let ascends = |pair: &&[[f64; 2]]| pair[1][0] > pair[0][0] && pair[1][0].is_finite();
        if let Some(pair) = rows.windows(2).find(|pair| !ascends(pair)) {
            return Err(times(pair[1][0]));
        }
        rows.iter().try_for_each(|&[_, value]| finite("a value that is wanted of a servo", value).map(drop))?;
        Ok(Self { rows })
    }

    /// Target value of the servo at the time `elapsed` (s) after the servo began.
    #[must_use]
    pub fn at(&self, elapsed: f64) -> f64 {
        let next = self.rows.partition_point(|&[time, _]| time <= elapsed);
        let before = self.rows.get(next.saturating_sub(1)).copied();
        match (before, self.rows.get(next)) {
            (Some([start, from]), Some(&[end, to])) if next > 0 => {
                from + (to - from) * ((elapsed - start) / (end - start))
            }
            (Some([_, value]), _) | (None, Some(&[_, value])) => value,
            (None, None) => 0.0,
        }
    }

    /// Whether the target value stays constant from the time `elapsed` (s) after the servo began.
    #[must_use]
    pub fn is_over(&self, elapsed: f64) -> bool {
        self.rows.last().is_none_or(|&[time, _]| time <= elapsed)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().map(|&[_, value]| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_linear_between_rows_and_constant_beyond() {
        let table = Schedule::new([[0.0, 1.0], [1.0, 3.0], [1.5, -1.0]]).unwrap();
        for (elapsed, value) in
            [(-1.0, 1.0), (0.0, 1.0), (0.25, 1.5), (1.0, 3.0), (1.25, 1.0), (1.5, -1.0), (7.0, -1.0)]
        {
            assert!((table.at(elapsed) - value).abs() < 1e-15, "{elapsed}: {}", table.at(elapsed));
        }
        assert!(!table.is_over(1.4) && table.is_over(1.5));
        assert!(Schedule::from(2.0).is_over(0.0));
        assert!((Schedule::from(2.0).at(3.0) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn tables_without_meaning_are_refused() {
        for rows in [vec![], vec![[1.0, 0.0]], vec![[0.0, 1.0], [0.0, 2.0]], vec![[0.0, f64::NAN]]] {
            assert!(Schedule::new(rows.clone()).is_err(), "{rows:?}");
        }
        assert!(Schedule::new([[0.0, 1.0], [f64::INFINITY, 2.0]]).is_err());
        assert!(Schedule::new([[0.0, 1.0], [f64::NAN, 2.0]]).is_err());
    }
}
