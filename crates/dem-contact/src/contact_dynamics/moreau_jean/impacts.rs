//! Impacts that follow from each other within a step.
//!
//! A pass takes the contacts that would close within the step at their rate of approach, and the touching contacts, and
//! applies Newton's law with friction to all of them at once: 0 ≤ fₙ ⟂ uₙ⁺ + e uₙ⁻ ≥ 0. The law conserves energy where
//! e = 1 and nothing slides. Contacts that close by the new velocities belong to the next pass. The load acts on the
//! bodies after their impacts, as in `contact_dynamics/frictionless/impacts.rs`.

use cd_solve::friction::FrictionSolver;
use rrp_geom::glam::DVec3;

use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::impact_passes::{Impacts, PassLimits, RESCALED, ROUNDING, SLOW};
use crate::contact_dynamics::moreau_jean::CoulombFriction;
use crate::contact_dynamics::moreau_jean::friction_problem::{Answer, StepProblem};
use crate::contact_dynamics::moreau_jean::impact_guard::ImpactStart;
use crate::contact_dynamics::moreau_jean::unsolved::Unsolved;
use crate::contact_dynamics::motion::{FreeMotion, Velocities};
use crate::contact_dynamics::problem::columns;
use crate::contact_dynamics::report::DynamicsReport;
use crate::contact_dynamics::rigid_law::StepBodies;
use crate::error::DemError;

/// Whether the impacts of this solution close contacts that would otherwise stay open, so that another pass is needed.
pub(super) fn impacts_follow(problem: &StepProblem, answer: &Answer) -> bool {
    let size = problem.block();
    let restitution = problem.restitution();
    let slow = SLOW * problem.fastest;
    let follows = |i: usize| {
        let row = i * size;
        let gap_rate = problem.gap_rate(i);
        restitution[i] > 0.0 && answer.force[row] > 0.0 && gap_rate + problem.start[row].min(problem.free[row]) > slow
    };
    let count = restitution.len();
    (0..count).any(|i| problem.shift(i, restitution[i]) < 0.0) && (0..count).any(follows)
}

impl<S: FrictionSolver> CoulombFriction<S> {
    /// Solves the friction problem of these contacts with impacts in passes; `None` if the passes do not end.
    ///
    /// # Errors
    /// Errors of the solver of the impact problem.
    pub(super) fn strike_in_passes(
        &mut self,
        detected: &[DetectedContact],
        problem: &StepProblem,
        step: StepBodies<'_>,
        guess: Vec<f64>,
        report: &mut DynamicsReport,
    ) -> Result<Option<Answer>, DemError> {
        let Some(impacts) = self.impacts(detected, problem, step, report)? else {
            return Ok(None);
        };
        let Impacts { velocity, force: impulse, struck, rate } = impacts;
        let size = problem.block();
        let loaded = |struck: &[DVec3], free: &[DVec3], start: &[DVec3]| {
            struck.iter().zip(free).zip(start).map(|((struck, free), start)| *struck + (*free - *start)).collect()
        };
        let FreeMotion { start, free, .. } = step.motion;
        let after = Velocities {
            linear: loaded(&velocity.linear, &free.linear, &start.linear),
            angular: loaded(&velocity.angular, &free.angular, &start.angular),
        };
        let motion = FreeMotion { start: velocity, free: after, momentum: Vec::new() };
        let last = StepProblem::new(detected, StepBodies { motion: &motion, ..step }, &self.materials)?;
        // The load closes no contact that an impact opened.
        let shift: Vec<f64> = (0..struck.len())
            .map(|i| {
                let gap_rate = problem.open_gap_rate(i);
                if struck[i] { gap_rate.min(-rate[i * size].max(0.0)) } else { gap_rate }
            })
            .collect();
        let offsets = || shift.iter().enumerate().map(|(i, shift)| shift + last.free[i * size]);
        let most = last.free.iter().copied().chain(offsets()).fold(0.0_f64, |most, offset| most.max(offset.abs()));
        let mut answer = if offsets().all(|offset| offset >= -ROUNDING * most) {
            last.without_forces()
        } else {
            last.solve(&mut self.solver, &shift, guess)?
        };
        report.count(&answer.report);
        let change = columns(&problem.members.members, &motion.start, true);
        let before = columns(&problem.members.members, start, true);
        for (total, (after, before)) in answer.change.iter_mut().zip(change.iter().zip(&before)) {
            *total += after - before;
        }
        answer.force.iter_mut().zip(&impulse).for_each(|(force, impulse)| *force += impulse);
        Ok(Some(answer))
    }

    fn impacts(
        &mut self,
        detected: &[DetectedContact],
        problem: &StepProblem,
        step: StepBodies<'_>,
        report: &mut DynamicsReport,
    ) -> Result<Option<Impacts>, DemError> {
        let count = detected.len();
        let restitution = problem.restitution();
        let is_elastic = restitution.iter().any(|restitution| *restitution >= 1.0);
        let PassLimits { slow, most } = PassLimits::new(is_elastic, count, problem.fastest);
        let gap_rate: Vec<f64> = (0..count).map(|i| problem.gap_rate(i)).collect();
        let mut impacts = Impacts::at_start(&step.motion.start, problem.start.clone(), count);
        // Contacts without restitution start no impact, but touching ones pass on the impacts of their neighbours.
        while let Some(pass) = impacts.next_pass(&gap_rate, slow, |i| restitution[i] > 0.0) {
            if report.impact_passes == most {
                return Ok(None);
            }
            self.strike(detected, &pass.members, step, &mut impacts, report)?;
            impacts.end_pass(&pass, problem.rates(&impacts.velocity)?);
            report.impact_passes += 1;
        }
        Ok(Some(impacts))
    }

    /// Applies Newton's law of restitution with friction to the contacts `members`, in one pass.
    fn strike(
        &mut self,
        detected: &[DetectedContact],
        members: &[usize],
        step: StepBodies<'_>,
        impacts: &mut Impacts,
        report: &mut DynamicsReport,
    ) -> Result<(), DemError> {
        let part: Vec<DetectedContact> = members.iter().map(|&i| detected[i]).collect();
        let velocity = || impacts.velocity.clone();
        let motion = FreeMotion { start: velocity(), free: velocity(), momentum: Vec::new() };
        let step = StepBodies { motion: &motion, ..step };
        let problem = StepProblem::new(&part, step, &self.materials)?;
        let size = problem.block();
        let before: Vec<f64> = problem.start.iter().step_by(size).copied().collect();
        let nothing = vec![0.0; problem.start.len()];
        let law = |i: usize, restitution: f64| restitution * before[i];
        let from = ImpactStart { guess: nothing, unsolved: Unsolved::Error };
        let (mut answer, restitution) = self.solve_without_gain(&part, step, &problem, law, from, report)?;
        // The solver's tolerance limits the forces. Rescaling to Σ fₙ (uₙ⁺ + e uₙ⁻) = 0 conserves energy to rounding.
        let mut prescribed = 0.0;
        let mut found = 0.0;
        for (i, (before, restitution)) in before.iter().zip(&restitution).enumerate() {
            let force = answer.force[i * size];
            prescribed -= (1.0 + restitution) * force * before;
            found += force * (answer.velocity[i * size] - before);
        }
        let ratio = prescribed / found;
        if (ratio - 1.0).abs() < RESCALED {
            answer.force.iter_mut().chain(&mut answer.change).for_each(|value| *value *= ratio);
        }
        problem.add_change(&answer, &mut impacts.velocity);
        for (&i, force) in members.iter().zip(answer.force.chunks_exact(size)) {
            impacts.force[i * size..(i + 1) * size].iter_mut().zip(force).for_each(|(sum, force)| *sum += force);
        }
        Ok(())
    }
}
