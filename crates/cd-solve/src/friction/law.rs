//! The friction law of one contact: its disks, projections, and their derivatives.
//!
//! A local vector is (n, t1, t2), with rolling (n, t1, t2, w1, w2), with twisting (n, t1, t2, w1, w2, w3): velocity or
//! force along the normal and the two tangents, angular velocity or moment about the tangents and the normal. Each disk
//! bounds some components of the force by a multiple of the normal force.

/// A disk: components of a local force whose norm is bounded by a multiple of the normal force.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disk {
    pub(crate) first: usize,
    pub(super) len: usize,
}

/// Disks (parts of a local force that friction bounds) of a contact, in the order sliding, rolling, twisting.
const DISKS: [Disk; 3] = [Disk { first: 1, len: 2 }, Disk { first: 3, len: 2 }, Disk { first: 5, len: 1 }];

/// The disks (parts of a force that friction bounds) of a contact whose local vectors have `M` components.
#[inline(always)]
pub(super) fn disks<const M: usize>() -> &'static [Disk] {
    match M {
        3 => &DISKS[..1],
        5 => &DISKS[..2],
        _ => &DISKS,
    }
}

impl Disk {
    /// Number of this disk, the part of a contact's force that friction bounds: 0 sliding, 1 rolling, 2 twisting.
    pub(super) fn number(self) -> usize {
        (self.first - 1) / 2
    }

    #[inline(always)]
    pub(super) fn norm<const M: usize>(self, x: &[f64; M]) -> f64 {
        let mut sum = 0.0;
        (self.first..self.first + self.len).for_each(|k| sum += x[k] * x[k]);
        sum.sqrt()
    }

    #[inline(always)]
    fn scale<const M: usize>(self, x: &mut [f64; M], factor: f64) {
        (self.first..self.first + self.len).for_each(|k| x[k] *= factor);
    }
}

/// Coefficients of sliding, rolling and twisting friction of one contact; zero without friction.
pub(super) type Coefficients = [f64; 3];

/// Projects the force `y` of a contact: limits the normal force to non-negative values, then each disk to μ times the
/// normal force. The forces of Coulomb's law are the fixed points r = P(r − ρ u) with any positive ρ per disk, Alart
/// and Curnier (1991).
#[inline(always)]
pub(super) fn project_onto_disks<const M: usize>(y: &[f64; M], mu: &Coefficients) -> [f64; M] {
    if y[0] <= 0.0 || y[0].is_nan() {
        return if y[0].is_nan() { [f64::NAN; M] } else { [0.0; M] };
    }
    let mut r = *y;
    for (disk, mu) in disks::<M>().iter().zip(mu) {
        let norm = disk.norm(y);
        let bound = mu * y[0];
        if norm > bound {
            disk.scale(&mut r, bound / norm);
        }
    }
    r
}

/// The derivative of [`project_onto_disks`]. It is not symmetric where a contact slides, since the bound depends on the
/// normal force.
pub(super) fn disk_derivative<const M: usize>(y: &[f64; M], mu: &Coefficients) -> [[f64; M]; M] {
    let mut g = [[0.0; M]; M];
    if y[0] <= 0.0 {
        return g;
    }
    (0..M).for_each(|k| g[k][k] = 1.0);
    for (disk, mu) in disks::<M>().iter().zip(mu) {
        let norm = disk.norm(y);
        let bound = mu * y[0];
        if norm > bound {
            for k in disk.first..disk.first + disk.len {
                let along = y[k] / norm;
                g[k][0] = mu * along;
                for l in disk.first..disk.first + disk.len {
                    g[k][l] = bound / norm * (f64::from(u8::from(k == l)) - along * y[l] / norm);
                }
            }
        }
    }
    g
}

/// The normal component of the projection of a force `z` onto the friction cone: the minimum over a ≥ 0 of (a − zₙ)² +
/// Σ (|`z_disk`| − μ a)₊², summed over the disks. Also returns, for each disk, whether its term is positive at the
/// minimum.
#[inline(always)]
fn cone_height<const M: usize>(z: &[f64; M], mu: &Coefficients) -> (f64, [bool; 3]) {
    let disks = disks::<M>();
    let mut norms = [0.0; 3];
    for (norm, disk) in norms.iter_mut().zip(disks) {
        *norm = disk.norm(z);
    }
    // The derivative a − zₙ − Σ μ (|`z_disk`| − μ a)₊ rises with a. Disks leave one by one from the full set.
    let mut active = [false; 3];
    (0..disks.len()).for_each(|k| active[k] = true);
    loop {
        let mut sum = z[0];
        let mut weight = 1.0;
        for k in (0..disks.len()).filter(|&k| active[k]) {
            sum += mu[k] * norms[k];
            weight += mu[k] * mu[k];
        }
        let a = sum / weight;
        // Too many disks make the sum, and so a, too small: a disk without a positive term here has none at the
        // minimum.
        let leaves = (0..disks.len()).find(|&k| active[k] && norms[k] <= mu[k] * a);
        match leaves {
            Some(k) => active[k] = false,
            None => return (a, active),
        }
    }
}

/// The point nearest to `z` in the friction cone {|`r_disk`| ≤ μ rₙ for every disk}. All components have one unit:
/// moments are divided by a length first, see
/// [`FrictionProblem::residual`](crate::friction::FrictionProblem::residual).
#[inline(always)]
fn project_onto_cone<const M: usize>(z: &[f64; M], mu: &Coefficients) -> [f64; M] {
    let (a, active) = cone_height(z, mu);
    if a.is_nan() {
        return [f64::NAN; M];
    }
    if a <= 0.0 {
        return [0.0; M];
    }
    let mut r = *z;
    r[0] = a;
    for (k, disk) in disks::<M>().iter().enumerate().filter(|&(k, _)| active[k]) {
        disk.scale(&mut r, mu[k] * a / disk.norm(z));
    }
    r
}

/// The natural map r − P(r − v) with the projection P onto the friction cone K: zero exactly if K* ∋ v ⟂ r ∈ K. The map
/// is computed as v plus the projection of z = r − v onto the polar cone, Moreau (1962), so that a v much smaller than
/// r is not lost in rounding.
#[inline(always)]
pub(super) fn natural_map<const M: usize>(r: &[f64; M], v: &[f64; M], mu: &Coefficients) -> [f64; M] {
    let z: [f64; M] = std::array::from_fn(|k| r[k] - v[k]);
    let (a, active) = cone_height(&z, mu);
    if a <= 0.0 {
        return *r;
    }
    let mut difference = *v;
    if a.is_nan() {
        difference[0] = f64::NAN;
    }
    for (k, disk) in disks::<M>().iter().enumerate().filter(|&(k, _)| active[k]) {
        let norm = disk.norm(&z);
        let excess = norm - mu[k] * a;
        difference[0] -= mu[k] * excess;
        (disk.first..disk.first + disk.len).for_each(|l| difference[l] += excess * z[l] / norm);
    }
    difference
}

/// The derivative of [`project_onto_cone`], the nearest point of the friction cone, by the projected vector; symmetric.
fn cone_derivative<const M: usize>(z: &[f64; M], mu: &Coefficients) -> [[f64; M]; M] {
    let mut g = [[0.0; M]; M];
    let (a, active) = cone_height(z, mu);
    if a <= 0.0 {
        return g;
    }
    // a = (zₙ + Σ μ |`z_disk`|) / (1 + Σ μ²) has the gradient (1, μ `z_disk` / |`z_disk`|) / (1 + Σ μ²).
    let weight = 1.0 + (0..3).filter(|&k| active[k]).map(|k| mu[k] * mu[k]).sum::<f64>();
    let mut gradient = [0.0; M];
    gradient[0] = 1.0 / weight;
    let active_disks = || disks::<M>().iter().enumerate().filter(|&(k, _)| active[k]);
    for (k, disk) in active_disks() {
        let norm = disk.norm(z);
        (disk.first..disk.first + disk.len).for_each(|l| gradient[l] = mu[k] * z[l] / norm / weight);
    }
    (0..M).for_each(|k| g[k][k] = 1.0);
    g[0] = gradient;
    for (k, disk) in active_disks() {
        let norm = disk.norm(z);
        for p in disk.first..disk.first + disk.len {
            let along = z[p] / norm;
            for q in 0..M {
                g[p][q] = mu[k] * along * gradient[q];
            }
            for q in disk.first..disk.first + disk.len {
                g[p][q] += mu[k] * a / norm * (f64::from(u8::from(p == q)) - along * z[q] / norm);
            }
        }
    }
    g
}

/// Coefficients of friction for forces whose rows (components) are divided by their entries of `metric`.
#[inline(always)]
pub(super) fn scaled_coefficients<const M: usize>(mu: &Coefficients, metric: &[f64; M]) -> Coefficients {
    let mut scaled = *mu;
    for (k, disk) in disks::<M>().iter().enumerate() {
        scaled[k] *= metric[0] / metric[disk.first];
    }
    scaled
}

/// Returns the point of the friction cone nearest to `y`, in the norm that divides each row by its entry of `metric`.
#[inline(always)]
pub(super) fn project_in_metric<const M: usize>(y: &[f64; M], mu: &Coefficients, metric: &[f64; M]) -> [f64; M] {
    let scaled: [f64; M] = std::array::from_fn(|k| y[k] / metric[k]);
    let r = project_onto_cone(&scaled, &scaled_coefficients(mu, metric));
    std::array::from_fn(|k| r[k] * metric[k])
}

/// The derivative of [`project_in_metric`], the projection onto the friction cone, by the projected vector.
pub(super) fn derivative_in_metric<const M: usize>(
    y: &[f64; M],
    mu: &Coefficients,
    metric: &[f64; M],
) -> [[f64; M]; M] {
    let scaled: [f64; M] = std::array::from_fn(|k| y[k] / metric[k]);
    let g = cone_derivative(&scaled, &scaled_coefficients(mu, metric));
    std::array::from_fn(|p| std::array::from_fn(|q| g[p][q] * metric[p] / metric[q]))
}

/// De Saxcé's normal velocity Σ μ |`u_disk`| over sliding, rolling, twisting. With û = u + (Σ μ |`u_disk`|) n Coulomb's
/// law is K* ∋ û ⟂ r ∈ K for the cone K of all disks, De Saxcé and Feng (1998).
#[inline(always)]
pub(super) fn de_saxce_shift<const M: usize>(u: &[f64; M], mu: &Coefficients) -> f64 {
    disks::<M>().iter().zip(mu).map(|(disk, mu)| mu * disk.norm(u)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector<const M: usize>() -> impl Strategy<Value = [f64; M]> {
        prop::array::uniform::<_, M>(-3.0..3.0)
    }

    fn derivative_is_the_difference_quotient<const M: usize>(
        y: [f64; M],
        direction: [f64; M],
        project: impl Fn(&[f64; M]) -> [f64; M],
        derivative: [[f64; M]; M],
    ) -> Result<(), TestCaseError> {
        let at = |t: f64| project(&std::array::from_fn(|k| y[k] + t * direction[k]));
        let quotient = |t: f64| -> [f64; M] {
            let plus = at(t);
            let minus = at(-t);
            std::array::from_fn(|k| (plus[k] - minus[k]) / (2.0 * t))
        };
        let coarse = quotient(2e-6);
        let fine = quotient(1e-6);
        // The two quotients differ across a kink.
        if (0..M).any(|k| (coarse[k] - fine[k]).abs() > 1e-8) {
            return Ok(());
        }
        for k in 0..M {
            let along: f64 = (0..M).map(|l| derivative[k][l] * direction[l]).sum();
            prop_assert!((along - fine[k]).abs() < 1e-6, "{k}: {along} for {}", fine[k]);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// z = P(z) + (z − P(z)), with P(z) in the cone, the rest in its polar, and both orthogonal: Moreau (1962).
        #[test]
        fn the_projection_onto_the_cone_splits_as_moreau_says(
            z in vector::<6>(), mu in prop::array::uniform3(0.0..2.0),
        ) {
            let r = project_onto_cone(&z, &mu);
            let rest: [f64; 6] = std::array::from_fn(|k| z[k] - r[k]);
            for (disk, mu) in disks::<6>().iter().zip(&mu) {
                prop_assert!(disk.norm(&r) <= mu * r[0] + 1e-14);
            }
            let product: f64 = (0..6).map(|k| r[k] * rest[k]).sum();
            prop_assert!(product.abs() < 1e-13, "{product}");
            // The largest product of the rest with a point of the cone of unit height.
            let most = rest[0] + de_saxce_shift(&rest, &mu);
            prop_assert!(most < 1e-13, "{most}");
        }

        #[test]
        fn the_natural_map_is_the_difference_to_the_projection(
            r in vector::<6>(), v in vector::<6>(), mu in prop::array::uniform3(0.0..2.0),
        ) {
            let z: [f64; 6] = std::array::from_fn(|k| r[k] - v[k]);
            let projected = project_onto_cone(&z, &mu);
            let found = natural_map(&r, &v, &mu);
            for k in 0..6 {
                prop_assert!((r[k] - projected[k] - found[k]).abs() < 1e-13);
            }
            // Velocities are not lost beside a force in the cone that is larger than they are by more than 1/ε.
            let large = [1e20, 0.0, 0.0, 0.0, 0.0, 0.0];
            let inside = mu.map(|mu| mu + 0.1);
            prop_assert_eq!(natural_map(&large, &v, &inside).map(f64::to_bits), v.map(f64::to_bits));
        }

        #[test]
        fn derivatives(y in vector::<6>(), d in vector::<6>(), mu in prop::array::uniform3(0.0..2.0)) {
            derivative_is_the_difference_quotient(y, d, |y| project_onto_disks(y, &mu), disk_derivative(&y, &mu))?;
            derivative_is_the_difference_quotient(y, d, |y| project_onto_cone(y, &mu), cone_derivative(&y, &mu))?;
            let y = [y[0], y[1], y[2]];
            let d = [d[0], d[1], d[2]];
            derivative_is_the_difference_quotient(y, d, |y| project_onto_disks(y, &mu), disk_derivative(&y, &mu))?;
            derivative_is_the_difference_quotient(y, d, |y| project_onto_cone(y, &mu), cone_derivative(&y, &mu))?;
        }
    }
}
