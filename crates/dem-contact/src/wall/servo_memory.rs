//! Memory of a servo: the time at which it began, and the measured stiffness of the bodies behind its wall.

/// Smallest motion of a wall, over the mean overlap at the wall, from which the stiffness is measured. With less
/// motion, rearrangements of the bodies change the load more than the motion does.
const LEAST_MOTION: f64 = 1e-3;

/// Weight of earlier comparisons of load and motion at each new comparison. With 1 a servo would never forget a loose
/// bed that has become dense.
const KEPT: f64 = 0.5;

/// Position of a wall that a servo drives, and the force of the bodies on it, at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pressed {
    pub(super) time: f64,
    /// Position of the wall in m along the direction in which its servo pushes.
    pub(super) place: f64,
    /// Force in N with which the bodies push back against the wall.
    pub(super) force: f64,
}

/// Memory of a servo that drives a wall. Once in each response time the servo compares the change of the load with the
/// motion of the wall: this gives the stiffness of all contact layers behind the wall in series.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct ServoMemory {
    pub(super) began: f64,
    last: Pressed,
    /// Sum over comparisons of load and motion, with larger weights for later ones, of the change of the force times
    /// the motion of the wall in N m; `squares` is this sum of the squared motion in m².
    products: f64,
    squares: f64,
}

impl ServoMemory {
    pub(super) fn new(began: f64, now: Pressed) -> Self {
        Self { began, last: now, products: 0.0, squares: 0.0 }
    }

    /// Begins the next comparison with the present load and position. Call this in each step without contact, since a
    /// free motion tells nothing about the stiffness.
    pub(super) fn restart(&mut self, now: Pressed) {
        self.last = now;
    }

    /// Compares present load and position with the last ones, if these are at least a `response` (s) old. `contacts` is
    /// the stiffness (N/m) of the contacts of the wall.
    pub(super) fn look(&mut self, now: Pressed, contacts: f64, response: f64) {
        if now.time - self.last.time < response {
            return;
        }
        let motion = now.place - self.last.place;
        if motion.abs() * contacts >= LEAST_MOTION * now.force.abs() {
            self.products = KEPT * self.products + motion * (now.force - self.last.force);
            self.squares = KEPT * self.squares + motion * motion;
        }
        self.last = now;
    }

    /// Measured stiffness (N/m) of the bodies behind the wall, limited to between `least` times `contacts` and
    /// `contacts`, the stiffness of the contacts of the wall. Before the first comparison it is `contacts`.
    pub(super) fn stiffness(&self, contacts: f64, least: f64) -> f64 {
        let found = self.products / self.squares;
        if found.is_finite() { found.max(least * contacts).min(contacts) } else { contacts }
    }

    pub(super) fn numbers(&self) -> [f64; 6] {
        let Pressed { time, place, force } = self.last;
        [self.began, time, place, force, self.products, self.squares]
    }
}
