//! Errors of this crate.
//!
//! Functions return [`DemError`]. It has one variant for each subject, with an enum in a file of its own, and a few
//! variants that all subjects share. Each error names the numbers that are wrong, in SI units. `parameter` has the
//! checks of single numbers.
//!
//! This folder imports no other folder.

pub(crate) mod bond;
pub(crate) mod bridge;
pub(crate) mod contact;
pub(crate) mod file;
pub(crate) mod law;
pub(crate) mod list;
pub(crate) mod mesh;
pub(crate) mod parameter;
pub(crate) mod statics;
pub(crate) mod step;
mod text;
pub(crate) mod wall;

pub use self::bond::BondError;
pub use self::bridge::BridgeError;
pub use self::contact::ContactError;
pub use self::file::FileError;
pub use self::law::LawError;
pub use self::list::ListError;
pub use self::mesh::MeshError;
pub use self::statics::StaticsError;
pub use self::step::{StepError, StepFailure};
pub use self::wall::WallError;

use thiserror::Error;

use crate::error::text::number;

/// Any error of this crate.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DemError {
    /// A parameter of a law, a list, a wall or a stored state is out of its range.
    #[error("{parameter} must be {range}, but is {}", number(*.value))]
    InvalidParameter {
        /// The parameter.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// A column does not have as many entries as there are bodies, walls or other owners.
    #[error("{what}: expected {expected} entries, one for each, but found {found}")]
    LengthMismatch {
        /// The owners of the entries.
        what: &'static str,
        /// Number of entries wanted.
        expected: usize,
        /// Number of entries found.
        found: usize,
    },
    /// Reading or writing a file failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The solver refused a problem of contact forces.
    #[error(transparent)]
    Solve(#[from] cd_solve::SolveError),
    /// Bodies or a state are not valid: for example columns of different lengths, or an invalid mass.
    #[error(transparent)]
    Integrate(#[from] rrp_integrate::IntegrateError),
    /// Contact laws and materials.
    #[error(transparent)]
    Law(#[from] LawError),
    /// Walls and their shapes.
    #[error(transparent)]
    Wall(#[from] WallError),
    /// Triangle meshes and STL files.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Domains, positions and neighbour lists.
    #[error(transparent)]
    List(#[from] ListError),
    /// Contacts of a state, and restored histories.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Bonds and ties.
    #[error(transparent)]
    Bond(#[from] BondError),
    /// Liquid bridges.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// Static equilibrium and packings.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// Implicit steps and contact dynamics.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Data files.
    #[error(transparent)]
    File(#[from] FileError),
}
