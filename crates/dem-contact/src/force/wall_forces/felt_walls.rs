//! Walls that only some bodies feel.

use crate::error::DemError;

/// Selection of the groups of bodies that feel each wall: see
/// [`ContactForce::with_felt_walls`](crate::force::ContactForce::with_felt_walls).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeltWalls {
    /// Group of each body, by body number; can be empty if all bodies feel all walls.
    pub group_of_body: Vec<u32>,
    /// Groups of bodies that feel each wall; `None` if all bodies feel the wall. Walls beyond the end of this list are
    /// felt by all bodies.
    pub groups_of_wall: Vec<Option<Vec<u32>>>,
}

impl FeltWalls {
    /// Whether the body of this number feels the wall of this number.
    #[must_use]
    pub fn has(&self, body: usize, wall: usize) -> bool {
        let groups = self.groups_of_wall.get(wall).and_then(Option::as_ref);
        groups.is_none_or(|groups| self.group_of_body.get(body).is_some_and(|group| groups.contains(group)))
    }

    pub(crate) fn first_selective(&self) -> Option<usize> {
        self.groups_of_wall.iter().position(Option::is_some)
    }

    pub(in crate::force) fn check_bodies(&self, bodies: usize) -> Result<(), DemError> {
        let expected = bodies;
        let found = self.group_of_body.len();
        if expected == found || found == 0 && self.first_selective().is_none() {
            return Ok(());
        }
        Err(DemError::LengthMismatch { what: "groups of bodies that feel walls", expected, found })
    }

    pub(in crate::force) fn remove_wall(&mut self, wall: usize) {
        if wall < self.groups_of_wall.len() {
            self.groups_of_wall.remove(wall);
        }
    }
}
