//! The exact solution of one contact: u = w r + b with Coulomb's law.
//!
//! If bₙ ≥ 0 the contact opens. Otherwise uₙ = 0 eliminates the normal force, and the tangential force is
//!
//! rₜ(α) = −(S + α I)⁻¹ c,  S = wₜₜ − wₜₙ wₙₜ / wₙₙ,  c = bₜ − wₜₙ bₙ / wₙₙ,
//!
//! where α = |uₜ| / |rₜ| is zero if the contact sticks. If it slides, α is a root of g(α) = |rₜ| − μ rₙ. For α → ∞, g
//! tends to μ bₙ / wₙₙ < 0; a contact that does not stick has g(0) > 0, so g has a root for any μ. The closed form, a
//! polynomial of fourth degree, loses digits; Newton's method between bounds does not.

use crate::friction::law::{Coefficients, disks};

type Block3 = [[f64; 3]; 3];

/// Equations of the tangential force of a sliding contact, with the normal force eliminated.
struct Reduced<'a> {
    w: &'a Block3,
    normal_offset: f64,
    s: [[f64; 2]; 2],
    c: [f64; 2],
    mu: f64,
}

/// Force r of a sliding contact for a guess of α = |uₜ| / |rₜ|, the sliding speed over the tangential force.
struct Point {
    r: [f64; 3],
    /// Excess g(α) = |rₜ| − μ rₙ of the tangential force over its bound, and the derivative of g by α.
    excess: f64,
    slope: f64,
    /// Sum of the absolute values of the terms of g(α), for the rounding error of g.
    scale: f64,
}

impl Reduced<'_> {
    fn at(&self, alpha: f64) -> Point {
        let inverse = self.inverse(alpha);
        let times = |x: [f64; 2]| [0, 1].map(|k| inverse[k][0] * x[0] + inverse[k][1] * x[1]);
        let tangential = times(self.c).map(|x| -x);
        let change = times(tangential).map(|x| -x);
        let along = |t: [f64; 2]| (self.w[0][1] * t[0] + self.w[0][2] * t[1]) / self.w[0][0];
        let normal = -self.normal_offset / self.w[0][0] - along(tangential);
        let norm = tangential[0].hypot(tangential[1]);
        let norm_change = if norm > 0.0 { (tangential[0] * change[0] + tangential[1] * change[1]) / norm } else { 0.0 };
        Point {
            r: [normal, tangential[0], tangential[1]],
            excess: norm - self.mu * normal,
            slope: norm_change + self.mu * along(change),
            scale: norm + self.mu * normal.abs(),
        }
    }

    fn inverse(&self, alpha: f64) -> [[f64; 2]; 2] {
        let [[a, b], [c, d]] = [[self.s[0][0] + alpha, self.s[0][1]], [self.s[1][0], self.s[1][1] + alpha]];
        let determinant = a * d - b * c;
        [[d / determinant, -b / determinant], [-c / determinant, a / determinant]]
    }

    /// Finds the α = |uₜ| / |rₜ| with zero excess g(α) = |rₜ| − μ rₙ, from `start` at α ≈ 0: by Newton's method in β =
    /// 1/(tr S/2 + α), in which g is nearly linear, or by bisection if Newton's method is too slow.
    fn slide(&self, start: Point) -> Point {
        let half_trace = (0.5 * (self.s[0][0] + self.s[1][1])).max(f64::MIN_POSITIVE);
        let mut low = 0.0;
        let mut high = half_trace;
        let mut point = start;
        // Doubling ends since g(∞) < 0.
        let mut beyond = self.at(high);
        while beyond.excess > 0.0 {
            (low, high, point) = (high, 2.0 * high, beyond);
            if !high.is_finite() {
                return point;
            }
            beyond = self.at(high);
        }
        let mut alpha = low;
        loop {
            if point.excess.abs() <= 1e-15 * point.scale || high - low <= f64::EPSILON * high {
                return point;
            }
            let beta = 1.0 / (half_trace + alpha);
            let next_beta = beta + point.excess * beta * beta / point.slope;
            let newton = 1.0 / next_beta - half_trace;
            let inside = newton > low && newton < high;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let found = self.at(next);
            let slow = inside && found.excess.abs() > 0.5 * point.excess.abs();
            (alpha, point) = (next, found);
            if point.excess > 0.0 {
                low = next
            } else {
                high = next
            }
            if slow && point.excess.abs() > 1e-15 * point.scale {
                alpha = 0.5 * (low + high);
                point = self.at(alpha);
                if point.excess > 0.0 { low = alpha } else { high = alpha }
            }
        }
    }
}

/// The force r with which the local velocity u = w r + b obeys Coulomb's law with the coefficient `mu`. If bₙ ≥ 0 the
/// force is zero, even if other solutions exist, as for Painlevé's rod. `w` has a positive diagonal entry for the
/// normal, but need not be symmetric.
fn solve_sliding(w: &Block3, b: &[f64; 3], mu: f64) -> [f64; 3] {
    if b[0] >= 0.0 {
        return [0.0; 3];
    }
    let ratio = [w[1][0] / w[0][0], w[2][0] / w[0][0]];
    let reduced = Reduced {
        w,
        normal_offset: b[0],
        s: [0, 1].map(|p| [0, 1].map(|q| w[p + 1][q + 1] - ratio[p] * w[0][q + 1])),
        c: [0, 1].map(|p| b[p + 1] - ratio[p] * b[0]),
        mu,
    };
    if mu <= 0.0 {
        return [-b[0] / w[0][0], 0.0, 0.0];
    }
    let stuck = reduced.at(0.0);
    if stuck.excess <= 0.0 {
        return stuck.r;
    }
    let slid = if stuck.excess.is_finite() {
        reduced.slide(stuck)
    } else {
        // S is singular: the search starts at an α above the rounding of S.
        let alpha = f64::EPSILON * (w[1][1].abs() + w[2][2].abs());
        let near = reduced.at(alpha);
        if near.excess <= 0.0 {
            return near.r;
        }
        reduced.slide(near)
    };
    // Moves the force onto the rim of the cone, which rounding had missed.
    let [normal, t1, t2] = slid.r;
    let norm = t1.hypot(t2);
    let factor = if norm > 0.0 { mu * normal / norm } else { 0.0 };
    [normal, factor * t1, factor * t2]
}

/// Returns the force of one contact for given forces of the other contacts, exact for sliding. With rolling or twisting
/// the result is that of one pass over sliding, rolling and twisting from the force `r`.
#[inline(always)]
pub(crate) fn solve<const M: usize>(w: &[[f64; M]; M], b: &[f64; M], mu: &Coefficients, r: &[f64; M]) -> [f64; M] {
    let part = |r: &[f64; M], k: usize, skip: std::ops::Range<usize>| {
        let others = (0..M).filter(|l| !skip.contains(l));
        b[k] + others.map(|l| w[k][l] * r[l]).sum::<f64>()
    };
    let mut r = *r;
    let block = [0, 1, 2].map(|p| [0, 1, 2].map(|q| w[p][q]));
    let sliding = solve_sliding(&block, &[0, 1, 2].map(|k| part(&r, k, 0..3)), mu[0]);
    r[..3].copy_from_slice(&sliding);
    for (disk, mu) in disks::<M>().iter().zip(mu).skip(1) {
        let rows = disk.first..disk.first + disk.len;
        // A disk is like a sliding contact with given normal force: wₙₙ = 1, bₙ = −rₙ.
        let mut block = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut offset = [-r[0], 0.0, 0.0];
        for (p, k) in rows.clone().enumerate() {
            offset[p + 1] = part(&r, k, rows.clone());
            for (q, l) in rows.clone().enumerate() {
                block[p + 1][q + 1] = w[k][l];
            }
        }
        let found = solve_sliding(&block, &offset, *mu);
        for (p, k) in rows.enumerate() {
            r[k] = found[p + 1];
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: &[f64], expected: &[f64], tolerance: f64) {
        let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs())).max(1e-300);
        for (k, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!((a - b).abs() <= tolerance * scale, "{k}: {found:?} for {expected:?}");
        }
    }

    #[test]
    fn open_stuck_and_sliding_by_hand() {
        let w = [[2.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]];
        close(&solve_sliding(&w, &[0.5, -1.0, 2.0], 0.5), &[0.0; 3], 0.0);
        close(&solve_sliding(&w, &[-1.0, 0.35, -0.35], 0.5), &[0.5, -0.1, 0.1], 1e-15);
        let w = [[1.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]];
        close(&solve_sliding(&w, &[-1.0, 3.0, 4.0], 0.3), &[1.0, -0.18, -0.24], 1e-15);
        close(&solve_sliding(&w, &[-1.0, 3.0, 4.0], 0.0), &[1.0, 0.0, 0.0], 0.0);
    }

    /// Reference forces of single contacts were computed in 40 digits.
    #[test]
    fn coupled_contacts_that_slide() {
        let w = [[2.0, 0.3, -0.2], [0.3, 1.5, 0.1], [-0.2, 0.1, 1.0]];
        let expected = [0.520_541_228_745_300_7, -0.191_475_249_755_218_46, -0.081_800_587_179_821_04];
        close(&solve_sliding(&w, &[-1.0, 2.0, 1.0], 0.4), &expected, 1e-15);
        let w = [[1.0, -0.4, 0.3], [-0.4, 2.0, 0.5], [0.3, 0.5, 3.0]];
        let expected = [1.147_862_176_662_49, 0.595_186_667_875_573_6, -0.699_291_698_374_201_4];
        close(&solve_sliding(&w, &[-0.7, -1.1, 2.3], 0.8), &expected, 1e-15);
    }

    /// Painlevé's rod, tan θ = 2: above μ = 4/3 a contact that opens by itself could also stick or slide.
    #[test]
    fn painleves_rod_opens_where_it_can_and_sticks_where_it_cannot() {
        let w = [[1.6, -1.2, 0.0], [-1.2, 3.4, 0.0], [0.0, 0.0, 1.0]];
        close(&solve_sliding(&w, &[0.8, -10.0, 0.0], 2.0), &[0.0; 3], 0.0);
        close(&solve_sliding(&w, &[-0.8, -10.0, 0.0], 2.0), &[3.68, 4.24, 0.0], 1e-15);
    }

    /// Checks the law with u = w r + b; each condition has the tolerance of its terms.
    fn obeys(w: &Block3, b: &[f64; 3], mu: f64, r: &[f64; 3], tolerance: f64) -> Result<(), TestCaseError> {
        let u: [f64; 3] = std::array::from_fn(|p| b[p] + (0..3).map(|q| w[p][q] * r[q]).sum::<f64>());
        let scale: f64 =
            (0..3).map(|p| b[p].abs() + (0..3).map(|q| (w[p][q] * r[q]).abs()).sum::<f64>()).fold(0.0, f64::max);
        prop_assert!(r[0] >= 0.0 && r[1].hypot(r[2]) <= mu * r[0] * (1.0 + 1e-14));
        if r[0] <= 0.0 {
            prop_assert!(u[0] >= 0.0);
            return Ok(());
        }
        prop_assert!(u[0].abs() <= tolerance * scale, "normal velocity {} of {scale}", u[0]);
        let slip = u[1].hypot(u[2]);
        let force = r[1].hypot(r[2]);
        if slip > tolerance * scale {
            prop_assert!((force - mu * r[0]).abs() <= tolerance * force, "slips inside the cone: {r:?} {u:?}");
            let opposite = (u[1] * r[1] + u[2] * r[2]) / slip;
            prop_assert!((opposite + force).abs() <= tolerance * force * scale / slip, "{r:?} {u:?}");
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_law_is_obeyed_over_six_decades(
            a in prop::array::uniform9(-1.0..1.0_f64),
            b in prop::array::uniform3(-1.0..1.0_f64),
            exponents in prop::array::uniform3(-3.0..3.0_f64),
        ) {
            let factor = |k: usize| 10.0_f64.powf(exponents[k]);
            let w: Block3 = std::array::from_fn(|p| std::array::from_fn(|q| {
                let product: f64 = (0..3).map(|k| a[3 * p + k] * a[3 * q + k]).sum();
                factor(0) * (product + f64::from(u8::from(p == q)) * 1e-2)
            }));
            let b = [-b[0].abs(), factor(2) * b[1], factor(2) * b[2]];
            let mu = factor(1).min(1e2);
            obeys(&w, &b, mu, &solve_sliding(&w, &b, mu), 1e-11)?;
        }

        /// Repeated passes over the disks converge to forces that obey the law of each disk.
        #[test]
        fn rolling_and_twisting(
            a in prop::array::uniform32(-1.0..1.0_f64),
            b in prop::array::uniform6(-1.0..1.0_f64),
            mu in prop::array::uniform3(0.0..1.0_f64),
        ) {
            let w: [[f64; 6]; 6] = std::array::from_fn(|p| std::array::from_fn(|q| {
                let product: f64 = (0..5).map(|k| a[5 * p + k] * a[5 * q + k]).sum();
                0.2 * product + f64::from(u8::from(p == q)) * 2.0
            }));
            let mut r = [0.0; 6];
            for _ in 0..200 {
                r = solve(&w, &b, &mu, &r);
            }
            let u: [f64; 6] = std::array::from_fn(|p| b[p] + (0..6).map(|q| w[p][q] * r[q]).sum::<f64>());
            let y: [f64; 6] = std::array::from_fn(|k| r[k] - 0.3 * u[k]);
            let again = crate::friction::law::project_onto_disks(&y, &mu);
            for k in 0..6 {
                prop_assert!((again[k] - r[k]).abs() < 1e-10, "{r:?} {again:?}");
            }
        }
    }
}
