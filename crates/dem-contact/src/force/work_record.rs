//! The work of each rank as parts of sums, and their transfer to the ledger of all bodies.
//!
//! A subdomain records parts of sums and adds nothing up. `WorkBook::replay` (`work`) adds up the parts of all ranks,
//! step by step. Sums over parts are exact, so the ledger does not depend on which rank has which tile.

use rrp_geom::glam::DVec3;

use crate::force::box_load::BoxLoadParts;
use crate::force::wall_forces::wall_sums::WallSums;

/// Contributions of some tiles to the sums of an energy ledger in one evaluation of the contacts.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct EvaluationParts {
    pub(super) elapsed: f64,
    /// Power (F₀ + F₁)·V in W of the forces that are not elastic on the bodies of each tile, with the forces F₀ and F₁
    /// at the two ends of a step and the velocity V.
    pub(super) on_bodies: Vec<f64>,
    /// Power (F₀ + F₁)·V in W of the whole forces on each fixed body.
    pub(super) on_fixed: Vec<f64>,
    /// One row for each tile, with an entry for each wall: power in W of the whole forces on the wall, power in W of
    /// their parts that are not elastic, and energy in J that springs store. Empty if there are no walls.
    pub(super) at_walls: Vec<Vec<[f64; 3]>>,
    pub(super) stored: Vec<f64>,
    pub(super) box_load: Option<BoxLoadParts>,
    /// Speeds (m/s) at which the edges of the box and the shear offset of images grow, at the evaluated state.
    pub(super) box_speeds_at_end: [f64; 4],
    /// Speeds (m/s) of the edges of the box and of the shear offset at the accepted state, if set for the step.
    pub(super) box_speeds_at_start: Option<[f64; 4]>,
}

impl EvaluationParts {
    /// Returns the contributions that are not forces on bodies: power at walls, and energy in springs.
    pub(super) fn of_others(elapsed: f64, at_walls: &[Vec<WallSums>], stored: &[f64]) -> Self {
        let touching = at_walls.iter().filter(|tile| !tile.is_empty());
        let at_walls = touching.map(|tile| tile.iter().map(WallSums::work).collect()).collect();
        Self { elapsed, at_walls, stored: stored.to_vec(), ..Self::default() }
    }
}

/// Evaluations of contacts that one rank has recorded for the energy ledger of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct WorkLog {
    accepted: Vec<EvaluationParts>,
    /// Evaluation at which no step ends, at zero time since the accepted state, such as the first one of a run.
    opening: Option<EvaluationParts>,
    pending: Option<EvaluationParts>,
    /// Speeds (m/s) of the edges of the box and of the shear offset of images that were set for the next step.
    pub(super) next_box_speeds: Option<[f64; 4]>,
}

impl WorkLog {
    pub(super) fn new(accepted: Vec<EvaluationParts>, next_box_speeds: Option<[f64; 4]>) -> Self {
        Self { accepted, next_box_speeds, ..Self::default() }
    }

    pub(super) fn record(&mut self, parts: EvaluationParts) {
        if parts.elapsed > 0.0 {
            self.pending = Some(EvaluationParts { box_speeds_at_start: self.next_box_speeds, ..parts });
        } else {
            self.opening = Some(parts);
        }
    }

    pub(super) fn commit(&mut self) {
        self.next_box_speeds = None;
        self.accepted.extend(self.opening.take());
        self.accepted.extend(self.pending.take());
    }

    pub(super) fn forget(&mut self, elapsed: f64) {
        let place = if elapsed > 0.0 { &mut self.pending } else { &mut self.opening };
        *place = None;
    }

    pub(super) fn take(&mut self) -> Vec<EvaluationParts> {
        self.accepted.extend(self.opening.take());
        std::mem::take(&mut self.accepted)
    }
}

/// Contact forces on one body at an accepted state, in N and N m, as a ledger records them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RecordedForce {
    pub(super) body: u32,
    /// Force (N) and torque (N m) on the body that are not elastic.
    pub(super) force: DVec3,
    pub(super) torque: DVec3,
    /// Whole force in N on a fixed body, zero on a free body; `None` if no body is fixed.
    pub(super) on_fixed: Option<DVec3>,
}

/// Work that the contacts of one rank have recorded up to the accepted state, for the ledger of all bodies.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkRecord {
    pub(super) evaluations: Vec<EvaluationParts>,
    pub(super) next_box_speeds: Option<[f64; 4]>,
    pub(super) forces: Vec<RecordedForce>,
}

impl WorkRecord {
    /// Renumbers the bodies of the recorded forces, and drops forces on bodies for which `number` is `None`.
    pub fn renumber_bodies(&mut self, number: impl Fn(usize) -> Option<usize>) {
        let renumber = |entry: &mut RecordedForce| number(entry.body as usize).map(|new| entry.body = new as u32);
        self.forces.retain_mut(|entry| renumber(entry).is_some());
    }

    /// Splits the recorded forces by groups of bodies; `group` returns the index of the group of a body. Recorded work
    /// is in none of the groups.
    ///
    /// # Panics
    /// If `group` returns an index that is not below `groups`.
    #[must_use]
    pub fn split(&self, groups: usize, group: impl Fn(usize) -> usize) -> Vec<Self> {
        let mut split = vec![Self::default(); groups];
        self.forces.iter().for_each(|entry| split[group(entry.body as usize)].forces.push(*entry));
        split
    }

    /// Returns a record with the work of this record and with the forces on bodies of all `parts`.
    #[must_use]
    pub fn with_forces_of(self, parts: impl IntoIterator<Item = Self>) -> Self {
        Self { forces: parts.into_iter().flat_map(|part| part.forces).collect(), ..self }
    }
}
