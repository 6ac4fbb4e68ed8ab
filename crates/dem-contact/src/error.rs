//! Errors of this crate.
//!
//! Functions return [`DemError`]. It has one variant for each subject, which holds the enum of this subject from a file
//! of its own, and a few variants that all subjects share. Each error names the wrong numbers, in SI units. The file
//! `parameter` has the checks of single numbers.
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

/// Error of this crate; most variants name the subject, such as walls or contacts.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DemError {
    /// A parameter of a law, a list, a wall or a stored state is out of its range.
    #[error("{parameter} must be {range}, but is {}", number(*.value))]
    InvalidParameter {
        /// Name of the parameter that is out of its range.
        parameter: &'static str,
        /// Allowed values of the parameter, in words.
        range: &'static str,
        /// Value of the parameter that was found.
        value: f64,
    },
    /// A column of data does not have one entry for each of the bodies, walls or other items that it belongs to.
    #[error("{what}: expected {expected} entries, one for each, but found {found}")]
    LengthMismatch {
        /// Name of the column, or of the items that its entries belong to.
        what: &'static str,
        /// Number of entries that the column should have.
        expected: usize,
        /// Number of entries that the column has.
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
    /// Error of contact laws or materials.
    #[error(transparent)]
    Law(#[from] LawError),
    /// Error of walls or their shapes.
    #[error(transparent)]
    Wall(#[from] WallError),
    /// Error of triangle meshes or STL files.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Error of domains, positions or neighbour lists.
    #[error(transparent)]
    List(#[from] ListError),
    /// Error of the contacts of a state, or of restored histories.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Error of bonds or ties.
    #[error(transparent)]
    Bond(#[from] BondError),
    /// Error of liquid bridges.
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    /// Error of static equilibrium or packings.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// Error of implicit steps or contact dynamics.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Error of data files.
    #[error(transparent)]
    File(#[from] FileError),
}
