use pulp::Arch;
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::error::DemError;
use crate::force::evaluate::CentresAndForces;
use crate::statics::relaxation::{DynamicRelaxation, LargestSquares};
use crate::util::numbers::larger;
use crate::util::vectorized::vectorized;

/// Damped motion in a step: the new velocity is `keep` times the old one plus `gain` times the acceleration.
#[derive(Debug, Clone, Copy)]
struct DampedMotion {
    keep: f64,
    gain: f64,
    time_step: f64,
    speed_limit: f64,
}

/// Bodies of one block in a relaxation step, as rows of a vector and a fourth number: the radius in `centre`, the
/// reciprocal mass in `velocity`, unused in `force` and `load`.
struct BlockMotion<'a> {
    centre: &'a mut [[f64; 4]],
    velocity: &'a mut [[f64; 4]],
    /// Forces of contacts and walls on each body in N before the step; all forces, loads included, after it.
    force: &'a mut [[f64; 4]],
    load: &'a [[f64; 4]],
}

impl DynamicRelaxation<'_> {
    /// Takes one relaxation step. `window` means that the step begins a window over which damping is tuned: its forces
    /// are kept, and under a load they are evaluated without damping.
    ///
    /// # Errors
    /// [`ContactError::OverlapTooLarge`](crate::error::ContactError::OverlapTooLarge), and errors of walls.
    pub(super) fn step(&mut self, time_step: f64, speed_limit: f64, window: bool) -> Result<LargestSquares, DemError> {
        let is_damped = self.damping.damps_contacts(self.steps) && !(self.loaded && window);
        self.find_forces(is_damped)?;
        let half = 0.5 * self.damping.of_bodies();
        let keep = (1.0 - half) / (1.0 + half);
        let gain = time_step / (1.0 + half);
        let motion = DampedMotion { keep, gain, time_step, speed_limit };
        let CentresAndForces { centres: centre, forces: force } = self.contacts.centres_and_forces();
        if window {
            centre.clone_into(&mut self.window_centre);
        }
        let velocity = &mut self.bodies.velocity[..];
        let arch = Arch::new();
        let load = &self.bodies.load;
        let output = (&mut centre[..], velocity, &mut force[..], PerPart(&mut self.block_squares));
        for_each_part(Parts::blocks(load.len()), output, &|part, (centre, velocity, force, squares)| {
            let mut block = BlockMotion { centre, velocity, force, load: &load[part.rows] };
            let largest = vectorized(
                arch,
                #[inline(always)]
                || motion.advance(&mut block),
            );
            squares.0.fill(largest);
        });
        if window {
            force.clone_into(&mut self.window_force);
        }
        let join = |a: LargestSquares, b: &LargestSquares| LargestSquares {
            force: larger(b.force, a.force),
            speed: larger(b.speed, a.speed),
        };
        Ok(self.block_squares.iter().fold(LargestSquares::default(), join))
    }

    fn find_forces(&mut self, is_damped: bool) -> Result<(), DemError> {
        let radius = self.radius.uniform().map(|radius| radius * (1.0 + self.growth));
        self.contacts.evaluate_for_relaxation(radius, is_damped.then_some(&self.bodies.velocity[..]))
    }
}

impl DampedMotion {
    /// Computes the new velocities and centres, four numbers at a time; returns the largest squared force and speed.
    #[inline(always)]
    fn advance(&self, block: &mut BlockMotion<'_>) -> LargestSquares {
        let &Self { keep, gain, time_step, speed_limit } = self;
        let BlockMotion { centre, velocity, force, load } = block;
        let mut largest = LargestSquares::default();
        for (((centre, velocity), force), load) in centre.iter_mut().zip(&mut **velocity).zip(&mut **force).zip(*load) {
            let contact = *force;
            *force = std::array::from_fn(|c| load[c] + contact[c]);
            let mut before = *velocity;
            // A body in free flight against its load is stopped, because it would otherwise land elsewhere.
            if dot(&contact, &contact) <= 0.0 && dot(force, &before) < 0.0 {
                before = [0.0, 0.0, 0.0, before[3]];
            }
            let inverse_mass = before[3];
            let factor = gain * before[3];
            let mut next: [f64; 4] = std::array::from_fn(|c| keep * before[c] + factor * force[c]);
            let square = dot(force, force);
            let mut speed = dot(&next, &next);
            if speed > speed_limit * speed_limit {
                let scale = speed_limit / speed.sqrt();
                next = next.map(|component| scale * component);
                speed = if speed.is_finite() { speed_limit * speed_limit } else { speed };
            }
            let radius = centre[3];
            *centre = std::array::from_fn(|c| centre[c] + time_step * next[c]);
            centre[3] = radius;
            next[3] = inverse_mass;
            *velocity = next;
            largest.force = larger(if next[3] > 0.0 { square } else { 0.0 }, largest.force);
            largest.speed = larger(speed, largest.speed);
        }
        largest
    }
}

#[inline(always)]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let product: [f64; 4] = std::array::from_fn(|c| a[c] * b[c]);
    product[0] + product[1] + product[2]
}
