//! The evaluation of a batch, stage by stage.
//!
//! Each stage is a loop of its own. What a contact waits for, a root, a quotient, a sum, takes long; a processor begins with
//! the next contacts in the meantime, but it looks ahead over so many instructions only. Stages are short enough for that.

use rrp_geom::glam::DVec3;

use crate::force::contact_model::{ContactForces, ContactState, contact_kinematics};
use crate::force::old::kernel::Scene;
use crate::force::old::slots::BATCH;
use crate::force::old::touching::batch::Batch;
use crate::force::old::touching::contacts::{Contacts, get, set};
use crate::force::old::touching::forces::Forces;
use crate::force::old::touching::{LANES, Pass};
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::{ContactLaw, TangentialLaw};

/// What pairs remember: before, to be read, and after, to be written.
type History<'a, M> = (&'a [M; BATCH], &'a mut [M; BATCH]);

impl<L: ContactLaw, T: TangentialLaw, const APART: bool, const MIXED: bool, const EQUAL: bool>
    Pass<'_, L, T, APART, MIXED, EQUAL>
{
    /// Evaluates pairs; returns a bit for each that touches, and how many overlap by a radius or more. Where all radii are the
    /// same, they are `one`.
    #[inline(always)]
    pub(super) fn evaluate(
        (scene, one): (&Scene<'_, L, T>, f64),
        (batch, contacts, forces): (&mut Batch, &mut Contacts, &mut Forces),
        memory: History<'_, T::History>,
        count: usize,
    ) -> (u64, u64) {
        let count = count.next_multiple_of(LANES).min(BATCH);
        let outcome = Self::meet(one, batch, contacts, count);
        Self::approach((scene, one), batch, contacts, count);
        Self::press((scene, one), batch, (contacts, forces), count);
        Self::rub((scene, one), batch, (contacts, forces), memory, count);
        Self::push((scene, one), batch, (contacts, forces), count);
        outcome
    }

    /// Normals from a to b, and overlaps.
    #[inline(always)]
    fn meet(one: f64, batch: &Batch, contacts: &mut Contacts, count: usize) -> (u64, u64) {
        let (mut touched, mut deep) = (0, 0);
        for slot in 0..count {
            let [x, y, z, last] = batch.separation[slot];
            // Where all radii are the same, it is zero. Rows of which a number is not read are not read as a whole.
            let [ra, rb] = if EQUAL { [one, one + last] } else { [batch.radius[slot], last] };
            let distance = (x * x + y * y + z * z).sqrt();
            let gap = distance - (ra + rb);
            deep += u64::from(-gap >= ra.min(rb));
            touched |= u64::from(gap < 0.0) << slot;
            contacts.overlap[slot] = (-gap).max(0.0);
            set(&mut contacts.normal, slot, DVec3::new(x, y, z) * distance.recip());
        }
        (touched, deep)
    }

    /// How they move against each other, and which side laws see them from: from here on that is the side of the normal.
    #[inline(always)]
    fn approach((scene, one): (&Scene<'_, L, T>, f64), batch: &Batch, contacts: &mut Contacts, count: usize) {
        let share = scene.laws.lever();
        for slot in 0..count {
            let (moves, turns) = (batch.velocity[slot], batch.turning[slot]);
            let (normal, give) = (get(&contacts.normal, slot), 0.5 * (contacts.overlap[slot] * share));
            // v_b − v_a − (l_a Ω_a + l_b Ω_b) × n, `[DK21] (22)`
            let along =
                if EQUAL { vector(turns) * (one - give) } else { vector(batch.rolling[slot]) - vector(turns) * give };
            let side = if moves[3] > 0.0 { 1.0 } else { -1.0 };
            contacts.side[slot] = side;
            contacts.mass[slot] = turns[3].recip();
            set(&mut contacts.velocity, slot, (vector(moves) - along.cross(normal)) * side);
            set(&mut contacts.normal, slot, normal * side);
        }
    }

    /// Normal forces; of the velocities remains what is across the normal.
    #[inline(always)]
    fn press(
        (scene, one): (&Scene<'_, L, T>, f64),
        batch: &Batch,
        (contacts, forces): (&mut Contacts, &mut Forces),
        count: usize,
    ) {
        // Read once, so that nothing which is written below can change it.
        let (laws, elapsed, uniform) = (scene.laws, scene.elapsed, &scene.laws.first().0);
        let capped = uniform.is_capped();
        for slot in 0..count {
            let (law, capped) = if MIXED {
                let [a, b] = batch.materials[slot];
                let (law, _) = laws.of_bodies(a, b);
                (law, law.is_capped())
            } else {
                (uniform, capped)
            };
            let touch = ContactState {
                normal: get(&contacts.normal, slot),
                overlap: contacts.overlap[slot],
                radius: Self::reduced_radius(one, batch, slot),
                mass: contacts.mass[slot],
                velocity: get(&contacts.velocity, slot),
                spin: DVec3::ZERO,
                turning: DVec3::ZERO,
                elapsed,
                share: 1.0,
            };
            let (slip, elastic) = contact_kinematics(law, capped, &touch);
            set(&mut contacts.velocity, slot, slip.velocity);
            forces.normal[slot] = slip.normal_force;
            if APART {
                forces.elastic[slot] = elastic;
            }
        }
    }

    /// Tangential forces, couples, and what is remembered.
    #[inline(always)]
    fn rub(
        scene: (&Scene<'_, L, T>, f64),
        batch: &Batch,
        columns: (&Contacts, &mut Forces),
        memory: History<'_, T::History>,
        count: usize,
    ) {
        #[expect(clippy::if_same_then_else, reason = "in each of them it is known whether time has passed")]
        if scene.0.elapsed > 0.0 {
            Self::rub_all(scene, batch, columns, memory, count);
        } else {
            Self::rub_all(scene, batch, columns, memory, count);
        }
    }

    /// The loop of [`rub`](Self::rub).
    #[inline(always)]
    fn rub_all(
        (scene, one): (&Scene<'_, L, T>, f64),
        batch: &Batch,
        (contacts, forces): (&Contacts, &mut Forces),
        (before, after): History<'_, T::History>,
        count: usize,
    ) {
        let (laws, elapsed, uniform) = (scene.laws, scene.elapsed, &scene.laws.first().1);
        for slot in 0..count {
            let tangential = if MIXED {
                let [a, b] = batch.materials[slot];
                &laws.of_bodies(a, b).1
            } else {
                uniform
            };
            let slip = ContactKinematics {
                normal: get(&contacts.normal, slot),
                overlap: contacts.overlap[slot],
                radius: Self::reduced_radius(one, batch, slot),
                mass: contacts.mass[slot],
                velocity: get(&contacts.velocity, slot),
                normal_force: forces.normal[slot],
                turning: 0.5 * vector(batch.turning[slot]).dot(get(&contacts.normal, slot)),
                elapsed,
                share: 1.0,
            };
            let mut memory = before[slot];
            set(&mut forces.tangential, slot, tangential.force(&slip, &mut memory));
            if tangential.resists_rolling() {
                let spin = vector(batch.spin[slot]) * contacts.side[slot];
                set(&mut forces.couple, slot, tangential.couple(&slip, spin, &mut memory));
            } else if MIXED {
                set(&mut forces.couple, slot, DVec3::ZERO);
            }
            after[slot] = if slip.overlap > 0.0 { memory } else { T::History::default() };
        }
    }

    /// What bodies get.
    #[inline(always)]
    fn push(
        (scene, one): (&Scene<'_, L, T>, f64),
        batch: &mut Batch,
        (contacts, forces): (&Contacts, &Forces),
        count: usize,
    ) {
        let (share, alike) = (scene.laws.lever(), Self::torques_are_alike(scene));
        for slot in 0..count {
            let [ra, rb] = if EQUAL { [one; 2] } else { [batch.radius[slot], batch.separation[slot][3]] };
            let (normal, side, overlap) = (get(&contacts.normal, slot), contacts.side[slot], contacts.overlap[slot]);
            let push = ContactForces {
                elastic: forces.elastic[slot],
                normal: forces.normal[slot],
                tangential: get(&forces.tangential, slot),
                couple: get(&forces.couple, slot),
            };
            let select = |vector: DVec3| {
                [vector.x, vector.y, vector.z, 0.0].map(|component| if overlap > 0.0 { component } else { 0.0 })
            };
            batch.force[slot] = select(push.total(normal) * -side);
            // Normal and force have turned around both.
            let (lever, couple) = (normal.cross(push.tangential), push.couple * side);
            let [arm, counter_arm] = [ra, rb].map(|radius| radius - 0.5 * (overlap * share));
            batch.torque[slot] = select(lever * -arm - couple);
            if !alike {
                batch.counter_torque[slot] = select(lever * -counter_arm + couple);
            }
            if APART {
                batch.dissipative[slot] = select(push.dissipative(normal) * -side);
            }
        }
    }

    /// `r_a r_b/(r_a + r_b)`
    #[inline(always)]
    fn reduced_radius(one: f64, batch: &Batch, slot: usize) -> f64 {
        let (ra, rb) = (batch.radius[slot], batch.separation[slot][3]);
        if EQUAL { 0.5 * one } else { ra * rb / (ra + rb) }
    }
}

#[inline(always)]
fn vector([x, y, z, _]: [f64; 4]) -> DVec3 {
    DVec3::new(x, y, z)
}
