//! Static equilibrium: the quasi-static limit of `[DK21]`, the minimum of the energy.
//!
//! [`EnergyMinimizer`] searches in two stages. Far from equilibrium, `relaxation` lets bodies slide with damped
//! inertia, with masses and a time step of its own. Contacts are damped at about a tenth of the critical damping,
//! bodies according to the mode of their motion, measured over a hundred steps. Under a load bodies move slowly for the
//! first 5000 steps. A packing without a load is compressed and released if it has not settled after 2000 steps.
//!
//! From a residual of 1e-2 on, `newton` is tried on the `configuration`, whose centres are sums of two numbers
//! (`double_double`), so that forces keep all digits. Each step solves a linear system with the Hessian
//! (`contact_rows`, `truncated_cg`). An attempt fails at a direction of negative curvature, or if forces grow or are
//! not halved in five steps. Relaxation then continues from where it was, and the next attempt begins at half of the
//! residual. `unsupported_load` refuses loads that no contact can hold, `light_bodies` settles bodies with loads far
//! below those of the others.
//!
//! Forces come from the kernel of `force`, laws from `law`, matrices of pairs from `stiffness`.

pub(crate) mod configuration;
pub(crate) mod contact_rows;
pub(crate) mod double_double;
pub(crate) mod energy_minimizer;
pub(crate) mod equilibrium;
pub(crate) mod evaluate;
pub(crate) mod newton;
pub(crate) mod readout;
pub(crate) mod relaxation;
pub(crate) mod totals;
pub(crate) mod truncated_cg;
pub(crate) mod unsupported_load;

pub use self::energy_minimizer::{EnergyMinimizer, gravity_load};
pub use self::equilibrium::Equilibrium;
