use std::f64::consts::{FRAC_PI_2, PI};

use rrp_geom::glam::DVec3;

/// Cylinder with two ends, as part of space that is measured: tests whether points are inside, and computes how much of
/// a sphere or segment is inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cylinder {
    /// Middle of the first end in m.
    point: DVec3,
    /// Unit vector along the axis from the first end to the second.
    along: DVec3,
    length: f64,
    radius: f64,
}

impl Cylinder {
    /// Makes the cylinder whose axis goes from `point` to `point + axis` (m).
    pub(super) fn new(point: DVec3, axis: DVec3, radius: f64) -> Self {
        Self { point, along: axis.normalize(), length: axis.length(), radius }
    }

    pub(super) fn volume(&self) -> f64 {
        PI * self.radius * self.radius * self.length
    }

    /// Returns the lower and the upper corner (m) of a box around the cylinder.
    pub(super) fn corners(&self) -> [DVec3; 2] {
        let wide = self.radius * (DVec3::ONE - self.along * self.along).max(DVec3::ZERO).map(f64::sqrt);
        let end = self.point + self.length * self.along;
        [self.point.min(end) - wide, self.point.max(end) + wide]
    }

    /// Splits a vector into its component along the axis and its part across the axis.
    fn parts(&self, vector: DVec3) -> (f64, DVec3) {
        let along = vector.dot(self.along);
        (along, vector - along * self.along)
    }

    /// Whether a centre (m) is in the cylinder, where its first end is included, its second end and its side are not.
    pub(super) fn has(&self, center: DVec3) -> bool {
        let (along, across) = self.parts(center - self.point);
        (0.0..self.length).contains(&along) && across.length_squared() < self.radius * self.radius
    }

    /// Fraction of the segment from `start` to `start + arm` (m) inside the cylinder.
    pub(super) fn share(&self, start: DVec3, arm: DVec3) -> f64 {
        let ((from, off), (ahead, aside)) = (self.parts(start - self.point), self.parts(arm));
        let mut first = 0.0_f64;
        let mut last = 1.0_f64;
        if ahead.abs() > 0.0 {
            let enters = -from / ahead;
            let leaves = (self.length - from) / ahead;
            (first, last) = (first.max(enters.min(leaves)), last.min(enters.max(leaves)));
        } else if !(0.0..self.length).contains(&from) {
            return 0.0;
        }
        // |off + t aside|² = R².
        let square = aside.length_squared();
        let half = off.dot(aside);
        let rest = off.length_squared() - self.radius * self.radius;
        if square > 0.0 {
            let root = (half * half - square * rest).max(0.0).sqrt();
            (first, last) = (first.max((-half - root) / square), last.min((-half + root) / square));
        } else if rest >= 0.0 {
            return 0.0;
        }
        (last - first).max(0.0)
    }

    /// Computes the volume (m³) of a sphere inside the cylinder: the common area of two discs, integrated along the
    /// axis.
    pub(super) fn volume_of(&self, center: DVec3, radius: f64) -> f64 {
        let (along, across) = self.parts(center - self.point);
        let apart = across.length();
        let low = (-along).max(-radius);
        let high = (self.length - along).min(radius);
        if radius <= 0.0 || low >= high || apart >= radius + self.radius {
            return 0.0;
        }
        let disc = |height: f64| (radius - height).max(0.0) * (radius + height).max(0.0);
        if apart + radius <= self.radius {
            let up_to = |height: f64| PI * height * (radius * radius - height * height / 3.0);
            return up_to(high) - up_to(low);
        }
        // Heights at which the discs begin to intersect, and at which one contains the other.
        let mut cuts = vec![low, high];
        for touching in [self.radius - apart, self.radius + apart] {
            let height = disc(touching.abs()).sqrt();
            cuts.extend([-height, height].into_iter().filter(|cut| (low..high).contains(cut)));
        }
        cuts.sort_unstable_by(f64::total_cmp);
        let common = |height: f64| lens(disc(height).sqrt(), self.radius, apart);
        cuts.windows(2).map(|ends| integral(common, ends[0], ends[1])).sum()
    }
}

/// Returns the common area of two discs with radii `first` and `second` at the distance `apart` of their centres.
fn lens(first: f64, second: f64, apart: f64) -> f64 {
    if apart >= first + second {
        return 0.0;
    }
    if apart <= (first - second).abs() {
        return PI * first.min(second).powi(2);
    }
    // Four times the area of the triangle of both centres and a point where the circles meet.
    let four_areas = ((first + second + apart) * (first + second - apart)).max(0.0).sqrt()
        * ((apart + first - second) * (apart - first + second)).max(0.0).sqrt();
    let segment = |own: f64, other: f64| own * own * four_areas.atan2(apart * apart + (own - other) * (own + other));
    segment(first, second) + segment(second, first) - 0.5 * four_areas
}

/// Integrates a function that is smooth except at the ends by tanh-sinh quadrature.
fn integral(function: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    const STEP: f64 = 0.125;
    let middle = 0.5 * (low + high);
    let half = 0.5 * (high - low);
    let term = |k: i32| {
        let at = STEP * f64::from(k);
        let inner = FRAC_PI_2 * at.sinh();
        let weight = FRAC_PI_2 * at.cosh() / inner.cosh().powi(2);
        weight * function(middle + half * inner.tanh())
    };
    half * STEP * (-26..=26).map(term).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a cylinder along an inclined axis; also returns the axis and a unit vector across it.
    fn inclined(length: f64, radius: f64) -> (Cylinder, DVec3, DVec3) {
        let axis = DVec3::new(1.0, -2.0, 2.0) / 3.0;
        (Cylinder::new(DVec3::ZERO, length * axis, radius), axis, axis.any_orthonormal_vector())
    }

    #[test]
    fn spheres_have_the_volumes_of_closed_forms() {
        let whole = 4.0 / 3.0 * PI;
        let (long, axis, aside) = inclined(10.0, 0.6);
        let at = |along: f64, off: f64| along * axis + off * aside;
        let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-12, "{found} {exact}");
        // The axis of the cylinder goes through the sphere; half of the sphere is beyond the end.
        let pierced = whole * (1.0 - 0.64_f64.powf(1.5));
        near(long.volume_of(at(5.0, 0.0), 1.0), pierced);
        near(long.volume_of(at(0.0, 0.0), 1.0), 0.5 * pierced);
        // Viviani's solid: the diameter of the cylinder is the radius of the sphere.
        near(long.volume_of(at(5.0, 0.6), 1.2), (2.0 * PI / 3.0 - 8.0 / 9.0) * 1.2_f64.powi(3));
        // Wholly inside, a cap at the end, and outside.
        near(long.volume_of(at(5.0, 0.3), 0.3), whole * 0.027);
        near(long.volume_of(at(10.1, 0.1), 0.2), PI / 3.0 * 0.01 * 0.5);
        assert!(long.volume_of(at(5.0, 1.7), 1.0) + long.volume_of(at(11.1, 0.0), 1.0) <= 0.0);
        // A wide cylinder is nearly a plane, which leaves a cap of the height 0.7.
        let (wide, axis, aside) = inclined(1e3, 1e6);
        let cap = PI * 0.49 * (1.0 - 0.7 / 3.0);
        assert!((wide.volume_of(500.0 * axis + (1e6 + 0.3) * aside, 1.0) - cap).abs() < 1e-6);
    }

    #[test]
    fn parts_of_a_cylinder_add_up_and_a_count_of_points_agrees() {
        let (all, axis, aside) = inclined(1.5, 0.7);
        let center = 0.4 * axis + 0.5 * aside;
        let cut = 0.63;
        let parts = [Cylinder::new(DVec3::ZERO, cut * axis, 0.7), Cylinder::new(cut * axis, (1.5 - cut) * axis, 0.7)];
        let sum: f64 = parts.iter().map(|part| part.volume_of(center, 0.6)).sum();
        let exact = all.volume_of(center, 0.6);
        assert!((sum - exact).abs() < 1e-12 && (parts[0].volume() + parts[1].volume() - all.volume()).abs() < 1e-12);
        // Points of a grid in the sphere, and lines of the grid.
        let count = 80;
        let mut inside = 0_u32;
        let mut along = 0.0;
        let cell = 1.2 / f64::from(count);
        let place = |i: i32| -0.6 + (f64::from(i) + 0.5) * cell;
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            let x = place(i);
            let y = place(j);
            let reach = (0.36 - x * x - y * y).max(0.0).sqrt();
            let start = center + DVec3::new(x, y, -reach);
            along += all.share(start, 2.0 * reach * DVec3::Z) * 2.0 * reach * cell * cell;
            for z in (0..count).map(place).filter(|z| z.abs() < reach) {
                inside += u32::from(all.has(center + DVec3::new(x, y, z)));
            }
        }
        assert!((f64::from(inside) * cell.powi(3) - exact).abs() < 2e-3 * exact, "{inside} {exact}");
        assert!((along - exact).abs() < 1e-3 * exact, "{along} {exact}");
        let [low, high] = all.corners();
        assert!(all.has(0.1 * axis) && !all.has(-0.1 * axis));
        assert!(high.cmpgt(1.5 * axis).all() && low.cmplt(DVec3::ZERO).all());
    }
}
