//! The law of Derjaguin, Muller and Toporov for stiff adhesive spheres.

use std::f64::consts::PI;

use crate::error::DemError;
use crate::law::contact_law::{ContactLaw, Memory};
use crate::law::normal::hertz::Hertz;
#[cfg(feature = "serde")]
use crate::law::normal::jkr::Given;
use crate::law::normal::jkr::work_of_adhesion;

/// DMT law [Derjaguin, Muller and Toporov 1975]: Hertz' law with a constant attraction while bodies touch, F = K √R
/// δ^{3/2} − 2πwR for overlaps δ > 0, with the modulus K, the reduced radius R and the work of adhesion w.
///
/// The force jumps at δ = 0, the energy does not: an undamped contact dissipates nothing. The limits of friction,
/// rolling and twisting follow from the elastic force without the attraction: friction is at most `μ (F + 2πwR)`.
/// Damping is that of Hertz' law.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Given"))]
pub struct Dmt {
    elastic: Hertz,
    adhesion: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Dmt {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        Self::new(given.elastic, given.adhesion)
    }
}

impl Dmt {
    /// Makes the law with the modulus and the damping of `elastic`, and the work of adhesion w in J/m²; see
    /// [`Jkr::new`](crate::law::Jkr::new).
    ///
    /// # Errors
    /// Errors of [`Jkr::new`](crate::law::Jkr::new).
    pub fn new(elastic: Hertz, adhesion: f64) -> Result<Self, DemError> {
        Ok(Self { elastic, adhesion: work_of_adhesion(&elastic, adhesion)? })
    }
}

impl ContactLaw for Dmt {
    #[inline(always)]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.energy(overlap, radius) - self.friction_load(overlap, radius) * overlap
    }

    #[inline(always)]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.force(overlap, radius) - self.friction_load(overlap, radius)
    }

    #[inline(always)]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        self.elastic.stiffness(overlap, radius)
    }

    #[inline(always)]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        self.elastic.damping(overlap, radius, mass)
    }

    fn is_damped(&self) -> bool {
        self.elastic.is_damped()
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    /// Returns the memory of a DMT contact: no number; surfaces act on each other while they overlap.
    #[inline(always)]
    fn remember(&self, overlap: f64, _: f64, _: f64) -> Memory {
        Memory { number: 0.0, acts: overlap > 0.0 }
    }

    #[inline(always)]
    fn friction_load(&self, _: f64, radius: f64) -> f64 {
        2.0 * PI * self.adhesion * radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::normal::damping::Damping;

    const RADIUS: f64 = 3e-4;
    const ADHESION: f64 = 0.07;
    const REDUCED_MODULUS: f64 = 5e6;

    fn law() -> Dmt {
        Dmt::new(Hertz::new(4.0 / 3.0 * REDUCED_MODULUS, Damping::NONE).unwrap(), ADHESION).unwrap()
    }

    #[test]
    fn the_force_is_that_of_the_contact_radius_less_a_constant_attraction() {
        let attraction = 2.0 * PI * ADHESION * RADIUS;
        // [DMT75]: F = 4 E* a³/(3 R) − 2πwR with δ = a²/R.
        for k in 0..400 {
            let a = 1e-8 * 1.03_f64.powi(k);
            let force = 4.0 * REDUCED_MODULUS * a.powi(3) / (3.0 * RADIUS) - attraction;
            let found = law().force(a * a / RADIUS, RADIUS);
            assert!((found - force).abs() < 1e-12 * attraction.max(force.abs()), "{k}: {found} {force}");
        }
        assert!((law().force(0.0, RADIUS) / attraction + 1.0).abs() < 1e-12, "where it forms and breaks");
        // Without load a³ = 3πwR²/(2 E*).
        let a = (1.5 * PI * ADHESION * RADIUS * RADIUS / REDUCED_MODULUS).cbrt();
        assert!(law().force(a * a / RADIUS, RADIUS).abs() < 1e-12 * attraction);
    }

    #[test]
    fn the_energy_is_the_integral_of_the_force_and_does_not_jump() {
        let law = law();
        assert!(law.energy(0.0, RADIUS).abs() <= 0.0);
        for overlap in [1e-10, 1e-8, 1e-6] {
            let step = 1e-4 * overlap;
            let slope = |f: &dyn Fn(f64) -> f64| (f(overlap + step) - f(overlap - step)) / (2.0 * step);
            assert!((slope(&|d| law.energy(d, RADIUS)) / law.force(overlap, RADIUS) - 1.0).abs() < 1e-6, "{overlap}");
            assert!((slope(&|d| law.force(d, RADIUS)) / law.stiffness(overlap, RADIUS) - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn contacts_act_while_they_overlap_and_damping_is_that_of_the_elastic_part() {
        assert_eq!([-1e-9, 0.0, 1e-12].map(|overlap| law().remember(overlap, RADIUS, 0.0).acts), [false, false, true]);
        let hertz = Hertz::new(1e7, Damping::restitution(0.5).unwrap()).unwrap();
        for adhesion in [0.0, 0.07, 1e6] {
            let law = Dmt::new(hertz, adhesion).unwrap();
            assert!((law.damping(1e-6, RADIUS, 1e-8) - hertz.damping(1e-6, RADIUS, 1e-8)).abs() <= 0.0);
        }
    }
}
