//! All tangential laws as one type: what resistance to rolling and twisting is put beside.

use dem_contact::law::{ContactKinematics, LeverArm, TangentialLaw};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

use super::memoryless::Memoryless;
use super::sprung::Sprung;

/// Any tangential law; those without memory leave it at zero.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Slipping {
    Memoryless(Memoryless),
    Sprung(Sprung),
}

impl TangentialLaw for Slipping {
    type History = DVec3;

    #[inline]
    fn force(&self, slip: &ContactKinematics, memory: &mut DVec3) -> DVec3 {
        match self {
            Self::Memoryless(law) => law.force(slip, &mut ()),
            Self::Sprung(law) => law.force(slip, memory),
        }
    }

    fn stored_energy(&self, slip: &ContactKinematics, memory: &DVec3) -> f64 {
        match self {
            Self::Memoryless(_) => 0.0,
            Self::Sprung(law) => law.stored_energy(slip, memory),
        }
    }

    fn lever(&self) -> LeverArm {
        match self {
            Self::Memoryless(law) => law.lever(),
            Self::Sprung(law) => law.lever(),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Memoryless(law) => law.is_active(),
            Self::Sprung(law) => law.is_active(),
        }
    }
}
