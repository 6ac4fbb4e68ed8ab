//! Spheres at random places without overlaps.

use dem_contact::error::DemError;
use dem_contact::error::StaticsError;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::packing::random_packing;
use rrp_geom::glam::DVec3;

use crate::scene::{Region, Sides};
use crate::{GrainsError, Location};

/// Centres of spheres of these radii inside the box from `low` to `high`, at gaps of at least `gap` from each other. Sides of
/// a periodic direction that the box fills are no sides. `key` is that of the pour.
pub(super) fn pour(
    (low, high): (DVec3, DVec3),
    radii: &[f64],
    (seed, gap): (u64, f64),
    (region, key): (Option<&Region>, &str),
) -> Result<Vec<DVec3>, GrainsError> {
    let (mut low, mut high, mut boundary) = (low, high, [Boundary::Open; 3]);
    let widest = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    for c in 0..3 {
        let region = region.filter(|region| region.sides[c] == Sides::Periodic);
        let period = region.map(|region| region.high[c] - region.low[c]);
        match period {
            Some(period) if high[c] - low[c] >= period * (1.0 - 1e-12) => {
                (high[c], boundary[c]) = (low[c] + period, Boundary::Periodic);
            }
            _ if high[c] - low[c] < widest => {
                let (at, range) = (Location::of(format!("{key}.high")), "above `low` by the largest diameter at least");
                return Err(GrainsError::OutOfRange { at, range, value: high[c] });
            }
            // Gaps are kept between bodies, not to the sides, unless there may be an image behind them.
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
