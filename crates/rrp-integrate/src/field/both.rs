use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential, check_replaced};

/// Sum of two fields of different types, evaluated in order, such as gravity and contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Both<A, B>(
    /// The field that is evaluated first.
    pub A,
    /// The field that is evaluated second.
    pub B,
);

impl<A: ForceField, B: ForceField> ForceField for Both<A, B> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        check_replaced(&self.0, &self.1)?;
        check_replaced(&self.1, &self.0)?;
        self.0.accumulate(bodies, state, elapsed, out)?;
        self.1.accumulate(bodies, state, elapsed, out)
    }

    fn commit(&mut self) {
        self.0.commit();
        self.1.commit();
    }

    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        self.0.each_replaced_pair(show);
        self.1.each_replaced_pair(show);
    }

    fn has_contact(&self, pair: [usize; 2]) -> bool {
        self.0.has_contact(pair) || self.1.has_contact(pair)
    }
}

impl<A: Potential, B: Potential> Potential for Both<A, B> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.0.energy(bodies, state) + self.1.energy(bodies, state)
    }
}
