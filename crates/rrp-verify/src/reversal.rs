/// Runs `steps` steps, reverses the motion, runs `steps` steps, reverses again, and measures the distance from the
/// start. The distance is zero up to rounding for a reversible map Φ, ρ∘Φ∘ρ = Φ⁻¹ with the reversal ρ.
///
/// `step` advances a state of any type, `reverse` is the involution ρ (usually all velocities change sign), and
/// `distance` compares the final state with the start. A distance of NaN is returned unchanged and fails every `<`.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn verlet(z: &mut [f64; 2]) -> Result<(), &'static str> {
        z[1] -= 0.05 * z[0].sin();
        z[0] += 0.1 * z[1];
        z[1] -= 0.05 * z[0].sin();
        Ok(())
    }

    /// Steps by symplectic Euler, which is symplectic but not reversible.
    fn kick_drift(z: &mut [f64; 2]) -> Result<(), &'static str> {
        z[1] -= 0.1 * z[0].sin();
        z[0] += 0.1 * z[1];
        Ok(())
    }

    fn defect(start: [f64; 2], steps: u64, step: fn(&mut [f64; 2]) -> Result<(), &'static str>) -> f64 {
        let distance = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        reversal_defect(&start, steps, step, |z| z[1] = -z[1], distance).unwrap()
    }

    #[test]
    fn verlet_comes_back() {
        let defect = defect([1.0, 0.5], 1000, verlet);
        assert!(defect < 1e-12, "{defect}");
    }

    #[test]
    fn symplectic_euler_does_not() {
        // One step there and back: p' = p − h sin q, q' = q + h p'; then p'' = −p' − h sin q', so that q'' − q = −h²
        // sin q' and, after the last reversal, p'' = p − h sin q + h sin q'.
        let (q, p): (f64, f64) = (1.0, 0.5);
        let after = q + 0.1 * (p - 0.1 * q.sin());
        let expected = (0.01 * after.sin()).hypot(0.1 * (after.sin() - q.sin()));
        let defect = defect([q, p], 1, kick_drift);
        assert!((defect - expected).abs() < 1e-15 && defect > 1e-3, "{defect} {expected}");
    }

    #[test]
    fn errors_and_nan_come_through() {
        let failing = reversal_defect(&0.0, 3, |_| Err("stop"), |_| {}, |_, _| 0.0);
        assert_eq!(failing, Err("stop"));
        assert!(reversal_defect(&0.0, 1, |_| Ok::<(), &str>(()), |_| {}, |_, _| f64::NAN).unwrap().is_nan());
    }
}
