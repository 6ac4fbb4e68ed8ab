//! Stops a run whose energy grows without a source.
//!
//! Kinetic energy, that of contacts and bonds, and that of gravity can only fall, except by the work of walls. What is
//! above the sum at the start, less this work, came from nowhere.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use crate::reading::{Energies, Reading};
use crate::scene::Scene;
use crate::scene::integrator::Method;

/// Largest share of the energy of motion, contacts and bonds that may come from nowhere. The longest explicit steps,
/// half a contact, let the energy of a spring swing to 1/(1 - (pi/4)^2) = 2.61 times its value, a share of 0.62.
const SHARE: f64 = 2.0 / 3.0;
/// Largest excess that is rounding, as a share of all energies that are summed.
const ROUNDING: f64 = 1e-9;
/// Steps between two looks at the energy. A look is the work of a few explicit steps, and of less than an implicit one.
const EXPLICIT: u64 = 4096;
const IMPLICIT: u64 = 256;

/// Energy that has grown without a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growth {
    /// Without a source, in J.
    pub(crate) excess: f64,
    /// Kinetic and elastic energy, and that of bonds, in J.
    pub(crate) energy: f64,
}

/// Looks at the energy of a run every few steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnergyGuard {
    /// Steps between two looks; none for a run that is not guarded.
    every: Option<u64>,
    /// Energy at the start in J, gravity included.
    start: f64,
    /// Sum of the absolute energies at the start in J.
    scale: f64,
}

impl EnergyGuard {
    /// The guard of a run of `scene`. Static equilibrium is no motion. Fixed bodies that move do work that only
    /// explicit steps record: such runs are not guarded, nor are those with driven groups, see
    /// [`unless_driven`](Self::unless_driven).
    pub(crate) fn new(scene: &Scene, bodies: &Bodies, state: &State) -> Self {
        let moves = |&body: &usize| {
            let [velocity, spin] = [state.velocity().get(body), state.spin(bodies, body)];
            velocity != DVec3::ZERO || spin != DVec3::ZERO
        };
        let driven = bodies.fixed().iter().any(moves);
        let every = match scene.integrator {
            Method::Static(_) => None,
            Method::Implicit(_) | Method::ExactEnergy | Method::ContactDynamics(_) => Some(IMPLICIT),
            Method::Verlet | Method::Rodrigues23 | Method::Rodrigues25 => Some(EXPLICIT),
        };
        Self { every: every.filter(|_| !driven), start: 0.0, scale: 0.0 }
    }

    /// The same guard with the integrator of another scene, for a run that goes on.
    pub(crate) fn going_on(self, scene: &Scene, bodies: &Bodies, state: &State) -> Self {
        Self { every: Self::new(scene, bodies, state).every, ..self }
    }

    /// The same guard, or none for a run in which groups of fixed bodies are driven.
    pub(crate) fn unless_driven(self, is_driven: bool) -> Self {
        Self { every: self.every.filter(|_| !is_driven), ..self }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.every.is_some()
    }

    /// Remembers the energies at the start.
    pub(crate) fn begin(&mut self, reading: &Reading) {
        (self.start, self.scale) = (reading.mechanical(), reading.scale());
    }

    /// Remembers the energies after a stage that was not guarded. `wall_work` (J) is as for [`growth`](Self::growth).
    pub(crate) fn begin_late(&mut self, reading: &Reading, wall_work: f64) {
        let Energies { supplied, wall_work: known, .. } = reading.energies;
        self.begin(reading);
        self.start -= known.unwrap_or(wall_work) + supplied;
    }

    /// Whether to look at the energy after this step of so many.
    pub(crate) fn is_due(&self, step: u64, steps: u64) -> bool {
        self.every.is_some_and(|every| step == steps || step.is_multiple_of(every))
    }

    /// The growth of energy without a source, if there is any. `wall_work` (J) is what walls have done where the
    /// reading does not know it; of energies up to `exchanged` (J) differences were supplied.
    pub(crate) fn growth(&self, reading: &Reading, wall_work: f64, exchanged: f64) -> Option<Growth> {
        self.every?;
        let Energies { elastic, bonds, .. } = reading.energies;
        let energy = reading.kinetic.total() + elastic.abs() + bonds.abs();
        let work = reading.energies.wall_work.unwrap_or(wall_work) + reading.energies.box_work;
        let supplied = reading.energies.supplied;
        let excess = reading.mechanical() - self.start - work - supplied;
        let rounding = ROUNDING * (self.scale + reading.scale() + work.abs() + exchanged);
        // Not the other way round: an energy that is no number has grown, too.
        let is_explained = excess <= SHARE * energy + rounding;
        (!is_explained).then_some(Growth { excess, energy })
    }
}
