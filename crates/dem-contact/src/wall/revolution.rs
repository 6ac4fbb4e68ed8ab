//! Surfaces of revolution.

use rrp_geom::glam::{DVec2, DVec3};

use super::cylinder::{around, direction, unit};
use super::patch::square;
use super::{Patch, Sides, WallShape};
use crate::DemError;
use crate::error::{not_negative, positive};

/// A profile of straight pieces turned about an axis through the origin of its frame: cylinders with ends, cones, discs,
/// rings, and what is made of several of them without seams, such as a silo or a drum.
///
/// The profile is a list of points (distance from the axis, height along it) in m. Bodies are to the left of it, as one
/// goes from point to point with the axis pointing up and the distance to the right; or on both [`Sides`]. Where pieces
/// meet, spheres touch the edge from outside and both pieces from inside. A profile that ends where it began is closed.
///
/// A sphere that rests on the edge of a hole smaller than itself touches it all around; here it touches its nearest point.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored"))]
pub struct Revolution {
    axis: DVec3,
    profile: Vec<[f64; 2]>,
    sides: Sides,
}

impl Revolution {
    /// The surface of this profile, bodies on the left of it; `axis` need not have length one.
    ///
    /// # Errors
    /// [`DemError::InvalidShape`] for an axis without direction, fewer than two points, points that are not finite or behind
    /// the axis, or two in a row that are the same.
    pub fn new(axis: DVec3, profile: impl IntoIterator<Item = [f64; 2]>) -> Result<Self, DemError> {
        let made = Self { axis: direction(axis)?, profile: profile.into_iter().collect(), sides: Sides::Front };
        made.check()?;
        Ok(made)
    }

    /// A tube with open ends at the heights `low` and `high` (m), bodies inside.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`DemError::InvalidParameter`] unless `radius` is finite and positive.
    pub fn tube(axis: DVec3, radius: f64, [low, high]: [f64; 2]) -> Result<Self, DemError> {
        let radius = positive("the radius of a tube", radius)?;
        Self::new(axis, [[radius, low.min(high)], [radius, low.max(high)]])
    }

    /// A solid cylinder between the heights `low` and `high` (m), bodies outside, at its ends too.
    ///
    /// # Errors
    /// As [`tube`](Self::tube).
    pub fn rod(axis: DVec3, radius: f64, [low, high]: [f64; 2]) -> Result<Self, DemError> {
        let radius = positive("the radius of a rod", radius)?;
        let (low, high) = (low.min(high), low.max(high));
        Self::new(axis, [[0.0, high], [radius, high], [radius, low], [0.0, low]])
    }

    /// A truncated cone, bodies inside: `low` and `high` are its radii and heights (m).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn cone_inside(axis: DVec3, low: [f64; 2], high: [f64; 2]) -> Result<Self, DemError> {
        Self::new(axis, if low[1] <= high[1] { [low, high] } else { [high, low] })
    }

    /// The same with bodies outside.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn cone_outside(axis: DVec3, low: [f64; 2], high: [f64; 2]) -> Result<Self, DemError> {
        Self::new(axis, if low[1] <= high[1] { [high, low] } else { [low, high] })
    }

    /// A disc at the height zero, or a ring if `hole` (m) is positive; bodies on the side that `axis` points to.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`DemError::InvalidParameter`] unless 0 ≤ `hole` < `radius`.
    pub fn disc(axis: DVec3, radius: f64, hole: f64) -> Result<Self, DemError> {
        let hole = not_negative("the hole of a disc", hole)?;
        positive("the width of a disc", radius - hole)?;
        Self::new(axis, [[hole, 0.0], [radius, 0.0]])
    }

    /// The same surface with bodies on these sides.
    #[must_use]
    pub fn with_sides(self, sides: Sides) -> Self {
        Self { sides, ..self }
    }

    /// The axis, of length one.
    #[must_use]
    pub fn axis(&self) -> DVec3 {
        self.axis
    }

    /// The profile: distances from the axis and heights along it in m.
    #[must_use]
    pub fn profile(&self) -> &[[f64; 2]] {
        &self.profile
    }

    /// On which sides bodies are.
    #[must_use]
    pub fn sides(&self) -> Sides {
        self.sides
    }

    pub(crate) fn check(&self) -> Result<(), DemError> {
        unit(self.axis)?;
        let invalid = |problem| Err(DemError::InvalidShape { problem });
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
        Ok(())
    }

    fn is_closed(&self) -> bool {
        self.profile.len() > 2 && self.profile.first() == self.profile.last()
    }

    /// The point of piece `k` nearest to `at`, and where on the piece it is.
    fn nearest(&self, k: usize, at: DVec2) -> (DVec2, Spot) {
        let (from, to) = (DVec2::from_array(self.profile[k]), DVec2::from_array(self.profile[k + 1]));
        let along = to - from;
        let share = (at - from).dot(along);
        if share <= 0.0 {
            (from, Spot::Start)
        } else if share >= along.length_squared() {
            (to, Spot::End)
        } else {
            (from + along * (share / along.length_squared()), Spot::Within)
        }
    }

    /// The unit normal of piece `k`, to the left.
    fn normal(&self, k: usize) -> DVec2 {
        let (from, to) = (DVec2::from_array(self.profile[k]), DVec2::from_array(self.profile[k + 1]));
        (to - from).perp().normalize()
    }

    /// The pieces that meet at point `k` of the profile.
    fn pieces_at(&self, k: usize) -> [Option<usize>; 2] {
        let last = self.profile.len() - 1;
        match k {
            0 => [self.is_closed().then(|| last - 1), Some(0)],
            _ if k == last => [Some(last - 1), self.is_closed().then_some(0)],
            _ => [Some(k - 1), Some(k)],
        }
    }
}

/// Where on a piece a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    Start,
    Within,
    End,
}

impl WallShape for Revolution {
    fn near(&self, centre: DVec3, reach: f64, pieces: &mut Vec<u32>) {
        let (from_axis, ..) = around(self.axis, centre);
        let at = DVec2::new(from_axis, centre.dot(self.axis));
        if (0..self.profile.len() - 1).any(|k| self.nearest(k, at).0.distance_squared(at) <= reach * reach) {
            pieces.push(0);
        }
    }

    fn patches(&self, centre: DVec3, reach: f64, _: &[u32], found: &mut Vec<Patch>) {
        let (from_axis, out, along) = around(self.axis, centre);
        let at = DVec2::new(from_axis, centre.dot(self.axis));
        let (first, last) = (found.len(), self.profile.len() - 1);
        for k in 0..last {
            let (point, spot) = self.nearest(k, at);
            let away = at - point;
            if away.length_squared() >= reach * reach {
                continue;
            }
            let (mut normal, mut distance, rim) = match spot {
                Spot::Within => (self.normal(k), away.dot(self.normal(k)), 0.0),
                Spot::Start | Spot::End => {
                    let corner = if spot == Spot::Start { k } else { k + 1 };
                    // A corner is nearest to all that meet at it, and counts once.
                    let meeting = self.pieces_at(corner);
                    let pieces = || meeting.into_iter().flatten();
                    let lies = |piece: usize| self.nearest(piece, at).0.distance_squared(point) <= 0.0;
                    if pieces().min() != Some(k) || !pieces().filter(|&piece| piece != k).all(lies) {
                        continue;
                    }
                    let on_axis = self.profile[corner][0] <= 0.0;
                    let alone = pieces().count() == 1;
                    let mean = pieces().fold(DVec2::ZERO, |sum, piece| sum + self.normal(piece));
                    // Around an open edge bodies may go; on the axis the surface goes on.
                    let behind = away.dot(mean) < 0.0 && (on_axis || !alone);
                    let (length, sign) = (away.length(), if behind && self.sides == Sides::Front { -1.0 } else { 1.0 });
                    if length <= 0.0 || on_axis && alone && self.normal(k).x.abs() <= 0.0 {
                        (self.normal(k), if behind { -length } else { length }, 0.0)
                    } else {
                        (away * (sign / length), sign * length, sign / length)
                    }
                }
            };
            if self.sides == Sides::Both && distance < 0.0 {
                (normal, distance) = (-normal, -distance);
            }
            let feature = if spot == Spot::Within { k } else { last + k + usize::from(spot == Spot::End) } as u32;
            let turn = if from_axis > 0.0 { normal.x / from_axis } else { rim };
            let in_plane = out * -normal.y + self.axis * normal.x;
            let turning = square(along) * turn + square(in_plane) * rim;
            found.push(Patch { feature, normal: out * normal.x + self.axis * normal.y, distance, turning });
        }
        merge(found, first, reach, |_, _| false);
        if self.sides == Sides::Front {
            keep_front(found, first);
        }
    }
}

/// Leaves out patches that are no surface of their own; the nearest of those that are one stays. One are points as good as
/// the same, for a surface that sees both sides of a seam; faces that are as good as one plane; and two patches of which the one
/// `lies` in the plane that the other one touches.
pub(crate) fn merge(found: &mut Vec<Patch>, first: usize, reach: f64, lies: impl Fn(&Patch, &Patch) -> bool) {
    found[first..].sort_unstable_by(|one, other| {
        one.distance.abs().total_cmp(&other.distance.abs()).then(one.feature.cmp(&other.feature))
    });
    let mut k = first + 1;
    while k < found.len() {
        let patch = found[k];
        let same = |nearer: &Patch| {
            let apart = patch.normal * patch.distance - nearer.normal * nearer.distance;
            let is_plane = (patch.normal - nearer.normal).length_squared() < BEND * BEND;
            let seam = reach * if is_plane { 2.0 * BEND } else { SEAM };
            apart.length_squared() < seam * seam || lies(&patch, nearer) || lies(nearer, &patch)
        };
        if found[first..k].iter().any(same) {
            found.remove(k);
        } else {
            k += 1;
        }
    }
}

/// Points of a surface that are closer than this, in terms of the reach, are one.
const SEAM: f64 = 1e-9;
/// Faces that meet at a smaller angle than this, in rad, are one plane.
const BEND: f64 = 3e-5;

/// Leaves of the patches from `first` on those in front of the surface; only the nearest of all counts from behind.
pub(crate) fn keep_front(found: &mut Vec<Patch>, first: usize) {
    let Some(nearest) = found[first..].iter().map(|patch| patch.distance.abs()).reduce(f64::min) else { return };
    let behind = found[first..].iter().find(|patch| patch.distance < 0.0 && patch.distance.abs() <= nearest).copied();
    if let Some(behind) = behind {
        found.truncate(first);
        found.push(behind);
        return;
    }
    let mut kept = first;
    for k in first..found.len() {
        if found[k].distance >= 0.0 {
            found[kept] = found[k];
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// What a profile is stored as.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Stored {
    axis: DVec3,
    profile: Vec<[f64; 2]>,
    sides: Sides,
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
