//! Boxes around centres, and a test whether spheres in two boxes may be neighbours.

use crate::neighbor::domain::Domain;
use crate::neighbor::image_shift::signs;
use crate::neighbor::tiles::marks::Bits;

/// Box around the centres of spheres, and their largest radius, in m.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::neighbor) struct Bounds {
    pub(in crate::neighbor) low: [f64; 3],
    pub(in crate::neighbor) high: [f64; 3],
    pub(in crate::neighbor) largest: f64,
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], largest: 0.0 };

    pub(in crate::neighbor) fn of(spheres: impl Iterator<Item = [f64; 4]>) -> Self {
        spheres.fold(Self::EMPTY, |mut all, [x, y, z, radius]| {
            all.join(&Self { low: [x, y, z], high: [x, y, z], largest: radius });
            all
        })
    }

    pub(in crate::neighbor) fn join(&mut self, other: &Self) {
        for c in 0..3 {
            self.low[c] = self.low[c].min(other.low[c]);
            self.high[c] = self.high[c].max(other.high[c]);
        }
        self.largest = self.largest.max(other.largest);
    }

    /// Square in m² of the distance of a point (m) from this box around the centres of spheres.
    #[inline(always)]
    pub(super) fn square_distance(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|c| largest_of(self.low[c] - point[c], point[c] - self.high[c]));
        x * x + y * y + z * z
    }

    /// Distance in m along one axis between this box and the box `other`, which is moved by `shift` (m); zero where
    /// their extents along the axis overlap.
    #[inline(always)]
    pub(in crate::neighbor) fn distance_along(&self, direction: usize, other: &Self, shift: f64) -> f64 {
        let [low, high] = [other.low, other.high].map(|corner| corner[direction] + shift);
        largest_of(low - self.high[direction], self.low[direction] - high)
    }

    /// Square in m² of the distance between this box and the box `other`, which is moved by `shift` (m); zero if the
    /// boxes overlap.
    #[inline(always)]
    pub(in crate::neighbor) fn square_distance_of(&self, other: &Self, shift: &[f64; 4]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|c| self.distance_along(c, other, shift[c]));
        x * x + y * y + z * z
    }
}

#[inline(always)]
fn largest_of(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    if larger > 0.0 { larger } else { 0.0 }
}

/// Distances of centres up to which spheres, or spheres in two boxes, may have a listed pair.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    skin: f64,
    pub(super) shifts: [[f64; 4]; 32],
    /// Bit mask of the periodic images that exist in the domain: a bit for each code of a shift.
    pub(super) images: u32,
    /// Upper bound in m on the rounding error of the centre of a periodic image.
    margin: f64,
}

impl Reach {
    pub(super) fn new(domain: &Domain, skin: f64) -> Self {
        let periods = domain.periods();
        let exists = |code: usize| (0..3).all(|c| signs(code)[c] == 0 || periods[c] > 0.0);
        let images = (0..27).filter(|&code| exists(code)).fold(0, |images, code| images | 1 << code);
        let size = |c: usize| if periods[c] > 0.0 { domain.low()[c].abs() + 2.0 * periods[c] } else { 0.0 };
        let margin = 16.0 * f64::EPSILON * (0..3).map(size).fold(0.0, f64::max);
        Self { skin, shifts: domain.shifts(), images, margin }
    }

    /// Upper bound in m on the distance between the centres of a listed pair whose radii (m) are at most these.
    #[inline(always)]
    pub(super) fn between(&self, radius: f64, other: f64) -> f64 {
        (radius + other + self.skin) * (1.0 + 1e-9) + self.margin
    }

    /// Returns the bit mask of the images among `among` through which the box `other` may be near the box `bounds`; bit
    /// k of a mask stands for the shift of code k.
    #[inline(always)]
    pub(super) fn near_images(&self, bounds: &Bounds, other: &Bounds, among: u32) -> u32 {
        let reach = self.between(bounds.largest, other.largest);
        let is_near = |&code: &usize| bounds.square_distance_of(other, &self.shifts[code]) < reach * reach;
        Bits(among).filter(is_near).fold(0, |near, code| near | 1 << code)
    }
}
