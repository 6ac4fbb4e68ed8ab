//! Beverloo's law W = C ρ √g (D − k d)^(5/2) for the mass W per time that leaves a silo through an orifice of diameter
//! D, fitted to measured rates; ρ is the bulk density and d the diameter of the spheres.
use super::silo;

/// Constants C and k of Beverloo's law, with standard errors from the scatter of the rates about the fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beverloo {
    pub(super) c: f64,
    pub(super) k: f64,
    pub(super) c_error: f64,
    pub(super) k_error: f64,
    density: f64,
}

impl Beverloo {
    /// Fits Beverloo's law to pairs of orifice diameter D and rate W, in units of d, m and g. The fit is linear, since
    /// W^(2/5) = (C ρ √g)^(2/5) (D − k d) is a straight line in D.
    pub(super) fn fit(rates: &[(f64, f64)], density: f64) -> Self {
        let points: Vec<(f64, f64)> = rates.iter().map(|&(orifice, rate)| (orifice, rate.powf(0.4))).collect();
        let (slope, intercept) = silo::slope(&points);
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let x = mean(|point| point.0);
        let y = mean(|point| point.1);
        let scatter = points.iter().map(|point| (point.1 - intercept - slope * point.0).powi(2)).sum::<f64>();
        let variance = scatter / (count - 2.0);
        let slope_error = (variance / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()).sqrt();
        let c = slope.powf(2.5) / density;
        // The errors of the slope and of the mean point are independent, and k = x − y/slope.
        let turned = y / slope * (slope_error / slope);
        Self {
            c,
            k: -intercept / slope,
            c_error: 2.5 * c * slope_error / slope,
            k_error: turned.hypot((variance / count).sqrt() / slope),
            density,
        }
    }

    /// Returns the mass per time through an orifice of this diameter by the fitted law.
    pub(super) fn rate(&self, orifice: f64) -> f64 {
        self.c * self.density * (orifice - self.k).powf(2.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_constants_and_knows_how_well() {
        let exact = Beverloo { c: 0.6, k: 1.4, c_error: 0.0, k_error: 0.0, density: 1.1 };
        let rates = |noise: f64| {
            [4.5, 5.0, 5.5, 6.0, 7.0]
                .into_iter()
                .zip([1.0, -1.0, 0.0, 1.0, -1.0])
                .map(move |(orifice, sign)| (orifice, exact.rate(orifice) * (1.0 + noise * sign)))
        };
        let found = Beverloo::fit(&rates(0.0).collect::<Vec<_>>(), 1.1);
        assert!((found.c - 0.6).abs() < 1e-9 && (found.k - 1.4).abs() < 1e-9 && found.c_error < 1e-9, "{found:?}");
        let found = Beverloo::fit(&rates(0.02).collect::<Vec<_>>(), 1.1);
        assert!((found.c - 0.6).abs() < 2.0 * found.c_error && found.c_error < 0.04, "{found:?}");
        assert!((found.k - 1.4).abs() < 2.0 * found.k_error && found.k_error < 0.2, "{found:?}");
    }
}
