//! One step of contact dynamics.

use cd_solve::LcpSolver;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, IntegrateError, State, Turn};

use crate::contact_dynamics::ContactDynamics;
use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::problem::{Problem, Velocities};
use crate::contact_dynamics::report::{DynamicsReport, StepContacts};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::solvers::{self, Solution, complementarity};
use crate::error::DemError;
use crate::error::step::StepError;

/// Searches for contacts after which a step is given up: each one at least doubles how far some body may move.
const SEARCHES: usize = 64;

impl<S: LcpSolver> ContactDynamics<S> {
    /// Writes the state after `state`, which has wrenches, to `next`; what the contacts did.
    pub(super) fn advance(
        &mut self,
        bodies: &Bodies,
        state: &State,
        next: &mut State,
    ) -> Result<StepContacts, DemError> {
        let turning = !self.finder.planks.is_empty();
        if !state.has_attitudes() && (turning || bodies.check_spherical().is_err()) {
            return Err(IntegrateError::NoAttitudes.into());
        }
        let angular = |momentum: &dyn Fn(usize) -> DVec3| {
            let all = 0..if turning { bodies.len() } else { 0 };
            all.map(|body| spin(bodies, state, body, momentum(body))).collect()
        };
        let start = Velocities {
            linear: state.velocity().iter().collect(),
            angular: angular(&|body| state.angular_momentum().get(body)),
        };
        let (force, torque) = loads(state, bodies.len());
        let momentum: Vec<DVec3> =
            (0..bodies.len()).map(|body| state.angular_momentum().get(body) + self.dt * torque(body)).collect();
        let pushed = |body: usize| start.linear[body] + self.dt * bodies.inverse_mass()[body] * force(body);
        let free =
            Velocities { linear: (0..bodies.len()).map(pushed).collect(), angular: angular(&|body| momentum[body]) };
        // How far each body may move before contacts are missed.
        let floor = 0.5 * self.finder.skin();
        let mut reach: Vec<f64> =
            (0..bodies.len()).map(|body| floor.max(self.way(&free, body)).max(self.way(&start, body))).collect();
        let mut known = std::mem::take(&mut self.outcome.contacts);
        let outcome = self.search((bodies, state), [&start, &free], &mut reach, &known);
        std::mem::swap(&mut self.outcome.contacts, &mut known);
        let (outcome, velocity, found) = outcome?;
        self.write(bodies, state, (&velocity, momentum, &found, &outcome), next)?;
        Ok(outcome)
    }

    /// How far the surface of `body` may move in a step, in m.
    fn way(&self, velocity: &Velocities, body: usize) -> f64 {
        let angular = velocity.angular.get(body).copied().unwrap_or_default();
        self.dt * (velocity.linear[body].length() + self.finder.turning_radius(body) * angular.length())
    }

    /// Resolves the contacts of bodies that move no further than `reach`, which grows until that is so.
    fn search(
        &mut self,
        (bodies, state): (&Bodies, &State),
        [start, free]: [&Velocities; 2],
        reach: &mut [f64],
        known: &[RigidContact],
    ) -> Result<(StepContacts, Velocities, Vec<DetectedContact>), DemError> {
        let mut guess = if self.warm_start { known.to_vec() } else { Vec::new() };
        for searches in 1..=SEARCHES {
            let found = self.finder.find(bodies, state, self.dt, reach)?;
            let (mut outcome, velocity) = self.resolve(&found, (bodies, state), [start, free], &guess)?;
            let mut complete = true;
            for (body, reach) in reach.iter_mut().enumerate() {
                let way = self.way(&velocity, body);
                if way > *reach * (1.0 + 1e-9) {
                    (complete, *reach) = (false, 2.0 * way);
                }
            }
            if complete {
                outcome.report.searches = searches;
                self.add_compatible(&mut outcome)?;
                return Ok((outcome, velocity, found));
            }
            guess = outcome.contacts;
        }
        let (problem, status) = ("the search for contacts", cd_solve::Status::IterationLimit);
        Err(DemError::Step(StepError::ContactsNotSolved { problem, status, iterations: SEARCHES, residual: f64::NAN }))
    }

    /// Contact forces and the velocities after the step.
    fn resolve(
        &mut self,
        found: &[DetectedContact],
        (bodies, state): (&Bodies, &State),
        [start, free]: [&Velocities; 2],
        guess: &[RigidContact],
    ) -> Result<(StepContacts, Velocities), DemError> {
        let mut velocity = free.clone();
        let Some(problem) = Problem::new(found, (bodies, state), free, self.dt)? else {
            return Ok((StepContacts::default(), velocity));
        };
        let mut contacts: Vec<RigidContact> = found.iter().map(|found| found.contact).collect();
        let known = |contact: &RigidContact| {
            let at = guess.binary_search_by_key(&contact.key(), RigidContact::key);
            at.map_or(0.0, |at| guess[at].force)
        };
        let force = contacts.iter().map(known).collect();
        let target: Vec<f64> = problem.gap_rate.iter().zip(&problem.driven).map(|(gap, driven)| gap + driven).collect();
        let mut report = DynamicsReport::default();
        let mut answer = self.first(&problem, &target, &contacts, force, problem.mean_mass(bodies, self.dt))?;
        let slot = if self.one_step.is_some() { &mut report.one_step } else { &mut report.complementarity };
        *slot = Some(answer.report);
        if let Some(bouncing) = self.bouncing(&problem, &target, &answer, start)? {
            let Solution { force, .. } = answer;
            answer = self.first(&problem, &bouncing, &contacts, force, problem.mean_mass(bodies, self.dt))?;
            report.restitution = Some(answer.report);
        }
        let mut slack = vec![0.0; contacts.len()];
        problem.map.apply(&answer.velocity, &mut slack)?;
        for (i, contact) in contacts.iter_mut().enumerate() {
            (contact.force, contact.slack) = (answer.force[i], target[i] + slack[i]);
        }
        // What the solver's tolerance leaves on open contacts is not part of what compatible forces balance.
        let closed = answer.force.iter().zip(&answer.open).map(|(force, open)| if *open { 0.0 } else { *force });
        let mut load = vec![0.0; problem.free.len()];
        problem.map.apply_transpose(&closed.collect::<Vec<f64>>(), &mut load)?;
        problem.scatter(&answer.velocity, &mut velocity);
        Ok((StepContacts { contacts, map: Some(problem.map), open: answer.open, load, report }, velocity))
    }

    /// The velocity problem with these targets, by the solver in charge.
    fn first(
        &mut self,
        problem: &Problem,
        target: &[f64],
        contacts: &[RigidContact],
        force: Vec<f64>,
        mean_mass: f64,
    ) -> Result<Solution, DemError> {
        match &self.one_step {
            None => complementarity(&mut self.solver, problem, target, force),
            Some((law, compliance)) => {
                let stiffness = law.stiffnesses(contacts);
                let (law, scale) = ((law.exponent(), *compliance), (&stiffness[..], mean_mass));
                solvers::one_step(&mut self.one_step_solver, problem, target, law, scale)
            }
        }
    }

    /// The targets with restitution at the contacts that are not open and that the velocities at the start would close, if
    /// there are any.
    fn bouncing(
        &self,
        problem: &Problem,
        target: &[f64],
        answer: &Solution,
        start: &Velocities,
    ) -> Result<Option<Vec<f64>>, DemError> {
        if self.restitution <= 0.0 {
            return Ok(None);
        }
        let mut approach = vec![0.0; target.len()];
        problem.map.apply(&problem.columns(start), &mut approach)?;
        let mut any = false;
        let bounce = |i: usize| {
            let approach = approach[i] + problem.driven[i];
            let rebound = self.restitution * approach;
            // What only the load of this step brings together lands first, or it would hover at its gap.
            if answer.open[i] || problem.gap_rate[i] + approach > 0.0 || rebound >= problem.gap_rate[i] {
                return target[i];
            }
            any = true;
            problem.driven[i] + rebound.min(0.0)
        };
        let bouncing = (0..target.len()).map(bounce).collect();
        Ok(any.then_some(bouncing))
    }

    fn add_compatible(&mut self, outcome: &mut StepContacts) -> Result<(), DemError> {
        if let Some(law) = &self.compatible {
            let (force, report) = solvers::compatible(&mut *self.compatibility, outcome, law)?;
            outcome.report.compatibility = report;
            let contacts = outcome.contacts.iter_mut().zip(force);
            contacts.for_each(|(contact, force)| contact.compatible_force = Some(force));
        }
        Ok(())
    }

    /// Positions, attitudes and momenta after the step. `momentum` are the angular ones without contacts.
    fn write(
        &self,
        bodies: &Bodies,
        state: &State,
        (velocity, mut momentum, found, outcome): (&Velocities, Vec<DVec3>, &[DetectedContact], &StepContacts),
        next: &mut State,
    ) -> Result<(), DemError> {
        for (DetectedContact { contact, levers, .. }, RigidContact { force, .. }) in found.iter().zip(&outcome.contacts)
        {
            momentum[contact.a] -= self.dt * force * levers[0];
            if !contact.with_wall {
                momentum[contact.b] += self.dt * force * levers[1];
            }
        }
        for &body in bodies.fixed() {
            momentum[body] = state.angular_momentum().get(body);
        }
        for (body, momentum) in momentum.into_iter().enumerate() {
            let linear = velocity.linear[body];
            next.velocity_mut().set(body, linear);
            next.position_mut().set(body, state.position().get(body) + self.dt * linear);
            next.angular_momentum_mut().set(body, momentum);
        }
        if state.has_attitudes() && !state.is_empty() {
            let turn = if bodies.check_spherical().is_ok() { Turn::Cayley } else { Turn::CayleySplitting };
            let momentum = next.angular_momentum().clone();
            turn.advance(self.dt, bodies, &momentum, state.attitude(), next.attitude_mut())?;
        }
        Ok(())
    }
}

/// Force and torque on each body at `state`.
fn loads(state: &State, len: usize) -> (impl Fn(usize) -> DVec3 + '_, impl Fn(usize) -> DVec3 + '_) {
    let wrenches = state.wrenches().filter(|wrenches| wrenches.len() == len);
    let force = move |body: usize| wrenches.map_or(DVec3::ZERO, |wrenches| wrenches.force.get(body));
    let torque = move |body: usize| wrenches.map_or(DVec3::ZERO, |wrenches| wrenches.torque.get(body));
    (force, torque)
}

/// The angular velocity of `body` at the attitude of `state` under the angular momentum `momentum`, world frame.
fn spin(bodies: &Bodies, state: &State, body: usize, momentum: DVec3) -> DVec3 {
    let inverse = bodies.inverse_inertia().get(body);
    if inverse == DVec3::splat(inverse.x) {
        return momentum * inverse.x;
    }
    let attitude = state.attitude().get(body);
    attitude.rotate(inverse * attitude.rotate_inverse(momentum))
}
