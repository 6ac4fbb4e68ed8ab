//! The point of a triangle that is nearest to another.

use rrp_geom::glam::DVec3;

/// Where on a triangle a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Face,
    /// From this corner to the next one.
    Edge(usize),
    Corner(usize),
}

/// The point of the triangle nearest to `centre`, by the regions of its corners, its edges and its face.
pub(super) fn nearest([a, b, c]: [DVec3; 3], centre: DVec3) -> (DVec3, Spot) {
    let (ab, ac, ap) = (b - a, c - a, centre - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Spot::Corner(0));
    }
    let bp = centre - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Spot::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Spot::Edge(0));
    }
    let cp = centre - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Spot::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Spot::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), Spot::Edge(1));
    }
    let sum = (va + vb + vc).recip();
    (a + ab * (vb * sum) + ac * (vc * sum), Spot::Face)
}
