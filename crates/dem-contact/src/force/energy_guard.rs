//! An alarm for time steps that are too long.

use std::num::NonZeroU32;

use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches, kinetic_energy};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::positive;

/// A field whose steps fail with [`ContactError::EnergyExploded`](crate::error::ContactError::EnergyExploded) once energy comes from nowhere.
///
/// Contacts that are passed through within a few steps give bodies more energy than they had. Every few steps the guard
/// compares kinetic and potential energy with those of the first state it saw; damping can only lower them. It gives
/// the alarm when the excess is more than a share of the present kinetic energy. It changes no force. Moving walls and
/// driven bodies do put energy in: a run with these needs no guard, but a [`Ledger`](crate::force::ledger::Ledger).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyGuard<F> {
    field: F,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    margin: f64,
    every: NonZeroU32,
    steps: u32,
    start: Option<f64>,
}

impl<F> EnergyGuard<F> {
    /// Looks at `field` every `every` steps; `margin` is the share of the kinetic energy that may be in excess, 0.5 say.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are positive and `margin` is finite.
    pub fn new(field: F, margin: f64, every: u32) -> Result<Self, DemError> {
        let (parameter, range, value) = ("the number of steps between checks", "positive", f64::from(every));
        let every = NonZeroU32::new(every).ok_or(DemError::InvalidParameter { parameter, range, value })?;
        Ok(Self { field, margin: positive("the margin", margin)?, every, steps: 0, start: None })
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &F {
        &self.field
    }
}

impl<F: Potential> EnergyGuard<F> {
    fn check(&mut self, bodies: &Bodies, state: &State) -> Result<(), DemError> {
        let kinetic = kinetic_energy(bodies, state).total();
        let energy = kinetic + self.field.energy(bodies, state);
        let start = *self.start.get_or_insert(energy);
        // The second term is what rounding of large potentials may bring.
        let allowed = self.margin * kinetic + 1e-9 * (start.abs() + (energy - kinetic).abs());
        if energy - start <= allowed {
            return Ok(());
        }
        Err(DemError::Contact(ContactError::EnergyExploded {
            time: state.time(),
            energy,
            start,
            kinetic,
            margin: self.margin,
        }))
    }
}

impl<F: Potential> ForceField for EnergyGuard<F> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.field.accumulate(bodies, state, elapsed, out)?;
        if self.start.is_none() || self.steps.is_multiple_of(self.every.get()) {
            self.check(bodies, state)?;
        }
        Ok(())
    }

    fn commit(&mut self) {
        self.steps = (self.steps % self.every + 1) % self.every;
        self.field.commit();
    }
}

impl<F: Potential> Potential for EnergyGuard<F> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.field.energy(bodies, state)
    }
}
