//! Dynamic relaxation: damped motion to the neighbourhood of an equilibrium.

pub(crate) mod bodies;
pub(crate) mod cyclic_compression;
pub(crate) mod damping;
pub(crate) mod step;

use rrp_integrate::{Bodies, ScalarColumn, State, VectorColumn};
use rrp_parallel::Parts;

use crate::error::DemError;
use crate::force::ContactForce;
use crate::law::pair_law::Relaxed;
use crate::neighbor::NeighborList;
use crate::statics::relaxation::bodies::RelaxationBodies;
use crate::statics::relaxation::cyclic_compression::{CyclicCompression, LARGEST_GROWTH};
use crate::statics::relaxation::damping::Damping;
use crate::wall::Wall;

/// Time step of dynamic relaxation, times √(stiffness of a contact over mass of a body). With twelve neighbours, steps
/// up to 0.7 are stable without contact damping; contacts that open and close gain energy at slightly shorter steps.
const STEP: f64 = 0.5;
/// Number of relaxation steps over which the mode of motion is measured; rattling of contacts averages out.
const WINDOW: usize = 100;

/// Dynamic relaxation: bodies move with damped inertia along the floppy modes of a loose packing. Contacts open and
/// close all the time, so that many cheap steps are better than few expensive ones.
///
/// Damping of contacts acts on rattling and not on sliding. Damping of bodies follows the motion (dynamic relaxation,
/// Underwood 1983): the frequency of the mode of motion is a Rayleigh quotient, from the forces at both ends of a
/// window of steps and the displacement between them. Slow modes keep their inertia.
///
/// Under a load contacts, including those with walls, are damped in half of the steps only, because forces without
/// velocities take half the time.
///
/// A step evaluates forces by tiles (boxes of space), then moves bodies by blocks of consecutive ones.
#[derive(Debug)]
pub(super) struct DynamicRelaxation<'a> {
    radius: &'a ScalarColumn,
    largest: f64,
    /// Smallest radius in m, except for bodies of radius zero.
    smallest: f64,
    /// Whether there is a load (constant force) on any body; otherwise walls or images must squeeze the packing.
    loaded: bool,
    /// Contacts with damped laws, walls and the neighbour list, which holds the centres of the bodies.
    contacts: ContactForce,
    bodies: RelaxationBodies,
    state: State,
    /// Centres (m) and, in `window_force`, forces (N) at the start of a window of steps over which damping is tuned.
    window_centre: Vec<[f64; 4]>,
    window_force: Vec<[f64; 4]>,
    damping: Damping,
    compression: CyclicCompression,
    /// Relative growth of bodies beyond their true size by cyclic compression; `growth_of_list` is the growth when the
    /// neighbour list was built.
    growth: f64,
    growth_of_list: f64,
    /// Upper bound in m on the displacement of any centre since the neighbour list was built.
    travel_bound: f64,
    steps: usize,
    block_squares: Vec<LargestSquares>,
}

/// Largest squared force and speed over all bodies in one step.
#[derive(Debug, Clone, Copy, Default)]
struct LargestSquares {
    /// Largest squared force on a body at the start of the step, in N².
    force: f64,
    /// Largest squared speed of a body after the step, in m²/s².
    speed: f64,
}

/// Limits of a run of relaxation steps: number of steps, final force, and bounds on stiffness and speed.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunLimits {
    pub(super) steps: usize,
    /// The run ends when no unbalanced force on a body is larger than this force (N) and bodies are not swollen.
    pub(super) force: f64,
    /// Upper bound in N/m on the stiffness of contacts, which sets the time step.
    pub(super) stiffness: f64,
    /// Upper bound in m/s on the speed of all bodies, whose masses are at least 1 kg here.
    pub(super) speed: f64,
}

impl<'a> DynamicRelaxation<'a> {
    /// Makes a dynamic relaxation of the bodies of `state`, from rest, under `load` (N); `relaxed` makes the contact
    /// laws. Masses are chosen such that one time step suits all bodies.
    ///
    /// # Errors
    /// Errors of [`ContactForce::with_walls`].
    pub(super) fn new(
        bodies: &'a Bodies,
        mut list: NeighborList,
        relaxed: &Relaxed,
        walls: impl IntoIterator<Item = Wall>,
        load: &VectorColumn,
        mut state: State,
    ) -> Result<Self, DemError> {
        let radii = || bodies.radius().iter().copied();
        let smallest = radii().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        // Inertia grows with the number of small spheres that have room around a body, so that one step suits all.
        let inverse = |radius: f64| (2.0 * smallest / (radius + smallest)).powi(2).min(1.0);
        let mut inverse_mass: Vec<f64> = radii().map(|r| if r > 0.0 { inverse(r) } else { 1.0 }).collect();
        let mut loads = load.clone();
        for &i in bodies.fixed() {
            inverse_mass[i] = 0.0;
            loads.set(i, Default::default());
        }
        state.velocity_mut().clear();
        state.angular_momentum_mut().clear();
        list.set_fixed(bodies.fixed());
        let count = bodies.len();
        let loaded = !loads.iter().all(|load| load.length_squared() <= 0.0);
        let damping = Damping::new(loaded);
        Ok(Self {
            radius: bodies.radius(),
            largest: radii().fold(0.0, f64::max),
            smallest,
            loaded,
            contacts: ContactForce::new(list, relaxed(damping.contact_ratio())).with_walls(walls)?,
            bodies: RelaxationBodies::new(state.position(), &loads, &inverse_mass),
            state,
            window_centre: Vec::new(),
            window_force: vec![[0.0; 4]; count],
            damping,
            compression: CyclicCompression::default(),
            growth: 0.0,
            growth_of_list: 0.0,
            travel_bound: f64::INFINITY,
            steps: 0,
            block_squares: vec![LargestSquares::default(); Parts::blocks(count).count()],
        })
    }

    /// Returns the state with the positions after the last relaxation step.
    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// Begins another compression of a packing without a load if one is due and bodies may grow; `strain` is the [mean
    /// strain](crate::statics::totals::Totals::mean_strain) of the contacts.
    pub(super) fn compress(&mut self, strain: f64) {
        let list = self.contacts.list();
        let cutoff = 2.0 * self.largest * (1.0 + LARGEST_GROWTH) + list.skin();
        if !self.loaded && self.largest > 0.0 && list.domain().check_cutoff(cutoff).is_ok() {
            // Large bodies grow by no greater length than small ones.
            self.compression.advance(self.steps, strain, self.smallest / self.largest);
        }
    }

    /// Chooses the damping of bodies by the residual, the largest unbalanced force over the mean contact force.
    pub(super) fn damp(&mut self, residual: f64) {
        self.damping.choose_share(residual);
    }

    /// Largest relative growth of bodies by cyclic compression in the next steps.
    pub(super) fn max_growth(&self) -> f64 {
        self.compression.max_growth(self.steps)
    }

    /// Takes relaxation steps within these limits, and returns their number.
    ///
    /// # Errors
    /// Errors of building a list, and of overlaps of a radius or more.
    pub(super) fn run(&mut self, limits: RunLimits) -> Result<usize, DemError> {
        let time_step = STEP / limits.stiffness.sqrt();
        let mut taken = limits.steps;
        for step in 0..limits.steps {
            self.update_list()?;
            let window = self.steps.is_multiple_of(WINDOW);
            let largest = match self.step(time_step, limits.speed, window) {
                // Compression may be the cause of overlaps that are too deep.
                Err(_) if self.growth > 0.0 => {
                    self.compression.release();
                    continue;
                }
                outcome => outcome?,
            };
            self.travel_bound += time_step * largest.speed.sqrt();
            if window {
                let quotient = self.bodies.begin_window(&self.window_centre, &self.window_force);
                self.damping.adapt(self.steps, quotient, time_step);
            }
            self.steps += 1;
            if largest.force.sqrt() <= limits.force && self.growth <= 0.0 {
                taken = step;
                break;
            }
        }
        self.bodies.write(self.contacts.list().position(), self.state.position_mut());
        Ok(taken)
    }

    /// Applies the growth by cyclic compression, and rebuilds the neighbour list if it is no longer valid.
    fn update_list(&mut self) -> Result<(), DemError> {
        let list = self.contacts.list_mut();
        let growth = self.compression.growth(self.steps);
        if growth.to_bits() != self.growth.to_bits() {
            for (row, &i) in list.current.position.iter_mut().zip(self.bodies.order()) {
                row[3] = self.radius[i as usize] * (1.0 + growth);
            }
            self.growth = growth;
        }
        let grown = (growth - self.growth_of_list).max(0.0) * self.largest;
        let limit = 0.5 * list.skin() * (1.0 - 1e-9) - grown;
        if self.travel_bound > limit && self.travel_bound.is_finite() {
            self.travel_bound = self.bodies.drift(list.position());
        }
        if self.travel_bound > limit || self.travel_bound.is_nan() {
            self.bodies.write(list.position(), self.state.position_mut());
            if growth > 0.0 {
                let radius = self.radius.iter().map(|radius| radius * (1.0 + growth)).collect();
                self.bodies.rebuild_list(list, &radius, self.state.position())?;
            } else {
                self.bodies.rebuild_list(list, self.radius, self.state.position())?;
            }
            self.contacts.follow_list();
            (self.growth_of_list, self.travel_bound) = (growth, 0.0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::Body;

    use super::*;
    use crate::law::{Damping, Frictionless, Hooke, Laws, PairLaw as _};
    use crate::neighbor::{Boundary, Domain};

    /// Returns the largest radius in the list, and the positions, after each of these numbers of relaxation steps, for
    /// spheres near the sites of a lattice in a periodic box.
    fn run<const N: usize>(threads: usize, after: [usize; N]) -> [(f64, VectorColumn); N] {
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
        let relaxed = Laws::of(Hooke::new(1.0, Damping::NONE).unwrap(), Frictionless).traits().relaxed.clone().unwrap();
        let load = VectorColumn::zeros(count);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut relaxation = DynamicRelaxation::new(&bodies, list, &*relaxed, [], &load, state).unwrap();
            let mut taken = 0;
            after.map(|steps| {
                for _ in taken..steps {
                    relaxation.compress(1e-3);
                    let limits = RunLimits { steps: 1, force: -1.0, stiffness: 1.0, speed: 1.0 };
                    assert_eq!(relaxation.run(limits).unwrap(), 1);
                }
                taken = steps;
                let position = relaxation.contacts.list().position();
                (position.iter().fold(0.0, |most: f64, row| most.max(row[3])), relaxation.state().position().clone())
            })
        })
    }

    #[test]
    fn a_step_has_the_same_bits_on_any_number_of_threads_and_compressions_end() {
        let [(_, one)] = run(1, [2300]);
        let [before, (grown, two), at_the_end, after] = run(2, [1999, 2300, 4000, 4001]);
        // The first compression is under way at step 2300.
        assert!(grown > 0.5 * 1.003 && grown <= 0.5 * 1.004 * (1.0 + 1e-12), "{grown}");
        assert!(
            one.iter().zip(two.iter()).all(|(a, b)| a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits))
        );
        assert!(before.0 <= 0.5 && at_the_end.0 > 0.5);
        // The second compression begins where the first one ends.
        assert!(after.0 <= 0.5);
    }
}
