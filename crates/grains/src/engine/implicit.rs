//! Implicit steps.

use dem_contact::{DemError, DiscreteForm, ImplicitDem, NewtonOptions, PairLaws};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Gravity, IntegrateError, Integrator, Potential, State};

use super::{Engine, Normal, Tangent, WithLaws};
use crate::build::parts::{Parts, contacts};
use crate::reading::{ContactRow, Energies};
use crate::scene::{ImplicitForm, Method, Scene};
use crate::{GrainsError, Reading};

/// The implicit integrator, which owns the contacts, and gravity.
struct Solved<L, T: Tangent> {
    map: ImplicitDem<L, T>,
    gravity: Gravity,
    /// Whether nothing dissipates and no wall moves, which no ledger sees here.
    conserves: bool,
}

/// Whether no contact dissipates.
fn conserves<L: Normal, T: Tangent>(laws: &PairLaws<L, T>) -> bool {
    let pairs = || (0..laws.materials()).flat_map(|b| (0..=b).map(move |a| (a, b)));
    pairs().map(|(a, b)| laws.between(a, b)).all(|(law, tangential)| !law.is_damped() && !tangential.is_active())
}

/// Makes the engine of a scene.
pub(super) struct Build<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: Parts,
    pub(super) dt: f64,
}

impl WithLaws for Build<'_> {
    type Output = Result<Box<dyn Engine>, GrainsError>;

    fn with<L: Normal, T: Tangent>(self, laws: PairLaws<L, T>) -> Self::Output {
        let Parts { list, walls, gravity, ties, materials, .. } = self.parts;
        let conserves = conserves(&laws) && !self.scene.has_moving_walls();
        let made = contacts(list, laws, materials)?;
        let contacts = made.with_walls(walls).map_err(GrainsError::refused("walls"))?;
        let (form, tolerance) = match &self.scene.integrator {
            Method::Implicit(method) => {
                let alpha = method.alpha;
                let form = match method.form {
                    ImplicitForm::MarsdenWest => DiscreteForm::MarsdenWest { alpha },
                    ImplicitForm::Paper => DiscreteForm::Paper { alpha },
                };
                (form, method.tolerance)
            }
            _ => (DiscreteForm::ExactEnergy, None),
        };
        let options = NewtonOptions::default();
        let options = tolerance.map_or(options, |tolerance| options.with_tolerance(tolerance));
        let map = ImplicitDem::new(contacts, self.dt).map_err(GrainsError::refused("time.dt"))?;
        let map = map.with_form(form).map_err(GrainsError::refused("integrator.implicit.alpha"))?;
        let map = map.with_options(options).map_err(GrainsError::refused("integrator.implicit.tolerance"))?;
        let map = match ties {
            Some(ties) => map.with_ties(ties),
            None => map,
        };
        Ok(Box::new(Solved { map, gravity: Gravity { acceleration: gravity }, conserves }))
    }
}

/// Makes the engine of a scene from what it had stored.
pub(super) struct Restore<'a> {
    pub(super) scene: &'a Scene,
    pub(super) bytes: &'a [u8],
}

impl WithLaws for Restore<'_> {
    type Output = Result<Box<dyn Engine>, postcard::Error>;

    fn with<L: Normal, T: Tangent>(self, laws: PairLaws<L, T>) -> Self::Output {
        let map: ImplicitDem<L, T> = postcard::from_bytes(self.bytes)?;
        let gravity = Gravity { acceleration: DVec3::from_array(self.scene.gravity) };
        let conserves = conserves(&laws) && !self.scene.has_moving_walls();
        Ok(Box::new(Solved { map, gravity, conserves }))
    }
}

impl<L: Normal, T: Tangent> Engine for Solved<L, T> {
    fn step(&mut self, bodies: &Bodies, state: &mut State) -> Result<usize, IntegrateError> {
        self.map.step(bodies, &mut self.gravity, state).map(|report| report.iterations)
    }

    fn read(&self, bodies: &Bodies, state: &State) -> Result<Reading, DemError> {
        let known = self.conserves.then_some(0.0);
        let energies = Energies {
            elastic: self.map.elastic_energy(bodies, state)?,
            external: self.gravity.energy(bodies, state),
            dissipated: known,
            wall_work: known,
            ..Energies::default()
        };
        let rows = self.map.contacts().contacts(bodies, state)?.iter().map(ContactRow::from).collect();
        let forces = self.map.contacts().wall_loads().iter().map(|load| load.force).collect();
        Ok(Reading::new(bodies, state, energies, rows, forces))
    }

    fn store(&self) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_stdvec(&self.map)
    }
}
