//! Contact forces by tiles.
//!
//! [`TileForce`] evaluates pairs of spheres on tiles, boxes of space: one parallel loop, in which each tile
//! sums the forces on its own spheres. `kernel` is the contact loop over batches of pairs, with the stages `touching`,
//! `kinematics`, `laws` and `loads`; `batch` is the layout of a batch, `scene` what all tiles read and `sums` what they write. `pair_history` keeps
//! the histories of a tile, `carried` takes them to the next list.
//!
//! A friction spring grows by the slip in the middle of each step, see `kinematics`.

pub(crate) mod batch;
pub(crate) mod carried;
pub(crate) mod kernel;
pub(crate) mod kinematics;
pub(crate) mod laws;
pub(crate) mod loads;
pub(crate) mod pair_history;
pub(crate) mod scene;
pub(crate) mod sums;
pub(crate) mod touching;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, State, Wrenches};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::error::parameter::{finite, positive};
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::tiles::carried::{Carried, CarriedHistory};
use crate::force::tiles::kernel::TileWork;
use crate::force::tiles::pair_history::TileHistory;
use crate::force::tiles::scene::{Motion, Needs, Spheres};
use crate::force::tiles::sums::{Row, Sums};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::law::material::law_table::LawTable;
use crate::neighbor::domain::Domain;
use crate::neighbor::image_shift::{INDEX_MASK, shifts};
use crate::neighbor::tiles::gather::ListLimits;
use crate::neighbor::tiles::{ListInput, Tiling};
use crate::parallel::tiles::for_each_tile;

/// Forces and torques between touching spheres, evaluated by tiles.
///
/// Results have the same bits for any number of threads, and for any numbering of the spheres with the same ids.
/// Walls, readings, a ledger and restarts are not here yet: use [`ContactForce`](crate::force::ContactForce) for them.
#[derive(Debug, Clone)]
pub struct TileForce<L, T: TangentialLaw> {
    domain: Domain,
    /// In m.
    skin: f64,
    laws: LawAssignment<L, T>,
    /// By number; empty if ids are numbers.
    ids: Vec<u32>,
    fixed: Box<[usize]>,
    /// The list of the last accepted state, and one for a trial state that it does not hold for.
    accepted: Option<Listed<T::History>>,
    trial: Option<Listed<T::History>>,
    builds: u64,
    /// By place: centres and radii (m), and motions.
    position: Vec<[f64; 4]>,
    motion: Vec<Motion>,
    /// By place: forces and torques of the last evaluation.
    sums: Sums<Vec<Row>>,
}

/// A list, and the histories of its pairs by tile.
#[derive(Debug, Clone)]
struct Listed<M> {
    tiling: Tiling,
    histories: Vec<TileHistory<M>>,
}

impl<L: ContactLaw, T: TangentialLaw> TileForce<L, T> {
    /// Contacts in `domain` with a normal and a tangential law. Pairs are listed up to a gap of `skin` (m).
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64, law: L, tangential: T) -> Result<Self, DemError> {
        Self::with_laws(domain, skin, LawAssignment::uniform(law, tangential))
    }

    /// Contacts with laws by the materials of the spheres, one material for each.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive, and the errors of
    /// [`ContactForce::by_material`](crate::force::ContactForce::by_material).
    pub fn by_material(
        domain: Domain,
        skin: f64,
        laws: LawTable<L, T>,
        materials: impl IntoIterator<Item = u16>,
    ) -> Result<Self, DemError> {
        let laws = LawAssignment { pairs: laws, of_body: materials.into_iter().collect(), of_wall: Vec::new() };
        Self::with_laws(domain, skin, laws.checked()?)
    }

    fn with_laws(domain: Domain, skin: f64, laws: LawAssignment<L, T>) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            skin: positive("the skin", skin)?,
            laws,
            ids: Vec::new(),
            fixed: Box::default(),
            accepted: None,
            trial: None,
            builds: 0,
            position: Vec::new(),
            motion: Vec::new(),
            sums: Sums::default(),
        })
    }

    /// The same contacts with these ids of the spheres, by number. Without, ids are numbers.
    ///
    /// An id decides from which side a pair is seen and in which order forces are summed. It never changes, whatever
    /// the number of its sphere.
    #[must_use]
    pub fn with_ids(self, ids: impl IntoIterator<Item = u32>) -> Self {
        Self { ids: ids.into_iter().collect(), ..self }
    }

    /// How often a list was made.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// The list and histories that the last evaluation used.
    fn listed(&self) -> Option<&Listed<T::History>> {
        self.trial.as_ref().or(self.accepted.as_ref())
    }

    /// Whether forces depend on velocities.
    fn depend_on_motion(&self) -> bool {
        self.laws.dissipate()
    }

    /// Adds the forces (N) and torques (N m) at `state` to `out`.
    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        state.check_columns(bodies)?;
        self.laws.check_bodies(bodies.len())?;
        out.check_length(bodies.len())?;
        finite("the time since the committed state", elapsed)?;
        self.trial = None;
        if self.accepted.as_ref().is_some_and(|listed| listed.tiling.len() != bodies.len()) {
            self.accepted = None;
        }
        self.follow(bodies, state)?;
        self.read_motion(bodies, state);
        self.sum_pairs(bodies, elapsed)?;
        self.scatter(out);
        if elapsed.abs() <= 0.0 {
            // This is the committed state itself.
            self.accept();
        }
        Ok(())
    }

    /// Reads present centres, and makes a trial list if the accepted one does not hold for them.
    fn follow(&mut self, bodies: &Bodies, state: &State) -> Result<(), DemError> {
        let limits = ListLimits { domain: &self.domain, skin: self.skin, keeps_inside: false };
        let (radius, position) = (bodies.radius(), state.position());
        let same_fixed = *self.fixed == *bodies.fixed();
        let holds = |listed: &Listed<T::History>| listed.tiling.gather(&limits, radius, position, &mut self.position);
        if same_fixed && self.accepted.as_ref().is_some_and(holds) {
            return Ok(());
        }
        self.check_centres(bodies, state)?;
        let mut is_fixed = vec![false; if bodies.fixed().is_empty() { 0 } else { bodies.len() }];
        bodies.fixed().iter().for_each(|&body| is_fixed[body] = true);
        let numbers: Vec<u32>;
        let ids = if self.ids.is_empty() {
            numbers = (0..bodies.len() as u32).collect();
            &numbers
        } else {
            &self.ids
        };
        let input = ListInput { domain: &self.domain, skin: self.skin, ids, is_fixed: &is_fixed };
        let tiling = Tiling::new(&input, radius, &|number| self.domain.inside(position.get(number)).to_array());
        let committed = self.accepted.as_ref().map(|listed| listed.committed()).unwrap_or_default();
        let histories = Carried::of(&committed, bodies.len()).distribute(&tiling);
        self.position.resize(bodies.len(), [0.0; 4]);
        self.position.copy_from_slice(tiling.reference());
        self.trial = Some(Listed { tiling, histories });
        self.fixed = bodies.fixed().into();
        self.builds += 1;
        Ok(())
    }

    /// Checks that a list can be made for these centres.
    fn check_centres(&self, bodies: &Bodies, state: &State) -> Result<(), DemError> {
        let len = bodies.len();
        if len > INDEX_MASK as usize {
            return Err(DemError::List(ListError::TooManyBodies { bodies: len, limit: INDEX_MASK as usize }));
        }
        if !self.ids.is_empty() && self.ids.len() != len {
            return Err(DemError::LengthMismatch { what: "ids", expected: len, found: self.ids.len() });
        }
        let largest = bodies.radius().iter().copied().fold(0.0, f64::max);
        self.domain.check_cutoff(2.0 * largest + self.skin)?;
        state.position().iter().enumerate().try_for_each(|(body, centre)| self.domain.check_position(body, centre))
    }

    /// Reads velocities, masses and spins by place, as far as forces depend on them.
    fn read_motion(&mut self, bodies: &Bodies, state: &State) {
        let moves = self.depend_on_motion();
        let Some(listed) = self.trial.as_ref().or(self.accepted.as_ref()) else { return };
        self.motion.resize(if moves { bodies.len() } else { 0 }, Motion::default());
        let order = listed.tiling.order();
        let mut slices = listed.slices(&mut self.motion);
        let ([vx, vy, vz], inverse_mass) = (state.velocity().slices(), bodies.inverse_mass());
        let ([lx, ly, lz], inverse_inertia) = (state.angular_momentum().slices(), bodies.inverse_inertia().spherical());
        for_each_tile(&mut slices, &|tile, motion| {
            let first = listed.tiling.tiles()[tile].places.start;
            for (row, &number) in motion.iter_mut().zip(&order[first..]) {
                let i = number as usize;
                row.velocity = [vx[i], vy[i], vz[i], inverse_mass[i]];
                row.spin = match inverse_inertia {
                    Some(inverse) => [lx[i] * inverse[i], ly[i] * inverse[i], lz[i] * inverse[i], 0.0],
                    None => {
                        let spin = state.spin(bodies, i);
                        [spin.x, spin.y, spin.z, 0.0]
                    }
                };
            }
        });
    }

    /// Sums the forces of all pairs, by place.
    fn sum_pairs(&mut self, bodies: &Bodies, elapsed: f64) -> Result<(), DemError> {
        self.sums.resize(bodies.len(), self.depend_on_motion(), false);
        let Some(Listed { tiling, histories }) = self.trial.as_mut().or(self.accepted.as_mut()) else { return Ok(()) };
        let needs = Needs::of(&self.laws, bodies.radius().uniform(), elapsed);
        let shifts = shifts(self.domain.periods());
        let spheres =
            Spheres { order: tiling.order(), position: &self.position, motion: &self.motion, shifts: &shifts };
        let mut rest = self.sums.as_parts();
        let mut works = Vec::with_capacity(histories.len());
        for (tile, history) in tiling.tiles().iter().zip(histories) {
            let (places, pairs) = (tile.places.clone(), &tile.pairs[..]);
            let sums = rest.split_off_front(places.len());
            works.push(TileWork { places, pairs, history, sums, is_too_deep: false });
        }
        for_each_tile(&mut works, &|_, work| kernel::evaluate(&self.laws, &spheres, &needs, work));
        let is_too_deep = works.iter().any(|work| work.is_too_deep);
        if is_too_deep { Err(self.deepest_pair()) } else { Ok(()) }
    }

    /// The error for the deepest pair.
    fn deepest_pair(&self) -> DemError {
        let (mut deepest, shifts) = (DeepestOverlap::new(), shifts(self.domain.periods()));
        let Some(Listed { tiling, .. }) = self.listed() else { return deepest.into_error() };
        for pair in tiling.tiles().iter().flat_map(|tile| &tile.pairs) {
            let [a, b] = pair.places();
            let (p, q, shift) = (self.position[a], self.position[b], shifts[pair.code()]);
            let separation = DVec3::from_array(std::array::from_fn(|c| (q[c] - p[c]) + shift[c]));
            let bodies = [a, b].map(|place| tiling.order()[place] as usize);
            deepest.offer_pair(bodies, p[3] + q[3] - separation.length(), p[3].min(q[3]));
        }
        deepest.into_error()
    }

    /// Adds the sums by place to the wrenches of the bodies.
    fn scatter(&self, out: &mut Wrenches) {
        let Some(listed) = self.listed() else { return };
        let place = listed.tiling.place();
        for (column, sums) in [(&mut out.force, &self.sums.force), (&mut out.torque, &self.sums.torque)] {
            if sums.is_empty() {
                continue;
            }
            let [x, y, z] = column.slices_mut();
            for (((x, y), z), &place) in x.iter_mut().zip(y).zip(z).zip(place) {
                let sum = sums[place as usize];
                (*x, *y, *z) = (*x + sum[0], *y + sum[1], *z + sum[2]);
            }
        }
    }

    fn accept(&mut self) {
        if let Some(trial) = self.trial.take() {
            self.accepted = Some(trial);
        }
    }
}

impl<M: crate::law::contact_history::ContactHistory> Listed<M> {
    /// The committed histories of all pairs.
    fn committed(&self) -> Vec<CarriedHistory<M>> {
        Carried::collect(&self.tiling, &self.histories)
    }

    /// A column by place, cut into those of the tiles.
    fn slices<'a, V>(&self, column: &'a mut [V]) -> Vec<&'a mut [V]> {
        let mut rest = column;
        let mut slices = Vec::with_capacity(self.tiling.tiles().len());
        for tile in self.tiling.tiles() {
            let (own, later) = rest.split_at_mut(tile.places.len().min(rest.len()));
            slices.push(own);
            rest = later;
        }
        slices
    }
}

impl<L: ContactLaw, T: TangentialLaw> ForceField for TileForce<L, T> {
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
        self.accept();
        if let Some(listed) = &mut self.accepted {
            listed.histories.iter_mut().for_each(TileHistory::commit);
        }
    }
}

#[cfg(test)]
mod tests;
