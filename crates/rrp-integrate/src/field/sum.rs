use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::FieldError;
use crate::field::force_field::{ForceField, Potential, check_replaced};

/// Sum of several fields, evaluated in order: `Sum<dyn ForceField>` or, if each field has an energy, `Sum<dyn
/// Potential>`.
pub struct Sum<F: ?Sized>(
    /// The fields that act together, in the order of evaluation.
    pub Vec<Box<F>>,
);

impl<F: ?Sized> std::fmt::Debug for Sum<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sum of {} fields", self.0.len())
    }
}

impl<F: ForceField + ?Sized> ForceField for Sum<F> {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        for (number, ties) in self.0.iter().enumerate() {
            let mut others = self.0.iter().enumerate().filter(|(other, _)| *other != number);
            others.try_for_each(|(_, contacts)| check_replaced(&**ties, &**contacts))?;
        }
        self.0.iter_mut().try_for_each(|field| field.accumulate(bodies, state, elapsed, out))
    }

    fn commit(&mut self) {
        self.0.iter_mut().for_each(|field| field.commit());
    }

    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        self.0.iter().for_each(|field| field.each_replaced_pair(show));
    }

    fn has_contact(&self, pair: [usize; 2]) -> bool {
        self.0.iter().any(|field| field.has_contact(pair))
    }
}

impl<F: Potential + ?Sized> Potential for Sum<F> {
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.0.iter().map(|field| field.energy(bodies, state)).sum()
    }
}
