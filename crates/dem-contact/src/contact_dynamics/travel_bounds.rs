//! Bounds on the travel of bodies in a step, within which the detected contacts are complete.

use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::motion::{FreeMotion, Velocities};
use crate::error::DemError;
use crate::error::step::StepError;

/// Number of detections of contacts after which a step is given up; each one at least doubles the travel bound of some
/// body.
pub(crate) const SEARCHES: usize = 64;

/// Relative excess of a body's travel over its bound up to which the bound still holds: the excess counts as rounding.
const ROUNDING: f64 = 1e-9;

/// Bounds in m on how far the surface of each body moves in a step. No contact is missed while they hold.
#[derive(Debug)]
pub(crate) struct TravelBounds {
    /// Length of the step in s.
    dt: f64,
    bound: Vec<f64>,
}

impl TravelBounds {
    /// Makes travel bounds that hold for the velocities of the bodies before contacts act.
    pub(crate) fn new(detector: &ContactDetector, motion: &FreeMotion, dt: f64) -> Self {
        let least = 0.5 * detector.skin();
        let way = |velocity: &Velocities, body| detector.travel(velocity, body, dt);
        let bound = |body| least.max(way(&motion.free, body)).max(way(&motion.start, body));
        Self { dt, bound: (0..motion.free.linear.len()).map(bound).collect() }
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.bound
    }

    /// Whether the travel bounds hold at `velocity`. Each bound that does not hold becomes twice the body's travel.
    pub(crate) fn hold_or_grow(&mut self, detector: &ContactDetector, velocity: &Velocities) -> bool {
        let mut hold = true;
        for (body, bound) in self.bound.iter_mut().enumerate() {
            let travel = detector.travel(velocity, body, self.dt);
            if travel > *bound * (1.0 + ROUNDING) {
                (hold, *bound) = (false, 2.0 * travel);
            }
        }
        hold
    }

    /// Returns the error of a step whose bodies exceeded their travel bounds in [`SEARCHES`] detections of contacts.
    pub(crate) fn given_up() -> DemError {
        let problem = "the search for contacts";
        let status = cd_solve::Status::IterationLimit;
        DemError::Step(StepError::ContactsNotSolved { problem, status, iterations: SEARCHES, residual: f64::NAN })
    }
}
