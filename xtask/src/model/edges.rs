//! Lines along the edges of walls in views, which show the walls without hiding what is behind them.
use std::f64::consts::TAU;

use rrp_geom::glam::DVec3;

/// Returns the twelve edges of a box from its lower and its upper corner.
pub(crate) fn of_box(low: DVec3, high: DVec3) -> Vec<[DVec3; 2]> {
    let corner = |k: usize| {
        let of = |axis: usize, low: f64, high: f64| if k & (1 << axis) == 0 { low } else { high };
        DVec3::new(of(0, low.x, high.x), of(1, low.y, high.y), of(2, low.z, high.z))
    };
    let from_each = |k: usize| (0..3).filter(move |axis| k & (1 << axis) == 0).map(move |axis| (k, k | (1 << axis)));
    (0..8).flat_map(from_each).map(|(a, b)| [corner(a), corner(b)]).collect()
}

/// Returns lines on a surface of revolution about the axis z, given by a profile of radii and heights: a ring at each
/// corner of the profile, and `lines` copies of the profile around the axis.
pub(crate) fn of_revolution(profile: &[[f64; 2]], lines: usize) -> Vec<[DVec3; 2]> {
    const AROUND: usize = 48;
    let at = |[radius, height]: [f64; 2], turn: f64| {
        DVec3::new(radius * (TAU * turn).cos(), radius * (TAU * turn).sin(), height)
    };
    let part = |k: usize, of: usize| k as f64 / of as f64;
    let rings = profile
        .iter()
        .flat_map(|&corner| (0..AROUND).map(move |k| [at(corner, part(k, AROUND)), at(corner, part(k + 1, AROUND))]));
    let down = profile.windows(2).flat_map(|ends| {
        let [from, to] = [ends[0], ends[1]];
        (0..lines).map(move |k| [at(from, part(k, lines)), at(to, part(k, lines))])
    });
    rings.chain(down).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_as_long_as_its_sides() {
        let edges = of_box(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(edges.len(), 12);
        let length: f64 = edges.iter().map(|[a, b]| a.distance(*b)).sum();
        assert!((length - 24.0).abs() < 1e-12, "{length}");
    }

    #[test]
    fn rings_close() {
        let edges = of_revolution(&[[1.0, 0.0], [2.0, 1.0]], 4);
        assert_eq!(edges.len(), 2 * 48 + 4);
        assert!(edges[0][0].distance(edges[47][1]) < 1e-12);
    }
}
