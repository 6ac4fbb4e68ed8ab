use crate::error::VerifyError;
use crate::motion::Motion;
use crate::trapezoid::Trapezoid;

/// Norms of a computed and a reference path and the distance between them, in constant memory.
///
/// Squares are summed in an internal unit, so that ratios neither overflow nor underflow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathComparison {
    computed: Trapezoid,
    reference: Trapezoid,
    difference: Trapezoid,
    /// Divisor of positions, velocities, angles and spins before they are squared: a power of two.
    unit: f64,
    /// Whether positions, velocities, angles and spins have all been zero so far.
    rests: bool,
}

impl PathComparison {
    /// Makes a comparison of two paths without samples, on a time grid of spacing `dt` (s).
    ///
    /// # Errors
    /// [`VerifyError::InvalidStep`].
    pub fn new(dt: f64) -> Result<Self, VerifyError> {
        let rule = Trapezoid::new(dt)?;
        Ok(Self { computed: rule, reference: rule, difference: rule, unit: 1.0, rests: true })
    }

    /// Takes the motions of all bodies at the next instant on the computed and on the reference path.
    ///
    /// # Errors
    /// [`VerifyError::LengthMismatch`] if the numbers of bodies differ; the comparison is then unchanged.
    pub fn push(&mut self, computed: &[Motion], reference: &[Motion]) -> Result<(), VerifyError> {
        if computed.len() != reference.len() {
            return Err(VerifyError::LengthMismatch { expected: reference.len(), found: computed.len() });
        }
        self.adapt(computed.iter().chain(reference).map(Motion::largest).fold(0.0, f64::max));
        let unit = self.unit;
        self.computed.push(computed.iter().map(|motion| motion.norm_squared_in(unit)).sum());
        self.reference.push(reference.iter().map(|motion| motion.norm_squared_in(unit)).sum());
        let pairs = computed.iter().zip(reference);
        self.difference.push(pairs.map(|(ours, theirs)| ours.distance_squared_in(theirs, unit)).sum());
        Ok(())
    }

    fn adapt(&mut self, largest: f64) {
        let fits = if self.rests { 1e-100..1e100 } else { 0.0..self.unit * 1e100 };
        if largest <= 0.0 || !largest.is_finite() {
            return;
        }
        let first = std::mem::take(&mut self.rests);
        if fits.contains(&largest) {
            return;
        }
        // A power of two changes no other digits.
        let unit = f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE);
        for rule in [&mut self.computed, &mut self.reference, &mut self.difference].into_iter().filter(|_| !first) {
            rule.scale((self.unit / unit).powi(2));
        }
        self.unit = unit;
    }

    fn in_si(&self, rule: &Trapezoid) -> f64 {
        self.unit * (self.unit * rule.integral())
    }

    /// The squared norm `|q_h|²`, `[BG21] (35)`, of the computed path so far.
    #[must_use]
    pub fn norm_squared(&self) -> f64 {
        self.in_si(&self.computed)
    }

    /// The squared norm |q|², `[BG21] (35)`, of the reference path so far, on the same grid.
    #[must_use]
    pub fn reference_norm_squared(&self) -> f64 {
        self.in_si(&self.reference)
    }

    /// The squared distance of the two paths so far: the integral of [`Motion::distance_squared`], summed over bodies.
    /// For a relative error, divide by the most accurate norm that is known.
    #[must_use]
    pub fn distance_squared(&self) -> f64 {
        self.in_si(&self.difference)
    }

    /// Length T (s) of the time interval from the first to the last instant.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.computed.duration()
    }

    /// The error `[BG21] (37)` of the norm of the computed path, see [`norm_error`].
    ///
    /// # Errors
    /// As [`Self::distance`].
    pub fn norm_error(&self) -> Result<f64, VerifyError> {
        norm_error(self.computed.checked()?, self.reference.checked()?)
    }

    /// The H¹ distance of the two paths relative to |q|: the root of [`distance_squared`](Self::distance_squared) over
    /// the norm |q| of the reference path.
    ///
    /// # Errors
    /// [`VerifyError::TooFewSamples`] below two instants; [`VerifyError::NotFinite`] if a sample was not finite;
    /// [`VerifyError::ZeroReference`] if the reference path is at rest at the origin.
    pub fn distance(&self) -> Result<f64, VerifyError> {
        let difference = self.difference.checked()?;
        let reference = self.reference.checked()?;
        if reference <= 0.0 {
            return Err(VerifyError::ZeroReference { value: reference });
        }
        Ok((difference / reference).sqrt())
    }
}

/// The error `√| |q_h|² − |q|² | / |q|`, `[BG21] (37)`, from the squared norms of the computed path `q_h` and the
/// reference path q.
///
/// The error is the root of a difference of squares: a map of order p shows the order p/2, and different paths of equal
/// norm have the error zero. [`PathComparison::distance`] has neither defect.
///
/// # Errors
/// [`VerifyError::NotFinite`] (index 0: computed, 1: reference); [`VerifyError::ZeroReference`] unless the reference is
/// positive.
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
    use rrp_geom::Attitude;
    use rrp_geom::glam::DVec3;

    /// Compares two bodies that turn about z at given rates, over one second in 64 steps.
    fn turning(rates: [f64; 2], bodies: usize) -> PathComparison {
        let dt = 1.0 / 64.0;
        let mut comparison = PathComparison::new(dt).unwrap();
        for k in 0..=64 {
            let [ours, theirs] = rates.map(|rate| {
                let attitude = Attitude::from_rotation_vector(DVec3::Z * (rate * dt * f64::from(k))).unwrap();
                vec![Motion::turning(attitude, DVec3::Z * rate); bodies]
            });
            comparison.push(&ours, &theirs).unwrap();
        }
        comparison
    }

    #[test]
    fn norms_of_steady_rotation_are_closed_and_bodies_add_up() {
        // ∫₀¹ (w t)² + w² dt = 4 w²/3, and the trapezoidal rule adds w² dt²/6.
        for bodies in [1, 2] {
            let value = turning([0.7, 0.7], bodies).norm_squared() / bodies as f64;
            assert!((value - 0.49 * (4.0 / 3.0 + 1.0 / (6.0 * 64.0 * 64.0))).abs() < 1e-14);
        }
    }

    #[test]
    fn the_distance_of_two_rates_is_closed() {
        // ∫₀¹ (δ t)² + δ² dt = 4 δ²/3 over 4 w²/3 gives δ/w; the error of the trapezoidal rule cancels.
        assert!((turning([0.75, 0.7], 1).distance().unwrap() - 0.05 / 0.7).abs() < 1e-14);
    }

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
    fn distances_of_any_size_neither_overflow_nor_vanish() {
        for size in [1e-300, 1e-162, 1.0, 1e162, 1e300] {
            let mut comparison = PathComparison::new(0.5).unwrap();
            for shift in [1.0, 1.0 + 1e-6, 1.0 - 1e-6] {
                let ours = Motion::sliding(DVec3::X * (size * shift), DVec3::ZERO);
                comparison.push(&[ours], &[Motion::sliding(DVec3::X * size, DVec3::ZERO)]).unwrap();
            }
            assert!((comparison.distance().unwrap() / 0.75_f64.sqrt() - 1e-6).abs() < 1e-12, "{size}");
        }
        let mut comparison = PathComparison::new(1.0).unwrap();
        for size in [0.0, 1e-300, 1.0, 1e300, 1e300] {
            let at = |size: f64| Motion::sliding(DVec3::Y * size, DVec3::ZERO);
            comparison.push(&[at(2.0 * size)], &[at(size)]).unwrap();
        }
        assert!((comparison.distance().unwrap() - 1.0).abs() < 1e-15);
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
