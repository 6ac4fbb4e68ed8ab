//! Gates: planes or regions that report which grains are beyond them, and which have just passed.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::source::region::Region;
use crate::wall::images::whole_numbers;

/// Plane or region of a gate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum GateShape {
    /// A plane not across a periodic direction, which grains pass from front to back.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ plane = { point = [0.0, 0.0, -0.1], normal = [0.0, 0.0, 1.0] } }")))]
    Plane {
        /// A point of the plane in m.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("unit" = "m", "toml" = "[0.0, 0.0, -0.1]")))]
        point: DVec3,
        /// Normal of the plane, of any length, against the direction in which grains pass.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("toml" = "[0.0, 0.0, 1.0]")))]
        normal: DVec3,
    },
    /// A box, which grains and their images enter.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ box = { low = [0.0, 0.0, -0.2], high = [0.1, 0.1, -0.1] } }")))]
    Box {
        /// Lower corner of the box in m.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("unit" = "m", "toml" = "[0.0, 0.0, -0.2]")))]
        low: DVec3,
        /// Upper corner of the box in m.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("unit" = "m", "toml" = "[0.1, 0.1, -0.1]")))]
        high: DVec3,
    },
    /// A cylinder, which grains and their images enter.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ cylinder = { point = [0.0, 0.0, -0.2], axis = [0.0, 0.0, 0.1], radius = 0.05 } }")))]
    Cylinder {
        /// Middle of the first end of the cylinder in m.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("unit" = "m", "toml" = "[0.0, 0.0, -0.2]")))]
        point: DVec3,
        /// Vector in m from the middle of the first end of the cylinder to that of the second end.
        #[cfg_attr(feature = "schema", schemars(with = "[f64; 3]", extend("unit" = "m", "toml" = "[0.0, 0.0, 0.1]")))]
        axis: DVec3,
        /// Radius of the cylinder in m.
        #[cfg_attr(feature = "schema", schemars(extend("unit" = "m", "toml" = "0.05")))]
        radius: f64,
    },
}

impl GateShape {
    /// Checks that the numbers of the gate are finite, and that its plane or region is well defined.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`].
    pub fn check(&self) -> Result<(), DemError> {
        let vectors = match *self {
            Self::Plane { point, normal } => [point, normal],
            Self::Box { low, high } => [low, high],
            Self::Cylinder { point, axis, .. } => [point, axis],
        };
        for value in vectors.into_iter().flat_map(|vector| vector.to_array()) {
            finite("each number of a gate", value)?;
        }
        match *self {
            Self::Plane { normal, .. } => positive("the length of the normal of a gate", normal.length()),
            Self::Box { low, high } => positive("the size of a gate", (high - low).min_element()),
            Self::Cylinder { axis, radius, .. } => {
                positive("the length of a gate", axis.length())?;
                positive("the radius of a gate", radius)
            }
        }
        .map(|_| ())
    }

    /// Whether a centre (m) is beyond the plane or in the region of the gate. Sides and ends of a box or a cylinder
    /// belong to the region, in contrast to measured parts ([`Extent`](crate::measure::Extent)), which share no point.
    #[must_use]
    pub fn holds(&self, center: DVec3) -> bool {
        match *self {
            Self::Plane { point, normal } => (center - point).dot(normal) < 0.0,
            Self::Box { low, high } => center.cmpge(low).all() && center.cmple(high).all(),
            Self::Cylinder { point, axis, radius } => {
                let along = (center - point).dot(axis) / axis.length_squared();
                let off = center - point - along * axis;
                (0.0..=1.0).contains(&along) && off.length_squared() <= radius * radius
            }
        }
    }

    /// Whether a periodic image of a centre (m) is beyond the plane or in the region of the gate. Images are `periods`
    /// (m) apart, zero in directions without images. A plane must be parallel to periodic directions: all images agree.
    #[must_use]
    pub fn holds_image(&self, center: DVec3, periods: DVec3) -> bool {
        if periods == DVec3::ZERO {
            return self.holds(center);
        }
        let [low, high] = match *self {
            Self::Plane { .. } => return self.holds(center),
            Self::Box { low, high } => [low, high],
            Self::Cylinder { point, axis, radius } => Region::Cylinder { point, axis, radius }.bounds(0.0),
        };
        // Only images in the box around the gate are tested.
        let range = |c: usize| match periods[c] {
            period if period > 0.0 => {
                [((center[c] - high[c]) / period).ceil(), ((center[c] - low[c]) / period).floor()]
            }
            _ => [0.0; 2],
        };
        let second = range(1);
        let third = range(2);
        whole_numbers(range(0)).any(|i| {
            whole_numbers(second)
                .any(|j| whole_numbers(third).any(|k| self.holds(center - periods * DVec3::new(i, j, k))))
        })
    }
}

/// Gate: a plane or region that remembers which grains were beyond it, to report grains that pass.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gate {
    shape: GateShape,
    /// Distances in m of periodic images of grains; zero in directions without images.
    periods: DVec3,
    /// Ids of the grains that were beyond the gate at the last [`look`](Self::look), ascending.
    beyond: Vec<u64>,
}

impl Gate {
    /// Makes a gate; `grains`, given as in [`look`](Self::look), that are beyond it now do not count as passing.
    /// `periods` (m) are the distances of periodic images of grains, zero in directions without images.
    ///
    /// # Errors
    /// Errors of [`GateShape::check`]; [`DemError::InvalidParameter`] for a plane across a periodic direction.
    pub fn new(
        shape: GateShape,
        periods: DVec3,
        grains: impl IntoIterator<Item = (u64, DVec3)>,
    ) -> Result<Self, DemError> {
        shape.check()?;
        if let GateShape::Plane { normal, .. } = shape {
            // Plane walls have the same tolerance.
            let normal = normal.normalize();
            if let Some(c) = (0..3).find(|&c| periods[c] > 0.0 && normal[c].abs() > 1e-12) {
                let parameter = "the normal of a gate along a periodic direction";
                let range = "zero";
                return Err(DemError::InvalidParameter { parameter, range, value: normal[c] });
            }
        }
        let mut gate = Self { shape, periods, beyond: Vec::new() };
        gate.look(grains);
        Ok(gate)
    }

    /// Compares the grains, given by ids in ascending order and by centres (m), with the last call. Returns the ids of
    /// grains that have come beyond the gate, and of grains that have gone back. Removed grains have not gone back.
    pub fn look(&mut self, grains: impl IntoIterator<Item = (u64, DVec3)>) -> [Vec<u64>; 2] {
        let (mut beyond, [mut came, mut back]) = (Vec::new(), [Vec::new(), Vec::new()]);
        let mut known = self.beyond.iter().peekable();
        for (id, center) in grains {
            while known.next_if(|&&known| known < id).is_some() {}
            let was = known.next_if_eq(&&id).is_some();
            let is_beyond = self.shape.holds_image(center, self.periods);
            match (was, is_beyond) {
                (false, true) => came.push(id),
                (true, false) => back.push(id),
                _ => {}
            }
            if is_beyond {
                beyond.push(id);
            }
        }
        self.beyond = beyond;
        [came, back]
    }

    /// Returns the ids of the grains that were beyond the gate at the last [`look`](Self::look), ascending.
    #[must_use]
    pub fn beyond(&self) -> &[u64] {
        &self.beyond
    }

    /// Returns the shape and position of the gate.
    #[must_use]
    pub fn shape(&self) -> &GateShape {
        &self.shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_grain_that_comes_or_goes_back_is_told_once() {
        let plane = GateShape::Plane { point: DVec3::Z, normal: DVec3::Z };
        let at = |heights: &[(u64, f64)]| heights.iter().map(|&(id, z)| (id, DVec3::Z * z)).collect::<Vec<_>>();
        let mut gate = Gate::new(plane, DVec3::ZERO, at(&[(1, 2.0), (4, 0.5), (7, 3.0)])).unwrap();
        assert_eq!(gate.beyond(), [4]);
        assert_eq!(gate.look(at(&[(1, 0.9), (4, 0.1), (7, 3.0)])), [vec![1], Vec::new()]);
        assert_eq!(gate.look(at(&[(1, 0.9), (4, 0.1), (7, 3.0)])), [Vec::<u64>::new(), Vec::new()]);
        // Grain 1 goes back, grain 4 is removed, and grain 9 is new and beyond the gate.
        assert_eq!(gate.look(at(&[(1, 1.5), (7, 3.0), (9, 0.0)])), [vec![9], vec![1]]);
        assert_eq!(gate.beyond(), [9]);
    }

    #[test]
    fn images_are_beyond_a_gate_too() {
        let periods = DVec3::new(3.0, 0.0, 2.0);
        // Both shapes reach over a periodic side.
        let cube = GateShape::Box { low: DVec3::new(2.5, 0.0, 0.0), high: DVec3::new(3.5, 1.0, 1.0) };
        let cylinder = GateShape::Cylinder { point: DVec3::new(2.5, 0.5, 0.5), axis: DVec3::X, radius: 0.5 };
        for shape in [cube, cylinder] {
            for (x, y, z, expected) in [
                (2.6, 0.5, 0.5, true),
                (0.4, 0.5, 0.5, true),
                (0.6, 0.5, 0.5, false),
                (9.4, 0.5, -7.5, true),
                (-2.9, 0.5, 0.5, true),
                (0.4, 3.5, 0.5, false),
                (0.4, 0.5, 1.5, false),
            ] {
                assert_eq!(shape.holds_image(DVec3::new(x, y, z), periods), expected, "{shape:?} {x} {y} {z}");
            }
        }
        let plane = |normal| GateShape::Plane { point: DVec3::ZERO, normal };
        assert!(Gate::new(plane(DVec3::new(1.0, 1.0, 0.0)), periods, []).is_err());
        assert!(Gate::new(plane(DVec3::Y), periods, []).is_ok());
    }

    #[test]
    fn shapes_hold_what_is_in_them() {
        let cylinder = GateShape::Cylinder { point: DVec3::X, axis: 2.0 * DVec3::Z, radius: 0.5 };
        assert!(cylinder.holds(DVec3::new(1.4, 0.2, 1.9)) && !cylinder.holds(DVec3::new(1.4, 0.4, 1.0)));
        assert!(!cylinder.holds(DVec3::new(1.0, 0.0, 2.1)) && !cylinder.holds(DVec3::new(1.0, 0.0, -0.1)));
        let cube = GateShape::Box { low: DVec3::ZERO, high: DVec3::ONE };
        assert!(cube.holds(DVec3::splat(0.5)) && !cube.holds(DVec3::new(0.5, 0.5, 1.5)));
        for wrong in [
            GateShape::Box { low: DVec3::ONE, high: DVec3::ZERO },
            GateShape::Plane { point: DVec3::NAN, normal: DVec3::Z },
            GateShape::Cylinder { point: DVec3::ZERO, axis: DVec3::ZERO, radius: 1.0 },
        ] {
            assert!(Gate::new(wrong, DVec3::ZERO, []).is_err(), "{wrong:?}");
        }
    }
}
