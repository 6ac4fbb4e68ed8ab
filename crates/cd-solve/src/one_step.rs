//! Velocities and compatible forces from one minimisation, without a complementarity problem.

use crate::contact_map::with_rows;
use crate::error::{check_finite, check_length};
use crate::law::PowerLaw;
use crate::newton::{Newton, StepSolver};
use crate::newton_cholesky::Factorized;
use crate::penalty::Penalty;
use crate::sweep_cg::SweepCg;
use crate::{BodyBlocks, ContactMap, Options, Report, SolveError, Status};

/// A step of contact dynamics whose contacts have the compliance ε: the velocity v minimises
/// ½ (v − v*)ᵀ M/dt (v − v*) + Σ k/p (c₊/ε)ᵖ ε with the compression rates c = −(B v + Φ/dt).
///
/// The exact dual of the complementarity problem with ε times the elastic energy of `[OK18] (36)` added. The forces differ
/// from the compatible ones by a multiple of ε; `(10 f(ε/10) − f(ε)) / 9` takes the first order out. Contacts that stay open get
/// no force, and bodies without contacts need no care.
#[derive(Debug, Clone, Copy)]
pub struct OneStepProblem<'a> {
    map: &'a ContactMap,
    mass: &'a BodyBlocks,
    free_velocity: &'a [f64],
    gap_rate: &'a [f64],
    stiffness: &'a [f64],
    law: PowerLaw,
    compliance: f64,
}

impl<'a> OneStepProblem<'a> {
    /// The problem of the contact map B, `mass` M/dt, `free_velocity` v* (`D n_b`) that the bodies would have without contacts,
    /// `gap_rate` Φ/dt (`n_c`), the stiffness k and exponent p of the contacts as in
    /// [`CompatibilityProblem`](crate::CompatibilityProblem), and the compliance ε, in units in which k and M/dt are of order
    /// one.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], [`NotFinite`](SolveError::NotFinite),
    /// [`InvalidStiffness`](SolveError::InvalidStiffness), [`InvalidExponent`](SolveError::InvalidExponent), or
    /// [`InvalidParameter`](SolveError::InvalidParameter) unless ε and the largest k/εᵖ⁻¹ are finite and positive.
    pub fn new(
        map: &'a ContactMap,
        mass: &'a BodyBlocks,
        [free_velocity, gap_rate, stiffness]: [&'a [f64]; 3],
        exponent: f64,
        compliance: f64,
    ) -> Result<Self, SolveError> {
        mass.check(map.dof(), map.bodies())?;
        check_length("velocities", free_velocity, map.columns())?;
        check_finite("velocity", free_velocity)?;
        check_length("gap rates", gap_rate, map.contacts())?;
        check_finite("gap rate", gap_rate)?;
        check_length("stiffnesses", stiffness, map.contacts())?;
        if let Some(contact) = stiffness.iter().position(|k| !(k.is_finite() && *k > 0.0)) {
            return Err(SolveError::InvalidStiffness { contact, value: stiffness[contact] });
        }
        if !(compliance.is_finite() && compliance > 0.0) {
            let (what, expected) = ("the compliance", "finite and positive");
            return Err(SolveError::InvalidParameter { what, value: compliance, expected });
        }
        let law = PowerLaw::new(exponent)?;
        let hardest = stiffness.iter().fold(0.0, |most: f64, k| most.max(*k)) * softening(law, compliance);
        if !hardest.is_finite() || (hardest <= 0.0 && !stiffness.is_empty()) {
            let (what, expected) = ("the compliance", "such that k/εᵖ⁻¹ is finite and positive");
            return Err(SolveError::InvalidParameter { what, value: compliance, expected });
        }
        Ok(Self { map, mass, free_velocity, gap_rate, stiffness, law, compliance })
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.map.contacts()
    }

    /// Number of coordinates of all bodies.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.map.columns()
    }
}

/// Solves one-step problems, by conjugate gradients or, where those stall, sparse factorisations.
#[derive(Debug)]
pub struct OneStep {
    options: Options,
    iterative: Newton<SweepCg>,
    direct: Newton<Factorized>,
}

impl OneStep {
    /// Stops at the residual of `options`: ‖M/dt (v − v*) − Bᵀ f‖ relative to the larger of its two parts.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, iterative: Newton::default(), direct: Newton::default() }
    }

    /// Solves `problem` into the velocities after the step (`D n_b`) and the contact forces (`n_c`).
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`], or [`SolveError::InvalidParameter`] for the tolerance; both slices are then untouched.
    pub fn solve(
        &mut self,
        problem: &OneStepProblem<'_>,
        velocity: &mut [f64],
        force: &mut [f64],
    ) -> Result<Report, SolveError> {
        check_length("velocities", velocity, problem.columns())?;
        check_length("contact forces", force, problem.contacts())?;
        let first = minimize(&mut self.iterative, problem, &self.options)?;
        velocity.copy_from_slice(&self.iterative.x);
        force.copy_from_slice(&self.iterative.force);
        if first.status == Status::Converged {
            return Ok(first);
        }
        // Where there is no factor, for want of memory say, the first attempt is what there is.
        let Ok(second) = minimize(&mut self.direct, problem, &self.options) else {
            return Ok(first);
        };
        if second.is_better_than(&first) {
            velocity.copy_from_slice(&self.direct.x);
            force.copy_from_slice(&self.direct.force);
            return Ok(second.after(&first));
        }
        Ok(first.after(&second))
    }
}

impl Default for OneStep {
    fn default() -> Self {
        Self::new(Options::new(1e-12, 1000))
    }
}

/// What the stiffness of unit compliance is to be multiplied by, ε¹⁻ᵖ.
fn softening(law: PowerLaw, compliance: f64) -> f64 {
    compliance.powf(1.0 - law.exponent())
}

fn minimize<S: StepSolver>(
    newton: &mut Newton<S>,
    problem: &OneStepProblem<'_>,
    options: &Options,
) -> Result<Report, SolveError> {
    with_rows!(problem.map, rows => newton.minimize(
        &Penalty {
            rows,
            law: problem.law,
            stiffness: (problem.stiffness, softening(problem.law, problem.compliance)),
            open: None,
            load: None,
            offset: Some(problem.gap_rate),
            inertia: Some((problem.mass, problem.free_velocity)),
        },
        options,
    ))
}
