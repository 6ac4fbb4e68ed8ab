//! The spheres around a tile that may be in its pairs.

use std::ops::Range;

use crate::neighbor::image_shift::{shift_code, shifts};
use crate::neighbor::tiles::ListInput;
use crate::neighbor::tiles::census::Census;

/// A sphere that may be in a pair of a tile, seen through one shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The wrapped centre and the radius, in m.
    pub(crate) sphere: [f64; 4],
    /// The displacement of the image in m.
    pub(crate) shift: [f64; 3],
    /// The code of the shift.
    pub(crate) code: u32,
    pub(crate) place: u32,
}

/// Boxes around the centres of the own spheres of a tile, in m.
#[derive(Debug, Clone)]
pub(crate) struct TileBounds {
    all: ClassBounds,
    /// Those of each class that has spheres with a radius.
    classes: Vec<ClassBounds>,
}

/// A box around some centres, and their largest radius, in m.
#[derive(Debug, Clone, Copy)]
struct ClassBounds {
    low: [f64; 3],
    high: [f64; 3],
    largest: f64,
}

impl ClassBounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], largest: 0.0 };

    fn add(&mut self, &[x, y, z, radius]: &[f64; 4]) {
        for (c, centre) in [x, y, z].into_iter().enumerate() {
            self.low[c] = self.low[c].min(centre);
            self.high[c] = self.high[c].max(centre);
        }
        self.largest = self.largest.max(radius);
    }

    /// Distance in m of a coordinate from the box in direction `c`.
    #[inline(always)]
    fn distance(&self, c: usize, coordinate: f64) -> f64 {
        (self.low[c] - coordinate).max(coordinate - self.high[c]).max(0.0)
    }

    /// Square of the distance of a point from the box, in m².
    #[inline(always)]
    fn square_distance(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|c| self.distance(c, point[c]));
        x * x + y * y + z * z
    }
}

impl TileBounds {
    /// The boxes of these spheres: centres and radii.
    pub(crate) fn of(spheres: &[[f64; 4]], census: &Census) -> Self {
        let mut all = ClassBounds::EMPTY;
        let mut classes = vec![ClassBounds::EMPTY; census.largest().len()];
        for sphere in spheres.iter().filter(|sphere| sphere[3] > 0.0) {
            all.add(sphere);
            classes[census.class(sphere[3])].add(sphere);
        }
        classes.retain(|class| class.largest > 0.0);
        Self { all, classes }
    }

    /// Whether some sphere of another tile, or an image of one, may be within the gap `skin` (m) of one here.
    fn may_reach(&self, other: &Self, skin: f64, periods: [f64; 3]) -> bool {
        let mut square = 0.0;
        for (c, &period) in periods.iter().enumerate() {
            let gap = |shift: f64| {
                let (low, high) = (other.all.low[c] + shift, other.all.high[c] + shift);
                (low - self.all.high[c]).max(self.all.low[c] - high).max(0.0)
            };
            let least = gap(0.0).min(gap(period)).min(gap(-period));
            square += least * least;
        }
        let reach = longer(self.all.largest + other.all.largest + skin);
        square < reach * reach
    }
}

/// A length (m) that no rounding makes too short.
#[inline(always)]
fn longer(length: f64) -> f64 {
    length * (1.0 + 1e-9)
}

/// Finds the candidates of tiles.
#[derive(Debug)]
pub(crate) struct CandidateFinder<'a> {
    skin: f64,
    periods: [f64; 3],
    shifts: [[f64; 4]; 32],
    reference: &'a [[f64; 4]],
    ranges: &'a [Range<usize>],
    bounds: &'a [TileBounds],
}

impl<'a> CandidateFinder<'a> {
    /// For tiles with these places and bounds; `reference` has the centre and radius in each place.
    pub(crate) fn new(
        input: &ListInput<'_>,
        reference: &'a [[f64; 4]],
        ranges: &'a [Range<usize>],
        bounds: &'a [TileBounds],
    ) -> Self {
        let periods = input.domain.periods();
        Self { skin: input.skin, periods: periods.to_array(), shifts: shifts(periods), reference, ranges, bounds }
    }

    /// Writes the candidates of one tile to `found`, in the order of their places and codes.
    pub(crate) fn find(&self, tile: usize, found: &mut Vec<Candidate>) {
        found.clear();
        let own = &self.bounds[tile];
        for (other, bounds) in self.bounds.iter().enumerate() {
            if other == tile || own.may_reach(bounds, self.skin, self.periods) {
                self.ranges[other].clone().for_each(|place| self.add(own, place, other == tile, found));
            }
        }
    }

    /// Adds the images of one sphere that may be in pairs of a tile with these bounds.
    #[inline(always)]
    fn add(&self, bounds: &TileBounds, place: usize, is_own: bool, found: &mut Vec<Candidate>) {
        let sphere @ [x, y, z, radius] = self.reference[place];
        if radius <= 0.0 {
            return;
        }
        let (centre, reach) = ([x, y, z], longer(radius + self.skin + bounds.all.largest));
        // By direction: which images are near enough.
        let near: [[bool; 3]; 3] = std::array::from_fn(|c| {
            let is_near = |shift: f64| bounds.all.distance(c, centre[c] + shift) < reach;
            let images = self.periods[c] > 0.0;
            [images && is_near(-self.periods[c]), is_own || is_near(0.0), images && is_near(self.periods[c])]
        });
        if near.iter().any(|images| images == &[false; 3]) {
            return;
        }
        for signs in SIGNS {
            if !(0..3).all(|c| near[c][(signs[c] + 1) as usize]) {
                continue;
            }
            let code = shift_code(signs);
            let [sx, sy, sz, _] = self.shifts[code as usize];
            let image = [x + sx, y + sy, z + sz];
            let reaches = |class: &ClassBounds| {
                let reach = longer(radius + self.skin + class.largest);
                class.square_distance(image) < reach * reach
            };
            if (is_own && signs == [0; 3]) || bounds.classes.iter().any(reaches) {
                found.push(Candidate { sphere, shift: [sx, sy, sz], code, place: place as u32 });
            }
        }
    }
}

/// The images of a sphere: signs of the periods, in the order of their codes.
const SIGNS: [[i32; 3]; 27] = {
    let mut signs = [[0; 3]; 27];
    let mut code = 0;
    while code < 27 {
        signs[code] = [code as i32 % 3 - 1, code as i32 / 3 % 3 - 1, code as i32 / 9 - 1];
        code += 1;
    }
    signs
};
