//! Bodies that nothing moves.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::DemError;

/// A field that exerts no force and no torque on some bodies: these keep their velocity and spin, zero above all.
///
/// It goes around all fields of a run. [`ContactForce::with_frozen`](crate::ContactForce::with_frozen) gives the same
/// bodies infinite mass in contacts.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frozen<F> {
    field: F,
    bodies: Vec<usize>,
}

impl<F> Frozen<F> {
    /// `field` without its action on `bodies`.
    #[must_use]
    pub fn new(field: F, bodies: impl IntoIterator<Item = usize>) -> Self {
        Self { field, bodies: bodies.into_iter().collect() }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The bodies that it does not act on.
    #[must_use]
    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }
}

impl<F: ForceField> ForceField for Frozen<F> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        if let Some(&body) = self.bodies.iter().find(|&&body| body >= out.len()) {
            return Err(Box::new(DemError::NoSuchBody { body, bodies: out.len() }));
        }
        self.field.accumulate(bodies, state, elapsed, out)?;
        for &body in &self.bodies {
            out.force.set(body, DVec3::ZERO);
            out.torque.set(body, DVec3::ZERO);
        }
        Ok(())
    }

    fn commit(&mut self) {
        self.field.commit();
    }
}

impl<F: Potential> Potential for Frozen<F> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.field.energy(bodies, state)
    }
}
