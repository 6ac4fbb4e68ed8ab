//! Friction with partial slip, beside Hertz' law.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::contact_history::ContactHistory;
use crate::law::contact_law::TangentialLaw;
use crate::law::normal::damping::Damping;
use crate::law::tangential::spring_slider::flattened;

/// CellGrid that the radius of a contact is cut into: a fourth of them at least are in contact, and all at most.
const CELLS: usize = 16;

/// The tangential contact of Cattaneo and Mindlin: spheres of Hertz' law that slip where the pressure is too small to hold them, from the
/// rim inwards, whatever the history of loading. Oblique impacts rebound at the angles of Maw, Barber and Fawcett.
///
/// By the method of dimensionality reduction (Popov and Heß, *Method of Dimensionality Reduction in Contact Mechanics and
/// Friction*, 2015): springs side by side along the radius a = √(R δ) of the contact, each with its own limit, a share of `μ F_n` that falls
/// as 1 − x²/a² towards the rim. Springs that come into contact come without a force, and those that leave it
/// have been let go before, so pressing and lifting creates no energy, unlike with
/// [`MindlinSpring`](crate::law::tangential::mindlin_spring::MindlinSpring). The springs of a contact are summed up in 16 cells: after an impact of 2000 steps `ψ = κ v_t/(μ v_n)` is
/// off by at most 0.003 where it sticks, with κ the ratio of tangential and normal stiffness. A memory of 400 bytes, which each pair that is close has twice. A
/// damping by restitution comes on top, and the sum of both is at most `μ F_n`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PartialSlip {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    modulus: f64,
    /// `2 √(5/6) ζ √k_t`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    ratio: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
}

/// What a contact with partial slip remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartialSlipHistory {
    /// Width of a cell in m; zero before there was a contact.
    cell: f64,
    /// Radius of the contact in m.
    radius: f64,
    /// By cell, from the middle to the rim: how far springs are stretched, times the width that they fill, in m².
    stretch: [DVec3; CELLS],
}

impl ContactHistory for PartialSlipHistory {
    fn reversed(self) -> Self {
        Self { stretch: self.stretch.map(|stretch| -stretch), ..self }
    }

    fn turned(self, rotation: &DMat3) -> Self {
        Self { stretch: self.stretch.map(|stretch| *rotation * stretch), ..self }
    }
}

impl PartialSlip {
    /// The law with the tangential modulus `k_t` (Pa), 8 G* for elastic spheres, so that a contact that sticks has the stiffness `k_t a`,
    /// and the friction coefficient μ.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are finite, the modulus positive and the coefficient not negative.
    pub fn new(modulus: f64, friction: f64) -> Result<Self, DemError> {
        let modulus = positive("the tangential modulus", modulus)?;
        Ok(Self { modulus, ratio: 0.0, friction: not_negative("the friction coefficient", friction)? })
    }

    /// The same with the damping `2 √(5/6) ζ √(m_eff k_t a)` that `damping` says by restitution.
    #[must_use]
    pub fn damped(self, damping: Damping) -> Self {
        Self { ratio: (10.0_f64 / 3.0).sqrt() * damping.ratio * self.modulus.sqrt(), ..self }
    }
}

impl PartialSlipHistory {
    /// Where cell `k` begins, and where it ends in a contact of this radius.
    #[inline(always)]
    fn ends(&self, k: usize, radius: f64) -> [f64; 2] {
        let inner = self.cell * k as f64;
        [inner, inner + (radius - inner).min(self.cell).max(0.0)]
    }

    #[inline(always)]
    fn width(&self, k: usize, radius: f64) -> f64 {
        let [inner, outer] = self.ends(k, radius);
        outer - inner
    }

    /// Goes along to another radius. Springs that leave the contact are gone; new ones are not stretched, so that cells which grow
    /// have the sum that they had.
    fn follow(&mut self, radius: f64) {
        if !(radius > 0.0 && radius.is_finite()) {
            *self = Self::default();
            return;
        }
        // Restored memory may have any width, of which not all come to an end.
        if !(self.cell > 0.0 && self.cell.is_finite()) {
            *self = Self { cell: (2.0 / CELLS as f64 * radius).max(f64::MIN_POSITIVE), ..Self::default() };
        }
        for k in 0..CELLS {
            let [before, now] = [self.radius, radius].map(|radius| self.width(k, radius));
            if now < before {
                self.stretch[k] *= now / before;
            }
        }
        self.radius = radius;
        while radius > CELLS as f64 * self.cell {
            self.stretch = std::array::from_fn(|k| match 2 * k {
                pair if pair < CELLS => self.stretch[pair] + self.stretch[pair + 1],
                _ => DVec3::ZERO,
            });
            self.cell *= 2.0;
        }
        while radius < 0.25 * CELLS as f64 * self.cell {
            let before = *self;
            self.cell *= 0.5;
            self.stretch = std::array::from_fn(|k| {
                let whole = before.width(k / 2, radius);
                if whole > 0.0 { before.stretch[k / 2] * (self.width(k, radius) / whole) } else { DVec3::ZERO }
            });
        }
    }
}

impl TangentialLaw for PartialSlip {
    type History = PartialSlipHistory;

    #[inline]
    fn force(&self, slip: &ContactKinematics, memory: &mut PartialSlipHistory) -> DVec3 {
        let radius = (slip.radius * slip.overlap).sqrt();
        memory.follow(radius);
        // An attraction holds nothing.
        let most = self.friction * slip.normal_force.max(0.0);
        let (displacement, square) = (slip.velocity * slip.elapsed, radius * radius);
        let mut sum = DVec3::ZERO;
        for k in 0..CELLS {
            let [inner, outer] = memory.ends(k, radius);
            let width = outer - inner;
            // Share of the pressure, ∫ (1 − x²/a²) dx/(2 a/3).
            let share = 1.5 * width * (1.0 - (inner * inner + inner * outer + outer * outer) / (3.0 * square)) / radius;
            let limit = if width > 0.0 { most * share / self.modulus } else { 0.0 };
            let stretch = flattened(memory.stretch[k] + displacement * width, slip.normal);
            let length = stretch.length();
            memory.stretch[k] = if length > limit { stretch * (limit / length) } else { stretch };
            sum += memory.stretch[k];
        }
        let force = sum * -self.modulus - slip.velocity * (self.ratio * (slip.mass * radius).sqrt());
        let size = force.length();
        if size > most { force * (most / size) } else { force }
    }

    #[inline]
    fn stored_energy(&self, slip: &ContactKinematics, memory: &PartialSlipHistory) -> f64 {
        // Of the radius that there is now, which springs that have left the contact had no part of.
        let radius = (slip.radius * slip.overlap).sqrt().min(memory.radius);
        let energy = |k: usize| {
            let (before, now) = (memory.width(k, memory.radius), memory.width(k, radius));
            if now > 0.0 { 0.5 * memory.stretch[k].length_squared() * now / (before * before) } else { 0.0 }
        };
        self.modulus * (0..CELLS).map(energy).sum::<f64>()
    }

    fn is_active(&self) -> bool {
        self.friction > 0.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MODULUS: f64 = 3e6;
    const FRICTION: f64 = 0.3;
    const REDUCED: f64 = 0.25;

    /// A contact that was moved by `velocity` for a second, pressed with `normal_force`.
    fn slip(overlap: f64, normal_force: f64, velocity: DVec3) -> ContactKinematics {
        ContactKinematics {
            velocity,
            normal: DVec3::Z,
            normal_force,
            overlap,
            radius: REDUCED,
            mass: 0.5,
            turning: 0.0,
            elapsed: 1.0,
            share: 1.0,
        }
    }

    fn law() -> PartialSlip {
        PartialSlip::new(MODULUS, FRICTION).unwrap()
    }

    /// The displacement at which the force of Cattaneo and Mindlin is this part of `μ F_n`, in terms of that at which all slips.
    fn displacement_at(part: f64) -> f64 {
        1.0 - (1.0 - part).powf(2.0 / 3.0)
    }

    /// Work that a cycle between this part of `μ F_n` and its opposite takes, in terms of `μ F_n` and that displacement: twice the
    /// integral of the force over a way back, on which the displacement changes by twice what it does at half the force.
    fn loop_work(part: f64) -> f64 {
        let (a, b) = (1.5 * displacement_at(part), 0.6 * (1.0 - (1.0 - part).powf(5.0 / 3.0)));
        8.0 / 3.0 * (2.0 * (a - b) - part * a)
    }

    #[test]
    fn under_a_constant_load_there_and_back_is_as_cattaneo_and_mindlin_say() {
        let (overlap, push, steps) = (1e-3_f64, 20.0, 1000_u32);
        let limit = FRICTION * push;
        // Where all of it slips: 3 μ F/(2 k a).
        let whole = 1.5 * limit / (MODULUS * (REDUCED * overlap).sqrt());
        let mut force = DVec3::ZERO;
        let mut pull = |memory: &mut PartialSlipHistory, displacement: f64, part: f64| {
            let (step, mut work) = (displacement * whole / f64::from(steps), 0.0);
            for _ in 0..steps {
                let before = force;
                force = law().force(&slip(overlap, push, DVec3::X * step), memory);
                work -= 0.5 * (force + before).x * step;
            }
            assert!((-force.x / limit - part).abs() < 3e-3, "{}, not {part}", -force.x / limit);
            assert!(force.y.abs() <= 0.0 && force.z.abs() <= 0.0);
            work
        };
        // Up to 0.8 of the limit, back to −0.8, by twice the displacement at half the change (Masing), and back again.
        let (part, mut memory) = (0.8, PartialSlipHistory::default());
        let _ = pull(&mut memory, displacement_at(part), part);
        let top = memory;
        let back = pull(&mut memory, -2.0 * displacement_at(part), -part);
        let work = back + pull(&mut memory, 2.0 * displacement_at(part), part);
        for (now, top) in memory.stretch.iter().zip(&top.stretch) {
            assert!((*now - *top).length() < 1e-9 * whole);
        }
        let expected = loop_work(part) * limit * whole;
        // Eight cells, which take 1.024 times as much, 16 would 1.006.
        assert!((work / expected - 1.0).abs() < 0.03, "{work}, not {expected}");
        // And on to the limit, which it keeps.
        let _ = pull(&mut memory, 1.5, 1.0);
    }

    #[test]
    fn a_sheared_contact_that_is_pressed_deeper_keeps_its_force_and_loses_it_in_the_end() {
        let (mut memory, law) = (PartialSlipHistory::default(), law());
        let deep = |k: i32| 1e-6 * 1.02_f64.powi(k);
        let press = |overlap: f64| 1e9 * overlap * overlap.sqrt();
        let way = DVec3::X * 1e-8;
        let sheared = law.force(&slip(deep(0), press(deep(0)), way), &mut memory);
        let begin = law.stored_energy(&slip(deep(0), 0.0, way), &memory);
        let mut energy = begin;
        for k in 1..400 {
            let slip = slip(deep(k), press(deep(k)), DVec3::ZERO);
            let force = law.force(&slip, &mut memory);
            assert!((force - sheared).length() < 1e-9 * sheared.length(), "{k}");
            let now = law.stored_energy(&slip, &memory);
            assert!(now <= energy * (1.0 + 1e-12));
            energy = now;
        }
        for k in (0..400).rev() {
            let slip = slip(deep(k), press(deep(k)), DVec3::ZERO);
            let _ = law.force(&slip, &mut memory);
            let now = law.stored_energy(&slip, &memory);
            assert!(now <= energy * (1.0 + 1e-12));
            energy = now;
        }
        assert!(energy < begin);
    }

    proptest! {
        /// No path gains energy: what the force did and what is stored came from the motion.
        #[test]
        fn no_path_gains_energy(
            moves in prop::collection::vec((-1.0_f64..1.0, -1.0_f64..1.0, -3.0_f64..3.0), 1..60),
            ratio in prop::sample::select(vec![0.0, 1e-3, 0.1, 1.0, 30.0])
        ) {
            let (law, mut memory) = (PartialSlip { ratio: ratio * MODULUS.sqrt(), ..law() }, PartialSlipHistory::default());
            let (mut log, mut taken, mut place, mut stored) = (0.0_f64, 0.0, DVec3::ZERO, 0.0);
            for (x, y, deeper) in moves {
                log = (log + deeper).clamp(-8.0, 8.0);
                let (overlap, push) = (1e-4 * log.exp(), (1e-4 * log.exp()).powf(1.5) * 1e7);
                let way = DVec3::new(x, y, 0.0) * 3e-5;
                let slip = slip(overlap, push, way);
                let force = law.force(&slip, &mut memory);
                prop_assert!(force.length() <= FRICTION * push * (1.0 + 1e-12));
                // By the force at the end of each step, which is how a step is taken: none gives more than was put in.
                taken -= force.dot(way);
                place += way;
                stored = law.stored_energy(&slip, &memory);
                prop_assert!(taken - stored >= -1e-12, "{} of {}", taken, stored);
            }
            prop_assert!(stored >= 0.0 && place.is_finite());
        }

        /// CellGrid that are put together or cut keep the sum.
        #[test]
        fn cells_keep_the_sum(first in 1e-6_f64..1e-2, growth in 0.0_f64..8.0, loss in 0.0_f64..8.0) {
            let mut memory = PartialSlipHistory::default();
            memory.follow(first);
            for k in 0..CELLS {
                memory.stretch[k] = DVec3::X * memory.width(k, first);
            }
            let sum = |memory: &PartialSlipHistory| memory.stretch.iter().sum::<DVec3>().x;
            let radius = first * growth.exp();
            memory.follow(radius);
            prop_assert!((sum(&memory) - first).abs() < 1e-12 * first);
            // Evenly stretched on what there was: of that, what is left, but for the cell that it ends in.
            let left = radius * (-loss).exp();
            memory.follow(left);
            let expected = left.min(first);
            prop_assert!((sum(&memory) - expected).abs() <= 0.25 * radius, "{} {}", sum(&memory), expected);
            prop_assert!(sum(&memory) <= first * (1.0 + 1e-12));
        }
    }

    #[test]
    fn whatever_was_restored_comes_to_an_end() {
        let any = [f64::NAN, f64::INFINITY, -1.0, 0.0, f64::MIN_POSITIVE, 1e-300, 1e-3, f64::MAX];
        for (cell, before, radius) in
            any.into_iter().flat_map(|a| any.map(|b| (a, b))).flat_map(|(a, b)| any.map(|c| (a, b, c)))
        {
            let stretch = [DVec3::splat(before); CELLS];
            let mut memory = PartialSlipHistory { cell, radius: before, stretch };
            memory.follow(radius);
            assert!(memory.radius.to_bits() == radius.to_bits() || memory == PartialSlipHistory::default());
            let _ = law().force(&slip(radius, before, DVec3::splat(cell)), &mut memory);
        }
    }

    #[test]
    fn what_is_seen_from_the_other_body_is_turned_around() {
        let mut memory = PartialSlipHistory::default();
        let _ = law().force(&slip(1e-3, 10.0, DVec3::new(1e-5, -2e-5, 0.0)), &mut memory);
        assert!(memory.reversed().reversed() == memory && memory.reversed() != memory);
        let forward = law().force(&slip(1e-3, 10.0, DVec3::X * 1e-6), &mut memory.clone());
        let back = law().force(&slip(1e-3, 10.0, DVec3::NEG_X * 1e-6), &mut memory.reversed());
        assert_eq!(forward, -back);
    }
}
