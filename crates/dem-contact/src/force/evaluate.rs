//! One evaluation of the contact forces.
//!
//! It updates the list and the histories, sums the forces of pairs with the contact loop, adds those of walls and
//! records the work. Nothing of it is committed: the same evaluation can be repeated with the same bits.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, Wrenches};

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::ContactForce;
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::old::buffers::Buffers;
use crate::force::terms::Terms;
use crate::force::wall_forces::EvaluationTime;
use crate::force::wall_forces::body_motion::BodyMotion;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::tangential::lever_arm::LeverArm;
use crate::neighbor::NeighborList;
use crate::neighbor::list_kind::ListKind;
use crate::parallel::fork_join::for_each_block;

/// The input of one evaluation.
#[derive(Clone, Copy)]
struct Evaluation<'a> {
    bodies: &'a Bodies,
    state: &'a State,
    /// Time since the committed state, in s.
    elapsed: f64,
    terms: Terms,
    /// Whether all radii are the same.
    is_monodisperse: bool,
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Whether pairs are evaluated once each, from a half list: where contacts have a history, are of several
    /// materials, resist rolling or act at an unusual lever arm. Otherwise each pair is evaluated from both sides, from
    /// a full list.
    pub(crate) fn uses_half_list(&self) -> bool {
        let has_history = size_of::<T::History>() > 0 && self.laws.are_tangential();
        let is_unusual = |_: &L, law: &T| law.resists_rolling() || law.lever() != LeverArm::ContactPoint;
        has_history || !self.laws.is_uniform() || self.laws.any(is_unusual)
    }

    /// The terms of the forces that these laws need.
    fn terms(&self) -> Terms {
        match (self.laws.dissipate(), self.laws.are_tangential()) {
            (true, _) if self.work.is_some() => Terms::Split,
            (true, true) => Terms::Tangential,
            // The loop over a half list has all terms.
            _ if self.uses_half_list() => Terms::Tangential,
            (true, false) => Terms::Damped,
            (false, _) => Terms::Elastic,
        }
    }

    /// Adds the forces (N) and torques (N m) at `state` to `out`; `elapsed` is the time (s) since the committed state.
    ///
    /// # Errors
    /// Columns, materials or wrenches of a wrong length, an `elapsed` that is not finite, an overlap of a radius or
    /// more, and the errors of [`NeighborList::update`]. `out` is then as before.
    pub(super) fn evaluate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), DemError> {
        let len = bodies.len();
        state.check_columns(bodies)?;
        self.laws.check_bodies(len)?;
        out.check_length(len)?;
        finite("the time since the committed state", elapsed)?;
        if self.list.fixed() != bodies.fixed() {
            self.history.carry(&self.list);
            self.list.set_fixed(bodies.fixed().into());
        }
        self.list.use_kind(if self.uses_half_list() { ListKind::Half } else { ListKind::Full });
        let is_monodisperse = bodies.radius().uniform().is_some();
        let evaluation = Evaluation { bodies, state, elapsed, terms: self.terms(), is_monodisperse };
        // Wrenches that nothing was added to yet are written directly, and cleared if an error follows.
        let is_direct = out.force.is_untouched() && out.torque.is_untouched() && !evaluation.terms.split_dissipation();
        let outcome = self.pair_forces(&evaluation, is_direct.then_some(&mut *out));
        let outcome = outcome.and_then(|()| self.wall_forces(&evaluation));
        if let Err(error) = outcome {
            if is_direct {
                out.clear();
            }
            return Err(error);
        }
        if !is_direct {
            self.scatter(evaluation.terms.mode(), out);
        }
        self.add_wall_forces(evaluation.terms, out);
        self.record_work(&evaluation);
        if elapsed.abs() <= 0.0 {
            // This is the committed state itself.
            self.list.accept();
            self.walls.show_loads();
        }
        Ok(())
    }

    /// Computes the forces between bodies, into `direct` or else into the buffers.
    fn pair_forces(&mut self, evaluation: &Evaluation<'_>, mut direct: Option<&mut Wrenches>) -> Result<(), DemError> {
        let &Evaluation { bodies, state, elapsed, terms, is_monodisperse } = evaluation;
        let (radius, position) = (bodies.radius(), state.position());
        let (mode, setting, motion) = (terms.mode(), (elapsed, is_monodisperse), (bodies, state));
        self.list.keep_inside(self.walls.stand_once());
        let mut before_build = |list: &NeighborList| {
            self.buffers.give_up();
            self.history.carry(list);
        };
        self.list.restore(radius, position, &mut before_build)?;
        let mut is_outdated = false;
        if let Some(out) = direct.as_deref_mut() {
            is_outdated = self.can_write_while_reading();
            if is_outdated {
                self.gather_motion(evaluation);
                if let Some(outcome) = self.write_while_reading(mode, setting, motion, out) {
                    return outcome;
                }
            }
            out.clear();
        }
        let Self { list, history, buffers, .. } = self;
        let mut before_build = |list: &NeighborList| {
            buffers.give_up();
            history.carry(list);
        };
        if is_outdated {
            list.replace(radius, position, &mut before_build)?;
        } else {
            list.update_trial(radius, position, &mut before_build)?;
        }
        if self.uses_half_list() {
            self.list.track_block_motion();
            self.buffers.exchange.follow(&self.list);
            self.history.follow(&self.list, &self.buffers.exchange);
        } else {
            self.gather_motion(evaluation);
        }
        match direct {
            Some(out) => self.write_forces(mode, setting, motion, out),
            None => self.all_forces(mode, setting, motion),
        }
    }

    /// Reads velocities, masses and spins in slot order, as far as the terms need them.
    fn gather_motion(&mut self, evaluation: &Evaluation<'_>) {
        let &Evaluation { bodies, state, terms, .. } = evaluation;
        let len = bodies.len();
        let Buffers { velocity, spin, .. } = &mut self.buffers;
        velocity.resize(if terms.need_velocity() { len } else { 0 }, [0.0; 4]);
        spin.resize(if terms.have_torque() { len } else { 0 }, [0.0; 4]);
        if !terms.need_velocity() {
            return;
        }
        let order = self.list.order();
        let output = (&mut velocity[..], &mut spin[..]);
        for_each_block(len, output, &|first, count, (velocity, spin): (&mut [[f64; 4]], &mut [[f64; 4]])| {
            let order = &order[first..first + count];
            for (row, &body) in velocity.iter_mut().zip(order) {
                let body = body as usize;
                let v = state.velocity().get(body);
                *row = [v.x, v.y, v.z, bodies.inverse_mass()[body]];
            }
            for (row, &body) in spin.iter_mut().zip(order) {
                let w = state.spin(bodies, body as usize);
                *row = [w.x, w.y, w.z, 0.0];
            }
        });
    }

    /// Computes the forces between bodies and walls.
    fn wall_forces(&mut self, evaluation: &Evaluation<'_>) -> Result<(), DemError> {
        let &Evaluation { bodies, state, elapsed, .. } = evaluation;
        let motion = if self.uses_half_list() {
            BodyMotion::OfState { bodies, state, order: self.list.order() }
        } else {
            BodyMotion::BySlot { velocity: &self.buffers.velocity, spin: &self.buffers.spin }
        };
        let time = EvaluationTime { time: state.time(), elapsed };
        self.walls.accumulate(&self.laws, &self.list, time, &motion)
    }

    /// Adds the forces of the walls to `out`, and to the sums for the ledger.
    fn add_wall_forces(&mut self, terms: Terms, out: &mut Wrenches) {
        let sums = &mut self.buffers.sums;
        for wrench in &self.walls.wrenches {
            let slot = wrench.slot as usize;
            let body = self.list.order()[slot] as usize;
            out.force.add(body, wrench.force);
            if terms.have_torque() {
                out.torque.add(body, wrench.torque);
            }
            if terms.split_dissipation() {
                for (rows, vector) in [(&mut sums.torque, wrench.torque), (&mut sums.dissipative, wrench.dissipative)] {
                    (0..3).for_each(|c| rows[slot][c] += vector[c]);
                }
            }
        }
    }

    /// Records the work, if a ledger is kept.
    fn record_work(&mut self, evaluation: &Evaluation<'_>) {
        let &Evaluation { bodies, state, elapsed, terms, .. } = evaluation;
        let Some(book) = &mut self.work else { return };
        let (slots, sums, walls) = (self.list.slot_of_body(), &self.buffers.sums, &self.walls);
        let vector = |row: &[f64; 4]| DVec3::new(row[0], row[1], row[2]);
        let wrench = |body: usize| {
            if !terms.split_dissipation() {
                return [DVec3::ZERO; 2];
            }
            let slot = slots[body] as usize;
            [vector(&sums.dissipative[slot]), vector(&sums.torque[slot])]
        };
        book.record(bodies, state, elapsed, wrench, &walls.powers);
    }

    /// The error for the deepest pair of the packed centres.
    pub(crate) fn deepest_pair(&self) -> DemError {
        let (packed, shifts, order) = (self.list.packed(), self.list.shifts(), self.list.order());
        let mut deepest = DeepestOverlap::new();
        self.list.each_entry(&mut |a, b, code| {
            let (p, q, shift) = (packed[a], packed[b], shifts[code]);
            let square: f64 = (0..3).map(|c| ((q[c] - p[c]) + shift[c]).powi(2)).sum();
            if a < b {
                let bodies = [a, b].map(|slot| order[slot] as usize);
                deepest.offer_pair(bodies, p[3] + q[3] - square.sqrt(), p[3].min(q[3]));
            }
        });
        deepest.into_error()
    }
}
