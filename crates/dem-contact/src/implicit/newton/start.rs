//! Starting points of Newton's method, and the fixed-point iterations that solve short steps.

use crate::error::DemError;
use crate::implicit::newton::{Newton, StepProblem};
use crate::implicit::residual_norms::ResidualNorms;
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::system::StepSystem;

/// Largest ratio of successive residuals for the first and for later fixed-point iterations before Newton's method.
const CONTRACTION: [f64; 2] = [0.1, 0.5];

/// Largest number of fixed-point iterations of a step before Newton's method takes over.
const PLAIN: usize = 16;

impl Newton {
    /// Takes fixed-point iterations V ← V + M⁻¹ R from free flight for the velocities V, masses M and residual R, as
    /// long as they converge fast. In steps so short that forces hardly change, they cost less than one matrix.
    ///
    /// # Errors
    /// If the fixed-point iterations do not converge fast; the error is the norm Σ |R|²/m at free flight (residuals R,
    /// masses m), or `None` if that norm could not be evaluated.
    pub(super) fn plain_iterations<const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
    ) -> Result<ResidualNorms, Option<f64>> {
        self.try_free_flight::<D>(problem.system);
        let mut free_flight = None;
        let mut previous_size = f64::INFINITY;
        for iteration in 0..PLAIN {
            let norms = self.evaluate_residual::<D>(problem).map_err(|_| free_flight)?;
            let start = *free_flight.get_or_insert(norms.square);
            if iteration == 0 {
                self.report.first_residual = norms.residual;
            }
            (self.report.residual, self.report.scale) = (norms.residual, norms.scale);
            if norms.is_solved(problem.options.tolerance) {
                std::mem::swap(&mut self.point, &mut self.trial);
                return Ok(norms);
            }
            let size = norms.square.sqrt();
            let most = CONTRACTION[usize::from(iteration > 1)] * previous_size;
            // Before the first iteration `feedback` gives an optimistic estimate of the convergence.
            let hopeless = iteration == 0 && norms.feedback > CONTRACTION[1] * norms.square;
            if size.is_nan() || size > most || hopeless {
                return Err(Some(start));
            }
            previous_size = size;
            self.take_plain_step::<D>(problem.system);
        }
        Err(free_flight)
    }

    /// Adds M⁻¹ R, the residual of each body over its mass or inertia, to the trial velocities.
    fn take_plain_step<const D: usize>(&mut self, system: &StepSystem) {
        let rows = self.trial.as_chunks_mut::<D>().0.iter_mut().zip(self.residual.as_chunks::<D>().0);
        for (place, (trial, residual)) in rows.enumerate() {
            (0..3).for_each(|c| trial[c] += system.velocity[place][3] * residual[c]);
            (3..D).for_each(|c| trial[c] += system.spin[place][3] * residual[c]);
        }
    }

    /// Evaluates the equations with their Jacobian at the velocities of free flight or at rest, whichever leaves the
    /// smaller residual, as the starting point of Newton's method; it depends on the state alone. `free_flight` is the
    /// squared [norm](ResidualNorms::square) of the residual of free flight, or `None` if it has not been evaluated.
    pub(super) fn starting_point<M: StepMatrix<D>, const D: usize>(
        &mut self,
        problem: &mut StepProblem<'_, '_>,
        matrix: &mut M,
        free_flight: Option<f64>,
    ) -> Result<ResidualNorms, DemError> {
        let flight = match free_flight {
            Some(square) => Ok(square),
            None => {
                self.try_free_flight::<D>(problem.system);
                self.evaluate_residual::<D>(problem).map(|norms| norms.square)
            }
        };
        self.try_rest::<D>(problem.system);
        let rest = self.evaluate_trial::<M, D>(problem, matrix);
        let rests = match (&rest, &flight) {
            (Ok(rest), Ok(flight)) => rest.square < *flight || flight.is_nan(),
            (rest, _) => rest.is_ok(),
        };
        let norms = match rest {
            Ok(norms) if rests => norms,
            _ => {
                self.try_free_flight::<D>(problem.system);
                self.evaluate_trial::<M, D>(problem, matrix)?
            }
        };
        std::mem::swap(&mut self.point, &mut self.trial);
        Ok(norms)
    }

    /// Sets the trial velocities to free flight: the old velocities, changed by the impulses that were computed before
    /// the solve.
    pub(super) fn try_free_flight<const D: usize>(&mut self, system: &StepSystem) {
        self.set_trial::<D>(system, |_| 1.0);
    }

    /// Sets the trial velocities of free bodies to zero. Spins, and the velocities of fixed bodies, are kept.
    fn try_rest<const D: usize>(&mut self, system: &StepSystem) {
        self.set_trial::<D>(system, |inverse_mass| if inverse_mass > 0.0 { 0.0 } else { 1.0 });
    }

    /// Sets the trial velocities to those of free flight times the factor `share(1/m)` for bodies of mass m, and the
    /// trial spins to those of free flight.
    fn set_trial<const D: usize>(&mut self, system: &StepSystem, share: impl Fn(f64) -> f64) {
        for (place, trial) in self.trial.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            let [x, y, z, inverse_mass] = system.velocity[place];
            let known = system.known_impulse.get(place).copied().unwrap_or_default();
            let share = share(inverse_mass);
            for (c, v) in [x, y, z].into_iter().enumerate() {
                trial[c] = share * (v + inverse_mass * known[c]);
            }
            if D > 3 {
                let [x, y, z, inverse_inertia] = system.spin[place];
                for (c, w) in [x, y, z].into_iter().enumerate() {
                    trial[c + 3] = w + inverse_inertia * known[c + 3];
                }
            }
        }
    }
}
