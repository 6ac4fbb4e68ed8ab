//! Contacts of a subdomain: each rank evaluates its own tiles, with the same bits as a run on one rank.

use rrp_integrate::{Bodies, State, VectorColumn};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::all_histories::AllHistories;
use crate::force::box_load::{BoxLoad, BoxLoadParts, BoxLoads};
use crate::force::box_servo::BoxDrive;
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::wall_sums::WallSums;
use crate::force::work::WorkBook;
use crate::force::work_record::WorkRecord;
use crate::neighbor::{Decomposition, DisplacementBounds, Domain, Subdomain};
use crate::wall::Servo;

/// Largest displacements in m of the bodies of one rank since the neighbour list was made and since the last reading of
/// centres. The largest values of all ranks decide whether the list holds, see [`ContactForce::free_travel`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListTravel {
    /// Largest distance in m of a centre from its position when the list was made; infinite if it is not known.
    pub displacement: f64,
    /// Largest distance in m of a centre from its position at the previous reading of centres; infinite if it is not
    /// known.
    pub step: f64,
}

/// Loads that the bodies of some tiles (boxes of space) exert on walls. The sum over the tiles of all ranks is exact,
/// so it does not depend on which rank owns which tile.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WallLoadsOfTiles(Vec<Vec<WallSums>>);

impl WallLoadsOfTiles {
    /// Adds the loads that the bodies of other tiles (boxes of space) exert on walls.
    pub fn join(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl ContactForce {
    /// Divides all bodies, with these centres (m), into the tiles (boxes of space) of the list that a step would make
    /// for them. `self` has the contacts of all bodies; `domain` is the domain of the list at the time of the centres,
    /// from [`Domain::at`].
    ///
    /// # Errors
    /// As [`NeighborList::update`](crate::neighbor::NeighborList::update).
    pub fn decompose(
        &mut self,
        bodies: &Bodies,
        centre: &VectorColumn,
        domain: Domain,
    ) -> Result<Decomposition, DemError> {
        self.setup.laws.check_bodies(bodies.len())?;
        self.setup.note_radii(bodies);
        self.setup.largest_radius = bodies.radius().iter().fold(0.0, |largest, &radius| f64::max(largest, radius));
        self.describe_bodies(bodies);
        self.list.set_range(self.setup.range(bodies));
        self.list.decompose(bodies.radius(), centre, domain)
    }

    /// Makes the contacts of a subdomain, the tiles (boxes of space) of one rank. Laws, walls and spins of fixed bodies
    /// are those of `self`, the contacts of all bodies. From `histories` the result takes the histories of pairs within
    /// the subdomain, ghosts included, and those of wall contacts of own bodies; from `work` the forces on own bodies.
    /// The arguments number bodies among all bodies; the result numbers them within the subdomain.
    ///
    /// [Read](Self::read_centres) the bodies of the subdomain, then evaluate them with wrenches for own bodies. The
    /// wrenches have the same bits as in an evaluation of all bodies; only own bodies load walls. If a ledger is kept,
    /// work is recorded for the ledger of all bodies: see [`take_work_record`](Self::take_work_record).
    ///
    /// # Errors
    /// As [`with_histories`](Self::with_histories).
    pub fn on_subdomain(
        &self,
        subdomain: Subdomain,
        mut histories: AllHistories,
        mut work: WorkRecord,
    ) -> Result<Self, DemError> {
        let own = subdomain.own().end;
        let mut numbers: Vec<(u32, usize)> = subdomain.bodies.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let number = |body: usize| {
            let found = numbers.binary_search_by_key(&body, |&(number, _)| number as usize);
            found.ok().map(|at| numbers[at].1)
        };
        histories.renumber_bodies(number);
        // Contacts between a ghost and walls are evaluated by the rank that owns the ghost.
        histories.walls = histories.walls.filtered(|key| (key.body as usize) < own);
        work.renumber_bodies(|body| number(body).filter(|&body| body < own));
        // Take the properties of all bodies from `self`: a subdomain may have no bodies, or bodies of one size.
        let setup = self.setup.of_bodies(&subdomain.bodies, number);
        let list = self.list.of_subdomain(subdomain);
        let walls = WallForces::new(self.walls.walls.clone());
        let bodies = list.len();
        let work = self.work.as_ref().map(|_| WorkBook::of_subdomain(bodies, work));
        let box_loads = BoxLoads { is_watched: self.box_loads.is_watched, ..BoxLoads::default() };
        Self { walls, work, box_loads, ..Self::with_setup(list, setup) }.with_histories(histories, bodies)
    }

    /// Takes the recorded work out of the contacts of one rank, for the ledger of all bodies. The recorded forces on
    /// own bodies are in the result and also stay here. The result is empty without a ledger.
    #[must_use]
    pub fn take_work_record(&mut self) -> WorkRecord {
        let bodies = self.list.own_bodies(usize::MAX);
        self.work.as_mut().map_or_else(WorkRecord::default, |book| book.take_record(bodies))
    }

    /// Discards the work that one rank recorded in the last evaluation, at the state `elapsed` (s) after the accepted
    /// one. Call this method if the evaluation is rejected or has failed.
    pub fn forget_work(&mut self, elapsed: f64) {
        if let Some(book) = &mut self.work {
            book.log.forget(elapsed);
        }
    }

    /// Adds the work `records` of all ranks to the ledger of `self`, the contacts of all bodies, `bodies` in number.
    /// Does nothing without a ledger.
    pub fn add_work_of(&mut self, records: &[WorkRecord], bodies: usize) {
        let walls = self.walls.walls.len();
        let is_hysteretic = self.setup.laws.are_hysteretic();
        if let Some(book) = &mut self.work {
            book.replay([bodies, walls], is_hysteretic, self.box_loads.committed, records);
        }
    }

    /// Sets the neighbour list of `self`, the contacts of all bodies, to the list that is made for these centres (m),
    /// by body number, wrapped into `domain`. With the centres for which the ranks made their lists, a restart on one
    /// rank has the same bits.
    #[must_use]
    pub fn with_list_made_for(mut self, centres: &VectorColumn, domain: Domain) -> Self {
        self.setup.largest_radius = 0.0;
        Self { list: self.list.made_for(centres, domain), ..self }
    }

    /// Exact sums from which the load of a periodic box at the last evaluated state is computed. `None` before the
    /// first evaluation, and unless the box deforms or is [watched](Self::watching_box).
    #[must_use]
    pub fn box_load_parts(&self) -> Option<&BoxLoadParts> {
        self.box_loads.parts.as_ref()
    }

    /// Sets the deformation of the box in the next step, as [`steer_box`](Self::steer_box) does, in `self`, the
    /// contacts of one rank, from the load `all` that the bodies of all ranks exert on the box. Before the first step
    /// of a restart `all` is `None`, and the load at the accepted state of `whole`, the contacts of all bodies, is
    /// used.
    ///
    /// # Errors
    /// As [`steer_box`](Self::steer_box).
    pub fn steer_box_by(
        &mut self,
        all: Option<&BoxLoadParts>,
        whole: &Self,
        drive: &mut BoxDrive,
        time: f64,
    ) -> Result<(), DemError> {
        let load = all.map_or(whole.box_loads.committed, |all| BoxLoad::new(&self.list.current.domain, all));
        self.steer_box_under(Some(load.stress), drive, time)
    }

    /// Gives the neighbour list of `self`, the contacts of all bodies, the domain of `subdomain`, the contacts of one
    /// rank, which [`steer_box_by`](Self::steer_box_by) has steered, so that a list that is made later is for the same
    /// box.
    pub fn follow_box(&mut self, subdomain: &Self) {
        self.list.set_domain(*subdomain.list.domain());
    }

    /// Sets the load on the box at the last accepted state in `self`, the contacts of all bodies. The load is computed
    /// from the exact sums `all` over the bodies of all ranks, in the domain of `subdomain`, the contacts of one rank.
    pub fn take_box_load(&mut self, subdomain: &Self, all: &BoxLoadParts) {
        let load = BoxLoad::new(&subdomain.list.current.domain, all);
        self.box_loads = BoxLoads::at(self.box_loads.is_watched, load);
    }

    /// Load on each wall by the bodies of each tile (box of space), in the last evaluation.
    #[must_use]
    pub fn wall_loads_of_tiles(&self) -> WallLoadsOfTiles {
        WallLoadsOfTiles(self.walls.of_tiles.clone())
    }

    /// Lets a servo set the motion of one wall in the next step of `dt` (s) from `time` (s) on, as
    /// [`steer`](Self::steer) does, from the sum of `loads`, which have the tiles of all ranks. If `loads` is empty, as
    /// at a restart, the load on the wall that `self` stores is used.
    ///
    /// # Errors
    /// As [`steer`](Self::steer).
    pub fn steer_by(
        &mut self,
        loads: &WallLoadsOfTiles,
        wall: usize,
        servo: &Servo,
        [time, dt]: [f64; 2],
    ) -> Result<(), DemError> {
        self.check_number(wall)?;
        let known = self.walls.loads[wall];
        let tiles = loads.0.iter().filter_map(|tile| tile.get(wall));
        let load = if loads.0.is_empty() { known } else { WallSums::sum(tiles).load };
        self.walls.steer(wall, servo, &load, time, dt)
    }

    /// Sets the loads on walls at the last accepted state to the sums of `all`, which has the tiles of all ranks; keeps
    /// the present loads if `all` is empty.
    #[must_use]
    pub fn with_wall_loads(mut self, all: WallLoadsOfTiles) -> Self {
        // Before the first evaluation there are no loads of tiles; the stored loads are kept.
        if !all.0.is_empty() {
            self.walls.sum_loads(all.0);
            self.walls.commit();
        }
        self
    }

    /// Makes empty histories with the laws and the loads on walls of these contacts, to which the histories of all
    /// ranks are [joined](AllHistories::join).
    #[must_use]
    pub fn no_histories(&self) -> AllHistories {
        AllHistories {
            loads: self.walls.loads.clone(),
            ..AllHistories::none(self.setup.laws.records(), 0, self.setup.radii_differ)
        }
    }

    /// Reads the centres of the bodies of one rank for the next call of
    /// [`accumulate`](rrp_integrate::ForceField::accumulate), and returns the largest displacements of the bodies. The
    /// call must be given the same state, since it does not read the centres again.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] or
    /// [`IntegrateError::LengthMismatch`](rrp_integrate::IntegrateError::LengthMismatch) for other bodies.
    pub fn read_centres(&mut self, bodies: &Bodies, state: &State) -> Result<ListTravel, DemError> {
        state.check_columns(bodies)?;
        let expected = self.list.len();
        let found = bodies.len();
        if expected != found {
            return Err(DemError::LengthMismatch { what: "bodies of a subdomain", expected, found });
        }
        self.list.set_time(state.time())?;
        let travel = self.list.read(bodies.radius(), state.position());
        let unknown = ListTravel { displacement: f64::INFINITY, step: f64::INFINITY };
        Ok(travel.map_or(unknown, |travel| ListTravel { displacement: travel.displacement, step: travel.step }))
    }

    /// Largest displacement in m of a centre, since the neighbour list was made, up to which the list has all contacts.
    #[must_use]
    pub fn free_travel(&self) -> f64 {
        self.list.free_travel()
    }

    /// Bounds on the displacements of the bodies of one rank since the neighbour list was made.
    #[must_use]
    pub fn displacement_bounds(&self) -> DisplacementBounds {
        self.list.displacement_bounds()
    }

    /// Distance in m that each centre can still travel while the neighbour list has all contacts, from bounds `all` on
    /// the displacements of the bodies of all ranks since the list was made, the largest of which is `displacement`
    /// (m). `None` if the list may lack contacts already.
    #[must_use]
    pub fn spare_travel(&self, all: &DisplacementBounds, displacement: f64) -> Option<f64> {
        self.list.spare_travel(all, displacement)
    }
}
