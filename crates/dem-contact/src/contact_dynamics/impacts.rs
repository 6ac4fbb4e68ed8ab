//! The impacts of one step, by velocities alone.
//!
//! Impacts go through a row of bodies one after the other, in passes. A pass takes the contacts that approach and would
//! close within the step, and those that touch, and applies Moreau's law to all of them at once: 0 ≤ f ⟂ B v⁺ + e B v⁻
//! ≥ 0, with the rates of driven bodies. The law never gains energy, and conserves it for e = 1, since then Σ f (B v⁻ +
//! B v⁺) = 0. Contacts that close by the new velocities are struck in the next pass.

use cd_solve::LcpSolver;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::ContactDynamics;
use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::pass_limits::{PassLimits, TOUCHES};
use crate::contact_dynamics::problem::{Velocities, VelocityProblem};
use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::contact_dynamics::solvers::Solution;
use crate::error::DemError;

/// Bodies and their velocities in a step without friction, before impacts are computed.
#[derive(Clone, Copy)]
pub(super) struct BeforeImpacts<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    /// Velocities of all bodies at the start of the step.
    pub(super) start: &'a Velocities,
    /// Velocities of all bodies after the step without contacts.
    pub(super) free: &'a Velocities,
    /// Whether each contact is open and bears no force, as found by a solve of the step without restitution.
    pub(super) open: &'a [bool],
}

/// Velocities of the bodies after the impacts of a step, with the impulses of the contacts.
pub(super) struct Impacts {
    pub(super) velocity: Velocities,
    /// Impulse of each contact in the impacts of the step, over the length of the step, in N.
    pub(super) force: Vec<f64>,
    /// Rate of the gap of each contact after the impacts in m/s; `None` for a contact that was not struck.
    pub(super) rate: Vec<Option<f64>>,
    pub(super) passes: usize,
    /// Iterations of the solver, summed over all passes of impacts of the step.
    pub(super) iterations: usize,
    /// Whether passes of impacts were given up while gaps of some contacts were still closing.
    pub(super) unfinished: bool,
}

impl<S: LcpSolver> ContactDynamics<S> {
    /// Computes the impacts between the bodies of these contacts; `None` if no bodies strike each other.
    ///
    /// # Errors
    /// Those of the solver.
    pub(super) fn impacts(
        &mut self,
        detected: &[DetectedContact],
        problem: &VelocityProblem,
        BeforeImpacts { bodies, state, start, free, open }: BeforeImpacts<'_>,
    ) -> Result<Option<Impacts>, DemError> {
        let count = detected.len();
        if self.restitution <= 0.0 {
            return Ok(None);
        }
        let fastest = [start, free].into_iter().flat_map(|all| &all.linear).map(|v| v.length()).fold(0.0, f64::max);
        let PassLimits { slow, most } = PassLimits::new(self.restitution >= 1.0, count);
        let mut impacts = Impacts {
            velocity: start.clone(),
            force: vec![0.0; count],
            rate: vec![None; count],
            passes: 0,
            iterations: 0,
            unfinished: false,
        };
        let mut rate = vec![0.0; count];
        loop {
            problem.map.apply(&problem.columns(&impacts.velocity), &mut rate)?;
            rate.iter_mut().zip(&problem.driven).for_each(|(rate, driven)| *rate += driven);
            let touching = TOUCHES * rate.iter().fold(0.0, |most, rate| f64::max(most, -rate));
            let touches = |i: usize| impacts.rate[i].is_some() || problem.gap_rate[i] <= touching;
            let strikes = |i: usize| {
                // A contact that only the load of this step closes must land first: restitution would let it hover at
                // its gap.
                rate[i] < -slow * fastest
                    && (touches(i) || problem.gap_rate[i] + rate[i] <= 0.0)
                    && (impacts.passes > 0 || !open[i])
            };
            let struck: Vec<bool> = (0..count).map(strikes).collect();
            if impacts.passes == most || !struck.contains(&true) {
                impacts.unfinished = struck.contains(&true);
                break;
            }
            let members: Vec<usize> = (0..count).filter(|&i| struck[i] || touches(i)).collect();
            let iterations = self.strike(detected, &members, &rate, bodies, state, &mut impacts)?;
            (impacts.passes, impacts.iterations) = (impacts.passes + 1, impacts.iterations + iterations);
            (0..count).filter(|&i| struck[i]).for_each(|i| impacts.rate[i] = Some(0.0));
        }
        for (after, rate) in impacts.rate.iter_mut().zip(&rate) {
            *after = after.map(|_| *rate);
        }
        Ok((impacts.passes > 0).then_some(impacts))
    }

    /// Applies Moreau's law of impact to the contacts `members`, whose gaps change at these rates (m/s). Returns the
    /// iterations of the solver.
    fn strike(
        &mut self,
        detected: &[DetectedContact],
        members: &[usize],
        rate: &[f64],
        bodies: &Bodies,
        state: &State,
        impacts: &mut Impacts,
    ) -> Result<usize, DemError> {
        let part: Vec<DetectedContact> = members.iter().map(|&i| detected[i]).collect();
        let Some(problem) = VelocityProblem::new(&part, bodies, state, &impacts.velocity, self.dt)? else {
            return Ok(0);
        };
        let contacts: Vec<RigidContact> = part.iter().map(|detected| detected.contact).collect();
        let before: Vec<f64> = members.iter().map(|&i| rate[i]).collect();
        let target: Vec<f64> =
            before.iter().zip(&problem.driven).map(|(rate, driven)| driven + self.restitution * rate).collect();
        let mean_mass = problem.mean_mass(bodies, self.dt);
        let nothing = vec![0.0; members.len()];
        let Solution { force, velocity, report, .. } =
            self.solve_velocity_problem(&problem, &target, &contacts, nothing, mean_mass)?;
        let change: Vec<f64> = velocity.iter().zip(&problem.free).map(|(after, before)| after - before).collect();
        let mut change_of_rate = vec![0.0; members.len()];
        problem.map.apply(&change, &mut change_of_rate)?;
        // The forces are known to the tolerance of the solver. Their common factor follows to rounding from Σ f (B v⁺ +
        // e B v⁻) = 0.
        let work = |rates: &[f64]| force.iter().zip(rates).map(|(force, rate)| force * rate).sum::<f64>();
        let size = -(1.0 + self.restitution) * work(&before) / work(&change_of_rate);
        let size = if (size - 1.0).abs() < 0.1 { size } else { 1.0 };
        let after: Vec<f64> = problem.free.iter().zip(&change).map(|(before, change)| before + size * change).collect();
        problem.scatter(&after, &mut impacts.velocity);
        for (&i, force) in members.iter().zip(&force) {
            impacts.force[i] += size * force;
        }
        Ok(report.iterations)
    }
}
