//! Measured values with their standard errors.
use anyhow::{Result, ensure};
use rrp_verify::order::ObservedOrder;

/// Smallest number of points from which a slope is fitted. Two points are always on a line, so that their fit would
/// have no standard error.
const LEAST_POINTS: usize = 3;

/// Measured value with its standard error, if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    /// Standard error of a fit, from its residuals, or of a mean, from the scatter of the averaged values.
    pub(crate) standard_error: Option<f64>,
}

impl Measured {
    /// Makes a measured value with this standard error, which is dropped if it is zero or not finite.
    pub(crate) fn within(value: f64, standard_error: f64) -> Self {
        Self { value, standard_error: Some(standard_error).filter(|error| error.is_finite() && *error > 0.0) }
    }

    /// Fits the slope of log y over log x by least squares to points (x, y).
    ///
    /// # Errors
    /// Fewer than three points, since a line through two points always fits.
    pub(crate) fn slope(points: &[(f64, f64)]) -> Result<Self> {
        ensure!(points.len() >= LEAST_POINTS, "a slope needs {LEAST_POINTS} points, here are {}", points.len());
        let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
        let count = logs.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
        let x = mean(|p| p.0);
        let y = mean(|p| p.1);
        let (xx, xy) = logs.iter().fold((0.0, 0.0), |(xx, xy), p| (xx + (p.0 - x).powi(2), xy + (p.0 - x) * (p.1 - y)));
        let slope = xy / xx;
        let residual: f64 = logs.iter().map(|p| (p.1 - y - slope * (p.0 - x)).powi(2)).sum();
        Ok(Self::within(slope, (residual / (count - 2.0) / xx).sqrt()))
    }
}

impl From<f64> for Measured {
    fn from(value: f64) -> Self {
        Self { value, standard_error: None }
    }
}

impl From<ObservedOrder> for Measured {
    fn from(fit: ObservedOrder) -> Self {
        Self::within(fit.order, fit.standard_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_have_their_slopes() {
        let points: Vec<(f64, f64)> = (1..6).map(|k| (f64::from(k), 3.0 * f64::from(k).powf(-1.5))).collect();
        assert!((Measured::slope(&points).unwrap().value + 1.5).abs() < 1e-12);
    }

    #[test]
    fn scatter_is_an_error_and_two_points_are_no_fit() {
        // Residuals −s, 2s, −s about a line of slope 2 over x = 0, 1, 2 in logarithms: s² (1 + 4 + 1)/1/2.
        let scatter = 0.01_f64;
        let points = [-1.0, 2.0, -1.0].iter().zip(0..).map(|(sign, k)| {
            let x = f64::from(k);
            (x.exp(), (2.0 * x + scatter * sign).exp())
        });
        let points: Vec<(f64, f64)> = points.collect();
        let fit = Measured::slope(&points).unwrap();
        assert!((fit.value - 2.0).abs() < 1e-12, "{fit:?}");
        assert!((fit.standard_error.unwrap() - scatter * 3.0_f64.sqrt()).abs() < 1e-12, "{fit:?}");
        assert!(Measured::slope(&points[..2]).is_err());
    }
}
