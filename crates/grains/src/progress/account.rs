//! Energy that came and went with bodies, and with changes of engines.

use serde::{Deserialize, Serialize};

use crate::reading::{Energies, Reading};

/// Energies in J that readings of a run's present engine lack: those that earlier engines recorded, and those that came
/// or went with bodies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Dissipated energy that earlier engines recorded; none if one of them kept no record. The next four fields are
    /// damped and gained energy, and the work of walls and of the box, by the records of earlier engines.
    dissipated: Option<f64>,
    damped: f64,
    gained: Option<f64>,
    wall_work: Option<f64>,
    box_work: f64,
    /// Work of moving walls in J under earlier engines, to the order of a step where it is not recorded.
    about_wall_work: f64,
    /// Mechanical energy in J that came with new bodies, walls and changes of gravity, less the energy that went with
    /// removed ones.
    supplied: f64,
    /// Largest sum in J of absolute energies of which a difference is in `supplied`, for the tolerance of rounding.
    scale: f64,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            dissipated: Some(0.0),
            damped: 0.0,
            gained: Some(0.0),
            wall_work: Some(0.0),
            box_work: 0.0,
            about_wall_work: 0.0,
            supplied: 0.0,
            scale: 0.0,
        }
    }
}

impl Account {
    pub(crate) fn added_to(&self, reading: Reading) -> Reading {
        let energies = reading.energies;
        let sum = |own: Option<f64>, known: Option<f64>| Some(own? + known?);
        let energies = Energies {
            dissipated: sum(self.dissipated, energies.dissipated),
            damped: self.damped + energies.damped,
            gained: sum(self.gained, energies.gained),
            wall_work: sum(self.wall_work, energies.wall_work),
            box_work: self.box_work + energies.box_work,
            supplied: self.supplied + energies.supplied,
            ..energies
        };
        Reading { energies, ..reading }
    }

    /// Returns the work in J of moving walls since the start, to first order in the step; `own` is that of the present
    /// engine.
    pub(crate) fn about_wall_work(&self, own: f64) -> f64 {
        self.about_wall_work + own
    }

    /// Adds energy in J that came or went with bodies. `scale` is the sum of the absolute energies of which it is a
    /// difference.
    pub(crate) fn supply(&mut self, energy: f64, scale: f64) {
        self.supplied += energy;
        self.scale = self.scale.max(scale).max(self.supplied.abs());
    }

    /// Accounts for bodies that leave with this kinetic energy (J) and these other energies. All mechanical energy
    /// leaves with the bodies; dissipated energy remains dissipated, whatever the contacts of the bodies stored.
    pub(crate) fn release(&mut self, kinetic: f64, energies: &Energies) {
        self.dissipated = self.dissipated.zip(energies.dissipated).map(|(known, theirs)| known + theirs);
        self.supply(-energies.mechanical(kinetic), energies.scale(kinetic));
    }

    /// Largest sum in J of absolute energies with a difference in the supplied energy.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Adds the difference between two readings at the same time, `before` and `after` a change of engines. `wall_work`
    /// is the work of walls in J recorded by the former engine.
    pub(crate) fn settle(&mut self, before: &Reading, after: &Reading, wall_work: f64) {
        let rest = |before: Option<f64>, after: Option<f64>| Some(before? - after?);
        let known = before.energies;
        let now = after.energies;
        self.dissipated = rest(known.dissipated, now.dissipated);
        self.damped = known.damped - now.damped;
        self.gained = rest(known.gained, now.gained);
        self.wall_work = rest(known.wall_work, now.wall_work);
        self.box_work = known.box_work - now.box_work;
        self.supplied = known.supplied - now.supplied;
        self.about_wall_work += wall_work;
        self.supply(after.mechanical() - before.mechanical(), before.scale().max(after.scale()));
    }
}
