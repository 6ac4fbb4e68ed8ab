//! Damping of normal laws, by a coefficient or by the restitution of an impact.

use std::f64::consts::PI;

use crate::error::DemError;
use crate::error::parameter::not_negative;

/// Law of the damping of the normal motion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Given", into = "Given"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Damping {
    given: Given,
    /// Damping rate `γ_n` in 1/s of a damping by coefficient. `ratio` is the damping ratio ζ of a damping by
    /// restitution. At most one of both is nonzero.
    pub(in crate::law) rate: f64,
    pub(in crate::law) ratio: f64,
}

/// Damping of a normal law as the user stated it; this form is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum Given {
    /// No damping of the normal motion.
    None,
    /// Damping coefficient `γ_n` in 1/s: the force is `γ_n m_eff` times the speed of the overlap, `[DK21] (22)`.
    #[cfg_attr(feature = "schema", schemars(extend("unit" = "1/s", "toml" = "{ coefficient = 100.0 }")))]
    Coefficient(f64),
    /// Coefficient of restitution: speed after an impact over that before, in (0, 1].
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ restitution = 0.7 }")))]
    Restitution(f64),
    /// Coefficient of restitution with a normal force that is cut off at zero, so that it never attracts.
    #[cfg_attr(feature = "schema", schemars(extend("toml" = "{ restitution-capped = 0.7 }")))]
    RestitutionCapped(f64),
}

impl Damping {
    /// No damping of a normal law.
    pub const NONE: Self = Self { given: Given::None, rate: 0.0, ratio: 0.0 };

    /// Makes damping with the coefficient `c = γ_n m_eff` (kg/s), `γ_n` in 1/s, reduced mass `m_eff`: `[DK21] (22)`.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `gamma` is finite and not negative.
    pub fn coefficient(gamma: f64) -> Result<Self, DemError> {
        let rate = not_negative("the damping coefficient", gamma)?;
        Ok(Self { given: Given::Coefficient(gamma), rate, ratio: 0.0 })
    }

    /// Makes damping with which two bodies separate at `restitution` times their speed of approach, at every speed.
    ///
    /// The force can become attractive just before separation, as in the analytic solution `[DK21] (33)-(34)`.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `restitution` is in (0, 1].
    pub fn restitution(restitution: f64) -> Result<Self, DemError> {
        // Half an oscillation: ln e = −πζ/√(1−ζ²).
        let log = -checked(restitution)?.ln();
        Ok(Self { given: Given::Restitution(restitution), rate: 0.0, ratio: log / PI.hypot(log) })
    }

    /// Coefficient of damping of slip at a contact whose tangential stiffness is this `modulus` (Pa) times the radius a
    /// of the contact: the damper is this value times √(a m), with the reduced mass m.
    pub(in crate::law) fn of_slip(self, modulus: f64) -> f64 {
        (10.0_f64 / 3.0).sqrt() * self.ratio * modulus.sqrt()
    }

    /// Makes damping as [`restitution`](Self::restitution), for a normal force that is cut off at zero where it would
    /// become attractive.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `restitution` is in (0, 1].
    pub fn restitution_capped(restitution: f64) -> Result<Self, DemError> {
        let wanted = checked(restitution)?;
        // The restitution decreases with the ratio, for overdamped impacts too.
        let mut low = 0.0;
        let mut high = 1.0;
        while capped_restitution(high) > wanted {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            let bound = if capped_restitution(middle) > wanted { &mut low } else { &mut high };
            *bound = middle;
        }
        Ok(Self { given: Given::RestitutionCapped(restitution), rate: 0.0, ratio: 0.5 * (low + high) })
    }

    /// Whether the normal law has any damping.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.rate > 0.0 || self.ratio > 0.0
    }

    pub(super) fn is_capped(&self) -> bool {
        matches!(self.given, Given::RestitutionCapped(_))
    }
}

fn checked(restitution: f64) -> Result<f64, DemError> {
    if restitution > 0.0 && restitution <= 1.0 {
        return Ok(restitution);
    }
    let parameter = "the restitution";
    let range = "above 0 and at most 1";
    Err(DemError::InvalidParameter { parameter, range, value: restitution })
}

/// Returns the restitution of the oscillator x'' + 2ζx' + x = 0 that starts at x = 0 and ends when the force −2ζx' − x
/// stops being repulsive.
fn capped_restitution(ratio: f64) -> f64 {
    // x = e^(−ζt) sin(ωt)/ω; the force ends where tan(ωt) = 2ζω/(2ζ²−1), and e = −x' there.
    let square = ratio * ratio;
    if (square - 1.0).abs() < 1e-12 {
        return (-2.0_f64).exp();
    }
    if ratio < 1.0 {
        let frequency = (1.0 - square).sqrt();
        let time = (2.0 * ratio * frequency).atan2(2.0 * square - 1.0) / frequency;
        return (-ratio * time).exp();
    }
    let frequency = (square - 1.0).sqrt();
    let time = (2.0 * square - 1.0).acosh() / frequency;
    (-ratio * time).exp()
}

impl TryFrom<Given> for Damping {
    type Error = DemError;

    fn try_from(given: Given) -> Result<Self, DemError> {
        match given {
            Given::None => Ok(Self::NONE),
            Given::Coefficient(gamma) => Self::coefficient(gamma),
            Given::Restitution(restitution) => Self::restitution(restitution),
            Given::RestitutionCapped(restitution) => Self::restitution_capped(restitution),
        }
    }
}

impl From<Damping> for Given {
    fn from(damping: Damping) -> Self {
        damping.given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capped_restitution_is_that_of_an_integrated_impact() {
        for ratio in [0.05, 0.4, 0.9, 1.5] {
            let mut x = 0.0_f64;
            let mut v = 1.0_f64;
            let h = 1e-5;
            loop {
                let middle = (x + 0.5 * h * v, v - 0.5 * h * (x + 2.0 * ratio * v));
                (x, v) = (x + h * middle.1, v - h * (middle.0 + 2.0 * ratio * middle.1));
                if x + 2.0 * ratio * v <= 0.0 {
                    break;
                }
            }
            assert!((capped_restitution(ratio) + v).abs() < 1e-4, "{ratio}: {v}");
        }
    }

    #[test]
    fn restitution_out_of_range_is_refused() {
        for restitution in [0.0, -0.5, 1.1, f64::NAN] {
            assert!(Damping::restitution(restitution).is_err() && Damping::restitution_capped(restitution).is_err());
        }
        assert!(Damping::coefficient(-1.0).is_err());
        assert!(Damping::restitution(1.0).unwrap().ratio.abs() < 1e-300);
    }
}
