//! The error for the contact with the deepest overlap.

use crate::error::DemError;
use crate::error::contact::ContactError;

/// Search for the contact with the largest ratio of overlap to radius (of two bodies: the smaller radius), for an error
/// message.
#[derive(Debug)]
pub(crate) struct DeepestOverlap {
    ratio: f64,
    error: ContactError,
}

impl DeepestOverlap {
    pub(crate) fn new() -> Self {
        let error = ContactError::OverlapTooLarge { bodies: [0; 2], overlap: 0.0, radius: 0.0 };
        Self { ratio: f64::NEG_INFINITY, error }
    }

    pub(crate) fn offer_pair(&mut self, mut bodies: [usize; 2], overlap: f64, radius: f64) {
        if overlap / radius > self.ratio {
            bodies.sort_unstable();
            *self = Self { ratio: overlap / radius, error: ContactError::OverlapTooLarge { bodies, overlap, radius } };
        }
    }

    pub(crate) fn offer_wall(&mut self, body: usize, wall: usize, overlap: f64, radius: f64) {
        if overlap / radius > self.ratio {
            *self = Self { ratio: overlap / radius, error: ContactError::BehindWall { body, wall, overlap, radius } };
        }
    }

    pub(crate) fn into_error(self) -> DemError {
        DemError::Contact(self.error)
    }
}
