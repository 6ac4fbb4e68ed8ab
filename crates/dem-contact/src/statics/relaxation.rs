//! The way to the neighbourhood of an equilibrium.

use rrp_integrate::{Bodies, ForceField, State, VectorColumn, Wrenches};

use super::elastic_law::ElasticLaw;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::{ContactForce, ContactLaw, DemError, Frictionless, NeighborList, Wall};

/// Steps per oscillation of a pair over 2π, at least.
const STEP: f64 = 0.3;
/// Steps without a turn back before the step grows.
const DELAY: u32 = 20;
const GROWTH: f64 = 1.1;
const SHARE: f64 = 0.2;
/// The mixing decays by this.
const DECAY: f64 = 0.99;

/// Bodies of unit mass slide downhill and are stopped when the forces turn against them (the fast inertial relaxation
/// engine of Bitzek et al. 2006). Inertia carries them along the floppy modes of a loose packing, whose contacts open and close all
/// the way down: many cheap steps do better there than few dear ones.
#[derive(Debug)]
pub(crate) struct Relaxation<'a, L> {
    bodies: &'a Bodies,
    contacts: ContactForce<ElasticLaw<'a, L>, Frictionless>,
    load: &'a VectorColumn,
    pub(crate) state: State,
    wrenches: Wrenches,
    movable: Vec<bool>,
    mixing: f64,
    time_step: f64,
    since_turn: u32,
    sums: Vec<[f64; 4]>,
}

impl<'a, L: ContactLaw> Relaxation<'a, L> {
    pub(crate) fn new(
        bodies: &'a Bodies,
        (list, law): (NeighborList, &'a L),
        walls: impl IntoIterator<Item = Wall>,
        load: &'a VectorColumn,
        state: State,
    ) -> Result<Self, DemError> {
        let mut movable = vec![true; bodies.len()];
        bodies.fixed().iter().for_each(|&i| movable[i] = false);
        Ok(Self {
            bodies,
            contacts: ContactForce::new(list, ElasticLaw(law), Frictionless).with_walls(walls)?,
            load,
            state,
            wrenches: Wrenches::zeros(bodies.len()),
            movable,
            mixing: SHARE,
            time_step: 0.0,
            since_turn: 0,
            sums: vec![[0.0; 4]; bodies.len().div_ceil(BLOCK)],
        })
    }

    /// Takes up to `steps` steps, fewer if no force is above `goal` any more; returns how many. No body is to be faster than
    /// `fastest`, contacts are at most as stiff as `stiffest`.
    pub(crate) fn run(&mut self, steps: usize, goal: f64, stiffest: f64, fastest: f64) -> Result<usize, DemError> {
        self.state.velocity_mut().clear();
        let longest = STEP / stiffest.sqrt();
        self.time_step = 0.3 * longest;
        (self.mixing, self.since_turn) = (SHARE, 0);
        for step in 0..steps {
            let [power, force, speed, largest] = self.forces()?;
            if largest.sqrt() <= goal {
                return Ok(step);
            }
            if power > 0.0 || step == 0 {
                self.since_turn += 1;
                if self.since_turn > DELAY {
                    self.time_step = (GROWTH * self.time_step).min(longest);
                    self.mixing *= DECAY;
                }
            } else {
                // Half a step back to where it was still downhill.
                self.drift(-0.5 * self.time_step);
                self.state.velocity_mut().clear();
                self.time_step = (0.5 * self.time_step).max(0.02 * longest);
                (self.mixing, self.since_turn) = (SHARE, 0);
                continue;
            }
            let along = if force > 0.0 { self.mixing * (speed / force).sqrt() } else { 0.0 };
            self.kick(1.0 - self.mixing, along + self.time_step, fastest);
            self.drift(self.time_step);
        }
        Ok(steps)
    }

    /// Finds the forces; their power, the squares of forces and speeds, and that of the largest force.
    fn forces(&mut self) -> Result<[f64; 4], DemError> {
        self.wrenches.clear();
        let outcome = self.contacts.accumulate(self.bodies, &self.state, 0.0, &mut self.wrenches);
        outcome.map_err(|error| match error.downcast::<DemError>() {
            Ok(error) => *error,
            Err(error) => DemError::Io(std::io::Error::other(error)),
        })?;
        let (load, velocity) = (self.load.slices(), self.state.velocity().slices());
        let [x, y, z] = self.wrenches.force.slices_mut();
        let (movable, count) = (&self.movable, self.bodies.len());
        all_blocks(count, (x, y, z, PerBlock(&mut self.sums)), &|first, count, (x, y, z, sums)| {
            let mut sum = [0.0; 4];
            for k in 0..count {
                let i = first + k;
                let mut square = 0.0;
                for (c, force) in [&mut x[k], &mut y[k], &mut z[k]].into_iter().enumerate() {
                    *force = if movable[i] { *force + load[c][i] } else { 0.0 };
                    sum[0] += *force * velocity[c][i];
                    sum[2] += velocity[c][i] * velocity[c][i];
                    square += *force * *force;
                }
                sum[1] += square;
                sum[3] = f64::max(sum[3], square);
            }
            if let [sums] = sums.0 {
                *sums = sum;
            }
            true
        });
        let join = |s: [f64; 4], p: &[f64; 4]| [s[0] + p[0], s[1] + p[1], s[2] + p[2], f64::max(s[3], p[3])];
        Ok(self.sums.iter().fold([0.0; 4], join))
    }

    /// Velocities become `keep` v + `gain` F, at most `fastest`.
    fn kick(&mut self, keep: f64, gain: f64, fastest: f64) {
        let Some(force) = self.wrenches.force.slices() else { return };
        let [x, y, z] = self.state.velocity_mut().slices_mut();
        all_blocks(self.bodies.len(), (x, y, z), &|first, count, (x, y, z)| {
            for k in 0..count {
                let i = first + k;
                let next = [
                    keep * x[k] + gain * force[0][i],
                    keep * y[k] + gain * force[1][i],
                    keep * z[k] + gain * force[2][i],
                ];
                let speed = (next[0] * next[0] + next[1] * next[1] + next[2] * next[2]).sqrt();
                let scale = if speed > fastest { fastest / speed } else { 1.0 };
                [x[k], y[k], z[k]] = next.map(|v| scale * v);
            }
            true
        });
    }

    fn drift(&mut self, time: f64) {
        let velocity: [Vec<f64>; 3] = self.state.velocity().slices().map(<[f64]>::to_vec);
        let [x, y, z] = self.state.position_mut().slices_mut();
        all_blocks(self.bodies.len(), (x, y, z), &|first, count, (x, y, z)| {
            for (c, column) in [x, y, z].into_iter().enumerate() {
                for (x, v) in column.iter_mut().zip(&velocity[c][first..first + count]) {
                    *x += time * v;
                }
            }
            true
        });
    }
}
