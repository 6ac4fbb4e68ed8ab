//! The contact forces of one step without friction, `[OK18] (14)-(16)`.

use cd_solve::{LcpSolver, Report};

use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::frictionless::Frictionless;
use crate::contact_dynamics::impact_passes::{Impacts, ROUNDING};
use crate::contact_dynamics::motion::FreeMotion;
use crate::contact_dynamics::problem::VelocityProblem;
use crate::contact_dynamics::report::{ContactLoads, DynamicsReport, StepContacts};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::rigid_law::{RigidLaw, Solved, StepBodies};
use crate::contact_dynamics::solvers::{self, Compliance, Solution, complementarity};
use crate::error::DemError;

impl<S: LcpSolver> RigidLaw for Frictionless<S> {
    const CLOSES_OVERLAPS: bool = true;

    fn solve(
        &mut self,
        step: StepBodies<'_>,
        detected: &[DetectedContact],
        before: StepContacts,
    ) -> Result<Solved, DemError> {
        let StepBodies { bodies, state, motion: FreeMotion { start, free, .. }, dt, .. } = step;
        let mut velocity = free.clone();
        let Some(mut problem) = VelocityProblem::new(detected, bodies, state, free, dt)? else {
            return Ok(Solved { step_contacts: StepContacts::default(), velocity, angular_impulses: Vec::new() });
        };
        let mut contacts: Vec<RigidContact> = detected.iter().map(|detected| detected.contact).collect();
        let guessed = |contact: &RigidContact| contact.find_in(&before.contacts).map_or(0.0, |before| before.force);
        let force = contacts.iter().map(guessed).collect();
        let target: Vec<f64> = problem.gap_rate.iter().zip(&problem.driven).map(|(gap, driven)| gap + driven).collect();
        let mut report = DynamicsReport::default();
        let mut solution = self.solve_velocity_problem(&problem, &target, &contacts, force, step)?;
        report.iterations = solution.report.iterations;
        if self.compliant_step.is_some() {
            report.compliant_step = Some(solution.report);
        } else {
            report.complementarity = Some(solution.report);
        }
        if let Some(impacts) = self.impacts(detected, &problem, step, &solution.open, &mut report)? {
            let first = solution.report.iterations;
            let target = load_after_impacts(&mut problem, &impacts, &target, step)?;
            let guess = if is_solved(&problem, &target)? { vec![0.0; target.len()] } else { solution.force };
            solution = self.solve_velocity_problem(&problem, &target, &contacts, guess, step)?;
            solution.force.iter_mut().zip(&impacts.force).for_each(|(force, impulse)| *force += impulse);
            report.iterations += solution.report.iterations;
            report.restitution = Some(Report { iterations: report.iterations - first, ..solution.report });
        }
        let mut slack = vec![0.0; contacts.len()];
        let mut rate = vec![0.0; contacts.len()];
        problem.map.apply(&solution.velocity, &mut slack)?;
        problem.map.apply(&problem.columns(start), &mut rate)?;
        for (i, contact) in contacts.iter_mut().enumerate() {
            (contact.force, contact.slack) = (solution.force[i], target[i] + slack[i]);
            contact.power_by_motion.normal = -solution.force[i] * (problem.driven[i] + 0.5 * (rate[i] + slack[i]));
            report.dissipated += dt * contact.power_by_motion.normal;
            report.wall_work -= dt * solution.force[i] * problem.driven[i];
            report.overlap = report.overlap.max(-dt * contact.slack);
        }
        let turned = detected.iter().zip(&solution.force);
        let angular_impulses = turned.map(|(found, force)| found.levers.map(|lever| dt * force * lever)).collect();
        problem.scatter(&solution.velocity, &mut velocity);
        let loads = Some(loads(problem, solution)?);
        Ok(Solved { step_contacts: StepContacts { contacts, report, loads }, velocity, angular_impulses })
    }

    fn complete(&mut self, step_contacts: &mut StepContacts) -> Result<(), DemError> {
        if let Some(law) = &self.compatible {
            let (force, report) = solvers::compatible(&mut *self.compatibility, step_contacts, law)?;
            step_contacts.report.compatibility = report;
            step_contacts.report.iterations += report.map_or(0, |report| report.iterations);
            let contacts = step_contacts.contacts.iter_mut().zip(force);
            contacts.for_each(|(contact, force)| contact.compatible_force = Some(force));
        }
        Ok(())
    }
}

impl<S: LcpSolver> Frictionless<S> {
    /// Solves 0 ≤ f ⟂ B v⁺ + `target` ≥ 0 for the contact forces f and the velocities v⁺ of free bodies after the step,
    /// as a complementarity problem beginning at `force` or, for compliant contacts, by minimisation. `target` (m/s)
    /// has all rates of gaps besides B v⁺, such as Φ/dt.
    pub(super) fn solve_velocity_problem(
        &mut self,
        problem: &VelocityProblem,
        target: &[f64],
        contacts: &[RigidContact],
        force: Vec<f64>,
        StepBodies { bodies, dt, .. }: StepBodies<'_>,
    ) -> Result<Solution, DemError> {
        match &self.compliant_step {
            None => complementarity(&mut self.solver, problem, target, force),
            Some((law, compliance)) => {
                let stiffness = law.stiffnesses(contacts);
                let exponent = law.exponent();
                let compliance = *compliance;
                let mean_mass = problem.mean_mass(bodies, dt);
                let law = Compliance { exponent, compliance, stiffness: &stiffness, mean_mass };
                solvers::compliant_step(&mut self.compliant_step_solver, problem, target, law)
            }
        }
    }
}

/// Applies the load of the step to the bodies after their impacts: sets the free velocities of the problem and returns
/// targets with which the load does not close contacts that an impact opened.
fn load_after_impacts(
    problem: &mut VelocityProblem,
    impacts: &Impacts,
    target: &[f64],
    step: StepBodies<'_>,
) -> Result<Vec<f64>, DemError> {
    let [struck, start] = [&impacts.velocity, &step.motion.start].map(|velocity| problem.columns(velocity));
    for (free, (struck, start)) in problem.free.iter_mut().zip(struck.iter().zip(&start)) {
        *free = struck + (*free - start);
    }
    let opened = |i: usize| target[i].min(problem.driven[i] - impacts.rate[i].max(0.0));
    Ok((0..target.len()).map(|i| if impacts.struck[i] { opened(i) } else { target[i] }).collect())
}

/// Whether no contact closes without forces. A warm-started solve would then only add errors of its tolerance.
fn is_solved(problem: &VelocityProblem, target: &[f64]) -> Result<bool, DemError> {
    let offset = problem.offsets(target)?;
    let most = offset.iter().fold(0.0_f64, |most, offset| most.max(offset.abs()));
    Ok(offset.iter().all(|offset| *offset >= -ROUNDING * most))
}

/// Returns the loads of the contact forces on bodies, without forces that the tolerance leaves on open contacts.
fn loads(problem: VelocityProblem, solution: Solution) -> Result<ContactLoads, DemError> {
    let Solution { force, open, force_size, .. } = solution;
    let closed: Vec<f64> = force.iter().zip(&open).map(|(force, open)| if *open { 0.0 } else { *force }).collect();
    let mut load = vec![0.0; problem.free.len()];
    let mut load_size = vec![0.0; problem.free.len()];
    problem.map.apply_transpose(&closed, &mut load)?;
    // The load is a sum of forces that may cancel; each force is accurate relative to its own scale.
    let known: Vec<f64> = closed.iter().zip(&force_size).map(|(force, size)| force + size).collect();
    problem.map.sizes_of_forces(&known, &mut load_size)?;
    Ok(ContactLoads { map: problem.map, open, load, load_size })
}
