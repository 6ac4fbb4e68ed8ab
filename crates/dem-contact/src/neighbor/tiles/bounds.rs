//! Boxes around centres, and which of them may have spheres that are near.

use crate::neighbor::domain::Domain;
use crate::neighbor::image_shift::{NO_SHIFT, signs};

/// A box around the centres of spheres that have a radius, and their largest radius, in m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
    pub(crate) largest: f64,
}

impl Bounds {
    pub(crate) const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], largest: 0.0 };

    /// Takes in a sphere, or the image of one: its centre and radius in m.
    #[inline(always)]
    pub(crate) fn add(&mut self, centre: [f64; 3], radius: f64) {
        for (c, centre) in centre.into_iter().enumerate() {
            self.low[c] = if centre < self.low[c] { centre } else { self.low[c] };
            self.high[c] = if centre > self.high[c] { centre } else { self.high[c] };
        }
        self.largest = if radius > self.largest { radius } else { self.largest };
    }

    /// The box around these spheres.
    #[inline(always)]
    pub(crate) fn of(spheres: &[[f64; 4]]) -> Self {
        let mut all = Self::EMPTY;
        for &[x, y, z, radius] in spheres {
            if radius > 0.0 {
                all.add([x, y, z], radius);
            }
        }
        all
    }

    pub(crate) fn join(&mut self, other: &Self) {
        for c in 0..3 {
            self.low[c] = self.low[c].min(other.low[c]);
            self.high[c] = self.high[c].max(other.high[c]);
        }
        self.largest = self.largest.max(other.largest);
    }

    /// The box moved by a shift (m).
    #[inline(always)]
    pub(crate) fn moved(&self, shift: [f64; 3]) -> Self {
        let [low, high] = [self.low, self.high].map(|corner| std::array::from_fn(|c| corner[c] + shift[c]));
        Self { low, high, largest: self.largest }
    }

    /// Square of the distance of a point (m) from the box, in m².
    #[inline(always)]
    pub(crate) fn square_distance(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|c| largest_of(self.low[c] - point[c], point[c] - self.high[c]));
        x * x + y * y + z * z
    }

    /// Distance in direction `c` of the box from another one that is shifted, in m.
    #[inline(always)]
    fn distance(&self, other: &Self, c: usize, shift: f64) -> f64 {
        largest_of(other.low[c] + shift - self.high[c], self.low[c] - (other.high[c] + shift))
    }
}

/// The largest of two numbers and zero.
#[inline(always)]
pub(crate) fn largest_of(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    if larger > 0.0 { larger } else { 0.0 }
}

/// How near spheres and boxes must be so that a pair may be listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    skin: f64,
    periods: [f64; 3],
    /// By code: the displacement (m) of an image.
    shifts: [[f64; 4]; 32],
    is_sheared: bool,
    /// No rounding of the centre of an image is larger, in m.
    margin: f64,
}

impl Reach {
    /// For pairs up to the gap `skin` (m).
    pub(crate) fn new(domain: &Domain, skin: f64) -> Self {
        let periods = domain.periods().to_array();
        let size = |c: usize| if periods[c] > 0.0 { domain.low()[c].abs() + 2.0 * periods[c] } else { 0.0 };
        let margin = 16.0 * f64::EPSILON * (0..3).map(size).fold(0.0, f64::max);
        Self { skin, periods, shifts: domain.shifts(), is_sheared: domain.is_sheared(), margin }
    }

    /// A distance in m below which centres may be, if two spheres with at most these radii (m) are listed.
    #[inline(always)]
    pub(crate) fn between(&self, radius: f64, other: f64) -> f64 {
        (radius + other + self.skin) * (1.0 + 1e-9) + self.margin
    }

    /// Whether some image of one box may be near another.
    pub(crate) fn is_any_near(&self, bounds: &Bounds, other: &Bounds) -> bool {
        if self.is_sheared {
            return self.near_images(bounds, other, self.images()) != 0;
        }
        let mut square = 0.0;
        for (c, &period) in self.periods.iter().enumerate() {
            let mut least = bounds.distance(other, c, 0.0);
            if period > 0.0 {
                least = least.min(bounds.distance(other, c, period)).min(bounds.distance(other, c, -period));
            }
            square += least * least;
        }
        let reach = self.between(bounds.largest, other.largest);
        square < reach * reach
    }

    /// Those of the images `among` of a box that may be near another: a bit for each code of a shift.
    #[inline(always)]
    pub(crate) fn near_images(&self, bounds: &Bounds, other: &Bounds, among: u32) -> u32 {
        let reach = self.between(bounds.largest, other.largest);
        let (mut left, mut near) = (among, 0);
        while left != 0 {
            let shift = self.shifts[left.trailing_zeros() as usize % 32];
            let [x, y, z] = [0, 1, 2].map(|c| bounds.distance(other, c, shift[c]));
            near |= if x * x + y * y + z * z < reach * reach { left & left.wrapping_neg() } else { 0 };
            left &= left - 1;
        }
        near
    }

    /// All images that there are in a domain with these periods: a bit for each code of a shift.
    pub(crate) fn images(&self) -> u32 {
        let exists = |code: usize| (0..3).all(|c| signs(code)[c] == 0 || self.periods[c] > 0.0);
        (0..27).filter(|&code| exists(code)).fold(0, |images, code| images | 1 << code)
    }
}

/// The bit of the sphere itself among its images.
pub(crate) const ITSELF: u32 = 1 << NO_SHIFT;
