//! Detection of centres whose path goes through the surface of a wall.

use rrp_geom::glam::DVec3;

use crate::wall::Wall;
use crate::wall::cylinder::Cylinder;
use crate::wall::placed::Placed;
use crate::wall::revolution::Revolution;
use crate::wall::shape::Shape;
use crate::wall::surface::WallShape;

/// Fraction of its area by which a triangle of a mesh is widened, so that rounding lets no centre slip through between
/// two triangles.
const WIDER: f64 = 1e-9;
/// Radius of a sphere around the middle of a centre's path that contains the path, over the length of the path: one
/// half with a margin for rounding.
const HALF: f64 = 0.5001;

impl Wall {
    /// Length (m) of the path of a centre relative to the wall, if the path went through the wall; `None` otherwise.
    /// The centre moved between two places `ends` (m) from the first to the second of `times` (s). The wall is a mesh,
    /// a cylinder or a surface of revolution, or an image of it in a domain with these `periods` (m, zero in directions
    /// that are not periodic).
    ///
    /// The path is taken as straight in the frame of the wall. Planes are left out: a centre behind a plane touches the
    /// plane at any distance.
    ///
    /// ```
    /// # use dem_contact::wall::{Cylinder, Wall};
    /// # use rrp_geom::glam::DVec3;
    /// let pipe = Wall::new(Cylinder::inside(DVec3::Z, 1.0)?, DVec3::ZERO).moving(DVec3::X);
    /// let crossing = |to| pipe.crossing([DVec3::ZERO, DVec3::X * to], [0.0, 1.0], DVec3::ZERO);
    /// assert_eq!([crossing(1.5), crossing(2.5)], [None, Some(1.5)]);
    /// # Ok::<(), dem_contact::error::DemError>(())
    /// ```
    #[must_use]
    pub fn crossing(&self, ends: [DVec3; 2], times: [f64; 2], periods: DVec3) -> Option<f64> {
        crossing(&self.placed(times[0]), &self.placed(times[1]), ends, periods)
    }
}

/// Length (m) of the path of a centre, relative to the wall, between two places (m), if the path went through the wall
/// or a periodic image of it; the wall has the poses `begin` and `end`.
pub(crate) fn crossing(begin: &Placed<'_>, end: &Placed<'_>, [from, to]: [DVec3; 2], periods: DVec3) -> Option<f64> {
    let way = begin.local(from).distance(end.local(to));
    let is_through = |shift: DVec3| end.shape.is_crossed(begin.local(from + shift), end.local(to + shift));
    end.shifts(to, way, periods).into_iter().any(is_through).then_some(way)
}

impl Shape {
    /// Whether the straight path between two centres (m, in the frame of the shape) goes through the surface. False for
    /// planes, which find a centre behind them at any distance, and for a user's own shape, whose surface is not known.
    fn is_crossed(&self, from: DVec3, to: DVec3) -> bool {
        match self {
            Self::Plane(_) | Self::Nowhere | Self::Own(_) => false,
            Self::Cylinder(cylinder) => crosses_cylinder(cylinder, from, to),
            Self::Revolution(revolution) => crosses_revolution(revolution, from, to),
            Self::Mesh(mesh) => {
                let mut near = Vec::new();
                mesh.near(from.midpoint(to), HALF * from.distance(to), &mut near);
                near.into_iter().any(|triangle| crosses_triangle(mesh.corners(triangle as usize), from, to))
            }
        }
    }

    /// Whether a centre can go through a surface of this shape within a step without any force. Planes cannot be
    /// crossed, since they find all bodies behind them; a user's own shape is not checked.
    #[must_use]
    pub fn can_be_crossed(&self) -> bool {
        matches!(self, Self::Cylinder(_) | Self::Revolution(_) | Self::Mesh(_))
    }
}

fn crosses_triangle([a, b, c]: [DVec3; 3], from: DVec3, to: DVec3) -> bool {
    let normal = (b - a).cross(c - a);
    let before = (from - a).dot(normal);
    let after = (to - a).dot(normal);
    if (before < 0.0) == (after < 0.0) {
        return false;
    }
    let point = from.lerp(to, before / (before - after));
    let slack = -WIDER * normal.length_squared();
    let is_inside = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) >= slack;
    is_inside(a, b) && is_inside(b, c) && is_inside(c, a)
}

/// Whether the straight path of a centre goes through an endless cylinder: from inside to outside, from outside to
/// inside, or in and out again.
fn crosses_cylinder(cylinder: &Cylinder, from: DVec3, to: DVec3) -> bool {
    let across = |centre: DVec3| centre - centre.dot(cylinder.axis()) * cylinder.axis();
    let from = across(from);
    let to = across(to);
    let is_inside = |centre: DVec3| centre.length() < cylinder.radius();
    if is_inside(from) != is_inside(to) {
        return true;
    }
    let way = to - from;
    let nearest = (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0);
    !is_inside(from) && is_inside(from + nearest * way)
}

fn crosses_revolution(revolution: &Revolution, from: DVec3, to: DVec3) -> bool {
    let axis = revolution.axis();
    let start = from.dot(axis);
    let rise = to.dot(axis) - start;
    let across = from - start * axis;
    let out = to - from - rise * axis;
    revolution.profile().windows(2).any(|piece| {
        let [[wide, low], [other, high]] = [piece[0], piece[1]];
        if (high - low).abs() <= 0.0 {
            let share = (low - start) / rise;
            let passes = (start < low) != (start + rise < low);
            return passes && (wide.min(other)..=wide.max(other)).contains(&(across + share * out).length());
        }
        let slope = (other - wide) / (high - low);
        let r = wide + slope * (start - low);
        let g = slope * rise;
        let a = out.length_squared() - g * g;
        let b = 2.0 * (across.dot(out) - r * g);
        let c = across.length_squared() - r * r;
        let heights = low.min(high)..=low.max(high);
        roots(a, b, c).into_iter().any(|t| (0.0..=1.0).contains(&t) && heights.contains(&(start + t * rise)))
    })
}

/// Returns the real roots t of a t² + b t + c = 0; NaN in place of a root that does not exist.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    // This form avoids cancellation. For a linear equation one of the roots is infinite or NaN.
    let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    [q / a, c / q]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall::TriangleMesh;

    fn square(half: f64) -> Shape {
        let corner = |x: f64, y: f64| DVec3::new(half * x, half * y, 0.0);
        let points = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        TriangleMesh::open(points, vec![[0, 1, 2], [0, 2, 3]]).unwrap().into()
    }

    #[track_caller]
    fn assert_crossed(shape: &Shape, from: [f64; 3], to: [f64; 3], expected: bool) {
        let [from, to] = [from, to].map(DVec3::from_array);
        assert_eq!(shape.is_crossed(from, to), expected, "{from} {to}");
        assert_eq!(shape.is_crossed(to, from), expected, "{to} {from}");
    }

    #[test]
    fn a_sheet_is_crossed_within_its_rim_and_on_the_edge_between_two_triangles() {
        let sheet = square(1.0);
        assert_crossed(&sheet, [0.3, 0.1, 9.0], [0.3, 0.1, -0.01], true);
        assert_crossed(&sheet, [0.0, 0.0, 0.5], [0.0, 0.0, -0.5], true);
        assert_crossed(&sheet, [0.3, 0.1, 9.0], [0.3, 0.1, 0.01], false);
        assert_crossed(&sheet, [0.9, 0.0, 0.5], [1.3, 0.0, -0.5], false);
    }

    #[test]
    fn pipes_and_rods_are_crossed() {
        for cylinder in [Cylinder::inside(DVec3::Z, 1.0), Cylinder::outside(DVec3::Z, 1.0)] {
            let cylinder = Shape::from(cylinder.unwrap());
            assert_crossed(&cylinder, [0.5, 0.0, 0.0], [1.5, 0.0, 7.0], true);
            assert_crossed(&cylinder, [-1.5, 0.5, 0.0], [1.5, 0.5, 0.0], true);
            assert_crossed(&cylinder, [-1.5, 1.1, 0.0], [1.5, 1.1, 0.0], false);
            assert_crossed(&cylinder, [-0.5, 0.0, 0.0], [0.5, 0.0, 9.0], false);
            assert_crossed(&cylinder, [2.0, 0.0, 0.0], [2.0, 0.0, 9.0], false);
        }
    }

    #[test]
    fn cones_discs_and_tubes_are_crossed_between_their_ends() {
        // A cone with radius 1 at height 0 and radius 2 at height 1, a ring at its lower end, and a tube above it.
        let profile = [[0.5, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, 3.0]];
        let silo = Shape::from(Revolution::new(DVec3::Z, profile).unwrap());
        assert_crossed(&silo, [1.0, 0.0, 0.5], [2.0, 0.0, 0.5], true);
        assert_crossed(&silo, [1.0, 0.0, 0.5], [1.4, 0.0, 0.5], false);
        assert_crossed(&silo, [-3.0, 0.0, 0.5], [3.0, 0.0, 0.5], true);
        assert_crossed(&silo, [0.0, 1.9, 2.0], [0.0, 2.1, 2.5], true);
        assert_crossed(&silo, [0.0, 1.9, 3.5], [0.0, 2.1, 3.5], false);
        assert_crossed(&silo, [0.7, 0.0, 0.5], [0.7, 0.0, -0.5], true);
        assert_crossed(&silo, [0.3, 0.0, 0.5], [0.3, 0.0, -0.5], false);
        assert_crossed(&silo, [1.5, 0.0, 0.9], [1.5, 0.0, 0.1], true);
        assert_crossed(&silo, [0.0, 0.0, 5.0], [0.0, 0.0, -5.0], false);
    }
}
