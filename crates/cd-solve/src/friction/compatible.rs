//! The forces of slow loading: what infinitely stiff grains with tangential springs carry.

use crate::error::{ContactError, FrictionError, SolveError, check_finite, check_length};
use crate::friction::body_balance::{BALANCED, worst_imbalance};
use crate::friction::body_system::{BodySystem, Diagonal};
use crate::friction::contact_map::{ContactMap, DOF};
use crate::friction::law::{derivative_in_metric, disk_derivative, project_in_metric, project_onto_disks};
use crate::friction::problem::{FrictionLaw, norm};
use crate::problem::rows::FIXED;
use crate::report::{Options, Report, Status};

/// Newton steps from the bonded contacts, or within one step of creep.
const NEWTON_LIMIT: usize = 40;

/// Halvings of a Newton step.
const HALVINGS: usize = 12;

/// The ridge of the last Newton steps, over the largest stiffness. It selects the displacement of bodies that no
/// contact holds.
const RIDGE: f64 = 1e-12;

/// The first ridge of creep, over the largest stiffness; how it falls and rises.
const CREEP: [f64; 3] = [0.1, 0.3, 4.0];

/// So many times ε of its terms is the rounding of a force, whose displacements are rounded as well.
const ROUNDINGS: f64 = 32.0;

/// Steps of creep.
const CREEP_LIMIT: usize = 200;

/// Contacts between rigid bodies under a load, with springs: forces r = P(r₀ − K H U) for displacements U with
/// Hᵀ r = F.
///
/// P cuts the normal force at zero and the tangential one at μ times the normal one. K has the stiffness of each
/// contact along its normal, and κ times that along its tangents. Only the ratios of the stiffnesses count: K → s K
/// and U → U/s leave the forces as they are.
#[derive(Debug, Clone)]
pub struct CompatibleFrictionProblem<'a> {
    map: &'a ContactMap,
    load: &'a [f64],
    stiffness: &'a [f64],
    tangential_ratio: f64,
    coefficients: &'a [f64],
    history: Option<&'a [f64]>,
    law: FrictionLaw,
    inertia: f64,
}

impl<'a> CompatibleFrictionProblem<'a> {
    /// Contacts of `map` that touch without force, and the `load` F (`6 n_b`) that their forces have to balance:
    /// weights point up. `stiffness` has one number for each contact, `tangential_ratio` is κ, 2/7 for equal spheres
    /// that are as soft for sliding as a rigid impulse finds them, `coefficients` has μ of each contact.
    ///
    /// # Errors
    /// [`FrictionError::InvalidBlock`] if contacts roll or twist, [`LengthMismatch`](SolveError::LengthMismatch),
    /// [`NotFinite`](SolveError::NotFinite), [`InvalidStiffness`](ContactError::InvalidStiffness),
    /// [`InvalidParameter`](SolveError::InvalidParameter) or
    /// [`InvalidCoefficient`](FrictionError::InvalidCoefficient).
    pub fn new(
        map: &'a ContactMap,
        load: &'a [f64],
        stiffness: &'a [f64],
        tangential_ratio: f64,
        coefficients: &'a [f64],
    ) -> Result<Self, SolveError> {
        if map.block() != 3 {
            return Err(FrictionError::InvalidBlock { found: map.block() }.into());
        }
        check_length("loads", load, DOF * map.bodies())?;
        check_finite("load", load)?;
        check_length("stiffnesses", stiffness, map.contacts())?;
        check_length("sliding", coefficients, map.contacts())?;
        let sound = |value: f64| value.is_finite() && value > 0.0;
        if let Some(contact) = stiffness.iter().position(|&k| !sound(k)) {
            return Err(ContactError::InvalidStiffness { contact, value: stiffness[contact] }.into());
        }
        if !sound(tangential_ratio) {
            let (what, expected) = ("the ratio of tangential to normal stiffness", "finite and positive");
            return Err(SolveError::InvalidParameter { what, value: tangential_ratio, expected });
        }
        if let Some(contact) = coefficients.iter().position(|mu| !(mu.is_finite() && *mu >= 0.0)) {
            let value = coefficients[contact];
            return Err(FrictionError::InvalidCoefficient { kind: "sliding", contact, value }.into());
        }
        Ok(Self {
            map,
            load,
            stiffness,
            tangential_ratio,
            coefficients,
            history: None,
            law: FrictionLaw::Coulomb,
            inertia: 0.0,
        })
    }

    /// The same contacts with the forces r₀ that they carry before this load is put on: an increment of a path.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] or [`NotFinite`](SolveError::NotFinite).
    pub fn with_history(self, forces: &'a [f64]) -> Result<Self, SolveError> {
        check_length("forces", forces, 3 * self.map.contacts())?;
        check_finite("force", forces)?;
        Ok(Self { history: Some(forces), ..self })
    }

    /// The same contacts with another law. With the convex one P is the projection onto the cone in the metric of the
    /// springs, and the forces are those of least energy Σ rₙ²/(2 k) + |rₜ|²/(2 κ k) among all in the cone that balance
    /// the load.
    #[must_use]
    pub fn with_law(self, law: FrictionLaw) -> Self {
        Self { law, ..self }
    }

    /// The same contacts in one time step of bodies that have mass, for a `compliance` ε: Hᵀ r = F + ε M U, where ε U
    /// are the velocities after the step and −F is M times the velocities without contact forces.
    ///
    /// From rest the forces differ from those without inertia by a multiple of ε, also where ε is as small as 1e-10:
    /// displacements, not velocities, are the unknowns. Bodies that no contact holds move.
    ///
    /// # Errors
    /// [`SolveError::InvalidParameter`] unless ε is finite and positive.
    pub fn with_inertia(self, compliance: f64) -> Result<Self, SolveError> {
        crate::friction::springs::check_positive("the compliance", compliance)?;
        Ok(Self { inertia: compliance, ..self })
    }

    /// The residual ‖Hᵀ r − F‖ / ‖F‖ of forces; without a load ‖Hᵀ r‖.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual(&self, force: &[f64]) -> Result<f64, SolveError> {
        let mut wrench = vec![0.0; self.load.len()];
        self.map.apply_transpose(force, &mut wrench)?;
        wrench.iter_mut().zip(self.load).for_each(|(w, f)| *w -= f);
        Ok(self.relative(norm(wrench.iter().copied())))
    }

    fn relative(&self, size: f64) -> f64 {
        let scale = norm(self.load.iter().copied());
        if scale > 0.0 { size / scale } else { size }
    }

    fn row_stiffness(&self, contact: usize) -> [f64; 3] {
        let normal = self.stiffness[contact];
        [normal, self.tangential_ratio * normal, self.tangential_ratio * normal]
    }

    /// What rounding of y = r₀ − K H U may add to the force of `contact`.
    fn rounding(&self, contact: usize, displacement: &[f64]) -> f64 {
        let (k, rows) = (self.row_stiffness(contact), self.map.rows::<3>(contact));
        let start = |p: usize| self.history.map_or(0.0, |forces| forces[3 * contact + p].abs());
        let moved = |p: usize| -> f64 {
            let of = |(side, &body): (usize, &u32)| -> f64 {
                let row = &rows[p][side * DOF..(side + 1) * DOF];
                let of_body = &displacement[DOF * body as usize..DOF * (body as usize + 1)];
                row.iter().zip(of_body).map(|(x, u)| (x * u).abs()).sum()
            };
            self.map.pairs()[contact].iter().enumerate().filter(|(_, body)| **body != FIXED).map(of).sum()
        };
        ROUNDINGS * f64::EPSILON * (0..3).map(|p| start(p) + k[p] * moved(p)).fold(0.0, f64::max)
    }

    /// The forces at displacements U, with y = r₀ − K H U on the way.
    fn forces(&self, displacement: &[f64], trial: &mut [f64], force: &mut [f64]) {
        let history = self.history.map(|forces| forces.as_chunks::<3>().0);
        let (trial, force) = (trial.as_chunks_mut::<3>().0, force.as_chunks_mut::<3>().0);
        for (i, (y, r)) in trial.iter_mut().zip(force).enumerate() {
            let w = self.map.local_velocity::<3>(i, displacement);
            let (k, start) = (self.row_stiffness(i), history.map_or([0.0; 3], |forces| forces[i]));
            *y = std::array::from_fn(|p| start[p] - k[p] * w[p]);
            let mu = [self.coefficients[i], 0.0, 0.0];
            *r = match self.law {
                FrictionLaw::Coulomb => project_onto_disks(y, &mu),
                FrictionLaw::Convex => project_in_metric(y, &mu, &self.metric()),
            };
        }
    }

    /// The derivative of the forces of `contact` by y.
    fn derivative(&self, contact: usize, y: &[f64; 3]) -> [[f64; 3]; 3] {
        let mu = [self.coefficients[contact], 0.0, 0.0];
        match self.law {
            FrictionLaw::Coulomb => disk_derivative(y, &mu),
            FrictionLaw::Convex => derivative_in_metric(y, &mu, &self.metric()),
        }
    }

    /// The square root of the stiffness of each row, up to a factor.
    fn metric(&self) -> [f64; 3] {
        let tangential = self.tangential_ratio.sqrt();
        [1.0, tangential, tangential]
    }
}

/// The forces of slow loading on contacts with friction: the limit of stiff grains with tangential springs.
///
/// Some forces depend on the load alone, others on the history of loading too:
/// - If a load grows in proportion from nothing on contacts without force, the forces are the solution of one system,
///   the same for any number of steps: elastic and sliding parts of each contact stay in proportion, and sliding is
///   against the tangential force. They do not depend on the scale of the stiffness. Stiff grains differ from them
///   by an error of the order of their overlap.
/// - If all contacts stick, the solution is that of a convex energy: unique, and also that of the convex law.
/// - Otherwise forces depend on the way to the load. A load that is put on at once, grains that fall into place, and
///   unloading leave other forces. Give the forces before an increment to
///   [`CompatibleFrictionProblem::with_history`], and go along the path.
/// - Where contacts slide, the tangent is neither symmetric nor monotone, and for large coefficients there may be
///   more than one solution. A contact that slides beside one that sticks at an angle θ has one if
///   μ < (x² (1 + κ) + 2 κ)/((1 − κ) x), x = tan θ: at least up to 2.4 with κ = 2/7.
/// - The least energy over the solutions of the convex law is not this limit where contacts slide.
///
/// Newton's method from bonded contacts; where it stalls, steps of creep (a ridge that remembers the displacement of
/// the step before). The iterations of the report are Newton steps, with a factorisation each unless there are many
/// bodies. Stops at [`CompatibleFrictionProblem::residual`], with inertia at ‖Hᵀ r − F − ε M U‖ / ‖F‖, if each body is
/// balanced to 1e-8 of its own forces as well, however light it is; [`Status::Stalled`] where rounding forbids that. A
/// body without load is balanced within the rounding of the springs that it touches.
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
    /// Stops at the residual of `options` or after so many factorisations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let none = Vec::new;
        Self {
            options,
            system: BodySystem::default(),
            displacement: none(),
            anchor: none(),
            start: none(),
            trial: none(),
            force: none(),
            imbalance: none(),
            step: none(),
            weights: none(),
        }
    }

    /// The displacements U (`6 n_b`) of the last solve.
    #[must_use]
    pub fn displacement(&self) -> &[f64] {
        &self.displacement
    }

    /// Writes the forces (`3 n_c`) to `force`.
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
        let (unknowns, rows) = (problem.load.len(), 3 * problem.map.contacts());
        for buffer in [&mut self.displacement, &mut self.anchor, &mut self.start, &mut self.imbalance, &mut self.step] {
            buffer.clear();
            buffer.resize(unknowns, 0.0);
        }
        self.trial.resize(rows, 0.0);
        self.force.resize(rows, 0.0);
        self.weights.resize(3 * rows, 0.0);
        self.system.lay_out(problem.map)
    }

    /// The displacement of contacts that neither open nor slide: Hᵀ K H U = Hᵀ r₀ − F.
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
        }
    }

    /// R = Hᵀ r(U) − F − ε M U − ridge (U − anchor), and ‖R‖ relative to the load.
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

    /// Whether this residual of the last evaluation is within the tolerance, and each body is balanced.
    fn is_met(&self, problem: &CompatibleFrictionProblem<'_>, residual: f64) -> bool {
        self.options.is_met_by(residual)
            && worst_imbalance(problem.map, &self.force, problem.load, &self.imbalance, |contact| {
                problem.rounding(contact, &self.displacement)
            }) <= BALANCED
    }

    /// Newton's method with the matrix Hᵀ G K H + ridge, the ridge relative to the largest stiffness. A ridge of creep
    /// is part of the equations, the least one is not. Returns whether it converged.
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
                let (k, g) = (problem.row_stiffness(i), problem.derivative(i, y));
                *weights = std::array::from_fn(|p| std::array::from_fn(|q| g[p][q] * k[q]));
            }
            let diagonal = Diagonal { mass: problem.inertia, ridge: ridge_of_matrix };
            self.system.assemble::<3>(problem.map, &self.weights, diagonal);
            self.step.copy_from_slice(&self.imbalance);
            if self.system.solve_closely(&mut self.step).is_err() {
                return false;
            }
            self.start.copy_from_slice(&self.displacement);
            let (mut length, mut found) = (1.0, f64::INFINITY);
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

    /// Steps with a ridge that falls where they converge and rises where they do not.
    fn creep(&mut self, problem: &CompatibleFrictionProblem<'_>, report: &mut Report) {
        let [mut ridge, fall, rise] = CREEP;
        self.anchor.copy_from_slice(&self.displacement);
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

/// The ridge that is part of the matrix alone: none where masses hold all bodies.
fn least_ridge(problem: &CompatibleFrictionProblem<'_>) -> f64 {
    if problem.inertia > 0.0 { 0.0 } else { RIDGE * stiffest(problem) }
}
