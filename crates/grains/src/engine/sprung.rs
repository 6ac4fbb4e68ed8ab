//! The tangential laws with a spring as one type, so that contacts are compiled once for all of them.

use dem_contact::law::{ContactKinematics, FrictionSpring, LeverArm, MindlinSpring, TangentialJacobian, TangentialLaw};
use rrp_geom::glam::DVec3;
use serde::{Deserialize, Serialize};

/// A tangential law whose contacts remember a spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Sprung {
    Linear(FrictionSpring),
    Mindlin(MindlinSpring),
}

impl TangentialLaw for Sprung {
    type History = DVec3;

    #[inline]
    fn force(&self, slip: &ContactKinematics, memory: &mut DVec3) -> DVec3 {
        match self {
            Self::Linear(law) => law.force(slip, memory),
            Self::Mindlin(law) => law.force(slip, memory),
        }
    }

    fn slope(&self, slip: &ContactKinematics, memory: &DVec3) -> TangentialJacobian {
        match self {
            Self::Linear(law) => law.slope(slip, memory),
            Self::Mindlin(law) => law.slope(slip, memory),
        }
    }

    fn stored_energy(&self, slip: &ContactKinematics, memory: &DVec3) -> f64 {
        match self {
            Self::Linear(law) => law.stored_energy(slip, memory),
            Self::Mindlin(law) => law.stored_energy(slip, memory),
        }
    }

    fn lever(&self) -> LeverArm {
        match self {
            Self::Linear(law) => law.lever(),
            Self::Mindlin(law) => law.lever(),
        }
    }

    fn is_active(&self) -> bool {
        match self {
            Self::Linear(law) => law.is_active(),
            Self::Mindlin(law) => law.is_active(),
        }
    }
}
