use crate::error::IntegrateError;

/// Damping of all bodies, besides the forces of fields. The damping of a body depends only on the total force on the
/// body and on the motion of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GlobalDamping {
    /// Viscous damping F = −c m v and τ = −c L: motion decays as exp(−c t), and falling bodies approach the speed g/c.
    Viscous {
        /// Damping rate c in 1/s of the viscous damping.
        rate: f64,
    },
    /// Cundall's local damping: each component `F_i` of the force becomes `F_i` − α |`F_i`| sign(`v_i`), and torques
    /// likewise. Bodies fall with g (1 − α) and rise under g (1 + α); equilibria are unchanged.
    ///
    /// This damping is not objective: its size depends on the orientation and motion of the frame. Use it to find
    /// equilibria, not to study motion.
    Cundall {
        /// Damping coefficient α, dimensionless, between 0 and 1.
        coefficient: f64,
    },
}

impl GlobalDamping {
    /// Checks that the damping rate is finite and positive, or that the damping coefficient is between 0 and 1.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidDamping`].
    pub fn check(self) -> Result<(), IntegrateError> {
        let (parameter, range, value, is_valid) = match self {
            Self::Viscous { rate } => ("rate", "finite and positive", rate, rate > 0.0 && rate.is_finite()),
            Self::Cundall { coefficient } => {
                ("coefficient", "above 0 and below 1", coefficient, coefficient > 0.0 && coefficient < 1.0)
            }
        };
        if is_valid { Ok(()) } else { Err(IntegrateError::InvalidDamping { parameter, range, value }) }
    }

    /// Returns the exact solution of a damped kick over the time `h` (s), for one component of a velocity.
    pub(crate) fn flow(self, h: f64) -> DampedFlow {
        match self {
            Self::Viscous { rate } => DampedFlow::viscous(rate * h),
            Self::Cundall { coefficient } => DampedFlow::Cundall { coefficient },
        }
    }
}

/// Velocity component after a damped kick, and the energy per mass that damping took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DampedKick {
    pub(crate) velocity: f64,
    pub(crate) lost: f64,
}

/// Exact solution (flow) of one component of a velocity or angular momentum under a constant force and damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DampedFlow {
    /// The flow of dv/dt = F/m − c v over the time h, viscous damping with the rate c, by exponential functions.
    Viscous {
        /// Exponent x = c h of the decay, for the damping rate c and the time h.
        exponent: f64,
        /// Factor e^{−x} by which the velocity decays over the time h without a force, x the damping rate times h.
        decay: f64,
        /// The value φ₁(−x) = (1 − e^{−x})/x at the exponent x.
        phi_1: f64,
        /// The value φ₂(−x) = (x − 1 + e^{−x})/x² at the exponent x.
        phi_2: f64,
    },
    /// The flow of dv/dt = F/m (1 − α sign(F v)): Cundall's damping.
    Cundall {
        /// Damping coefficient α, dimensionless.
        coefficient: f64,
    },
}

impl DampedFlow {
    fn viscous(x: f64) -> Self {
        // A rate times a time that underflows is replaced by the smallest normal number, to avoid 0/0.
        let x = x.max(f64::MIN_POSITIVE);
        let decay = (-x).exp();
        let phi_1 = -(-x).exp_m1() / x;
        // For small x the quotient cancels. The series is 1/2 − x/6 + x²/24 − ..., each term −x/(k + 2) times the last.
        let series = |x: f64| {
            (1..8).fold((0.5, 0.5), |(sum, term), k| {
                let term = -term * x / f64::from(k + 2);
                (sum + term, term)
            })
        };
        let phi_2 = if x < 0.1 { series(x).0 } else { (1.0 - phi_1) / x };
        Self::Viscous { exponent: x, decay, phi_1, phi_2 }
    }

    /// Returns the velocity component `v` after a damped kick; without damping, `v` would change by `change` = h F/m.
    #[inline(always)]
    pub(crate) fn kick(self, v: f64, change: f64) -> DampedKick {
        match self {
            Self::Viscous { exponent, decay, phi_1, phi_2 } => {
                let velocity = decay * v + phi_1 * change;
                // c ∫v² dt = F/m ∫v dt − (v'² − v²)/2, with v' − v = change − x v̄.
                let average = phi_1 * v + phi_2 * change;
                let of_ends = 0.5 * (v + velocity);
                DampedKick { velocity, lost: change * (average - of_ends) + exponent * average * of_ends }
            }
            Self::Cundall { coefficient } => {
                let pull = (1.0 - coefficient) * change;
                let brake = (1.0 + coefficient) * change;
                let lost = |twice_way: f64| 0.5 * coefficient * change.abs() * twice_way;
                if v * change >= 0.0 {
                    let velocity = v + pull;
                    return DampedKick { velocity, lost: lost((v + velocity).abs()) };
                }
                // Fraction of the time after which the velocity changes sign.
                let turn = -v / brake;
                if turn >= 1.0 {
                    let velocity = v + brake;
                    return DampedKick { velocity, lost: lost((v + velocity).abs()) };
                }
                let velocity = (1.0 - turn) * pull;
                DampedKick { velocity, lost: lost(turn * v.abs() + (1.0 - turn) * velocity.abs()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrates the damped flow and its energy loss by many small steps of the midpoint rule.
    fn by_quadrature(acceleration: impl Fn(f64) -> f64, damping: impl Fn(f64) -> f64, v: f64) -> DampedKick {
        const STEPS: u32 = 100_000;
        let h = 1.0 / f64::from(STEPS);
        (0..STEPS).fold(DampedKick { velocity: v, lost: 0.0 }, |DampedKick { velocity, lost }, _| {
            let middle = velocity + 0.5 * h * acceleration(velocity);
            DampedKick { velocity: velocity + h * acceleration(middle), lost: lost + h * damping(middle) * middle }
        })
    }

    #[test]
    fn kicks_are_the_exact_flow_and_know_what_it_takes() {
        for (v, change) in [(1.0, 0.5), (-1.0, 0.5), (-0.2, 0.5), (0.0, -2.0), (0.3, -0.1), (0.7, 0.0)] {
            for rate in [1e-9, 0.05, 0.2, 3.0] {
                let kick = DampedFlow::viscous(rate).kick(v, change);
                let expected = by_quadrature(|v| change - rate * v, |v| rate * v, v);
                assert!((kick.velocity - expected.velocity).abs() < 1e-9, "{kick:?}, not {expected:?}");
                assert!((kick.lost - expected.lost).abs() < 1e-9 * rate.max(1e-7), "{kick:?}, not {expected:?}");
            }
            let coefficient = 0.7;
            let force = change.abs();
            let kick = DampedFlow::Cundall { coefficient }.kick(v, change);
            let damping = |v: f64| if v.abs() < 1e-300 { 0.0 } else { coefficient * force * v.signum() };
            let expected = by_quadrature(|v| change - damping(v), damping, v);
            assert!((kick.velocity - expected.velocity).abs() < 2e-5, "{kick:?}, not {expected:?}");
            assert!((kick.lost - expected.lost).abs() < 2e-5, "{kick:?}, not {expected:?}");
        }
    }

    #[test]
    fn an_exponent_that_underflows_damps_nothing() {
        let kick = DampedFlow::viscous(0.0).kick(1.0, 0.5);
        assert!((kick.velocity - 1.5).abs() < 1e-15 && kick.lost.abs() < 1e-15, "{kick:?}");
    }

    #[test]
    fn coefficients_out_of_range_are_refused() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(GlobalDamping::Viscous { rate: value }.check().is_err());
            assert!(GlobalDamping::Cundall { coefficient: value }.check().is_err());
        }
        let error = GlobalDamping::Cundall { coefficient: 1.0 }.check().unwrap_err();
        assert!(matches!(error, IntegrateError::InvalidDamping { value: 1.0, .. }));
        assert!(GlobalDamping::Viscous { rate: 1.0 }.check().is_ok());
    }
}
