use crate::contact_dynamics::detection::ContactDetector;
use crate::contact_dynamics::motion::{FreeMotion, Velocities};
use crate::error::DemError;
use crate::error::step::StepError;

/// Number of contact detections after which a step is given up; each at least doubles the travel bound of some body.
pub(super) const SEARCHES: usize = 64;

/// Relative excess of a body's travel over its bound that counts as rounding.
const ROUNDING: f64 = 1e-9;

/// Bounds in m on the displacement of the surface of each body in a step. No contact is missed while they hold.
#[derive(Debug)]
pub(super) struct TravelBounds {
    dt: f64,
    bound: Vec<f64>,
}

impl TravelBounds {
    /// Makes travel bounds for the velocities of the bodies before contacts act.
    pub(super) fn new(detector: &ContactDetector, motion: &FreeMotion, dt: f64) -> Self {
        let least = 0.5 * detector.skin();
        let way = |velocity: &Velocities, body| detector.travel(velocity, body, dt);
        let bound = |body| least.max(way(&motion.free, body)).max(way(&motion.start, body));
        Self { dt, bound: (0..motion.free.linear.len()).map(bound).collect() }
    }

    pub(super) fn as_slice(&self) -> &[f64] {
        &self.bound
    }

    /// Whether the travel bounds hold at `velocity`. Each violated bound becomes twice the body's travel.
    pub(super) fn hold_or_grow(&mut self, detector: &ContactDetector, velocity: &Velocities) -> bool {
        let mut hold = true;
        for (body, bound) in self.bound.iter_mut().enumerate() {
            let travel = detector.travel(velocity, body, self.dt);
            if travel > *bound * (1.0 + ROUNDING) {
                (hold, *bound) = (false, 2.0 * travel);
            }
        }
        hold
    }

    /// Returns the error of a step that exceeded the travel bounds in [`SEARCHES`] detections.
    pub(super) fn given_up() -> DemError {
        let problem = "the search for contacts";
        let status = cd_solve::Status::IterationLimit;
        DemError::Step(StepError::ContactsNotSolved { problem, status, iterations: SEARCHES, residual: f64::NAN })
    }
}
