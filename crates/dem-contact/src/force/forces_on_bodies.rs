//! Forces on all bodies that a ledger keeps from step to step, in the order of the contact loop.

use std::sync::Arc;

use rrp_geom::glam::DVec3;
use rrp_integrate::Wrenches;

use crate::force::tiles::scratch::Wrench;
use crate::force::tiles::sums::{Row, Sums};
use crate::neighbor::tiles::Tiling;

/// Force (N) and torque (N m) on each body, in the order of a list's tiles or by body number.
///
/// In the order of the tiles, these values are read and written as one stream, together with the sums of the contact
/// loop. Between two lists, and in files, they are in the order of body numbers.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Wrenches", into = "Wrenches"))]
pub(super) struct ForcesOnBodies {
    /// Neighbour list with the tiles by which the forces are sorted; `None` if they are sorted by body number.
    tiling: Option<Arc<Tiling>>,
    rows: Vec<Wrench>,
}

fn vector(row: &Row) -> DVec3 {
    DVec3::new(row[0], row[1], row[2])
}

fn row(vector: DVec3) -> Row {
    vector.extend(0.0).to_array()
}

impl From<Wrenches> for ForcesOnBodies {
    fn from(wrenches: Wrenches) -> Self {
        let of_body = |i: usize| Wrench { force: row(wrenches.force.get(i)), torque: row(wrenches.torque.get(i)) };
        Self { tiling: None, rows: (0..wrenches.len()).map(of_body).collect() }
    }
}

impl From<ForcesOnBodies> for Wrenches {
    fn from(forces: ForcesOnBodies) -> Self {
        let mut wrenches = Self::zeros(forces.len());
        for body in 0..forces.len() {
            let [force, torque] = forces.of_body(body);
            wrenches.force.set(body, force);
            wrenches.torque.set(body, torque);
        }
        wrenches
    }
}

impl ForcesOnBodies {
    pub(super) fn zeros(bodies: usize) -> Self {
        Self { tiling: None, rows: vec![Wrench::default(); bodies] }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn of_body(&self, body: usize) -> [DVec3; 2] {
        let at = self.tiling.as_ref().map_or(body, |tiling| tiling.place[body] as usize);
        [vector(&self.rows[at].force), vector(&self.rows[at].torque)]
    }

    pub(super) fn set(&mut self, body: usize, force: DVec3, torque: DVec3) {
        let at = self.tiling.as_ref().map_or(body, |tiling| tiling.place[body] as usize);
        self.rows[at] = Wrench { force: row(force), torque: row(torque) };
    }

    /// Force (N) and torque (N m) on the body with index `place` in the order of the tiles, after a call of
    /// [`lay_out`](Self::lay_out).
    #[inline(always)]
    pub(super) fn at_place(&self, place: usize) -> [DVec3; 2] {
        [vector(&self.rows[place].force), vector(&self.rows[place].torque)]
    }

    pub(super) fn lay_out(&mut self, tiling: &Arc<Tiling>) {
        if self.tiling.as_ref().is_some_and(|own| Arc::ptr_eq(own, tiling)) {
            return;
        }
        let at = |body: u32| self.tiling.as_ref().map_or(body as usize, |own| own.place[body as usize] as usize);
        let rows = tiling.order.iter().map(|&body| self.rows[at(body)]).collect();
        *self = Self { tiling: Some(Arc::clone(tiling)), rows };
    }

    /// Sorts the forces by body number, so that the memory of the neighbour list can be freed.
    pub(super) fn leave_list(&mut self) {
        if let Some(tiling) = self.tiling.take() {
            self.rows = tiling.place.iter().map(|&place| self.rows[place as usize]).collect();
        }
    }

    /// Takes over the forces that are not elastic, and all torques, from the sums over the contacts of a list.
    pub(super) fn take(&mut self, tiling: &Arc<Tiling>, sums: &Sums<Vec<Row>>) {
        self.tiling = Some(Arc::clone(tiling));
        self.rows.clear();
        let none = [0.0; 4];
        let at = |rows: &[Row], place: usize| rows.get(place).copied().unwrap_or(none);
        let rows = (0..tiling.len())
            .map(|place| Wrench { force: at(&sums.dissipative, place), torque: at(&sums.torque, place) });
        self.rows.extend(rows);
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().flat_map(|row| row.force.into_iter().chain(row.torque))
    }
}
