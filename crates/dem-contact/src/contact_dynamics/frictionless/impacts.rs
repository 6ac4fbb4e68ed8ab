//! The impacts of one step, by velocities alone.
//!
//! Impacts propagate through a row of bodies in passes. A pass takes the contacts that would close within the step at
//! their rate of approach, and the touching contacts, and applies Moreau's law to all of them at once: 0 ≤ f ⟂ B v⁺ + e
//! B v⁻ ≥ 0, with the rates of driven bodies. The law never gains energy, and conserves energy for e = 1, since then Σ
//! f (B v⁻ + B v⁺) = 0. Contacts that close by the new velocities belong to the next pass.

use cd_solve::LcpSolver;

use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::frictionless::Frictionless;
use crate::contact_dynamics::impact_passes::{Impacts, PassLimits, RESCALED};
use crate::contact_dynamics::problem::VelocityProblem;
use crate::contact_dynamics::report::DynamicsReport;
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::rigid_law::StepBodies;
use crate::contact_dynamics::solvers::Solution;
use crate::error::DemError;

impl<S: LcpSolver> Frictionless<S> {
    /// Computes the impacts at these contacts; `None` if there are none. `open` tells which contacts bear no force in a
    /// step without restitution.
    ///
    /// # Errors
    /// Errors of the solver of the impact problem.
    pub(super) fn impacts(
        &mut self,
        detected: &[DetectedContact],
        problem: &VelocityProblem,
        step: StepBodies<'_>,
        open: &[bool],
        report: &mut DynamicsReport,
    ) -> Result<Option<Impacts>, DemError> {
        if self.restitution <= 0.0 {
            return Ok(None);
        }
        let start = &step.motion.start;
        let PassLimits { slow, most } = PassLimits::new(self.restitution >= 1.0, detected.len(), step.motion.fastest());
        let mut impacts = Impacts::at_start(start, problem.rates(start)?, detected.len());
        loop {
            // A contact that only the load of this step closes must land first; restitution would keep it hovering.
            let may_strike = |i: usize| report.impact_passes > 0 || !open[i];
            let Some(pass) = impacts.next_pass(&problem.gap_rate, slow, may_strike) else { break };
            if report.impact_passes == most {
                report.unfinished_impacts = true;
                break;
            }
            report.iterations += self.strike(detected, &pass.members, step, &mut impacts)?;
            impacts.end_pass(&pass, problem.rates(&impacts.velocity)?);
            report.impact_passes += 1;
        }
        Ok((report.impact_passes > 0).then_some(impacts))
    }

    /// Applies Moreau's law of impact to the contacts `members`. Returns the iterations of the solver.
    fn strike(
        &mut self,
        detected: &[DetectedContact],
        members: &[usize],
        step: StepBodies<'_>,
        impacts: &mut Impacts,
    ) -> Result<usize, DemError> {
        let part: Vec<DetectedContact> = members.iter().map(|&i| detected[i]).collect();
        let posed = VelocityProblem::new(&part, step.bodies, step.state, &impacts.velocity, step.dt)?;
        let Some(problem) = posed else { return Ok(0) };
        let contacts: Vec<RigidContact> = part.iter().map(|detected| detected.contact).collect();
        let before: Vec<f64> = members.iter().map(|&i| impacts.rate[i]).collect();
        let target: Vec<f64> =
            before.iter().zip(&problem.driven).map(|(rate, driven)| driven + self.restitution * rate).collect();
        let nothing = vec![0.0; members.len()];
        let Solution { force, velocity, report, .. } =
            self.solve_velocity_problem(&problem, &target, &contacts, nothing, step)?;
        let change: Vec<f64> = velocity.iter().zip(&problem.free).map(|(after, before)| after - before).collect();
        let mut change_of_rate = vec![0.0; members.len()];
        problem.map.apply(&change, &mut change_of_rate)?;
        // The solver's tolerance limits the forces. Rescaling to Σ f (B v⁺ + e B v⁻) = 0 conserves energy to rounding.
        let work = |rates: &[f64]| force.iter().zip(rates).map(|(force, rate)| force * rate).sum::<f64>();
        let size = -(1.0 + self.restitution) * work(&before) / work(&change_of_rate);
        let size = if (size - 1.0).abs() < RESCALED { size } else { 1.0 };
        let after: Vec<f64> = problem.free.iter().zip(&change).map(|(before, change)| before + size * change).collect();
        problem.scatter(&after, &mut impacts.velocity);
        for (&i, force) in members.iter().zip(&force) {
            impacts.force[i] += size * force;
        }
        Ok(report.iterations)
    }
}
