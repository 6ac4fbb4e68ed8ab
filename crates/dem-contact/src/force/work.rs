//! The work that contacts and walls have done, summed over steps, on one rank or over all ranks.

use std::ops::Range;
use std::sync::Arc;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Renumbering, State, Wrenches};
use rrp_parallel::ExactSum;

use crate::error::DemError;
use crate::force::box_load::{BoxLoad, BoxLoadParts};
use crate::force::fixed_spins::FixedSpins;
use crate::force::forces_on_bodies::ForcesOnBodies;
use crate::force::tiles::scene::Motion;
use crate::force::tiles::sums::{Row, Sums};
use crate::force::work_record::{EvaluationParts, RecordedForce, WorkLog, WorkRecord};
use crate::neighbor::tiles::Tiling;

#[cfg(feature = "serde")]
use crate::error::parameter::finite;

/// Velocities and spins of the bodies, by which the energy ledger multiplies forces to get their power.
pub(super) struct WorkingMotion<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) fixed_spins: &'a FixedSpins,
    /// Velocities in m/s and spins in rad/s, in the order of the tiles; `None` in a box that deforms, where these would
    /// be velocities of periodic images.
    pub(super) rows: Option<&'a [Motion]>,
}

impl WorkingMotion<'_> {
    #[inline(always)]
    fn of(&self, place: usize, body: usize) -> [DVec3; 2] {
        match self.rows.and_then(|rows| rows.get(place)) {
            Some(row) => [row.velocity, row.spin].map(|row| DVec3::new(row[0], row[1], row[2])),
            None => [self.state.velocity().get(body), self.fixed_spins.of(self.bodies, self.state, body)],
        }
    }
}

/// Work in J of contacts, walls and box on the bodies since the ledger was opened.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Work {
    pub(super) dissipated: f64,
    pub(super) by_walls: f64,
    pub(super) by_box: f64,
    /// Highest value so far of the dissipated energy minus the energy stored in springs, in J; `None` before the first
    /// state, and after bodies were removed.
    highest: Option<f64>,
    /// Largest decrease in J of dissipated minus stored energy below an earlier value: energy that contacts created.
    pub(super) gained: f64,
}

/// Contributions to the energy ledger at one state apart from forces on bodies: energy in springs, power of walls and
/// box.
pub(super) struct NotOnBodies<'a> {
    /// Energy in J that contact springs store, or that all contacts store if any normal force is hysteretic.
    pub(super) stored: f64,
    pub(super) is_hysteretic: bool,
    /// Power in W of the whole force of the bodies on each wall, and of the part that is not elastic.
    pub(super) walls: &'a [[f64; 2]],
    /// Power in W of a deforming box on the bodies: by all forces, and by forces that are not elastic.
    pub(super) by_box: [f64; 2],
}

/// Ledger of the work of contacts, walls and box, summed over steps.
///
/// In a step of the length h the forces F₀ and F₁ at its ends do the work h/2 (F₀ + F₁)·V, where V is the velocity in
/// the middle of the step. This is the change of kinetic energy in a kick-drift-kick step, up to a telescoping term.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WorkBook {
    pub(super) committed: Work,
    #[cfg_attr(feature = "serde", serde(skip))]
    pending: Work,
    start: Forces,
    #[cfg_attr(feature = "serde", serde(skip))]
    end: Forces,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) log: WorkLog,
}

/// Powers (F₀ + F₁)·V in W of the forces F₀ and F₁ at the two ends of a step with the velocities V, see [`WorkBook`]:
/// `on_bodies` of the forces on all bodies that are not elastic, `on_fixed` of the whole forces on fixed bodies.
struct PowersOnBodies {
    on_bodies: f64,
    on_fixed: f64,
}

impl Work {
    /// Compares the dissipated energy minus the energy `stored` (J) in springs with its highest value so far, to find
    /// energy that contacts create.
    fn compare(&mut self, stored: f64) {
        let dissipated = self.dissipated - stored;
        let highest = self.highest.unwrap_or(dissipated).max(dissipated);
        self.highest = Some(highest);
        self.gained = self.gained.max(highest - dissipated);
    }
}

#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Forces {
    on_bodies: ForcesOnBodies,
    /// Power in W of the whole force of the bodies on each wall, and of the part that is not elastic.
    on_walls: Vec<[f64; 2]>,
    /// Power in W of the deforming box on the bodies: by all forces, and by forces that are not elastic.
    by_box: [f64; 2],
    on_fixed: Wrenches,
}

impl Forces {
    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let powers = self.on_walls.iter().chain([&self.by_box]).flatten().copied();
        let on_fixed = self.on_fixed.force.iter().flat_map(|vector| vector.to_array());
        self.on_bodies.numbers().chain(on_fixed).chain(powers)
    }
}

impl WorkBook {
    /// Checks that all numbers of a stored ledger are finite, and that forces on all bodies and on fixed bodies are for
    /// one number of bodies. A ledger of other bodies or walls is accepted: it is reset at the next step.
    #[cfg(feature = "serde")]
    pub(super) fn check(&self) -> Result<(), DemError> {
        let expected = self.bodies();
        let found = self.start.on_fixed.len();
        if expected != found {
            return Err(DemError::LengthMismatch { what: "forces on fixed bodies of a ledger", expected, found });
        }
        let Work { dissipated, by_walls, by_box, highest, gained } = self.committed;
        let work = [dissipated, by_walls, by_box, highest.unwrap_or_default(), gained];
        for number in work.into_iter().chain(self.start.numbers()) {
            finite("each number of a ledger", number)?;
        }
        Ok(())
    }

    /// Sorts recorded forces by body number instead of the order of the tiles, so that the list can be freed.
    pub(super) fn leave_list(&mut self) {
        self.start.on_bodies.leave_list();
        self.end.on_bodies = ForcesOnBodies::default();
    }

    pub(super) fn change_walls(&mut self, change: impl Fn(&mut Vec<[f64; 2]>)) {
        change(&mut self.start.on_walls);
        change(&mut self.end.on_walls);
    }

    pub(super) fn set_box_power(&mut self, powers: [f64; 2]) {
        self.start.by_box = powers;
    }

    #[cfg(test)]
    pub(super) fn start_by_box(&self) -> [f64; 2] {
        self.start.by_box
    }

    /// Number of bodies for which the ledger has recorded forces; 0 before the first step.
    pub(super) fn bodies(&self) -> usize {
        self.start.on_bodies.len()
    }

    /// Renumbers the bodies of a ledger. New bodies are assumed to touch nothing. Energy that contacts of removed
    /// bodies stored counts as neither lost nor gained.
    pub(super) fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        if self.bodies() > 0 {
            let new = Wrenches::zeros(numbering.new_bodies());
            let mut on_bodies = Wrenches::from(std::mem::take(&mut self.start.on_bodies));
            let outcome = numbering.apply_to_wrenches_with(&mut on_bodies, &new);
            self.start.on_bodies = on_bodies.into();
            outcome?;
            numbering.apply_to_wrenches_with(&mut self.start.on_fixed, &new)?;
            // The next evaluation resizes the column; forces under former numbers must not stay.
            self.end.on_fixed = Wrenches::default();
        }
        if numbering.former().len() < numbering.before() + numbering.new_bodies() {
            // After a removal of bodies the comparison of dissipated energies begins again.
            self.committed.highest = None;
        }
        Ok(())
    }

    /// Records the contact forces at the state of `motion`, `elapsed` (s) after the accepted state; `sums` has the
    /// forces, in the order of the tiles.
    pub(super) fn record(
        &mut self,
        motion: &WorkingMotion<'_>,
        elapsed: f64,
        tiling: &Arc<Tiling>,
        sums: &Sums<Vec<Row>>,
        others: &NotOnBodies<'_>,
    ) {
        let begins = self.make_room(motion.bodies.len());
        let EvaluationParts { on_bodies, on_fixed, .. } = self.read(motion, tiling, sums);
        let powers = PowersOnBodies { on_bodies: ExactSum::of(on_bodies), on_fixed: ExactSum::of(on_fixed) };
        self.add(elapsed, begins, &powers, others);
    }

    /// Records the contributions of the tiles of one rank to the ledger's sums over all bodies. `of_others` has the
    /// contributions of walls and springs, and the time (s) since the accepted state.
    pub(super) fn record_parts(
        &mut self,
        motion: &WorkingMotion<'_>,
        tiling: &Arc<Tiling>,
        sums: &Sums<Vec<Row>>,
        of_others: EvaluationParts,
    ) {
        self.make_room(motion.bodies.len());
        let EvaluationParts { on_bodies, on_fixed, .. } = self.read(motion, tiling, sums);
        let is_start = of_others.elapsed <= 0.0;
        self.log.record(EvaluationParts { on_bodies, on_fixed, ..of_others });
        if is_start {
            self.start.clone_from(&self.end);
        }
    }

    /// Makes room for the forces on this many bodies. Returns whether no forces were recorded before.
    fn make_room(&mut self, bodies: usize) -> bool {
        let begins = self.bodies() == 0;
        for forces in [&mut self.start, &mut self.end] {
            if forces.on_bodies.len() != bodies {
                forces.on_bodies = ForcesOnBodies::zeros(bodies);
            }
            if forces.on_fixed.len() != bodies {
                forces.on_fixed = Wrenches::zeros(bodies);
            }
        }
        begins
    }

    /// Reads the forces that are not elastic on the bodies that this rank owns. Returns their powers by tile and by
    /// fixed body.
    fn read(&mut self, motion: &WorkingMotion<'_>, tiling: &Arc<Tiling>, sums: &Sums<Vec<Row>>) -> EvaluationParts {
        self.start.on_bodies.lay_out(tiling);
        self.end.on_bodies.take(tiling, sums);
        let start = &self.start;
        let end = &mut self.end;
        let on_tile = |places: Range<usize>| {
            let mut power = 0.0;
            for place in places {
                let ([force, torque], [before, torque_before]) =
                    (end.on_bodies.at_place(place), start.on_bodies.at_place(place));
                let [velocity, spin] = motion.of(place, tiling.order[place] as usize);
                power += (before + force).dot(velocity);
                power += (torque_before + torque).dot(spin);
            }
            power
        };
        let on_bodies = tiling.own_places().map(on_tile).collect();
        let own = tiling.own_places().last().map_or(0, |places| places.end);
        let fixed =
            motion.bodies.fixed().iter().map(|&i| (i, tiling.place[i] as usize)).filter(|&(_, place)| place < own);
        // Fixed bodies keep their velocity over the whole step; in the previous step it may have been another one.
        let on_fixed = fixed.map(|(i, place)| {
            let force = sums.force.get(place).map_or(DVec3::ZERO, |row| DVec3::from_slice(&row[..3]));
            end.on_fixed.force.set(i, force);
            let torque = start.on_bodies.of_body(i)[1] + end.on_bodies.of_body(i)[1];
            let [velocity, spin] = motion.of(place, i);
            (start.on_fixed.force.get(i) + force).dot(velocity) + torque.dot(spin)
        });
        EvaluationParts { on_bodies, on_fixed: on_fixed.collect(), ..EvaluationParts::default() }
    }

    /// Adds the work of a step that began `elapsed` (s) before the evaluated state to the ledger. `begins` says that no
    /// forces were recorded for the start of the step.
    fn add(&mut self, elapsed: f64, begins: bool, powers: &PowersOnBodies, others: &NotOnBodies<'_>) {
        let start = &self.start;
        let end = &mut self.end;
        let mut on_walls = 0.0;
        let mut by_walls = 0.0;
        end.on_walls.clear();
        for (w, powers) in others.walls.iter().enumerate() {
            let [before, dissipative_before] = start.on_walls.get(w).copied().unwrap_or_default();
            by_walls -= before + powers[0];
            on_walls += dissipative_before + powers[1];
            end.on_walls.push(*powers);
        }
        by_walls -= powers.on_fixed;
        end.by_box = others.by_box;
        let [box_power, lost_in_box] = [0, 1].map(|k| start.by_box[k] + others.by_box[k]);
        self.pending = self.committed;
        if elapsed > 0.0 {
            self.pending.dissipated -= 0.5 * elapsed * (powers.on_bodies + on_walls - lost_in_box);
            self.pending.by_box += 0.5 * elapsed * box_power;
            self.pending.by_walls += 0.5 * elapsed * by_walls;
            self.pending.compare(others.stored);
        } else if self.end.numbers().all(f64::is_finite) {
            // This is the committed state itself.
            self.start.clone_from(&self.end);
            if begins && others.is_hysteretic {
                // Energy that contacts store at the beginning did not come from motion in recorded steps.
                self.committed.dissipated += others.stored;
            }
            self.committed.highest.get_or_insert(self.committed.dissipated - others.stored);
            self.pending = self.committed;
        }
    }

    /// Returns the recorded contact forces at the accepted state on the bodies with numbers below `bodies`, for the
    /// ledger of all bodies.
    fn forces(&self, bodies: usize) -> Vec<RecordedForce> {
        let Forces { on_bodies, on_fixed, .. } = &self.start;
        let of_body = |body: usize| {
            let [force, torque] = on_bodies.of_body(body);
            let on_fixed = (!on_fixed.force.is_untouched()).then(|| on_fixed.force.get(body));
            RecordedForce { body: body as u32, force, torque, on_fixed }
        };
        (0..bodies.min(self.bodies())).map(of_body).collect()
    }

    fn set_forces(&mut self, forces: &[RecordedForce]) {
        let Forces { on_bodies, on_fixed, .. } = &mut self.start;
        for one in forces {
            on_bodies.set(one.body as usize, one.force, one.torque);
            if let Some(whole) = one.on_fixed {
                on_fixed.force.set(one.body as usize, whole);
            }
        }
    }

    pub(super) fn of_subdomain(bodies: usize, record: WorkRecord) -> Self {
        let WorkRecord { evaluations, next_box_speeds, forces } = record;
        let mut book = Self { log: WorkLog::new(evaluations, next_box_speeds), ..Self::default() };
        if !forces.is_empty() {
            book.make_room(bodies);
            book.set_forces(&forces);
        }
        book
    }

    pub(super) fn take_record(&mut self, bodies: usize) -> WorkRecord {
        let next_box_speeds = self.log.next_box_speeds;
        WorkRecord { evaluations: self.log.take(), next_box_speeds, forces: self.forces(bodies) }
    }

    /// Adds the work recorded by all ranks, one record for each, to the ledger. `bodies` and `walls` are the numbers of
    /// all bodies and of all walls. `load` is the load on the box at the accepted state.
    pub(super) fn replay(
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
            let EvaluationParts { elapsed, box_speeds_at_start, box_speeds_at_end, .. } = records[0].evaluations[k];
            if let Some(speeds) = box_speeds_at_start {
                self.set_box_power(load.powers(speeds));
            }
            let all = BoxLoadParts::of_all(parts().map(|parts| parts.box_load.clone()));
            load = all.map_or_else(BoxLoad::default, |all| BoxLoad::without_stress(&all));
            let by_box = load.powers(box_speeds_at_end);
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

    pub(super) fn commit(&mut self) {
        self.committed = self.pending;
        std::mem::swap(&mut self.start, &mut self.end);
        self.log.commit();
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_no_run_has_stored_is_refused() {
        let good = || {
            let mut book = WorkBook::default();
            book.start.on_bodies = ForcesOnBodies::zeros(3);
            book.start.on_fixed = Wrenches::zeros(3);
            book.start.on_walls = vec![[1.0, -2.0]; 2];
            book
        };
        assert!(good().check().is_ok() && WorkBook::default().check().is_ok());
        for spoil in [
            |book: &mut WorkBook| book.committed.dissipated = f64::NAN,
            |book: &mut WorkBook| book.committed.by_walls = f64::INFINITY,
            |book: &mut WorkBook| book.start.on_walls[1][0] = f64::NAN,
            |book: &mut WorkBook| book.start.on_bodies.set(2, DVec3::ZERO, DVec3::NAN),
        ] {
            let mut book = good();
            spoil(&mut book);
            assert!(matches!(book.check(), Err(DemError::InvalidParameter { .. })));
        }
    }
}
