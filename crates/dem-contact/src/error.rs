//! What can go wrong in this crate.
//!
//! Functions return [`DemError`]. It has one variant for each folder, with an enum of its own in a file of its own, and
//! a few variants that all folders share. This folder imports no other one.

pub(crate) mod bond;
pub(crate) mod contact;
pub(crate) mod file;
pub(crate) mod law;
pub(crate) mod list;
pub(crate) mod mesh;
pub(crate) mod parameter;
pub(crate) mod statics;
pub(crate) mod step;
pub(crate) mod wall;

pub use self::bond::BondError;
pub use self::contact::ContactError;
pub use self::file::FileError;
pub use self::law::LawError;
pub use self::list::ListError;
pub use self::mesh::MeshError;
pub use self::statics::StaticsError;
pub use self::step::{StepError, StepFailure};
pub use self::wall::WallError;

use thiserror::Error;

use crate::error::parameter::number;

/// Why a contact layer cannot be made, a list not built, forces not given, or a data file not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DemError {
    /// A parameter of a law, a list or a wall, or a number of theirs that is restored, is outside its range.
    #[error("{parameter} must be {range}, but is {}", number(*.value))]
    InvalidParameter {
        /// What the parameter is.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// Not as many entries as there are bodies, walls or whatever they are for.
    #[error("{what}: {expected} entries are wanted, one for each, and {found} found")]
    LengthMismatch {
        /// What has the wrong length.
        what: &'static str,
        /// The number wanted.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// A data file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A problem of contact forces could not be posed.
    #[error(transparent)]
    Solve(#[from] cd_solve::SolveError),
    /// Bodies or a state could not be made, or are not what is wanted of them: columns that do not fit, radii that are none.
    #[error(transparent)]
    Integrate(#[from] rrp_integrate::IntegrateError),
    /// What can go wrong with contact laws and materials.
    #[error(transparent)]
    Law(#[from] LawError),
    /// What can go wrong with walls and their shapes.
    #[error(transparent)]
    Wall(#[from] WallError),
    /// What can go wrong with triangle meshes and STL files.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// What can go wrong with domains, positions and neighbour lists.
    #[error(transparent)]
    List(#[from] ListError),
    /// What can go wrong with contacts of a state, and what is restored of them.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// What can go wrong with bonds and ties.
    #[error(transparent)]
    Bond(#[from] BondError),
    /// What can go wrong with static equilibrium and packings.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// What can go wrong with implicit steps and contact dynamics.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What can go wrong with data files.
    #[error(transparent)]
    File(#[from] FileError),
}
