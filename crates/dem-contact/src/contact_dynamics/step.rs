//! One step of contact dynamics, `[OK18] (12)-(17)`.

use cd_solve::{LcpSolver, Report};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, IntegrateError, State};

use crate::contact_dynamics::ContactDynamics;
use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::impacts::{BeforeImpacts, Impacts};
use crate::contact_dynamics::motion::{FreeMotion, Moved, write_state};
use crate::contact_dynamics::pass_limits::ROUNDING;
use crate::contact_dynamics::problem::{Velocities, VelocityProblem};
use crate::contact_dynamics::report::{DynamicsReport, StepContacts};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::separation::{Allowed, OVERLAP, Separation, separate, work_on_moved};
use crate::contact_dynamics::solvers::{self, Compliance, Solution, complementarity};
use crate::contact_dynamics::travel_bounds::{SEARCHES, TravelBounds};
use crate::error::DemError;

/// Bodies and their velocities in a step without friction, before contacts act.
#[derive(Clone, Copy)]
struct Motion<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    /// Velocities of all bodies at the start of the step.
    start: &'a Velocities,
    /// Velocities of all bodies after the step without contacts.
    free: &'a Velocities,
}

/// State after overlapping bodies were moved apart, before the step.
struct MovedApart {
    state: State,
    /// Largest overlap in m of two bodies, or of a body and a wall, before bodies were moved apart.
    overlap: f64,
    /// Largest overlap in m that is left after bodies were moved apart, if it is above the allowed one; else zero.
    left: f64,
    /// Work in J of the force field on the bodies that were moved apart.
    work: f64,
}

/// Solution of a step without friction: contacts, forces and velocities.
struct Resolved {
    step_contacts: StepContacts,
    /// Velocities of all bodies after the step without friction.
    velocity: Velocities,
    detected: Vec<DetectedContact>,
}

impl<S: LcpSolver> ContactDynamics<S> {
    /// Takes one step without friction from `state`, which has wrenches, and writes the state after it to `next`: free
    /// velocities, contacts and their forces, positions.
    ///
    /// # Errors
    /// Those of detection and solvers, and [`IntegrateError::NoAttitudes`] for bodies that have to turn.
    pub(super) fn advance(
        &mut self,
        bodies: &Bodies,
        state: &State,
        next: &mut State,
    ) -> Result<StepContacts, DemError> {
        let turning = !self.detector.cuboids.is_empty();
        if !state.has_attitudes() && (turning || bodies.check_spherical().is_err()) {
            return Err(IntegrateError::NoAttitudes.into());
        }
        let free_motion = FreeMotion::new(bodies, state, self.dt, turning);
        let bounds = TravelBounds::new(&self.detector, &free_motion, self.dt);
        let FreeMotion { start, free, mut momentum } = free_motion;
        let apart = self.moved_apart(bodies, state, bounds.as_slice())?;
        let state = apart.as_ref().map_or(state, |apart| &apart.state);
        let previous = std::mem::take(&mut self.step_contacts.contacts);
        let motion = Motion { bodies, state, start: &start, free: &free };
        let resolved = self.resolve_all(motion, bounds, &previous);
        self.step_contacts.contacts = previous;
        let Resolved { mut step_contacts, velocity, detected } = resolved?;
        if let Some(MovedApart { overlap, left, work, .. }) = apart {
            let report = &mut step_contacts.report;
            (report.separated_overlap, report.overlap_left, report.separation_work) = (overlap, left, work);
        }
        self.add_impulses(&detected, &step_contacts, &mut momentum);
        write_state(Moved { bodies, state, velocity: &velocity.linear, dt: self.dt }, momentum, next)?;
        Ok(step_contacts)
    }

    /// Returns the state with overlapping bodies moved apart, if the last step had no contact. Overlaps that a later
    /// step leaves are closed by the step after it.
    fn moved_apart(
        &mut self,
        bodies: &Bodies,
        state: &State,
        travel_bound: &[f64],
    ) -> Result<Option<MovedApart>, DemError> {
        if !self.step_contacts.contacts.is_empty() {
            return Ok(None);
        }
        let mut apart = state.clone();
        let allowed = Allowed { overlap: OVERLAP, travel_bound, dt: self.dt };
        let Separation { overlap, moves, left } = separate(&mut self.detector, bodies, &mut apart, allowed)?;
        let work = work_on_moved(bodies, state, state.position(), apart.position());
        Ok((moves > 0 || left > 0.0).then_some(MovedApart { state: apart, overlap, left, work }))
    }

    /// Detects contacts and solves for their forces, repeated until no body moves further than its travel bound.
    fn resolve_all(
        &mut self,
        motion: Motion<'_>,
        mut bounds: TravelBounds,
        previous: &[RigidContact],
    ) -> Result<Resolved, DemError> {
        let mut guess = if self.warm_start { previous.to_vec() } else { Vec::new() };
        for searches in 1..=SEARCHES {
            let detected = self.detector.detect(motion.bodies, motion.state, self.dt, bounds.as_slice())?;
            let (mut step_contacts, velocity) = self.resolve(&detected, motion, &guess)?;
            if bounds.hold_or_grow(&self.detector, &velocity) {
                step_contacts.report.searches = searches;
                self.add_compatible_forces(&mut step_contacts)?;
                return Ok(Resolved { step_contacts, velocity, detected });
            }
            guess = step_contacts.contacts;
        }
        Err(TravelBounds::given_up())
    }

    /// Solves for the forces of these contacts and the velocities after the step; the solver starts from the forces of
    /// the contacts `guess`.
    fn resolve(
        &mut self,
        detected: &[DetectedContact],
        Motion { bodies, state, start, free }: Motion<'_>,
        guess: &[RigidContact],
    ) -> Result<(StepContacts, Velocities), DemError> {
        let mut velocity = free.clone();
        let Some(mut problem) = VelocityProblem::new(detected, bodies, state, free, self.dt)? else {
            return Ok((StepContacts::default(), velocity));
        };
        let mut contacts: Vec<RigidContact> = detected.iter().map(|detected| detected.contact).collect();
        let guessed = |contact: &RigidContact| {
            let at = guess.binary_search_by_key(&contact.key(), RigidContact::key);
            at.map_or(0.0, |at| guess[at].force)
        };
        let force = contacts.iter().map(guessed).collect();
        let target: Vec<f64> = problem.gap_rate.iter().zip(&problem.driven).map(|(gap, driven)| gap + driven).collect();
        let mut report = DynamicsReport::default();
        let mean_mass = problem.mean_mass(bodies, self.dt);
        let mut solution = self.solve_velocity_problem(&problem, &target, &contacts, force, mean_mass)?;
        if self.compliant_step.is_some() {
            report.compliant_step = Some(solution.report);
        } else {
            report.complementarity = Some(solution.report);
        }
        let before = BeforeImpacts { bodies, state, start, free, open: &solution.open };
        if let Some(impacts) = self.impacts(detected, &problem, before)? {
            let Impacts { velocity: struck, force: impulse, rate, passes, iterations, unfinished } = impacts;
            // The load acts on the bodies after their impacts, and closes no contact that they opened.
            let opened = |i: usize| match rate[i] {
                Some(rate) => target[i].min(problem.driven[i] - rate.max(0.0)),
                None => target[i],
            };
            let bouncing: Vec<f64> = (0..target.len()).map(opened).collect();
            let columns = [&struck, start].map(|velocity| problem.columns(velocity));
            for (free, (struck, start)) in problem.free.iter_mut().zip(columns[0].iter().zip(&columns[1])) {
                *free = struck + (*free - start);
            }
            let mut offset = vec![0.0; target.len()];
            problem.map.apply(&problem.free, &mut offset)?;
            offset.iter_mut().zip(&bouncing).for_each(|(offset, target)| *offset += target);
            let most = offset.iter().fold(0.0_f64, |most, offset| most.max(offset.abs()));
            // Without a load there is nothing left to solve, and a warm start would leave errors as large as the
            // tolerance.
            let is_solved = offset.iter().all(|offset| *offset >= -ROUNDING * most);
            let guess = if is_solved { vec![0.0; target.len()] } else { solution.force };
            solution = self.solve_velocity_problem(&problem, &bouncing, &contacts, guess, mean_mass)?;
            solution.force.iter_mut().zip(&impulse).for_each(|(force, impulse)| *force += impulse);
            report.restitution =
                Some(Report { iterations: solution.report.iterations + iterations, ..solution.report });
            (report.impact_passes, report.unfinished_impacts) = (passes, unfinished);
        }
        let mut slack = vec![0.0; contacts.len()];
        let mut rate = vec![0.0; contacts.len()];
        problem.map.apply(&solution.velocity, &mut slack)?;
        problem.map.apply(&problem.columns(start), &mut rate)?;
        for (i, contact) in contacts.iter_mut().enumerate() {
            (contact.force, contact.slack) = (solution.force[i], target[i] + slack[i]);
            contact.power_by_motion.normal = -solution.force[i] * (problem.driven[i] + 0.5 * (rate[i] + slack[i]));
            report.dissipated += self.dt * contact.power_by_motion.normal;
            report.wall_work -= self.dt * solution.force[i] * problem.driven[i];
            report.overlap = report.overlap.max(-self.dt * contact.slack);
        }
        // Compatible forces do not balance the forces that the solver's tolerance leaves on open contacts.
        let Solution { force, open, force_size, .. } = solution;
        let closed: Vec<f64> = force.iter().zip(&open).map(|(force, open)| if *open { 0.0 } else { *force }).collect();
        let mut load = vec![0.0; problem.free.len()];
        let mut load_size = vec![0.0; problem.free.len()];
        problem.map.apply_transpose(&closed, &mut load)?;
        // The load is a sum of forces that may cancel, each of which is accurate relative to its scale.
        let known: Vec<f64> = closed.iter().zip(&force_size).map(|(force, size)| force + size).collect();
        problem.map.sizes_of_forces(&known, &mut load_size)?;
        problem.scatter(&solution.velocity, &mut velocity);
        Ok((StepContacts { contacts, map: Some(problem.map), open, load, load_size, report }, velocity))
    }

    /// Solves 0 ≤ f ⟂ u + `target` ≥ 0 for the contact forces f, where u are the rates (m/s) of gaps after the step, as
    /// a complementarity problem or by the minimisation for contacts of a small compliance.
    pub(super) fn solve_velocity_problem(
        &mut self,
        problem: &VelocityProblem,
        target: &[f64],
        contacts: &[RigidContact],
        force: Vec<f64>,
        mean_mass: f64,
    ) -> Result<Solution, DemError> {
        match &self.compliant_step {
            None => complementarity(&mut self.solver, problem, target, force),
            Some((law, compliance)) => {
                let stiffness = law.stiffnesses(contacts);
                let exponent = law.exponent();
                let compliance = *compliance;
                let law = Compliance { exponent, compliance, stiffness: &stiffness, mean_mass };
                solvers::compliant_step(&mut self.compliant_step_solver, problem, target, law)
            }
        }
    }

    /// Computes compatible forces, the rigid limit of elastic contact forces, if they are wanted in every step.
    fn add_compatible_forces(&mut self, step_contacts: &mut StepContacts) -> Result<(), DemError> {
        if let Some(law) = &self.compatible {
            let (force, report) = solvers::compatible(&mut *self.compatibility, step_contacts, law)?;
            step_contacts.report.compatibility = report;
            let contacts = step_contacts.contacts.iter_mut().zip(force);
            contacts.for_each(|(contact, force)| contact.compatible_force = Some(force));
        }
        Ok(())
    }

    /// Adds the angular impulses of the contacts to the angular momenta of the bodies.
    fn add_impulses(&self, detected: &[DetectedContact], step_contacts: &StepContacts, momentum: &mut [DVec3]) {
        let resolved = detected.iter().zip(&step_contacts.contacts);
        for (DetectedContact { contact, levers, .. }, RigidContact { force, .. }) in resolved {
            momentum[contact.a] -= self.dt * force * levers[0];
            if !contact.with_wall {
                momentum[contact.b] += self.dt * force * levers[1];
            }
        }
    }
}
