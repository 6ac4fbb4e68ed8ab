//! Stops a run whose energy grows without a source.
//!
//! Kinetic energy, that of contacts and bonds, and that of gravity can only fall, except by the work of walls. What is
//! above the sum at the start, less this work, came from nowhere. This excess is compared with the most energy that the
//! run has had in motion, contacts and bonds: a ball at the top of its flight has none at the moment.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use crate::reading::{Energies, Reading};
use crate::scene::Scene;
use crate::scene::integrator::Method;

/// Largest excess as a share of the most energy that motion, contacts and bonds had. The longest explicit steps, half a
/// contact, let the energy of a spring swing to 1/(1 - (pi/4)^2) = 2.61 times its value, a share of 0.62.
const SHARE: f64 = 2.0 / 3.0;
/// Largest excess that is rounding, as a share of all energies that are summed.
const ROUNDING: f64 = 1e-9;
/// Explicit steps between two looks at the energy. A look costs as much as a few of these steps.
const EXPLICIT: u64 = 4096;
/// Implicit steps, and steps of contact dynamics, between two looks. A look costs less than one such step.
const IMPLICIT: u64 = 256;
/// Looks at the start of a run, and after one that saw too much energy: these parts of the steps between two looks
/// later. Looks at regular times could all meet a bouncing ball at the top of its flight. Looks after a 64th to a fourth
/// of the time see it fall, so that its kinetic energy is known before the run is stopped.
const PARTS: [u64; 3] = [64, 16, 4];

/// Energy that has grown without a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growth {
    /// Energy without a source in J.
    pub(crate) excess: f64,
    /// Most kinetic and elastic energy, and that of bonds, at any look, in J.
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
    /// Most kinetic and elastic energy, and that of bonds, at any look since the start, in J.
    largest: f64,
    /// Step of the look that saw too much energy first, until a later look finds it explained.
    doubted: Option<u64>,
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
        Self { every: every.filter(|_| !driven), start: 0.0, scale: 0.0, largest: 0.0, doubted: None }
    }

    /// The guard of the next stage of a run, which begins with the energies of `reading`: a stage that settles is not
    /// compared with the motion of the pour before it, nor blamed for its rounding.
    pub(crate) fn of_next_stage(
        scene: &Scene,
        bodies: &Bodies,
        state: &State,
        reading: &Reading,
        flows: Flows,
    ) -> Self {
        let mut guard = Self::new(scene, bodies, state);
        guard.begin(reading);
        guard.start -= flows.work(reading) + reading.energies.supplied;
        guard
    }

    /// Returns this guard, switched off for a run in which groups of fixed bodies are driven.
    pub(crate) fn unless_driven(self, is_driven: bool) -> Self {
        Self { every: self.every.filter(|_| !is_driven), ..self }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.every.is_some()
    }

    /// Remembers the energies at the start.
    pub(crate) fn begin(&mut self, reading: &Reading) {
        self.start = reading.mechanical();
        self.scale = reading.scale();
        self.largest = in_motion(reading);
        self.doubted = None;
    }

    /// Whether to look at the energy after step `step` of `steps`.
    pub(crate) fn is_due(&self, step: u64, steps: u64) -> bool {
        let Some(every) = self.every else { return false };
        let since = step - self.doubted.unwrap_or(0);
        step == steps || step.is_multiple_of(every) || PARTS.iter().any(|part| since == every / part)
    }

    /// Looks at the energy after `step`. Returns the growth without a source if there is too much of it: at once if this
    /// step is the last one or the energy is not finite, otherwise if looks at later steps do not explain it either.
    pub(crate) fn look(&mut self, step: u64, is_last: bool, reading: &Reading, flows: Flows) -> Option<Growth> {
        let every = self.every?;
        let Growth { excess, energy } = self.growth(reading, flows);
        if !(excess.is_finite() && energy.is_finite()) {
            return Some(Growth { excess, energy });
        }
        self.largest = energy;
        let rounding = ROUNDING * (self.scale + reading.scale() + flows.work(reading).abs() + flows.exchanged);
        if excess <= SHARE * energy + rounding {
            self.doubted = None;
            return None;
        }
        let first = *self.doubted.get_or_insert(step);
        let is_confirmed = is_last || step - first >= every / PARTS[PARTS.len() - 1];
        is_confirmed.then_some(Growth { excess, energy })
    }

    /// Energy without a source since the start, and the most that motion, contacts and bonds had.
    pub(crate) fn growth(&self, reading: &Reading, flows: Flows) -> Growth {
        let excess = reading.mechanical() - self.start - flows.work(reading) - reading.energies.supplied;
        Growth { excess, energy: self.largest.max(in_motion(reading)) }
    }
}

/// Energy that came and went, as far as a run knows it beside a reading of its engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flows {
    /// Work of walls in J, for readings that do not know it.
    pub(crate) wall_work: f64,
    /// Energies in J whose differences were supplied: their rounding is in the sum.
    pub(crate) exchanged: f64,
}

impl Flows {
    /// Work of walls and of the box in J.
    fn work(self, reading: &Reading) -> f64 {
        reading.energies.wall_work.unwrap_or(self.wall_work) + reading.energies.box_work
    }
}

/// Kinetic and elastic energy, and that of bonds, in J.
fn in_motion(reading: &Reading) -> f64 {
    let Energies { elastic, bonds, .. } = reading.energies;
    reading.kinetic.total() + elastic.abs() + bonds.abs()
}
