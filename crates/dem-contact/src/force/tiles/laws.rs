//! The third stage: the laws of the pairs. It alone is compiled for each pair of laws.

use std::ops::Range;

use pulp::Arch;
use rrp_geom::glam::{DMat3, DVec3};

use crate::force::contact_model::normal_forces;
use crate::force::tiles::batch::{Approach, BATCH, Batch, Column, Forces, Histories, Slip, Touch, get, set};
use crate::force::tiles::scene::Needs;
use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::{ContactLaw, TangentialLaw, WithContactLaw, WithTangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::util::vectorized::vectorized;

/// Finds the forces and histories of a batch; `order` gives the sphere in each place.
pub(crate) fn apply_laws<L: ContactLaw, T: TangentialLaw>(
    arch: Arch,
    laws: &LawAssignment<L, T>,
    order: &[u32],
    needs: &Needs,
    batch: &mut Batch,
    histories: &mut Histories<T::History>,
) {
    vectorized(
        arch,
        #[inline(always)]
        || {
            // All pairs at once, or one by one. In one loop, so that laws are compiled once.
            let (lanes, is_uniform) = (batch.pairs.lanes(), laws.is_uniform());
            let (slots, together) = if is_uniform { (lanes, lanes) } else { (batch.pairs.count.min(BATCH), 1) };
            let mut slot = 0;
            while slot < slots {
                let [a, b] = batch.pairs.places[slot].map(|place| order[place as usize]);
                let pair = if is_uniform { laws.first() } else { laws.of_bodies(a, b) };
                let these = slot..slot + together;
                if !is_uniform || needs.range > 0.0 {
                    leave_out(&pair.0, needs, these.clone(), &mut batch.touch);
                }
                if is_uniform || batch.touch.overlap[slot] > 0.0 - needs.range {
                    evaluate(pair, needs, these, batch, histories);
                }
                slot += together;
            }
        },
    );
}

/// Leaves out pairs beyond the range of their law: other laws, or larger bodies, reach further.
#[inline(always)]
fn leave_out<L: ContactLaw>(law: &L, needs: &Needs, slots: Range<usize>, touch: &mut Touch) {
    for slot in slots {
        if touch.overlap[slot] <= 0.0 - law.range(touch.radius[slot]) {
            touch.overlap[slot] = 0.0 - needs.range;
        }
    }
}

/// Finds the overlaps at which a hysteretic normal law acts, and leaves out pairs that do not act on each other.
#[inline(always)]
fn remember<T: TangentialLaw>(
    law: &T,
    needs: &Needs,
    slots: Range<usize>,
    touch: &mut Touch,
    before: &[T::History; BATCH],
) {
    for slot in slots {
        let found = law.normal_overlap(touch.overlap[slot], touch.radius[slot], &before[slot]);
        if found.is_none() {
            touch.overlap[slot] = 0.0 - needs.range;
        }
        touch.normal_overlap[slot] = found.unwrap_or(0.0);
    }
}

/// Evaluates pairs with these laws.
#[inline(always)]
fn evaluate<L: ContactLaw, T: TangentialLaw>(
    (law, tangential): &(L, T),
    needs: &Needs,
    slots: Range<usize>,
    batch: &mut Batch,
    histories: &mut Histories<T::History>,
) {
    if needs.motion && needs.hysteretic {
        remember(tangential, needs, slots.clone(), &mut batch.touch, &histories.before);
    }
    law.with_own_type(Press { slots: slots.clone(), needs, batch });
    if !needs.motion {
        return;
    }
    tangential.with_own_type(Rub { slots: slots.clone(), needs, batch, histories });
    if needs.stored {
        let Batch { touch, forces, .. } = batch;
        store(tangential, slots.clone(), touch, forces, &histories.after);
        if needs.hysteretic {
            for slot in slots {
                forces.stored[slot] += law.energy(touch.normal_overlap[slot], touch.radius[slot]);
            }
        }
    }
}

/// The normal forces of pairs, by a law whose own type is known.
struct Press<'a> {
    slots: Range<usize>,
    needs: &'a Needs,
    batch: &'a mut Batch,
}

impl WithContactLaw for Press<'_> {
    #[inline(always)]
    fn with<L: ContactLaw>(self, law: &L) {
        let Self { slots, needs, batch: Batch { approach, touch, forces, .. } } = self;
        if !needs.motion {
            push(law, slots, touch, forces);
        } else if needs.hysteretic {
            press(law, slots, approach, touch, &touch.normal_overlap, forces);
        } else {
            press(law, slots, approach, touch, &touch.overlap, forces);
        }
    }
}

/// The tangential forces of pairs, by a law whose own type is known.
struct Rub<'a, M> {
    slots: Range<usize>,
    needs: &'a Needs,
    batch: &'a mut Batch,
    histories: &'a mut Histories<M>,
}

impl<M: ContactHistory> WithTangentialLaw<M> for Rub<'_, M> {
    #[inline(always)]
    fn with<T: TangentialLaw<History = M>>(self, law: &T) {
        let Self { slots, needs, batch: Batch { touch, slip, forces, .. }, histories } = self;
        if needs.elapsed > 0.0 {
            rub(law, slots, [needs.elapsed, needs.slip_before_end], touch, slip, forces, histories);
        } else {
            // A constant, so that laws need not ask for each pair whether time has passed.
            rub(law, slots, [0.0; 2], touch, slip, forces, histories);
        }
    }
}

/// Elastic forces alone.
#[inline(always)]
fn push<L: ContactLaw>(law: &L, slots: Range<usize>, touch: &Touch, forces: &mut Forces) {
    for slot in slots {
        forces.push[slot] = law.force(touch.overlap[slot], touch.radius[slot]);
    }
}

/// Normal forces at these overlaps (m).
#[inline(always)]
fn press<L: ContactLaw>(
    law: &L,
    slots: Range<usize>,
    approach: &Approach,
    touch: &Touch,
    overlap: &Column,
    forces: &mut Forces,
) {
    let is_capped = law.is_capped();
    for slot in slots {
        let rate = get(&approach.velocity, slot).dot(get(&touch.normal, slot));
        let contact = [overlap[slot], touch.radius[slot], touch.mass[slot]];
        [forces.elastic[slot], forces.push[slot]] = normal_forces(law, is_capped, contact, rate);
    }
}

/// Energies that springs store.
#[inline(always)]
fn store<T: TangentialLaw>(
    law: &T,
    slots: Range<usize>,
    touch: &Touch,
    forces: &mut Forces,
    after: &[T::History; BATCH],
) {
    for slot in slots {
        let contact = kinematics(slot, touch, forces, DVec3::ZERO, [0.0; 2]);
        forces.stored[slot] = law.stored_energy(&contact, &after[slot]);
    }
}

/// A pair as tangential laws see it, with this slip (m/s), turning (rad/s) and time (s).
#[inline(always)]
fn kinematics(
    slot: usize,
    touch: &Touch,
    forces: &Forces,
    velocity: DVec3,
    [turning, elapsed]: [f64; 2],
) -> ContactKinematics {
    ContactKinematics {
        velocity,
        normal: get(&touch.normal, slot),
        normal_force: forces.push[slot],
        overlap: touch.overlap[slot],
        radius: touch.radius[slot],
        mass: touch.mass[slot],
        turning,
        elapsed,
        share: 1.0,
    }
}

/// Tangential forces, couples and histories: before, and after. Times are in s, see [`Needs`].
#[inline(always)]
fn rub<T: TangentialLaw>(
    law: &T,
    slots: Range<usize>,
    [elapsed, slip_before_end]: [f64; 2],
    touch: &Touch,
    slip: &Slip,
    forces: &mut Forces,
    Histories { before, after }: &mut Histories<T::History>,
) {
    for slot in slots {
        let (mut velocity, mut spin) = (get(&slip.velocity, slot), get(&slip.spin, slot));
        if law.turns() {
            // The history turns about the normal in the whole step. The slip turns since its own moment only.
            let about = DMat3::from_axis_angle(get(&touch.normal, slot), slip.turning[slot] * slip_before_end);
            (velocity, spin) = (about * velocity, about * spin);
        }
        let contact = kinematics(slot, touch, forces, velocity, [slip.turning[slot], elapsed]);
        let mut history = before[slot];
        set(&mut forces.tangential, slot, law.force(&contact, &mut history));
        let resists = law.resists_rolling();
        let couple = if resists { law.couple(&contact, spin, &mut history) } else { DVec3::ZERO };
        set(&mut forces.couple, slot, couple);
        after[slot] = history;
    }
}
