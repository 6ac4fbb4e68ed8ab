//! What contact dynamics asks of the solvers, and what it makes of their answers.

use cd_solve::{
    CompatibilityProblem, CompatibilitySolver, CompliantStep, CompliantStepInput, CompliantStepProblem, Delassus, Lcp,
    LcpMatrix, LcpSolver, Report,
};

use crate::contact_dynamics::compatible_law::CompatibleLaw;
use crate::contact_dynamics::problem::Problem;
use crate::contact_dynamics::report::StepContacts;
use crate::error::DemError;
use crate::error::step::StepError;

/// Slacks up to this many residuals are rounding of a closed contact, and at least this share of the largest offset.
const CLOSED: (f64, f64) = (100.0, 1e-10);

/// Passes a converged report.
pub(crate) fn converged(problem: &'static str, report: Report) -> Result<Report, DemError> {
    if report.converged() {
        return Ok(report);
    }
    let Report { status, iterations, residual, .. } = report;
    Err(DemError::Step(StepError::ContactsNotSolved { problem, status, iterations, residual }))
}

/// Forces, the velocities that they lead to, and which contacts are open.
#[derive(Debug)]
pub(crate) struct Solution {
    pub(crate) force: Vec<f64>,
    /// By column, contacts included.
    pub(crate) velocity: Vec<f64>,
    pub(crate) open: Vec<bool>,
    pub(crate) report: Report,
}

/// Solves 0 ≤ f ⟂ B v⁺ + `target` ≥ 0 from the guess in `force`.
pub(crate) fn complementarity(
    solver: &mut dyn LcpSolver,
    problem: &Problem,
    target: &[f64],
    mut force: Vec<f64>,
) -> Result<Solution, DemError> {
    let delassus = Delassus::new(&problem.map, &problem.inverse_mass)?;
    let mut offset = vec![0.0; target.len()];
    problem.map.apply(&problem.free, &mut offset)?;
    offset.iter_mut().zip(target).for_each(|(offset, target)| *offset += target);
    let lcp = Lcp::new(LcpMatrix::Delassus(&delassus), &offset)?;
    let report = converged("the complementarity problem", solver.solve(&lcp, &mut force)?)?;
    let mut slack = vec![0.0; force.len()];
    lcp.slack(&force, &mut slack, &mut Vec::new())?;
    let scale = offset.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
    let tolerance = (CLOSED.0 * report.residual).max(CLOSED.1) * scale;
    let open = cd_solve::open_contacts(&slack, tolerance);
    let mut velocity = vec![0.0; problem.free.len()];
    delassus.velocity(&force, &mut velocity)?;
    velocity.iter_mut().zip(&problem.free).for_each(|(change, free)| *change += free);
    Ok(Solution { force, velocity, open, report })
}

/// Velocities and compatible forces at once, for a small compliance in units of the problem.
pub(crate) fn one_step(
    solver: &mut CompliantStep,
    problem: &Problem,
    target: &[f64],
    (exponent, compliance): (f64, f64),
    (stiffness, mean_mass): (&[f64], f64),
) -> Result<Solution, DemError> {
    let mut closing = vec![0.0; target.len()];
    problem.map.apply(&problem.free, &mut closing)?;
    // A stiffness of one is that of a mean mass which the fastest approach stops in a step.
    let speed = closing.iter().zip(target).fold(0.0_f64, |most, (rate, target)| most.max(-(rate + target)));
    let mass = problem.inverse_mass.inverse();
    let unit = mean_mass * if speed > 0.0 { speed.powf(2.0 - exponent) } else { 1.0 };
    let stiffness: Vec<f64> = stiffness.iter().map(|k| k * unit).collect();
    let (mut velocity, mut force) = (problem.free.clone(), vec![0.0; target.len()]);
    let input = CompliantStepInput {
        free_velocity: &problem.free,
        gap_rate: target,
        stiffness: &stiffness,
        exponent,
        compliance,
    };
    let posed = CompliantStepProblem::new(&problem.map, &mass, input)?;
    let report = converged("the one-step problem", solver.solve(&posed, &mut velocity, &mut force)?)?;
    let open = force.iter().map(|force| *force <= 0.0).collect();
    Ok(Solution { force, velocity, open, report })
}

/// The compatible forces that balance what the contacts of `outcome` carry.
pub(crate) fn compatible(
    solver: &mut dyn CompatibilitySolver,
    outcome: &StepContacts,
    law: &CompatibleLaw,
) -> Result<(Vec<f64>, Option<Report>), DemError> {
    let Some(map) = &outcome.map else { return Ok((Vec::new(), None)) };
    let stiffness = law.stiffnesses(&outcome.contacts);
    let problem =
        CompatibilityProblem::new(map, &outcome.load, &stiffness, law.exponent())?.with_open(&outcome.open)?;
    let mut force = vec![0.0; stiffness.len()];
    let report = converged("the compatibility problem", solver.solve(&problem, &mut force)?)?;
    Ok((force, Some(report)))
}
