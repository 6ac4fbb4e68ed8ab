//! Errors of contact laws and materials.

use thiserror::Error;

use crate::error::DemError;

/// Errors of contact laws and materials.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LawError {
    /// The laws of a pair of materials cannot be made.
    #[error("materials {} and {}: {reason}", materials[0], materials[1])]
    InvalidPair {
        /// The materials, by number.
        materials: [usize; 2],
        /// The reason.
        reason: Box<DemError>,
    },
    /// A body or a wall has a material without laws.
    #[error("{what} {which} is of material {material}, but there are laws for {materials} materials")]
    UnknownMaterial {
        /// `body`, `new body`, `wall` or `pair with material`.
        what: &'static str,
        /// Its number.
        which: usize,
        /// The material.
        material: usize,
        /// Number of materials with laws.
        materials: usize,
    },
    /// Tangential laws of one contact layer have different lever arms.
    #[error("tangential laws of one layer must have the same lever arm, but have {first} and {other}")]
    MixedLevers {
        /// One of the lever arms, by its name.
        first: &'static str,
        /// The other one.
        other: &'static str,
    },
    /// A part of the crate that knows one pair of laws was given several materials.
    #[error("{what} works with one material, but there are {materials}")]
    OneMaterialOnly {
        /// The part of the crate.
        what: &'static str,
        /// Number of materials.
        materials: usize,
    },
    /// Implicit steps were given a law that resists rolling, whose history turns, that acts at the radius or at a
    /// distance, or that sticks or yields.
    #[error(
        "implicit steps take no law that acts at a distance, sticks or yields, resists rolling, turns its \
         history or acts at the radius; use explicit steps or another law"
    )]
    ExplicitOnly,
    /// A law that sticks was given an elastic law that cuts attraction off.
    #[error("an elastic law that cuts attraction off has no adhesion; take one that is not capped")]
    CappedAdhesion,
    /// A method takes laws of touching bodies only, whose force is a function of the overlap.
    #[error("{what} takes no law that acts at a distance, sticks or yields")]
    ActsAtADistance {
        /// The method.
        what: &'static str,
    },
}
