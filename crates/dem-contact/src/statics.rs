//! Static equilibrium: the quasi-static limit of `[DK21]`, the minimum of the energy.

mod configuration;
mod damped_law;
mod direction;
mod energy_minimizer;
mod equilibrium;
mod escape;
mod links;
mod newton;
mod places;
mod precise;
mod press;
mod relaxation;

pub use energy_minimizer::{EnergyMinimizer, weight};
pub use equilibrium::Equilibrium;
