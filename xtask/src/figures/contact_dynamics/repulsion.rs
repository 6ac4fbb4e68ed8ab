//! Contact laws of the elastic spheres in the pyramid.
use anyhow::Result;
use dem_contact::law::{Damping, Frictionless, Hertz, Hooke, Laws};

use super::law::Law;
use super::species_law::SpeciesLaw;

/// Makes the frictionless contact law with the dimensionless stiffness κ (see [`Law::stiffness`]) and the damping
/// coefficient `gamma` between two free spheres.
pub(super) fn repulsion(law: Law, stiffness: f64, gamma: f64) -> Result<Laws> {
    // Coefficients are per unit of the reduced mass 1/2.
    let damping = if gamma > 0.0 { Damping::coefficient(2.0 * gamma)? } else { Damping::NONE };
    Ok(match law {
        Law::Hooke => Laws::of(Hooke::new(stiffness, damping)?, Frictionless),
        // F = k δ^{3/2} equals K √R δ^{3/2} with the reduced radius 1/4.
        Law::Hertz => Laws::of(Hertz::new(2.0 * stiffness, damping)?, Frictionless),
        Law::Multi => Laws::of(SpeciesLaw::new(stiffness, gamma), Frictionless),
    })
}
