use crate::column::load::LoadColumn;
use crate::error::IntegrateError;

/// Force and torque on each body, world frame; torques are about the centres of mass.
///
/// A column takes memory once a field adds to it: without torques, the torques take no memory.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "parts::WrenchParts", into = "parts::WrenchParts"))]
pub struct Wrenches {
    /// Forces on the centres of mass in N, world frame.
    pub force: LoadColumn,
    /// Torques about the centres of mass in N m, world frame.
    pub torque: LoadColumn,
}

impl Wrenches {
    /// Makes zero forces and torques on `len` bodies.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self { force: LoadColumn::zeros(len), torque: LoadColumn::zeros(len) }
    }

    /// Number of rows: a force and a torque for each body, zeros included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.force.len()
    }

    /// Whether there is no body for forces and torques to act on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the forces and torques on all bodies to zero.
    pub fn clear(&mut self) {
        self.force.clear();
        self.torque.clear();
    }

    /// Checks that forces and torques have one row for each of `expected` bodies.
    ///
    /// # Errors
    /// [`IntegrateError::LengthMismatch`].
    pub fn check_length(&self, expected: usize) -> Result<(), IntegrateError> {
        for (column, found) in [("force", self.force.len()), ("torque", self.torque.len())] {
            if found != expected {
                return Err(IntegrateError::LengthMismatch { column, expected, found });
            }
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod parts {
    use super::Wrenches;
    use crate::column::load::LoadColumn;
    use crate::column::vector::VectorColumn;
    use crate::error::IntegrateError;

    /// Serialised form of wrenches: a column that no field has added to is left out.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct WrenchParts {
        len: usize,
        force: Option<VectorColumn>,
        torque: Option<VectorColumn>,
    }

    impl TryFrom<WrenchParts> for Wrenches {
        type Error = IntegrateError;

        fn try_from(WrenchParts { len, force, torque }: WrenchParts) -> Result<Self, IntegrateError> {
            let wrenches = Self { force: LoadColumn::restored(len, force), torque: LoadColumn::restored(len, torque) };
            wrenches.check_length(len)?;
            Ok(wrenches)
        }
    }

    impl From<Wrenches> for WrenchParts {
        fn from(wrenches: Wrenches) -> Self {
            let len = wrenches.len();
            Self { len, force: wrenches.force.into_values(), torque: wrenches.torque.into_values() }
        }
    }
}
