use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DQuat;

/// Random numbers of the grains of one source. Each grain has its own stream, independent of the draws of other grains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GrainStream {
    /// Seed of the random numbers, of the whole run or of this source.
    pub seed: u64,
    /// Number of the source in its run, so that sources have different random numbers.
    pub source: u64,
}

/// Number of words of random numbers reserved for rotation and size of a grain, and for the positions of each attempt
/// to place it, at most 4096 positions of three numbers.
const WORDS: u128 = 1 << 16;

impl GrainStream {
    /// Returns the random numbers of a grain: stream `grain` of `ChaCha8Rng`. The key is the seed and the number of the
    /// source as little-endian numbers, followed by zeros.
    #[must_use]
    pub fn of_grain(&self, grain: u64) -> ChaCha8Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.source.to_le_bytes());
        let mut random = ChaCha8Rng::from_seed(key);
        random.set_stream(grain);
        random
    }

    /// Returns the random numbers for the positions of a grain in this attempt to insert it.
    pub(super) fn of_places(&self, grain: u64, attempt: u64) -> ChaCha8Rng {
        let mut random = self.of_grain(grain);
        random.set_word_pos(WORDS * (1 + u128::from(attempt)));
        random
    }
}

/// Draws a random rotation, uniform on the rotation group SO(3).
pub(super) fn rotation(random: &mut ChaCha8Rng) -> DQuat {
    let [u, v, w]: [f64; 3] = random.random();
    let first = (1.0 - u).sqrt();
    let second = u.sqrt();
    let ([s, c], [t, d]) = (sine_cosine(v), sine_cosine(w));
    DQuat::from_xyzw(first * s, first * c, second * t, second * d)
}

/// Returns sine and cosine of an angle given in units of a full turn.
fn sine_cosine(turns: f64) -> [f64; 2] {
    let (sine, cosine) = (std::f64::consts::TAU * turns).sin_cos();
    [sine, cosine]
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;

    use super::*;

    /// First numbers of five streams, from another implementation of `ChaCha8`.
    const GOLDEN: [u64; 5] = [
        4_367_042_811_517_480_074,
        17_501_414_899_949_580_053,
        5_388_149_510_796_762_259,
        5_336_290_401_694_408_579,
        229_009_416_991_220_943,
    ];

    #[test]
    fn streams_of_grains_are_apart_and_golden() {
        let first = |seed, source, grain| -> u64 { GrainStream { seed, source }.of_grain(grain).random() };
        let all = [first(1, 2, 3), first(1, 3, 2), first(2, 1, 3), first(3, 2, 1), first(1, 2, 4)];
        for (k, one) in all.iter().enumerate() {
            assert!(!all[..k].contains(one), "{all:?}");
        }
        assert_eq!(all, GOLDEN);
    }

    #[test]
    fn rotations_are_uniform() {
        // The image of each axis is uniform on the sphere: coordinates are uniform in [-1, 1] and have variance 1/3.
        let mut sums = [DVec3::ZERO; 3];
        let mut low = 0;
        let count = 20_000;
        for grain in 0..count {
            let turn = rotation(&mut GrainStream { seed: 4, source: 0 }.of_grain(grain));
            assert!((turn.length() - 1.0).abs() < 1e-12);
            for (sum, axis) in sums.iter_mut().zip(DVec3::AXES) {
                let turned = turn * axis;
                *sum += turned * turned;
                low += u64::from(turned.z < -0.5);
            }
        }
        for sum in sums {
            assert!((sum / count as f64 - 1.0 / 3.0).abs().max_element() < 0.008, "{sum}");
        }
        assert!((low as f64 / (3 * count) as f64 - 0.25).abs() < 0.006, "{low}");
    }
}
