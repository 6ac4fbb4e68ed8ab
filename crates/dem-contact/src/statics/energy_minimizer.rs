//! The minimum of the energy.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn};

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::error::statics::StaticsError;
use crate::force::ContactForce;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::NeighborList;
use crate::statics::configuration::{Configuration, Totals};
use crate::statics::equilibrium::Equilibrium;
use crate::statics::newton::Newton;
use crate::statics::relaxation::DynamicRelaxation;
use crate::statics::unsupported_load;
use crate::wall::Wall;

/// Steps of relaxation between two looks at the whole.
const CHUNK: usize = 1000;
/// Residuals between which Newton's method is tried: below the smaller one its failure is final.
const NEAR: f64 = 1e-2;
const LEAST_NEAR: f64 = 1e-8;

/// Finds static equilibrium: a minimum of the energy of contacts, walls and constant loads, the quasi-static limit of `[DK21]`.
///
/// Bodies first slide downhill, which takes them along the way that opening and closing contacts leave them, until forces
/// are nearly balanced; Newton's method on the exact Hessian, forces that turn with their contacts included, does the rest
/// and converges quadratically. Which minimum is found depends on the start where there are many, as in any packing.
/// Contacts are taken to push: on the way a law that pulls does not. What is balanced on a tip stays there. Bodies that bear nothing, rattlers, rest on their neighbours if there is a load and
/// stay where they are if there is none. Packings that are squeezed without a load, and have not settled after 2000 steps, are
/// pressed harder and let go, some times in a row: what has been pressed holds sooner. Beds of thousands of equal spheres may slide for more than 1e5 steps: the stiffer
/// the spheres, the fewer states hold.
#[derive(Debug)]
pub struct EnergyMinimizer {
    tolerance: f64,
    max_steps: usize,
    newton: Newton,
}

impl Default for EnergyMinimizer {
    /// To a residual of 1e-12, within a million steps of relaxation.
    fn default() -> Self {
        Self { tolerance: 1e-12, max_steps: 1_000_000, newton: Newton::default() }
    }
}

/// The loads m g of all bodies, zero for fixed ones, with g in m/s².
#[must_use]
pub fn weight(bodies: &Bodies, gravity: DVec3) -> VectorColumn {
    bodies.mass().iter().map(|&mass| if mass.is_finite() { mass * gravity } else { DVec3::ZERO }).collect()
}

impl EnergyMinimizer {
    /// Stops when no unbalanced force is larger than `tolerance` times the mean contact force, or after `max_steps` steps of
    /// relaxation.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `tolerance` is finite and positive.
    pub fn new(tolerance: f64, max_steps: usize) -> Result<Self, DemError> {
        Ok(Self { tolerance: positive("the tolerance", tolerance)?, max_steps, newton: Newton::default() })
    }

    /// Moves the bodies of `state` to equilibrium under the elastic forces of `contacts` and the `load` (N) on each body, and
    /// sets their velocities and angular momenta to zero. Time and attitudes stay, walls are where they are at that time.
    ///
    /// Damping and tangential forces have no part in it, nor has the load of fixed bodies.
    ///
    /// # Errors
    /// [`StaticsError::Unsupported`](crate::error::StaticsError::Unsupported) if there is no equilibrium, [`StaticsError::NoEquilibrium`](crate::error::StaticsError::NoEquilibrium) if it was not found in time,
    /// [`DemError::LengthMismatch`] for the loads, those of [`State::check_columns`] inside [`DemError::Integrate`],
    /// [`StaticsError::InvalidLoad`](crate::error::StaticsError::InvalidLoad), [`ContactError::OverlapTooLarge`](crate::error::ContactError::OverlapTooLarge) and [`ContactError::BehindWall`](crate::error::ContactError::BehindWall) at the
    /// start or on the way, and what a list can fail with. `state` is then as before.
    pub fn minimize<L: ContactLaw, T: TangentialLaw>(
        &mut self,
        bodies: &Bodies,
        contacts: &ContactForce<L, T>,
        load: &VectorColumn,
        state: &mut State,
    ) -> Result<Equilibrium, DemError> {
        state.check_columns(bodies)?;
        if load.len() != bodies.len() {
            return Err(DemError::LengthMismatch { what: "loads", expected: bodies.len(), found: load.len() });
        }
        if let Some((body, load)) = load.iter().enumerate().find(|(_, load)| !load.is_finite()) {
            return Err(DemError::Statics(StaticsError::InvalidLoad { body, load }));
        }
        contacts.laws.check_uniform("static equilibrium")?;
        let (law, start) = (contacts.law(), state.position().clone());
        let walls: Vec<Wall> = contacts.walls().iter().map(|wall| wall.still(state.time())).collect();
        let configure = |state: &State| -> Result<(Configuration<'_>, Totals), DemError> {
            let list = wide_list(contacts.list(), bodies)?;
            let mut configuration = Configuration::new(bodies, state, list, &walls, load)?;
            let totals = configuration.evaluate(law);
            unsupported_load::check(&configuration)?;
            Ok((configuration, totals))
        };
        let movable = (0..bodies.len()).filter(|&i| bodies.inverse_mass()[i] > 0.0);
        let most_load = movable.map(|i| load.get(i).length()).fold(0.0, f64::max);
        let list = contacts.list().fresh(contacts.list().skin())?;
        let (mut configuration, mut totals) = configure(state)?;
        if totals.deep {
            return Err(configuration.deepest());
        }
        let initial_energy = totals.energy;
        let moving = state.clone().without_attitudes();
        let mut relaxation = DynamicRelaxation::new(bodies, (list, law), walls.iter().cloned(), load, moving)?;
        let (mut steps, mut iterations, mut inner_iterations, mut near) = (0, 0, 0, NEAR);
        let residuals;
        loop {
            let residual = totals.residual(most_load);
            if residual <= near {
                let attempt = self.newton.polish(&mut configuration, law, (self.tolerance, most_load))?;
                iterations += attempt.iterations;
                inner_iterations += attempt.inner_iterations;
                if attempt.converged {
                    (totals, residuals) = (attempt.totals, attempt.residuals);
                    break;
                }
                // Another attempt is to cost no more than the steps in between.
                let less = if attempt.inner_iterations > CHUNK { 0.2 } else { 0.5 };
                near = (less * residual).max(LEAST_NEAR);
            }
            if steps >= self.max_steps {
                return Err(DemError::Statics(StaticsError::NoEquilibrium {
                    steps,
                    residual,
                    tolerance: self.tolerance,
                }));
            }
            let (stiffest, fastest) = scales(law, bodies, &configuration, &totals);
            // An attempt that failed where one thing ended may do where the next one ends.
            near = if near > LEAST_NEAR { (1.1 * near).min(NEAR) } else { near };
            let goal = 0.7 * near * if totals.contacts > 0.0 { totals.mean_force() } else { most_load };
            let strain = totals.mean_strain();
            relaxation.press(strain);
            relaxation.damp(residual);
            let stiffest = stiffest * stiffening(law, bodies, strain, relaxation.swelling());
            let taken = relaxation.run(CHUNK.min(self.max_steps - steps), goal, stiffest, fastest)?;
            if taken == 0 && near <= LEAST_NEAR {
                return Err(DemError::Statics(StaticsError::NoEquilibrium {
                    steps,
                    residual,
                    tolerance: self.tolerance,
                }));
            }
            steps += taken.max(1);
            (configuration, totals) = configure(relaxation.state())?;
        }
        let position = configuration.positions();
        let (found, rattlers) = configuration.contacts(law);
        let moved = (0..bodies.len()).map(|i| load.get(i).dot(position.get(i) - start.get(i)));
        let work = moved.sum::<f64>();
        *state.position_mut() = position;
        state.velocity_mut().clear();
        state.angular_momentum_mut().clear();
        Ok(Equilibrium {
            contacts: found,
            residual: totals.residual(most_load),
            mean_force: totals.mean_force(),
            elastic_energy: totals.energy,
            energy_change: totals.energy - initial_energy - work,
            rattlers,
            steps,
            iterations,
            inner_iterations,
            residuals,
        })
    }
}

/// Stiffness for the length of steps, of all pairs that are near, and a speed at which bodies do not go deep into each other.
fn scales<L: ContactLaw>(law: &L, bodies: &Bodies, near: &Configuration<'_>, totals: &Totals) -> (f64, f64) {
    let radii = bodies.radius().iter().copied().filter(|&radius| radius > 0.0);
    let smallest = radii.fold(f64::INFINITY, f64::min);
    let radius = 0.5 * smallest;
    let mut stiffest = law.stiffness(1e-3 * smallest, radius).max(totals.stiffest);
    near.list.each_entry(&mut |a, b, _| {
        let [a, b] = [a, b].map(|place| near.radius[place]);
        stiffest = stiffest.max(law.stiffness(1e-3 * a.min(b), a * b / (a + b)));
    });
    (stiffest.max(f64::MIN_POSITIVE), (2.0 * law.energy(0.1 * smallest, radius)).sqrt())
}

/// By what contacts become stiffer where their mean overlap over the diameter is `strain` and bodies swell by `growth`.
fn stiffening<L: ContactLaw>(law: &L, bodies: &Bodies, strain: f64, growth: f64) -> f64 {
    let radii = bodies.radius().iter().copied().filter(|&radius| radius > 0.0);
    let smallest = radii.fold(f64::INFINITY, f64::min);
    let stiffness = |strain: f64| law.stiffness(2.0 * smallest * strain, 0.5 * smallest);
    let ratio = stiffness(strain + growth) / stiffness(strain);
    if ratio.is_finite() { ratio.max(1.0) } else { 1.0 }
}

/// A list of its own with a skin wide enough for long steps.
fn wide_list(given: &NeighborList, bodies: &Bodies) -> Result<NeighborList, DemError> {
    let largest = bodies.radius().iter().fold(0.0_f64, |largest, &radius| largest.max(radius));
    let mean = bodies.radius().iter().sum::<f64>() / (bodies.len().max(1) as f64);
    let skin = (0.2 * mean).max(given.skin());
    let fits = given.domain().check_cutoff(2.0 * largest + skin).is_ok();
    given.fresh(if fits { skin } else { given.skin() })
}
