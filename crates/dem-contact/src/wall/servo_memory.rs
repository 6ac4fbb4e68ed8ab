//! Memory of a servo of the wall that it drives: when it began, and how stiff the bodies behind the wall are.

/// Smallest motion of a wall that says something of the bodies, over the mean overlap at the wall. Where a wall moves
/// less, rearrangements of the bodies change its load more than the motion does.
const LEAST_MOTION: f64 = 1e-3;

/// Weight of former comparisons at each new one. With 1 a servo would never forget a loose bed that has become dense.
const KEPT: f64 = 0.5;

/// A wall and its load at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Pressed {
    /// In s.
    pub(crate) time: f64,
    /// Along the direction in which the wall pushes, in m.
    pub(crate) place: f64,
    /// Force with which the bodies push back, in N.
    pub(crate) force: f64,
}

/// Memory of a servo of its wall. Once in each response time it compares how the load has changed with how far the
/// wall has moved: the stiffness of all that is behind the wall, from one contact layer to many in series.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ServoMemory {
    /// The time (s) at which the servo began.
    pub(crate) began: f64,
    last: Pressed,
    /// Sums over comparisons, the latest with the largest weight: change of the force times motion (N m), and the
    /// square of the motion (m²).
    products: f64,
    squares: f64,
}

impl ServoMemory {
    /// Nothing is known but the present load.
    pub(crate) fn new(began: f64, now: Pressed) -> Self {
        Self { began, last: now, products: 0.0, squares: 0.0 }
    }

    /// Compares what comes next with the present, such as while nothing presses: a free motion says nothing.
    pub(crate) fn restart(&mut self, now: Pressed) {
        self.last = now;
    }

    /// Compares the present with what was a `response` (s) ago. Contacts of the wall have the stiffness `contacts` (N/m).
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

    /// The stiffness (N/m) of the bodies: that of the contacts of the wall, until it has been compared, and never more;
    /// at least that of the contacts times `least`.
    pub(crate) fn stiffness(&self, contacts: f64, least: f64) -> f64 {
        let found = self.products / self.squares;
        if found.is_finite() { found.max(least * contacts).min(contacts) } else { contacts }
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> [f64; 6] {
        let Pressed { time, place, force } = self.last;
        [self.began, time, place, force, self.products, self.squares]
    }
}
