use crate::error::VerifyError;
use crate::jacobian::Jacobian;

/// The deviation of the derivative D of a map from symplecticity at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SymplecticReport {
    /// Symplectic defect `max |DᵀWD − W|` of the derivative D of the map, with `W = [[0, I], [−I, 0]]`.
    pub defect: f64,
    /// Determinant of the derivative D of the map; one for a map that preserves volume.
    pub determinant: f64,
    /// Largest change of an entry of D by the last extrapolation: a cautious estimate of the error of D.
    pub uncertainty: f64,
}

/// Step of the central differences relative to max(1, |coordinate|). For maps that vary over lengths of order one,
/// truncation (step⁶) and rounding (ε/step) are about equal. With a power of two most shifts are exact.
const DIFFERENCE_STEP: f64 = 1.0 / 128.0;

/// Symplectic defect and determinant of a map at `point` = (q, p), 2n canonical coordinates.
///
/// The map reads its first argument and fills the second. Its derivative comes from central differences with two
/// Richardson extrapolations, from steps of 1/128 of max(1, |coordinate|). For maps of order one, a defect below 1e-12
/// is rounding.
///
/// # Errors
/// [`VerifyError::InvalidDimension`] unless the number of coordinates is even and positive; [`VerifyError::NotFinite`]
/// (index of the coordinate) if the point or an image is not finite.
pub fn symplectic_report(point: &[f64], map: impl FnMut(&[f64], &mut [f64])) -> Result<SymplecticReport, VerifyError> {
    if point.is_empty() || !point.len().is_multiple_of(2) {
        return Err(VerifyError::InvalidDimension { dimension: point.len() });
    }
    let jacobian = Jacobian::of(point, DIFFERENCE_STEP, map)?;
    Ok(SymplecticReport {
        defect: jacobian.symplectic_defect(),
        determinant: jacobian.determinant(),
        uncertainty: jacobian.uncertainty,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn verlet(h: f64) -> impl Fn(&[f64], &mut [f64]) {
        move |z, out| {
            let kicked = z[1] - 0.5 * h * z[0].sin();
            out[0] = z[0] + h * kicked;
            out[1] = kicked - 0.5 * h * out[0].sin();
        }
    }

    fn explicit_euler(h: f64) -> impl Fn(&[f64], &mut [f64]) {
        move |z, out| (out[0], out[1]) = (z[0] + h * z[1], z[1] - h * z[0].sin())
    }

    /// Steps two pendulums coupled by a quartic spring: H = Σ (p²/2 − cos q) + (q₁ − q₂)⁴/4. Two degrees of freedom
    /// detect exchanged blocks of W.
    fn coupled(h: f64) -> impl Fn(&[f64], &mut [f64]) {
        move |z, out| {
            let force = |q: &[f64]| {
                let spring = (q[0] - q[1]).powi(3);
                [-q[0].sin() - spring, -q[1].sin() + spring]
            };
            let start = force(z);
            let kicked = [z[2] + 0.5 * h * start[0], z[3] + 0.5 * h * start[1]];
            (out[0], out[1]) = (z[0] + h * kicked[0], z[1] + h * kicked[1]);
            let end = force(out);
            (out[2], out[3]) = (kicked[0] + 0.5 * h * end[0], kicked[1] + 0.5 * h * end[1]);
        }
    }

    #[test]
    fn two_degrees_of_freedom() {
        let point = [0.8, -0.4, 0.3, 1.1];
        let report = symplectic_report(&point, coupled(0.3)).unwrap();
        assert!(report.defect < 1e-12 && (report.determinant - 1.0).abs() < 1e-12, "{report:?}");
        // The interleaved order of q and p is not canonical, although the map preserves volume.
        let swapped = symplectic_report(&[0.8, 0.3, -0.4, 1.1], |z, out| {
            let mut image = [0.0; 4];
            coupled(0.3)(&[z[0], z[2], z[1], z[3]], &mut image);
            out.copy_from_slice(&[image[0], image[2], image[1], image[3]]);
        })
        .unwrap();
        assert!(swapped.defect > 0.1 && (swapped.determinant - 1.0).abs() < 1e-12, "{swapped:?}");
    }

    #[test]
    fn refusals() {
        for point in [&[][..], &[1.0], &[1.0, 2.0, 3.0]] {
            let refused = symplectic_report(point, |z, out| out.copy_from_slice(z));
            assert_eq!(refused, Err(VerifyError::InvalidDimension { dimension: point.len() }));
        }
        let refused = symplectic_report(&[0.1, 0.2], |z, out| (out[0], out[1]) = (z[0], f64::NAN));
        assert!(matches!(refused, Err(VerifyError::NotFinite { index: 1, .. })));
    }

    proptest! {
        #[test]
        fn verlet_is_symplectic_to_the_stated_level(q in -3.0_f64..3.0, p in -3.0_f64..3.0, h in 0.1_f64..0.5) {
            let report = symplectic_report(&[q, p], verlet(h)).unwrap();
            prop_assert!(report.defect < 1e-12, "{report:?}");
            prop_assert!((report.determinant - 1.0).abs() < 1e-12);
            prop_assert!(report.uncertainty < 1e-9);
        }

        #[test]
        fn explicit_euler_has_its_known_determinant(q in -3.0_f64..3.0, p in -3.0_f64..3.0, h in 0.1_f64..0.5) {
            // D = [[1, h], [−h cos q, 1]]; in one degree of freedom the defect is |det D − 1|.
            let report = symplectic_report(&[q, p], explicit_euler(h)).unwrap();
            let excess = h * h * q.cos();
            prop_assert!((report.determinant - 1.0 - excess).abs() < 1e-12, "{report:?}");
            prop_assert!((report.defect - excess.abs()).abs() < 1e-12);
        }
    }
}
