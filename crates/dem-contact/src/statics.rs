//! Static equilibrium: the quasi-static limit of `[DK21]`, the minimum of the energy.

pub(crate) mod configuration;
pub(crate) mod contact_rows;
pub(crate) mod double_double;
pub(crate) mod energy_minimizer;
pub(crate) mod equilibrium;
pub(crate) mod newton;
pub(crate) mod relaxation;
pub(crate) mod truncated_cg;
pub(crate) mod unsupported_load;

pub use self::energy_minimizer::{EnergyMinimizer, weight};
pub use self::equilibrium::Equilibrium;
