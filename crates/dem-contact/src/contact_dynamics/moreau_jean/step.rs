//! One step with friction, Moreau (1988), Jean (1999).

use cd_solve::friction::FrictionSolver;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, IntegrateError, State};

use crate::contact_dynamics::detection::{DetectedContact, is_fixed};
use crate::contact_dynamics::moreau_jean::MoreauJean;
use crate::contact_dynamics::moreau_jean::friction_problem::{Answer, StepBodies, StepProblem};
use crate::contact_dynamics::moreau_jean::impact_guard::{gaining, islands};
use crate::contact_dynamics::moreau_jean::impact_passes::impacts_follow;
use crate::contact_dynamics::moreau_jean::report::FrictionStepReport;
use crate::contact_dynamics::moreau_jean::unsolved::Unsolved;
use crate::contact_dynamics::motion::{FreeMotion, Moved, write_state};
use crate::contact_dynamics::problem::Velocities;
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::separation::{Allowed, Separation, separate, work_on_moved};
use crate::contact_dynamics::travel_bounds::{SEARCHES, TravelBounds};
use crate::error::{DemError, StepError};

/// Factor on the speeds of bodies: a contact is part of the friction problem if its gap closes within the step at this
/// factor times the speeds of its bodies. Other contacts are checked against the solution, and added if they close.
const NEAR: f64 = 2.0;

/// Guess from which the solver starts a problem with impacts, and policy for contact forces that do not solve the
/// problem.
pub(super) struct ImpactStart {
    /// Contact forces, in the frames of the contacts, from which the solver starts.
    pub(super) guess: Vec<f64>,
    /// Policy that is applied if the last attempt, without restitution, does not solve the problem either.
    pub(super) unsolved: Unsolved,
}

/// Solution of a step with friction: contacts, forces and velocities.
struct Solved {
    /// Detected contacts that are part of the solved friction problem.
    detected: Vec<DetectedContact>,
    contacts: Vec<RigidContact>,
    /// Velocities of all bodies after the step with friction.
    velocity: Velocities,
    report: FrictionStepReport,
}

impl<S: FrictionSolver> MoreauJean<S> {
    /// Takes one step with friction from `state`, which has wrenches, and writes the state after it to `next`.
    ///
    /// # Errors
    /// Those of detection and solvers, and [`IntegrateError::NoAttitudes`] for bodies whose inertia turns with them.
    pub(super) fn advance(
        &mut self,
        bodies: &Bodies,
        state: &State,
        next: &mut State,
    ) -> Result<(Vec<RigidContact>, FrictionStepReport), DemError> {
        if !state.has_attitudes() && (!self.detector.cuboids.is_empty() || bodies.check_spherical().is_err()) {
            return Err(IntegrateError::NoAttitudes.into());
        }
        let mut motion = FreeMotion::new(bodies, state, self.dt, true);
        let mut bounds = TravelBounds::new(&self.detector, &motion, self.dt);
        let step = StepBodies { bodies, state, motion: &motion, dt: self.dt };
        let Solved { detected, contacts, velocity, mut report } = self.solve_all(step, &mut bounds)?;
        self.add_impulses(&detected, &contacts, &mut motion.momentum);
        write_state(Moved { bodies, state, velocity: &velocity.linear, dt: self.dt }, motion.momentum, next)?;
        self.move_apart(bodies, state, next, bounds.as_slice(), &mut report)?;
        Ok((contacts, report))
    }

    /// Detects contacts and finds their forces, repeated until no body moves further than its travel bound.
    fn solve_all(&mut self, step: StepBodies<'_>, bounds: &mut TravelBounds) -> Result<Solved, DemError> {
        let mut guess = if self.warm_start { self.contacts.clone() } else { Vec::new() };
        let mut before = FrictionStepReport::default();
        for searches in 1..=SEARCHES {
            let detected = self.detector.detect(step.bodies, step.state, self.dt, bounds.as_slice())?;
            let mut solved = self.solve_closing(&detected, step, guess, before)?;
            solved.report.searches = searches;
            if bounds.hold_or_grow(&self.detector, &solved.velocity) {
                return Ok(solved);
            }
            (guess, before) = (solved.contacts, solved.report);
        }
        Err(TravelBounds::given_up())
    }

    /// Finds the forces of the contacts that close within the step. Other contacts are left out: their large gaps would
    /// weaken the residual, which is relative to all offsets.
    fn solve_closing(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        mut guess: Vec<RigidContact>,
        mut report: FrictionStepReport,
    ) -> Result<Solved, DemError> {
        let motion = step.motion;
        let speed = |body: usize| {
            let of = |velocity: &Velocities| self.detector.travel(velocity, body, self.dt) / self.dt;
            of(&motion.start).max(of(&motion.free))
        };
        let may_close = |found: &DetectedContact| {
            let other = if found.contact.with_wall { found.wall_rate.abs() } else { speed(found.contact.b) };
            found.contact.gap <= NEAR * self.dt * (speed(found.contact.a) + other)
        };
        let bears = |found: &DetectedContact| {
            let at = guess.binary_search_by_key(&found.contact.key(), RigidContact::key);
            at.is_ok_and(|at| guess[at].force > 0.0)
        };
        let mut takes_part: Vec<bool> = detected.iter().map(|found| may_close(found) || bears(found)).collect();
        loop {
            let part: Vec<DetectedContact> = detected
                .iter()
                .zip(&takes_part)
                .filter(|(_, takes_part)| **takes_part)
                .map(|(found, _)| *found)
                .collect();
            let solved = self.solve(part, step, &guess, report)?;
            let mut complete = true;
            for (found, takes_part) in detected.iter().zip(&mut takes_part).filter(|(_, takes_part)| !**takes_part) {
                if found.contact.gap + self.dt * gap_rate(found, &solved.velocity, step.bodies) < 0.0 {
                    (*takes_part, complete) = (true, false);
                }
            }
            if complete {
                return Ok(solved);
            }
            (guess, report) = (solved.contacts, solved.report);
        }
    }

    /// Finds the forces of these detected contacts; the friction solver starts from the forces of the contacts `guess`.
    fn solve(
        &mut self,
        detected: Vec<DetectedContact>,
        step: StepBodies<'_>,
        guess: &[RigidContact],
        before: FrictionStepReport,
    ) -> Result<Solved, DemError> {
        let mut velocity =
            Velocities { linear: step.motion.free.linear.clone(), angular: step.motion.free.angular.clone() };
        let mut report = FrictionStepReport {
            problems: before.problems,
            iterations: before.iterations,
            ..FrictionStepReport::default()
        };
        if detected.is_empty() {
            return Ok(Solved { detected, contacts: Vec::new(), velocity, report });
        }
        let problem = StepProblem::new(&detected, step, &self.materials)?;
        let guess = problem.guess(guess);
        let problem = problem.with_rounding_of(&guess)?;
        let law = |i: usize, restitution: f64| problem.shift(i, restitution);
        let unsolved = self.unsolved;
        let start = ImpactStart { guess: guess.clone(), unsolved };
        let (mut answer, _) = self.solve_without_gain(&detected, step, &problem, law, start, &mut report)?;
        if impacts_follow(&problem, &answer) {
            match self.strike_in_passes(&detected, &problem, step, guess, &mut report) {
                Ok(Some(passed)) => answer = passed,
                // All impacts happen at once, as if none followed from another.
                Ok(None) | Err(DemError::Step(StepError::ContactsNotSolved { .. })) => report.unfinished_impacts = true,
                Err(error) => return Err(error),
            }
        }
        report.friction = Some(answer.report);
        for (i, force) in answer.force.iter().enumerate() {
            report.dissipated -= 0.5 * self.dt * force * (problem.start[i] + answer.velocity[i]);
            report.wall_work -= self.dt * force * problem.driven[i];
        }
        problem.add_change(&answer, &mut velocity);
        Ok(Solved { contacts: problem.contacts(&answer), detected, velocity, report })
    }

    /// Solves the problem of these contacts, with a [shift](StepProblem::shift) of each from its restitution by `law`.
    /// Islands of contacts whose impacts would gain energy, or are not solved, are repeated without restitution. Also
    /// returns the restitutions that were used.
    pub(super) fn solve_without_gain(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        problem: &StepProblem,
        law: impl Fn(usize, f64) -> f64,
        ImpactStart { mut guess, unsolved }: ImpactStart,
        report: &mut FrictionStepReport,
    ) -> Result<(Answer, Vec<f64>), DemError> {
        let mut restitution = problem.restitution();
        let shifts = |restitution: &[f64]| -> Vec<f64> {
            restitution.iter().enumerate().map(|(i, &restitution)| law(i, restitution)).collect()
        };
        let drop_restitution = |of: &[bool], restitution: &mut [f64], report: &mut FrictionStepReport| {
            for (i, restitution) in restitution.iter_mut().enumerate().filter(|(i, _)| of[*i]) {
                report.without_restitution += usize::from(law(i, *restitution) < 0.0);
                *restitution = 0.0;
            }
        };
        let shift = shifts(&restitution);
        let attempt = problem.attempt(&mut self.solver, &shift, guess.clone())?;
        // Unsolved impacts are repeated without restitution, so the policy applies to that second attempt alone.
        let has_impact = shift.iter().any(|shift| *shift < 0.0);
        let policy = if has_impact { Unsolved::Error } else { unsolved };
        let mut answer = match attempt.judged(policy, self.was_above) {
            // In a wedge narrower than the friction angle no velocities obey Newton's law: contacts that slide out
            // pull the body in.
            Err(DemError::Step(StepError::ContactsNotSolved { .. })) if has_impact => {
                let of = self.impacts_not_solved(detected, step, problem, &shift, &mut guess, report)?;
                drop_restitution(&of, &mut restitution, report);
                let attempt = problem.attempt(&mut self.solver, &shifts(&restitution), guess)?;
                attempt.judged(unsolved, self.was_above)?
            }
            solved => solved?,
        };
        report.count(&answer.report);
        if restitution.iter().any(|&restitution| restitution > 0.0)
            && let Some(gaining) = gaining(problem, &answer)
        {
            drop_restitution(&gaining, &mut restitution, report);
            let attempt = problem.attempt(&mut self.solver, &shifts(&restitution), answer.force)?;
            answer = attempt.judged(unsolved, self.was_above)?;
            report.count(&answer.report);
        }
        Ok((answer, restitution))
    }

    /// Whether each contact of an unsolved problem is in an island with impacts that cannot be solved alone either. The
    /// forces of islands that are solved are written to `guess`.
    ///
    /// # Errors
    /// Those of the contact map and of solvers. An island that is not solved is no error: it is told in the result.
    fn impacts_not_solved(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        problem: &StepProblem,
        shift: &[f64],
        guess: &mut [f64],
        report: &mut FrictionStepReport,
    ) -> Result<Vec<bool>, DemError> {
        let size = problem.block();
        let island = islands(problem);
        let mut by_island: Vec<usize> = (0..island.len()).collect();
        by_island.sort_by_key(|&i| island[i]);
        let mut not_solved = vec![false; island.len()];
        let has_impact = |members: &&[usize]| members.iter().any(|&i| shift[i] < 0.0);
        for members in by_island.chunk_by(|&i, &j| island[i] == island[j]).filter(has_impact) {
            // If there is only one island, its problem is already known not to be solved.
            if members.len() < island.len() {
                let part: Vec<DetectedContact> = members.iter().map(|&i| detected[i]).collect();
                let shift: Vec<f64> = members.iter().map(|&i| shift[i]).collect();
                let start: Vec<f64> = members.iter().flat_map(|&i| &guess[i * size..(i + 1) * size]).copied().collect();
                let alone = StepProblem::new(&part, step, &self.materials)?;
                match alone.solve(&mut self.solver, &shift, start) {
                    Ok(answer) => {
                        report.count(&answer.report);
                        for (&i, force) in members.iter().zip(answer.force.chunks_exact(size)) {
                            guess[i * size..(i + 1) * size].copy_from_slice(force);
                        }
                        continue;
                    }
                    Err(DemError::Step(StepError::ContactsNotSolved { .. })) => {}
                    Err(error) => return Err(error),
                }
            }
            members.iter().for_each(|&i| not_solved[i] = true);
        }
        Ok(not_solved)
    }

    /// Adds the angular impulses of the contacts to the angular momenta of the bodies.
    fn add_impulses(&self, detected: &[DetectedContact], contacts: &[RigidContact], momentum: &mut [DVec3]) {
        for (DetectedContact { arms, .. }, contact) in detected.iter().zip(contacts) {
            let force = contact.force * contact.normal + contact.tangential_force;
            momentum[contact.a] -= self.dt * (arms[0].cross(force) + contact.couple);
            if !contact.with_wall {
                momentum[contact.b] += self.dt * (arms[1].cross(force) + contact.couple);
            }
        }
    }

    /// Moves overlapping bodies of the state `next` apart, after a step.
    fn move_apart(
        &mut self,
        bodies: &Bodies,
        state: &State,
        next: &mut State,
        travel_bound: &[f64],
        report: &mut FrictionStepReport,
    ) -> Result<(), DemError> {
        next.set_time(state.time() + self.dt);
        let before = next.position().clone();
        let allowed = Allowed { overlap: self.overlap, travel_bound, dt: self.dt };
        let Separation { overlap, moves, left } = separate(&mut self.detector, bodies, next, allowed)?;
        (report.overlap, report.separations, report.overlap_left) = (overlap, moves, left);
        if moves > 0 {
            report.separation_work = work_on_moved(bodies, state, &before, next.position());
        }
        Ok(())
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
