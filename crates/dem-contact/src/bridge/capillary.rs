use std::f64::consts::{FRAC_PI_2, PI};

use crate::error::DemError;
use crate::error::parameter::positive;

/// Law of a liquid bridge after Willett et al. (2000), `[W00]`, from surface tension and contact angle.
///
/// A bridge of the volume V across the gap S pulls with
/// F = 2 π R γ cos θ/(1 + 1.05 x + 2.5 x²), x = S √(R/V),
/// and breaks at S = (1 + θ/2) (V^{1/3} + 0.1 V^{2/3}/R). R is the harmonic mean of both radii, 2 `R₁` `R₂`/(`R₁` +
/// `R₂`); between a plane and a sphere R is twice the radius of the sphere. Overlapping bodies have the force at S = 0.
/// Viscous forces of the liquid are neglected.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Capillary {
    /// Surface tension γ of the liquid in N/m.
    surface_tension: f64,
    /// Contact angle θ of the liquid on grains and walls in radians.
    contact_angle: f64,
}

/// Coefficient b of the bridge's force 2 π R γ cos θ/(1 + b x + c x²), see [`Capillary`]; `C` is c.
const B: f64 = 1.05;
const C: f64 = 2.5;

impl Capillary {
    /// Makes the law of a liquid with the surface tension γ in N/m and the contact angle θ in radians.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless γ is finite and positive, and 0 ≤ θ < π/2; bridges would push at larger θ.
    pub fn new(surface_tension: f64, contact_angle: f64) -> Result<Self, DemError> {
        let surface_tension = positive("the surface tension", surface_tension)?;
        if !(0.0..FRAC_PI_2).contains(&contact_angle) {
            let parameter = "the contact angle";
            let range = "at least 0 and below π/2";
            return Err(DemError::InvalidParameter { parameter, range, value: contact_angle });
        }
        Ok(Self { surface_tension, contact_angle })
    }

    /// Returns the surface tension γ in N/m and the contact angle θ in radians.
    #[must_use]
    pub fn parameters(&self) -> (f64, f64) {
        (self.surface_tension, self.contact_angle)
    }

    /// Attraction F of a liquid bridge in N across `gap` (m), for the harmonic mean `radius` (m) of the radii and the
    /// `volume` (m³) of liquid. The rupture of the bridge is not taken into account.
    #[must_use]
    pub fn force(&self, gap: f64, radius: f64, volume: f64) -> f64 {
        // `radius / volume` overflows for tiny volumes, and infinity times a gap of zero is NaN.
        let x = gap.max(0.0) * radius.sqrt() / volume.sqrt();
        self.force_at_contact(radius) / (1.0 + B * x + C * x * x)
    }

    /// Energy in J of a liquid bridge across `gap` (m), for the `radius` and the `volume` of [`force`](Self::force):
    /// −∫F dS from `gap` to the rupture gap, where the energy is zero; positive beyond.
    #[must_use]
    pub fn energy(&self, gap: f64, radius: f64, volume: f64) -> f64 {
        // ∫dx/(1 + b x + c x²) = 2/√(4c − b²) atan((2c x + b)/√(4c − b²))
        let root = (4.0 * C - B * B).sqrt();
        let integral = |gap: f64| {
            let x = gap * radius.sqrt() / volume.sqrt();
            2.0 / root * ((2.0 * C * x + B) / root).atan()
        };
        let stretch = (volume / radius).sqrt();
        let apart = integral(gap.max(0.0)) - integral(self.rupture_gap(radius, volume));
        self.force_at_contact(radius) * (stretch * apart + gap.min(0.0))
    }

    /// Gap in m at which a bridge breaks, for the harmonic mean `radius` (m) of radii and the `volume` (m³) of liquid.
    #[must_use]
    pub fn rupture_gap(&self, radius: f64, volume: f64) -> f64 {
        let root = volume.cbrt();
        (1.0 + 0.5 * self.contact_angle) * root * (1.0 + 0.1 * root / radius)
    }

    /// Attraction of a liquid bridge at gap zero in N, 2 π R γ cos θ; R is the harmonic mean `radius` (m).
    fn force_at_contact(&self, radius: f64) -> f64 {
        2.0 * PI * radius * self.surface_tension * self.contact_angle.cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WATER: (f64, f64) = (0.072, 0.3);
    const RADIUS: f64 = 1e-3;

    fn water() -> Capillary {
        Capillary::new(WATER.0, WATER.1).unwrap()
    }

    /// Integral of the force of a liquid bridge over the gap by the midpoint rule, in J.
    fn work(from: f64, to: f64, volume: f64) -> f64 {
        const PARTS: u32 = 20_000;
        let step = (to - from) / f64::from(PARTS);
        let at = |k: u32| from + (f64::from(k) + 0.5) * step;
        (0..PARTS).map(|k| step * water().force(at(k), RADIUS, volume)).sum()
    }

    #[test]
    fn the_work_to_rupture_is_the_integral_of_the_force() {
        for volume in [1e-14, 1e-12, 1e-10] {
            let end = water().rupture_gap(RADIUS, volume);
            for gap in [-0.1 * end, 0.0, 0.3 * end] {
                let energy = water().energy(gap, RADIUS, volume);
                let found = work(gap.min(0.0), 0.0, volume) + work(gap.max(0.0), end, volume);
                assert!((found / -energy - 1.0).abs() < 1e-7, "{volume} {gap}: {found}, not {}", -energy);
            }
            assert!(water().energy(end, RADIUS, volume).abs() < 1e-20);
        }
        assert!(water().force(0.0, RADIUS, 1e-312) > 0.0 && water().energy(0.0, RADIUS, 1e-312) <= 0.0);
    }

    /// Compares force and rupture gap of a liquid bridge with the theory of small bridges between equal spheres.
    #[test]
    fn force_and_rupture_have_the_limits_of_theory() {
        let volume = 1e-13;
        let at_contact = water().force(0.0, RADIUS, volume);
        assert!((at_contact / (2.0 * PI * RADIUS * 0.072 * 0.3_f64.cos()) - 1.0).abs() < 1e-14);
        // Derjaguin: F/F₀ = 1 − 1/√(1 + 2V/(π R S²)), for small bridges.
        let end = water().rupture_gap(RADIUS, volume);
        for share in [0.02, 0.1, 0.3, 0.6] {
            let gap = share * end;
            let derjaguin = 1.0 - 1.0 / (1.0 + 2.0 * volume / (PI * RADIUS * gap * gap)).sqrt();
            let found = water().force(gap, RADIUS, volume) / at_contact;
            assert!((found - derjaguin).abs() < 0.06, "{share}: {found}, not {derjaguin}");
        }
        // Lian, Thornton and Adams (1993): (1 + θ/2) V^{1/3} for small volumes.
        assert!((end / (1.15 * volume.cbrt()) - 1.0).abs() < 0.006, "{end}");
        // A plane is a sphere of infinite radius: 4 π r γ cos θ for a sphere of the radius r.
        let mean = |other: f64| 2.0 * RADIUS * other / (RADIUS + other);
        let plane = water().force(0.0, 2.0 * RADIUS, volume);
        assert!((water().force(0.0, mean(1e6), volume) / plane - 1.0).abs() < 1e-8);
    }

    #[test]
    fn liquids_that_are_none_are_refused() {
        for (tension, angle) in [(0.0, 0.0), (f64::NAN, 0.0), (0.07, -0.1), (0.07, 1.6), (0.07, f64::NAN)] {
            assert!(matches!(Capillary::new(tension, angle), Err(DemError::InvalidParameter { .. })));
        }
    }
}
