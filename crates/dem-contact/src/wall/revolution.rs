//! Surfaces of revolution.

use rrp_geom::glam::{DMat3, DVec2, DVec3};

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::error::wall::WallError;
use crate::wall::cylinder::{AroundAxis, direction, unit};
use crate::wall::patch_reduction::{End, PatchReduction};
use crate::wall::surface::{Patch, Saddle, Sidedness, WallShape, push_apart, square};

/// Wall surface of revolution: a profile of straight pieces rotated about an axis through the origin of its frame.
/// Examples are cylinders with ends, cones, discs, rings, and seamless combinations of them, such as a silo or a drum.
///
/// The profile is a list of points (distance from the axis, height along the axis) in m. Draw it with the axis pointing
/// up and the distance to the right: bodies are to the left of the way from point to point, or on both sides, as
/// [`Sidedness`] says. A profile that ends at its first point is closed.
///
/// Where two pieces meet at a convex edge, spheres touch the edge. At a concave edge spheres touch both pieces, and the
/// overlap that both share is counted once; see [`Saddle`].
///
/// Limit: a sphere on the edge of a smaller hole touches the edge all around; here it touches only the nearest point.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored"))]
pub struct Revolution {
    axis: DVec3,
    profile: Vec<[f64; 2]>,
    sides: Sidedness,
}

impl Revolution {
    /// Makes the surface of revolution of a profile with bodies on its left; `axis` may have any length.
    ///
    /// Points on a piece are rounded like its ends: with ends at a distance of 1e16 m, a sphere of radius 1 m is
    /// missed.
    ///
    /// # Errors
    /// [`WallError::InvalidShape`] for an axis without direction, for fewer than two points, for a point that is not
    /// finite or has a negative distance from the axis, and for two consecutive points that coincide or whose squared
    /// distance overflows or underflows.
    pub fn new(axis: DVec3, profile: impl IntoIterator<Item = [f64; 2]>) -> Result<Self, DemError> {
        let made = Self { axis: direction(axis)?, profile: profile.into_iter().collect(), sides: Sidedness::Front };
        made.check()?;
        Ok(made)
    }

    /// Makes a tube with open ends at the heights `low` and `high` (m), with bodies inside.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`DemError::InvalidParameter`] unless `radius` is finite and positive.
    pub fn tube(axis: DVec3, radius: f64, [low, high]: [f64; 2]) -> Result<Self, DemError> {
        let radius = positive("the radius of a tube", radius)?;
        Self::new(axis, [[radius, low.min(high)], [radius, low.max(high)]])
    }

    /// Makes a solid cylinder between the heights `low` and `high` (m), with bodies around it and beyond its ends.
    ///
    /// # Errors
    /// As [`tube`](Self::tube).
    pub fn rod(axis: DVec3, radius: f64, [low, high]: [f64; 2]) -> Result<Self, DemError> {
        let radius = positive("the radius of a rod", radius)?;
        let (low, high) = (low.min(high), low.max(high));
        Self::new(axis, [[0.0, high], [radius, high], [radius, low], [0.0, low]])
    }

    /// Makes the lateral surface of a truncated cone, with open ends and bodies inside; `low` and `high` are its ends,
    /// each a radius and a height (m).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn cone_inside(axis: DVec3, low: [f64; 2], high: [f64; 2]) -> Result<Self, DemError> {
        Self::new(axis, if low[1] <= high[1] { [low, high] } else { [high, low] })
    }

    /// Makes the lateral surface of a truncated cone, with open ends and bodies outside; `low` and `high` are its ends,
    /// each a radius and a height (m).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn cone_outside(axis: DVec3, low: [f64; 2], high: [f64; 2]) -> Result<Self, DemError> {
        Self::new(axis, if low[1] <= high[1] { [high, low] } else { [low, high] })
    }

    /// Makes a disc at height zero, or a ring if `hole` (m) is positive, with bodies on the side to which `axis`
    /// points.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`DemError::InvalidParameter`] unless 0 ≤ `hole` < `radius`.
    pub fn disc(axis: DVec3, radius: f64, hole: f64) -> Result<Self, DemError> {
        let hole = not_negative("the hole of a disc", hole)?;
        positive("the width of a disc", radius - hole)?;
        Self::new(axis, [[hole, 0.0], [radius, 0.0]])
    }

    /// Sets the sides of the surface of revolution on which bodies are.
    #[must_use]
    pub fn with_sides(self, sides: Sidedness) -> Self {
        Self { sides, ..self }
    }

    /// Unit vector along the axis of the surface of revolution.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// Profile of the surface of revolution: distances from the axis and heights along the axis in m.
    #[must_use]
    pub fn profile(&self) -> &[[f64; 2]] {
        &self.profile
    }

    /// Sides of the surface of revolution on which bodies are.
    #[must_use]
    pub fn sides(&self) -> Sidedness {
        self.sides
    }

    pub(super) fn check(&self) -> Result<(), DemError> {
        unit(self.axis)?;
        let invalid = |problem| Err(DemError::Wall(WallError::InvalidShape { problem }));
        if self.profile.len() < 2 {
            return invalid("a profile has two points at least");
        }
        if self.profile.iter().any(|[r, z]| !(r.is_finite() && *r >= 0.0 && z.is_finite())) {
            return invalid("a point of its profile is not finite, or behind the axis");
        }
        let same = |two: &[[f64; 2]]| DVec2::from_array(two[0]) == DVec2::from_array(two[1]);
        if self.profile.windows(2).any(same) {
            return invalid("two points of its profile in a row are the same");
        }
        let length_squared = |two: &[[f64; 2]]| DVec2::from_array(two[0]).distance_squared(DVec2::from_array(two[1]));
        if self.profile.windows(2).any(|two| !length_squared(two).is_normal()) {
            return invalid(
                "two points of its profile in a row are so far apart, or so close, that their distance cannot be squared",
            );
        }
        Ok(())
    }

    /// Whether the surface has one side and no open edge, and the sphere's centre is behind it.
    pub(super) fn is_behind(&self, centre: DVec3) -> bool {
        let on_axis = |point: Option<&[f64; 2]>| point.is_some_and(|[radius, _]| *radius <= 0.0);
        let has_no_rim = self.is_closed() || on_axis(self.profile.first()) && on_axis(self.profile.last());
        has_no_rim && self.is_at_back(centre, f64::INFINITY)
    }

    /// Whether the surface has one side, and the sphere's centre is less than `reach` (m) behind its nearest point;
    /// also at open edges.
    pub(super) fn is_at_back(&self, centre: DVec3, reach: f64) -> bool {
        let distance = self.signed_distance(centre);
        self.sides == Sidedness::Front && distance < 0.0 && distance > -reach
    }

    /// Distance in m of a sphere's centre from the surface of revolution, negative behind a surface with one side.
    fn signed_distance(&self, centre: DVec3) -> f64 {
        let seen = Seen::new(self.axis, centre);
        let distance = |k: usize| seen.at.distance(self.nearest(k, seen.at).point);
        let pieces = 0..self.profile.len() - 1;
        let nearest = pieces.min_by(|&one, &other| distance(one).total_cmp(&distance(other))).unwrap_or(0);
        self.patch(nearest as u32, &seen).distance
    }

    fn is_closed(&self) -> bool {
        self.profile.len() > 2 && self.profile.first() == self.profile.last()
    }

    /// Returns the point of piece `k` of the profile that is nearest to `at` (distance from the axis and height in m).
    fn nearest(&self, k: usize, at: DVec2) -> ProfilePoint {
        let from = DVec2::from_array(self.profile[k]);
        let to = DVec2::from_array(self.profile[k + 1]);
        let along = to - from;
        let share = (at - from).dot(along);
        if share <= 0.0 {
            ProfilePoint { point: from, spot: Spot::Start }
        } else if share >= along.length_squared() {
            ProfilePoint { point: to, spot: Spot::End }
        } else {
            ProfilePoint { point: from + along * (share / along.length_squared()), spot: Spot::Within }
        }
    }

    fn normal(&self, k: usize) -> DVec2 {
        let from = DVec2::from_array(self.profile[k]);
        let to = DVec2::from_array(self.profile[k + 1]);
        (to - from).perp().normalize()
    }

    /// Returns the point of piece `k` of the profile nearest to a sphere's centre, as a [`Patch`].
    fn patch(&self, k: u32, seen: &Seen) -> Patch {
        let last = self.profile.len() - 1;
        let piece = k as usize;
        let ProfilePoint { point, spot } = self.nearest(piece, seen.at);
        let away = seen.at - point;
        let flat = self.normal(piece);
        let (feature, mut normal, mut distance, rim) = match spot {
            Spot::Within => (piece, flat, away.dot(flat), 0.0),
            Spot::Start | Spot::End => {
                let corner = match if spot == Spot::Start { piece } else { piece + 1 } {
                    end if end == last && self.is_closed() => 0,
                    corner => corner,
                };
                let meeting = || self.pieces_at(corner).into_iter().flatten();
                let on_axis = self.profile[corner][0] <= 0.0;
                let alone = meeting().count() == 1;
                let mean = meeting().fold(DVec2::ZERO, |sum, piece| sum + self.normal(piece));
                // Bodies may pass around an open edge, which has no back. On the axis the surface continues.
                let behind = away.dot(mean) < 0.0 && (on_axis || !alone);
                let length = away.length();
                let sign = if behind && self.sides == Sidedness::Front { -1.0 } else { 1.0 };
                let (normal, distance, rim) = if length <= 0.0 || on_axis && alone && flat.x.abs() <= 0.0 {
                    (flat, if behind { -length } else { length }, 0.0)
                } else {
                    (away * (sign / length), sign * length, sign / length)
                };
                (last + corner, normal, distance, rim)
            }
        };
        if self.sides == Sidedness::Both && distance < 0.0 {
            (normal, distance) = (-normal, -distance);
        }
        Patch { turning: seen.turning(normal, rim), ..Patch::flat(feature as u32, seen.in_space(normal), distance) }
    }

    fn saddle(&self, k: usize, seen: &Seen) -> Saddle {
        let away = seen.at - DVec2::from_array(self.profile[k]);
        let distance = away.length();
        let (normal, rim) = if distance > 0.0 { (away / distance, distance.recip()) } else { (self.normal(k), 0.0) };
        Saddle { normal: seen.in_space(normal), distance, turning: seen.turning(normal, rim) }
    }

    /// Adds the points of the profile within reach, each between two pieces within reach, as seams of the surface.
    fn seams(&self, at: DVec2, reach: f64, reached: &mut PatchReduction) {
        let index_of = |reached: &PatchReduction, piece: Option<usize>| {
            reached.pieces().iter().position(|reached| Some(reached.number as usize) == piece)
        };
        for k in 0..reached.pieces().len() {
            let point = reached.pieces()[k].number as usize;
            let distance = at.distance(DVec2::from_array(self.profile[point]));
            if distance < reach
                && let Some(before) = index_of(reached, self.pieces_at(point)[0])
            {
                reached.push_seam(point as u32, distance, [before as u32, k as u32]);
            }
        }
    }

    fn pieces_at(&self, k: usize) -> [Option<usize>; 2] {
        let last = self.profile.len() - 1;
        match k {
            0 => [self.is_closed().then(|| last - 1), Some(0)],
            _ if k == last => [Some(last - 1), self.is_closed().then_some(0)],
            _ => [Some(k - 1), Some(k)],
        }
    }
}

struct Seen {
    /// Distance of the sphere's centre from the axis and height along the axis in m.
    at: DVec2,
    axis: DVec3,
    out: DVec3,
    along: DVec3,
}

impl Seen {
    fn new(axis: DVec3, centre: DVec3) -> Self {
        let AroundAxis { distance: from_axis, out, along } = AroundAxis::new(axis, centre);
        Self { at: DVec2::new(from_axis, centre.dot(axis)), axis, out, along }
    }

    /// Converts a vector of the plane through the axis and the sphere's centre to a vector in space.
    fn in_space(&self, normal: DVec2) -> DVec3 {
        self.out * normal.x + self.axis * normal.y
    }

    /// Derivative of a surface normal by the sphere's centre in 1/m, if the normal turns by `rim` (1/m) in the plane of
    /// the profile.
    fn turning(&self, normal: DVec2, rim: f64) -> DMat3 {
        let turn = if self.at.x > 0.0 { normal.x / self.at.x } else { rim };
        square(self.along) * turn + square(self.in_space(normal.perp())) * rim
    }
}

struct ProfilePoint {
    point: DVec2,
    spot: Spot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    Start,
    Within,
    End,
}

impl WallShape for Revolution {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        let mut widest = 0.0_f64;
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for &[radius, height] in &self.profile {
            (widest, low, high) = (widest.max(radius), low.min(height), high.max(height));
        }
        let across = widest * (DVec3::ONE - self.axis * self.axis).max(DVec3::ZERO).map(f64::sqrt);
        let half = 0.5 * (high - low) * self.axis.abs() + across;
        let centre = 0.5 * (low + high) * self.axis;
        Some([centre - half, centre + half])
    }

    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        let from_axis = AroundAxis::new(self.axis, centre).distance;
        let at = DVec2::new(from_axis, centre.dot(self.axis));
        if (0..self.profile.len() - 1).any(|k| self.nearest(k, at).point.distance_squared(at) <= reach * reach) {
            pieces.push(0);
        }
    }

    fn patches(&self, centre: DVec3, reach: f64, _: &[u32], found: &mut Vec<Patch>) {
        let seen = Seen::new(self.axis, centre);
        let mut reached = PatchReduction::default();
        for k in 0..self.profile.len() - 1 {
            let distance = seen.at.distance(self.nearest(k, seen.at).point);
            if distance < reach {
                reached.push(k as u32, distance);
            }
        }
        reached.sort();
        let Some(first) = reached.pieces().first() else { return };
        let patch = self.patch(first.number, &seen);
        let nearest = found.len();
        let is_behind = patch.distance < 0.0;
        found.push(patch);
        if is_behind || reached.pieces().len() == 1 {
            return;
        }
        self.seams(seen.at, reach, &mut reached);
        let corners = self.profile.iter().flatten().fold(0.0_f64, |most, coordinate| most.max(coordinate.abs()));
        reached.join(reach, corners.max(centre.abs().max_element()), |k| self.patch(k, &seen).distance < 0.0);
        for piece in &reached.pieces()[1..] {
            let saddle = match piece.end {
                End::Part => continue,
                End::Stays => None,
                End::Joins(point) => Some(self.saddle(point as usize, &seen)),
            };
            push_apart(found, nearest, Patch { saddle, ..self.patch(piece.number, &seen) }, reach);
        }
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Stored {
    axis: DVec3,
    profile: Vec<[f64; 2]>,
    sides: Sidedness,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for Revolution {
    type Error = DemError;

    fn try_from(Stored { axis, profile, sides }: Stored) -> Result<Self, DemError> {
        let stored = Self { axis, profile, sides };
        stored.check()?;
        Ok(stored)
    }
}
