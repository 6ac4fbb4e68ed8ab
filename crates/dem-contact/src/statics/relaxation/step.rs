//! One step of dynamic relaxation: forces, then velocities and centres, block by block.

use pulp::Arch;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::old::kernel::{self, DAMPED, ELASTIC, Output, Scene};
use crate::force::wall_forces::EvaluationTime;
use crate::force::wall_forces::body_motion::BodyMotion;
use crate::law::contact_law::ContactLaw;
use crate::parallel::blocks::BLOCK;
use crate::parallel::fork_join::{PerBlock, all_large_blocks};
use crate::statics::relaxation::{DynamicRelaxation, LargestSquares};

/// Rows of loads or walls where there are none.
static NOTHING: [[f64; 4]; BLOCK] = [[0.0; 4]; BLOCK];

/// How bodies move in one step: velocities become `keep` times themselves plus `gain` times the acceleration.
#[derive(Debug, Clone, Copy)]
struct DampedMotion {
    keep: f64,
    gain: f64,
    time_step: f64,
    /// No body becomes faster than this.
    speed_limit: f64,
}

/// The bodies of one block: rows of three numbers, and a fourth one that is the radius in `centre` and the reciprocal
/// mass in velocities, and means nothing elsewhere.
struct BlockMotion<'a> {
    centre: &'a [[f64; 4]],
    velocity: &'a [[f64; 4]],
    load: &'a [[f64; 4]],
    wall_force: &'a [[f64; 4]],
    /// Contact forces; all forces afterwards.
    force: &'a mut [[f64; 4]],
    next_centre: &'a mut [[f64; 4]],
    next_velocity: &'a mut [[f64; 4]],
}

impl<L: ContactLaw> DynamicRelaxation<'_, L> {
    /// Takes one step. `window` states that the step begins a window: its forces are kept, and are without damping if
    /// they can be.
    ///
    /// # Errors
    /// [`ContactError::OverlapTooLarge`](crate::error::ContactError::OverlapTooLarge), and those of walls.
    pub(super) fn step(&mut self, time_step: f64, speed_limit: f64, window: bool) -> Result<LargestSquares, DemError> {
        let walled = !self.contacts.walls.walls.is_empty();
        if walled {
            self.find_wall_forces()?;
        }
        let half = 0.5 * self.damping.of_bodies();
        let (keep, gain) = ((1.0 - half) / (1.0 + half), time_step / (1.0 + half));
        let motion = DampedMotion { keep, gain, time_step, speed_limit };
        let ContactForce { list, laws, .. } = &self.contacts;
        let (position, velocity) = (list.packed(), &self.bodies.velocity[..]);
        let (shifts, order, cut) = (list.shifts(), list.order(), list.blocks());
        let damped = self.damping.damps_contacts(self.steps) && !(self.loaded && window);
        let mode = if damped { DAMPED } else { ELASTIC };
        let equal = self.radius.uniform().is_some();
        let scene = Scene { laws, elapsed: 0.0, equal, shifts, order, position, velocity, spin: &[] };
        let [next_centre, next_velocity] = &mut self.next;
        let kept: &mut [[f64; 4]] = if window { &mut self.force } else { &mut [] };
        let output = (&mut next_centre[..], &mut next_velocity[..], kept, PerBlock(&mut self.block_squares));
        let (load, wall_force, loaded) = (&self.bodies.load[..], &self.wall_force[..], self.loaded);
        let good = all_large_blocks(position.len(), output, &|first, count, output| {
            let (next_centre, next_velocity, kept, squares) = output;
            let mut good = true;
            // One block, or none where there are no bodies.
            for squares in squares.0 {
                let rows = &list.rows()[cut.at(first)];
                let mut force = [[0.0; 4]; BLOCK];
                let force = &mut force[..count];
                let output = Output { force: &mut *force, torque: &mut [], dissipative: &mut [] };
                good = kernel::block(mode, &scene, first, rows, output);
                let bodies = first..first + count;
                let block = BlockMotion {
                    centre: &position[bodies.clone()],
                    velocity: &velocity[bodies.clone()],
                    load: if loaded { &load[bodies.clone()] } else { &NOTHING[..count] },
                    wall_force: if walled { &wall_force[bodies] } else { &NOTHING[..count] },
                    force: &mut *force,
                    next_centre: &mut *next_centre,
                    next_velocity: &mut *next_velocity,
                };
                *squares = Arch::new().dispatch(
                    #[inline(always)]
                    || motion.advance(block),
                );
                if !kept.is_empty() {
                    kept.copy_from_slice(force);
                }
            }
            good
        });
        if !good {
            return Err(self.contacts.deepest_pair());
        }
        std::mem::swap(self.contacts.list.packed_mut(), next_centre);
        std::mem::swap(&mut self.bodies.velocity, next_velocity);
        let join = |a: LargestSquares, b: &LargestSquares| LargestSquares {
            force: larger(b.force, a.force),
            speed: larger(b.speed, a.speed),
        };
        Ok(self.block_squares.iter().fold(LargestSquares::default(), join))
    }

    /// Finds the forces of walls on the bodies.
    fn find_wall_forces(&mut self) -> Result<(), DemError> {
        let ContactForce { list, laws, walls, .. } = &mut self.contacts;
        walls.wrenches.iter().for_each(|wrench| self.wall_force[wrench.slot as usize] = [0.0; 4]);
        let motion = BodyMotion::BySlot { velocity: &self.bodies.velocity, spin: &[] };
        walls.accumulate(laws, list, EvaluationTime { time: 0.0, elapsed: 0.0 }, &motion)?;
        for wrench in &walls.wrenches {
            let row = &mut self.wall_force[wrench.slot as usize];
            wrench.force.to_array().iter().zip(row).for_each(|(force, sum)| *sum += force);
        }
        Ok(())
    }
}

impl DampedMotion {
    /// Writes velocities and centres after the step, four numbers at a time.
    #[inline(always)]
    fn advance(&self, block: BlockMotion<'_>) -> LargestSquares {
        let &Self { keep, gain, time_step, speed_limit } = self;
        let BlockMotion { centre, velocity, load, wall_force, force, next_centre, next_velocity } = block;
        let columns = centre.iter().zip(velocity);
        let forces = load.iter().zip(wall_force).zip(force);
        let next = next_centre.iter_mut().zip(next_velocity);
        let mut largest = LargestSquares::default();
        for (((centre, before), ((load, wall_force), force)), (next_centre, next_velocity)) in
            columns.zip(forces).zip(next)
        {
            let contact: [f64; 4] = std::array::from_fn(|c| force[c] + wall_force[c]);
            *force = std::array::from_fn(|c| load[c] + contact[c]);
            let mut before = *before;
            // A body in free flight against its load is stopped: it would come down elsewhere.
            if dot(&contact, &contact) <= 0.0 && dot(force, &before) < 0.0 {
                before = [0.0, 0.0, 0.0, before[3]];
            }
            let (inverse_mass, factor) = (before[3], gain * before[3]);
            let mut next: [f64; 4] = std::array::from_fn(|c| keep * before[c] + factor * force[c]);
            let (square, mut speed) = (dot(force, force), dot(&next, &next));
            if speed > speed_limit * speed_limit {
                let scale = speed_limit / speed.sqrt();
                next = next.map(|component| scale * component);
                speed = if speed.is_finite() { speed_limit * speed_limit } else { speed };
            }
            *next_centre = std::array::from_fn(|c| centre[c] + time_step * next[c]);
            next_centre[3] = centre[3];
            next[3] = inverse_mass;
            *next_velocity = next;
            largest.force = larger(if next[3] > 0.0 { square } else { 0.0 }, largest.force);
            largest.speed = larger(speed, largest.speed);
        }
        largest
    }
}

/// The product of the first three of four numbers.
#[inline(always)]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let product: [f64; 4] = std::array::from_fn(|c| a[c] * b[c]);
    product[0] + product[1] + product[2]
}

/// The larger of two numbers; NaN counts as the largest if it comes first.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
