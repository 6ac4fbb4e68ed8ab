//! Exactly rounded overlaps from centres that are sums of two numbers.
//!
//! Overlaps of stiff bodies are 1e-5 of a diameter, so that centres rounded to 1e-16 of the height of a bed would leave
//! ten digits to forces. An overlap is therefore computed from R² − d² with its rounding errors.

use rrp_parallel::two_sum;

/// Returns the unit normal from sphere a to sphere b, their overlap and the distance of their centres in m.
///
/// Centres are pairs `[larger number, smaller number]` to be added; `shift` (m) displaces sphere b to its image.
#[inline(always)]
pub(super) fn overlap(a: [[f64; 3]; 2], b: [[f64; 3]; 2], shift: [f64; 4], sum_of_radii: f64) -> ([f64; 3], f64, f64) {
    let mut separation = [[0.0; 2]; 3];
    for c in 0..3 {
        let [difference, rest] = two_sum(b[0][c], -a[0][c]);
        let [difference, more] = two_sum(difference, shift[c]);
        separation[c] = two_sum(difference, rest + more + (b[1][c] - a[1][c]));
    }
    let mut sum = sum_of_radii * sum_of_radii;
    let mut error = sum_of_radii.mul_add(sum_of_radii, -sum);
    let mut square = 0.0;
    for [d, rest] in separation {
        let product = d * d;
        let [next, lost] = two_sum(sum, -product);
        error += lost - d.mul_add(d, -product) - 2.0 * d * rest;
        sum = next;
        square += product;
    }
    let distance = f64::sqrt(square);
    let normal = separation.map(|[d, rest]| (d + rest) / distance);
    (normal, (sum + error) / (sum_of_radii + distance), distance)
}

/// Returns the overlap in m of a sphere with a plane through `origin`; `normal` points from the sphere into the wall.
#[inline(always)]
pub(super) fn wall_overlap(a: [[f64; 3]; 2], radius: f64, origin: [f64; 3], normal: [f64; 3]) -> f64 {
    let mut sum = radius;
    let mut error = 0.0;
    for c in 0..3 {
        let [difference, rest] = two_sum(a[0][c], -origin[c]);
        let product = difference * normal[c];
        let [next, lost] = two_sum(sum, product);
        error += lost + difference.mul_add(normal[c], -product) + (rest + a[1][c]) * normal[c];
        sum = next;
    }
    sum + error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_keep_all_their_digits_far_from_the_origin() {
        // The overlap of 1e-7 would have at most seven digits with centres of single numbers at 1000.
        let tiny = 1e-7 / 3.0;
        let a = [[1000.0, 0.0, 0.0], [0.0; 3]];
        let b = [[1001.0, 0.0, 0.0], [-tiny, 0.0, 0.0]];
        let (normal, found, _) = overlap(a, b, [0.0; 4], 1.0);
        assert!((found / tiny - 1.0).abs() < 4e-16 && (normal[0] - 1.0).abs() < 1e-15, "{found:e}");
        let (_, through_image, _) = overlap(a, [[2.0, 0.0, 0.0], [-tiny, 0.0, 0.0]], [999.0, 0.0, 0.0, 0.0], 1.0);
        assert!((through_image / tiny - 1.0).abs() < 4e-16);
        let on_wall = wall_overlap([[1000.5, 0.0, 0.0], [tiny, 0.0, 0.0]], 0.5, [1001.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert!((on_wall / tiny - 1.0).abs() < 4e-16, "{on_wall:e}");
    }
}
