//! Simulation of a scene by one of the compared integrators.
use anyhow::Result;
use dem_contact::bond::Ties;
use dem_contact::force::ContactForce;
use dem_contact::implicit::{DiscreteForm, ImplicitDem};
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Explicit, Gravity, Integrator, Map, Potential, State, kinetic_energy};

use super::scene::Scene;
use super::scheme::Scheme;

/// Force field of an explicit simulation: gravity, contacts and bonds.
type Field = Both<Gravity, Both<ContactForce, Ties>>;

/// Simulation in progress: the bodies of a scene, their present state, and the integrator with its forces.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) bodies: Bodies,
    pub(super) state: State,
    engine: Engine,
}

/// Integrator of a simulation, with the forces in the form that it needs.
#[derive(Debug)]
enum Engine {
    Explicit {
        map: Box<Explicit>,
        field: Box<Field>,
    },
    Implicit {
        map: Box<ImplicitDem>,
        weight: Gravity,
        /// Whether the momentum is set to M (q₁ − q₀)/h after each step from q₀ to q₁, as in `[DK21]` Algorithm 1.
        overwrites: bool,
    },
}

/// Computing effort of one time step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Number of passes over all contacts: evaluations of their forces, and products with their matrix. A factorisation
    /// of the matrix counts as one pass.
    pub(super) passes: usize,
    /// Number of Newton iterations; zero for an explicit step.
    pub(super) iterations: usize,
}

impl Run {
    /// Makes a simulation of `scene` by `scheme` with the time step `h`.
    pub(super) fn new(scene: Scene, scheme: Scheme, h: f64) -> Result<Self> {
        let ties = scene.ties()?;
        let weight = scene.weight();
        let contacts = scene.contacts(&ties)?;
        let form = match scheme {
            Scheme::Verlet => None,
            Scheme::First => Some(DiscreteForm::Paper { alpha: 0.0 }),
            Scheme::Printed | Scheme::AlgorithmOne => Some(DiscreteForm::Paper { alpha: 0.5 }),
            Scheme::Midpoint => Some(DiscreteForm::MarsdenWest { alpha: 0.5 }),
            Scheme::ExactEnergy => Some(DiscreteForm::ExactEnergy),
        };
        let engine = match form {
            None => {
                let map = Box::new(Explicit::new(Map::Verlet, h)?);
                Engine::Explicit { map, field: Box::new(Both(weight, Both(contacts, ties))) }
            }
            Some(form) => {
                let map = ImplicitDem::new(contacts, h)?.with_form(form)?;
                let map = if ties.pairs().is_empty() { map } else { map.with_ties(ties) };
                Engine::Implicit { map: Box::new(map), weight, overwrites: scheme == Scheme::AlgorithmOne }
            }
        };
        Ok(Self { bodies: scene.bodies, state: scene.state, engine })
    }

    /// Takes one time step of the simulation, and returns its computing effort.
    pub(super) fn step(&mut self) -> Result<Work> {
        let Self { bodies, state, engine } = self;
        match engine {
            Engine::Explicit { map, field } => {
                let report = map.step(bodies, &mut **field, state)?;
                Ok(Work { passes: report.evaluations, iterations: 0 })
            }
            Engine::Implicit { map, weight, overwrites } => {
                let before = overwrites.then(|| state.position().clone());
                map.step(bodies, weight, state)?;
                for (i, start) in before.iter().flat_map(|places| places.iter().enumerate()) {
                    let velocity = (state.position().get(i) - start) / map.dt();
                    state.velocity_mut().set(i, velocity);
                }
                let report = map.last_report();
                let passes = report.evaluations + report.linear_iterations;
                Ok(Work { passes, iterations: report.newton_iterations })
            }
        }
    }

    /// Computes the sum of the kinetic, elastic and gravitational energies of the present state, in m g d.
    pub(super) fn energy(&self) -> Result<f64> {
        let bodies = &self.bodies;
        let state = &self.state;
        let potential = match &self.engine {
            Engine::Explicit { field, .. } => field.energy(bodies, state),
            Engine::Implicit { map, weight, .. } => map.elastic_energy(bodies, state)? + weight.energy(bodies, state),
        };
        Ok(kinetic_energy(bodies, state).total() + potential)
    }
}
