//! Walls of finite shape in periodic domains, whose images bodies touch as well.

use rrp_geom::glam::DVec3;
use smallvec::{SmallVec, smallvec};

use crate::error::DemError;
use crate::error::wall::WallError;
use crate::wall::placed::Placed;
use crate::wall::shape::Shape;
use crate::wall::surface::{Patch, WallShape};

/// Largest number of periodic images of a wall near one body; more are an error.
const MOST: f64 = 1000.0;

/// Distance below which a point of a surface counts as lying on a periodic image of the surface, over the reach of a
/// sphere.
const ON_SURFACE: f64 = 1e-6;

/// Displacements (m) from a body to those of its periodic images that may be near a wall.
type Shifts = SmallVec<[DVec3; 1]>;

/// Point at which a body, or a periodic image of it, touches a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touched {
    /// Patch of the wall in the world frame: its point nearest to the centre, with normal and distance.
    pub(crate) patch: Patch,
    /// Displacement in m from the body to its image that touches the wall; zero without periods.
    pub(crate) shift: DVec3,
}

#[derive(Debug, Default)]
pub(crate) struct TouchedPoints {
    pub(crate) touched: Vec<Touched>,
    pieces: Vec<u32>,
    found: Vec<Patch>,
}

/// Iterates over the whole numbers from `from` to `to`; over none if `to` is smaller than `from` or NaN.
pub(crate) fn whole_numbers([from, to]: [f64; 2]) -> impl Iterator<Item = f64> {
    // Adding one to a large floating-point number may not change it, so the loop counts with an integer.
    let count = if to >= from { (to - from).min(MOST) as u32 + 1 } else { 0 };
    (0..count).map(move |k| from + f64::from(k))
}

impl Placed<'_> {
    /// Returns the displacements from a body at `position` (m) to those of its periodic images that may be nearer to
    /// the wall than `reach` (m).
    pub(crate) fn shifts(&self, position: DVec3, reach: f64, periods: DVec3) -> Shifts {
        if periods == DVec3::ZERO || !self.shape.has_images() {
            return smallvec![DVec3::ZERO];
        }
        let range = |c: usize| match self.bounds() {
            _ if periods[c] <= 0.0 => [0.0, 0.0],
            None => [-1.0, 1.0],
            Some([low, high]) => {
                let turns = |bound: f64| (bound - position[c]) / periods[c];
                [turns(low[c] - reach).ceil(), turns(high[c] + reach).floor()]
            }
        };
        let [x, y, z] = [range(0), range(1), range(2)];
        let mut shifts = Shifts::new();
        for i in whole_numbers(x) {
            for j in whole_numbers(y) {
                shifts.extend(whole_numbers(z).map(|k| periods * DVec3::new(i, j, k)));
            }
        }
        shifts
    }

    /// Checks that no body can be near more than [`MOST`] periodic images of the wall.
    pub(super) fn check_images(&self, wall: usize, periods: DVec3) -> Result<(), DemError> {
        let Some([low, high]) = self.bounds().filter(|_| self.shape.has_images()) else { return Ok(()) };
        let across = |c: usize| if periods[c] > 0.0 { ((high - low)[c] / periods[c]).max(0.0) } else { 0.0 };
        let longest = (0..3).fold(0, |most, c| if across(c) > across(most) { c } else { most });
        if (0..3).map(|c| across(c) + 1.0).product::<f64>() <= MOST {
            return Ok(());
        }
        Err(DemError::Wall(WallError::TooManyImages { wall, direction: longest, periods: across(longest) }))
    }

    fn bounds(&self) -> Option<[DVec3; 2]> {
        let [low, high] = self.shape.bounds()?;
        let centre = self.world(0.5 * (low + high));
        let half = 0.5 * (high - low);
        let [x, y, z] = DVec3::AXES.map(|axis| self.turn(axis).abs());
        let half = x * half.x + y * half.y + z * half.z;
        Some([centre - half, centre + half])
    }

    /// Largest distance in m of any part of the wall from its point, about which it turns; zero for a shape without
    /// [`bounds`](Shape::bounds), such as an endless one.
    pub(crate) fn extent(&self) -> f64 {
        let Some([low, high]) = self.bounds() else { return 0.0 };
        (low - self.point).abs().max((high - self.point).abs()).length()
    }

    /// Finds all points nearer to `position` than `reach` (m) at which a sphere touches the wall or periodic images of
    /// the wall.
    pub(crate) fn touch(&self, position: DVec3, reach: f64, periods: DVec3, points: &mut TouchedPoints) {
        let mut pieces = std::mem::take(&mut points.pieces);
        points.touched.clear();
        let shifts = self.shifts(position, reach, periods);
        for &shift in &shifts {
            pieces.clear();
            if let Some(surface) = self.shape.surface() {
                surface.near(self.local(position + shift), reach, &mut pieces);
            }
            self.touch_image(position, reach, shift, &pieces, points);
        }
        points.pieces = pieces;
        if shifts.len() > 1 {
            self.reduce_images(position, reach, shifts.iter().copied(), &mut points.touched);
        }
    }

    /// Finds the points nearer than `reach` (m) at which periodic images of a sphere touch the wall. Each image of the
    /// sphere is given by its shift (m) and the numbers of the wall's pieces near the image.
    pub(crate) fn touch_images<'p>(
        &self,
        position: DVec3,
        reach: f64,
        images: impl Iterator<Item = (DVec3, &'p [u32])> + Clone,
        points: &mut TouchedPoints,
    ) {
        points.touched.clear();
        for (shift, pieces) in images.clone() {
            self.touch_image(position, reach, shift, pieces, points);
        }
        self.reduce_images(position, reach, images.map(|(shift, _)| shift), &mut points.touched);
    }

    /// Adds the points nearer than `reach` (m) at which the image of a sphere touches the wall; `pieces` are the
    /// numbers of the wall's pieces near the image. A plane has no pieces.
    #[inline]
    fn touch_image(&self, position: DVec3, reach: f64, shift: DVec3, pieces: &[u32], points: &mut TouchedPoints) {
        let TouchedPoints { touched, found, .. } = points;
        if let Some((origin, out)) = self.plane() {
            let distance = (position - origin).dot(out);
            if distance < reach {
                touched.push(Touched { patch: Patch::flat(0, out, distance), shift: DVec3::ZERO });
            }
        } else if let Some(surface) = self.shape.surface().filter(|_| !pieces.is_empty()) {
            found.clear();
            surface.patches(self.local(position + shift), reach, pieces, found);
            touched.extend(found.iter().map(|patch| Touched { patch: self.patch(patch), shift }));
        }
    }

    /// Keeps those patches on several images that are nearest points of the union of all images. Where an image
    /// continues a surface, the common edge is no end of the surface and gives no patch. Of several points at one place
    /// the first point stays.
    fn reduce_images(
        &self,
        position: DVec3,
        reach: f64,
        shifts: impl Iterator<Item = DVec3> + Clone,
        touched: &mut Vec<Touched>,
    ) {
        let Some(surface) = self.shape.surface() else { return };
        let from_one = |touched: &[Touched]| touched.windows(2).all(|two| two[0].shift == two[1].shift);
        if from_one(touched) {
            return;
        }
        let largest = shifts.clone().fold(0.0_f64, |most, shift| most.max((position + shift).abs().max_element()));
        let tolerance = (ON_SURFACE * reach).max(4.0 * f64::EPSILON * largest);
        let point = |one: &Touched| one.patch.normal * -one.patch.distance;
        let mut stays: SmallVec<[bool; 8]> = smallvec![true; touched.len()];
        let mut pieces = Vec::new();
        let mut found = Vec::new();
        for (k, one) in touched.iter().enumerate() {
            let mut of_others = touched.iter().enumerate().filter(|(_, other)| other.shift != one.shift);
            if let Some((other, _)) = of_others.find(|(_, other)| point(other).distance(point(one)) <= tolerance) {
                stays[k] = k < other;
                continue;
            }
            stays[k] = !shifts.clone().filter(|shift| *shift != one.shift).any(|shift| {
                let there = self.local(position + shift + point(one));
                pieces.clear();
                found.clear();
                surface.near(there, tolerance, &mut pieces);
                if !pieces.is_empty() {
                    surface.patches(there, tolerance, &pieces, &mut found);
                }
                !found.is_empty()
            });
        }
        let mut stays = stays.into_iter();
        touched.retain(|_| stays.next().unwrap_or(true));
    }
}

impl Shape {
    pub(crate) fn has_images(&self) -> bool {
        !matches!(self, Self::Plane(_) | Self::Cylinder(_) | Self::Nowhere)
    }

    /// Low and high corner in m of a box around the shape, in its frame. `None` if the shape has no end, or if a user's
    /// own shape returns no box.
    pub(super) fn bounds(&self) -> Option<[DVec3; 2]> {
        match self {
            Self::Plane(_) | Self::Cylinder(_) | Self::Nowhere => None,
            Self::Revolution(revolution) => WallShape::bounds(revolution),
            Self::Mesh(mesh) => Some(mesh.bounds()),
            Self::Own(own) => own.bounds(),
        }
    }
}
