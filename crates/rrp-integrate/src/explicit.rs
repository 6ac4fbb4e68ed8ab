//! The explicit maps: kick, drift and turn, kick.

use crate::evaluation;
use crate::integrator::check_time_step;
use crate::kick_drift_kick::{Debt, KickDriftKick};
use crate::trial::Former;
use crate::{Bodies, ForceField, IntegrateError, Integrator, Scheme, State, StepReport, Turn};

/// The explicit maps of `[BG21]` and their relatives for bodies of any shape. One force evaluation per step each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Map {
    /// `[BG21] (23)`, which is (21) in world-frame variables: order 2, [`Turn::Legendre`], needs h|P| < 1.
    Legendre,
    /// `[BG21] (25)`, à la explicit Newmark: order 2, [`Turn::Cayley`]. The default choice for spheres.
    Newmark,
    /// `[BG21] (27)`, symplectic Euler: order 1, [`Turn::Cayley`] after one whole kick.
    SymplecticEuler,
    /// Velocity Verlet with quaternions: order 2, [`Turn::Exponential`], for comparison.
    VelocityVerlet,
    /// Bodies of any shape, order 2, [`Turn::Newton`]: a free body keeps energy and momentum to round-off.
    Newton,
    /// Bodies of any shape, order 2, [`Turn::CayleySplitting`]: explicit.
    CayleySplitting,
}

impl Map {
    /// The turn between the kicks.
    #[must_use]
    pub fn turn(self) -> Turn {
        match self {
            Self::Legendre => Turn::Legendre,
            Self::Newmark | Self::SymplecticEuler => Turn::Cayley,
            Self::VelocityVerlet => Turn::Exponential,
            Self::Newton => Turn::Newton,
            Self::CayleySplitting => Turn::CayleySplitting,
        }
    }

    /// Shares of h that the kicks before and after the turn take, equal ones if there are two.
    pub(crate) fn kicks(self) -> (f64, f64) {
        match self {
            Self::SymplecticEuler => (1.0, 0.0),
            _ => (0.5, 0.5),
        }
    }
}

/// An explicit map with its time step.
#[derive(Debug, Clone)]
pub struct Explicit {
    map: Map,
    dt: f64,
    /// What the last step started from, as far as it is needed to go back there.
    former: Former,
}

impl Explicit {
    /// `map` with the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`] unless `dt` is finite and positive.
    pub fn new(map: Map, dt: f64) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        Ok(Self { map, dt, former: Former::default() })
    }

    /// Takes `steps` steps, with the bits of as many calls of [`step`](Integrator::step): where nobody looks at the state
    /// in between, the kick that ends a step and the one that begins the next are taken in one pass over the bodies,
    /// which several threads with some thousand bodies gain by.
    ///
    /// The report is of all steps together. [`run`](crate::run) shows each state on the way, by any integrator.
    ///
    /// # Errors
    /// Those of [`step`](Integrator::step); the state and the committed memory of the field are then those after the last step that
    /// could be taken. After a panic in [`commit`](ForceField::commit) velocities and angular momenta may lack half a kick.
    pub fn run(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
        steps: usize,
    ) -> Result<StepReport, IntegrateError> {
        self.map.turn().check_inertia(bodies)?;
        state.check_columns(bodies)?;
        let Self { map, dt, former } = self;
        let step = KickDriftKick { map: *map, h: *dt, bodies };
        let (mut all, mut owed) = (StepReport { evaluations: 0, iterations: 0 }, false);
        for left in (0..steps).rev() {
            let fresh = evaluation::refresh(bodies, field, state)?;
            let taken = step.advance(field, state, former, Debt { owed, may_owe: left > 0 });
            // A state that came without wrenches leaves without if they may be what is wrong.
            state.wrenches_current &= taken.is_ok() || !fresh;
            owed = taken?;
            field.commit();
            all.evaluations += 1 + usize::from(fresh);
        }
        Ok(all)
    }
}

impl Integrator for Explicit {
    fn scheme(&self) -> Scheme {
        let first_order = self.map == Map::SymplecticEuler;
        Scheme { dt: self.dt, order: if first_order { 1 } else { 2 }, symplectic: true, reversible: !first_order }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        self.run(bodies, field, state, 1)
    }
}
