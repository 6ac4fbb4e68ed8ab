//! The third stage: the laws of the pairs. It alone is compiled for each pair of laws.

use std::ops::Range;

use pulp::{Simd, WithSimd};
use rrp_geom::glam::{DMat3, DVec3};

use crate::force::contact_model::{ContactState, contact_kinematics};
use crate::force::tiles::batch::{Approach, BATCH, Forces, Histories, PairsOfBatch, Slip, Touch, get, set};
use crate::force::tiles::scene::Needs;
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;

/// The laws of the pairs of a batch.
pub(crate) struct LawStage<'a, L, T: TangentialLaw> {
    pub(crate) laws: &'a LawAssignment<L, T>,
    /// The sphere in each place.
    pub(crate) order: &'a [u32],
    pub(crate) needs: &'a Needs,
    pub(crate) batch: &'a PairsOfBatch,
    pub(crate) approach: &'a Approach,
    pub(crate) touch: &'a mut Touch,
    pub(crate) slip: &'a Slip,
    pub(crate) forces: &'a mut Forces,
    pub(crate) histories: &'a mut Histories<T::History>,
}

impl<L: ContactLaw, T: TangentialLaw> WithSimd for LawStage<'_, L, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        if self.laws.is_uniform() {
            return self.evaluate(self.laws.first(), 0..self.batch.lanes());
        }
        for slot in 0..self.batch.count.min(BATCH) {
            let [a, b] = self.batch.places[slot].map(|place| self.order[place as usize]);
            let laws = self.laws.of_bodies(a, b);
            if self.touch.overlap[slot] <= 0.0 - laws.0.range() {
                // Other laws reach further.
                self.touch.overlap[slot] = 0.0 - self.needs.range;
            } else {
                self.evaluate(laws, slot..slot + 1);
            }
        }
    }
}

impl<L: ContactLaw, T: TangentialLaw> LawStage<'_, L, T> {
    /// Evaluates pairs with these laws.
    #[inline(always)]
    fn evaluate(&mut self, (law, tangential): &(L, T), slots: Range<usize>) {
        let Self { needs, approach, touch, slip, forces, histories, .. } = self;
        let Histories { before, after } = &mut **histories;
        if !needs.motion {
            return push(law, slots, touch, forces);
        }
        press(law, slots.clone(), needs.elapsed, approach, touch, forces);
        if needs.elapsed > 0.0 {
            let time = StepTime { elapsed: needs.elapsed, slip_before_end: needs.slip_before_end };
            rub(tangential, slots, time, touch, slip, forces, (before, after));
        } else {
            // A constant, so that laws need not ask for each pair whether time has passed.
            rub(tangential, slots, StepTime::NONE, touch, slip, forces, (before, after));
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

/// Normal forces.
#[inline(always)]
fn press<L: ContactLaw>(
    law: &L,
    slots: Range<usize>,
    elapsed: f64,
    approach: &Approach,
    touch: &Touch,
    forces: &mut Forces,
) {
    let is_capped = law.is_capped();
    for slot in slots {
        let state = ContactState {
            normal: get(&touch.normal, slot),
            overlap: touch.overlap[slot],
            radius: touch.radius[slot],
            mass: touch.mass[slot],
            velocity: get(&approach.velocity, slot),
            spin: DVec3::ZERO,
            turning: DVec3::ZERO,
            elapsed,
            share: 1.0,
        };
        let (kinematics, elastic) = contact_kinematics(law, is_capped, &state);
        (forces.push[slot], forces.elastic[slot]) = (kinematics.normal_force, elastic);
    }
}

/// The times of a step in s, see [`Needs`].
#[derive(Clone, Copy)]
struct StepTime {
    elapsed: f64,
    slip_before_end: f64,
}

impl StepTime {
    const NONE: Self = Self { elapsed: 0.0, slip_before_end: 0.0 };
}

/// Tangential forces, couples and histories: before, and after.
#[inline(always)]
fn rub<T: TangentialLaw>(
    law: &T,
    slots: Range<usize>,
    StepTime { elapsed, slip_before_end }: StepTime,
    touch: &Touch,
    slip: &Slip,
    forces: &mut Forces,
    (before, after): (&[T::History; BATCH], &mut [T::History; BATCH]),
) {
    for slot in slots {
        let (mut velocity, mut spin) = (get(&slip.velocity, slot), get(&slip.spin, slot));
        let normal = get(&touch.normal, slot);
        if law.turns() {
            // The history turns about the normal in the whole step. The slip turns since its own moment only.
            let about = DMat3::from_axis_angle(normal, slip.turning[slot] * slip_before_end);
            (velocity, spin) = (about * velocity, about * spin);
        }
        let kinematics = ContactKinematics {
            velocity,
            normal,
            normal_force: forces.push[slot],
            overlap: touch.overlap[slot],
            radius: touch.radius[slot],
            mass: touch.mass[slot],
            turning: slip.turning[slot],
            elapsed,
            share: 1.0,
        };
        let mut history = before[slot];
        set(&mut forces.tangential, slot, law.force(&kinematics, &mut history));
        let resists = law.resists_rolling();
        let couple = if resists { law.couple(&kinematics, spin, &mut history) } else { DVec3::ZERO };
        set(&mut forces.couple, slot, couple);
        after[slot] = history;
    }
}
