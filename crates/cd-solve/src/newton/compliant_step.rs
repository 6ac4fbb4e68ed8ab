use crate::error::{SolveError, check_finite, check_length, check_positive, check_sizes, check_stiffness};
use crate::newton::by_body::{Refine, refine};
use crate::newton::cholesky_steps::CholeskySteps;
use crate::newton::penalty::{Inertia, PenaltyEnergy, Scaled};
use crate::newton::semismooth::Minimizer;
use crate::newton::sweep::ssor_cg::SsorCg;
use crate::newton::system::AnyStepSolver;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::ContactJacobian;
use crate::problem::contact_jacobian::with_rows;
use crate::problem::power_law::PowerLaw;
use crate::problem::rows::Rows;
use crate::report::{Options, Report, Status};

/// A time step of contact dynamics with the compliance ε of contacts, without a complementarity problem.
///
/// The velocity v minimises ½ (v − v*)ᵀ M/dt (v − v*) + Σ k/p (c₊/ε)ᵖ ε with the compression rates c = −(B v + Φ/dt)
/// and the numbers of [`CompliantStepInput`]. This is the exact dual of the complementarity problem with ε times the
/// elastic energy of `[OK18] (36)` added. The forces f(ε) differ from those of infinitely stiff grains by a multiple of
/// ε, which `(10 f(ε/10) − f(ε)) / 9` removes to first order. Open contacts get no force; bodies need no contacts.
#[derive(Debug, Clone, Copy)]
pub struct CompliantStepProblem<'a> {
    jacobian: &'a ContactJacobian,
    mass: &'a BodyBlocks,
    free_velocity: &'a [f64],
    gap_rate: &'a [f64],
    stiffness: &'a [f64],
    law: PowerLaw,
    compliance: f64,
    /// Least reference force (in the unit of (M/dt) v) of each body coordinate, by which imbalances are divided; empty
    /// if the caller states none.
    sizes: &'a [f64],
}

/// Velocities, gaps, stiffnesses and contact energy that a [`CompliantStepProblem`] is posed with.
#[derive(Debug, Clone, Copy)]
pub struct CompliantStepInput<'a> {
    /// Velocities v* of the bodies after the step if there were no contacts, D numbers each.
    pub free_velocity: &'a [f64],
    /// Gap Φ of each contact at the start of the step, divided by dt: a velocity.
    pub gap_rate: &'a [f64],
    /// Stiffness k of each contact, as in a [`CompatibilityProblem`](crate::CompatibilityProblem).
    pub stiffness: &'a [f64],
    /// Exponent p of the contact energy k cᵖ/p: 2 is Hooke's law, 5/2 Hertz', 3 the maximum.
    pub exponent: f64,
    /// Compliance ε of the contacts, in units in which stiffnesses and masses over the time step are of order one.
    pub compliance: f64,
}

impl<'a> CompliantStepProblem<'a> {
    /// Poses the time step for the contact Jacobian B, `mass` M/dt, and stiffnesses k, exponent p, compliance ε in
    /// `input`.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite),
    /// [`InvalidStiffness`](crate::error::ContactError::InvalidStiffness),
    /// [`InvalidExponent`](crate::error::ContactError::InvalidExponent), or
    /// [`InvalidParameter`](SolveError::InvalidParameter) unless ε and the largest k/εᵖ⁻¹ are finite and positive.
    pub fn new(
        jacobian: &'a ContactJacobian,
        mass: &'a BodyBlocks,
        input: CompliantStepInput<'a>,
    ) -> Result<Self, SolveError> {
        let CompliantStepInput { free_velocity, gap_rate, stiffness, exponent, compliance } = input;
        mass.check(jacobian.dof(), jacobian.bodies())?;
        check_length("velocities", free_velocity, jacobian.columns())?;
        check_finite("velocity", free_velocity)?;
        check_length("gap rates", gap_rate, jacobian.contacts())?;
        check_finite("gap rate", gap_rate)?;
        check_stiffness(stiffness, jacobian.contacts())?;
        check_positive("the compliance", compliance)?;
        let law = PowerLaw::new(exponent)?;
        let stiffest = stiffness.iter().fold(0.0, |most: f64, k| most.max(*k)) * stiffness_factor(law, compliance);
        if !stiffest.is_finite() || (stiffest <= 0.0 && !stiffness.is_empty()) {
            let what = "the compliance";
            let expected = "such that k/εᵖ⁻¹ is finite and positive";
            return Err(SolveError::InvalidParameter { what, value: compliance, expected });
        }
        Ok(Self { jacobian, mass, free_velocity, gap_rate, stiffness, law, compliance, sizes: &[] })
    }

    /// Sets the least reference force `sizes[i]` (unit of M/dt v) of body coordinate i: the imbalance there is divided
    /// by this force, or by a larger force of the problem itself. See [`CompatibilityProblem::with_sizes`].
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite) or
    /// [`InvalidParameter`](SolveError::InvalidParameter) for a negative size.
    pub fn with_sizes(self, sizes: &'a [f64]) -> Result<Self, SolveError> {
        check_sizes("sizes of columns", sizes, self.jacobian.columns())?;
        Ok(Self { sizes, ..self })
    }

    /// Computes the least reference force of each body coordinate, by which imbalances are divided: that of the caller
    /// or, if larger, Σ|Bᵀ| s over the contacts of the body, where each force s alone would stop a contact. Open
    /// contacts leave rounding errors of the order of s.
    fn own_sizes(&self, Columns { sizes, stopping, .. }: &mut Columns) {
        stopping.resize(self.contacts(), 0.0);
        sizes.resize(self.columns(), 0.0);
        with_rows!(self.jacobian, rows => {
            rows.apply(self.free_velocity, stopping);
            for (i, (force, gap_rate)) in stopping.iter_mut().zip(self.gap_rate).enumerate() {
                *force = (*force + gap_rate) / rows.mobility(i, self.mass);
            }
            rows.sizes_of_forces(stopping, sizes);
        });
        for (i, size) in sizes.iter_mut().enumerate() {
            let own = if size.is_finite() { *size } else { 0.0 };
            *size = own.max(self.sizes.get(i).copied().unwrap_or(0.0));
        }
    }

    /// Number of contacts of the time step, `n_c`.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.jacobian.contacts()
    }

    /// Number of coordinates of all bodies, D each.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.jacobian.columns()
    }
}

/// Solver of [`CompliantStepProblem`]s by conjugate gradients or, where those stall, by sparse factorisations.
#[derive(Debug)]
pub struct CompliantStep {
    options: Options,
    iterative: Minimizer<SsorCg<f64>>,
    direct: Minimizer<CholeskySteps>,
    columns: Columns,
}

/// Buffers: a number for each body coordinate, and in `stopping` one for each contact.
#[derive(Debug, Default)]
struct Columns {
    /// Zeros: the centre of the inertia term, which is no change of velocity.
    rest: Vec<f64>,
    /// Change of momentum of the bodies in the step over dt, M/dt (v − v*), with velocities v* without contacts.
    momentum: Vec<f64>,
    /// Least reference force of each body coordinate, by which its imbalance is divided.
    sizes: Vec<f64>,
    /// Force of each contact that alone would stop the approach of its bodies within the step.
    stopping: Vec<f64>,
}

impl CompliantStep {
    /// Makes a solver that stops at the tolerance of `options`. The residual is the largest imbalance |M/dt (v − v*) −
    /// Bᵀ f| divided by a reference force of its body: the one in [`CompatibilityProblem::residual`] for the load M/dt
    /// (v − v*), or that of the forces that would each stop one contact alone.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let iterative = Minimizer::default();
        let direct = Minimizer::default();
        Self { options, iterative, direct, columns: Columns::default() }
    }

    /// Solves `problem` into the velocities after the step (`D n_b`) and the contact forces (`n_c`).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], or [`SolveError::InvalidParameter`] for the tolerance; both slices are
    /// untouched.
    pub fn solve(
        &mut self,
        problem: &CompliantStepProblem<'_>,
        velocity: &mut [f64],
        force: &mut [f64],
    ) -> Result<Report, SolveError> {
        check_length("velocities", velocity, problem.columns())?;
        check_length("contact forces", force, problem.contacts())?;
        let Self { options, iterative, direct, columns } = self;
        columns.rest.resize(problem.columns(), 0.0);
        problem.own_sizes(columns);
        let mut write = |change: &[f64], forces: &[f64]| {
            force.copy_from_slice(forces);
            for (velocity, (free, change)) in velocity.iter_mut().zip(problem.free_velocity.iter().zip(change)) {
                *velocity = free + change;
            }
        };
        let first = minimize(iterative, problem, options, columns)?;
        write(&iterative.newton.x, &iterative.newton.force);
        if first.status == Status::Converged {
            return Ok(first);
        }
        // If the factorisation fails, for example for lack of memory, the first attempt is the result.
        let Ok(second) = minimize(direct, problem, options, columns) else {
            return Ok(first);
        };
        if second.is_better_than(&first) {
            write(&direct.newton.x, &direct.newton.force);
            return Ok(second.with_work_of(&first));
        }
        Ok(first.with_work_of(&second))
    }
}

impl Default for CompliantStep {
    fn default() -> Self {
        Self::new(Options::new(1e-12, 1000))
    }
}

/// Factor ε¹⁻ᵖ of stiffnesses, with compliance ε and exponent p of the contact energy.
fn stiffness_factor(law: PowerLaw, compliance: f64) -> f64 {
    compliance.powf(1.0 - law.exponent())
}

/// Minimises the energy until each body is balanced. Unknowns are changes of velocity, which keep more digits for heavy
/// bodies.
fn minimize<S: AnyStepSolver>(
    minimizer: &mut Minimizer<S>,
    problem: &CompliantStepProblem<'_>,
    options: &Options,
    columns: &mut Columns,
) -> Result<Report, SolveError> {
    let first = with_rows!(problem.jacobian, rows => {
        minimizer.minimize(&energy(problem, rows, &columns.rest), options)
    });
    Ok(refine(&mut Minimum { minimizer, problem, columns }, options, first?))
}

/// Minimum of the energy of a [`CompliantStepProblem`], which is made more exact until each body is balanced.
struct Minimum<'a, 'b, S> {
    minimizer: &'a mut Minimizer<S>,
    problem: &'a CompliantStepProblem<'b>,
    columns: &'a mut Columns,
}

impl<S: AnyStepSolver> Refine for Minimum<'_, '_, S> {
    fn resume(&mut self, options: &Options) -> Result<Report, SolveError> {
        let Self { minimizer, problem, columns } = self;
        with_rows!(problem.jacobian, rows => minimizer.resume(&energy(problem, rows, &columns.rest), options))
    }

    /// Residual of the worst-balanced body: the change of momentum is the load that contact forces have to balance.
    fn residual(&mut self) -> f64 {
        let Self { minimizer: Minimizer { newton, sizes, .. }, problem, columns } = self;
        problem.mass.apply(&newton.x, &mut columns.momentum);
        let CompliantStepProblem { jacobian, stiffness, law, .. } = **problem;
        let load = &columns.momentum;
        let least = &columns.sizes;
        let posed = CompatibilityProblem { jacobian, load, stiffness, law, open: None, sizes: least };
        posed.residual_with(&newton.force, sizes)
    }
}

fn energy<'a, const D: usize, const K: usize>(
    problem: &CompliantStepProblem<'a>,
    rows: &'a Rows<D, K>,
    rest: &'a [f64],
) -> PenaltyEnergy<'a, D, K> {
    PenaltyEnergy {
        rows,
        law: problem.law,
        stiffness: Scaled { values: problem.stiffness, factor: stiffness_factor(problem.law, problem.compliance) },
        open: None,
        load: None,
        offset: Some(problem.gap_rate),
        base: Some(problem.free_velocity),
        inertia: Some(Inertia { mass: problem.mass, center: rest }),
        least_external: 0.0,
    }
}
