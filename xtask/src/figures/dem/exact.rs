//! Closed solution of the central impact of two equal spheres: `[DK21] (33)-(34)` with errata corrected.

/// Two spheres of unit mass and diameter that approach each other along the line through their centres.
#[derive(Clone, Copy, Debug)]
pub(super) struct CentralImpact {
    /// Stiffness k of the contact in m g/d.
    pub(super) stiffness: f64,
    /// Normal damping rate `γ_n` of the contact in √(g/d).
    pub(super) damping: f64,
    /// Speed of each sphere before the impact in √(g d).
    pub(super) speed: f64,
}

impl CentralImpact {
    /// Returns the decay rate b = `γ_n`/2 and the angular frequency w = √(2k/m − b²) of the overlap.
    fn rates(self) -> (f64, f64) {
        let b = 0.5 * self.damping;
        (b, (2.0 * self.stiffness - b * b).sqrt())
    }

    /// Returns the velocity in √(g d) of the right sphere at the time `s` after the first touch.
    pub(super) fn velocity(self, s: f64) -> f64 {
        let (b, w) = self.rates();
        if s < 0.0 {
            return -self.speed;
        }
        let s = s.min(std::f64::consts::PI / w);
        -self.speed * (-b * s).exp() * ((w * s).cos() - b / w * (w * s).sin())
    }

    /// Returns the kinetic energy in m g d of one sphere at the time `s` after the first touch.
    pub(super) fn kinetic(self, s: f64) -> f64 {
        0.5 * self.velocity(s).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_velocity_is_continuous_and_solves_the_equation_of_motion() {
        let impact = CentralImpact { stiffness: 195_000.0, damping: 60.0, speed: 1.0 };
        let (b, w) = impact.rates();
        let end = std::f64::consts::PI / w;
        assert!((impact.velocity(-1.0) + 1.0).abs() < 1e-15 && (impact.velocity(0.0) + 1.0).abs() < 1e-15);
        assert!((impact.velocity(2.0 * end) - (-b * end).exp()).abs() < 1e-12);
        // v'' + 2 b v' + (w² + b²) v = 0, by finite differences.
        let s = 0.4 * end;
        let e = 1e-4 * end;
        let [low, middle, high] = [s - e, s, s + e].map(|s| impact.velocity(s));
        let first = (high - low) / (2.0 * e);
        let second = (high - 2.0 * middle + low) / (e * e);
        let sum = second + 2.0 * b * first + (w * w + b * b) * middle;
        assert!(sum.abs() < 1e-4 * w * w, "{sum}");
    }
}
