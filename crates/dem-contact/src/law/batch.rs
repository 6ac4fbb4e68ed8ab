//! Contacts that are evaluated together, and their forces, in columns.

use rrp_geom::glam::DVec3;

use crate::law::contact::ContactKinematics;

/// Largest number of contacts in a batch, which a law evaluates together: few enough to stay in the first-level cache.
pub const BATCH: usize = 64;

/// Number of contacts in the widest vector registers. Batches are filled up to a multiple of this number with copies of
/// their last contact.
pub(crate) const LANES: usize = 8;

const _: () = assert!(BATCH.is_multiple_of(LANES));

/// Column of a batch of contacts: one number for each slot, the place of one contact.
pub(crate) type Column = [f64; BATCH];

/// Vectors of a batch of contacts, one for each slot, stored component by component.
pub(super) type Vectors = [Column; 3];

#[inline(always)]
pub(crate) fn get([x, y, z]: &Vectors, slot: usize) -> DVec3 {
    DVec3::new(x[slot], y[slot], z[slot])
}

#[inline(always)]
pub(crate) fn set([x, y, z]: &mut Vectors, slot: usize, vector: DVec3) {
    x[slot] = vector.x;
    y[slot] = vector.y;
    z[slot] = vector.z;
}

/// Contacts of a batch, all with one contact law. Signs and frames are those of
/// [`ContactKinematics`](crate::law::ContactKinematics).
///
/// The last slots may be copies of the last contact, which fill up the batch: laws evaluate copies too, and their
/// results are discarded. Where the law has a range, slots may have pairs beyond this range: see
/// [`PairLaw::apply`](crate::law::PairLaw::apply).
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Contacts {
    pub(crate) normal: Vectors,
    /// Tangential velocity in m/s of body b relative to a at each contact point, turned to the frame of the contact at
    /// the end of the step.
    pub(crate) slip: Vectors,
    /// Spin in rad/s of body b relative to body a; zero unless the law resists rolling.
    pub(crate) spin: Vectors,
    /// Overlap of each contact of the batch in m; negative where surfaces are apart.
    pub(crate) overlap: Column,
    /// Normal velocity in m/s of body b relative to a at the end of the step, positive if the bodies separate.
    pub(crate) rate: Column,
    /// Reduced radius in m of each contact; `mass` is the reduced mass in kg. At walls both are those of the body.
    pub(crate) radius: Column,
    pub(crate) mass: Column,
    /// Spin of each contact about its normal in rad/s.
    pub(crate) turning: Column,
    /// Fraction of the elastic force that is counted at each contact; see `share` of [`ContactKinematics`].
    pub(crate) share: Column,
    pub(crate) elapsed: f64,
    /// Time in s from the time at which laws read the slip velocity to the end of the step: half a step or zero.
    pub(crate) slip_before_end: f64,
    pub(crate) wants_energy: bool,
    /// Number of slots that laws evaluate: the contacts, and copies of the last contact up to a multiple of [`LANES`].
    pub(crate) lanes: usize,
}

impl Contacts {
    pub(crate) fn new() -> Self {
        let column = [0.0; BATCH];
        let vectors = [column; 3];
        Self {
            normal: vectors,
            slip: vectors,
            spin: vectors,
            overlap: column,
            rate: column,
            radius: [1.0; BATCH],
            mass: [1.0; BATCH],
            turning: column,
            share: [1.0; BATCH],
            elapsed: 0.0,
            slip_before_end: 0.0,
            wants_energy: false,
            lanes: 0,
        }
    }

    pub(crate) fn copy_slot(&mut self, from: usize, to: usize) {
        let vectors = self.normal.iter_mut().chain(&mut self.slip).chain(&mut self.spin);
        let columns = [&mut self.overlap, &mut self.rate, &mut self.radius, &mut self.mass, &mut self.turning];
        vectors.chain(columns).chain([&mut self.share]).for_each(|column| column[to] = column[from]);
    }

    /// Number of slots of the batch that laws evaluate, copies of the last contact included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lanes
    }

    /// Whether the batch has no slot to evaluate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lanes == 0
    }

    /// Overlap in m of the surfaces in each slot (the place of one contact); negative where surfaces are apart.
    #[must_use]
    pub fn overlap(&self) -> &[f64] {
        &self.overlap[..self.lanes]
    }

    /// Normal velocity in m/s of body b relative to a at the end of the step, in each slot; positive if the bodies
    /// separate.
    #[must_use]
    pub fn rate(&self) -> &[f64] {
        &self.rate[..self.lanes]
    }

    /// Returns the contact in a slot of the batch as tangential laws read it, but without a normal force.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    #[inline(always)]
    pub fn kinematics(&self, slot: usize) -> ContactKinematics {
        ContactKinematics {
            velocity: get(&self.slip, slot),
            normal: get(&self.normal, slot),
            normal_force: 0.0,
            overlap: self.overlap[slot],
            radius: self.radius[slot],
            mass: self.mass[slot],
            turning: self.turning[slot],
            elapsed: self.elapsed,
            share: self.share[slot],
        }
    }

    /// Spin in rad/s of body b relative to a, of the contact in this slot; zero unless the law resists rolling.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    #[inline(always)]
    pub fn spin(&self, slot: usize) -> DVec3 {
        get(&self.spin, slot)
    }

    /// Whether the law has to compute the energies that the contacts of the batch store.
    #[must_use]
    pub fn wants_energy(&self) -> bool {
        self.wants_energy
    }
}

/// Forces on body b of each contact of a batch, and the energies that contacts store.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Forces {
    /// Elastic part of the normal force of each contact in N, positive if repulsive; `normal` is the whole normal
    /// force.
    pub(crate) elastic: Column,
    pub(crate) normal: Column,
    pub(crate) tangential: Vectors,
    pub(crate) couple: Vectors,
    /// Energy in J that the normal law stores at each contact; `tangential_energy` is what the tangential law stores.
    pub(crate) elastic_energy: Column,
    pub(crate) tangential_energy: Column,
    /// Normal force in N that the tangential law reads in place of `normal`, `loaded_overlap` the overlap in m that it
    /// reads, and `elastic_overlap` the overlap in m on which the normal force depends. Only hysteretic laws set these
    /// three columns.
    pub(super) load: Column,
    pub(super) loaded_overlap: Column,
    pub(super) elastic_overlap: Column,
    /// Whether the surfaces of each contact act on each other. Only laws that are hysteretic or act at a distance set
    /// this column.
    pub(crate) acts: [bool; BATCH],
}

impl Forces {
    pub(crate) fn new() -> Self {
        let column = [0.0; BATCH];
        let vectors = [column; 3];
        Self {
            elastic: column,
            normal: column,
            tangential: vectors,
            couple: vectors,
            elastic_energy: column,
            tangential_energy: column,
            load: column,
            loaded_overlap: column,
            elastic_overlap: column,
            acts: [true; BATCH],
        }
    }

    /// Sets the force on body b of the contact in a slot: the elastic part of the normal force and the whole normal
    /// force in N, positive if repulsive, and the tangential force in N, world frame.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn set(&mut self, slot: usize, elastic: f64, normal: f64, tangential: DVec3) {
        self.elastic[slot] = elastic;
        self.normal[slot] = normal;
        set(&mut self.tangential, slot, tangential);
        self.acts[slot] = true;
    }

    /// Marks the contact in a slot as one whose surfaces do not act on each other: sets its force, torque against
    /// rolling and energy to zero. Only laws that are hysteretic or act at a distance may call this function.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn leave_out(&mut self, slot: usize) {
        self.set(slot, 0.0, 0.0, DVec3::ZERO);
        self.set_couple(slot, DVec3::ZERO);
        self.set_energy(slot, 0.0, 0.0);
        self.acts[slot] = false;
    }

    /// Sets the torque on body b in N m by which the contact in a slot resists rolling and twisting.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn set_couple(&mut self, slot: usize, couple: DVec3) {
        set(&mut self.couple, slot, couple);
    }

    /// Sets the energies in J that the contact in a slot stores: `elastic` by its normal law, `tangential` by its
    /// tangential law.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn set_energy(&mut self, slot: usize, elastic: f64, tangential: f64) {
        self.elastic_energy[slot] = elastic;
        self.tangential_energy[slot] = tangential;
    }
}
