//! A plane that bridges reach.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::bridge::BridgeError;
use crate::neighbor::domain::Domain;
use crate::wall::placed::check_finite;

/// A plane at rest that bridges reach. It carries no liquid: a bridge takes that of its body, which gets it back.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WetPlane {
    /// A point of it in m.
    pub point: DVec3,
    /// Its normal towards the bodies, of any length.
    pub normal: DVec3,
}

impl WetPlane {
    /// The same with a unit normal, if it can be in `domain` as the plane of this number.
    pub(super) fn checked(self, plane: usize, domain: &Domain) -> Result<Self, DemError> {
        let Self { point, normal } = self;
        check_finite(plane, [("point", point), ("normal", normal)])?;
        let unit = normal.normalize_or_zero();
        if unit == DVec3::ZERO {
            return Err(DemError::Bridge(BridgeError::PlaneWithoutNormal { plane }));
        }
        let periods = domain.periods();
        match (0..3).find(|&axis| periods[axis] > 0.0 && unit[axis].abs() > 1e-12) {
            Some(axis) => Err(DemError::Bridge(BridgeError::PlaneAcrossPeriod { plane, axis })),
            None => Ok(Self { point, normal: unit }),
        }
    }
}
