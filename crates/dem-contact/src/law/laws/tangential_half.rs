//! The loop of a tangential law over the contacts of a batch.

use pulp::Arch;
use rrp_geom::glam::DMat3;

use crate::law::batch::{BATCH, Column, Contacts, Vectors, set};
use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::tangential_law::TangentialLaw;
use crate::util::vectorized::vectorized;

/// Normal forces (N) and overlaps (m) of the contacts of a batch, as tangential laws read them.
pub(super) struct Pressed<'a> {
    pub(super) force: &'a Column,
    pub(super) overlap: &'a Column,
}

/// Histories of the contacts of a batch, one after the other: at the accepted state, and after the step.
pub(super) struct Histories<'a> {
    pub(super) before: &'a [f64],
    pub(super) after: &'a mut [f64],
}

pub(super) struct Rubbed<'a> {
    pub(super) force: &'a mut Vectors,
    pub(super) couple: &'a mut Vectors,
    pub(super) energy: &'a mut Column,
}

/// Tangential law that evaluates contacts batch by batch, so that a batch costs one virtual call.
pub(super) trait TangentialHalf: Send + Sync {
    /// Computes tangential forces and histories of a batch of contacts, torques if the law resists rolling, and
    /// energies if the batch wants them.
    fn rub(&self, contacts: &Contacts, pressed: &Pressed<'_>, histories: &mut Histories<'_>, rubbed: &mut Rubbed<'_>);
}

impl<T: TangentialLaw> TangentialHalf for T {
    fn rub(&self, contacts: &Contacts, pressed: &Pressed<'_>, histories: &mut Histories<'_>, rubbed: &mut Rubbed<'_>) {
        let Histories { before, after } = histories;
        let Rubbed { force, couple, energy } = rubbed;
        vectorized(
            Arch::new(),
            #[inline(always)]
            || {
                rub(self, contacts, [pressed.force, pressed.overlap], before, after, force, couple);
                if contacts.wants_energy {
                    store(self, contacts, [pressed.force, pressed.overlap], after, energy);
                }
            },
        );
    }
}

#[inline(always)]
fn kinematics(contacts: &Contacts, slot: usize, [force, overlap]: [&Column; 2]) -> ContactKinematics {
    ContactKinematics { normal_force: force[slot], overlap: overlap[slot], ..contacts.kinematics(slot) }
}

/// Computes tangential forces, torques against rolling, and histories of a batch of contacts, whose normal forces (N)
/// and overlaps (m) are in `pressed`.
///
/// The loop is a separate function with references as arguments: so the compiler knows that columns do not overlap.
#[inline(always)]
fn rub<T: TangentialLaw>(
    law: &T,
    contacts: &Contacts,
    pressed: [&Column; 2],
    before: &[f64],
    after: &mut [f64],
    force: &mut Vectors,
    couple: &mut Vectors,
) {
    let lanes = contacts.lanes.min(BATCH);
    let width = T::History::WIDTH;
    if width == 0 {
        for slot in 0..lanes {
            rub_one(law, contacts, pressed, slot, &mut T::History::default(), force, couple);
        }
        return;
    }
    let numbers = lanes * width;
    let before = &before[..numbers];
    let after = &mut after[..numbers];
    let rows = before.chunks_exact(width).zip(after.chunks_exact_mut(width));
    // This assertion never fails, but tells the compiler that no slot needs a bounds check. With a second exit from the
    // loop, its last vector iteration would run as scalar code (docs/decisions/0038).
    assert!(rows.len() <= BATCH, "a batch has no more contacts");
    for (slot, (before, after)) in rows.enumerate() {
        let mut history = T::History::read(before);
        rub_one(law, contacts, pressed, slot, &mut history, force, couple);
        history.write(after);
    }
}

#[inline(always)]
fn rub_one<T: TangentialLaw>(
    law: &T,
    contacts: &Contacts,
    pressed: [&Column; 2],
    slot: usize,
    history: &mut T::History,
    force: &mut Vectors,
    couple: &mut Vectors,
) {
    let mut contact = kinematics(contacts, slot, pressed);
    let mut spin = contacts.spin(slot);
    if law.turns() {
        // The history turns about the normal for the whole step, but the slip only from its own time to the end of the
        // step.
        let about = DMat3::from_axis_angle(contact.normal, contact.turning * contacts.slip_before_end);
        contact.velocity = about * contact.velocity;
        spin = about * spin;
    }
    set(force, slot, law.force(&contact, history));
    if law.resists_rolling() {
        set(couple, slot, law.couple(&contact, spin, history));
    }
}

#[inline(always)]
fn store<T: TangentialLaw>(law: &T, contacts: &Contacts, pressed: [&Column; 2], after: &[f64], energy: &mut Column) {
    let lanes = contacts.lanes.min(BATCH);
    let width = T::History::WIDTH;
    for slot in 0..lanes {
        let contact = kinematics(contacts, slot, pressed);
        let history = T::History::read(&after[slot * width..(slot + 1) * width]);
        energy[slot] = contact.share * law.stored_energy(&contact, &history);
    }
}
