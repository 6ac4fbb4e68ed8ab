use crate::error::VerifyError;
use crate::trapezoid::Trapezoid;

/// Relative error √(∫ (E − E₀)² dt) / (|E₀| √T) of the energy E over the time T, E₀ at the start, `[BG21] (38)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyError {
    initial: f64,
    rule: Trapezoid,
}

impl EnergyError {
    /// Makes an energy error without samples, relative to the initial energy E₀ (J), for samples `dt` (s) apart.
    ///
    /// # Errors
    /// [`VerifyError::InvalidStep`]; [`VerifyError::ZeroReference`] for E₀ = 0; [`VerifyError::NotFinite`] for E₀.
    pub fn new(dt: f64, initial_energy: f64) -> Result<Self, VerifyError> {
        if !initial_energy.is_finite() {
            return Err(VerifyError::NotFinite { index: 0, value: initial_energy });
        }
        if initial_energy.abs() <= 0.0 {
            return Err(VerifyError::ZeroReference { value: initial_energy });
        }
        Ok(Self { initial: initial_energy, rule: Trapezoid::new(dt)? })
    }

    /// Takes the energy (J) of the next sample; the first sample is at the start of the run.
    pub fn push(&mut self, energy: f64) {
        // Squares of relative deviations neither overflow nor underflow with the unit of energy.
        let deviation = (energy - self.initial) / self.initial;
        self.rule.push(deviation * deviation);
    }

    /// The relative energy error over the samples so far, dimensionless.
    ///
    /// # Errors
    /// [`VerifyError::TooFewSamples`] below two samples; [`VerifyError::NotFinite`] if a sample was not finite.
    pub fn error(&self) -> Result<f64, VerifyError> {
        Ok((self.rule.checked()? / self.rule.duration()).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_drift_is_its_length_over_root_three() {
        // E = E₀ (1 + t) on [0, 1]: √(1/3), plus dt²/6 from the trapezoid.
        let mut error = EnergyError::new(0.01, -4.0).unwrap();
        (0..=100).for_each(|k| error.push(-4.0 * (1.0 + 0.01 * f64::from(k))));
        assert!((error.error().unwrap() - (1.0_f64 / 3.0 + 1e-4 / 6.0).sqrt()).abs() < 1e-14);
    }

    #[test]
    fn a_constant_offset_is_its_own_error() {
        let mut error = EnergyError::new(0.1, -2.0).unwrap();
        (0..31).for_each(|_| error.push(-2.02));
        assert!((error.error().unwrap() - 0.01).abs() < 1e-14);
    }

    #[test]
    fn refusals() {
        assert_eq!(EnergyError::new(0.1, 0.0), Err(VerifyError::ZeroReference { value: 0.0 }));
        assert!(matches!(EnergyError::new(0.1, f64::NAN), Err(VerifyError::NotFinite { .. })));
        assert!(matches!(EnergyError::new(0.0, 1.0), Err(VerifyError::InvalidStep { .. })));
        let mut error = EnergyError::new(0.1, 1.0).unwrap();
        error.push(1.0);
        assert_eq!(error.error(), Err(VerifyError::TooFewSamples { needed: 2, found: 1 }));
        error.push(f64::NAN);
        assert!(matches!(error.error(), Err(VerifyError::NotFinite { .. })));
    }
}
