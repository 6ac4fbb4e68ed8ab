//! Volume of a sphere inside a box, in closed form.
//!
//! The volume of a ball in a corner {x > a, y > b, z > c} is a third of the sum of distances times areas of its faces.
//! The area on the sphere follows from the theorem of Gauss and Bonnet; the area on a plane is a sector and two
//! triangles. A box is a signed sum of eight corners.

use std::f64::consts::PI;

use rrp_geom::glam::DVec3;

/// Computes the volume (m³) of a sphere inside the box from `low` to `high`, all in m. Sides may be infinite.
///
/// ```
/// use dem_contact::measure::ball_in_box;
/// use rrp_geom::glam::DVec3;
///
/// // An eighth of the sphere.
/// let volume = ball_in_box(DVec3::ZERO, 1.0, DVec3::ZERO, DVec3::INFINITY);
/// assert!((volume - std::f64::consts::PI / 6.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn ball_in_box(center: DVec3, radius: f64, low: DVec3, high: DVec3) -> f64 {
    if radius <= 0.0 || !low.cmplt(high).all() {
        return 0.0;
    }
    let [low, high] = [low, high].map(|corner| ((corner - center) / radius).to_array());
    let whole = 4.0 / 3.0 * PI;
    if low.iter().all(|&side| side <= -1.0) && high.iter().all(|&side| side >= 1.0) {
        return whole * radius.powi(3);
    }
    let mut volume = 0.0;
    for code in 0..8_usize {
        let is_high = |axis: usize| code >> axis & 1 == 1;
        let [a, b, c] = [0, 1, 2].map(|axis| if is_high(axis) { high[axis] } else { low[axis] });
        let sign = if code.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
        volume += sign * corner(a, b, c);
    }
    volume.clamp(0.0, whole) * radius.powi(3)
}

/// Computes the volume of the part x > a of the unit ball, a sphere of radius one about the origin.
fn cap(a: f64) -> f64 {
    let a = a.clamp(-1.0, 1.0);
    PI / 3.0 * (1.0 - a).powi(2) * (2.0 + a)
}

/// Computes the volume of the part of the unit ball with x > a and y > b.
fn wedge(a: f64, b: f64) -> f64 {
    if a < 0.0 {
        cap(b) - wedge(-a, b)
    } else if b < 0.0 {
        cap(a) - wedge(a, -b)
    } else if a * a + b * b >= 1.0 {
        0.0
    } else {
        2.0 * triangle(a, b, 0.0)
    }
}

/// Computes the volume of the part of the unit ball with x > a, y > b and z > c.
fn corner(a: f64, b: f64, c: f64) -> f64 {
    if a < 0.0 {
        wedge(b, c) - corner(-a, b, c)
    } else if b < 0.0 {
        wedge(a, c) - corner(a, -b, c)
    } else if c < 0.0 {
        wedge(a, b) - corner(a, b, -c)
    } else if a * a + b * b + c * c >= 1.0 {
        0.0
    } else {
        triangle(a, b, c)
    }
}

/// Computes the volume of the part of the unit ball with x > a, y > b and z > c for a, b, c ≥ 0 and (a, b, c) inside
/// the ball, where the boundary on the unit sphere is a triangle of arcs.
fn triangle(a: f64, b: f64, c: f64) -> f64 {
    let mut solid_angle = 2.0 * PI;
    let mut volume = 0.0;
    for [x, y, z] in [[a, b, c], [b, c, a], [c, a, b]] {
        // The face z: where its circle meets x and y, and how long its arc is.
        let across = |side: f64| (1.0 - z * z - side * side).max(0.0).sqrt();
        let at_x = across(x);
        let at_y = across(y);
        let arc = at_x.atan2(x) - y.atan2(at_y);
        let area = 0.5 * ((1.0 - z * z) * arc - y * (at_y - x) - x * (at_x - y));
        solid_angle -= z * arc;
        // The exterior angle where x and z meet.
        solid_angle -= at_x.atan2(-x * z);
        volume -= z * area / 3.0;
    }
    volume + solid_angle / 3.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes the volume of a ball in a box by slices along z and strips of each slice, for comparison.
    fn by_slices(low: DVec3, high: DVec3) -> f64 {
        let count = 400;
        let mut volume = 0.0;
        let step = |low: f64, high: f64| (high.min(1.0) - low.max(-1.0)).max(0.0) / f64::from(count);
        let dz = step(low.z, high.z);
        let dy = step(low.y, high.y);
        for k in 0..count {
            let z = low.z.max(-1.0) + (f64::from(k) + 0.5) * dz;
            for j in 0..count {
                let y = low.y.max(-1.0) + (f64::from(j) + 0.5) * dy;
                let half = (1.0 - z * z - y * y).max(0.0).sqrt();
                volume += (high.x.min(half) - low.x.max(-half)).max(0.0) * dy * dz;
            }
        }
        volume
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn slices_have_the_same_volume(
            low in proptest::array::uniform3(-1.2..0.9_f64),
            size in proptest::array::uniform3(0.05..1.5_f64),
        ) {
            let low = DVec3::from_array(low);
            let high = low + DVec3::from_array(size);
            let exact = ball_in_box(DVec3::ZERO, 1.0, low, high);
            prop_assert!((exact - by_slices(low, high)).abs() < 2e-4, "{exact}");
        }

        #[test]
        fn parts_of_a_box_add_up(
            cuts in proptest::array::uniform3(-1.1..1.1_f64),
            center in proptest::array::uniform3(-1e3..1e3_f64),
        ) {
            let center = DVec3::from_array(center);
            let radius = 0.7;
            let cut = center + radius * DVec3::from_array(cuts);
            let mut sum = 0.0;
            for code in 0..8_usize {
                let side = |axis: usize, cut: f64| {
                    if code >> axis & 1 == 1 { (cut, f64::INFINITY) } else { (f64::NEG_INFINITY, cut) }
                };
                let [x, y, z] = [side(0, cut.x), side(1, cut.y), side(2, cut.z)];
                sum += ball_in_box(center, radius, DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1));
            }
            let whole = 4.0 / 3.0 * PI * radius.powi(3);
            prop_assert!((sum - whole).abs() < 1e-13 * whole, "{sum} {whole}");
        }
    }

    #[test]
    fn halves_caps_and_small_corners_have_their_volumes() {
        let volume = |low: [f64; 3], high: [f64; 3]| {
            ball_in_box(DVec3::ZERO, 1.0, DVec3::from_array(low), DVec3::from_array(high))
        };
        let whole = 4.0 / 3.0 * PI;
        assert!((volume([-1.0; 3], [1.0; 3]) - whole).abs() < 1e-15);
        assert!((volume([0.0, -1.0, -1.0], [1.0; 3]) - 0.5 * whole).abs() < 1e-15);
        assert!((volume([0.0, 0.0, -2.0], [2.0; 3]) - 0.25 * whole).abs() < 1e-15);
        // A cube inside the ball.
        assert!((volume([-0.5; 3], [0.5; 3]) - 1.0).abs() < 1e-14);
        assert!((volume([0.5, -3.0, -3.0], [3.0; 3]) - PI / 3.0 * 0.25 * 2.5).abs() < 1e-15);
        // The corner is outside the ball, and so are its edges.
        assert!(volume([0.6; 3], [3.0; 3]) < 1e-15);
    }
}
