//! The problems that contact dynamics poses to `cd-solve`, and their solutions.

use cd_solve::{
    CompatibilityProblem, CompatibilitySolver, CompliantStep, CompliantStepInput, CompliantStepProblem, Delassus, Lcp,
    LcpMatrix, LcpSolver, Report,
};

use crate::contact_dynamics::compatible_law::CompatibleLaw;
use crate::contact_dynamics::problem::VelocityProblem;
use crate::contact_dynamics::report::{ContactLoads, StepContacts};
use crate::error::DemError;
use crate::error::step::StepError;

/// Ratio of slack (rate of a gap after the step) to the product of the solver's residual and the largest rate without
/// forces up to which a contact counts as closed.
const CLOSED_RESIDUALS: f64 = 100.0;

/// Ratio of slack to the largest rate of a gap without forces up to which a contact counts as closed.
const CLOSED_SHARE: f64 = 1e-10;

/// Residual up to which an answer is accepted even if the solver reports a far smaller residual.
const BELIEVED: f64 = 1e-6;

/// Largest accepted ratio of the recomputed residual to the reported one, which may be in another norm.
const MARGIN: f64 = 10.0;

/// Returns the report of a converged solver after a check of `found`, the recomputed residual of its answer.
///
/// # Errors
/// The errors of [`converged`], and [`StepError::AnswerRefused`] if the answer is worse than the report says.
pub(super) fn checked(problem: &'static str, report: Report, found: f64) -> Result<Report, DemError> {
    let report = converged(problem, report)?;
    let reported = report.residual;
    // This comparison refuses NaN.
    if found <= BELIEVED.max(MARGIN * reported) {
        return Ok(report);
    }
    Err(DemError::Step(StepError::AnswerRefused { problem, reported, found }))
}

/// Returns the report of a solver if the solver has converged.
///
/// # Errors
/// [`StepError::ContactsNotSolved`] for a report that has not converged.
fn converged(problem: &'static str, report: Report) -> Result<Report, DemError> {
    if report.converged() {
        return Ok(report);
    }
    let Report { status, iterations, residual, .. } = report;
    Err(DemError::Step(StepError::ContactsNotSolved { problem, status, iterations, residual }))
}

#[derive(Debug)]
pub(super) struct Solution {
    pub(super) force: Vec<f64>,
    /// Velocities after the step, three or six components for each free body with contacts.
    pub(super) velocity: Vec<f64>,
    /// Whether each contact is open, so that it bears no force.
    pub(super) open: Vec<bool>,
    /// Force in N that changes the gap's rate by the largest rate of the step: the accuracy scale of the contact.
    pub(super) force_size: Vec<f64>,
    pub(super) report: Report,
}

/// Solves 0 ≤ f ⟂ B v⁺ + `target` ≥ 0 for the contact forces f, beginning at `force`. B v⁺ are the rates (m/s) of gaps
/// by the velocities v⁺ of free bodies after the step, `target` all other terms, such as Φ/dt and the rates by walls.
pub(super) fn complementarity(
    solver: &mut dyn LcpSolver,
    problem: &VelocityProblem,
    target: &[f64],
    mut force: Vec<f64>,
) -> Result<Solution, DemError> {
    let delassus = Delassus::new(&problem.map, &problem.inverse_mass)?;
    let offset = problem.offsets(target)?;
    // The largest offset is the scale of all contacts: the offset of one contact may be mere rounding of a difference
    // of velocities, as between bodies that fall side by side.
    let rate = offset.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
    let sizes = vec![rate; offset.len()];
    let lcp = Lcp::new(LcpMatrix::Delassus(&delassus), &offset)?.with_sizes(&sizes)?;
    let name = "the complementarity problem";
    let report = converged(name, solver.solve(&lcp, &mut force)?)?;
    let mut slack = vec![0.0; force.len()];
    lcp.slack(&force, &mut slack, &mut Vec::new())?;
    let report = checked(name, report, lcp.residual_of_slack(&force, &slack)?)?;
    let tolerance = (CLOSED_RESIDUALS * report.residual).max(CLOSED_SHARE) * rate;
    let mut open = cd_solve::open_contacts(&slack, tolerance);
    // A slack within the rounding of a large force does not open a contact.
    for (i, open) in open.iter_mut().enumerate() {
        *open &= delassus.diagonal()[i] * force[i] <= slack[i];
    }
    let mut velocity = vec![0.0; problem.free.len()];
    delassus.velocity(&force, &mut velocity)?;
    velocity.iter_mut().zip(&problem.free).for_each(|(change, free)| *change += free);
    let force_size = force_sizes(&delassus, rate);
    Ok(Solution { force, velocity, open, force_size, report })
}

/// Returns for each contact the force (N) that, acting alone for one step, changes the rate of its gap by `rate` (m/s).
fn force_sizes(delassus: &Delassus<'_>, rate: f64) -> Vec<f64> {
    delassus.diagonal().iter().map(|diagonal| rate / diagonal).collect()
}

/// Elastic law of slightly compliant contacts, in units of the step.
pub(super) struct Compliance<'a> {
    /// Exponent p of the elastic energy, proportional to δᵖ for the overlap δ.
    pub(super) exponent: f64,
    /// Compliance ε, in units in which a stiffness of one stops the mean mass within a step.
    pub(super) compliance: f64,
    /// Stiffness of each contact, in the same units as the compliance.
    pub(super) stiffness: &'a [f64],
    pub(super) mean_mass: f64,
}

/// Finds velocities and contact forces of a step with slightly compliant contacts by one minimisation.
pub(super) fn compliant_step(
    solver: &mut CompliantStep,
    problem: &VelocityProblem,
    target: &[f64],
    Compliance { exponent, compliance, stiffness, mean_mass }: Compliance<'_>,
) -> Result<Solution, DemError> {
    let offset = problem.offsets(target)?;
    // A stiffness of one stops a mean mass at the speed of the fastest approach within a step.
    let speed = offset.iter().fold(0.0_f64, |most, rate| most.max(-rate));
    let mass = problem.inverse_mass.inverse();
    let unit = mean_mass * if speed > 0.0 { speed.powf(2.0 - exponent) } else { 1.0 };
    let stiffness: Vec<f64> = stiffness.iter().map(|k| k * unit).collect();
    let mut velocity = problem.free.clone();
    let mut force = vec![0.0; target.len()];
    let input = CompliantStepInput {
        free_velocity: &problem.free,
        gap_rate: target,
        stiffness: &stiffness,
        exponent,
        compliance,
    };
    let rate = offset.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()));
    let force_size = force_sizes(&Delassus::new(&problem.map, &problem.inverse_mass)?, rate);
    let mut sizes = vec![0.0; problem.free.len()];
    problem.map.sizes_of_forces(&force_size, &mut sizes)?;
    let posed = CompliantStepProblem::new(&problem.map, &mass, input)?.with_sizes(&sizes)?;
    let report = converged("the compliant step", solver.solve(&posed, &mut velocity, &mut force)?)?;
    let open = force.iter().map(|force| *force <= 0.0).collect();
    Ok(Solution { force, velocity, open, force_size, report })
}

/// Returns the compatible forces in N that exert the same load as the contact forces, and the report if any.
pub(super) fn compatible(
    solver: &mut dyn CompatibilitySolver,
    step_contacts: &StepContacts,
    law: &CompatibleLaw,
) -> Result<(Vec<f64>, Option<Report>), DemError> {
    let Some(ContactLoads { map, open, load, load_size }) = &step_contacts.loads else { return Ok((Vec::new(), None)) };
    let stiffness = law.stiffnesses(&step_contacts.contacts);
    let problem =
        CompatibilityProblem::new(map, load, &stiffness, law.exponent())?.with_open(open)?.with_sizes(load_size)?;
    let mut force = vec![0.0; stiffness.len()];
    let report = solver.solve(&problem, &mut force)?;
    let report = checked("the compatibility problem", report, problem.residual(&force)?)?;
    Ok((force, Some(report)))
}
