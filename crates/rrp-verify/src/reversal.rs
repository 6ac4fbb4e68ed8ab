//! The reversal defect of a map.

/// Runs `steps` steps, reverses the motion, runs `steps` steps, reverses again, and measures the distance from the
/// start: zero up to rounding for a reversible map Φ, ρ∘Φ∘ρ = Φ⁻¹ with the reversal ρ.
///
/// Works on any state: `step` advances the state, `reverse` is the involution ρ (usually all velocities change sign),
/// and `distance` compares the final state with the start. A distance of NaN is returned as it is and fails every `<`.
///
/// # Errors
/// The first error of `step`.
///
/// ```
/// use std::convert::Infallible;
/// // q'' = -q³ by velocity Verlet
/// let step = |z: &mut (f64, f64)| {
///     z.1 -= 0.05 * z.0.powi(3);
///     z.0 += 0.1 * z.1;
///     z.1 -= 0.05 * z.0.powi(3);
///     Ok::<(), Infallible>(())
/// };
/// let reverse = |z: &mut (f64, f64)| z.1 = -z.1;
/// let distance = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
/// let defect = rrp_verify::reversal_defect(&(1.0, 0.3), 1000, step, reverse, distance)?;
/// assert!(defect < 1e-11);
/// # Ok::<(), Infallible>(())
/// ```
pub fn reversal_defect<S: Clone, E>(
    start: &S,
    steps: u64,
    mut step: impl FnMut(&mut S) -> Result<(), E>,
    mut reverse: impl FnMut(&mut S),
    distance: impl FnOnce(&S, &S) -> f64,
) -> Result<f64, E> {
    let mut state = start.clone();
    for _ in 0..2 {
        for _ in 0..steps {
            step(&mut state)?;
        }
        reverse(&mut state);
    }
    Ok(distance(&state, start))
}

/// The [`reversal_defect`] of a map in canonical coordinates z = (q, p), where p changes sign. The distance is the
/// largest difference of a coordinate.
///
/// The map reads its first argument and fills the second. The defect is NaN if a coordinate becomes NaN.
#[must_use]
pub fn phase_reversal_defect(start: &[f64], steps: u64, mut map: impl FnMut(&[f64], &mut [f64])) -> f64 {
    let mut image = start.to_vec();
    let step = |z: &mut Vec<f64>| {
        map(z, &mut image);
        z.copy_from_slice(&image);
        Ok::<(), std::convert::Infallible>(())
    };
    let reverse = |z: &mut Vec<f64>| {
        let half = z.len() / 2;
        z[half..].iter_mut().for_each(|p| *p = -*p);
    };
    // f64::max would swallow a NaN.
    let distance = |a: &Vec<f64>, b: &Vec<f64>| {
        let larger = |largest: f64, entry: f64| if entry.is_nan() || entry > largest { entry } else { largest };
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
    };
    match reversal_defect(&start.to_vec(), steps, step, reverse, distance) {
        Ok(defect) => defect,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verlet(z: &[f64], out: &mut [f64]) {
        let h = 0.1;
        let kicked = z[1] - 0.5 * h * z[0].sin();
        out[0] = z[0] + h * kicked;
        out[1] = kicked - 0.5 * h * out[0].sin();
    }

    /// Steps by symplectic Euler, which is symplectic but not reversible.
    fn kick_drift(z: &[f64], out: &mut [f64]) {
        out[1] = z[1] - 0.1 * z[0].sin();
        out[0] = z[0] + 0.1 * out[1];
    }

    #[test]
    fn verlet_comes_back() {
        let defect = phase_reversal_defect(&[1.0, 0.5], 1000, verlet);
        assert!(defect < 1e-12, "{defect}");
    }

    #[test]
    fn symplectic_euler_does_not() {
        // One step there and back: p' = p − h sin q, q' = q + h p'; then p'' = −p' − h sin q', so that
        // q'' − q = −h² sin q' and p'' = p − h sin q + h sin q' after the flip.
        let (q, p): (f64, f64) = (1.0, 0.5);
        let after = q + 0.1 * (p - 0.1 * q.sin());
        let expected = (0.01 * after.sin()).max((0.1 * (after.sin() - q.sin())).abs());
        let defect = phase_reversal_defect(&[q, p], 1, kick_drift);
        assert!((defect - expected).abs() < 1e-15 && defect > 1e-3, "{defect} {expected}");
    }

    #[test]
    fn errors_and_nan_come_through() {
        let failing = reversal_defect(&0.0, 3, |_| Err("stop"), |_| {}, |_, _| 0.0);
        assert_eq!(failing, Err("stop"));
        assert!(phase_reversal_defect(&[1.0, 1.0], 1, |_, out| out.copy_from_slice(&[f64::NAN, 1.0])).is_nan());
    }
}
