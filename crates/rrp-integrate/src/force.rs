//! Forces and torques, and whatever exerts them.

use crate::{Bodies, FieldError, State, VectorColumn};

/// Force and torque on each body, world frame; torques are about the centres of mass.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrenches {
    /// Forces in N.
    pub force: VectorColumn,
    /// Torques in N m.
    pub torque: VectorColumn,
}

impl Wrenches {
    /// No force and no torque on `len` bodies.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self { force: VectorColumn::zeros(len), torque: VectorColumn::zeros(len) }
    }

    /// Number of bodies; that of the shorter column if they differ.
    #[must_use]
    pub fn len(&self) -> usize {
        self.force.len().min(self.torque.len())
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets all forces and torques to zero.
    pub fn clear(&mut self) {
        self.force.clear();
        self.torque.clear();
    }
}

/// Something that exerts forces and torques on bodies.
///
/// A field may have memory: friction springs, work done so far, neighbour lists. The contract with the integrator:
///
/// 1. [`accumulate`](Self::accumulate) reads *committed* memory and writes *pending* memory, so it can be repeated at
///    will, at trial states too; each call starts again from what is committed.
/// 2. [`commit`](Self::commit) is called once a step is accepted: the pending memory of the last `accumulate` becomes
///    the committed one. A step that fails never commits.
///
/// Lists are kept up to date inside `accumulate`: it is called for every state whose forces are wanted, so no contact
/// of that state can be missed. Energies and other readings take `&self` and so cannot change a trajectory.
pub trait ForceField {
    /// Adds the forces and torques at `state` to `out`.
    ///
    /// `elapsed` (s) is the time between the state that the memory was committed at and `state`: the step length inside
    /// a step, zero when a run starts. Velocities and angular momenta of `state` are those of the middle of the step.
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
