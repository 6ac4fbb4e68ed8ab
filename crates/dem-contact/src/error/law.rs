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
        /// The number of the body or wall, or of the first material of the pair.
        which: usize,
        /// The material.
        material: usize,
        /// Number of materials with laws.
        materials: usize,
    },
    /// A law could not be evaluated.
    #[error("the law {law} failed: {reason}")]
    Failed {
        /// The name of the law.
        law: String,
        /// The reason.
        reason: String,
    },
    /// Stored contacts were restored with laws of other names, or with another layout of histories.
    #[error(
        "contacts were stored with {stored}, not with {given}; give laws of the names and the layout that they were \
         stored with; to go on with other laws, restore with the old ones, take `all_histories`, drop those of other \
         laws by `keep_known`, and give the rest to new contacts by `with_histories`"
    )]
    OtherLaw {
        /// The names of the laws that the contacts were stored with.
        stored: String,
        /// The names of the laws that were given.
        given: String,
    },
    /// A part of the crate that knows one pair of laws was given several materials.
    #[error("{what} works with one material, but there are {materials}")]
    OneMaterialOnly {
        /// The part of the crate.
        what: &'static str,
        /// Number of materials.
        materials: usize,
    },
    /// Implicit steps were given a law that resists rolling, turns its history, acts at the radius or at a distance, or
    /// sticks or yields.
    #[error(
        "implicit steps take no law that acts at a distance, sticks or yields, resists rolling, turns its \
         history or acts at the radius; use explicit steps or another law"
    )]
    ExplicitOnly,
    /// A law that sticks was given an elastic law that cuts attraction off.
    #[error("an elastic law that cuts attraction off has no adhesion; take one that is not capped")]
    CappedAdhesion,
    /// Static equilibrium was given laws without a twin for dynamic relaxation.
    #[error("static equilibrium needs laws with a twin for dynamic relaxation, which {laws} lacks")]
    NotRelaxed {
        /// The names of the laws.
        laws: String,
    },
    /// A method that takes only laws of touching bodies whose force is a function of the overlap was given another law.
    #[error("{what} takes no law that acts at a distance, sticks or yields")]
    ActsAtADistance {
        /// The method.
        what: &'static str,
    },
}
