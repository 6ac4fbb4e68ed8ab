//! What implicit steps and static equilibrium have in common.

mod at_wall;
mod block_rows;
mod direct;
mod encounter;
mod finish;
mod form;
mod implicit_dem;
mod inverse_diagonal;
#[cfg(test)]
mod jacobian;
mod mean_force;
mod newton;
mod options;
mod pair_blocks;
mod place;
mod reach;
mod report;
#[cfg(feature = "serde")]
mod restart;
mod row_filler;
mod setting;
mod single_cg;
mod stage;
mod step_matrix;
mod unassembled;
mod weights;

pub use form::DiscreteForm;
pub use implicit_dem::ImplicitDem;
pub use options::{LinearMethod, NewtonOptions};
pub(crate) use pair_blocks::{PairBlocks, PairStiffness, block_times};
pub use report::{ImplicitReport, StepFailure};
