use thiserror::Error;

use crate::error::DemError;

/// Errors of contact laws and materials.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LawError {
    /// The contact laws for a pair of materials could not be made.
    #[error("materials {} and {}: {reason}", materials[0], materials[1])]
    InvalidPair {
        /// Numbers of the two materials whose laws cannot be made.
        materials: [usize; 2],
        /// Reason why the laws of the pair cannot be made.
        reason: Box<DemError>,
    },
    /// A body or a wall has a material without laws.
    #[error("{what} {which} is of material {material}, but there are laws for {materials} materials")]
    UnknownMaterial {
        /// Kind of the item with the unknown material: `body`, `new body`, `wall` or `pair with material`.
        what: &'static str,
        /// Number of the body or wall with the unknown material, or of the first material of the pair.
        which: usize,
        /// Number of the material that has no laws.
        material: usize,
        /// Number of materials that have laws.
        materials: usize,
    },
    /// The evaluation of a contact law failed.
    #[error("the law {law} failed: {reason}")]
    Failed {
        /// Name of the law that failed.
        law: String,
        /// Reason why the law could not be evaluated.
        reason: String,
    },
    /// Stored contacts were restored with laws of other names, or with another layout of contact histories.
    #[error(
        "contacts were stored with {stored}, not with {given}; give laws of the names and the layout that they were \
         stored with; to go on with other laws, restore with the old ones, take `all_histories`, drop those of other \
         laws by `keep_known`, and give the rest to new contacts by `with_histories`"
    )]
    OtherLaw {
        /// Names of the laws that the contacts were stored with.
        stored: String,
        /// Names of the laws that were given to restore the contacts.
        given: String,
    },
    /// A method that supports one material only was given several materials.
    #[error("{what} works with one material, but there are {materials}")]
    OneMaterialOnly {
        /// Name of the method that supports one material only.
        what: &'static str,
        /// Number of materials that were given.
        materials: usize,
    },
    /// Implicit steps were given a law that they do not support: one with rolling resistance, adhesion, yield, a
    /// history that turns with the contact, a lever arm equal to the radius, or forces at a distance.
    #[error(
        "implicit steps take no law that acts at a distance, sticks or yields, resists rolling, turns its \
         history or acts at the radius; use explicit steps or another law"
    )]
    ExplicitOnly,
    /// An adhesive law was built on an elastic law that sets attractive normal forces to zero.
    #[error("an elastic law that cuts attraction off has no adhesion; take one that is not capped")]
    CappedAdhesion,
    /// Static equilibrium was given contact laws for which dynamic relaxation has no damped version.
    #[error("static equilibrium needs laws with a twin for dynamic relaxation, which {laws} lacks")]
    NotRelaxed {
        /// Names of the laws that have no damped version for dynamic relaxation.
        laws: String,
    },
    /// A method that takes only laws of touching bodies whose force is a function of the overlap was given another law.
    #[error("{what} takes no law that acts at a distance, sticks or yields")]
    ActsAtADistance {
        /// Name of the method that refuses the law.
        what: &'static str,
    },
}
