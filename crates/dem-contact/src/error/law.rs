//! What can go wrong with contact laws and materials.

use thiserror::Error;

use crate::error::DemError;

/// What can go wrong with contact laws and materials.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LawError {
    /// LawAssignment for a pair of materials cannot be made.
    #[error("materials {} and {}: {reason}", materials[0], materials[1])]
    InvalidPair {
        /// The materials, by number.
        materials: [usize; 2],
        /// What is wrong with them.
        reason: Box<DemError>,
    },
    /// A body or a wall is of a material that there are no laws for.
    #[error("{what} {which} is of material {material}, but there are laws for {materials} materials")]
    UnknownMaterial {
        /// Body or wall.
        what: &'static str,
        /// Its number.
        which: usize,
        /// The material.
        material: usize,
        /// Number of materials that are known.
        materials: usize,
    },
    /// Tangential laws of one contact layer do not act on the same arms.
    #[error("tangential laws of one layer must act on the same arms, but there are {first} and {other}")]
    MixedLevers {
        /// One of them, by its name.
        first: &'static str,
        /// Another one.
        other: &'static str,
    },
    /// Something that knows one pair of laws only was given several materials.
    #[error("{what} knows one material, not {materials}")]
    OneMaterialOnly {
        /// What it is.
        what: &'static str,
        /// Number of materials.
        materials: usize,
    },
    /// Implicit steps know no resistance to rolling, no memory that turns, and no arms but those to the contact point.
    #[error("implicit steps know no tangential laws that resist rolling, turn what they remember or act at the radius")]
    ExplicitOnly,
}
