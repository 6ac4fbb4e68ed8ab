//! The law of Johnson, Kendall and Roberts for soft adhesive spheres.

use std::f64::consts::PI;

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::not_negative;
use crate::law::contact_law::{ContactLaw, Memory};
use crate::law::normal::hertz::Hertz;

/// Adhesive contact law of Johnson, Kendall and Roberts (1971): with the contact radius a, the reduced radius R, the
/// work of adhesion w and the modulus K = 4/3 E*,
///
/// δ = a²/R − √(8πw a/(3K)), F = K a³/R − √(6πwK a³).
///
/// A contact forms where surfaces touch, at δ = 0, with F = −4/3 πwR. The least force is −3/2 πwR. The contact breaks
/// at `δ = −`[`range`](ContactLaw::range) with F = −5/6 πwR. An undamped cycle loses 7.0922 (w⁵R⁴/E*²)^⅓, so that
/// bodies of the reduced mass m slower than `V_s = √(14.1844 (w⁵R⁴/E*²)^⅓/m)` stick, and faster bodies separate with
/// the restitution `√(1 − (V_s/V)²)` at the speed V [Thornton and Ning 1998].
///
/// A contact remembers whether it has formed. The limits of friction, rolling and twisting are those of the load F +
/// 3πwR: friction is at most `μ (F + 3πwR)`. Energies are zero where a contact forms. Damping is that of Hertz' law at
/// the same overlap, and zero where surfaces are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Jkr {
    elastic: Hertz,
    adhesion: f64,
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Given {
    pub(super) elastic: Hertz,
    pub(super) adhesion: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Jkr {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        Self::new(given.elastic, given.adhesion)
    }
}

/// Largest overlap at which the JKR law evaluates adhesion, in units of a₀²/R with the contact radius a₀ = (2πwR²/E*)^⅓
/// at formation. At larger overlaps adhesion is of the order of rounding errors.
const HERTZIAN: f64 = 1e20;

impl Jkr {
    /// Makes the JKR law with the modulus and the damping of `elastic`, and the work of adhesion w in J/m²: w is 2γ
    /// between like solids of the surface energy γ. LAMMPS' coefficient is γ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `adhesion` is finite and not negative;
    /// [`LawError::CappedAdhesion`](crate::error::LawError::CappedAdhesion) if `elastic` cuts attraction off.
    pub fn new(elastic: Hertz, adhesion: f64) -> Result<Self, DemError> {
        Ok(Self { elastic, adhesion: work_of_adhesion(&elastic, adhesion)? })
    }

    /// Cube a₀³ = 2πwR²/E* in m³ of the contact radius a₀ at which a JKR contact forms, with the work of adhesion w.
    #[inline(always)]
    fn cube_at_formation(&self, radius: f64) -> f64 {
        8.0 * PI * self.adhesion * radius * radius / (3.0 * self.elastic.modulus)
    }
}

pub(super) fn work_of_adhesion(elastic: &Hertz, adhesion: f64) -> Result<f64, DemError> {
    if elastic.is_capped() {
        return Err(DemError::Law(LawError::CappedAdhesion));
    }
    not_negative("the work of adhesion", adhesion)
}

/// Returns the larger root y of y⁴ − y = D, with the scaled overlap D ≥ −3/4 · 4^(−1/3). For a smaller D there is no
/// root; the function then returns the y at which both roots meet.
#[inline(always)]
fn larger_root(overlap: f64) -> f64 {
    // Ferrari: with p² = u, u³ + 4Du − 1 = 0, y = (p + √(2/p − u))/2. Cardano: u = A − B with A³ − B³ = 1, AB = 4D/3.
    let product = 4.0 / 3.0 * overlap.max(-0.75 / 4.0_f64.cbrt());
    let first = (0.5 + (0.25 + product * product * product).max(0.0).sqrt()).cbrt();
    let second = product / first;
    let difference = if product > 0.0 {
        // The difference A − B would cancel, but it equals 1/(A² + AB + B²).
        (first * first + product + second * second).recip()
    } else {
        first - second
    };
    let half = difference.sqrt();
    0.5 * (half + (2.0 / half - difference).max(0.0).sqrt())
}

impl ContactLaw for Jkr {
    #[inline(always)]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        // The integral of F dδ = F (dδ/da) da, from a₀ on.
        let a = self.contact_radius(overlap, radius);
        let modulus = self.elastic.modulus;
        let adhesion = self.adhesion;
        let square_at_formation = self.cube_at_formation(radius).cbrt().powi(2);
        let elastic = 0.4 * modulus * a * a * a * a * a / (radius * radius);
        let mixed = 4.0 / 3.0 * a * a * a * (1.5 * PI * adhesion * modulus * a).sqrt() / radius;
        elastic - mixed + PI * adhesion * (a * a + 0.6 * square_at_formation)
    }

    #[inline(always)]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        let a = self.contact_radius(overlap, radius);
        let modulus = self.elastic.modulus;
        let cube = a * a * a;
        modulus * cube / radius - (6.0 * PI * self.adhesion * modulus * cube).sqrt()
    }

    #[inline(always)]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        let a = self.contact_radius(overlap, radius);
        let modulus = self.elastic.modulus;
        let adhesion = self.adhesion;
        let force_by_radius = 3.0 * modulus * a * a / radius - 1.5 * (6.0 * PI * adhesion * modulus * a).sqrt();
        let overlap_by_radius = 2.0 * a / radius - 0.5 * (8.0 * PI * adhesion / (3.0 * modulus * a)).sqrt();
        force_by_radius / overlap_by_radius
    }

    #[inline(always)]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        self.elastic.damping(overlap.max(0.0), radius, mass)
    }

    fn is_damped(&self) -> bool {
        self.elastic.is_damped()
    }

    #[inline(always)]
    fn range(&self, radius: f64) -> f64 {
        // δ_c = −3/4 (π²w²R/E*²)^⅓
        let ratio = 4.0 * PI * self.adhesion / (3.0 * self.elastic.modulus);
        0.75 * (ratio * ratio * radius).cbrt()
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    /// Returns the memory of a JKR contact: the number 1 if the contact has formed and has not broken since, otherwise
    /// 0.
    #[inline(always)]
    fn remember(&self, overlap: f64, radius: f64, before: f64) -> Memory {
        let acts = overlap > 0.0 || (before > 0.0 && overlap > -self.range(radius));
        Memory { number: if acts { 1.0 } else { 0.0 }, acts }
    }

    #[inline(always)]
    fn contact_radius(&self, overlap: f64, radius: f64) -> f64 {
        // With a = a₀ y², the law is D = δR/a₀² = y⁴ − y.
        let at_formation = self.cube_at_formation(radius).cbrt();
        let scaled = overlap * radius / (at_formation * at_formation);
        if scaled < HERTZIAN { at_formation * larger_root(scaled).powi(2) } else { (radius * overlap.max(0.0)).sqrt() }
    }

    #[inline(always)]
    fn friction_load(&self, _: f64, radius: f64) -> f64 {
        3.0 * PI * self.adhesion * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::normal::damping::Damping;

    const RADIUS: f64 = 3e-4;
    const ADHESION: f64 = 0.07;
    const REDUCED_MODULUS: f64 = 5e6;

    fn law() -> Jkr {
        Jkr::new(Hertz::new(4.0 / 3.0 * REDUCED_MODULUS, Damping::NONE).unwrap(), ADHESION).unwrap()
    }

    /// Returns the overlap and the force at the contact radius `a`, as [JKR71] states them.
    fn of_contact_radius(a: f64) -> [f64; 2] {
        let overlap = a * a / RADIUS - (2.0 * PI * ADHESION * a / REDUCED_MODULUS).sqrt();
        let cube = a * a * a;
        let force =
            4.0 * REDUCED_MODULUS * cube / (3.0 * RADIUS) - (8.0 * PI * ADHESION * REDUCED_MODULUS * cube).sqrt();
        [overlap, force]
    }

    fn at_formation() -> f64 {
        (2.0 * PI * ADHESION * RADIUS * RADIUS / REDUCED_MODULUS).cbrt()
    }

    #[test]
    fn the_force_at_an_overlap_is_that_of_the_contact_radius() {
        let pull = PI * ADHESION * RADIUS;
        // From just above the fold at a₀/4^(2/3), where dδ/da = 0, to a contact that is nearly Hertz'.
        for k in 0..400 {
            let a = at_formation() * (0.400 * 1.03_f64.powi(k));
            let [overlap, force] = of_contact_radius(a);
            let found = law().force(overlap, RADIUS);
            assert!((found - force).abs() < 1e-12 * pull.max(force.abs()), "{k}: {found} {force}");
        }
    }

    #[test]
    fn the_contact_forms_pulls_and_breaks_at_the_loads_of_the_closed_forms() {
        let law = law();
        let pull = PI * ADHESION * RADIUS;
        assert!((law.force(0.0, RADIUS) / pull + 4.0 / 3.0).abs() < 1e-12);
        // The least force is at δ = −a²/(3R), where y³ = 3/4.
        let a = at_formation() * 0.75_f64.powf(2.0 / 3.0);
        let at_least = -a * a / (3.0 * RADIUS);
        assert!((law.force(at_least, RADIUS) / pull + 1.5).abs() < 1e-12);
        for beside in [0.999, 1.001] {
            assert!(law.force(beside * at_least, RADIUS) > law.force(at_least, RADIUS));
        }
        let range = 0.75 * (PI * PI * ADHESION * ADHESION * RADIUS / REDUCED_MODULUS.powi(2)).cbrt();
        assert!((law.range(RADIUS) / range - 1.0).abs() < 1e-14);
        // Here the force falls with the square root of the overlap, and so does the effect of rounding.
        assert!((law.force(-range, RADIUS) / pull + 5.0 / 6.0).abs() < 1e-7);
    }

    #[test]
    fn the_energy_is_the_integral_of_the_force_and_a_cycle_loses_what_the_closed_form_says() {
        let (law, range) = (law(), law().range(RADIUS));
        let unit = (ADHESION.powi(5) * RADIUS.powi(4) / REDUCED_MODULUS.powi(2)).cbrt();
        // The substitution δ = −range (1 − x²) removes the square root from the integrand; Simpson's rule.
        let steps = 2000;
        let at = |k: i32| {
            let x = f64::from(k) / f64::from(steps);
            -law.force(-range * (1.0 - x * x), RADIUS) * 2.0 * range * x
        };
        let weight = |k: i32| if k == 0 || k == steps { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
        let work = (0..=steps).map(|k| weight(k) * at(k)).sum::<f64>() / (3.0 * f64::from(steps));
        assert!((work / unit / 7.092_20 - 1.0).abs() < 1e-6, "{}", work / unit);
        assert!((law.energy(-range, RADIUS) / work - 1.0).abs() < 1e-8);
        assert!(law.energy(0.0, RADIUS).abs() < 1e-12 * work);
        // Breaking at the least force would lose the fraction .494 of this work.
        let a = at_formation() * 0.75_f64.powf(2.0 / 3.0);
        let share = law.energy(-a * a / (3.0 * RADIUS), RADIUS) / work;
        assert!((share - 0.494).abs() < 1e-3, "{share}");
        for overlap in [-0.4 * range, 0.3 * range, 5.0 * range, 1e3 * range] {
            let step = 1e-5 * overlap.abs();
            let slope = |f: &dyn Fn(f64) -> f64| (f(overlap + step) - f(overlap - step)) / (2.0 * step);
            assert!((slope(&|d| law.energy(d, RADIUS)) / law.force(overlap, RADIUS) - 1.0).abs() < 1e-7);
            assert!((slope(&|d| law.force(d, RADIUS)) / law.stiffness(overlap, RADIUS) - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn any_adhesion_gives_numbers_and_none_is_hertz_law() {
        let hertz = Hertz::new(4.0 / 3.0 * REDUCED_MODULUS, Damping::restitution(0.5).unwrap()).unwrap();
        for adhesion in [0.0, 1e-300, 1e-150, 1e-30, 1e-9, 1.0, 1e9, 1e30] {
            let law = Jkr::new(hertz, adhesion).unwrap();
            for overlap in [-law.range(RADIUS), -0.5 * law.range(RADIUS), 0.0, 1e-300, 1e-9, 1e-4] {
                let [force, energy] = [law.force(overlap, RADIUS), law.energy(overlap, RADIUS)];
                let damping = law.damping(overlap, RADIUS, 1e-8);
                assert!([force, energy, damping].iter().all(|one| one.is_finite()), "{adhesion} {overlap}");
            }
        }
        let law = Jkr::new(hertz, 1.0).unwrap();
        assert!((law.damping(1e-5, RADIUS, 1e-8) / hertz.damping(1e-5, RADIUS, 1e-8) - 1.0).abs() < 1e-15);
        assert!(law.damping(-0.5 * law.range(RADIUS), RADIUS, 1e-8).abs() <= 0.0);
        let none = Jkr::new(hertz, 0.0).unwrap();
        assert!((none.force(1e-5, RADIUS) / hertz.force(1e-5, RADIUS) - 1.0).abs() < 1e-15);
        assert!((none.energy(1e-5, RADIUS) / hertz.energy(1e-5, RADIUS) - 1.0).abs() < 1e-15);
    }
}
