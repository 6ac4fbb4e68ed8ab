//! The way to the neighbourhood of an equilibrium.

use rrp_integrate::{Bodies, ForceField, State, VectorColumn, Wrenches};

use super::elastic_law::ElasticLaw;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::{ContactForce, ContactLaw, DemError, Frictionless, NeighborList, Wall};

/// Steps times the root of the stiffness of a contact, over that of a body's mass. Where spheres touch twelve others steps are
/// stable up to 0.7, and contacts that open and close feed on steps that are nearly as long.
const STEP: f64 = 0.6;
/// Damping over that which would be critical for the mode in which bodies move.
const SHARE: f64 = 0.1;
/// Damping at the start, times the step, and for how many steps: bodies that are let go creep downhill, since a packing that
/// barely stands is knocked over by less than the motion it is loaded with.
const SLOW: f64 = 1.0;
const CAUTIOUS: usize = 5000;
/// Memory of the damping: the share of the last step in it.
const NEWS: f64 = 0.01;
/// Least damping, over the reciprocal of the step.
const LEAST: f64 = 2e-4;

/// Bodies slide downhill with damped inertia, which takes them along the floppy modes of a loose packing, whose contacts open
/// and close all the way down: many cheap steps do better there than few dear ones.
///
/// Damping follows the motion (dynamic relaxation, Underwood 1983): the frequency of the mode in which bodies move is the
/// Rayleigh quotient of the stiffness, which the forces of two steps give for nothing. An avalanche is thus stopped by strong
/// damping and slow modes are left their inertia, by far less than critical damping, since each contact that opens turns them
/// into slower ones.
#[derive(Debug)]
pub(crate) struct Relaxation<'a, L> {
    bodies: &'a Bodies,
    contacts: ContactForce<ElasticLaw<'a, L>, Frictionless>,
    load: &'a VectorColumn,
    pub(crate) state: State,
    wrenches: Wrenches,
    velocity: VectorColumn,
    /// The forces of the step before.
    before: VectorColumn,
    /// By body; zero for fixed ones.
    inverse_mass: Vec<f64>,
    /// Times the step.
    damping: f64,
    /// Steps since the start.
    steps: usize,
    sums: Vec<Sums>,
}

/// Sums over all bodies.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// (F before − F) · v
    stiffening: f64,
    /// v · M v
    kinetic: f64,
    /// The square of the largest force.
    largest: f64,
}

impl Sums {
    fn join(self, other: &Self) -> Self {
        let larger = other.largest > self.largest || other.largest.is_nan();
        Self {
            stiffening: self.stiffening + other.stiffening,
            kinetic: self.kinetic + other.kinetic,
            largest: if larger { other.largest } else { self.largest },
        }
    }
}

impl<'a, L: ContactLaw> Relaxation<'a, L> {
    pub(crate) fn new(
        bodies: &'a Bodies,
        (list, law): (NeighborList, &'a L),
        walls: impl IntoIterator<Item = Wall>,
        load: &'a VectorColumn,
        state: State,
    ) -> Result<Self, DemError> {
        let radii = || bodies.radius().iter().copied();
        let smallest = radii().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        // As many contacts as small spheres find room around a body, so as much inertia: one step suits all.
        let inverse = |radius: f64| (2.0 * smallest / (radius + smallest)).powi(2).min(1.0);
        let mut inverse_mass: Vec<f64> = radii().map(|r| if r > 0.0 { inverse(r) } else { 1.0 }).collect();
        bodies.fixed().iter().for_each(|&i| inverse_mass[i] = 0.0);
        Ok(Self {
            bodies,
            contacts: ContactForce::new(list, ElasticLaw(law), Frictionless).with_walls(walls)?,
            load,
            state,
            wrenches: Wrenches::zeros(bodies.len()),
            velocity: VectorColumn::zeros(bodies.len()),
            before: VectorColumn::zeros(bodies.len()),
            inverse_mass,
            damping: SLOW,
            steps: 0,
            sums: vec![Sums::default(); bodies.len().div_ceil(BLOCK)],
        })
    }

    /// Goes on from rest at other positions.
    pub(crate) fn restart(&mut self, position: VectorColumn) {
        *self.state.position_mut() = position;
        self.velocity.clear();
        (self.damping, self.steps) = (SLOW, 0);
    }

    /// Takes up to `steps` steps, fewer if no force is above `goal` any more; returns how many were needed. No body is to be faster than
    /// `fastest`, contacts are at most as stiff as `stiffest`.
    pub(crate) fn run(&mut self, steps: usize, goal: f64, stiffest: f64, fastest: f64) -> Result<usize, DemError> {
        let time_step = STEP / stiffest.sqrt();
        for step in 0..steps {
            self.wrenches.clear();
            let outcome = self.contacts.accumulate(self.bodies, &self.state, 0.0, &mut self.wrenches);
            outcome.map_err(|error| match error.downcast::<DemError>() {
                Ok(error) => *error,
                Err(error) => DemError::Io(std::io::Error::other(error)),
            })?;
            let sums = self.advance(time_step, fastest);
            self.steps += 1;
            if sums.kinetic > 0.0 && self.steps > CAUTIOUS {
                let square = (sums.stiffening / (time_step * sums.kinetic)).max(0.0);
                let wanted = (2.0 * SHARE * square.sqrt() * time_step).clamp(LEAST, 1.0);
                self.damping += NEWS * (wanted - self.damping);
            }
            if sums.largest.sqrt() <= goal {
                return Ok(step);
            }
        }
        Ok(steps)
    }

    /// One step, with the sums of its start.
    fn advance(&mut self, time_step: f64, fastest: f64) -> Sums {
        let half = 0.5 * self.damping;
        let (keep, gain) = ((1.0 - half) / (1.0 + half), time_step / (1.0 + half));
        let (load, force) = (self.load.slices(), self.wrenches.force.slices());
        let [x, y, z] = self.state.position_mut().slices_mut();
        let [vx, vy, vz] = self.velocity.slices_mut();
        let [bx, by, bz] = self.before.slices_mut();
        let inverse_mass = &self.inverse_mass;
        let output = ((x, y, z), (vx, vy, vz), (bx, by, bz), PerBlock(&mut self.sums));
        all_blocks(inverse_mass.len(), output, &|first, count, ((x, y, z), (vx, vy, vz), (bx, by, bz), sums)| {
            let mut sum = Sums::default();
            for k in 0..count {
                let i = first + k;
                let inverse = inverse_mass[i];
                if inverse <= 0.0 {
                    continue;
                }
                let total = |c: usize| load[c][i] + force.map_or(0.0, |force| force[c][i]);
                let (now, last, mut velocity) =
                    ([total(0), total(1), total(2)], [bx[k], by[k], bz[k]], [vx[k], vy[k], vz[k]]);
                // A body that was thrown up would come down elsewhere.
                let flies = force.is_none_or(|force| force.iter().all(|force| force[i].abs() <= 0.0));
                if flies && (0..3).map(|c| now[c] * velocity[c]).sum::<f64>() < 0.0 {
                    velocity = [0.0; 3];
                }
                let mut next = [0.0; 3];
                let (mut square, mut speed, mut energy) = (0.0, 0.0, 0.0);
                for c in 0..3 {
                    sum.stiffening += (last[c] - now[c]) * velocity[c];
                    energy += velocity[c] * velocity[c];
                    square += now[c] * now[c];
                    next[c] = keep * velocity[c] + gain * inverse * now[c];
                    speed += next[c] * next[c];
                }
                sum.kinetic += energy / inverse;
                if square > sum.largest || square.is_nan() {
                    sum.largest = square;
                }
                if speed > fastest * fastest {
                    let scale = fastest / speed.sqrt();
                    next = next.map(|v| scale * v);
                }
                [bx[k], by[k], bz[k]] = now;
                [vx[k], vy[k], vz[k]] = next;
                x[k] += time_step * next[0];
                y[k] += time_step * next[1];
                z[k] += time_step * next[2];
            }
            if let [sums] = sums.0 {
                *sums = sum;
            }
            true
        });
        self.sums.iter().fold(Sums::default(), Sums::join)
    }
}
