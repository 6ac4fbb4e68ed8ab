//! The contract between forces and steps.

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::body::wrenches::Wrenches;
use crate::error::{FieldError, IntegrateError};

/// A field of forces and torques on bodies.
///
/// A field may have history: friction springs, work done so far, neighbour lists. The contract with the integrator:
///
/// 1. [`accumulate`](Self::accumulate) reads *committed* history and writes *pending* history. It may be repeated at
///    will, also at states that a step rejects; each call starts again from the committed history.
/// 2. [`commit`](Self::commit) is called once a step succeeds: the pending history of the last `accumulate` becomes the
///    committed one. A step that fails never commits.
///
/// A step starts from the wrenches that the last one ended with. After a change of a parameter of a field, or of the
/// field, call [`State::discard_wrenches`]; else the first half kick is by the old field.
///
/// Update neighbour lists inside `accumulate`: it is called for every state whose forces are needed, so no contact of
/// that state is missed. Energies and other readings take `&self`, and so cannot change a trajectory.
pub trait ForceField {
    /// Adds the forces and torques at `state` to `out`.
    ///
    /// `elapsed` (s) is the time of `state` since the last [`commit`](Self::commit): the step length inside a step,
    /// zero before a step from a state without [wrenches](State::wrenches). Inside a step with two half kicks, `state`
    /// has the new positions and the velocities and angular momenta of the middle of the step; in steps of the maps
    /// `[BG21]` (26) and (27), those of the end of the step.
    ///
    /// # Errors
    /// The error type of the field, boxed. The step then fails and changes nothing.
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError>;

    /// Makes the pending history of the last [`accumulate`](Self::accumulate) the committed one.
    fn commit(&mut self) {}

    /// Calls `show` with the numbers of each pair of bodies whose contact this field replaces, for example by a tie.
    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        let _ = show;
    }

    /// Whether this field has a contact force between two given bodies once they touch. A sum of fields refuses pairs
    /// that have a contact in one field and are [replaced](Self::each_replaced_pair) by another.
    fn has_contact(&self, pair: [usize; 2]) -> bool {
        let _ = pair;
        false
    }
}

/// Checks that no pair of bodies whose contact the field `ties` replaces has a contact in the field `contacts`.
///
/// # Errors
/// [`IntegrateError::ContactReplacedTwice`], boxed, with the first pair that has a contact and a tie.
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
