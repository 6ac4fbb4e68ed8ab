//! The discrete gradient of an elastic energy: the mean force between two overlaps, which conserves energy exactly.

use crate::law::contact_law::ContactLaw;

/// Relative change of the overlap below which the force is integrated, as a difference of energies loses digits.
const CLOSE: f64 = 0.1;

/// Nodes in [0, 1] and weights of the Gauss rule of order ten, for the integral of the force over the overlap.
const NODES: [(f64, f64); 5] = [
    (0.046_910_077_030_668_0, 0.118_463_442_528_094_5),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_5),
];

/// Computes the mean force (E(δ₁) − E(δ₀))/(δ₁ − δ₀) in N between two overlaps δ₀ (`from`) and δ₁ (`to`) with the
/// elastic energy E, and its derivative by δ₁ in N/m, for laws without force at δ ≤ 0. `radius` is the reduced radius.
/// Where the overlaps are so close that the difference of energies would lose digits, the force is integrated instead.
pub(super) fn discrete_gradient(law: &dyn ContactLaw, from: f64, to: f64, radius: f64) -> [f64; 2] {
    let change = to - from;
    let low = from.min(to);
    let high = from.max(to);
    if high <= 0.0 {
        return [0.0; 2];
    }
    if low <= 0.0 || change.abs() > CLOSE * high {
        let energy = |overlap: f64| if overlap > 0.0 { law.energy(overlap, radius) } else { 0.0 };
        let mean = (energy(to) - energy(from)) / change;
        let force = if to > 0.0 { law.force(to, radius) } else { 0.0 };
        return [mean, (force - mean) / change];
    }
    let mut sums = [0.0; 2];
    for (node, weight) in NODES {
        let overlap = from + node * change;
        sums[0] += weight * law.force(overlap, radius);
        sums[1] += weight * node * law.stiffness(overlap, radius);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Damping, Hertz, Hooke};

    #[test]
    fn the_mean_force_times_the_change_is_the_change_of_energy() {
        let hooke = Hooke::new(3.0, Damping::NONE).unwrap();
        let hertz = Hertz::new(7.0, Damping::NONE).unwrap();
        for (from, to) in [(0.3, 0.5), (0.5, 0.3), (-0.2, 0.4), (0.4, -0.1), (0.4, 0.41), (0.5, 0.5 - 1e-9), (0.2, 0.2)]
        {
            check(&hooke, from, to);
            check(&hertz, from, to);
        }
        assert!(discrete_gradient(&hertz, -0.1, -0.3, 1.0).iter().all(|value| value.abs() <= 0.0));
    }

    fn check(law: &dyn ContactLaw, from: f64, to: f64) {
        let energy = |overlap: f64| if overlap > 0.0 { law.energy(overlap, 0.5) } else { 0.0 };
        let [mean, slope] = discrete_gradient(law, from, to, 0.5);
        assert!((mean * (to - from) - (energy(to) - energy(from))).abs() < 4e-16, "{from} to {to}");
        let force = |overlap: f64| if overlap > 0.0 { law.force(overlap, 0.5) } else { 0.0 };
        assert!(mean >= force(from).min(force(to)) - 1e-15 && mean <= force(from).max(force(to)) + 1e-15);
        let e = 1e-6;
        let difference =
            (discrete_gradient(law, from, to + e, 0.5)[0] - discrete_gradient(law, from, to - e, 0.5)[0]) / (2.0 * e);
        assert!((slope - difference).abs() < 1e-7 * slope.abs().max(1.0), "{from} to {to}: {slope} {difference}");
    }
}
