//! What implicit steps and static equilibrium have in common.

pub(crate) mod block_jacobian;
pub(crate) mod body_equations;
pub(crate) mod contact;
pub(crate) mod discrete_gradient;
pub(crate) mod form;
pub(crate) mod implicit_dem;
#[cfg(test)]
pub(crate) mod jacobian_tests;
pub(crate) mod newton;
pub(crate) mod options;
pub(crate) mod report;
pub(crate) mod residual_only;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod sparse_direct;
pub(crate) mod state_update;
pub(crate) mod step_matrix;
pub(crate) mod system;
pub(crate) mod trial_list;
pub(crate) mod wall_contact;
pub(crate) mod weights;

pub use self::form::DiscreteForm;
pub use self::implicit_dem::ImplicitDem;
pub use self::options::{LinearMethod, NewtonOptions};
pub use self::report::ImplicitReport;
