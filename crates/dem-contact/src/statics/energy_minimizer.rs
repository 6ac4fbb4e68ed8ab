use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn};

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::positive;
use crate::error::statics::StaticsError;
use crate::error::wall::WallError;
use crate::force::ContactForce;
use crate::law::contact_law::ContactLaw;
use crate::neighbor::NeighborList;
use crate::statics::configuration::{Centres, Configuration};
use crate::statics::equilibrium::Equilibrium;
use crate::statics::newton::Newton;
use crate::statics::relaxation::{DynamicRelaxation, RunLimits};
use crate::statics::totals::Totals;
use crate::statics::unsupported_load;
use crate::util::length::check_length;
use crate::wall::Wall;

use light_bodies::{Scene, Start, largest_load, light_bodies};

mod light_bodies;

/// Number of steps of dynamic relaxation between two evaluations of all contacts with full precision.
const CHUNK: usize = 1000;
/// Largest residual (unbalanced force over mean contact force) at which Newton's method is tried.
const NEAR: f64 = 1e-2;
/// Newton's method is tried below a residual that falls after each failed attempt, down to this bound. At the bound the
/// search fails if relaxation takes no further step.
const LEAST_NEAR: f64 = 1e-8;

/// Finds static equilibrium: a minimum of the energy of contacts, walls and constant loads, the quasi-static limit of
/// `[DK21]`.
///
/// Dynamic relaxation with damped inertia comes first, while contacts open and close, until forces are nearly balanced.
/// Newton's method on the exact Hessian follows and converges quadratically. A packing has many minima; the start
/// decides which one is found.
///
/// Contacts must push; a law that pulls exerts no force during relaxation. A body balanced on a tip stays there.
/// Rattlers, which bear no force, rest on their neighbours under a load and stay where they are without one. Packings
/// that walls squeeze without a load and that have not settled after 2000 steps are compressed further and released
/// several times, after which they settle sooner. Beds of thousands of equal spheres may slide for more than 1e5 steps;
/// stiffer spheres take longer.
///
/// Bodies that bear no force and have loads below 1e-4 of the largest load are settled after the others, and each body
/// is then balanced relative to its own forces, [`Equilibrium::body_residual`].
#[derive(Debug)]
pub struct EnergyMinimizer {
    tolerance: f64,
    max_steps: usize,
    newton: Newton,
}

impl Default for EnergyMinimizer {
    /// Returns a minimiser with a tolerance of 1e-12 and at most a million steps of relaxation.
    fn default() -> Self {
        Self { tolerance: 1e-12, max_steps: 1_000_000, newton: Newton::default() }
    }
}

/// Returns the loads m g (N) of all bodies under `gravity` g (m/s²), world frame; zero for fixed bodies.
#[must_use]
pub fn gravity_load(bodies: &Bodies, gravity: DVec3) -> VectorColumn {
    bodies.mass().iter().map(|&mass| if mass.is_finite() { mass * gravity } else { DVec3::ZERO }).collect()
}

impl EnergyMinimizer {
    /// Makes a minimiser that stops when no unbalanced force is larger than `tolerance` times the mean contact force,
    /// and fails after `max_steps` steps of relaxation.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `tolerance` is finite and positive.
    pub fn new(tolerance: f64, max_steps: usize) -> Result<Self, DemError> {
        Ok(Self { tolerance: positive("the tolerance", tolerance)?, max_steps, newton: Newton::default() })
    }

    /// Moves the bodies of `state` to equilibrium under the elastic forces of `contacts` and the `load` (N) on each
    /// body, and sets their velocities and angular momenta to zero. Time and attitudes do not change. Walls are at rest
    /// in their poses at the time of the state.
    ///
    /// Damping, tangential forces and loads on fixed bodies are ignored.
    ///
    /// # Errors
    /// An error leaves `state` unchanged:
    /// - [`StaticsError::Unsupported`] or [`StaticsError::NoEquilibrium`] if there is no equilibrium or none was found;
    /// - [`DemError::LengthMismatch`] and [`StaticsError::InvalidLoad`] for the loads, and those of
    ///   [`State::check_columns`] inside [`DemError::Integrate`];
    /// - [`ContactError::OverlapTooLarge`](crate::error::ContactError::OverlapTooLarge) and
    ///   [`ContactError::BehindWall`](crate::error::ContactError::BehindWall) at the start or on the way;
    /// - [`LawError::OneMaterialOnly`], [`LawError::ActsAtADistance`] for laws with a range or with hysteresis,
    ///   [`LawError::NotRelaxed`] for laws that have no form for relaxation,
    ///   [`ListError::Deforms`](crate::error::ListError::Deforms) in a box that deforms, and
    ///   [`WallError::WallNotSupported`] for walls that only some bodies feel;
    /// - those of building a list.
    pub fn minimize(
        &mut self,
        bodies: &Bodies,
        contacts: &ContactForce,
        load: &VectorColumn,
        state: &mut State,
    ) -> Result<Equilibrium, DemError> {
        check_loads(bodies, load, state)?;
        contacts.law_assignment().check_uniform("static equilibrium")?;
        contacts.list().domain().check_at_rest("static equilibrium")?;
        if contacts.law_assignment().act_at_a_distance() || contacts.law_assignment().are_hysteretic() {
            return Err(DemError::Law(LawError::ActsAtADistance { what: "static equilibrium" }));
        }
        if let Some(wall) = contacts.felt_walls().first_selective() {
            let what = "a wall of static equilibrium";
            let only = "one that all bodies feel";
            return Err(DemError::Wall(WallError::WallNotSupported { wall, what, only }));
        }
        let walls: Vec<Wall> = contacts.walls().iter().map(|wall| wall.held_at(state.time())).collect();
        let traits = contacts.law_assignment().first().traits();
        let Some(relaxed) = &traits.relaxed else {
            return Err(DemError::Law(LawError::NotRelaxed { laws: format!("{traits:?}") }));
        };
        let scene = Scene { bodies, list: contacts.list(), walls: &walls, law: &*traits.normal, relaxed: &**relaxed };
        let mut start = Start::new(state);
        self.settle_light_bodies(scene, load, &mut start)?;
        let mut found = self.search(scene, load, &mut start, NEAR)?;
        let moved = start.state;
        if light_bodies(bodies, load).contains(&true) {
            // The change includes the settling of light bodies.
            let way = |i: usize| load.get(i).dot(moved.position().get(i) - state.position().get(i));
            let work = (0..bodies.len()).filter(|&i| bodies.inverse_mass()[i] > 0.0).map(way).sum::<f64>();
            found.energy_change = found.elastic_energy - contacts.elastic_energy(bodies, state)? - work;
        }
        *state.position_mut() = moved.position().clone();
        state.velocity_mut().clear();
        state.angular_momentum_mut().clear();
        Ok(found)
    }

    /// Moves the bodies of `start` to equilibrium; velocities are kept. Newton's method is tried below the residual
    /// `near`. Errors are those of [`minimize`](Self::minimize).
    pub(super) fn search(
        &mut self,
        Scene { bodies, list: given, walls, law, relaxed }: Scene<'_>,
        load: &VectorColumn,
        start: &mut Start,
        mut near: f64,
    ) -> Result<Equilibrium, DemError> {
        let configure = |centres: Centres<'_>| -> Result<(Configuration<'_>, Totals), DemError> {
            let list = wide_list(given, bodies)?;
            let mut configuration = Configuration::new(bodies, centres, list, walls, load)?;
            let totals = configuration.evaluate(law);
            unsupported_load::check(&configuration)?;
            Ok((configuration, totals))
        };
        let largest_load = largest_load(bodies, load);
        let by_body = light_bodies(bodies, load).contains(&true);
        let list = given.fresh(given.skin())?;
        let Start { state, low } = start;
        let (mut configuration, mut totals) = configure(Centres { state, low })?;
        if totals.too_deep {
            return Err(configuration.deepest_overlap());
        }
        let initial_energy = totals.energy;
        let moving = state.clone().without_attitudes();
        let mut relaxation = DynamicRelaxation::new(bodies, list, relaxed, walls.iter().cloned(), load, moving)?;
        let mut count = StepCounts::default();
        let residuals = loop {
            let residual = totals.residual(largest_load);
            if residual <= near {
                let attempt = self.newton.polish(&mut configuration, law, self.tolerance, largest_load)?;
                count.iterations += attempt.iterations;
                count.inner_iterations += attempt.inner_iterations;
                if attempt.converged {
                    totals = if by_body { self.balance_bodies(&mut configuration, law)? } else { attempt.totals };
                    break attempt.residuals;
                }
                // An attempt should cost no more than the relaxation between two attempts.
                let less = if attempt.inner_iterations > CHUNK { 0.2 } else { 0.5 };
                near = (less * residual).max(LEAST_NEAR);
            }
            let steps = count.steps;
            let tolerance = self.tolerance;
            let not_found = |configuration: &Configuration<'_>| {
                let (body, own_residual) = configuration.least_balanced(law).unwrap_or_default();
                DemError::Statics(StaticsError::NoEquilibrium { steps, residual, tolerance, body, own_residual })
            };
            if steps >= self.max_steps {
                return Err(not_found(&configuration));
            }
            // After a failed attempt the next one may succeed at a larger residual.
            near = if near > LEAST_NEAR { (1.1 * near).min(NEAR) } else { near };
            let strain = totals.mean_strain();
            relaxation.compress(strain);
            relaxation.damp(residual);
            let stiffness = largest_stiffness(law, bodies, &configuration, &totals);
            let taken = relaxation.run(RunLimits {
                steps: CHUNK.min(self.max_steps - steps),
                force: 0.7 * near * if totals.contacts > 0.0 { totals.mean_force() } else { largest_load },
                stiffness: stiffness * stiffening(law, bodies, strain, relaxation.max_growth()),
                speed: speed_limit(law, bodies),
            })?;
            if taken == 0 && near <= LEAST_NEAR {
                return Err(not_found(&configuration));
            }
            count.steps += taken.max(1);
            // Relaxation moves rounded centres, so that the rounding errors of movable bodies are dropped.
            (0..bodies.len()).filter(|&i| bodies.inverse_mass()[i] > 0.0).for_each(|i| low[i] = DVec3::ZERO);
            (configuration, totals) = configure(Centres { state: relaxation.state(), low })?;
        };
        let position = configuration.positions();
        let moved = (0..bodies.len()).map(|i| load.get(i).dot(position.get(i) - state.position().get(i)));
        let work = moved.sum::<f64>();
        let (found, rattlers) = configuration.contacts(law);
        let least_balanced = configuration.least_balanced(law);
        *low = configuration.positions_low();
        *state.position_mut() = position;
        Ok(Equilibrium {
            contacts: found,
            residual: totals.residual(largest_load),
            body_residual: least_balanced.map_or(0.0, |(_, residual)| residual),
            least_balanced: least_balanced.map(|(body, _)| body),
            mean_force: totals.mean_force(),
            elastic_energy: totals.energy,
            energy_change: totals.energy - initial_energy - work,
            rattlers,
            steps: count.steps,
            iterations: count.iterations,
            inner_iterations: count.inner_iterations,
            residuals,
        })
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct StepCounts {
    steps: usize,
    iterations: usize,
    /// Iterations of conjugate gradients, summed over all Newton steps.
    inner_iterations: usize,
}

fn check_loads(bodies: &Bodies, load: &VectorColumn, state: &State) -> Result<(), DemError> {
    state.check_columns(bodies)?;
    check_length("loads", bodies.len(), load.len())?;
    match load.iter().enumerate().find(|(_, load)| !load.is_finite()) {
        Some((body, load)) => Err(DemError::Statics(StaticsError::InvalidLoad { body, load })),
        None => Ok(()),
    }
}

/// Smallest radius in m of `bodies`, except for bodies of radius zero.
fn smallest_radius(bodies: &Bodies) -> f64 {
    bodies.radius().iter().copied().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min)
}

/// Estimate of the largest contact stiffness in N/m, which limits the time step of relaxation: the largest of all
/// present contacts, and of listed pairs at an overlap of 1e-3 of the smaller radius.
fn largest_stiffness(law: &dyn ContactLaw, bodies: &Bodies, near: &Configuration<'_>, totals: &Totals) -> f64 {
    let smallest = smallest_radius(bodies);
    let mut stiffest = law.stiffness(1e-3 * smallest, 0.5 * smallest).max(totals.stiffest);
    for (places, _) in near.list.tiling().pairs() {
        let [a, b] = places.map(|place| near.radius[place]);
        stiffest = stiffest.max(law.stiffness(1e-3 * a.min(b), a * b / (a + b)));
    }
    stiffest.max(f64::MIN_POSITIVE)
}

/// Speed limit (m/s) of relaxation: 1 kg then has the energy of an overlap of a tenth of the smallest radius.
fn speed_limit(law: &dyn ContactLaw, bodies: &Bodies) -> f64 {
    let smallest = smallest_radius(bodies);
    (2.0 * law.energy(0.1 * smallest, 0.5 * smallest)).sqrt()
}

/// Factor, at least 1, by which contacts stiffen if bodies grow by the fraction `growth` of their size. `strain` is the
/// present [`mean_strain`](Totals::mean_strain), overlap over 4 R for reduced radii R.
fn stiffening(law: &dyn ContactLaw, bodies: &Bodies, strain: f64, growth: f64) -> f64 {
    let smallest = smallest_radius(bodies);
    let stiffness = |strain: f64| law.stiffness(2.0 * smallest * strain, 0.5 * smallest);
    let ratio = stiffness(strain + growth) / stiffness(strain);
    if ratio.is_finite() { ratio.max(1.0) } else { 1.0 }
}

/// Makes an empty neighbour list with a skin of a fifth of the mean radius, or with the given skin if that is thicker
/// or if the periods have no room for a thicker one. A Newton step is cut where a body moves by half the skin.
fn wide_list(given: &NeighborList, bodies: &Bodies) -> Result<NeighborList, DemError> {
    let largest = bodies.radius().iter().fold(0.0_f64, |largest, &radius| largest.max(radius));
    let mean = bodies.radius().iter().sum::<f64>() / (bodies.len().max(1) as f64);
    let skin = (0.2 * mean).max(given.skin());
    let fits = given.domain().check_cutoff(2.0 * largest + skin).is_ok();
    given.fresh(if fits { skin } else { given.skin() })
}
