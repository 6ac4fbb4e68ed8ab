//! The contact forces of one step with friction, Moreau (1988), Jean (1999).

use cd_solve::friction::FrictionSolver;
use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use crate::contact_dynamics::detection::{DetectedContact, is_fixed};
use crate::contact_dynamics::moreau_jean::CoulombFriction;
use crate::contact_dynamics::moreau_jean::friction_problem::StepProblem;
use crate::contact_dynamics::moreau_jean::impact_guard::ImpactStart;
use crate::contact_dynamics::moreau_jean::impacts::impacts_follow;
use crate::contact_dynamics::motion::Velocities;
use crate::contact_dynamics::report::{DynamicsReport, StepContacts};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::rigid_law::{RigidLaw, Solved, StepBodies};
use crate::error::{DemError, StepError};

/// Factor on the speeds of bodies: contacts whose gap closes within the step at this factor times the speeds of their
/// bodies are part of the friction problem. Other contacts are checked against the solution, and added if they close.
const NEAR: f64 = 2.0;

impl<S: FrictionSolver> RigidLaw for CoulombFriction<S> {
    const CLOSES_OVERLAPS: bool = false;

    /// Finds the forces of the contacts that close within the step. Contacts with large gaps are left out, because they
    /// would weaken the residual, which is relative to all offsets.
    fn solve(
        &mut self,
        step: StepBodies<'_>,
        detected: &[DetectedContact],
        mut before: StepContacts,
    ) -> Result<Solved, DemError> {
        let StepBodies { motion, dt, detector, .. } = step;
        let speed = |body: usize| {
            let of = |velocity: &Velocities| detector.travel(velocity, body, dt) / dt;
            of(&motion.start).max(of(&motion.free))
        };
        let may_close = |found: &DetectedContact| {
            let other = if found.contact.with_wall { found.wall_rate.abs() } else { speed(found.contact.b) };
            found.contact.gap <= NEAR * dt * (speed(found.contact.a) + other)
        };
        let bears =
            |found: &DetectedContact| found.contact.find_in(&before.contacts).is_some_and(|before| before.force > 0.0);
        let mut takes_part: Vec<bool> = detected.iter().map(|found| may_close(found) || bears(found)).collect();
        loop {
            let part = detected.iter().zip(&takes_part).filter(|(_, takes_part)| **takes_part);
            let part: Vec<DetectedContact> = part.map(|(found, _)| *found).collect();
            let solved = self.solve_part(&part, step, &before)?;
            let mut complete = true;
            for (found, takes_part) in detected.iter().zip(&mut takes_part).filter(|(_, takes_part)| !**takes_part) {
                if found.contact.gap + dt * gap_rate(found, &solved.velocity, step.bodies) < 0.0 {
                    (*takes_part, complete) = (true, false);
                }
            }
            if complete {
                return Ok(solved);
            }
            before = solved.step_contacts;
        }
    }
}

impl<S: FrictionSolver> CoulombFriction<S> {
    /// Finds the forces of these detected contacts; the warm start takes the forces of the contacts `before`.
    fn solve_part(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        before: &StepContacts,
    ) -> Result<Solved, DemError> {
        let mut velocity = step.motion.free.clone();
        let DynamicsReport { problems, iterations, .. } = before.report;
        let mut report = DynamicsReport { problems, iterations, ..DynamicsReport::default() };
        if detected.is_empty() {
            let step_contacts = StepContacts { report, ..StepContacts::default() };
            return Ok(Solved { step_contacts, velocity, angular_impulses: Vec::new() });
        }
        let problem = StepProblem::new(detected, step, &self.materials)?;
        let guess = problem.guess(&before.contacts);
        let problem = problem.with_rounding_of(&guess)?;
        let law = |i: usize, restitution: f64| problem.shift(i, restitution);
        let unsolved = self.unsolved;
        let start = ImpactStart { guess: guess.clone(), unsolved };
        let (mut answer, _) = self.solve_without_gain(detected, step, &problem, law, start, &mut report)?;
        if impacts_follow(&problem, &answer) {
            match self.strike_in_passes(detected, &problem, step, guess, &mut report) {
                Ok(Some(passed)) => answer = passed,
                // Treats all impacts as simultaneous.
                Ok(None) | Err(DemError::Step(StepError::ContactsNotSolved { .. })) => report.unfinished_impacts = true,
                Err(error) => return Err(error),
            }
        }
        report.friction = Some(answer.report);
        report.above_bound = unsolved.is_above(&answer.report);
        for (i, force) in answer.force.iter().enumerate() {
            report.dissipated -= 0.5 * step.dt * force * (problem.start[i] + answer.velocity[i]);
            report.wall_work -= step.dt * force * problem.driven[i];
        }
        problem.add_change(&answer, &mut velocity);
        let contacts = problem.contacts(&answer);
        let angular_impulse = |(found, contact): (&DetectedContact, &RigidContact)| {
            let force = contact.force * contact.normal + contact.tangential_force;
            found.arms.map(|arm| step.dt * (arm.cross(force) + contact.couple))
        };
        let angular_impulses = detected.iter().zip(&contacts).map(angular_impulse).collect();
        Ok(Solved { step_contacts: StepContacts { contacts, report, loads: None }, velocity, angular_impulses })
    }
}

/// Rate of the gap of a contact in m/s at these velocities of the bodies.
fn gap_rate(found: &DetectedContact, velocity: &Velocities, bodies: &Bodies) -> f64 {
    let DetectedContact { contact, levers, wall_rate, .. } = found;
    let of = |body: usize, lever: DVec3| {
        let turning = if is_fixed(bodies, body) { 0.0 } else { lever.dot(velocity.angular[body]) };
        velocity.linear[body].dot(contact.normal) + turning
    };
    let other = if contact.with_wall { *wall_rate } else { of(contact.b, levers[1]) };
    other - of(contact.a, levers[0])
}
