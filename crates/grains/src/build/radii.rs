//! Radii of the bodies of a group, equal or at random, and the volumes of balls.

use dem_contact::source::{GrainStream, Share, SizeLaw, Sizes};

use crate::error::{GrainsError, Location};
use crate::scene::bodies::BodyGroup;
use crate::scene::sizes::SizeTable;
use crate::value::{above, positive};

/// Number of the random stream for groups of bodies; the sources use the streams 0, 1, ...
const GROUPS: u64 = u64::MAX;

/// Returns the radii of `count` bodies of the group at `key`. Random radii depend only on the seed and the number of
/// the body in its group.
///
/// # Errors
/// For a group without radii, and for invalid values.
pub(super) fn radii(group: &BodyGroup, count: usize, key: &str) -> Result<Vec<f64>, GrainsError> {
    match (&group.sizes, group.radius) {
        (None, Some(radius)) => Ok(vec![radius; count]),
        (None, None) => Err(GrainsError::MissingKey { at: Location::of(key), missing: "radius".into() }),
        (Some(table), _) => {
            let sizes = sizes(table, &format!("{key}.sizes"))?;
            let stream = GrainStream { seed: group.seed, source: GROUPS };
            Ok((0..count as u64).map(|body| sizes.draw(&mut stream.of_grain(body))).collect())
        }
    }
}

pub(super) fn ball_volume(radius: f64) -> f64 {
    4.0 * std::f64::consts::PI / 3.0 * radius.powi(3)
}

/// Makes the distribution of the sizes of grains from the scene's table at `key`.
///
/// # Errors
/// For invalid values.
pub(super) fn sizes(table: &SizeTable, key: &str) -> Result<Sizes, GrainsError> {
    let rows = |radii: &[f64], shares: &[f64], name: &str| {
        if radii.len() != shares.len() || radii.is_empty() {
            let at = Location::of(format!("{key}.{name}"));
            return Err(GrainsError::WrongLength { at, expected: radii.len().max(1), found: shares.len() });
        }
        Ok(radii.iter().zip(shares).map(|(&radius, &share)| [radius, share]).collect())
    };
    let (law, share, ends) = match table {
        &SizeTable::Radius(radius) => (SizeLaw::Equal(radius), Share::Number, [radius; 2]),
        SizeTable::Mix { radius, share, by } => (SizeLaw::Mix(rows(radius, share, "mix.share")?), *by, [0.0; 2]),
        &SizeTable::Uniform { low, high, by } => {
            let low = positive(format!("{key}.uniform.low"), low)?;
            (SizeLaw::Uniform, by, [low, above(format!("{key}.uniform.high"), high, low)?])
        }
        &SizeTable::Normal { mean, deviation, low, high, by } => (SizeLaw::Normal { mean, deviation }, by, [low, high]),
        &SizeTable::Lognormal { median, deviation, low, high, by } => {
            (SizeLaw::Lognormal { median, deviation }, by, [low, high])
        }
        &SizeTable::Weibull { scale, shape, low, high, by } => (SizeLaw::Weibull { scale, shape }, by, [low, high]),
        SizeTable::Sieves { radius, passing, by } => {
            (SizeLaw::Sieves(rows(radius, passing, "sieves.passing")?), *by, [0.0; 2])
        }
    };
    Sizes::new(law, share, ends).map_err(GrainsError::refused(key))
}
