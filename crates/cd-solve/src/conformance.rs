//! Tests that every solver must pass, and the problems they use.
//!
//! ```
//! use cd_solve::friction::CoulombSolver;
//! use cd_solve::{Apgd, CompatibleForces, Options, conformance};
//!
//! conformance::check_lcp(&mut Apgd::new(Options::new(1e-11, 100_000)), 1e-9)?;
//! conformance::check_friction(&mut CoulombSolver::new(Options::new(1e-11, 1000)), 1e-9)?;
//! conformance::check_compatibility(&mut CompatibleForces::new(Options::new(1e-11, 200)), &[2.0, 2.5], 1e-9)?;
//! # Ok::<(), conformance::Failure>(())
//! ```

mod assembly;
mod compatibility_check;
mod failure;
mod friction_check;
mod lcp_check;
mod pyramid;
mod species;

pub use assembly::Assembly;
pub use compatibility_check::check_compatibility;
pub use failure::{Defect, Failure};
pub use friction_check::{FrictionSpheres, check_friction};
pub use lcp_check::check_lcp;
pub use pyramid::Pyramid;
pub use species::Species;
