//! Forces of contacts as a force field.

pub(crate) mod contact_model;
pub(crate) mod deepest_overlap;
pub(crate) mod energy_guard;
pub(crate) mod ledger;
pub(crate) mod old;
pub(crate) mod readout;
pub(crate) mod renumber;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod time_step;
pub(crate) mod wall_forces;
pub(crate) mod with_walls;

pub use self::energy_guard::EnergyGuard;
pub use self::ledger::Ledger;
pub use self::time_step::{STEPS_PER_CONTACT, contact_time};

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::error::DemError;
use crate::error::parameter::finite;
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::ledger::WorkBook;
use crate::force::old::buffers::Buffers;
use crate::force::old::kernel::{DAMPED, ELASTIC, SPLIT, TANGENTIAL};
use crate::force::old::pair_memory::PairMemory;
use crate::force::wall_forces::history::WallHistory;
use crate::force::wall_forces::{Motion, WallForces};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::law::material::law_table::LawTable;
use crate::law::tangential::lever_arm::LeverArm;
use crate::neighbor::NeighborList;
use crate::neighbor::list_kind::ListKind;
use crate::parallel::fork_join::all_blocks;

/// Forces and torques between touching bodies, and between bodies and walls.
///
/// As a [`Potential`] it is the elastic energy; damping and tangential forces are in the forces only. Results have the
/// same bits for any number of threads. Fixed bodies touch neither each other nor walls. With the feature `serde` it can be stored and restored: a run that is stopped,
/// stored with its state, restored and continued has the bits of one that was not stopped.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::force::restart::Parts<L, T, T::History>",
        into = "crate::force::restart::Parts<L, T, T::History>",
        bound(
            serialize = "L: ContactLaw + Clone + serde::Serialize, T: Clone + serde::Serialize, T::History: serde::Serialize",
            deserialize = "L: ContactLaw + serde::de::DeserializeOwned, T: serde::de::DeserializeOwned, T::History: serde::de::DeserializeOwned"
        )
    )
)]
pub struct ContactForce<L, T: TangentialLaw> {
    pub(crate) list: NeighborList,
    pub(crate) laws: LawAssignment<L, T>,
    pub(crate) walls: WallForces<T::History>,
    pub(crate) memory: PairMemory<T::History>,
    pub(crate) work: Option<WorkBook>,
    pub(crate) places: Buffers,
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Contacts of the pairs in `list` with a normal and a tangential law.
    #[must_use]
    pub fn new(list: NeighborList, law: L, tangential: T) -> Self {
        Self::with_laws(list, LawAssignment::uniform(law, tangential))
    }

    /// Contacts of the pairs in `list` with laws by the materials of the bodies, one material for each of them. Walls are of
    /// material 0 unless [`with_wall_materials`](Self::with_wall_materials) says otherwise.
    ///
    /// # Errors
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial) or [`LawError::MixedLevers`](crate::error::LawError::MixedLevers).
    pub fn by_material(
        list: NeighborList,
        laws: LawTable<L, T>,
        materials: impl IntoIterator<Item = u16>,
    ) -> Result<Self, DemError> {
        let laws = LawAssignment { pairs: laws, of_body: materials.into_iter().collect(), of_wall: Vec::new() };
        Ok(Self::with_laws(list, laws.checked()?))
    }

    /// The same with these materials of the walls, wall by wall; walls beyond are of material 0.
    ///
    /// # Errors
    /// [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial).
    pub fn with_wall_materials(mut self, materials: impl IntoIterator<Item = u16>) -> Result<Self, DemError> {
        self.laws.of_wall = materials.into_iter().collect();
        self.laws.check()?;
        Ok(self)
    }

    fn with_laws(list: NeighborList, laws: LawAssignment<L, T>) -> Self {
        Self {
            list,
            laws,
            walls: WallForces::new(Vec::new(), WallHistory { entries: Vec::new() }),
            memory: PairMemory::new(Vec::new()),
            work: None,
            places: Buffers::default(),
        }
    }

    /// The same with the work of damping and walls recorded from now on, for [`Ledger`](crate::force::ledger::Ledger).
    ///
    /// Opened in the course of a run, it misses the first half step's work of the contacts that there are.
    #[must_use]
    pub fn with_ledger(self) -> Self {
        Self { work: Some(WorkBook::default()), ..self }
    }

    /// The neighbour list.
    #[must_use]
    pub fn list(&self) -> &NeighborList {
        &self.list
    }

    /// The normal law, of material 0 with itself.
    #[must_use]
    pub fn law(&self) -> &L {
        &self.laws.first().0
    }

    /// The tangential law, of material 0 with itself.
    #[must_use]
    pub fn tangential(&self) -> &T {
        &self.laws.first().1
    }

    /// The laws by pair of materials.
    #[must_use]
    pub fn laws(&self) -> &LawTable<L, T> {
        &self.laws.pairs
    }

    /// What the forces depend on.
    fn mode(&self) -> u8 {
        match (self.laws.dissipate(), self.laws.are_tangential()) {
            (true, _) if self.work.is_some() => SPLIT,
            (true, true) => TANGENTIAL,
            // Contacts one by one know no other mode.
            _ if self.one_by_one() => TANGENTIAL,
            (true, false) => DAMPED,
            (false, _) => ELASTIC,
        }
    }

    /// Whether contacts differ in more than bodies and motion: by their material, by what they remember, or in what they
    /// resist.
    pub(crate) fn one_by_one(&self) -> bool {
        let remember = size_of::<T::History>() > 0 && self.laws.are_tangential();
        let unusual = |_: &L, law: &T| law.resists_rolling() || law.lever() != LeverArm::ContactPoint;
        remember || !self.laws.is_uniform() || self.laws.any(unusual)
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        let len = bodies.len();
        state.check_columns(bodies)?;
        self.laws.check_bodies(len)?;
        out.check_length(len)?;
        finite("the time since the committed state", elapsed)?;
        if self.list.fixed() != bodies.fixed() {
            self.memory.carry(&self.list);
            self.list.set_fixed(bodies.fixed().into());
        }
        self.list.use_form(if self.one_by_one() { ListKind::Half } else { ListKind::Full });
        let (mode, equal) = (self.mode(), bodies.radius().uniform().is_some());
        // Forces that nothing was added to yet can be written as they come, and made zero again should one be wrong.
        let fresh = out.force.is_untouched() && out.torque.is_untouched() && mode != SPLIT;
        let outcome = self.pair_forces(mode, (elapsed, equal), (bodies, state), fresh.then_some(&mut *out));
        let outcome = outcome.and_then(|()| self.wall_forces(bodies, state, elapsed));
        if let Err(error) = outcome {
            if fresh {
                out.clear();
            }
            return Err(error);
        }
        if !fresh {
            self.scatter(mode, out);
        }
        self.push_from_walls(mode, out);
        self.record(mode, bodies, state, elapsed);
        if elapsed.abs() <= 0.0 {
            // The state is the one that everything was committed at.
            self.list.accept();
            self.walls.show_loads();
        }
        Ok(())
    }

    /// Forces between bodies, written to `fresh` or, without it, to the buffers.
    fn pair_forces(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        (bodies, state): (&Bodies, &State),
        mut fresh: Option<&mut Wrenches>,
    ) -> Result<(), DemError> {
        let (radius, position) = (bodies.radius(), state.position());
        self.list.keep_inside(self.walls.stand_once());
        let mut before_build = |list: &NeighborList| {
            self.places.give_up();
            self.memory.carry(list);
        };
        self.list.restore(radius, position, &mut before_build)?;
        let mut read = false;
        if let Some(out) = fresh.as_deref_mut() {
            read = self.can_write_while_reading();
            if read && let Some(outcome) = self.write_while_reading(mode, (elapsed, equal), (bodies, state), out) {
                return outcome;
            }
            out.clear();
        }
        let Self { list, memory, places, .. } = self;
        let mut before_build = |list: &NeighborList| {
            places.give_up();
            memory.carry(list);
        };
        if read {
            list.replace(radius, position, &mut before_build)?;
        } else {
            list.follow(radius, position, &mut before_build)?;
        }
        if self.one_by_one() {
            self.list.watch();
            self.places.exchange.follow(&self.list);
            self.memory.follow(&self.list, &self.places.exchange);
        } else {
            self.gather(mode, bodies, state);
        }
        match fresh {
            Some(out) => self.write_forces(mode, (elapsed, equal), (bodies, state), out),
            None => self.all_forces(mode, (elapsed, equal), (bodies, state)),
        }
    }

    /// Velocities, masses and spins in the order of the list, as far as they are needed.
    pub(crate) fn gather(&mut self, mode: u8, bodies: &Bodies, state: &State) {
        let len = bodies.len();
        let Buffers { velocity, spin, .. } = &mut self.places;
        for (buffer, wanted) in [(&mut *velocity, mode >= DAMPED), (&mut *spin, mode >= TANGENTIAL)] {
            buffer.resize(if wanted { len } else { 0 }, [0.0; 4]);
        }
        if mode == ELASTIC {
            return;
        }
        let order = self.list.order();
        all_blocks(len, (&mut velocity[..], &mut spin[..]), &|first, count, (velocity, spin)| {
            let places = &order[first..first + count];
            for (row, &i) in velocity.iter_mut().zip(places) {
                let i = i as usize;
                let v = state.velocity().get(i);
                *row = [v.x, v.y, v.z, bodies.inverse_mass()[i]];
            }
            for (row, &i) in spin.iter_mut().zip(places) {
                let w = state.spin(bodies, i as usize);
                *row = [w.x, w.y, w.z, 0.0];
            }
            true
        });
    }

    fn wall_forces(&mut self, bodies: &Bodies, state: &State, elapsed: f64) -> Result<(), DemError> {
        let motion = if self.one_by_one() {
            Motion::Of { bodies, state, order: self.list.order() }
        } else {
            Motion::Apart { velocity: &self.places.velocity, spin: &self.places.spin }
        };
        self.walls.accumulate(&self.laws, &self.list, (state.time(), elapsed), &motion)
    }

    /// Adds what the walls exert.
    fn push_from_walls(&mut self, mode: u8, out: &mut Wrenches) {
        let sums = &mut self.places.sums;
        for push in &self.walls.pushes {
            let place = push.place as usize;
            let body = self.list.order()[place] as usize;
            out.force.add(body, push.force);
            if mode >= TANGENTIAL {
                out.torque.add(body, push.torque);
            }
            if mode >= SPLIT {
                for (rows, vector) in [(&mut sums.torque, push.torque), (&mut sums.dissipative, push.dissipative)] {
                    (0..3).for_each(|c| rows[place][c] += vector[c]);
                }
            }
        }
    }

    fn record(&mut self, mode: u8, bodies: &Bodies, state: &State, elapsed: f64) {
        let Some(book) = &mut self.work else { return };
        let (rank, sums, walls) = (self.list.rank(), &self.places.sums, &self.walls);
        let vector = |row: &[f64; 4]| DVec3::new(row[0], row[1], row[2]);
        let wrench = |i: usize| {
            if mode < SPLIT {
                return [DVec3::ZERO; 2];
            }
            let place = rank[i] as usize;
            [vector(&sums.dissipative[place]), vector(&sums.torque[place])]
        };
        book.record(bodies, state, elapsed, wrench, &walls.powers);
    }

    /// The error for the pair with the largest overlap in terms of the smaller radius.
    pub(crate) fn deepest_pair(&self) -> DemError {
        let (packed, shifts) = (self.list.packed(), self.list.shifts());
        let mut deepest = DeepestOverlap::new();
        self.list.each_entry(&mut |a, b, code| {
            let (p, q, shift) = (packed[a], packed[b], shifts[code]);
            let square: f64 = (0..3).map(|c| ((q[c] - p[c]) + shift[c]).powi(2)).sum();
            let (overlap, radius) = (p[3] + q[3] - square.sqrt(), p[3].min(q[3]));
            if a < b {
                deepest.offer_pair([a, b].map(|place| self.list.order()[place] as usize), overlap, radius);
            }
        });
        deepest.into_error()
    }
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Commits all but the work done, which not every integrator records.
    pub(crate) fn commit_without_work(&mut self) {
        self.list.accept();
        self.memory.commit();
        self.walls.commit();
    }
}

impl<L: ContactLaw, T: TangentialLaw> ForceField for ContactForce<L, T> {
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
}

impl<L: ContactLaw, T: TangentialLaw> Potential for ContactForce<L, T> {
    /// The elastic energy at `state` in J; NaN where [`ContactForce::elastic_energy`] fails.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.elastic_energy(bodies, state).unwrap_or(f64::NAN)
    }
}
