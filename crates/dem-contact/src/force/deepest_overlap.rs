//! The error for the deepest of many contacts.

use crate::error::DemError;
use crate::error::contact::ContactError;

/// Search, for an error message, for the contact with the largest ratio of overlap to radius.
#[derive(Debug)]
pub(crate) struct DeepestOverlap {
    ratio: f64,
    error: ContactError,
}

impl DeepestOverlap {
    /// Begins a search for the contact with the deepest overlap; contacts are then offered to it one by one.
    pub(crate) fn new() -> Self {
        let error = ContactError::OverlapTooLarge { bodies: [0; 2], overlap: 0.0, radius: 0.0 };
        Self { ratio: f64::NEG_INFINITY, error }
    }

    /// Offers a pair of bodies with this overlap and this radius of the smaller body, in m, to the search for the
    /// deepest contact.
    pub(crate) fn offer_pair(&mut self, mut bodies: [usize; 2], overlap: f64, radius: f64) {
        if overlap / radius > self.ratio {
            bodies.sort_unstable();
            *self = Self { ratio: overlap / radius, error: ContactError::OverlapTooLarge { bodies, overlap, radius } };
        }
    }

    /// Offers a body of this radius (m) with this overlap (m) with a wall to the search for the deepest contact.
    pub(crate) fn offer_wall(&mut self, body: usize, wall: usize, overlap: f64, radius: f64) {
        if overlap / radius > self.ratio {
            *self = Self { ratio: overlap / radius, error: ContactError::BehindWall { body, wall, overlap, radius } };
        }
    }

    /// Returns the error that names the contact with the deepest overlap among those that were offered.
    pub(crate) fn into_error(self) -> DemError {
        DemError::Contact(self.error)
    }
}
