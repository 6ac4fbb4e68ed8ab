//! Norms and errors of whole paths, `[BG21] (35)-(38)`.

use crate::energy_error::EnergyError;
use crate::error::VerifyError;
use crate::motion::Motion;
use crate::path_comparison::PathComparison;
use crate::trapezoid::Trapezoid;

/// The squared norm |q|² of a path, `[BG21] (35)`: the integral over time, by the trapezoidal rule, of the sum of
/// [`Motion::norm_squared`] over all bodies.
///
/// Each item holds all bodies at one instant, `dt` (s) apart; cut a flat slice by `chunks(n_b)` for `n_b` bodies.
///
/// # Errors
/// [`VerifyError::InvalidStep`]; [`VerifyError::TooFewSamples`] below two instants; [`VerifyError::NotFinite`].
pub fn path_norm_squared<'a>(dt: f64, path: impl IntoIterator<Item = &'a [Motion]>) -> Result<f64, VerifyError> {
    let mut rule = Trapezoid::new(dt)?;
    for bodies in path {
        rule.push(bodies.iter().map(Motion::norm_squared).sum());
    }
    rule.checked()
}

/// The true relative H¹ distance of the `computed` path from the `reference` on the same grid: the root of the integral
/// of the summed [`Motion::distance_squared`] of all bodies, over the norm of the reference.
///
/// Both paths give all bodies at one instant per item, `dt` (s) apart. See [`PathComparison`] for the streamed form.
///
/// # Errors
/// As [`PathComparison::distance`]; [`VerifyError::LengthMismatch`] if the paths or their items differ in length.
pub fn path_distance<'a>(
    dt: f64,
    computed: impl IntoIterator<Item = &'a [Motion]>,
    reference: impl IntoIterator<Item = &'a [Motion]>,
) -> Result<f64, VerifyError> {
    let mut comparison = PathComparison::new(dt)?;
    let mut computed = computed.into_iter();
    let mut reference = reference.into_iter();
    let mut instants = 0;
    loop {
        match (computed.next(), reference.next()) {
            (Some(ours), Some(theirs)) => comparison.push(ours, theirs)?,
            (None, None) => return comparison.distance(),
            (Some(_), None) => {
                let found = instants + 1 + computed.count();
                return Err(VerifyError::LengthMismatch { expected: instants, found });
            }
            (None, Some(_)) => {
                let expected = instants + 1 + reference.count();
                return Err(VerifyError::LengthMismatch { expected, found: instants });
            }
        }
        instants += 1;
    }
}

/// The [relative energy error](EnergyError), `[BG21] (38)`, of energies (J) that are `dt` (s) apart.
///
/// # Errors
/// As [`EnergyError::new`] and [`EnergyError::error`].
pub fn energy_error(dt: f64, initial_energy: f64, energies: &[f64]) -> Result<f64, VerifyError> {
    let mut error = EnergyError::new(dt, initial_energy)?;
    energies.iter().for_each(|&energy| error.push(energy));
    error.error()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_geom::Attitude;
    use rrp_geom::glam::DVec3;

    fn spinning(rate: f64, dt: f64, count: u32) -> Vec<Motion> {
        (0..=count)
            .map(|k| {
                let angle = rate * dt * f64::from(k);
                Motion::turning(Attitude::from_rotation_vector(DVec3::Z * angle).unwrap(), DVec3::Z * rate)
            })
            .collect()
    }

    #[test]
    fn steady_rotation_has_the_closed_norm() {
        // ∫₀¹ (w t)² + w² dt = 4 w²/3, and the trapezoid adds w² dt²/6.
        let dt = 1.0 / 64.0;
        let value = path_norm_squared(dt, spinning(0.7, dt, 64).chunks(1)).unwrap();
        assert!((value - 0.49 * (4.0 / 3.0 + dt * dt / 6.0)).abs() < 1e-14);
    }

    #[test]
    fn bodies_add_up() {
        let path = spinning(0.7, 0.1, 10);
        let twice: Vec<_> = path.iter().flat_map(|&motion| [motion, motion]).collect();
        let one = path_norm_squared(0.1, path.chunks(1)).unwrap();
        assert!((path_norm_squared(0.1, twice.chunks(2)).unwrap() - 2.0 * one).abs() < 1e-14);
    }

    #[test]
    fn distance_of_two_rates_is_closed() {
        // ∫₀¹ (δ t)² + δ² = 4 δ²/3 against 4 w²/3: δ/w up to the trapezoid's common factor.
        let dt = 1.0 / 64.0;
        let ours = spinning(0.75, dt, 64);
        let reference = spinning(0.7, dt, 64);
        let distance = path_distance(dt, ours.chunks(1), reference.chunks(1)).unwrap();
        assert!((distance - 0.05 / 0.7).abs() < 1e-14);
    }

    #[test]
    fn unequal_paths_are_refused() {
        let path = spinning(0.7, 0.1, 4);
        assert_eq!(
            path_distance(0.1, path[..3].chunks(1), path.chunks(1)),
            Err(VerifyError::LengthMismatch { expected: 5, found: 3 })
        );
        assert_eq!(
            path_distance(0.1, path.chunks(1), path[..3].chunks(1)),
            Err(VerifyError::LengthMismatch { expected: 3, found: 5 })
        );
    }

    #[test]
    fn energy_error_of_a_constant_offset_is_the_offset() {
        let error = energy_error(0.1, -2.0, &[-2.02; 31]).unwrap();
        assert!((error - 0.01).abs() < 1e-14);
    }
}
