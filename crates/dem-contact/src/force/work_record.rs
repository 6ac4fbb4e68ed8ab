//! The work that ranks record apart, as parts of sums, and that the ledger of all bodies takes over.
//!
//! A subdomain records parts of sums and adds nothing up. [`WorkBook::replay`] adds the parts of all ranks up, step by
//! step. Sums over parts are exact, so the ledger does not depend on who had which tile.

use rrp_geom::glam::DVec3;
use rrp_parallel::ExactSum;

use crate::force::box_load::{BoxLoad, BoxLoadParts};
use crate::force::wall_forces::wall_sums::WallSums;
use crate::force::work::{NotOnBodies, PowersOnBodies, WorkBook};

/// The parts that some tiles have of the sums of one evaluation.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct EvaluationParts {
    /// Time in s since the committed state.
    pub(crate) elapsed: f64,
    /// By tile: (F₀ + F₁)·V in W of the forces on its bodies that are not elastic.
    pub(crate) on_bodies: Vec<f64>,
    /// By fixed body: the same of the whole force.
    pub(crate) on_fixed: Vec<f64>,
    /// By tile with wall contacts, and by wall: power in W of the whole force, that of the part that is not elastic, and
    /// energy in J that springs store.
    pub(crate) at_walls: Vec<Vec<[f64; 3]>>,
    /// By tile: energy in J that springs between bodies store.
    pub(crate) stored: Vec<f64>,
    /// What a box that deforms bears, if it does.
    pub(crate) box_load: Option<BoxLoadParts>,
    /// The speeds (m/s) at which its edges and the offset of images grow.
    pub(crate) box_speeds: [f64; 4],
    /// Those that were set for the step, at the committed state.
    pub(crate) box_speeds_before: Option<[f64; 4]>,
}

impl EvaluationParts {
    /// What is not on bodies.
    pub(crate) fn of_others(elapsed: f64, at_walls: &[Vec<WallSums>], stored: &[f64]) -> Self {
        let touching = at_walls.iter().filter(|tile| !tile.is_empty());
        let at_walls = touching.map(|tile| tile.iter().map(WallSums::work).collect()).collect();
        Self { elapsed, at_walls, stored: stored.to_vec(), ..Self::default() }
    }
}

/// What a subdomain has recorded.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkLog {
    /// Those of accepted steps, in their order.
    accepted: Vec<EvaluationParts>,
    /// The evaluation of a state that came without forces.
    opening: Option<EvaluationParts>,
    pending: Option<EvaluationParts>,
    /// The speeds (m/s) of the box that were set for the next step.
    pub(crate) box_speeds: Option<[f64; 4]>,
}

impl WorkLog {
    pub(crate) fn record(&mut self, parts: EvaluationParts) {
        if parts.elapsed > 0.0 {
            self.pending = Some(EvaluationParts { box_speeds_before: self.box_speeds, ..parts });
        } else {
            self.opening = Some(parts);
        }
    }

    pub(crate) fn commit(&mut self) {
        self.box_speeds = None;
        self.accepted.extend(self.opening.take());
        self.accepted.extend(self.pending.take());
    }

    /// Forgets the last evaluation, if it was recorded: that of a state so long (s) after the committed one.
    pub(crate) fn forget(&mut self, elapsed: f64) {
        let place = if elapsed > 0.0 { &mut self.pending } else { &mut self.opening };
        *place = None;
    }

    /// Takes what belongs to the accepted state.
    fn take(&mut self) -> Vec<EvaluationParts> {
        self.accepted.extend(self.opening.take());
        std::mem::take(&mut self.accepted)
    }
}

/// What has acted on a body at an accepted state, in N and N m.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct RecordedForce {
    pub(crate) body: u32,
    /// Force and torque that are not elastic.
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
    /// The whole force on a fixed body, zero on others; none where no body is fixed.
    pub(crate) on_fixed: Option<DVec3>,
}

/// What the contacts of a subdomain have recorded for the ledger of all bodies, up to the last accepted state.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkRecord {
    evaluations: Vec<EvaluationParts>,
    /// The speeds (m/s) of the box that were set for the next step.
    box_speeds: Option<[f64; 4]>,
    /// On own bodies, at the last accepted state.
    pub(super) forces: Vec<RecordedForce>,
}

impl WorkRecord {
    /// Gives bodies other numbers. Forces on bodies without a number are dropped.
    pub fn renumber_bodies(&mut self, number: impl Fn(usize) -> Option<usize>) {
        let renumber = |entry: &mut RecordedForce| number(entry.body as usize).map(|new| entry.body = new as u32);
        self.forces.retain_mut(|entry| renumber(entry).is_some());
    }

    /// The forces on each of several groups of bodies; `group` has the index of the group of a body. Recorded work is in
    /// none.
    ///
    /// # Panics
    /// If a group is not below `groups`.
    #[must_use]
    pub fn split(&self, groups: usize, group: impl Fn(usize) -> usize) -> Vec<Self> {
        let mut split = vec![Self::default(); groups];
        self.forces.iter().for_each(|entry| split[group(entry.body as usize)].forces.push(*entry));
        split
    }

    /// The recorded work with the forces on other bodies, those of all `parts`.
    #[must_use]
    pub fn with_forces_of(self, parts: impl IntoIterator<Item = Self>) -> Self {
        Self { forces: parts.into_iter().flat_map(|part| part.forces).collect(), ..self }
    }
}

impl WorkBook {
    /// The book of a subdomain of so many bodies.
    pub(crate) fn of_subdomain(bodies: usize, record: WorkRecord) -> Self {
        let WorkRecord { evaluations, box_speeds, forces } = record;
        let mut book = Self::default();
        (book.log.accepted, book.log.box_speeds) = (evaluations, box_speeds);
        if !forces.is_empty() {
            book.make_room(bodies);
            book.set_forces(&forces);
        }
        book
    }

    /// Takes what was recorded, with the forces on the first bodies, so many.
    pub(crate) fn take_record(&mut self, bodies: usize) -> WorkRecord {
        let box_speeds = self.log.box_speeds;
        WorkRecord { evaluations: self.log.take(), box_speeds, forces: self.forces(bodies) }
    }

    /// Adds the work of all ranks, which together have so many bodies and walls. `load` is that of the box at the
    /// committed state.
    pub(crate) fn replay(
        &mut self,
        [bodies, walls]: [usize; 2],
        is_hysteretic: bool,
        mut load: BoxLoad,
        records: &[WorkRecord],
    ) {
        let evaluations = records.iter().map(|record| record.evaluations.len()).min().unwrap_or(0);
        for k in 0..evaluations {
            let parts = || records.iter().map(|record| &record.evaluations[k]);
            let sum = |of: fn(&EvaluationParts) -> &Vec<f64>| ExactSum::of(parts().flat_map(of).copied());
            let at_wall = |wall: usize| {
                let tiles = || parts().flat_map(|parts| &parts.at_walls).filter_map(move |tile| tile.get(wall));
                [0, 1, 2].map(|k| ExactSum::of(tiles().map(|work| work[k])))
            };
            let at_walls: Vec<[f64; 3]> = (0..walls).map(at_wall).collect();
            let powers: Vec<[f64; 2]> = at_walls.iter().map(|work| [work[0], work[1]]).collect();
            let stored = sum(|parts| &parts.stored) + ExactSum::of(at_walls.iter().map(|work| work[2]));
            // The box is the same on all ranks.
            let EvaluationParts { elapsed, box_speeds, box_speeds_before, .. } = records[0].evaluations[k];
            if let Some(speeds) = box_speeds_before {
                self.set_box_power(load.powers(speeds));
            }
            let all = BoxLoadParts::of_all(parts().map(|parts| parts.box_load.clone()));
            load = all.map_or_else(BoxLoad::default, |all| BoxLoad::without_stress(&all));
            let by_box = load.powers(box_speeds);
            let others = NotOnBodies { stored, is_hysteretic, walls: &powers, by_box };
            let on_bodies =
                PowersOnBodies { on_bodies: sum(|parts| &parts.on_bodies), on_fixed: sum(|parts| &parts.on_fixed) };
            let begins = self.make_room(bodies);
            self.add(elapsed, begins, &on_bodies, &others);
            if elapsed > 0.0 {
                self.commit();
            }
        }
        records.iter().filter(|record| !record.forces.is_empty()).for_each(|record| self.set_forces(&record.forces));
    }
}
