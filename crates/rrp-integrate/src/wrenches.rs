//! Forces and torques on all bodies.

use crate::{IntegrateError, VectorColumn};

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

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.force.len()
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

    /// Passes if both columns have one entry for each of `expected` bodies.
    pub(crate) fn check_length(&self, expected: usize) -> Result<(), IntegrateError> {
        for (column, found) in [("force", self.force.len()), ("torque", self.torque.len())] {
            if found != expected {
                return Err(IntegrateError::LengthMismatch { column, expected, found });
            }
        }
        Ok(())
    }
}
