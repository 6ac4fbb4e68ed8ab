//! Explicit maps with global damping.
//!
//! The step is that of `kick_drift_kick` with damped kicks. A damped kick is the exact flow of dv/dt = F/m + damping
//! under a constant force F. The step is thus a symmetric product of exact flows and has order 2, even where the
//! velocity changes sign. The wrenches of a state exclude damping forces.

use std::sync::atomic::AtomicUsize;

use rrp_parallel::{ExactSum, all_parts, split_fields};

use crate::body::bodies::Bodies;
use crate::body::state::State;
use crate::error::IntegrateError;
use crate::field::force_field::ForceField;
use crate::kernel::drift;
use crate::leaves::{Piece, leaves};
use crate::step::evaluation::{evaluate, explain, overflow};
use crate::step::global_damping::{DampedFlow, GlobalDamping};
use crate::step::integrator::{Integrator, Scheme, StepReport, check_time_step};
use crate::step::map::Map;
use crate::step::trial::Trial;

/// An explicit [`Map`] of two half kicks, with [`GlobalDamping`] of all bodies that are not fixed; for spheres.
///
/// The integrator sums up the energy that damping dissipates. With this sum, the energy balance holds to second order.
#[derive(Debug, Clone)]
pub struct Damped {
    map: Map,
    dt: f64,
    damping: GlobalDamping,
    next: State,
    /// Energy in J that damping takes from each body in the two kicks of one step.
    lost: Vec<f64>,
    last: ExactSum,
    work: f64,
}

/// Columns of a damped half kick: velocities with 1/m and forces, or angular momenta with 1/J and torques.
struct Kick<'a> {
    inverse: Piece<'a>,
    load: [&'a [f64]; 3],
    motion: [&'a mut [f64]; 3],
    lost: &'a mut [f64],
}
split_fields!(Kick { inverse, load, motion, lost });

impl Damped {
    /// Makes a damped integrator of the map `map` with the time step `dt` in s.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidTimeStep`], [`IntegrateError::InvalidDamping`], and
    /// [`IntegrateError::UndampedMap`] for [`Map::Rodrigues27`], which has one kick only.
    pub fn new(map: Map, dt: f64, damping: GlobalDamping) -> Result<Self, IntegrateError> {
        check_time_step(dt)?;
        damping.check()?;
        if map == Map::Rodrigues27 {
            return Err(IntegrateError::UndampedMap);
        }
        Ok(Self { map, dt, damping, next: State::at_rest(0), lost: Vec::new(), last: ExactSum::ZERO, work: 0.0 })
    }

    /// Sets the energy (J) that damping has taken so far, to continue a run.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidDamping`] unless `work` is finite.
    pub fn with_work(self, work: f64) -> Result<Self, IntegrateError> {
        if work.is_finite() {
            return Ok(Self { work, ..self });
        }
        Err(IntegrateError::InvalidDamping { parameter: "work", range: "finite", value: work })
    }

    /// Energy in J that damping has taken so far: the sum of the losses of all steps, in their order.
    #[must_use]
    pub fn work(&self) -> f64 {
        self.work
    }

    /// Energy in J that damping took in the last step. The exact sum does not depend on the order of bodies, and the
    /// sums of several ranks add up exactly to the total.
    #[must_use]
    pub fn last_loss(&self) -> &ExactSum {
        &self.last
    }
}

impl Integrator for Damped {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 2, symplectic: false, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        self.map.turn().check_inertia(bodies)?;
        bodies.check_spherical()?;
        state.check_columns(bodies)?;
        self.lost.clear();
        self.lost.resize(bodies.len(), 0.0);
        let trial = Trial::begin(bodies, field, state, &mut self.next)?;
        let state = &*trial.state;
        let next = &mut *trial.next;
        next.velocity.copy_from(&state.velocity);
        next.angular_momentum.resize(bodies.len());
        next.angular_momentum.copy_from(&state.angular_momentum);
        next.wrenches.force.copy_from(&state.wrenches.force);
        next.wrenches.torque.copy_from(&state.wrenches.torque);
        next.set_time_after(state, self.dt);
        let kick = HalfKick { bodies, flow: self.damping.flow(0.5 * self.dt), h: 0.5 * self.dt };
        // Velocities V and momenta J P at the middle of the step.
        if !kick.apply(next, &mut self.lost) {
            return Err(explain(bodies, state).unwrap_or_else(|| overflow(bodies, next)));
        }
        // Positions x' = x + h V and attitudes α' = α ⊕ Δα(P).
        let iterations = drift_and_turn(self.map, self.dt, bodies, state, next)?;
        evaluate(bodies, field, next, self.dt)?;
        // Velocities v' and momenta L' at the end of the step.
        if !kick.apply(next, &mut self.lost) {
            return Err(explain(bodies, next).unwrap_or_else(|| overflow(bodies, next)));
        }
        let report = trial.accept(field, StepReport { evaluations: 1, iterations });
        self.last = ExactSum::ZERO;
        self.lost.iter().for_each(|&energy| self.last.add(energy));
        self.work += self.last.value();
        Ok(report)
    }
}

/// Drifts and turns all bodies from `state` to `next`, which holds the velocities and momenta of the middle of the
/// step. Returns the largest number of Newton iterations of a body.
fn drift_and_turn(map: Map, h: f64, bodies: &Bodies, state: &State, next: &mut State) -> Result<usize, IntegrateError> {
    let turn = map.turn();
    let newton = AtomicUsize::new(0);
    let moved = (next.velocity.slices(), state.position.slices(), next.position.slices_mut());
    let turned = state.has_attitudes().then(|| {
        (bodies.moments(), next.angular_momentum.slices(), state.attitude.slices(), next.attitude.slices_mut())
    });
    let good = all_parts(leaves(bodies.len()), (moved, turned), &|_, ((velocity, from, to), turned)| {
        let drifted = drift::positions(h, velocity, from, to);
        let leaf = |(moments, momentum, from, to)| turn.leaf(h, moments, momentum, from, to, &newton);
        drifted & turned.is_none_or(leaf)
    });
    if good {
        return Ok(newton.into_inner());
    }
    let fault = || turn.first_fault(h, bodies, &next.angular_momentum, &state.attitude);
    Err(state.has_attitudes().then(fault).flatten().unwrap_or_else(|| overflow(bodies, next)))
}

struct HalfKick<'a> {
    bodies: &'a Bodies,
    flow: DampedFlow,
    h: f64,
}

impl HalfKick<'_> {
    /// Kicks the velocities and angular momenta of `state` and adds the energy that damping takes from each body to
    /// `lost`; true if all results are finite.
    fn apply(&self, state: &mut State, lost: &mut [f64]) -> bool {
        let bodies = self.bodies;
        let State { wrenches, velocity, angular_momentum, .. } = state;
        let inverse_mass = bodies.inverse_mass().piece();
        let translation = Kick {
            inverse: inverse_mass,
            load: wrenches.force.touch().slices(),
            motion: velocity.slices_mut(),
            lost: &mut *lost,
        };
        // The velocity changes by h F/m, and the loss per mass times m is an energy.
        let velocities = |inverse_mass: f64| Weights { change: inverse_mass, energy: inverse_mass.recip() };
        let moved = all_parts(leaves(bodies.len()), translation, &|_, kick| self.leaf(kick, velocities));
        let rotation = Kick {
            inverse: bodies.moments().inverse[0],
            load: wrenches.torque.touch().slices(),
            motion: angular_momentum.slices_mut(),
            lost,
        };
        // The angular momentum changes by h τ, and the loss times 1/J is an energy.
        let momenta = |inverse_inertia: f64| Weights { change: 1.0, energy: inverse_inertia };
        moved & all_parts(leaves(bodies.len()), rotation, &|_, kick| self.leaf(kick, momenta))
    }

    /// Kicks a run of bodies; true if all results are finite. Fixed bodies (zero inverse mass) keep their motion.
    fn leaf(&self, kick: Kick<'_>, weights: impl Fn(f64) -> Weights) -> bool {
        let Kick { inverse, load, motion, lost } = kick;
        let mut good = true;
        for (load, motion) in load.into_iter().zip(motion) {
            for (i, ((load, motion), lost)) in load.iter().zip(motion).zip(&mut *lost).enumerate() {
                let inverse = inverse.get(i);
                if inverse > 0.0 {
                    let weights = weights(inverse);
                    let kicked = self.flow.kick(*motion, self.h * weights.change * load);
                    *motion = kicked.velocity;
                    *lost += weights.energy * kicked.lost;
                }
                good &= motion.is_finite() && load.is_finite();
            }
        }
        good
    }
}

/// Factors that turn the flow of one component into that of a velocity or of an angular momentum.
struct Weights {
    /// Factor of h times the force (1/m) or torque (1) in the change of velocity or angular momentum.
    change: f64,
    /// Factor from the loss that the flow returns to an energy in J: m for velocities, 1/J for angular momenta.
    energy: f64,
}
