//! Whatever exerts forces and torques.

use crate::{Bodies, FieldError, State, Wrenches};

/// Something that exerts forces and torques on bodies.
///
/// A field may have memory: friction springs, work done so far, neighbour lists. The contract with the integrator:
///
/// 1. [`accumulate`](Self::accumulate) reads *committed* memory and writes *pending* memory, so it can be repeated at
///    will, at trial states too; each call starts again from what is committed.
/// 2. [`commit`](Self::commit) is called once a step is accepted: the pending memory of the last `accumulate` becomes
///    the committed one. A step that fails never commits.
///
/// A step starts from the wrenches that the last one ended with. Whoever changes a parameter of a field, or goes on with
/// another field, calls [`State::discard_wrenches`], or the first half kick is still the old field's.
///
/// Lists are kept up to date inside `accumulate`: it is called for every state whose forces are wanted, so no contact
/// of that state can be missed. Energies and other readings take `&self` and so cannot change a trajectory.
pub trait ForceField {
    /// Adds the forces and torques at `state` to `out`.
    ///
    /// `elapsed` (s) is the time between the state that the memory was committed at and `state`: the step length inside
    /// a step, zero where a state comes without wrenches. Inside a step of a map with two half kicks the velocities and angular momenta of
    /// `state` are those of the middle of the step, at the new positions; (26) and (27) show those of its end.
    ///
    /// # Errors
    /// The field's own error type, boxed; the step is then given up and nothing is changed.
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError>;

    /// Makes the pending memory of the last [`accumulate`](Self::accumulate) the committed one.
    fn commit(&mut self) {}
}

/// A force field that is the negative gradient of an energy.
pub trait Potential: ForceField {
    /// The potential energy at `state` in J.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64;
}
