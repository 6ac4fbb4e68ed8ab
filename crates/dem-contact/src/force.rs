//! Contact forces between spheres and with walls, as a force field.
//!
//! [`ContactForce`] joins a neighbour list, laws and walls. `evaluate` computes the forces of one state: it updates the
//! list and the histories (`histories`), then evaluates each tile: pairs with the contact loop (`tiles`), then walls
//! (`wall_forces`). `setup` has laws, materials, groups and sizes; `contact_model` is the force of one contact.
//! `readout` and `ledger` read contacts and energies without changing anything. `work` sums the dissipated energy,
//! `work_record` has the contribution of one rank to this sum. `box_load` is the load on a periodic box; `box_servo`
//! deforms the box until it bears a given stress. `all_histories` transfers histories to other contacts, `subdomain`
//! has the contacts of some tiles, `fixed_spins` the spins of fixed bodies. The folder builds on `neighbor`, `law` and
//! `wall`; integrators call it through [`ForceField`].

pub(crate) mod all_histories;
pub(crate) mod box_load;
pub(crate) mod box_servo;
pub(crate) mod contact_model;
pub(crate) mod contact_rate;
pub(crate) mod deepest_overlap;
pub(crate) mod energy_guard;
pub(crate) mod evaluate;
pub(crate) mod fixed_spins;
pub(crate) mod forces_on_bodies;
pub(crate) mod histories;
pub(crate) mod ledger;
pub(crate) mod readout;
pub(crate) mod renumber;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod setup;
pub(crate) mod subdomain;
pub(crate) mod tiles;
pub(crate) mod time_step;
pub(crate) mod wall_forces;
pub(crate) mod with_walls;
pub(crate) mod work;
pub(crate) mod work_record;

pub use self::all_histories::AllHistories;
pub use self::box_load::BoxLoadParts;
pub use self::box_servo::{BoxDrive, BoxMemory, BoxStress};
pub use self::contact_rate::{ContactMotion, ContactRate, STEPS_PER_HALF_PERIOD, damped_rate};
pub use self::energy_guard::EnergyGuard;
pub use self::ledger::{Ledger, StoredEnergy};
pub use self::renumber::NewBodies;
#[cfg(feature = "serde")]
pub use self::restart::StoredContacts;
pub use self::subdomain::{ListTravel, WallLoadsOfTiles};
pub use self::time_step::{STEPS_PER_CONTACT, contact_time};
pub use self::wall_forces::felt_walls::FeltWalls;
pub use self::work_record::WorkRecord;

use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::error::DemError;
use crate::force::box_load::BoxLoads;
use crate::force::evaluate::Evaluation;
use crate::force::fixed_spins::FixedSpins;
use crate::force::histories::carried::CarriedHistories;
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::{WallHistories, WallKey};
use crate::force::histories::{ContactHistories, ListedHistories};
use crate::force::setup::ContactSetup;
use crate::force::wall_forces::WallForces;
use crate::force::work::WorkBook;
use crate::law::material::assignment::LawAssignment;
use crate::law::material::pair_table::LawTable;
use crate::law::pair_law::PairLaw;
use crate::neighbor::NeighborList;
use crate::wall::WallLoad;

/// Forces and torques between touching bodies, and between bodies and walls.
///
/// The energy as a [`Potential`] is only the elastic energy of the normal laws; damping and tangential forces act, but
/// are not in this energy. Results have the same bits for any number of threads, and for any numbering of the bodies
/// with the same [ids](NeighborList::with_ids). Fixed bodies touch neither each other nor walls.
///
/// With the feature `serde` contacts can be [stored](Self::stored) and restored: a run that is stored with its state,
/// restored and continued has the same bits as an uninterrupted run. Laws are not stored: give them again.
#[derive(Debug, Clone)]
pub struct ContactForce {
    list: NeighborList,
    setup: ContactSetup,
    walls: WallForces,
    histories: ContactHistories,
    /// Work of contacts, walls and box on the bodies since the energy ledger was opened; `None` without a ledger.
    work: Option<WorkBook>,
    box_loads: BoxLoads,
    evaluation: Evaluation,
}

impl ContactForce {
    /// Makes the contacts of the pairs in `list`, without walls, for bodies of one material; `laws` are the
    /// [laws](crate::law::Laws::of) of two bodies of this material.
    #[must_use]
    pub fn new(list: NeighborList, laws: impl Into<LawTable>) -> Self {
        Self::with_laws(list, LawAssignment::new(laws))
    }

    /// Makes the contacts of the pairs in `list` with laws by material; `materials` has the material of each body, by
    /// body number. Walls that are added later are of material 0 unless
    /// [`with_wall_materials`](Self::with_wall_materials) is called.
    ///
    /// # Errors
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial).
    pub fn by_material(
        list: NeighborList,
        laws: LawTable,
        materials: impl IntoIterator<Item = u16>,
    ) -> Result<Self, DemError> {
        let laws = LawAssignment { of_body: materials.into_iter().collect(), ..LawAssignment::new(laws) };
        Ok(Self::with_laws(list, laws.checked()?))
    }

    /// Sets the material of each wall, by wall number; walls beyond the end are of material 0. The history of a wall
    /// contact is dropped if its law then has another name or another layout of histories.
    ///
    /// # Errors
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial).
    pub fn with_wall_materials(mut self, materials: impl IntoIterator<Item = u16>) -> Result<Self, DemError> {
        let laws = &mut self.setup.laws;
        let before = std::mem::replace(&mut laws.of_wall, materials.into_iter().collect());
        if let Err(error) = laws.check() {
            laws.of_wall = before;
            return Err(error);
        }
        let records = laws.records();
        // Histories are kept if the laws have the same names and layouts.
        self.histories.change_walls(|entries| {
            let law = |key: &WallKey| laws.index_at_wall(key.body, key.wall as usize);
            let mut kept = entries.filtered(|key| records[law(key)] == records[key.law as usize]);
            kept.keys_mut().iter_mut().for_each(|key| key.law = law(key) as u32);
            kept
        });
        Ok(self)
    }

    fn with_laws(list: NeighborList, laws: LawAssignment) -> Self {
        Self::with_setup(list, ContactSetup::new(laws))
    }

    fn with_setup(list: NeighborList, setup: ContactSetup) -> Self {
        Self {
            list,
            setup,
            walls: WallForces::default(),
            histories: ContactHistories::new(CarriedHistories::NONE),
            work: None,
            box_loads: BoxLoads::default(),
            evaluation: Evaluation::default(),
        }
    }

    /// Makes contacts use the formulas for unequal radii even while all radii are equal.
    ///
    /// Call this if bodies of other sizes are [added](Self::renumber) later. The formulas for one size are shorter and
    /// round differently, so the last digits of all bodies would change when the first body of another size is added.
    /// Once sizes have differed, the formulas for several sizes stay.
    #[must_use]
    pub fn for_unequal_radii(mut self) -> Self {
        self.setup.radii_differ = true;
        self
    }

    /// Records the work of damping, friction, walls and a deforming box from now on, for a [`Ledger`]. Work that was
    /// recorded before is dropped.
    ///
    /// Call this before the run: a ledger that is opened during a run misses the work of the existing contacts in the
    /// first half step.
    #[must_use]
    pub fn with_ledger(self) -> Self {
        Self { work: Some(WorkBook::default()), ..self }
    }

    /// Stops recording work for a [`Ledger`], and drops the recorded work.
    pub fn close_ledger(&mut self) {
        self.work = None;
    }

    /// Whether work is recorded for a [`Ledger`].
    #[must_use]
    pub fn has_ledger(&self) -> bool {
        self.work.is_some()
    }

    /// Lets the periodic box deform with this velocity gradient (1/s) from the time `since` (s) on, see
    /// [`Domain::deforming`](crate::neighbor::Domain::deforming). Call this between two steps with the time of the
    /// state.
    ///
    /// The state carries the forces at the former velocity gradient, which act for another half step. The error is of
    /// the order of the damping forces; call [`State::discard_wrenches`] to have the forces evaluated again.
    ///
    /// # Errors
    /// Errors of [`Domain::deforming`](crate::neighbor::Domain::deforming); nothing is then changed.
    pub fn deform(&mut self, since: f64, velocity_gradient: DMat3) -> Result<(), DemError> {
        self.list.deform(since, velocity_gradient)?;
        if let Some(book) = &mut self.work {
            // The forces at the committed state also do work in the next step, at the new speeds.
            let listed = self.list.first_domain().unwrap_or(&self.list.current.start);
            let box_as_listed = self.list.domain().near(listed);
            book.set_box_power(self.box_loads.committed.powers(box_as_listed.speeds()));
            book.log.next_box_speeds = Some(box_as_listed.speeds());
        }
        Ok(())
    }

    /// Lets fixed bodies spin about their centres at these angular velocities (rad/s), each with the number of its
    /// body: their surfaces exert friction on other bodies, and their work counts as that of walls. Fixed bodies that
    /// are not in `spins` do not spin.
    ///
    /// Call this between steps. States and checkpoints do not contain these spins: call it again after a restart.
    /// Explicit steps take the spins into account; implicit steps refuse them. If a body is not fixed, the next
    /// evaluation fails with [`ContactError::SpinOfFreeBody`](crate::error::ContactError).
    pub fn spin_fixed(&mut self, spins: impl IntoIterator<Item = (usize, DVec3)>) {
        self.setup.fixed_spins = FixedSpins::new(spins);
    }

    /// Whether any fixed body spins about its centre, as set by [`spin_fixed`](Self::spin_fixed).
    #[must_use]
    pub fn spins_fixed(&self) -> bool {
        !self.setup.fixed_spins.is_empty()
    }

    /// Neighbour list from which contacts of bodies are found.
    #[must_use]
    pub fn list(&self) -> &NeighborList {
        &self.list
    }

    /// Contact laws between two bodies of material 0.
    #[must_use]
    pub fn law(&self) -> &dyn PairLaw {
        self.setup.laws.first()
    }

    /// Table of the contact laws for each pair of materials.
    #[must_use]
    pub fn laws(&self) -> &LawTable {
        &self.setup.laws.pairs
    }

    /// Contact laws with the material of each body and each wall.
    pub(crate) fn law_assignment(&self) -> &LawAssignment {
        &self.setup.laws
    }

    /// Largest prescribed spin in rad/s of a fixed body; zero if no fixed body spins.
    pub(crate) fn largest_fixed_spin(&self) -> f64 {
        self.setup.fixed_spins.largest()
    }

    /// Leaves pairs of bodies out of the contacts, such as pairs that ties hold together.
    pub(crate) fn without_pairs(self, pairs: impl IntoIterator<Item = [usize; 2]>) -> Self {
        Self { list: self.list.without_pairs(pairs), ..self }
    }

    pub(crate) fn list_mut(&mut self) -> &mut NeighborList {
        &mut self.list
    }

    /// Moves the contact histories into the tiles of the neighbour list if this list is new since the last evaluation.
    pub(crate) fn follow_list(&mut self) {
        self.histories.follow(&self.list, &self.setup.laws);
    }

    pub(crate) fn listed_histories(&self) -> &ListedHistories {
        &self.histories.listed
    }

    /// Sets the loads on walls, by wall number, and the histories of wall contacts that the next commit accepts.
    /// Histories are ignored if no law has any.
    pub(crate) fn set_pending_walls(&mut self, loads: Vec<WallLoad>, histories: WallHistories) {
        self.walls.pending_loads = loads;
        if self.setup.laws.remember() {
            self.histories.listed.set_pending_walls(histories);
        }
    }

    /// Sets the histories of pairs that the next commit accepts: one entry for each tile of the neighbour list, in its
    /// order.
    pub(crate) fn set_pending_pairs(&mut self, histories: Vec<PairHistories>) {
        self.histories.listed.set_pending_pairs(histories);
    }

    /// Commits neighbour list, contact histories, and loads on walls and box as those of an accepted state, but not the
    /// work for a [`Ledger`], which only some integrators record.
    pub(crate) fn commit_without_work(&mut self) {
        self.list.accept();
        self.histories.commit();
        self.walls.commit();
        self.box_loads.commit();
    }
}

impl ForceField for ContactForce {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.evaluate(bodies, state, elapsed, out).map_err(Into::into)
    }

    fn commit(&mut self) {
        self.commit_without_work();
        if let Some(book) = &mut self.work {
            book.commit();
        }
    }

    fn has_contact(&self, pair: [usize; 2]) -> bool {
        !self.list.leaves_out(pair)
    }
}

impl Potential for ContactForce {
    /// Returns the elastic energy of all contacts at `state` in J; NaN if [`ContactForce::elastic_energy`] fails.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.elastic_energy(bodies, state).unwrap_or(f64::NAN)
    }
}
