//! Forces of contacts as a force field.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::buffers::Buffers;
use crate::exchange::Exchange;
use crate::kernel::{self, DAMPED, ELASTIC, Output, SPLIT, Scene, TANGENTIAL};
use crate::laws::Laws;
use crate::ledger::WorkBook;
use crate::moving::Moving;
use crate::pair_memory::{Memories, PairMemory, Remembered};
use crate::par::{BLOCK, PerBlock, all_blocks, both, is_parallel};
use crate::touching;
use crate::wall_contacts::{Motion, WallContacts, WallMemory};
use crate::{ContactLaw, DemError, Lever, NeighborList, PairLaws, TangentialLaw};

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
        try_from = "crate::restart::Parts<L, T, T::Memory>",
        into = "crate::restart::Parts<L, T, T::Memory>",
        bound(
            serialize = "L: ContactLaw + Clone + serde::Serialize, T: Clone + serde::Serialize, T::Memory: serde::Serialize",
            deserialize = "L: ContactLaw + serde::de::DeserializeOwned, T: serde::de::DeserializeOwned, T::Memory: serde::de::DeserializeOwned"
        )
    )
)]
pub struct ContactForce<L, T: TangentialLaw> {
    pub(crate) list: NeighborList,
    pub(crate) laws: Laws<L, T>,
    pub(crate) walls: WallContacts<T::Memory>,
    pub(crate) memory: PairMemory<T::Memory>,
    pub(crate) work: Option<WorkBook>,
    pub(crate) places: Buffers,
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Contacts of the pairs in `list` with a normal and a tangential law.
    #[must_use]
    pub fn new(list: NeighborList, law: L, tangential: T) -> Self {
        Self::with_laws(list, Laws::uniform(law, tangential))
    }

    /// Contacts of the pairs in `list` with laws by the materials of the bodies, one material for each of them. Walls are of
    /// material 0 unless [`with_wall_materials`](Self::with_wall_materials) says otherwise.
    ///
    /// # Errors
    /// [`DemError::UnknownMaterial`] or [`DemError::MixedLevers`].
    pub fn by_material(
        list: NeighborList,
        laws: PairLaws<L, T>,
        materials: impl IntoIterator<Item = u16>,
    ) -> Result<Self, DemError> {
        let laws = Laws { pairs: laws, of_body: materials.into_iter().collect(), of_wall: Vec::new() };
        laws.check()?;
        Ok(Self::with_laws(list, laws))
    }

    /// The same with these materials of the walls, wall by wall; walls beyond are of material 0.
    ///
    /// # Errors
    /// [`DemError::UnknownMaterial`].
    pub fn with_wall_materials(mut self, materials: impl IntoIterator<Item = u16>) -> Result<Self, DemError> {
        self.laws.of_wall = materials.into_iter().collect();
        self.laws.check()?;
        Ok(self)
    }

    fn with_laws(list: NeighborList, laws: Laws<L, T>) -> Self {
        Self {
            list,
            laws,
            walls: WallContacts::new(Vec::new(), WallMemory { entries: Vec::new() }),
            memory: PairMemory::new(Vec::new()),
            work: None,
            places: Buffers::default(),
        }
    }

    /// The same with the work of damping and walls recorded from now on, for [`Ledger`](crate::Ledger).
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
    pub fn laws(&self) -> &PairLaws<L, T> {
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
    fn one_by_one(&self) -> bool {
        let remember = size_of::<T::Memory>() > 0 && self.laws.are_tangential();
        let unusual = |_: &L, law: &T| law.resists_rolling() || law.lever() != Lever::ContactPoint;
        remember || !self.laws.is_uniform() || self.laws.any(unusual)
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        let len = bodies.len();
        check_length(bodies, state)?;
        self.laws.check_bodies(len)?;
        if out.len() != len {
            return Err(DemError::LengthMismatch { what: "wrenches", expected: len, found: out.len() });
        }
        if self.list.fixed() != bodies.fixed() {
            self.memory.carry(&self.list);
            self.list.set_fixed(bodies.fixed().into());
        }
        let Self { memory, places, .. } = self;
        self.list.follow(bodies.radius(), state.position(), &mut |list| {
            memory.carry(list);
            places.give_up();
        })?;
        self.memory.follow(&self.list);
        let mode = self.mode();
        if self.one_by_one() {
            self.places.exchange.follow(&self.list);
            self.gather_moving(bodies, state);
        } else {
            self.gather(mode, bodies, state);
        }
        let equal = bodies.radius().uniform().is_some();
        // Forces that nothing was added to yet can be written as they come, and made zero again should one be wrong.
        let fresh = out.force.is_untouched() && out.torque.is_untouched() && mode != SPLIT;
        let outcome = if fresh {
            self.write_forces(mode, (elapsed, equal), out)
        } else {
            self.all_forces(mode, (elapsed, equal))
        };
        let outcome = outcome.and_then(|()| self.wall_forces(state.time(), elapsed));
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
            self.walls.loads.copy_from_slice(&self.walls.pending_loads);
        }
        Ok(())
    }

    /// Velocities, masses and spins in the order of the list, as far as they are needed.
    fn gather(&mut self, mode: u8, bodies: &Bodies, state: &State) {
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

    /// Velocities, masses and spins in the order of the list, side by side.
    fn gather_moving(&mut self, bodies: &Bodies, state: &State) {
        let moving = &mut self.places.moving;
        moving.resize(bodies.len(), Moving::default());
        let (order, inverse_mass, inverse_inertia) =
            (self.list.order(), bodies.inverse_mass(), bodies.inverse_inertia());
        all_blocks(bodies.len(), &mut moving[..], &|first, count, moving| {
            for (row, &i) in moving.iter_mut().zip(&order[first..first + count]) {
                let (k, number) = (i as usize, f64::from(i));
                let (v, moment) = (state.velocity().get(k), inverse_inertia.get(k));
                // As for all spheres, without a call.
                let is_sphere = moment == DVec3::splat(moment.x);
                let w = if is_sphere { state.angular_momentum().get(k) * moment.x } else { state.spin(bodies, k) };
                *row = Moving { velocity: [v.x, v.y, v.z, inverse_mass[k]], spin: [w.x, w.y, w.z, number] };
            }
            true
        });
    }

    /// The sums of all places.
    fn all_forces(&mut self, mode: u8, (elapsed, equal): (f64, bool)) -> Result<(), DemError> {
        let len = self.list.len();
        let one_by_one = self.one_by_one();
        let Self { list, laws, memory, places, .. } = self;
        let Buffers { velocity, spin, moving, exchange, force, torque, dissipative } = places;
        for (buffer, wanted) in [(&mut *force, true), (torque, mode >= TANGENTIAL), (dissipative, mode >= SPLIT)] {
            buffer.resize(if wanted { len } else { 0 }, [0.0; 4]);
        }
        let scene = scene((list, laws), (velocity, spin, moving), (elapsed, equal), one_by_one);
        let (memories, pending) = memory.slots();
        let output = Output { force: &mut force[..], torque: &mut torque[..], dissipative: &mut dissipative[..] };
        let good = sum(mode, &scene, list, 0..len, (memories, pending, exchange), output);
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// The sums of all places, written to the columns of the bodies while they are in the cache.
    fn write_forces(&mut self, mode: u8, (elapsed, equal): (f64, bool), out: &mut Wrenches) -> Result<(), DemError> {
        if self.one_by_one() {
            return self.write_chunks(mode, (elapsed, equal), out);
        }
        let Self { list, laws, places, .. } = self;
        let Buffers { velocity, spin, moving, .. } = &*places;
        let scene = scene((list, laws), (velocity, spin, moving), (elapsed, equal), false);
        let forces = Mutex::new(out.force.overwrite());
        let torques = (mode >= TANGENTIAL).then(|| Mutex::new(out.torque.overwrite()));
        let good = all_blocks(list.len(), (), &|first, count, ()| {
            let (Some(rows), bodies) = (list.rows().get(first / BLOCK), &list.order()[first..first + count]) else {
                return true;
            };
            let sum = |torque: &mut [[f64; 4]]| {
                let mut force = [[0.0; 4]; BLOCK];
                let output = Output { force: &mut force[..count], torque, dissipative: &mut [] };
                let good = kernel::block(mode, &scene, first, rows, output);
                // Each body is written once, so who comes first changes nothing.
                scatter(bodies, &force, &mut forces.lock().unwrap_or_else(PoisonError::into_inner));
                good
            };
            let Some(torques) = &torques else { return sum(&mut []) };
            let mut torque = [[0.0; 4]; BLOCK];
            let good = sum(&mut torque[..count]);
            scatter(bodies, &torque, &mut torques.lock().unwrap_or_else(PoisonError::into_inner));
            good
        });
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// The same chunk by chunk, those of one chunk while the next one is summed: what contacts that are evaluated one by one
    /// do to bodies of later blocks is to wait for them no longer than it must.
    fn write_chunks(&mut self, mode: u8, (elapsed, equal): (f64, bool), out: &mut Wrenches) -> Result<(), DemError> {
        let len = self.list.len();
        let Self { list, laws, memory, places, .. } = self;
        let Buffers { velocity, spin, moving, exchange, force, torque, .. } = places;
        let parallel = is_parallel(len);
        let chunk = if parallel { (len / CHUNKS).max(CHUNKS * BLOCK) } else { BLOCK }.next_multiple_of(BLOCK);
        let chunk = chunk.min(len.next_multiple_of(BLOCK)).max(BLOCK);
        for (buffer, wanted) in [(&mut *force, true), (&mut *torque, mode >= TANGENTIAL)] {
            buffer.resize(if wanted { 2 * chunk } else { 0 }, [0.0; 4]);
        }
        let scene = scene((list, laws), (velocity, spin, moving), (elapsed, equal), true);
        let (memories, mut pending) = memory.slots();
        let mut forces = out.force.overwrite();
        let mut torques = (mode >= TANGENTIAL).then(|| out.torque.overwrite());
        let mut hand_on = |places: Range<usize>, (force, torque): &Sums<'_>| {
            let bodies = &list.order()[places];
            scatter(bodies, force, &mut forces);
            if let Some(torques) = &mut torques {
                scatter(bodies, torque, torques);
            }
        };
        let (force, torque) = (halves(force), halves(torque));
        let (mut summing, mut waiting, mut good) = ((force.0, torque.0), 0..0, true);
        let mut done = (force.1, torque.1);
        for first in (0..len).step_by(chunk) {
            let places = first..(first + chunk).min(len);
            let (mine, rest) = pending.split_at_mut(places.len().div_ceil(BLOCK));
            pending = rest;
            let output = Output { force: &mut *summing.0, torque: &mut *summing.1, dissipative: &mut [] };
            let within = places.clone();
            let sum = || sum(mode, &scene, list, within, (memories, mine, exchange), output);
            good &= both(parallel, || hand_on(waiting, &done), sum);
            (summing, done) = (done, summing);
            waiting = places;
        }
        hand_on(waiting, &done);
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    fn wall_forces(&mut self, time: f64, elapsed: f64) -> Result<(), DemError> {
        let motion = if self.one_by_one() {
            Motion::Together(&self.places.moving)
        } else {
            Motion::Apart { velocity: &self.places.velocity, spin: &self.places.spin }
        };
        self.walls.accumulate(&self.laws, &self.list, (time, elapsed), &motion)
    }

    /// Adds what the walls exert.
    fn push_from_walls(&mut self, mode: u8, out: &mut Wrenches) {
        for push in &self.walls.pushes {
            let place = push.place as usize;
            let body = self.list.order()[place] as usize;
            out.force.add(body, push.force);
            if mode >= TANGENTIAL {
                out.torque.add(body, push.torque);
            }
            if mode >= SPLIT {
                for (rows, vector) in
                    [(&mut self.places.torque, push.torque), (&mut self.places.dissipative, push.dissipative)]
                {
                    (0..3).for_each(|c| rows[place][c] += vector[c]);
                }
            }
        }
    }

    /// Adds the sums to those of the bodies.
    fn scatter(&self, mode: u8, out: &mut Wrenches) {
        let rank = self.list.rank();
        let add = |from: &[[f64; 4]], [x, y, z]: [&mut [f64]; 3]| {
            all_blocks(rank.len(), (x, y, z), &|first, count, (x, y, z)| {
                for (((x, y), z), &place) in x.iter_mut().zip(y).zip(z).zip(&rank[first..first + count]) {
                    let row = from[place as usize];
                    *x += row[0];
                    *y += row[1];
                    *z += row[2];
                }
                true
            });
        };
        add(&self.places.force, out.force.slices_mut());
        if mode >= TANGENTIAL {
            add(&self.places.torque, out.torque.slices_mut());
        }
    }

    fn record(&mut self, mode: u8, bodies: &Bodies, state: &State, elapsed: f64) {
        let Some(book) = &mut self.work else { return };
        let (rank, places, walls) = (self.list.rank(), &self.places, &self.walls);
        let vector = |row: &[f64; 4]| DVec3::new(row[0], row[1], row[2]);
        let wrench = |i: usize| {
            if mode < SPLIT {
                return [DVec3::ZERO; 2];
            }
            let place = rank[i] as usize;
            [vector(&places.dissipative[place]), vector(&places.torque[place])]
        };
        book.record(bodies, state, elapsed, wrench, &walls.powers);
    }

    /// The error for the pair with the largest overlap in terms of the smaller radius.
    fn deepest_pair(&self) -> DemError {
        let (packed, shifts) = (self.list.packed(), self.list.shifts());
        let mut worst = (f64::NEG_INFINITY, DemError::OverlapTooLarge { bodies: [0; 2], overlap: 0.0, radius: 0.0 });
        self.list.each_entry(&mut |a, b, code| {
            let (p, q, shift) = (packed[a], packed[b], shifts[code]);
            let square: f64 = (0..3).map(|c| ((q[c] - p[c]) + shift[c]).powi(2)).sum();
            let (overlap, radius) = (p[3] + q[3] - square.sqrt(), p[3].min(q[3]));
            if a < b && overlap / radius > worst.0 {
                let mut bodies = [a, b].map(|place| self.list.order()[place] as usize);
                bodies.sort_unstable();
                worst = (overlap / radius, DemError::OverlapTooLarge { bodies, overlap, radius });
            }
        });
        worst.1
    }
}

/// Pieces that forces are written in at least, if there is more than one thread.
const CHUNKS: usize = 8;

/// Memory to read and to write, and what blocks send each other.
type Between<'a, M> = (Memories<'a, M>, &'a mut [Remembered<M>], &'a mut Exchange);

/// Sums of forces and of torques.
type Sums<'a> = (&'a mut [[f64; 4]], &'a mut [[f64; 4]]);

fn halves(buffer: &mut [[f64; 4]]) -> Sums<'_> {
    buffer.split_at_mut(buffer.len() / 2)
}

/// Sums of these places, whole blocks but for the last one; false if one of their pairs is too deep. What lower places send
/// must be there.
fn sum<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    scene: &Scene<'_, L, T>,
    list: &NeighborList,
    places: Range<usize>,
    (memories, pending, exchange): Between<'_, T::Memory>,
    Output { force, torque, dissipative }: Output<'_>,
) -> bool {
    let (len, blocks) = (places.len(), places.start / BLOCK..places.start / BLOCK + places.len().div_ceil(BLOCK));
    if !scene.one_by_one {
        return all_blocks(len, (force, torque, dissipative), &|at, _, (force, torque, dissipative)| {
            let Some(rows) = list.rows().get((places.start + at) / BLOCK) else { return true };
            kernel::block(mode, scene, places.start + at, rows, Output { force, torque, dissipative })
        });
    }
    let own = (PerBlock(pending), PerBlock(exchange.outboxes(blocks.clone())));
    let columns = (&mut *force, &mut *torque, &mut *dissipative);
    let good = all_blocks(len, (columns, own), &|at, _, ((force, torque, dissipative), (pending, outbox))| {
        let first = places.start + at;
        let Some(rows) = list.rows().get(first / BLOCK) else { return true };
        let ([pending], [outbox]) = (pending.0, outbox.0) else { return true };
        outbox.read_ahead(scene.position, scene.moving);
        let output = (outbox, Output { force, torque, dissipative });
        touching::block(mode, scene, (first, rows), (memories, pending), output)
    });
    all_blocks(len, (force, torque, dissipative), &|at, _, (force, torque, dissipative)| {
        exchange.deliver(places.start + at, Output { force, torque, dissipative });
        true
    });
    exchange.recycle(blocks);
    good
}

fn scene<'a, L: ContactLaw, T: TangentialLaw>(
    (list, laws): (&'a NeighborList, &'a Laws<L, T>),
    (velocity, spin, moving): (&'a [[f64; 4]], &'a [[f64; 4]], &'a [Moving]),
    (elapsed, equal): (f64, bool),
    one_by_one: bool,
) -> Scene<'a, L, T> {
    let (shifts, order, position) = (list.shifts(), list.order(), list.packed());
    Scene { laws, one_by_one, elapsed, equal, shifts, order, position, velocity, spin, moving }
}

/// Hands sums over to their bodies.
fn scatter(bodies: &[u32], sums: &[[f64; 4]], [x, y, z]: &mut [&mut [f64]; 3]) {
    for (&i, sum) in bodies.iter().zip(sums) {
        let i = i as usize;
        (x[i], y[i], z[i]) = (sum[0], sum[1], sum[2]);
    }
}

/// Passes a state whose columns, any of which may have been replaced, have one entry per body.
pub(crate) fn check_length(bodies: &Bodies, state: &State) -> Result<(), DemError> {
    for (what, found) in [
        ("state", state.len()),
        ("velocities", state.velocity().len()),
        ("angular momenta", state.angular_momentum().len()),
    ] {
        if found != bodies.len() {
            return Err(DemError::LengthMismatch { what, expected: bodies.len(), found });
        }
    }
    Ok(())
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
