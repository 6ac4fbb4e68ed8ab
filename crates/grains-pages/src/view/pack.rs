//! Compression of a list of numbers to text: each number becomes a code of 16 bits on a linear scale, codes become
//! differences to the code before, and the differences are deflated and written in base64.

use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use glam::DVec3;
use serde_json::{Value, json};

/// Code of a value that is not drawn: not finite, or above [`LARGEST`].
pub(super) const NONE: u16 = u16::MAX;
/// Largest code of a value; codes begin at 0.
const STEPS: f64 = 65534.0;

/// Largest absolute value that is drawn: differences of two such values, and sums with scales, stay finite.
const LARGEST: f64 = 1e300;

/// Linear scale that maps codes of 16 bits to values: `low + step * code`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    step: f64,
    /// Highest finite value of the list; below `low` if there is none.
    high: f64,
}

impl Scale {
    /// Scale on which each code equals its value.
    const PLAIN: Self = Self { low: 0.0, step: 1.0, high: -1.0 };

    /// Returns a scale from the lowest to the highest finite value of the list. Whole numbers in a small range keep
    /// their exact values.
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        let mut whole = true;
        for value in values.filter(|value| value.abs() <= LARGEST) {
            low = low.min(value);
            high = high.max(value);
            whole &= value.trunc().to_bits() == value.to_bits();
        }
        if low > high {
            return Self::PLAIN;
        }
        if whole && low.abs() < 1e15 && high - low <= STEPS {
            return Self { low, step: 1.0, high };
        }
        Self { low, step: (high - low) / STEPS, high }
    }

    fn code(self, value: f64) -> u16 {
        if value.abs() > LARGEST || value.is_nan() {
            return NONE;
        }
        let steps = (value - self.low) / self.step;
        // The step is zero if all values are equal.
        if steps.is_nan() { 0 } else { steps.round().clamp(0.0, STEPS) as u16 }
    }
}

/// A compressed list of numbers or points. It consists of planes, such as all x coordinates, each with its own scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Packed {
    pub(super) text: String,
    scales: Vec<Scale>,
}

/// Position of a list of numbers in the page: the number of the block with its text, and the scale of each plane (such
/// as all x coordinates).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) block: usize,
    low: Vec<f64>,
    step: Vec<f64>,
    high: Vec<f64>,
}

impl Part {
    pub(super) fn new(block: usize, packed: &Packed) -> Self {
        Self {
            block,
            low: packed.scales.iter().map(|scale| scale.low).collect(),
            step: packed.scales.iter().map(|scale| scale.step).collect(),
            high: packed.scales.iter().map(|scale| scale.high).collect(),
        }
    }

    pub(super) fn described(&self) -> Value {
        json!({ "block": self.block, "low": self.low, "step": self.step, "high": self.high })
    }

    /// Returns whether the compressed list `packed` has the same scales as this list.
    pub(super) fn has_scales_of(&self, packed: &Packed) -> bool {
        *self == Self::new(self.block, packed)
    }
}

pub(super) fn numbers(values: &[f64]) -> Packed {
    let scale = Scale::of(values.iter().copied());
    packed(vec![(scale, values.iter().map(|value| scale.code(*value)).collect())])
}

/// Packs labels, which are indices into a list of as many names as `names` says; other values get the code [`NONE`].
pub(super) fn labels(values: &[f64], names: usize) -> Packed {
    let most = (names as f64 - 1.0).min(STEPS);
    let code = |value: &f64| if (0.0..=most).contains(value) { value.trunc() as u16 } else { NONE };
    packed(vec![(Scale::PLAIN, values.iter().map(code).collect())])
}

pub(super) fn points(points: impl Iterator<Item = DVec3> + Clone) -> Packed {
    packed((0..3).map(|axis| plane(points.clone().map(|point| point[axis]))).collect())
}

/// Packs pairs of points: the three coordinates of all first points, then those of all second points.
pub(super) fn segments(ends: impl Iterator<Item = [DVec3; 2]> + Clone) -> Packed {
    let axis = |k: usize| ends.clone().map(move |pair| pair[k / 3][k % 3]);
    packed((0..6).map(|k| plane(axis(k))).collect())
}

/// Packs numbers of 32 bits: all upper halves, then all lower halves.
pub(super) fn indices(values: &[u32]) -> Packed {
    let half = |shift: u32| (Scale::PLAIN, values.iter().map(|value| (value >> shift) as u16).collect());
    packed(vec![half(16), half(0)])
}

fn plane(values: impl Iterator<Item = f64> + Clone) -> (Scale, Vec<u16>) {
    let scale = Scale::of(values.clone());
    (scale, values.map(|value| scale.code(value)).collect())
}

/// Compresses planes, lists of codes with a scale each. Codes of neighbours are similar, so their differences are
/// small. Upper bytes of differences are stored apart from lower ones, which are nearly random and compress badly.
fn packed(planes: Vec<(Scale, Vec<u16>)>) -> Packed {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for (_, codes) in &planes {
        let befores = std::iter::once(0).chain(codes.iter().copied());
        let differences: Vec<u16> = codes.iter().zip(befores).map(|(code, before)| code.wrapping_sub(before)).collect();
        let upper: Vec<u8> = differences.iter().map(|difference| difference.to_be_bytes()[0]).collect();
        let lower: Vec<u8> = differences.iter().map(|difference| difference.to_be_bytes()[1]).collect();
        for bytes in [upper, lower] {
            // Writing to a vector never fails.
            let _written = encoder.write_all(&bytes);
        }
    }
    let text = BASE64_STANDARD.encode(encoder.finish().unwrap_or_default());
    Packed { text, scales: planes.into_iter().map(|(scale, _)| scale).collect() }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// Decodes numbers, plane after plane, as the page does.
    pub(crate) fn unpacked(text: &str, low: &[f64], step: &[f64]) -> Vec<f64> {
        let mut bytes = Vec::new();
        ZlibDecoder::new(BASE64_STANDARD.decode(text).unwrap().as_slice()).read_to_end(&mut bytes).unwrap();
        let count = bytes.len() / 2 / low.len();
        let mut values = Vec::new();
        for (plane, halves) in bytes.chunks(2 * count.max(1)).enumerate() {
            let mut code = 0_u16;
            for k in 0..count {
                code = code.wrapping_add(u16::from_be_bytes([halves[k], halves[k + count]]));
                values.push(if code == NONE { f64::NAN } else { low[plane] + step[plane] * f64::from(code) });
            }
        }
        values
    }

    fn read_back(packed: &Packed) -> Vec<f64> {
        let part = Part::new(0, packed);
        unpacked(&packed.text, &part.low, &part.step)
    }

    #[test]
    fn numbers_come_back_within_a_step() {
        let spread = |low: f64, high: f64| -> Vec<f64> {
            (0..1000_u32)
                .map(|k| low + (high - low) * f64::from(k.wrapping_mul(2_654_435_761) >> 16) / 65535.0)
                .collect()
        };
        let cases =
            [spread(-1.0, 1.0), spread(1e-9, 3e-9), spread(-1e9, 1e9), spread(5.0, 5.0), spread(1e9, 1e9 + 1e-3)];
        for values in cases.iter().chain([&vec![-1e300, 0.0, 1e300], &vec![0.1], &vec![]]) {
            let packed = numbers(values);
            let step = packed.scales[0].step;
            let back = read_back(&packed);
            assert_eq!(back.len(), values.len());
            for (value, back) in values.iter().zip(&back) {
                // The value itself is rounded, too.
                assert!((value - back).abs() <= step + 1e-15 * value.abs(), "{value:e} {back:e} {step:e}");
            }
        }
    }

    #[test]
    fn whole_numbers_come_back_exactly_and_others_as_none() {
        let ids = [70_000.0, 5_000.0, 70_001.0, f64::NAN, f64::MAX];
        let back = read_back(&numbers(&ids));
        assert_eq!(back[..3], ids[..3]);
        assert!(back[3].is_nan() && back[4].is_nan());
        let states = read_back(&labels(&[0.0, 2.0, 3.0, -1.0, f64::NAN], 3));
        assert_eq!(states[..2], [0.0, 2.0]);
        assert!(states[2..].iter().all(|state| state.is_nan()));
        assert!(read_back(&labels(&[0.0], 0))[0].is_nan());
    }

    #[test]
    fn planes_of_points_segments_and_indices_come_one_after_the_other() {
        let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, f64::NAN, 6.0));
        let back = read_back(&points([a, b].into_iter()));
        assert_eq!(back[..3], [1.0, 4.0, 2.0]);
        assert!(back[3].is_nan());
        assert_eq!(read_back(&segments([[a, a], [DVec3::ZERO, a]].into_iter()))[..4], [1.0, 0.0, 2.0, 0.0]);
        // Below 2^32 - 2^16 no upper half equals the code of a missing value; frames have fewer corners.
        assert_eq!(read_back(&indices(&[1, 65_536, 300_000_000]))[..4], [0.0, 1.0, 4577.0, 1.0]);
    }
}
