//! The tangential laws without memory as one type, so that contacts are compiled once for all of them.

use dem_contact::law::{ContactKinematics, CoulombViscous, TangentialJacobian, TangentialLaw, Viscous};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

/// A tangential law without memory. Without a law contacts are evaluated without tangents, whatever this type is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Memoryless {
    Frictionless,
    Viscous(Viscous),
    CoulombViscous(CoulombViscous),
}

impl TangentialLaw for Memoryless {
    type History = ();

    #[inline]
    fn force(&self, slip: &ContactKinematics, memory: &mut ()) -> DVec3 {
        match self {
            Self::Frictionless => DVec3::ZERO,
            Self::Viscous(law) => law.force(slip, memory),
            Self::CoulombViscous(law) => law.force(slip, memory),
        }
    }

    fn slope(&self, slip: &ContactKinematics, memory: &()) -> TangentialJacobian {
        match self {
            Self::Frictionless => TangentialJacobian::default(),
            Self::Viscous(law) => law.slope(slip, memory),
            Self::CoulombViscous(law) => law.slope(slip, memory),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Frictionless => false,
            Self::Viscous(law) => law.is_active(),
            Self::CoulombViscous(law) => law.is_active(),
        }
    }
}
