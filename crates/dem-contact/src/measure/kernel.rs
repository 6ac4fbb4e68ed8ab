use std::f64::consts::PI;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::parameter::positive;

/// Kernel of coarse-graining, which spreads a grain over space, with an integral of one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Kernel {
    /// Gaussian exp(−d²/2w²)/(2πw²)^(3/2) of the distance d, cut off at 7 w, beyond which is 1.3e-10 of the integral.
    /// Its means over cells are exact, and fast for wide cells.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ gaussian = { width = 0.005 } }")))]
    Gaussian {
        /// Width w (standard deviation along an axis) in m.
        #[cfg_attr(feature = "schema", schemars(extend("unit" = "m", "toml" = "0.005")))]
        width: f64,
    },
    /// Lucy's kernel of the distance d: 105/(16πc³) (1 + 3 d/c)(1 − d/c)³, zero beyond the range c. Its means over
    /// cells are right to a hundredth.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ lucy = { range = 0.02 } }")))]
    Lucy {
        /// Range c in m, the distance from which on the kernel is zero.
        #[cfg_attr(feature = "schema", schemars(extend("unit" = "m", "toml" = "0.02")))]
        range: f64,
    },
}

/// Distance at which a Gaussian is cut off, in units of its width.
const CUTOFF: f64 = 7.0;

/// Nodes and weights of Gauss quadrature with five points on [−1, 1].
pub(super) const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

impl Kernel {
    /// Checks that the width or the range of the kernel is finite and positive.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`].
    pub fn check(self) -> Result<(), DemError> {
        match self {
            Self::Gaussian { width } => positive("the width of a kernel", width),
            Self::Lucy { range } => positive("the range of a kernel", range),
        }
        .map(|_| ())
    }

    /// Distance from the grain in m beyond which the kernel is zero.
    #[must_use]
    pub fn range(self) -> f64 {
        match self {
            Self::Gaussian { width } => CUTOFF * width,
            Self::Lucy { range } => range,
        }
    }

    /// Value in 1/m³ of the kernel at the position `place` (m) relative to the grain.
    #[must_use]
    pub fn value(self, place: DVec3) -> f64 {
        let square = place.length_squared();
        if square >= self.range().powi(2) {
            return 0.0;
        }
        match self {
            Self::Gaussian { width } => {
                (-0.5 * square / (width * width)).exp() / ((2.0 * PI).powf(1.5) * width.powi(3))
            }
            Self::Lucy { range } => {
                let d = square.sqrt() / range;
                105.0 / (16.0 * PI * range.powi(3)) * (1.0 + 3.0 * d) * (1.0 - d).powi(3)
            }
        }
    }

    /// Mean of the kernel in 1/m³ over the segment from `start` to `start + arm`, relative to the evaluated point: the
    /// integral over s from 0 to 1 of the kernel at start + s arm, as in the stress of `[Gol10]`.
    pub(super) fn mean_along(self, start: DVec3, arm: DVec3) -> f64 {
        let length = arm.length();
        if length <= 0.0 {
            return self.value(start);
        }
        // The coordinate s along the line starts at the point nearest to the evaluated point, at the distance q.
        let along = arm / length;
        let first = start.dot(along);
        let nearest = (start - first * along).length_squared();
        let inside = self.range().powi(2) - nearest;
        if inside <= 0.0 {
            return 0.0;
        }
        let half = inside.sqrt();
        let from = first.max(-half);
        let to = (first + length).min(half);
        if from >= to {
            return 0.0;
        }
        let integral = match self {
            Self::Gaussian { width } => gaussian_along(nearest, from, to, width),
            Self::Lucy { range } => lucy_along(nearest, from, to, range),
        };
        integral / length
    }
}

/// Returns the integral (1/m²) of a Gaussian over the coordinate along a line from `from` to `to` (m, zero at the point
/// nearest to the grain), with five points in each half width, to 1e-12. `nearest` is the squared distance (m²) of the
/// line from the grain.
fn gaussian_along(nearest: f64, from: f64, to: f64, width: f64) -> f64 {
    let pieces = ((to - from) / (0.5 * width)).ceil().max(1.0);
    let half = 0.5 * (to - from) / pieces;
    let mut sum = 0.0;
    for piece in 0..pieces as usize {
        let middle = from + (2.0 * piece as f64 + 1.0) * half;
        for (node, weight) in GAUSS {
            let s = middle + node * half;
            sum += weight * (-0.5 * s * s / (width * width)).exp();
        }
    }
    half * sum * (-0.5 * nearest / (width * width)).exp() / ((2.0 * PI).powf(1.5) * width.powi(3))
}

/// Returns the integral (1/m²) of Lucy's kernel over the coordinate s along a line from `from` to `to` (m, zero at the
/// point nearest to the grain). `nearest` is the squared distance q² (m²) of the line from the grain. With lengths over
/// the range the kernel is a multiple of 1 − 6 u² + 8 u³ − 3 u⁴, where u² = q² + s².
fn lucy_along(nearest: f64, from: f64, to: f64, range: f64) -> f64 {
    let square = nearest / (range * range);
    let primitive = |s: f64| {
        let u = (square + s * s).sqrt();
        let logarithm = if square > 0.0 { (s / square.sqrt()).asinh() } else { 0.0 };
        let cubes = s * u * (2.0 * s * s + 5.0 * square) / 8.0 + 0.375 * square * square * logarithm;
        let squares = square * s + s.powi(3) / 3.0;
        let fourths = square * square * s + 2.0 / 3.0 * square * s.powi(3) + s.powi(5) / 5.0;
        s - 6.0 * squares + 8.0 * cubes - 3.0 * fourths
    };
    105.0 / (16.0 * PI * range.powi(2)) * (primitive(to / range) - primitive(from / range))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNELS: [Kernel; 2] = [Kernel::Gaussian { width: 0.4 }, Kernel::Lucy { range: 1.7 }];

    #[test]
    fn the_integral_of_a_kernel_is_one() {
        for kernel in KERNELS {
            let count = 4000;
            let range = kernel.range();
            let step = range / f64::from(count);
            let shell = |k: i32| {
                let d = (f64::from(k) + 0.5) * step;
                4.0 * PI * d * d * kernel.value(DVec3::X * d) * step
            };
            let sum = (0..count).map(shell).sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-6, "{kernel:?} {sum}");
        }
    }

    #[test]
    fn means_along_segments_are_those_of_many_points() {
        let segments = [
            (DVec3::new(-0.3, 0.2, 0.1), DVec3::new(0.9, -0.4, 0.3)),
            // Through the evaluated point, and beyond the range at both ends.
            (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(2.5, 0.0, 0.0)),
            (DVec3::new(-4.0, 0.5, 0.0), DVec3::new(9.0, 0.3, 0.2)),
            (DVec3::new(9.0, 9.0, 0.0), DVec3::new(1.0, 1.0, 0.2)),
        ];
        for kernel in KERNELS {
            for (start, arm) in segments {
                let count = 20_000;
                let point = |k: i32| kernel.value(start + (f64::from(k) + 0.5) / f64::from(count) * arm);
                let many = (0..count).map(point).sum::<f64>() / f64::from(count);
                let mean = kernel.mean_along(start, arm);
                assert!((mean - many).abs() < 2e-8, "{kernel:?} {start} {mean} {many}");
            }
        }
    }
}
