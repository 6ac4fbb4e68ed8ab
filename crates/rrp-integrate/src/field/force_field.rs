use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::{FieldError, IntegrateError};

/// A field of forces and torques on bodies.
///
/// A field may have history, such as friction springs, work done so far or neighbour lists. Then it obeys two rules:
///
/// 1. [`accumulate`](Self::accumulate) reads *committed* history and writes *pending* history. An integrator may call
///    it any number of times, also at states that it rejects; each call starts from the committed history.
/// 2. [`commit`](Self::commit) is called after a step that succeeds, and makes the pending history of the last
///    `accumulate` the committed one. A failed step does not commit.
///
/// A step starts from the wrenches with which the last step ended. After changing a field or its parameters, call
/// [`State::discard_wrenches`]; otherwise the first half kick still uses the old forces.
///
/// Update neighbour lists inside `accumulate`, which is called for every state whose forces are needed, so that no
/// contact is missed. Energies and other readings take `&self`, so they cannot change a trajectory.
pub trait ForceField {
    /// Adds the forces and torques at `state` to `out`.
    ///
    /// `elapsed` (s) is the time of `state` since the last [`commit`](Self::commit): the step length inside a step,
    /// zero before a step from a state without [wrenches](State::wrenches). Inside a step with two half kicks, `state`
    /// has the positions of the end of the step but the velocities and angular momenta of its middle; in the maps
    /// `[BG21]` (26) and (27) all are those of the end.
    ///
    /// # Errors
    /// The error of the field, boxed. The step then fails and changes nothing.
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError>;

    /// Makes the pending history of the last [`accumulate`](Self::accumulate) the committed one.
    fn commit(&mut self) {}

    /// Calls `show` with the numbers of both bodies for each pair whose contact this field replaces, for example by a
    /// tie, which holds both bodies together.
    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        let _ = show;
    }

    /// Whether this field exerts a contact force between two given bodies once they touch. A sum of fields refuses a
    /// pair that has a contact in one field and is [replaced](Self::each_replaced_pair) by another field.
    fn has_contact(&self, pair: [usize; 2]) -> bool {
        let _ = pair;
        false
    }
}

/// Checks that no pair of bodies has both a contact in `contacts` and a replacement of contacts, such as a tie, in
/// `ties`.
///
/// # Errors
/// [`IntegrateError::ContactReplacedTwice`], boxed, with the first such pair.
pub(crate) fn check_replaced<T: ForceField + ?Sized, C: ForceField + ?Sized>(
    ties: &T,
    contacts: &C,
) -> Result<(), FieldError> {
    let mut twice = None;
    ties.each_replaced_pair(&mut |pair| {
        if twice.is_none() && contacts.has_contact(pair) {
            twice = Some(pair);
        }
    });
    twice.map_or(Ok(()), |pair| Err(IntegrateError::ContactReplacedTwice { pair }.into()))
}

/// A force field that is the negative gradient of an energy.
pub trait Potential: ForceField {
    /// Potential energy of all bodies at `state` in J.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64;
}
