//! A force field whose steps fail if the time step is too long.

use std::num::NonZeroU32;

use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches, kinetic_energy};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::positive;

/// Force field whose steps fail with [`ContactError::EnergyExploded`](crate::error::ContactError::EnergyExploded) when
/// the energy grows without a source.
///
/// A body that passes through a contact within a few steps gains energy. Every `every` steps the guard compares the sum
/// of kinetic and potential energy with that of the first state that it evaluated; damping can only decrease the sum. A
/// step fails if the excess is more than a fraction of the largest kinetic energy so far. (The present kinetic energy
/// is no measure: it is zero for a ball at the top of its flight.) The guard changes no force. Moving walls and driven
/// bodies add energy: use a [`Ledger`](crate::force::ledger::Ledger) there instead.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnergyGuard<F> {
    field: F,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    margin: f64,
    every: NonZeroU32,
    steps: u32,
    start: Option<f64>,
    largest_kinetic: f64,
}

impl<F> EnergyGuard<F> {
    /// Makes a guard that checks the energy of `field` every `every` steps. `margin` is the largest permitted excess of
    /// energy, as a fraction of the largest kinetic energy so far; try 0.5.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are positive and `margin` is finite.
    pub fn new(field: F, margin: f64, every: u32) -> Result<Self, DemError> {
        let parameter = "the number of steps between checks";
        let range = "positive";
        let value = f64::from(every);
        let every = NonZeroU32::new(every).ok_or(DemError::InvalidParameter { parameter, range, value })?;
        Ok(Self { field, margin: positive("the margin", margin)?, every, steps: 0, start: None, largest_kinetic: 0.0 })
    }

    /// Force field that the guard wraps.
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
        if energy.is_finite() {
            self.largest_kinetic = self.largest_kinetic.max(kinetic);
        }
        // The second term allows for the rounding of large potentials.
        let allowed = self.margin * self.largest_kinetic + 1e-9 * (start.abs() + (energy - kinetic).abs());
        if energy - start <= allowed {
            return Ok(());
        }
        Err(DemError::Contact(ContactError::EnergyExploded {
            time: state.time(),
            energy,
            start,
            kinetic: self.largest_kinetic,
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

    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        self.field.each_replaced_pair(show);
    }

    fn has_contact(&self, pair: [usize; 2]) -> bool {
        self.field.has_contact(pair)
    }
}

impl<F: Potential> Potential for EnergyGuard<F> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.field.energy(bodies, state)
    }
}
