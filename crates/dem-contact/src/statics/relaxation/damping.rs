/// Damping of bodies without a load, over the critical damping of the mode in which they move.
const SHARE: f64 = 0.1;
/// Damping of bodies over the critical one under a load, while bodies slide between states that cannot bear it.
const SLIDING: f64 = 0.02;
/// Damping of bodies over the critical one under a load below the residual [`SETTLED`], where the packing may have
/// reached a state that bears the load.
const SETTLING: f64 = 0.2;
const SETTLED: f64 = 0.02;

/// Damping of contacts over the critical one of a contact, without a load, where it acts in every step.
///
/// Velocities lag by half a step, so that much more damping is not stable: with twelve neighbours, a ratio of 0.15 in
/// half of the steps damps the stiffest mode, a ratio of 0.2 makes it grow.
const RATIO: f64 = 0.1;
/// Damping of contacts over the critical one under a load, where it acts in half of the steps.
const SPORADIC_RATIO: f64 = 0.13;

/// Damping rate of bodies at the start, times the time step. Under a load it is kept for [`CAUTIOUS`] steps, in which
/// bodies creep, because even slow motion knocks over a packing that barely stands.
const SLOW: f64 = 1.0;
const CAUTIOUS: usize = 5000;

/// Smallest allowed product of the damping rate of bodies and the time step.
const LEAST: f64 = 2e-4;

#[derive(Debug, Clone, Copy)]
pub(super) struct Damping {
    /// Whether there is a load on any body.
    loaded: bool,
    /// Damping of bodies over the critical damping of the mode in which they move.
    share: f64,
    bodies: f64,
}

impl Damping {
    pub(super) fn new(loaded: bool) -> Self {
        Self { loaded, share: SHARE, bodies: SLOW }
    }

    /// Damping of contacts over the critical damping of a contact.
    pub(super) fn contact_ratio(&self) -> f64 {
        if self.loaded { SPORADIC_RATIO } else { RATIO }
    }

    /// Whether contacts are damped in the relaxation step `step`: always without a load, else in half of the steps.
    pub(super) fn damps_contacts(&self, step: usize) -> bool {
        !self.loaded || is_damped_at_random(step)
    }

    pub(super) fn of_bodies(&self) -> f64 {
        self.bodies
    }

    /// Chooses the damping ratio of bodies by the residual, the largest unbalanced force over the mean contact force.
    pub(super) fn choose_share(&mut self, residual: f64) {
        self.share = match residual {
            _ if !self.loaded => SHARE,
            ..SETTLED => SETTLING,
            _ => SLIDING,
        };
    }

    /// Adapts the damping of bodies to their mode, whose squared frequency is the Rayleigh quotient of stiffness and
    /// mass over the last window of steps.
    pub(super) fn adapt(&mut self, step: usize, quotient: RayleighQuotient, time_step: f64) {
        if quotient.mass > 0.0 && step > if self.loaded { CAUTIOUS } else { 0 } {
            let square = (quotient.stiffness / quotient.mass).max(0.0);
            self.bodies = (2.0 * self.share * square.sqrt() * time_step).clamp(LEAST, 1.0);
        }
    }
}

/// Rayleigh quotient (squared frequency) of the motion Δx of all bodies over a window of relaxation steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct RayleighQuotient {
    /// Numerator −ΔF · Δx in J, with the change ΔF of all forces over the window.
    pub(super) stiffness: f64,
    /// Denominator Δx · M Δx in kg m², with the masses M of the bodies.
    pub(super) mass: f64,
}

/// Whether contacts are damped in this step under a load: pseudo-random by a hash of the step number.
///
/// A periodic pattern of damped steps would feed modes of the same period. A hash of the number needs no stored state,
/// and a repeated step gets the same answer, in contrast to a stream of random numbers.
fn is_damped_at_random(step: usize) -> bool {
    let step = step as u64;
    let mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (step >> 3).wrapping_mul(0xd1b5_4a32_d192_ed03);
    mixed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 63 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damping_at_random_has_no_period() {
        const STEPS: usize = 20_000;
        for period in 1..=64 {
            // Fraction of equal answers at this distance, which must be neither zero nor one.
            let same = (0..STEPS)
                .filter(|&step| is_damped_at_random(step) == is_damped_at_random(step + period))
                .count() as f64
                / STEPS as f64;
            assert!((same - 0.5).abs() < 0.1, "{period}: {same}");
            for phase in 0..period {
                let steps = (phase..STEPS).step_by(period);
                let share = steps.clone().filter(|&step| is_damped_at_random(step)).count() as f64 / steps.len() as f64;
                assert!((share - 0.5).abs() < 0.15, "{period}, {phase}: {share}");
            }
        }
    }
}
