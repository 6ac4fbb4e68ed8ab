//! One step of contact dynamics, with friction or without: `[OK18] (12)-(17)`, Moreau (1988), Jean (1999).

use rrp_integrate::step::take_step;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Integrator, Scheme, State, StepReport};

use crate::contact_dynamics::motion::{FreeMotion, Moved, write_state};
use crate::contact_dynamics::report::StepContacts;
use crate::contact_dynamics::rigid_dynamics::RigidDynamics;
use crate::contact_dynamics::rigid_law::{RigidLaw, Solved, StepBodies};
use crate::contact_dynamics::separation::{Allowed, Separation, separate};
use crate::contact_dynamics::travel_bounds::{SEARCHES, TravelBounds};
use crate::error::DemError;

impl<L: RigidLaw> Integrator for RigidDynamics<L> {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 1, symplectic: false, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let mut next = std::mem::replace(&mut self.next, State::at_rest(0));
        let time = state.time();
        let mut solved = None;
        let taken = take_step(bodies, field, state, &mut next, self.dt, |state, next| {
            let found = advance(self, bodies, state, next).map_err(|error| match error {
                DemError::Integrate(error) => error,
                error => IntegrateError::Method(FieldError::from(error)),
            })?;
            Ok(solved.insert(found).report.iterations)
        });
        self.next = next;
        let report = taken?;
        if let Some(step_contacts) = solved {
            self.last = step_contacts;
        }
        self.began = time;
        Ok(report)
    }
}

/// Takes one step from `state`, which must have wrenches, and writes the new state to `next`.
///
/// # Errors
/// Errors of detection and of solvers; [`IntegrateError::NoAttitudes`] for bodies whose inertia turns with them.
fn advance<L: RigidLaw>(
    dynamics: &mut RigidDynamics<L>,
    bodies: &Bodies,
    state: &State,
    next: &mut State,
) -> Result<StepContacts, DemError> {
    if !state.has_attitudes() && (!dynamics.detector.cuboids.is_empty() || bodies.check_spherical().is_err()) {
        return Err(IntegrateError::NoAttitudes.into());
    }
    let dt = dynamics.dt;
    let mut motion = FreeMotion::new(bodies, state, dt);
    let mut bounds = TravelBounds::new(&dynamics.detector, &motion, dt);
    let mut separation = Separation::default();
    let mut apart = None;
    // Contact forces would turn initial overlaps into motion.
    if L::CLOSES_OVERLAPS && dynamics.last.contacts.is_empty() {
        let allowed = Allowed { overlap: dynamics.overlap, travel_bound: bounds.as_slice(), dt };
        separation = separate(&mut dynamics.detector, bodies, state, apart.insert(state.clone()), allowed)?;
    }
    let start = apart.as_ref().unwrap_or(state);
    let solved = solve_until_complete(dynamics, bodies, start, &motion, &mut bounds)?;
    let Solved { mut step_contacts, velocity, angular_impulses } = solved;
    for (contact, [on_a, on_b]) in step_contacts.contacts.iter().zip(angular_impulses) {
        motion.momentum[contact.a] -= on_a;
        if !contact.with_wall {
            motion.momentum[contact.b] += on_b;
        }
    }
    write_state(Moved { bodies, state: start, velocity: &velocity.linear, dt }, motion.momentum, next)?;
    if !L::CLOSES_OVERLAPS {
        // Walls are in their poses at the end of the step.
        next.set_time(state.time() + dt);
        let allowed = Allowed { overlap: dynamics.overlap, travel_bound: bounds.as_slice(), dt };
        separation = separate(&mut dynamics.detector, bodies, state, next, allowed)?;
        step_contacts.report.overlap = separation.overlap;
    }
    step_contacts.report.separations = separation.moves;
    step_contacts.report.overlap_left = separation.left;
    step_contacts.report.separation_work = separation.work;
    Ok(step_contacts)
}

/// Detects contacts and finds their forces, repeatedly, until no body moves further than its travel bound.
fn solve_until_complete<L: RigidLaw>(
    dynamics: &mut RigidDynamics<L>,
    bodies: &Bodies,
    state: &State,
    motion: &FreeMotion,
    bounds: &mut TravelBounds,
) -> Result<Solved, DemError> {
    let RigidDynamics { dt, detector, law, warm_start, last, .. } = dynamics;
    let guess = if *warm_start { last.contacts.clone() } else { Vec::new() };
    let mut before = StepContacts { contacts: guess, ..StepContacts::default() };
    for searches in 1..=SEARCHES {
        let detected = detector.detect(bodies, state, *dt, bounds.as_slice())?;
        let was_above = last.report.above_bound;
        let step = StepBodies { bodies, state, motion, dt: *dt, detector, was_above };
        let mut solved = law.solve(step, &detected, before)?;
        if bounds.hold_or_grow(detector, &solved.velocity) {
            solved.step_contacts.report.searches = searches;
            law.complete(&mut solved.step_contacts)?;
            return Ok(solved);
        }
        before = solved.step_contacts;
    }
    Err(TravelBounds::given_up())
}
