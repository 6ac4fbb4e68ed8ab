//! Energy dissipated by contacts, by kind of motion: powers integrated over time.

use dem_contact::law::PowerByMotion;
use serde::{Deserialize, Serialize};

use crate::reading::Reading;

/// Energies in J that contacts have taken out of the motion since the start. The energies by sliding, rolling and
/// twisting include the energy that springs store at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Dissipation {
    /// Energies in J taken by normal damping, sliding, rolling and twisting, and the part of all four at walls.
    energies: [f64; 5],
    last: Option<Look>,
}

/// Powers of the contacts in W at a time in s, in the order of [`Dissipation::energies`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Look {
    time: f64,
    powers: [f64; 5],
}

impl Dissipation {
    /// Returns the energies in J that contacts dissipated by normal damping, sliding, rolling and twisting, and the
    /// part of all four at walls; none before the first reading.
    pub(crate) fn energies(&self) -> Option<[f64; 5]> {
        self.last.map(|_| self.energies)
    }

    /// Adds the energies dissipated since the last reading, by the trapezoidal rule.
    pub(crate) fn look(&mut self, reading: &Reading) {
        let mut all = PowerByMotion::default();
        let mut at_walls = 0.0;
        for contact in &reading.contacts {
            all += contact.power_by_motion;
            at_walls += contact.b.wall().map_or(0.0, |_| contact.power_by_motion.total());
        }
        let powers = [all.normal, all.sliding, all.rolling, all.twisting, at_walls];
        if let Some(last) = self.last {
            let elapsed = reading.time - last.time;
            for (energy, (before, now)) in self.energies.iter_mut().zip(last.powers.iter().zip(powers)) {
                *energy += 0.5 * elapsed * (before + now);
            }
        }
        self.last = Some(Look { time: reading.time, powers });
    }
}
