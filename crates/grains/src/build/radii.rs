//! Radii of the bodies of a group, equal or at random.

use rand::SeedableRng;
use rand::distr::weighted::WeightedIndex;
use rand::distr::{Distribution, StandardUniform, Uniform};
use rand_chacha::ChaCha8Rng;

use crate::error::{GrainsError, Location};
use crate::scene::bodies::{BodyGroup, ByWhat, Radii};
use crate::value::{above, positive};

/// The radii of `count` bodies of the group at `key`. Random ones depend on the seed alone, and are the same on every
/// machine.
///
/// # Errors
/// For a group without radii, and for values without meaning.
pub(super) fn radii(group: &BodyGroup, count: usize, key: &str) -> Result<Vec<f64>, GrainsError> {
    let under = |name: &str| format!("{key}.radii.{name}");
    match (&group.radii, group.radius) {
        (None, Some(radius)) => Ok(vec![radius; count]),
        (None, None) => Err(GrainsError::MissingKey { at: Location::of(key), missing: "radius".into() }),
        (Some(Radii::Uniform { low, high, by, seed }), _) => {
            let low = positive(under("uniform.low"), *low)?;
            let high = above(under("uniform.high"), *high, low)?;
            if *by == ByWhat::Mass {
                // The number of bodies falls with the third power of the radius.
                let radius = |share: f64| (low.powi(-2) + share * (high.powi(-2) - low.powi(-2))).sqrt().recip();
                let shares = StandardUniform.sample_iter(ChaCha8Rng::seed_from_u64(*seed));
                return Ok(shares.take(count).map(radius).collect());
            }
            let between = Uniform::new(low, high).map_err(|_| GrainsError::OutOfRange {
                at: Location::of(under("uniform.high")),
                range: "finite and above `low`",
                value: high,
            })?;
            Ok(between.sample_iter(ChaCha8Rng::seed_from_u64(*seed)).take(count).collect())
        }
        (Some(Radii::Mix { radius, share, by, seed }), _) => {
            if radius.len() != share.len() || radius.is_empty() {
                let at = Location::of(under("mix.share"));
                return Err(GrainsError::WrongLength { at, expected: radius.len(), found: share.len() });
            }
            radius.iter().try_for_each(|&radius| positive(under("mix.radius"), radius).map(|_| ()))?;
            share.iter().try_for_each(|&share| positive(under("mix.share"), share).map(|_| ()))?;
            let number = |(share, radius): (&f64, &f64)| match by {
                ByWhat::Number => *share,
                ByWhat::Mass => share / radius.powi(3),
            };
            let kind =
                WeightedIndex::new(share.iter().zip(radius).map(number)).map_err(|_| GrainsError::OutOfRange {
                    at: Location::of(under("mix.share")),
                    range: "shares with a finite sum",
                    value: share.iter().sum(),
                })?;
            let kinds = kind.sample_iter(ChaCha8Rng::seed_from_u64(*seed));
            Ok(kinds.take(count).map(|kind| radius[kind]).collect())
        }
    }
}
