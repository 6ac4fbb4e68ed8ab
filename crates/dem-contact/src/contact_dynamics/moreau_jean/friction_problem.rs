//! Friction problem of a step: its contacts as matrices and vectors.
//!
//! The local velocity of a contact is u = H v + d = (uₙ, uₜ₁, uₜ₂), then the relative angular velocity if contacts
//! resist rolling or twisting; d is the velocity of walls and fixed bodies. Local forces are in N: W = dt H M⁻¹ Hᵀ.

use std::ops::Range;

use cd_solve::friction::{
    ContactMap, Frame, FrictionCoefficients, FrictionContact, FrictionMatrix, FrictionProblem, FrictionReport,
    FrictionSolver, Resistance,
};
use cd_solve::{BodyBlocks, Report, Status};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::detection::{DetectedContact, is_fixed};
use crate::contact_dynamics::impact_passes::SLOW;
use crate::contact_dynamics::moreau_jean::unsolved::Unsolved;
use crate::contact_dynamics::motion::Velocities;
use crate::contact_dynamics::problem::{Members, block, columns};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::rigid_law::StepBodies;
use crate::contact_dynamics::rigid_materials::{ContactCoefficients, RigidMaterials};
use crate::contact_dynamics::separation::CLOSED;
use crate::contact_dynamics::solvers::checked;
use crate::error::DemError;
use crate::law::PowerByMotion;
use crate::law::least_rotation::LeastRotation;

/// A gap that this fraction of the speed of the faster body would close within the step counts as closed. Solvers leave
/// errors of 1e-8 of the speeds, which open gaps of this size.
const CLOSES_SLOWLY: f64 = 1e-7;

/// Friction problem of a step: contacts with frames and coefficients, the matrix H, and velocities at the contacts.
#[derive(Debug)]
pub(super) struct StepProblem {
    map: ContactMap,
    pub(super) members: Members,
    contacts: Vec<RigidContact>,
    frames: Vec<Frame>,
    coefficients: Vec<ContactCoefficients>,
    /// Velocities at the contacts, in their frames, by the motion of walls and fixed bodies.
    pub(super) driven: Vec<f64>,
    /// Velocities at the contacts, in their frames, at the start of the step.
    pub(super) start: Vec<f64>,
    /// Velocities at the contacts, in their frames, after the step without contact forces.
    pub(super) free: Vec<f64>,
    pub(super) fastest: f64,
    faster: Vec<f64>,
    /// Bound in m/s on the speed at each contact from rounding of the last step's forces; empty if these are unknown.
    rounding: Vec<f64>,
    dt: f64,
}

/// Forces and velocities of the contacts that solve a friction problem, with the solver's report.
#[derive(Debug)]
pub(super) struct Answer {
    /// Forces of all contacts in N, in their frames, with couples where contacts resist rolling.
    pub(in crate::contact_dynamics) force: Vec<f64>,
    /// Velocities of all contacts at the end of the step, in their frames.
    pub(in crate::contact_dynamics) velocity: Vec<f64>,
    /// Velocity changes of the bodies by the contact forces, six components for each body.
    pub(super) change: Vec<f64>,
    pub(super) report: FrictionReport,
    /// Bound on the relative residual from rounding of the contact forces.
    rounding: f64,
}

impl Answer {
    /// Returns the answer if the policy accepts it; `was_above` tells whether the residual of the last step exceeded
    /// the bound of the policy.
    ///
    /// # Errors
    /// [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved).
    pub(super) fn accepted_by(self, policy: Unsolved, was_above: bool) -> Result<Self, DemError> {
        policy.check(NAME, &self.report, was_above).map_err(DemError::Step)?;
        Ok(self)
    }

    /// Error of the power r·u (force times velocity, summed over all contacts) from the solver's residual and rounding.
    pub(super) fn noise(&self, problem: &StepProblem) -> f64 {
        let norm = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>().sqrt();
        ((10.0 * self.report.residual).max(self.rounding) + 1e-13)
            * norm(&self.force)
            * norm(&problem.free).max(norm(&problem.start))
    }
}

impl StepProblem {
    /// Poses the friction problem of these contacts, of which there must be at least one.
    ///
    /// # Errors
    /// Errors of [`ContactMap`].
    pub(super) fn new(
        found: &[DetectedContact],
        StepBodies { bodies, state, motion, dt, .. }: StepBodies<'_>,
        materials: &RigidMaterials,
    ) -> Result<Self, DemError> {
        let resistance = materials.resistance();
        let members = Members::of(found, bodies);
        let contacts: Vec<RigidContact> = found.iter().map(|found| found.contact).collect();
        let frames: Vec<Frame> = contacts.iter().map(|contact| Frame::from_normal(contact.normal.to_array())).collect();
        let framed: Vec<FrictionContact> = found
            .iter()
            .zip(&frames)
            .zip(&members.pairs)
            .map(|((found, &frame), &pair)| FrictionContact { pair, frame, arms: found.arms.map(|arm| arm.to_array()) })
            .collect();
        let blocks = members.members.iter().flat_map(|&body| block(bodies, state, body, dt)).collect();
        let map = ContactMap::new(resistance, &framed, BodyBlocks::full(6, blocks)?)?;
        let driven: Vec<f64> = found
            .iter()
            .zip(&frames)
            .flat_map(|(found, frame)| {
                let (velocity, spin) = driving(found, bodies, state);
                local(resistance, frame, velocity, spin)
            })
            .collect();
        let speed = |body: usize| motion.start.linear[body].length().max(motion.free.linear[body].length());
        let fastest = motion.fastest();
        let faster = contacts.iter().map(|contact| {
            let other = if contact.with_wall { 0.0 } else { speed(contact.b) };
            speed(contact.a).max(other)
        });
        let faster = faster.collect();
        let coefficients = contacts.iter().map(|contact| materials.of(contact)).collect();
        let start = Vec::new();
        let free = Vec::new();
        let rounding = Vec::new();
        let mut problem =
            Self { map, members, contacts, frames, coefficients, driven, start, free, fastest, faster, rounding, dt };
        (problem.start, problem.free) = (problem.rates(&motion.start)?, problem.rates(&motion.free)?);
        Ok(problem)
    }

    /// Computes the velocities of all contacts, in their frames, from velocities of the bodies.
    ///
    /// # Errors
    /// Errors of [`ContactMap`].
    pub(super) fn rates(&self, velocity: &Velocities) -> Result<Vec<f64>, DemError> {
        let mut rates = vec![0.0; self.driven.len()];
        self.map.apply(&columns(&self.members.members, velocity, true), &mut rates)?;
        rates.iter_mut().zip(&self.driven).for_each(|(rate, driven)| *rate += driven);
        Ok(rates)
    }

    /// Adds the velocity changes by the contact forces of an answer to the velocities of the bodies.
    pub(super) fn add_change(&self, answer: &Answer, velocity: &mut Velocities) {
        for (&body, change) in self.members.members.iter().zip(answer.change.chunks_exact(6)) {
            velocity.linear[body] += DVec3::from_slice(change);
            velocity.angular[body] += DVec3::from_slice(&change[3..]);
        }
    }

    /// Number of components of the local velocity at a contact: 3, or more with rolling and twisting.
    pub(super) fn block(&self) -> usize {
        self.map.block()
    }

    pub(super) fn restitution(&self) -> Vec<f64> {
        self.coefficients.iter().map(|coefficients| coefficients.restitution).collect()
    }

    /// Rate Φ/dt in m/s that closes the gap Φ of contact `i` in one step.
    pub(super) fn gap_rate(&self, i: usize) -> f64 {
        self.contacts[i].gap / self.dt
    }

    /// Adds bounds on the contact velocities from rounding of `last`, the contact forces of the previous step. A light
    /// body under a heavy one moves by the rounding of the difference of two large forces, which opens gaps.
    ///
    /// # Errors
    /// Errors of [`ContactMap`].
    pub(super) fn with_rounding_of(mut self, last: &[f64]) -> Result<Self, DemError> {
        let mut sizes = vec![0.0; last.len()];
        self.map.sizes_of_velocity(last, &mut sizes)?;
        self.rounding = sizes.iter().step_by(self.block()).map(|size| 8.0 * f64::EPSILON * size).collect();
        Ok(self)
    }

    /// Bound in m/s on the speed of contact `i` from rounding of the last step's forces; zero if these are unknown.
    fn rounding_of(&self, i: usize) -> f64 {
        self.rounding.get(i).copied().unwrap_or(0.0)
    }

    /// Rate Φ/dt in m/s of contact `i`, or zero if its gap Φ counts as closed: an overlap, or a gap within [`CLOSED`],
    /// [`CLOSES_SLOWLY`] or rounding.
    pub(super) fn open_gap_rate(&self, i: usize) -> f64 {
        let RigidContact { gap, radius, .. } = self.contacts[i];
        let rate = self.gap_rate(i);
        let least = self.rounding_of(i).max(CLOSES_SLOWLY * self.faster[i]);
        if gap <= CLOSED * radius || rate <= least { 0.0 } else { rate }
    }

    /// Shift s of contact `i` in m/s, where the contact law is uₙ + s ≥ 0. An open gap Φ has s = Φ/dt. A contact that
    /// closes in the step with the approach uₙ⁻ < 0 has s = e uₙ⁻, Newton's law with the `restitution` e, unless the
    /// approach is within rounding errors. A closed contact has s = 0, so that an overlap does not push bodies apart.
    pub(super) fn shift(&self, i: usize, restitution: f64) -> f64 {
        let gap_rate = self.gap_rate(i);
        let approach = self.start[i * self.block()];
        let slow = self.rounding_of(i).max(SLOW * self.fastest);
        if restitution > 0.0 && approach < -slow && gap_rate + approach <= 0.0 {
            restitution * approach
        } else {
            self.open_gap_rate(i)
        }
    }

    /// Returns the warm start of the solver: the forces of the last step, turned with the normals, in the frames of the
    /// contacts, and zero for new contacts.
    pub(super) fn guess(&self, last: &[RigidContact]) -> Vec<f64> {
        let turned = |(contact, frame): (&RigidContact, &Frame)| {
            let (force, couple) = contact.find_in(last).map_or((DVec3::ZERO, DVec3::ZERO), |last| {
                let rotation = LeastRotation::new(last.normal, contact.normal);
                let force = last.force * contact.normal + rotation.turn(last.tangential_force);
                (force, rotation.turn(last.couple))
            });
            local(self.resistance(), frame, force, couple)
        };
        self.contacts.iter().zip(&self.frames).flat_map(turned).collect()
    }

    fn resistance(&self) -> Resistance {
        match self.block() {
            3 => Resistance::Sliding,
            5 => Resistance::Rolling,
            _ => Resistance::RollingAndTwisting,
        }
    }

    /// Returns the answer without forces, for contacts that do not close.
    pub(super) fn without_forces(&self) -> Answer {
        let nothing = |len: usize| vec![0.0; len];
        let status = Status::Converged;
        let residual = 0.0;
        Answer {
            force: nothing(self.free.len()),
            velocity: self.free.clone(),
            change: nothing(6 * self.members.members.len()),
            report: FrictionReport { status, sweeps: 0, factorizations: 0, residual, growth: 1.0 },
            rounding: 0.0,
        }
    }

    /// Solves the law of Coulomb and Signorini for the [shifts](Self::shift) (m/s) of all contacts from a guess.
    ///
    /// # Errors
    /// Errors of the solver, [`StepError::ContactsNotSolved`](crate::error::StepError::ContactsNotSolved), and
    /// [`StepError::AnswerRefused`](crate::error::StepError::AnswerRefused).
    pub(super) fn solve(
        &self,
        solver: &mut dyn FrictionSolver,
        shift: &[f64],
        force: Vec<f64>,
    ) -> Result<Answer, DemError> {
        self.attempt(solver, shift, force)?.accepted_by(Unsolved::Error, false)
    }

    /// Returns the answer of the friction solver with its report, converged or not.
    ///
    /// # Errors
    /// Errors of the solver, and [`StepError::AnswerRefused`](crate::error::StepError::AnswerRefused) for a converged
    /// answer whose residual is larger than the report says.
    pub(super) fn attempt(
        &self,
        solver: &mut dyn FrictionSolver,
        shift: &[f64],
        mut force: Vec<f64>,
    ) -> Result<Answer, DemError> {
        let size = self.block();
        let mut offset = self.free.clone();
        offset.iter_mut().step_by(size).zip(shift).for_each(|(offset, shift)| *offset += shift);
        let column = |of: &dyn Fn(&ContactCoefficients, &RigidContact) -> f64| -> Vec<f64> {
            self.coefficients.iter().zip(&self.contacts).map(|(c, contact)| of(c, contact)).collect()
        };
        let sliding = column(&|c, _| c.friction);
        let rolling = if size >= 5 { column(&|c, contact| c.rolling * contact.radius) } else { Vec::new() };
        let twisting = if size >= 6 { column(&|c, _| c.twisting) } else { Vec::new() };
        let coefficients = FrictionCoefficients { sliding: &sliding, rolling: &rolling, twisting: &twisting };
        let problem = FrictionProblem::new(FrictionMatrix::Map(&self.map), &offset, coefficients)?;
        // If no contact closes, the solution is zero; a guess could not improve where all offsets are zero.
        if offset.iter().step_by(size).all(|offset| *offset >= 0.0) {
            force.fill(0.0);
        }
        let mut report = solver.solve(&problem, &mut force)?;
        let mut velocity = vec![0.0; force.len()];
        problem.velocity(&force, &mut velocity, &mut Vec::new())?;
        let FrictionReport { status, sweeps, factorizations, residual, .. } = report;
        let iterations = sweeps + factorizations;
        let inner_iterations = factorizations;
        let solved = Report { status, iterations, inner_iterations, residual };
        let mut found = problem.residual_of_velocity(&force, &velocity)?;
        let rounding = problem.rounding(&force)?;
        if found > residual {
            // Refined forces are more accurate than a residual in `f64` can show.
            found -= rounding;
        }
        if solved.converged() {
            let _good: Report = checked(NAME, solved, found)?;
        } else {
            report.residual = found;
        }
        let mut change = vec![0.0; 6 * self.members.members.len()];
        self.map.velocity(&force, &mut change)?;
        self.map.apply(&change, &mut velocity)?;
        velocity.iter_mut().zip(&self.free).for_each(|(velocity, free)| *velocity += free);
        Ok(Answer { force, velocity, change, report, rounding })
    }

    /// Power in W that contact `i` dissipates, at the mean of the velocities before and after the step.
    fn power(&self, i: usize, answer: &Answer) -> PowerByMotion {
        let size = self.block();
        let of = |rows: Range<usize>| -> f64 {
            let row = |k: usize| -0.5 * answer.force[k] * (self.start[k] + answer.velocity[k]);
            rows.filter(|&row| row < size).map(|k| row(i * size + k)).sum()
        };
        PowerByMotion { normal: of(0..1), sliding: of(1..3), rolling: of(3..5), twisting: of(5..6) }
    }

    /// Returns the contacts of the friction problem with the forces, couples and powers of an answer.
    pub(in crate::contact_dynamics) fn contacts(&self, answer: &Answer) -> Vec<RigidContact> {
        let size = self.block();
        let mut contacts = self.contacts.clone();
        for (i, (contact, frame)) in contacts.iter_mut().zip(&self.frames).enumerate() {
            let (force, [t1, t2]) = (&answer.force[i * size..(i + 1) * size], frame.tangents.map(DVec3::from_array));
            contact.force = force[0];
            contact.tangential_force = force[1] * t1 + force[2] * t2;
            if let [_, _, _, w1, w2, rest @ ..] = force {
                contact.couple = *w1 * t1 + *w2 * t2 + rest.first().map_or(DVec3::ZERO, |w3| *w3 * contact.normal);
            }
            contact.slack = contact.gap.max(0.0) / self.dt + answer.velocity[i * size];
            contact.power_by_motion = self.power(i, answer);
        }
        contacts
    }
}

const NAME: &str = "the friction problem";

/// Returns the components of a relative velocity and a relative spin `about` (world frame) in the frame of a contact.
fn local(resistance: Resistance, frame: &Frame, vector: DVec3, about: DVec3) -> impl Iterator<Item = f64> + use<> {
    let [normal, t1, t2] = [frame.normal, frame.tangents[0], frame.tangents[1]].map(DVec3::from_array);
    let all = [vector.dot(normal), vector.dot(t1), vector.dot(t2), about.dot(t1), about.dot(t2), about.dot(normal)];
    all.into_iter().take(resistance.block())
}

/// Returns the relative velocity and spin at a contact from the motion of walls and fixed bodies.
fn driving(found: &DetectedContact, bodies: &Bodies, state: &State) -> (DVec3, DVec3) {
    let contact = &found.contact;
    let fixed = |body: usize| if is_fixed(bodies, body) { state.velocity().get(body) } else { DVec3::ZERO };
    if contact.with_wall {
        (found.wall_velocity - fixed(contact.a), found.wall_spin)
    } else {
        (fixed(contact.b) - fixed(contact.a), DVec3::ZERO)
    }
}
