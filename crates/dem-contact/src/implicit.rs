//! The implicit integrator of `[DK21]`: its equations, their Jacobian, and Newton's method.
//!
//! [`ImplicitDem`] takes a step. `newton` solves its equations: `trial_list` keeps the neighbour list valid, `evaluate`
//! sums the contacts of all bodies (`body_equations`, `pair_contact`, `wall_contact`) into residual and matrix, and
//! `state_update` moves the state. Contacts, laws and walls are those of `force::ContactForce`, ties those of
//! `bond::ties`. Matrices of pairs and their solver are in `stiffness`, other linear solvers in `cd-solve`.

pub(crate) mod block_jacobian;
pub(crate) mod body_equations;
pub(crate) mod contact;
pub(crate) mod contact_jacobian;
pub(crate) mod discrete_gradient;
pub(crate) mod evaluate;
pub(crate) mod form;
pub(crate) mod implicit_dem;
#[cfg(test)]
pub(crate) mod jacobian_tests;
pub(crate) mod newton;
pub(crate) mod options;
pub(crate) mod pair_contact;
pub(crate) mod report;
pub(crate) mod residual_norms;
pub(crate) mod residual_only;
pub(crate) mod sparse_direct;
pub(crate) mod state_update;
pub(crate) mod step_matrix;
pub(crate) mod system;
pub(crate) mod trial_list;
pub(crate) mod wall_contact;
pub(crate) mod weights;

pub use self::form::DiscreteForm;
pub use self::implicit_dem::ImplicitDem;
#[cfg(feature = "serde")]
pub use self::implicit_dem::StoredImplicitDem;
pub use self::options::{LinearMethod, NewtonOptions};
pub use self::report::ImplicitReport;
