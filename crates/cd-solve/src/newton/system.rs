//! The linear system of a Newton step, and the trait of its solvers.

use crate::error::SolveError;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::Rows;

/// The linear system of one Newton step: Hessian with regularisation (ridge), and gradient of the energy.
#[derive(Debug)]
pub(crate) struct NewtonSystem<'a, const D: usize, const K: usize> {
    pub(crate) rows: &'a Rows<D, K>,
    /// Weight w (stiffness) of each contact in the Hessian Bᵀ diag(w) B + M + ridge, zero where the contact is open.
    pub(crate) weights: &'a [f64],
    pub(crate) mass: Option<&'a BodyBlocks>,
    pub(crate) ridge: &'a [f64],
    /// Gradient g of the energy; the Newton step is −H⁻¹ g with the Hessian H.
    pub(crate) gradient: &'a [f64],
    /// Residual of the linear system at which its solver stops, relative to the residual of a zero step.
    pub(crate) tolerance: f64,
}

/// A solver for the linear systems of Newton's method, for Jacobian rows of `K` numbers and `D` coordinates per body.
pub(crate) trait StepSolver<const D: usize, const K: usize> {
    /// Prepares the solver for Newton steps with the contacts of `rows`.
    fn prepare(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError>;

    /// Solves the linear system of a Newton step into `step`; returns the number of iterations, or of factorisations.
    fn solve(&mut self, system: &NewtonSystem<'_, D, K>, step: &mut [f64]) -> Result<usize, SolveError>;
}

/// A step solver for contacts of all kinds that a [`ContactJacobian`](crate::ContactJacobian) may have.
pub(crate) trait AnyStepSolver: StepSolver<3, 3> + StepSolver<3, 6> + StepSolver<6, 12> {}

impl<S> AnyStepSolver for S where S: StepSolver<3, 3> + StepSolver<3, 6> + StepSolver<6, 12> {}
