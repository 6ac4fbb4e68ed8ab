use crate::error::SolveError;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::Rows;

/// The linear system of one Newton step: Hessian Bᵀ diag(w) B + M + ridge, and gradient of the energy.
#[derive(Debug)]
pub(crate) struct NewtonSystem<'a, const D: usize, const K: usize> {
    pub(super) rows: &'a Rows<D, K>,
    /// Weight w (stiffness) of each contact in the Hessian Bᵀ diag(w) B + M + ridge, zero where the contact is open.
    pub(super) weights: &'a [f64],
    pub(crate) mass: Option<&'a BodyBlocks>,
    pub(crate) ridge: &'a [f64],
    /// Gradient g of the energy; the Newton step is −H⁻¹ g with the Hessian H.
    pub(super) gradient: &'a [f64],
    /// Residual at which the linear solver stops, relative to the residual of a zero step.
    pub(super) tolerance: f64,
}

/// A solver for the linear systems of Newton's method, for Jacobian rows of `K` numbers and `D` coordinates per body.
pub(crate) trait StepSolver<const D: usize, const K: usize> {
    /// Prepares the solver for the contacts of `rows`.
    fn prepare(&mut self, rows: &Rows<D, K>) -> Result<(), SolveError>;

    /// Solves for the Newton step; returns the number of iterations, or of factorisations.
    fn solve(&mut self, system: &NewtonSystem<'_, D, K>, step: &mut [f64]) -> Result<usize, SolveError>;
}

/// A step solver for all kinds of contacts of a [`ContactJacobian`](crate::ContactJacobian).
pub(crate) trait AnyStepSolver: StepSolver<3, 3> + StepSolver<3, 6> + StepSolver<6, 12> {}

impl<S> AnyStepSolver for S where S: StepSolver<3, 3> + StepSolver<3, 6> + StepSolver<6, 12> {}
