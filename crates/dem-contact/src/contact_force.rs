//! Forces of contacts as a force field.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::kernel::{self, DAMPED, ELASTIC, Output, SPLIT, Scene, TANGENTIAL};
use crate::ledger::WorkBook;
use crate::pair_memory::PairMemory;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::wall_contacts::{Places, WallContacts};
use crate::{ContactLaw, DemError, NeighborList, TangentialLaw, Wall, WallLoad};

/// Forces and torques between touching bodies, and between bodies and walls.
///
/// As a [`Potential`] it is the elastic energy; damping and tangential forces are in the forces only. Results have the
/// same bits for any number of threads. With the feature `serde` it can be stored and restored: a run that is stopped,
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
    pub(crate) law: L,
    pub(crate) tangential: T,
    pub(crate) walls: WallContacts<T::Memory>,
    pub(crate) frozen: Box<[bool]>,
    pub(crate) memory: PairMemory<T::Memory>,
    pub(crate) work: Option<WorkBook>,
    pub(crate) places: Buffers,
}

/// Quantities by place of the list, padded to four numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    /// Velocity and reciprocal mass.
    velocity: Vec<[f64; 4]>,
    spin: Vec<[f64; 4]>,
    force: Vec<[f64; 4]>,
    torque: Vec<[f64; 4]>,
    dissipative: Vec<[f64; 4]>,
}

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// Contacts of the pairs in `list` with a normal and a tangential law.
    #[must_use]
    pub fn new(list: NeighborList, law: L, tangential: T) -> Self {
        Self {
            list,
            law,
            tangential,
            walls: WallContacts::new(Vec::new(), Vec::new()),
            frozen: Box::default(),
            memory: PairMemory::new(Vec::new()),
            work: None,
            places: Buffers::default(),
        }
    }

    /// The same with these walls instead of those it has.
    ///
    /// # Errors
    /// [`DemError::InvalidWall`] or [`DemError::WallAcrossPeriodic`].
    pub fn with_walls(self, walls: impl IntoIterator<Item = Wall>) -> Result<Self, DemError> {
        let walls: Vec<Wall> = walls.into_iter().collect();
        for (w, wall) in walls.iter().enumerate() {
            wall.check(w, self.list.domain().periods())?;
        }
        Ok(Self { walls: WallContacts::new(walls, Vec::new()), ..self })
    }

    /// The same with bodies of infinite mass: those for which `frozen` is true. They touch neither each other nor walls.
    ///
    /// [`Frozen`](crate::Frozen) is what keeps them in place.
    #[must_use]
    pub fn with_frozen(mut self, frozen: impl IntoIterator<Item = bool>) -> Self {
        self.frozen = frozen.into_iter().collect();
        self.memory.carry(&self.list);
        self.list.set_frozen(self.frozen.clone());
        self
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

    /// The normal law.
    #[must_use]
    pub fn law(&self) -> &L {
        &self.law
    }

    /// The tangential law.
    #[must_use]
    pub fn tangential(&self) -> &T {
        &self.tangential
    }

    /// The walls.
    #[must_use]
    pub fn walls(&self) -> &[Wall] {
        &self.walls.walls
    }

    /// Force and torque on each wall at the last accepted state.
    #[must_use]
    pub fn wall_loads(&self) -> &[WallLoad] {
        &self.walls.loads
    }

    /// What the forces depend on.
    fn mode(&self) -> u8 {
        let dissipates = self.law.is_damped() || self.tangential.is_active();
        match (dissipates, self.tangential.is_active()) {
            (false, _) => ELASTIC,
            (true, _) if self.work.is_some() => SPLIT,
            (true, true) => TANGENTIAL,
            (true, false) => DAMPED,
        }
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        let len = bodies.len();
        check_length(bodies, state)?;
        if out.len() != len {
            return Err(DemError::LengthMismatch { what: "wrenches", expected: len, found: out.len() });
        }
        if !self.frozen.is_empty() && self.frozen.len() != len {
            return Err(DemError::LengthMismatch { what: "frozen bodies", expected: len, found: self.frozen.len() });
        }
        let memory = &mut self.memory;
        self.list.follow(bodies.radius(), state.position(), &mut |list| memory.carry(list))?;
        self.memory.follow(&self.list);
        let mode = self.mode();
        self.gather(mode, bodies, state);
        self.forces(mode, elapsed)?;
        self.wall_forces(state.time(), elapsed)?;
        self.scatter(mode, out);
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
        let Buffers { velocity, spin, force, torque, dissipative } = &mut self.places;
        for (buffer, wanted) in [
            (&mut *velocity, mode >= DAMPED),
            (&mut *spin, mode >= TANGENTIAL),
            (force, true),
            (torque, mode >= TANGENTIAL),
            (dissipative, mode >= SPLIT),
        ] {
            buffer.resize(if wanted { len } else { 0 }, [0.0; 4]);
        }
        if mode == ELASTIC {
            return;
        }
        let (list, order) = (&self.list, self.list.order());
        all_blocks(len, (&mut velocity[..], &mut spin[..]), &|first, count, (velocity, spin)| {
            let places = &order[first..first + count];
            for (row, &i) in velocity.iter_mut().zip(places) {
                let i = i as usize;
                let v = state.velocity().get(i);
                *row = [v.x, v.y, v.z, if list.is_frozen(i) { 0.0 } else { bodies.inverse_mass()[i] }];
            }
            for (row, &i) in spin.iter_mut().zip(places) {
                let w = state.spin(bodies, i as usize);
                *row = [w.x, w.y, w.z, 0.0];
            }
            true
        });
    }

    fn forces(&mut self, mode: u8, elapsed: f64) -> Result<(), DemError> {
        let Buffers { velocity, spin, force, torque, dissipative } = &mut self.places;
        let scene = Scene {
            law: &self.law,
            tangential: &self.tangential,
            capped: self.law.is_capped(),
            elapsed,
            shifts: self.list.shifts(),
            position: self.list.packed(),
            velocity,
            spin,
        };
        let rows = self.list.rows();
        let (committed, pending) = self.memory.slots();
        let outputs = (&mut force[..], &mut torque[..], &mut dissipative[..], PerBlock(pending));
        let good = all_blocks(self.list.len(), outputs, &|first, _, (force, torque, dissipative, pending)| {
            let (Some(rows), [pending]) = (rows.get(first / BLOCK), pending.0) else { return true };
            let committed = &committed[first / BLOCK];
            kernel::block(mode, &scene, first, rows, Output { force, torque, dissipative, committed, pending })
        });
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    fn wall_forces(&mut self, time: f64, elapsed: f64) -> Result<(), DemError> {
        let Buffers { velocity, spin, force, torque, dissipative } = &mut self.places;
        let mut places = Places { velocity, spin, force, torque, dissipative };
        self.walls.accumulate((&self.law, &self.tangential), &self.list, (time, elapsed), &mut places)
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
        let on_walls = walls.walls.iter().zip(&walls.pending_loads).zip(&walls.dissipative);
        let on_walls = on_walls.map(|((wall, load), dissipative)| (wall.velocity, [load.force, *dissipative]));
        book.record(bodies, state, elapsed, wrench, on_walls);
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

/// Passes a state whose columns, any of which may have been replaced, have one entry per body.
pub(crate) fn check_length(bodies: &Bodies, state: &State) -> Result<(), DemError> {
    for (what, found) in [
        ("state", state.len()),
        ("velocities", state.velocity().len()),
        ("angular momenta", state.angular_momentum().len()),
        ("attitudes", state.attitude().len()),
    ] {
        if found != bodies.len() {
            return Err(DemError::LengthMismatch { what, expected: bodies.len(), found });
        }
    }
    Ok(())
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
        self.list.accept();
        self.memory.commit();
        self.walls.commit();
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
