use crate::error::{SolveError, check_length};
use crate::friction::body_balance::{BALANCED, worst_imbalance};
use crate::friction::body_system::{BodySystem, Diagonal};
use crate::friction::compatible_problem::CompatibleFrictionProblem;
use crate::friction::problem::norm;
use crate::report::{Options, Report, Status};

/// Largest number of Newton steps from bonded contacts, or in one step of creep.
const NEWTON_LIMIT: usize = 40;

/// Largest number of halvings of a Newton step that does not reduce the imbalance.
const HALVINGS: usize = 12;

/// Least regularisation (ridge) of the Newton matrix, relative to the largest stiffness. It determines the displacement
/// of bodies that no contact holds.
const RIDGE: f64 = 1e-12;

/// Regularisation in steps of creep: that of the first step relative to the largest stiffness, its factor after a step
/// that converges, its factor after a step that does not.
const CREEP: [f64; 3] = [0.1, 0.3, 4.0];

/// Largest number of steps of creep, steps with a regularisation that falls, each solved by Newton's method.
const CREEP_LIMIT: usize = 200;

/// Solver for the forces of slow loading on contacts with friction: the limit of stiff grains with tangential springs.
///
/// Depending on the load, the forces may depend on the history of loading:
/// - If a load grows in proportion from zero on contacts without force, the forces are the solution of one system, for
///   any number of steps: elastic and sliding parts of each contact stay in proportion, and sliding is against the
///   tangential force. The forces do not depend on the scale of the stiffness. Those of stiff grains differ by an error
///   of the order of their overlap.
/// - If all contacts stick, the solution minimises a convex energy: it is unique, and also solves the convex law.
/// - Otherwise forces depend on the loading path. A sudden load, grains that fall into place, and unloading leave other
///   forces. Give the forces before an increment to [`CompatibleFrictionProblem::with_history`], and follow the path.
/// - Where contacts slide, the tangent is neither symmetric nor monotone, and for large coefficients there may be
///   several solutions. For a sliding contact beside one that sticks at an angle θ, the solution is unique if μ < (x²
///   (1 + κ) + 2 κ)/((1 − κ) x), x = tan θ: at least up to 2.4 with κ = 2/7.
/// - Where contacts slide, the least energy over the solutions of the convex law is not this limit.
///
/// The solver uses Newton's method from bonded contacts, which neither open nor slide. If it stalls, steps of creep
/// follow, again from bonded contacts: a regularisation pulls the bodies towards the displacement of the last step. The
/// iterations of the report are Newton steps, each with a factorisation unless there are many bodies. The solver stops
/// when [`CompatibleFrictionProblem::residual`] (with inertia ‖Hᵀ r − F − ε M U‖ / ‖F‖) is within the tolerance and
/// each body, however light, is balanced to 1e-8 of its own forces; [`Status::Stalled`] if rounding prevents it. A body
/// without load is balanced within the rounding of its springs.
#[derive(Debug, Clone)]
pub struct CompatibleFriction {
    options: Options,
    system: BodySystem,
    displacement: Vec<f64>,
    anchor: Vec<f64>,
    start: Vec<f64>,
    trial: Vec<f64>,
    force: Vec<f64>,
    imbalance: Vec<f64>,
    step: Vec<f64>,
    weights: Vec<f64>,
}

impl Default for CompatibleFriction {
    fn default() -> Self {
        Self::new(Options::new(1e-12, 1000))
    }
}

impl CompatibleFriction {
    /// Makes a solver that stops at the tolerance of `options`, or after `max_iterations` Newton steps.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let system = BodySystem::default();
        let [displacement, anchor, start, trial, force, imbalance, step, weights] = std::array::from_fn(|_| Vec::new());
        Self { options, system, displacement, anchor, start, trial, force, imbalance, step, weights }
    }

    /// Displacements U of the bodies in the last solve: translation and rotation, six numbers each.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }

    /// Solves `problem` and writes the contact forces, three components each, to `force`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], or [`MatrixError::Factorization`](crate::error::MatrixError) if the pattern
    /// cannot be analysed; `force` is then untouched.
    pub fn solve(&mut self, problem: &CompatibleFrictionProblem<'_>, force: &mut [f64]) -> Result<Report, SolveError> {
        self.options.check()?;
        check_length("forces", force, 3 * problem.map.contacts())?;
        self.prepare(problem)?;
        let mut report = Report { status: Status::Stalled, iterations: 0, inner_iterations: 0, residual: f64::NAN };
        self.start_bonded(problem, &mut report);
        if !self.newton(problem, RIDGE, &mut report) {
            self.creep(problem, &mut report);
        }
        report.residual = self.evaluate(problem, 0.0);
        if self.is_met(problem, report.residual) {
            report.status = Status::Converged;
        } else if report.iterations >= self.options.max_iterations {
            report.status = Status::IterationLimit;
        }
        report.inner_iterations = report.iterations;
        force.copy_from_slice(&self.force);
        Ok(report)
    }

    fn prepare(&mut self, problem: &CompatibleFrictionProblem<'_>) -> Result<(), SolveError> {
        let unknowns = problem.load.len();
        let rows = 3 * problem.map.contacts();
        for buffer in [&mut self.displacement, &mut self.anchor, &mut self.start, &mut self.imbalance, &mut self.step] {
            buffer.clear();
            buffer.resize(unknowns, 0.0);
        }
        self.trial.resize(rows, 0.0);
        self.force.resize(rows, 0.0);
        self.weights.resize(3 * rows, 0.0);
        self.system.lay_out(problem.map)
    }

    /// Solves Hᵀ K H U = Hᵀ r₀ − F for the displacement U with bonded contacts, the start of Newton's method: contact
    /// map H, stiffnesses K, initial forces r₀ and load F.
    fn start_bonded(&mut self, problem: &CompatibleFrictionProblem<'_>, report: &mut Report) {
        self.weights.fill(0.0);
        for (i, weights) in self.weights.as_chunks_mut::<9>().0.iter_mut().enumerate() {
            let k = problem.row_stiffness(i);
            (0..3).for_each(|p| weights[4 * p] = k[p]);
        }
        self.step.fill(0.0);
        if let Some(history) = problem.history {
            let found = problem.map.apply_transpose(history, &mut self.step);
            debug_assert!(found.is_ok(), "lengths are those of the problem");
        }
        self.step.iter_mut().zip(problem.load).for_each(|(step, load)| *step -= load);
        let diagonal = Diagonal { mass: problem.inertia, ridge: least_ridge(problem) };
        self.system.assemble::<3>(problem.map, &self.weights, diagonal);
        report.iterations += 1;
        if self.system.solve_closely(&mut self.step).is_ok() {
            self.displacement.copy_from_slice(&self.step);
            self.anchor.copy_from_slice(&self.step);
        }
    }

    /// Computes the imbalance R = Hᵀ r(U) − F − ε M U − ridge (U − anchor) of the bodies and returns ‖R‖ relative to
    /// the load F: contact forces r at displacements U, contact map H, masses M, compliance ε. The anchor is the
    /// displacement before the step of creep.
    fn evaluate(&mut self, problem: &CompatibleFrictionProblem<'_>, ridge: f64) -> f64 {
        problem.forces(&self.displacement, &mut self.trial, &mut self.force);
        let found = problem.map.apply_transpose(&self.force, &mut self.imbalance);
        debug_assert!(found.is_ok(), "lengths are those of the problem");
        for (i, sum) in self.imbalance.iter_mut().enumerate() {
            *sum -= problem.load[i] + ridge * (self.displacement[i] - self.anchor[i]);
        }
        if problem.inertia > 0.0 {
            self.system.add_momentum(-problem.inertia, &self.displacement, &mut self.imbalance);
        }
        problem.relative(norm(self.imbalance.iter().copied()))
    }

    /// Whether the relative imbalance `residual` is within the tolerance, and each body is balanced relative to its own
    /// forces.
    fn is_met(&self, problem: &CompatibleFrictionProblem<'_>, residual: f64) -> bool {
        self.options.is_met_by(residual)
            && worst_imbalance(problem.map, &self.force, problem.load, &self.imbalance, |contact| {
                problem.rounding(contact, &self.displacement)
            }) <= BALANCED
    }

    /// Runs Newton's method with the matrix Hᵀ G K H + ridge (contact map H, derivatives G of the law, stiffnesses K);
    /// `ridge` is relative to the largest stiffness. In a step of creep the ridge also enters the equations; the least
    /// ridge only regularises the matrix. Returns whether the method converged.
    fn newton(&mut self, problem: &CompatibleFrictionProblem<'_>, ridge: f64, report: &mut Report) -> bool {
        let ridge_of_matrix = if ridge > RIDGE { ridge * stiffest(problem) } else { least_ridge(problem) };
        let ridge = if ridge > RIDGE { ridge_of_matrix } else { 0.0 };
        let mut size = self.evaluate(problem, ridge);
        for _ in 0..NEWTON_LIMIT {
            if self.is_met(problem, size) {
                return true;
            }
            if report.iterations >= self.options.max_iterations || size.is_nan() {
                return false;
            }
            report.iterations += 1;
            let weights = self.weights.as_chunks_mut::<3>().0.as_chunks_mut::<3>().0;
            for (i, (weights, y)) in weights.iter_mut().zip(self.trial.as_chunks::<3>().0).enumerate() {
                let k = problem.row_stiffness(i);
                let g = problem.derivative(i, y);
                *weights = std::array::from_fn(|p| std::array::from_fn(|q| g[p][q] * k[q]));
            }
            let diagonal = Diagonal { mass: problem.inertia, ridge: ridge_of_matrix };
            self.system.assemble::<3>(problem.map, &self.weights, diagonal);
            self.step.copy_from_slice(&self.imbalance);
            if self.system.solve_closely(&mut self.step).is_err() {
                return false;
            }
            self.start.copy_from_slice(&self.displacement);
            let mut length = 1.0;
            let mut found = f64::INFINITY;
            for _ in 0..=HALVINGS {
                for (u, (start, step)) in self.displacement.iter_mut().zip(self.start.iter().zip(&self.step)) {
                    *u = start + length * step;
                }
                found = self.evaluate(problem, ridge);
                if found < size {
                    break;
                }
                length *= 0.5;
            }
            if found.is_nan() || found >= size {
                self.displacement.copy_from_slice(&self.start);
                let left = self.evaluate(problem, ridge);
                return self.is_met(problem, left);
            }
            size = found;
        }
        self.is_met(problem, size)
    }

    /// Takes steps of creep by Newton's method: the ridge falls after a step that converges and rises after one that
    /// does not. The first step starts from bonded contacts. After a stall, bodies that only the least ridge holds may
    /// be displaced 1e7 times as far: rounding of such a displacement, times the ridge of creep, exceeds the tolerance,
    /// and a rising ridge makes it worse.
    fn creep(&mut self, problem: &CompatibleFrictionProblem<'_>, report: &mut Report) {
        let [mut ridge, fall, rise] = CREEP;
        self.displacement.copy_from_slice(&self.anchor);
        for _ in 0..CREEP_LIMIT {
            if self.newton(problem, ridge, report) {
                self.anchor.copy_from_slice(&self.displacement);
                ridge *= fall;
                let left = self.evaluate(problem, 0.0);
                if self.is_met(problem, left) {
                    return;
                }
            } else {
                self.displacement.copy_from_slice(&self.anchor);
                ridge *= rise;
            }
            if ridge <= RIDGE || report.iterations >= self.options.max_iterations {
                return;
            }
        }
    }
}

fn stiffest(problem: &CompatibleFrictionProblem<'_>) -> f64 {
    problem.stiffness.iter().fold(0.0, |most, &k| if k > most { k } else { most })
}

/// Regularisation of the Newton matrix alone, not of the equations: zero if masses hold all bodies.
fn least_ridge(problem: &CompatibleFrictionProblem<'_>) -> f64 {
    if problem.inertia > 0.0 { 0.0 } else { RIDGE * stiffest(problem) }
}
