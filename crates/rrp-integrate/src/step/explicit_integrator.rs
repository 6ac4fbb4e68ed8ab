use rrp_parallel::ExactSum;

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::step::damped::Damped;
use crate::step::explicit::Explicit;
use crate::step::integrator::{Integrator, Scheme, StepReport};

/// An explicit map with its time step, with [`GlobalDamping`](crate::step::GlobalDamping) or without.
#[derive(Debug, Clone)]
pub enum ExplicitIntegrator {
    /// An explicit map without damping.
    Undamped(Box<Explicit>),
    /// An explicit map with global damping.
    Damped(Box<Damped>),
}

impl From<Explicit> for ExplicitIntegrator {
    fn from(map: Explicit) -> Self {
        Self::Undamped(Box::new(map))
    }
}

impl From<Damped> for ExplicitIntegrator {
    fn from(map: Damped) -> Self {
        Self::Damped(Box::new(map))
    }
}

impl ExplicitIntegrator {
    /// Energy in J that damping has taken so far, see [`Damped::work`]; zero without damping.
    #[must_use]
    pub fn work_of_damping(&self) -> f64 {
        match self {
            Self::Undamped(_) => 0.0,
            Self::Damped(map) => map.work(),
        }
    }

    /// Energy in J that damping took in the last step, see [`Damped::last_loss`]; `None` without damping.
    #[must_use]
    pub fn last_loss(&self) -> Option<&ExactSum> {
        match self {
            Self::Undamped(_) => None,
            Self::Damped(map) => Some(map.last_loss()),
        }
    }
}

impl Integrator for ExplicitIntegrator {
    fn scheme(&self) -> Scheme {
        match self {
            Self::Undamped(map) => map.scheme(),
            Self::Damped(map) => map.scheme(),
        }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        match self {
            Self::Undamped(map) => map.step(bodies, field, state),
            Self::Damped(map) => map.step(bodies, field, state),
        }
    }
}
