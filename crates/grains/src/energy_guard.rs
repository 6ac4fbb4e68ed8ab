//! Guard that stops a run whose energy grows without a source.
//!
//! The sum of the kinetic energy, the energies of contacts and bonds and the potential energy of gravity can only fall,
//! except by the work of walls. Any excess of this sum over its value at the start plus the work of walls is spurious.
//! The excess is compared with the largest energy of motion, contacts and bonds so far; the present one would be zero
//! for a ball at the top of its flight.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use crate::reading::{Energies, Reading};
use crate::scene::Scene;
use crate::scene::integrator::Method;

/// Largest accepted excess of energy, relative to the largest energy of motion, contacts and bonds. With the longest
/// explicit steps, half the duration of a contact, the energy of a spring oscillates up to 1/(1 - (pi/4)^2) = 2.61
/// times its value: an excess of 0.62 of the largest energy.
const SHARE: f64 = 2.0 / 3.0;
/// Largest excess of energy that counts as rounding error, relative to the sum of all compared energies.
const ROUNDING: f64 = 1e-9;
/// Number of explicit steps between two checks of the energy; one check costs as much as a few of these steps.
const EXPLICIT: u64 = 4096;
/// Number of implicit steps, or of steps of contact dynamics, between two checks of the energy; one check costs less
/// than one such step.
const IMPLICIT: u64 = 256;
/// Divisors of the number of steps between two checks, for the first checks of a run and for those after a suspicious
/// check: they come after a 64th, a 16th and a fourth of this number. Equidistant checks could all meet a bouncing ball
/// at the top of its flight; the early ones see its kinetic energy before the run is stopped.
const PARTS: [u64; 3] = [64, 16, 4];

/// Spurious growth of a run's energy, and the energy with which it is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Growth {
    /// Growth in J of the energy without a source.
    pub(crate) excess: f64,
    /// Largest sum in J of kinetic energy, elastic energy and energy of bonds at any check so far.
    pub(crate) energy: f64,
}

/// Guard against energy without a source: every few steps it compares the energy of a run with the known sources.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnergyGuard {
    /// Number of steps between two checks of the energy; none for a run that is not guarded.
    every: Option<u64>,
    /// Mechanical energy in J at the start of the guarded stage, gravity included.
    start: f64,
    /// Sum of the absolute energies in J at the start of the guarded stage, for the tolerance of rounding.
    scale: f64,
    /// Largest sum in J of kinetic energy, elastic energy and energy of bonds at any check of the guarded stage.
    largest: f64,
    /// Number of the step whose check first saw too much energy; none once a later check finds the energy explained.
    doubted: Option<u64>,
}

impl EnergyGuard {
    /// Makes the guard of a run of `scene`. Static equilibrium is not guarded, since nothing moves in time. Runs with
    /// moving fixed bodies are not guarded, since only explicit steps record the work of these bodies, nor are runs
    /// with driven groups; see [`unless_driven`](Self::unless_driven).
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

    /// Makes the guard of the next stage, which begins with the energies of `reading`: the motion and the rounding
    /// errors of the stage before then have no effect.
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

    /// Returns this guard, switched off if groups of fixed bodies are driven.
    pub(crate) fn unless_driven(self, is_driven: bool) -> Self {
        Self { every: self.every.filter(|_| !is_driven), ..self }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.every.is_some()
    }

    pub(crate) fn begin(&mut self, reading: &Reading) {
        self.start = reading.mechanical();
        self.scale = reading.scale();
        self.largest = in_motion(reading);
        self.doubted = None;
    }

    /// Returns whether the energy is checked after step number `step` of `steps`.
    pub(crate) fn is_due(&self, step: u64, steps: u64) -> bool {
        let Some(every) = self.every else { return false };
        let since = step - self.doubted.unwrap_or(0);
        step == steps || step.is_multiple_of(every) || PARTS.iter().any(|part| since == every / part)
    }

    /// Checks the energy after step number `step`. Returns a growth that is too large: at once if the step is the last
    /// one or the energy is not finite, otherwise only if later checks do not explain it.
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

    /// Computes the spurious growth of the energy since the start of the stage, and the largest energy of motion,
    /// contacts and bonds so far.
    pub(crate) fn growth(&self, reading: &Reading, flows: Flows) -> Growth {
        let excess = reading.mechanical() - self.start - flows.work(reading) - reading.energies.supplied;
        Growth { excess, energy: self.largest.max(in_motion(reading)) }
    }
}

/// Energies that entered or left a run and that an engine's reading lacks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flows {
    /// Work of moving walls in J since the start of the run, for readings that lack it.
    pub(crate) wall_work: f64,
    /// Largest sum in J of absolute energies whose difference is part of the supplied energy, for the tolerance of
    /// rounding.
    pub(crate) exchanged: f64,
}

impl Flows {
    /// Returns the work in J that moving walls and the deforming box have done.
    fn work(self, reading: &Reading) -> f64 {
        reading.energies.wall_work.unwrap_or(self.wall_work) + reading.energies.box_work
    }
}

fn in_motion(reading: &Reading) -> f64 {
    let Energies { elastic, bonds, .. } = reading.energies;
    reading.kinetic.total() + elastic.abs() + bonds.abs()
}
