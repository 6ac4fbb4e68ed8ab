//! The way to the neighbourhood of an equilibrium.

pub(crate) mod bodies;
pub(crate) mod cyclic_compression;
pub(crate) mod damped_law;

use pulp::Arch;
use rrp_integrate::{Bodies, ScalarColumn, State, VectorColumn};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::old::kernel::{self, DAMPED, ELASTIC, Output, Scene};
use crate::force::wall_forces::EvaluationTime;
use crate::force::wall_forces::body_motion::BodyMotion;
use crate::law::contact_law::ContactLaw;
use crate::law::tangential::memoryless::Frictionless;
use crate::neighbor::NeighborList;
use crate::parallel::blocks::{BLOCK, Blocks};
use crate::parallel::fork_join::{PerBlock, all_large_blocks};
use crate::statics::relaxation::bodies::RelaxationBodies;
use crate::statics::relaxation::cyclic_compression::{CyclicCompression, MOST};
use crate::statics::relaxation::damped_law::DampedLaw;
use crate::wall::Wall;

/// Steps times the root of the stiffness of a contact, over that of a body's mass. Where spheres touch twelve others steps are
/// stable up to 0.7 without damping of contacts, and contacts that open and close feed on steps that are nearly as long.
const STEP: f64 = 0.5;
/// Damping over that which would be critical for the mode in which bodies move, where nothing but their neighbours holds them.
const SHARE: f64 = 0.1;
/// The same under a load, while bodies slide from one state that does not hold to the next, and where they may have come to one
/// that does: below this residual.
const SLIDING: f64 = 0.02;
const SETTLING: f64 = 0.2;
const SETTLED: f64 = 0.02;
/// Damping of contacts over that which would be critical for a contact: in every step, and under a load, where only half of them
/// are damped. Velocities are those of half a step before, so much more is not stable: where spheres touch twelve others, the
/// stiffest mode is damped by 0.15 in half of the steps and fed by 0.2.
const RATIO: f64 = 0.1;
const SPORADIC_RATIO: f64 = 0.13;
/// Steps over which that mode is looked at: what contacts do in between is noise.
const WINDOW: usize = 100;
/// Damping at the start, times the step, and for how many steps: bodies that are let go creep downhill, since a packing that
/// barely stands is knocked over by less than the motion it is loaded with.
const SLOW: f64 = 1.0;
const CAUTIOUS: usize = 5000;
/// Least damping, over the reciprocal of the step.
const LEAST: f64 = 2e-4;

/// What is read for loads or walls where there are none.
static NOTHING: [[f64; 4]; BLOCK] = [[0.0; 4]; BLOCK];

/// Bodies slide downhill with damped inertia, which takes them along the floppy modes of a loose packing, whose contacts open
/// and close all the way down: many cheap steps do better there than few dear ones.
///
/// Two dampings share the work. That of contacts takes out what rattles and leaves alone what slides. That of bodies follows
/// the motion (dynamic relaxation, Underwood 1983): the frequency of the mode in which bodies move is the Rayleigh quotient of
/// the stiffness, from the forces at both ends of a window and the way between them, and slow modes are left their inertia.
///
/// Under a load contacts are damped in one half of the steps, since forces that need no velocities take half the time. Those
/// steps follow no pattern: modes with its period would be fed. Walls are few, and damp in every step.
///
/// A step is one pass over the blocks: forces on a block, then its new centres and velocities, into rows of their own.
#[derive(Debug)]
pub(crate) struct DynamicRelaxation<'a, L> {
    radius: &'a ScalarColumn,
    /// The largest radius, and the smallest of those that are not zero.
    largest: f64,
    smallest: f64,
    /// Whether nothing pulls at the bodies: what holds them is how they are squeezed.
    free: bool,
    /// The law, the walls, and the list with the centres.
    contacts: ContactForce<DampedLaw<'a, L>, Frictionless>,
    places: RelaxationBodies,
    state: State,
    next: [Vec<[f64; 4]>; 2],
    /// What walls exert, and all forces at the start of a window.
    push: Vec<[f64; 4]>,
    force: Vec<[f64; 4]>,
    /// Times the step; and over that which would be critical.
    damping: f64,
    share: f64,
    press: CyclicCompression,
    /// How much larger than they are bodies are, and were when the list was made.
    growth: [f64; 2],
    /// No centre is further from where it was then, in m.
    moved: f64,
    /// Steps since the start.
    steps: usize,
    sums: Vec<LargestSquares>,
}

/// One of two sides, by a hash of the number of a step.
fn coin(step: usize) -> bool {
    let step = step as u64;
    let mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (step >> 3).wrapping_mul(0xd1b5_4a32_d192_ed03);
    mixed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 63 == 0
}

/// Of the first three of four numbers.
#[inline(always)]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let product: [f64; 4] = std::array::from_fn(|c| a[c] * b[c]);
    product[0] + product[1] + product[2]
}

/// Largest squares over all bodies.
#[derive(Debug, Clone, Copy, Default)]
struct LargestSquares {
    force: f64,
    speed: f64,
}

/// The larger one, or what is not a number.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

impl<'a, L: ContactLaw> DynamicRelaxation<'a, L> {
    pub(crate) fn new(
        bodies: &'a Bodies,
        (mut list, law): (NeighborList, &'a L),
        walls: impl IntoIterator<Item = Wall>,
        load: &VectorColumn,
        mut state: State,
    ) -> Result<Self, DemError> {
        let radii = || bodies.radius().iter().copied();
        let smallest = radii().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        // As many contacts as small spheres find room around a body, so as much inertia: one step suits all.
        let inverse = |radius: f64| (2.0 * smallest / (radius + smallest)).powi(2).min(1.0);
        let mut inverse_mass: Vec<f64> = radii().map(|r| if r > 0.0 { inverse(r) } else { 1.0 }).collect();
        let mut loads = load.clone();
        for &i in bodies.fixed() {
            inverse_mass[i] = 0.0;
            loads.set(i, Default::default());
        }
        state.velocity_mut().clear();
        state.angular_momentum_mut().clear();
        list.set_fixed(bodies.fixed().into());
        let count = bodies.len();
        let free = loads.iter().all(|load| load.length_squared() <= 0.0);
        let damped = DampedLaw { law, ratio: if free { RATIO } else { SPORADIC_RATIO } };
        Ok(Self {
            radius: bodies.radius(),
            largest: radii().fold(0.0, f64::max),
            smallest,
            free,
            contacts: ContactForce::new(list, damped, Frictionless).with_walls(walls)?,
            places: RelaxationBodies::new(state.position(), &loads, &inverse_mass),
            state,
            next: [const { Vec::new() }; 2].map(|_: Vec<[f64; 4]>| vec![[0.0; 4]; count]),
            push: vec![[0.0; 4]; count],
            force: vec![[0.0; 4]; count],
            damping: SLOW,
            share: SHARE,
            press: CyclicCompression::default(),
            growth: [0.0; 2],
            moved: f64::INFINITY,
            steps: 0,
            sums: vec![LargestSquares::default(); Blocks::of(count).count()],
        })
    }

    /// Where the bodies are.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Presses bodies that nothing but their neighbours holds, if it is time and they have room to grow; `strain` is their mean
    /// overlap over the diameter.
    pub(crate) fn press(&mut self, strain: f64) {
        let list = &self.contacts.list;
        let cutoff = 2.0 * self.largest * (1.0 + MOST) + list.skin();
        if self.free && self.largest > 0.0 && list.domain().check_cutoff(cutoff).is_ok() {
            // Large bodies grow by no greater length than small ones would.
            self.press.follow(self.steps, strain, self.smallest / self.largest);
        }
    }

    /// Chooses how much is damped, for the largest unbalanced force over the mean contact force.
    pub(crate) fn damp(&mut self, residual: f64) {
        self.share = match residual {
            _ if self.free => SHARE,
            ..SETTLED => SETTLING,
            _ => SLIDING,
        };
    }

    /// How much larger bodies will be at most in the next steps, over their size.
    pub(crate) fn swelling(&self) -> f64 {
        self.press.most(self.steps)
    }

    /// Takes up to `steps` steps, fewer if no force is above `goal` any more; returns how many were needed. No body is to be faster than
    /// `fastest`, contacts are at most as stiff as `stiffest`.
    pub(crate) fn run(&mut self, steps: usize, goal: f64, stiffest: f64, fastest: f64) -> Result<usize, DemError> {
        let time_step = STEP / stiffest.sqrt();
        let mut taken = steps;
        for step in 0..steps {
            self.follow()?;
            let window = self.steps.is_multiple_of(WINDOW);
            let largest = match self.advance(time_step, fastest, window) {
                // What is too deep or too far then need not be without the press.
                Err(_) if self.growth[0] > 0.0 => {
                    self.press.end();
                    continue;
                }
                outcome => outcome?,
            };
            self.moved += time_step * largest.speed.sqrt();
            if window {
                // The rows that are now spare are those that the forces belong to.
                let [stiffening, way] = self.places.look(&self.next[0], &self.force);
                if way > 0.0 && self.steps > if self.free { 0 } else { CAUTIOUS } {
                    let square = (stiffening / way).max(0.0);
                    self.damping = (2.0 * self.share * square.sqrt() * time_step).clamp(LEAST, 1.0);
                }
            }
            self.steps += 1;
            if largest.force.sqrt() <= goal && self.growth[0] <= 0.0 {
                taken = step;
                break;
            }
        }
        self.places.write(self.contacts.list.packed(), self.state.position_mut());
        Ok(taken)
    }

    /// Lets bodies grow or shrink, and makes a new list where the one there is no longer holds.
    fn follow(&mut self) -> Result<(), DemError> {
        let list = &mut self.contacts.list;
        let growth = self.press.growth(self.steps);
        if growth.to_bits() != self.growth[0].to_bits() {
            for (row, &i) in list.packed_mut().iter_mut().zip(self.places.order()) {
                row[3] = self.radius[i as usize] * (1.0 + growth);
            }
            self.growth[0] = growth;
        }
        let grown = (growth - self.growth[1]).max(0.0) * self.largest;
        let limit = 0.5 * list.skin() * (1.0 - 1e-9) - grown;
        if self.moved > limit && self.moved.is_finite() {
            self.moved = self.places.drift(list.packed());
        }
        if self.moved > limit || self.moved.is_nan() {
            self.places.write(list.packed(), self.state.position_mut());
            if growth > 0.0 {
                let radius = self.radius.iter().map(|radius| radius * (1.0 + growth)).collect();
                self.places.sort(list, &radius, self.state.position())?;
            } else {
                self.places.sort(list, self.radius, self.state.position())?;
            }
            (self.growth[1], self.moved) = (growth, 0.0);
        }
        Ok(())
    }

    /// What walls exert on the bodies.
    fn push(&mut self) -> Result<(), DemError> {
        let ContactForce { list, laws, walls, .. } = &mut self.contacts;
        walls.wrenches.iter().for_each(|wrench| self.push[wrench.slot as usize] = [0.0; 4]);
        let motion = BodyMotion::BySlot { velocity: &self.places.velocity, spin: &[] };
        walls.accumulate(laws, list, EvaluationTime { time: 0.0, elapsed: 0.0 }, &motion)?;
        for wrench in &walls.wrenches {
            let row = &mut self.push[wrench.slot as usize];
            wrench.force.to_array().iter().zip(row).for_each(|(push, sum)| *sum += push);
        }
        Ok(())
    }

    /// One step; the largest force is that of its start.
    fn advance(&mut self, time_step: f64, fastest: f64, window: bool) -> Result<LargestSquares, DemError> {
        if !self.contacts.walls.walls.is_empty() {
            self.push()?;
        }
        let half = 0.5 * self.damping;
        let (keep, gain) = ((1.0 - half) / (1.0 + half), time_step / (1.0 + half));
        let ContactForce { list, laws, .. } = &self.contacts;
        let (position, velocity) = (list.packed(), &self.places.velocity[..]);
        let (shifts, order, cut) = (list.shifts(), list.order(), list.blocks());
        // The forces of a window are without damping where they can be.
        let mode = if self.free || (coin(self.steps) && !window) { DAMPED } else { ELASTIC };
        let equal = self.radius.uniform().is_some();
        let scene = Scene { laws, elapsed: 0.0, equal, shifts, order, position, velocity, spin: &[] };
        let [next_position, next_velocity] = &mut self.next;
        let kept: &mut [[f64; 4]] = if window { &mut self.force } else { &mut [] };
        let output = (&mut next_position[..], &mut next_velocity[..], kept, PerBlock(&mut self.sums));
        let (load, push) = (&self.places.load[..], &self.push[..]);
        let (loaded, walled) = (!self.free, !self.contacts.walls.walls.is_empty());
        let good =
            all_large_blocks(position.len(), output, &|first, count, (next_position, next_velocity, kept, sums)| {
                let (Some(rows), [sums]) = (list.rows().get(cut.at(first)), sums.0) else { return true };
                let mut force = [[0.0; 4]; BLOCK];
                let force = &mut force[..count];
                let good = kernel::block(
                    mode,
                    &scene,
                    first,
                    rows,
                    Output { force: &mut *force, torque: &mut [], dissipative: &mut [] },
                );
                *sums = Arch::new().dispatch(
                    #[inline(always)]
                    || {
                        let places = first..first + count;
                        let columns = position[places.clone()].iter().zip(&velocity[places.clone()]);
                        let load = if loaded { &load[places.clone()] } else { &NOTHING[..count] };
                        let push = if walled { &push[places] } else { &NOTHING[..count] };
                        let forces = load.iter().zip(push).zip(&mut *force);
                        let next = next_position.iter_mut().zip(next_velocity);
                        let mut largest = LargestSquares::default();
                        for (((at, before), ((load, push), force)), (next_at, next_velocity)) in
                            columns.zip(forces).zip(next)
                        {
                            // Four numbers at a time; the last ones mean nothing but in a velocity, which keeps its reciprocal mass.
                            let contact: [f64; 4] = std::array::from_fn(|c| force[c] + push[c]);
                            *force = std::array::from_fn(|c| load[c] + contact[c]);
                            let mut before = *before;
                            // A body that was thrown up would come down elsewhere.
                            if dot(&contact, &contact) <= 0.0 && dot(force, &before) < 0.0 {
                                before = [0.0, 0.0, 0.0, before[3]];
                            }
                            let (inverse_mass, factor) = (before[3], gain * before[3]);
                            let mut next: [f64; 4] = std::array::from_fn(|c| keep * before[c] + factor * force[c]);
                            let (square, mut speed) = (dot(force, force), dot(&next, &next));
                            if speed > fastest * fastest {
                                let scale = fastest / speed.sqrt();
                                next = next.map(|component| scale * component);
                                speed = if speed.is_finite() { fastest * fastest } else { speed };
                            }
                            *next_at = std::array::from_fn(|c| at[c] + time_step * next[c]);
                            next_at[3] = at[3];
                            next[3] = inverse_mass;
                            *next_velocity = next;
                            largest.force = larger(if next[3] > 0.0 { square } else { 0.0 }, largest.force);
                            largest.speed = larger(speed, largest.speed);
                        }
                        largest
                    },
                );
                if !kept.is_empty() {
                    kept.copy_from_slice(force);
                }
                good
            });
        if !good {
            return Err(self.contacts.deepest_pair());
        }
        std::mem::swap(self.contacts.list.packed_mut(), next_position);
        std::mem::swap(&mut self.places.velocity, next_velocity);
        let join = |a: LargestSquares, b: &LargestSquares| LargestSquares {
            force: larger(b.force, a.force),
            speed: larger(b.speed, a.speed),
        };
        Ok(self.sums.iter().fold(LargestSquares::default(), join))
    }
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::Body;

    use super::*;
    use crate::law::normal::damping::Damping;
    use crate::law::normal::hooke::Hooke;
    use crate::neighbor::domain::{Boundary, Domain};

    /// The largest radius in the list and positions after so many steps, of spheres on a lattice without room,
    /// a little beside their places.
    fn run(threads: usize, steps: usize) -> (f64, VectorColumn) {
        const SIDE: usize = 13;
        let count = SIDE.pow(3);
        let bodies = Bodies::new((0..count).map(|_| Body::sphere(1.0, 0.5))).unwrap();
        let mut state = State::at_rest(count).without_attitudes();
        for i in 0..count {
            let cell = [i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE].map(|k| k as f64 + 0.5);
            let beside = [7, 11, 13].map(|k| ((i * k) % 17) as f64 * 2e-3);
            state.position_mut().set(i, DVec3::from_array(cell) * 0.99 + DVec3::from_array(beside));
        }
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(0.99 * SIDE as f64), [Boundary::Periodic; 3]).unwrap();
        let list = NeighborList::new(domain, 0.1).unwrap();
        let law = Hooke::new(1.0, Damping::NONE).unwrap();
        let load = VectorColumn::zeros(count);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut relaxation = DynamicRelaxation::new(&bodies, (list, &law), [], &load, state).unwrap();
            for _ in 0..steps {
                relaxation.press(1e-3);
                assert_eq!(relaxation.run(1, -1.0, 1.0, 1.0).unwrap(), 1);
            }
            let packed = relaxation.contacts.list.packed();
            (packed.iter().fold(0.0, |most: f64, row| most.max(row[3])), relaxation.state().position().clone())
        })
    }

    #[test]
    fn a_coin_has_no_period() {
        const TOSSES: usize = 20_000;
        for period in 1..=64 {
            // By how much the sides of steps that are so far apart agree: neither all nor none of them.
            let same = (0..TOSSES).filter(|&step| coin(step) == coin(step + period)).count() as f64 / TOSSES as f64;
            assert!((same - 0.5).abs() < 0.1, "{period}: {same}");
            for phase in 0..period {
                let steps = (phase..TOSSES).step_by(period);
                let share = steps.clone().filter(|&step| coin(step)).count() as f64 / steps.len() as f64;
                assert!((share - 0.5).abs() < 0.15, "{period}, {phase}: {share}");
            }
        }
    }

    #[test]
    fn a_step_has_the_same_bits_on_any_number_of_threads_and_presses_end() {
        let [(grown, one), (_, two)] = [1, 2].map(|threads| run(threads, 2300));
        // In the course of the first press.
        assert!(grown > 0.5 * 1.003 && grown <= 0.5 * 1.004 * (1.0 + 1e-12), "{grown}");
        assert!(
            one.iter().zip(two.iter()).all(|(a, b)| a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits))
        );
        assert!(run(2, 1999).0 <= 0.5 && run(2, 4000).0 > 0.5);
        // The second press begins where the first one ends.
        assert!(run(2, 4001).0 <= 0.5);
    }
}
