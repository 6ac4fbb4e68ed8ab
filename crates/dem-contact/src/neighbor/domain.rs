//! The domain of the bodies: a box whose sides are periodic, closed or open.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::list::ListError;

/// The kind of the two sides of a domain in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Boundary {
    /// Bodies at one side touch the images of bodies at the other side.
    Periodic,
    /// A centre beyond a side is an error, which is found when it is half a skin beyond at the latest.
    Closed,
    /// There is no side: the domain extends to infinity.
    Open,
}

/// A box along the world axes with a [`Boundary`] for each direction.
///
/// Positions of bodies are never wrapped: a body that has crossed a period L twice is at x + 2 L, so its path can be
/// read from the state. Separations take the nearest image.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "stored::StoredDomain"))]
pub struct Domain {
    low: DVec3,
    high: DVec3,
    boundary: [Boundary; 3],
}

impl Domain {
    /// All of space.
    pub const OPEN: Self = Self { low: DVec3::ZERO, high: DVec3::ONE, boundary: [Boundary::Open; 3] };

    /// The box from `low` to `high` (m); in open directions the two only have to be in order.
    ///
    /// # Errors
    /// [`ListError::InvalidDomain`](crate::error::ListError::InvalidDomain) unless `low` and `high` are finite and
    /// `low` is below `high` in each direction.
    pub fn new(low: DVec3, high: DVec3, boundary: [Boundary; 3]) -> Result<Self, DemError> {
        if low.is_finite() && high.is_finite() && (high - low).is_finite() && low.cmplt(high).all() {
            return Ok(Self { low, high, boundary });
        }
        Err(DemError::List(ListError::InvalidDomain { low, high }))
    }

    /// Lower corner in m.
    #[must_use]
    pub fn low(&self) -> DVec3 {
        self.low
    }

    /// Upper corner in m.
    #[must_use]
    pub fn high(&self) -> DVec3 {
        self.high
    }

    /// The boundary in each direction.
    #[must_use]
    pub fn boundary(&self) -> [Boundary; 3] {
        self.boundary
    }

    /// Whether any direction is periodic.
    #[must_use]
    pub fn is_periodic(&self) -> bool {
        self.boundary.contains(&Boundary::Periodic)
    }

    /// From `a` to the nearest image of `b`, in m.
    #[must_use]
    pub fn separation(&self, a: DVec3, b: DVec3) -> DVec3 {
        let (difference, periods) = (b - a, self.periods());
        // Only where periodic: elsewhere the quotient may overflow.
        DVec3::from_array(std::array::from_fn(|c| match periods[c] {
            period if period > 0.0 => difference[c] - period * (difference[c] / period).round(),
            _ => difference[c],
        }))
    }

    /// How many periods `position` (m) is from the domain in each direction; zero in directions that are not periodic.
    #[must_use]
    pub fn image(&self, position: DVec3) -> [i32; 3] {
        std::array::from_fn(|c| {
            let inside = self.low[c] <= position[c] && position[c] < self.high[c];
            if inside || self.boundary[c] != Boundary::Periodic {
                return 0;
            }
            ((position[c] - self.low[c]) / (self.high[c] - self.low[c])).floor() as i32
        })
    }

    /// Lengths of the periodic directions in m, zero for the others.
    #[must_use]
    pub fn periods(&self) -> DVec3 {
        let length = self.high - self.low;
        DVec3::from_array(std::array::from_fn(|c| if self.boundary[c] == Boundary::Periodic { length[c] } else { 0.0 }))
    }

    /// The image of a position that is inside the domain.
    pub(crate) fn inside(&self, position: DVec3) -> DVec3 {
        let [x, y, z] = self.image(position).map(f64::from);
        position - self.periods() * DVec3::new(x, y, z)
    }

    /// Checks that the position (m) of a body is finite and not beyond a closed side.
    pub(crate) fn check_position(&self, body: usize, position: DVec3) -> Result<(), DemError> {
        if !position.is_finite() {
            return Err(DemError::List(ListError::PositionNotFinite { body, position }));
        }
        for direction in 0..3 {
            let (low, high) = (self.low[direction], self.high[direction]);
            if self.boundary[direction] == Boundary::Closed && !(low..=high).contains(&position[direction]) {
                return Err(DemError::List(ListError::OutsideDomain { body, position, direction, low, high }));
            }
        }
        Ok(())
    }

    /// Checks that a position (m) could be [wrapped](Self::inside): so far away that images cannot be counted, it could
    /// not.
    pub(crate) fn check_wrapped(&self, body: usize, position: DVec3, wrapped: DVec3) -> Result<(), DemError> {
        let periods = self.periods();
        for direction in 0..3 {
            let (low, high, period) = (self.low[direction], self.high[direction], periods[direction]);
            // Rounding may lead a little beyond a side.
            let is_inside = (low - 0.1 * period..=high + 0.1 * period).contains(&wrapped[direction]);
            if period > 0.0 && !is_inside {
                return Err(DemError::List(ListError::OutsideDomain { body, position, direction, low, high }));
            }
        }
        Ok(())
    }

    /// Checks that two bodies closer than `cutoff` (m) are so through one image only.
    pub(crate) fn check_cutoff(&self, cutoff: f64) -> Result<(), DemError> {
        for direction in 0..3 {
            let length = self.high[direction] - self.low[direction];
            if self.boundary[direction] == Boundary::Periodic && 2.0 * cutoff > length {
                return Err(DemError::List(ListError::CutoffTooLarge { cutoff, length, direction }));
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod stored {
    use rrp_geom::glam::DVec3;

    use crate::error::DemError;
    use crate::neighbor::domain::{Boundary, Domain};

    /// A domain as it is stored, to be checked on the way in.
    #[derive(serde::Deserialize)]
    pub(super) struct StoredDomain {
        low: DVec3,
        high: DVec3,
        boundary: [Boundary; 3],
    }

    impl TryFrom<StoredDomain> for Domain {
        type Error = DemError;

        fn try_from(stored: StoredDomain) -> Result<Self, DemError> {
            Self::new(stored.low, stored.high, stored.boundary)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_is_to_the_nearest_image_of_periodic_directions_only() {
        let boundary = [Boundary::Periodic, Boundary::Closed, Boundary::Open];
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(10.0), boundary).unwrap();
        let separation = domain.separation(DVec3::splat(0.5), DVec3::splat(9.5));
        assert!((separation - DVec3::new(-1.0, 9.0, 9.0)).length() < 1e-14);
        assert_eq!(domain.image(DVec3::new(-0.1, -0.1, 25.0)), [-1, 0, 0]);
        assert_eq!(domain.image(DVec3::new(25.0, 0.0, 0.0)), [2, 0, 0]);
        let tiny = Domain::new(DVec3::ZERO, DVec3::splat(1e-10), [Boundary::Open; 3]).unwrap();
        assert_eq!(tiny.separation(DVec3::ZERO, DVec3::splat(1e300)), DVec3::splat(1e300));
    }

    #[test]
    fn bad_boxes_are_refused() {
        for high in [DVec3::ZERO, DVec3::new(1.0, 1.0, -1.0), DVec3::new(1.0, f64::NAN, 1.0), DVec3::INFINITY] {
            assert!(matches!(
                Domain::new(DVec3::ZERO, high, [Boundary::Open; 3]),
                Err(DemError::List(ListError::InvalidDomain { .. }))
            ));
        }
    }
}
