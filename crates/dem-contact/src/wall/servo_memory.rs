//! Memory of a servo: the time at which it began, and the measured stiffness of the bodies behind its wall.

/// Smallest motion of a wall, over the mean overlap at the wall, from which the stiffness of the bodies is measured. At
/// less motion, rearrangements of the bodies change the load more than the motion does.
const LEAST_MOTION: f64 = 1e-3;

/// Weight that earlier comparisons of load and motion keep at each new one. With 1 a servo would never forget a loose
/// bed that has become dense.
const KEPT: f64 = 0.5;

/// Position of a wall that a servo drives, and the force of the bodies on it, at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Pressed {
    /// Time in s at which the wall was at this position and bore this force.
    pub(crate) time: f64,
    /// Position of the wall in m along the direction in which its servo pushes.
    pub(crate) place: f64,
    /// Force in N with which the bodies push back against the wall.
    pub(crate) force: f64,
}

/// Memory of a servo that drives a wall. Once in each response time it compares how the load has changed with how far
/// the wall has moved: the stiffness of all that is behind the wall, from one contact layer to many in series.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ServoMemory {
    /// Time (s) at which the servo began to drive its wall.
    pub(crate) began: f64,
    last: Pressed,
    /// Sums over comparisons of load and motion, the latest with the largest weight: change of the force times motion
    /// (N m), and the square of the motion (m²).
    products: f64,
    squares: f64,
}

impl ServoMemory {
    /// Makes the memory of a servo that begins with the present load on its wall, before any comparison.
    pub(crate) fn new(began: f64, now: Pressed) -> Self {
        Self { began, last: now, products: 0.0, squares: 0.0 }
    }

    /// Begins the next comparison of load and motion with the present load and position. Without contact this is called
    /// in each step, since a free motion tells nothing of the stiffness.
    pub(crate) fn restart(&mut self, now: Pressed) {
        self.last = now;
    }

    /// Compares present load and position with the last ones, if these are at least a `response` (s) old. `contacts` is
    /// the stiffness (N/m) of the contacts of the wall.
    pub(crate) fn look(&mut self, now: Pressed, contacts: f64, response: f64) {
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

    /// Stiffness (N/m) of the bodies behind the wall as measured by comparisons: at least `least` times `contacts` and
    /// at most `contacts`, the stiffness of the contacts of the wall, which also stands in before the first comparison.
    pub(crate) fn stiffness(&self, contacts: f64, least: f64) -> f64 {
        let found = self.products / self.squares;
        if found.is_finite() { found.max(least * contacts).min(contacts) } else { contacts }
    }

    /// Iterates over all numbers of the servo's memory, which a check reads.
    pub(crate) fn numbers(&self) -> [f64; 6] {
        let Pressed { time, place, force } = self.last;
        [self.began, time, place, force, self.products, self.squares]
    }
}
