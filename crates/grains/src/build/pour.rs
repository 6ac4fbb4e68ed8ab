//! Spheres at random places without overlaps.

use dem_contact::error::DemError;
use dem_contact::error::StaticsError;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::packing::random_packing;
use rrp_geom::glam::DVec3;

use crate::error::{GrainsError, Location};
use crate::scene::space::{self, SimulationBox};

/// A pour of spheres into a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pour<'a> {
    /// Corners of the box in m.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    pub(super) radii: &'a [f64],
    pub(super) seed: u64,
    /// Smallest gap between spheres in m.
    pub(super) gap: f64,
    pub(super) simulation_box: Option<&'a SimulationBox>,
    /// Key of the pour.
    pub(super) key: &'a str,
}

/// Centres of the spheres, one per radius. A direction is periodic if it is periodic in the simulation box and the box
/// of the pour fills it.
///
/// # Errors
/// [`GrainsError::NoRoom`], and [`GrainsError::OutOfRange`] for a box that is too narrow.
pub(super) fn pour(pour: &Pour<'_>) -> Result<Vec<DVec3>, GrainsError> {
    let Pour { mut low, mut high, radii, seed, gap, simulation_box, key } = *pour;
    let mut boundary = [Boundary::Open; 3];
    let widest = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    for c in 0..3 {
        let periodic = simulation_box.filter(|space| space.boundary[c] == space::Boundary::Periodic);
        let period = periodic.map(|space| space.high[c] - space.low[c]);
        match period {
            Some(period) if high[c] - low[c] >= period * (1.0 - 1e-12) => {
                (high[c], boundary[c]) = (low[c] + period, Boundary::Periodic);
            }
            _ if high[c] - low[c] < widest => {
                let (at, range) = (Location::of(format!("{key}.high")), "above `low` by the largest diameter at least");
                return Err(GrainsError::OutOfRange { at, range, value: high[c] });
            }
            // Spheres keep gaps from each other, not from the sides of the box, unless images may be beyond them.
            Some(_) => {}
            None => (low[c], high[c]) = (low[c] - 0.5 * gap, high[c] + 0.5 * gap),
        }
    }
    let domain = Domain::new(low, high, boundary).map_err(GrainsError::refused(key))?;
    let grown: Vec<f64> = radii.iter().map(|radius| radius + 0.5 * gap).collect();
    random_packing(&domain, &grown, seed).map_err(|error| match error {
        DemError::Statics(StaticsError::DoesNotFit { bodies, fraction, .. }) => {
            GrainsError::NoRoom { at: Location::of(key), count: bodies, fraction }
        }
        error => GrainsError::refused(key)(error),
    })
}
