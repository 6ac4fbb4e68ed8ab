//! The point of a triangle that is nearest to a centre.

use rrp_geom::glam::DVec3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Face,
    /// Edge from the corner of this number to the next corner of the triangle.
    Edge(usize),
    Corner(usize),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ClosestPoint {
    pub(super) point: DVec3,
    pub(super) spot: Spot,
}

/// Returns the point of the triangle nearest to `centre`, by case distinction over corners, edges and face (Ericson,
/// *Real-Time Collision Detection*, 2005, 5.1.5).
pub(super) fn closest_point([a, b, c]: [DVec3; 3], centre: DVec3) -> ClosestPoint {
    let ab = b - a;
    let ac = c - a;
    let ap = centre - a;
    let d1 = ab.dot(ap);
    let d2 = ac.dot(ap);
    if d1 <= 0.0 && d2 <= 0.0 {
        return ClosestPoint { point: a, spot: Spot::Corner(0) };
    }
    let bp = centre - b;
    let d3 = ab.dot(bp);
    let d4 = ac.dot(bp);
    if d3 >= 0.0 && d4 <= d3 {
        return ClosestPoint { point: b, spot: Spot::Corner(1) };
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return ClosestPoint { point: a + ab * (d1 / (d1 - d3)), spot: Spot::Edge(0) };
    }
    let cp = centre - c;
    let d5 = ab.dot(cp);
    let d6 = ac.dot(cp);
    if d6 >= 0.0 && d5 <= d6 {
        return ClosestPoint { point: c, spot: Spot::Corner(2) };
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return ClosestPoint { point: a + ac * (d2 / (d2 - d6)), spot: Spot::Edge(2) };
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return ClosestPoint { point: b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), spot: Spot::Edge(1) };
    }
    let sum = (va + vb + vc).recip();
    ClosestPoint { point: a + ab * (vb * sum) + ac * (vc * sum), spot: Spot::Face }
}
