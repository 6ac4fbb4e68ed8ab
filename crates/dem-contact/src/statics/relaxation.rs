//! The way to the neighbourhood of an equilibrium.

use rrp_integrate::{Bodies, ForceField, State, VectorColumn, Wrenches};

use super::damped_law::DampedLaw;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::{ContactForce, ContactLaw, DemError, Frictionless, NeighborList, Wall};

/// Steps times the root of the stiffness of a contact, over that of a body's mass. Where spheres touch twelve others steps are
/// stable up to 0.7 without damping of contacts, and contacts that open and close feed on steps that are nearly as long.
const STEP: f64 = 0.5;
/// Damping over that which would be critical for the mode in which bodies move.
const SHARE: f64 = 0.1;
/// Steps over which that mode is looked at: what contacts do in between is noise.
const WINDOW: usize = 100;
/// Damping at the start, times the step, and for how many steps: bodies that are let go creep downhill, since a packing that
/// barely stands is knocked over by less than the motion it is loaded with.
const SLOW: f64 = 1.0;
const CAUTIOUS: usize = 5000;
/// Least damping, over the reciprocal of the step.
const LEAST: f64 = 2e-4;

/// Bodies slide downhill with damped inertia, which takes them along the floppy modes of a loose packing, whose contacts open
/// and close all the way down: many cheap steps do better there than few dear ones.
///
/// Two dampings share the work. That of contacts takes out what rattles and leaves alone what slides. That of bodies follows
/// the motion (dynamic relaxation, Underwood 1983): the frequency of the mode in which bodies move is the Rayleigh quotient of
/// the stiffness, from the forces at both ends of a window and the way between them, and slow modes are left their inertia.
#[derive(Debug)]
pub(crate) struct Relaxation<'a, L> {
    bodies: &'a Bodies,
    contacts: ContactForce<DampedLaw<'a, L>, Frictionless>,
    load: &'a VectorColumn,
    pub(crate) state: State,
    wrenches: Wrenches,
    /// By body; zero for fixed ones.
    inverse_mass: Vec<f64>,
    /// Positions and forces at the start of the window.
    window: [VectorColumn; 2],
    /// Times the step.
    damping: f64,
    /// Steps since the start.
    steps: usize,
    sums: Vec<Sums>,
}

/// Sums over all bodies.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// −ΔF · Δx over the window.
    stiffening: f64,
    /// Δx · M Δx over the window.
    way: f64,
    /// The square of the largest force.
    largest: f64,
}

impl Sums {
    fn join(self, other: &Self) -> Self {
        let larger = other.largest > self.largest || other.largest.is_nan();
        Self {
            stiffening: self.stiffening + other.stiffening,
            way: self.way + other.way,
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
        mut state: State,
    ) -> Result<Self, DemError> {
        let radii = || bodies.radius().iter().copied();
        let smallest = radii().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        // As many contacts as small spheres find room around a body, so as much inertia: one step suits all.
        let inverse = |radius: f64| (2.0 * smallest / (radius + smallest)).powi(2).min(1.0);
        let mut inverse_mass: Vec<f64> = radii().map(|r| if r > 0.0 { inverse(r) } else { 1.0 }).collect();
        bodies.fixed().iter().for_each(|&i| inverse_mass[i] = 0.0);
        state.velocity_mut().clear();
        state.angular_momentum_mut().clear();
        Ok(Self {
            bodies,
            contacts: ContactForce::new(list, DampedLaw(law), Frictionless).with_walls(walls)?,
            load,
            window: [state.position().clone(), VectorColumn::zeros(bodies.len())],
            state,
            wrenches: Wrenches::zeros(bodies.len()),
            inverse_mass,
            damping: SLOW,
            steps: 0,
            sums: vec![Sums::default(); bodies.len().div_ceil(BLOCK)],
        })
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
            if self.steps.is_multiple_of(WINDOW) {
                let sums = self.look();
                if sums.way > 0.0 && self.steps > CAUTIOUS {
                    let square = (sums.stiffening / sums.way).max(0.0);
                    self.damping = (2.0 * SHARE * square.sqrt() * time_step).clamp(LEAST, 1.0);
                }
            }
            let largest = self.advance(time_step, fastest).largest.sqrt();
            self.steps += 1;
            if largest <= goal {
                return Ok(step);
            }
        }
        Ok(steps)
    }

    /// Ends a window and begins the next one.
    fn look(&mut self) -> Sums {
        let (load, force, position) =
            (self.load.slices(), self.wrenches.force.slices(), self.state.position().slices());
        let [before, forces] = &mut self.window;
        let ([x, y, z], [fx, fy, fz]) = (before.slices_mut(), forces.slices_mut());
        let inverse_mass = &self.inverse_mass;
        let output = ((x, y, z), (fx, fy, fz), PerBlock(&mut self.sums));
        all_blocks(inverse_mass.len(), output, &|first, count, ((x, y, z), (fx, fy, fz), sums)| {
            let mut sum = Sums::default();
            for k in 0..count {
                let i = first + k;
                for (c, (x, f)) in
                    [(&mut *x, &mut *fx), (&mut *y, &mut *fy), (&mut *z, &mut *fz)].into_iter().enumerate()
                {
                    let now = load[c][i] + force.map_or(0.0, |force| force[c][i]);
                    let way = position[c][i] - x[k];
                    if inverse_mass[i] > 0.0 {
                        sum.stiffening += (f[k] - now) * way;
                        sum.way += way * way / inverse_mass[i];
                    }
                    (x[k], f[k]) = (position[c][i], now);
                }
            }
            if let [sums] = sums.0 {
                *sums = sum;
            }
            true
        });
        self.sums.iter().fold(Sums::default(), Sums::join)
    }

    /// One step; the sums have the largest force of its start.
    fn advance(&mut self, time_step: f64, fastest: f64) -> Sums {
        let half = 0.5 * self.damping;
        let (keep, gain) = ((1.0 - half) / (1.0 + half), time_step / (1.0 + half));
        let (load, force) = (self.load.slices(), self.wrenches.force.slices());
        let mut velocity = std::mem::take(self.state.velocity_mut());
        let [x, y, z] = self.state.position_mut().slices_mut();
        let [vx, vy, vz] = velocity.slices_mut();
        let inverse_mass = &self.inverse_mass;
        let output = ((x, y, z), (vx, vy, vz), PerBlock(&mut self.sums));
        all_blocks(inverse_mass.len(), output, &|first, count, ((x, y, z), (vx, vy, vz), sums)| {
            let mut sum = Sums::default();
            for k in 0..count {
                let i = first + k;
                let inverse = inverse_mass[i];
                if inverse <= 0.0 {
                    continue;
                }
                let total = |c: usize| load[c][i] + force.map_or(0.0, |force| force[c][i]);
                let (now, mut velocity) = ([total(0), total(1), total(2)], [vx[k], vy[k], vz[k]]);
                // A body that was thrown up would come down elsewhere.
                let flies = force.is_none_or(|force| force.iter().all(|force| force[i].abs() <= 0.0));
                if flies && (0..3).map(|c| now[c] * velocity[c]).sum::<f64>() < 0.0 {
                    velocity = [0.0; 3];
                }
                let mut next = [0.0; 3];
                let (mut square, mut speed) = (0.0, 0.0);
                for c in 0..3 {
                    square += now[c] * now[c];
                    next[c] = keep * velocity[c] + gain * inverse * now[c];
                    speed += next[c] * next[c];
                }
                if square > sum.largest || square.is_nan() {
                    sum.largest = square;
                }
                if speed > fastest * fastest {
                    let scale = fastest / speed.sqrt();
                    next = next.map(|v| scale * v);
                }
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
        *self.state.velocity_mut() = velocity;
        self.sums.iter().fold(Sums::default(), Sums::join)
    }
}
