//! Two paths side by side, streamed.

use crate::error::VerifyError;
use crate::motion::Motion;
use crate::trapezoid::Trapezoid;

/// Norms of a computed and a reference path and the distance between them, in constant storage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathComparison {
    computed: Trapezoid,
    reference: Trapezoid,
    difference: Trapezoid,
}

impl PathComparison {
    /// An empty comparison on a grid of spacing `dt` (s).
    ///
    /// # Errors
    /// [`VerifyError::InvalidStep`].
    pub fn new(dt: f64) -> Result<Self, VerifyError> {
        let rule = Trapezoid::new(dt)?;
        Ok(Self { computed: rule, reference: rule, difference: rule })
    }

    /// Takes all bodies at the next instant, computed and reference.
    ///
    /// # Errors
    /// [`VerifyError::LengthMismatch`] if the numbers of bodies differ; nothing is taken then.
    pub fn push(&mut self, computed: &[Motion], reference: &[Motion]) -> Result<(), VerifyError> {
        if computed.len() != reference.len() {
            return Err(VerifyError::LengthMismatch { expected: reference.len(), found: computed.len() });
        }
        self.computed.push(computed.iter().map(Motion::norm_squared).sum());
        self.reference.push(reference.iter().map(Motion::norm_squared).sum());
        self.difference.push(computed.iter().zip(reference).map(|(ours, theirs)| ours.distance_squared(theirs)).sum());
        Ok(())
    }

    /// `|q_h|²`, `[BG21] (35)`, of the computed path so far.
    #[must_use]
    pub fn norm_squared(&self) -> f64 {
        self.computed.integral()
    }

    /// |q|², `[BG21] (35)`, of the reference path so far, on the same grid.
    #[must_use]
    pub fn reference_norm_squared(&self) -> f64 {
        self.reference.integral()
    }

    /// `∫ Σ |Δx|² + |Δv|² + d(R_h, R)² + |ΔΩ|² dt` so far. Divide it by a more accurate |q|² where one is known.
    #[must_use]
    pub fn distance_squared(&self) -> f64 {
        self.difference.integral()
    }

    /// Length T of the interval covered (s).
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.computed.duration()
    }

    /// The error `[BG21] (37)`, see [`norm_error`].
    ///
    /// # Errors
    /// As [`Self::distance`].
    pub fn norm_error(&self) -> Result<f64, VerifyError> {
        norm_error(self.computed.checked()?, self.reference.checked()?)
    }

    /// The true H¹ distance relative to |q|, see [`crate::path_distance`].
    ///
    /// # Errors
    /// [`VerifyError::TooFewSamples`] below two instants; [`VerifyError::NotFinite`] if a sample was; and
    /// [`VerifyError::ZeroReference`] if the reference path is at rest at the origin.
    pub fn distance(&self) -> Result<f64, VerifyError> {
        let (difference, reference) = (self.difference.checked()?, self.reference.checked()?);
        if reference <= 0.0 {
            return Err(VerifyError::ZeroReference { value: reference });
        }
        Ok((difference / reference).sqrt())
    }
}

/// `√| |q_h|² − |q|² | / |q|`, `[BG21] (37)`, from the squared norms of the computed and of the reference path.
///
/// A root of a difference of squares: a map of order p shows the order p/2 here, and paths of equal norm look equal.
/// [`path_distance`](crate::path_distance) has neither defect.
///
/// # Errors
/// [`VerifyError::NotFinite`] (index 0: computed, 1: reference); [`VerifyError::ZeroReference`] unless the reference
/// is positive.
pub fn norm_error(computed_squared: f64, reference_squared: f64) -> Result<f64, VerifyError> {
    for (index, value) in (0..).zip([computed_squared, reference_squared]) {
        if !value.is_finite() {
            return Err(VerifyError::NotFinite { index, value });
        }
    }
    if reference_squared <= 0.0 {
        return Err(VerifyError::ZeroReference { value: reference_squared });
    }
    Ok(((computed_squared - reference_squared).abs() / reference_squared).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_geom::glam::DVec3;

    #[test]
    fn equal_norm_hides_from_37_but_not_from_the_distance() {
        let mut comparison = PathComparison::new(0.5).unwrap();
        for _ in 0..4 {
            let ours = Motion::sliding(DVec3::X, DVec3::ZERO);
            comparison.push(&[ours], &[Motion::sliding(DVec3::Y, DVec3::ZERO)]).unwrap();
        }
        assert!(comparison.norm_error().unwrap() < 1e-15);
        assert!((comparison.distance().unwrap() - 2.0_f64.sqrt()).abs() < 1e-15);
        assert!((comparison.norm_squared() - 1.5).abs() < 1e-15);
        assert!((comparison.reference_norm_squared() - comparison.duration()).abs() < 1e-15);
    }

    #[test]
    fn norm_error_is_a_root() {
        assert!((norm_error(4.0 + 4e-6, 4.0).unwrap() - 1e-3).abs() < 1e-12);
        assert!((norm_error(4.0 - 4e-6, 4.0).unwrap() - 1e-3).abs() < 1e-12);
        assert_eq!(norm_error(1.0, 0.0), Err(VerifyError::ZeroReference { value: 0.0 }));
        assert!(matches!(norm_error(1.0, f64::NAN), Err(VerifyError::NotFinite { index: 1, .. })));
    }

    #[test]
    fn refusals() {
        let rest = Motion::sliding(DVec3::ZERO, DVec3::ZERO);
        let mut comparison = PathComparison::new(0.5).unwrap();
        assert_eq!(comparison.push(&[rest], &[]), Err(VerifyError::LengthMismatch { expected: 0, found: 1 }));
        assert_eq!(comparison.distance(), Err(VerifyError::TooFewSamples { needed: 2, found: 0 }));
        comparison.push(&[rest], &[rest]).unwrap();
        comparison.push(&[rest], &[rest]).unwrap();
        assert_eq!(comparison.distance(), Err(VerifyError::ZeroReference { value: 0.0 }));
        comparison.push(&[Motion::sliding(DVec3::NAN, DVec3::ZERO)], &[rest]).unwrap();
        assert!(matches!(comparison.distance(), Err(VerifyError::NotFinite { index: 2, .. })));
    }
}
