//! Friction with partial slip, for use with Hertz' law.

use rrp_geom::glam::DVec3;

use crate::contact_history;
use crate::error::DemError;
use crate::error::parameter::{not_negative, positive};
use crate::law::contact::ContactKinematics;
use crate::law::normal::damping::Damping;
use crate::law::tangential::spring_slider::flattened;
use crate::law::tangential_law::TangentialLaw;

/// Number of cells of springs along the radius of a contact. Cells become wider or narrower with the radius, so that at
/// least a fourth of them are in contact.
const CELLS: usize = 16;

/// Tangential contact of Cattaneo and Mindlin: Hertzian spheres slip where the pressure is too small to prevent it,
/// from the rim inwards, for any history of loading. Oblique impacts rebound at the angles of Maw, Barber and Fawcett.
///
/// The method is the method of dimensionality reduction (Popov and Heß, *Method of Dimensionality Reduction in Contact
/// Mechanics and Friction*, 2015). Springs stand side by side along the radius a = √(R δ) of the contact. Each spring
/// has its own limit, a fraction of `μ F_n` that falls as 1 − x²/a² towards the rim. Springs enter the contact without
/// force, and are released before they leave it, so that no path gains energy. Even a contact that never slides as a
/// whole loses energy, because its rim slips whenever the load changes; with
/// [`FrictionSpring`](crate::law::FrictionSpring) such a contact loses none.
///
/// The springs are lumped into 16 cells. After an impact of 2000 steps, the tangential speed `ψ = κ v_t/(μ v_n)` has an
/// error of at most 0.003 if the contact sticks; κ is the ratio of tangential to normal stiffness, `v_n` the speed of
/// impact. The history takes 400 bytes and is stored twice for each contact. Damping by restitution is added, and the
/// sum is at most `μ F_n`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MindlinDeresiewicz {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::positive"))]
    modulus: f64,
    /// Factor `2 √(5/6) ζ √k_t` of the tangential damping, with the damping ratio ζ that follows from the restitution.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    ratio: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::util::serde_checked::not_negative"))]
    friction: f64,
}

/// History of a contact with partial slip: the stretch of springs side by side along the radius of the contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MindlinDeresiewiczHistory {
    /// Width in m of a cell of the contact's radius; zero for a new contact.
    cell: f64,
    radius: f64,
    /// Stretch of the springs of each cell times the width that these springs fill, in m², from the middle to the rim.
    stretch: [DVec3; CELLS],
}

contact_history!(MindlinDeresiewiczHistory { cell: f64, radius: f64, stretch: [DVec3; CELLS] });

impl MindlinDeresiewicz {
    /// Makes the law with the tangential modulus `k_t` (Pa) and the friction coefficient μ. A sticking contact of the
    /// radius a has the stiffness `k_t a`; for elastic spheres `k_t` is 8 G*, with the reduced shear modulus G*.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless both are finite, the modulus is positive and the coefficient is not
    /// negative.
    pub fn new(modulus: f64, friction: f64) -> Result<Self, DemError> {
        let modulus = positive("the tangential modulus", modulus)?;
        Ok(Self { modulus, ratio: 0.0, friction: not_negative("the friction coefficient", friction)? })
    }

    /// Returns this law with the damping coefficient `2 √(5/6) ζ √(m_eff k_t a)`, where the damping ratio ζ follows
    /// from the restitution in `damping`.
    #[must_use]
    pub fn damped(self, damping: Damping) -> Self {
        Self { ratio: damping.of_slip(self.modulus), ..self }
    }
}

impl MindlinDeresiewiczHistory {
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

    /// Adapts the cells of springs to another radius (m) of the contact. Springs that leave the contact are dropped.
    /// New springs are not stretched, so the sum over a growing cell is unchanged.
    fn set_radius(&mut self, radius: f64) {
        if !(radius > 0.0 && radius.is_finite()) {
            *self = Self::default();
            return;
        }
        // The cell width of a restored history may have any value, and for some values the loops below would not end.
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

impl TangentialLaw for MindlinDeresiewicz {
    type History = MindlinDeresiewiczHistory;

    #[inline]
    fn force(&self, contact: &ContactKinematics, history: &mut MindlinDeresiewiczHistory) -> DVec3 {
        let radius = (contact.radius * contact.overlap).sqrt();
        // The first step of a contact counts in full, as with other springs.
        let before = if history.radius > 0.0 { history.radius.min(radius) } else { radius };
        history.set_radius(radius);
        // A net attractive normal force gives no friction.
        let most = self.friction * contact.normal_force.max(0.0);
        let displacement = contact.velocity * contact.elapsed;
        let square = radius * radius;
        let mut sum = DVec3::ZERO;
        for k in 0..CELLS {
            let [inner, outer] = history.ends(k, radius);
            let width = outer - inner;
            // Fraction of the pressure on this cell, ∫ (1 − x²/a²) dx/(2 a/3).
            let share = 1.5 * width * (1.0 - (inner * inner + inner * outer + outer * outer) / (3.0 * square)) / radius;
            let limit = if width > 0.0 { most * share / self.modulus } else { 0.0 };
            // Springs that have entered the contact in this step have moved for half of it.
            let moved = 0.5 * (width + history.width(k, before));
            let stretch = flattened(history.stretch[k] + displacement * moved, contact.normal);
            let length = stretch.length();
            history.stretch[k] = if length > limit { stretch * (limit / length) } else { stretch };
            sum += history.stretch[k];
        }
        let force = sum * -self.modulus - contact.velocity * (self.ratio * (contact.mass * radius).sqrt());
        let size = force.length();
        if size > most { force * (most / size) } else { force }
    }

    #[inline]
    fn spring_stiffness(&self, history: &MindlinDeresiewiczHistory) -> f64 {
        self.modulus * history.radius
    }

    #[inline]
    fn stored_energy(&self, contact: &ContactKinematics, history: &MindlinDeresiewiczHistory) -> f64 {
        let radius = (contact.radius * contact.overlap).sqrt().min(history.radius);
        let energy = |k: usize| {
            let before = history.width(k, history.radius);
            let now = history.width(k, radius);
            if now > 0.0 { 0.5 * history.stretch[k].length_squared() * now / (before * before) } else { 0.0 }
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
    use rrp_geom::glam::DMat3;

    use super::*;
    use crate::law::contact_history::ContactHistory;

    const MODULUS: f64 = 3e6;
    const FRICTION: f64 = 0.3;
    const REDUCED: f64 = 0.25;

    fn contact(overlap: f64, normal_force: f64, velocity: DVec3) -> ContactKinematics {
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

    fn law() -> MindlinDeresiewicz {
        MindlinDeresiewicz::new(MODULUS, FRICTION).unwrap()
    }

    /// Displacement at which the force of Cattaneo and Mindlin is the fraction `part` of `μ F_n`, over the displacement
    /// at which the whole contact slips.
    fn displacement_at(part: f64) -> f64 {
        1.0 - (1.0 - part).powf(2.0 / 3.0)
    }

    /// Work of a load cycle between the fraction `part` of `μ F_n` and its opposite, over `μ F_n` times the
    /// displacement of full slip. The work is twice the integral of the force over one half of the cycle, in which the
    /// displacement changes by twice its change at half the force.
    fn loop_work(part: f64) -> f64 {
        let a = 1.5 * displacement_at(part);
        let b = 0.6 * (1.0 - (1.0 - part).powf(5.0 / 3.0));
        8.0 / 3.0 * (2.0 * (a - b) - part * a)
    }

    #[test]
    fn under_a_constant_load_there_and_back_is_as_cattaneo_and_mindlin_say() {
        let overlap = 1e-3_f64;
        let push = 20.0;
        let steps = 1000_u32;
        let limit = FRICTION * push;
        let whole = 1.5 * limit / (MODULUS * (REDUCED * overlap).sqrt());
        let mut force = DVec3::ZERO;
        let mut pull = |history: &mut MindlinDeresiewiczHistory, displacement: f64, part: f64| {
            let step = displacement * whole / f64::from(steps);
            let mut work = 0.0;
            for _ in 0..steps {
                let before = force;
                force = law().force(&contact(overlap, push, DVec3::X * step), history);
                work -= 0.5 * (force + before).x * step;
            }
            assert!((-force.x / limit - part).abs() < 3e-3, "{}, not {part}", -force.x / limit);
            assert!(force.y.abs() <= 0.0 && force.z.abs() <= 0.0);
            work
        };
        // Load to 0.8 of the limit, back to −0.8 (by twice the displacement at half the change, after Masing), and
        // forth again.
        let part = 0.8;
        let mut history = MindlinDeresiewiczHistory::default();
        let _ = pull(&mut history, displacement_at(part), part);
        let top = history;
        let back = pull(&mut history, -2.0 * displacement_at(part), -part);
        let work = back + pull(&mut history, 2.0 * displacement_at(part), part);
        for (now, top) in history.stretch.iter().zip(&top.stretch) {
            assert!((*now - *top).length() < 1e-9 * whole);
        }
        let expected = loop_work(part) * limit * whole;
        // The work is 1.024 times the exact one with eight cells in contact, and would be 1.006 times with 16 cells.
        assert!((work / expected - 1.0).abs() < 0.03, "{work}, not {expected}");
        let _ = pull(&mut history, 1.5, 1.0);
    }

    #[test]
    fn a_sheared_contact_that_is_pressed_deeper_keeps_its_force_and_loses_it_in_the_end() {
        let mut history = MindlinDeresiewiczHistory::default();
        let law = law();
        let deep = |k: i32| 1e-6 * 1.02_f64.powi(k);
        let press = |overlap: f64| 1e9 * overlap * overlap.sqrt();
        let way = DVec3::X * 1e-8;
        let sheared = law.force(&contact(deep(0), press(deep(0)), way), &mut history);
        let begin = law.stored_energy(&contact(deep(0), 0.0, way), &history);
        let mut energy = begin;
        for k in 1..400 {
            let contact = contact(deep(k), press(deep(k)), DVec3::ZERO);
            let force = law.force(&contact, &mut history);
            assert!((force - sheared).length() < 1e-9 * sheared.length(), "{k}");
            let now = law.stored_energy(&contact, &history);
            assert!(now <= energy * (1.0 + 1e-12));
            energy = now;
        }
        for k in (0..400).rev() {
            let contact = contact(deep(k), press(deep(k)), DVec3::ZERO);
            let _ = law.force(&contact, &mut history);
            let now = law.stored_energy(&contact, &history);
            assert!(now <= energy * (1.0 + 1e-12));
            energy = now;
        }
        assert!(energy < begin);
    }

    /// Checks the force −k ∫ a v dt of a contact that grows while it slips, without a friction limit.
    #[test]
    fn slip_of_a_growing_contact_counts_at_its_mean_radius() {
        let law = MindlinDeresiewicz::new(MODULUS, 1e9).unwrap();
        // The radius grows from 1 to 1.5 mm, so that cells are merged, while the contact moves by 1 µm.
        let error = |steps: u32| {
            let mut history = MindlinDeresiewiczHistory::default();
            let mut force = DVec3::ZERO;
            for k in 0..=steps {
                let radius = 1e-3 * (1.0 + 0.5 * f64::from(k) / f64::from(steps));
                let way = if k > 0 { DVec3::X * (1e-6 / f64::from(steps)) } else { DVec3::ZERO };
                force = law.force(&contact(radius * radius / REDUCED, 1.0, way), &mut history);
            }
            (force.x / (MODULUS * 1.25e-3 * -1e-6) - 1.0).abs()
        };
        let [coarse, fine] = [16, 32].map(error);
        assert!(coarse < 1e-12 && fine < 1e-12, "{coarse:.1e} {fine:.1e}");
    }

    proptest! {
        /// Checks that the sum of the stretch is unchanged if cells of a contact are merged or cut.
        #[test]
        fn cells_keep_the_sum(first in 1e-6_f64..1e-2, growth in 0.0_f64..8.0, loss in 0.0_f64..8.0) {
            let mut history = MindlinDeresiewiczHistory::default();
            history.set_radius(first);
            for k in 0..CELLS {
                history.stretch[k] = DVec3::X * history.width(k, first);
            }
            let sum = |history: &MindlinDeresiewiczHistory| history.stretch.iter().sum::<DVec3>().x;
            let radius = first * growth.exp();
            history.set_radius(radius);
            prop_assert!((sum(&history) - first).abs() < 1e-12 * first);
            // Springs are stretched evenly over the first radius, so the sum is the remaining part, to within the last
            // cell.
            let left = radius * (-loss).exp();
            history.set_radius(left);
            let expected = left.min(first);
            prop_assert!((sum(&history) - expected).abs() <= 0.25 * radius, "{} {}", sum(&history), expected);
            prop_assert!(sum(&history) <= first * (1.0 + 1e-12));
        }
    }

    #[test]
    fn whatever_was_restored_comes_to_an_end() {
        let any = [f64::NAN, f64::INFINITY, -1.0, 0.0, f64::MIN_POSITIVE, 1e-300, 1e-3, f64::MAX];
        for (cell, before, radius) in
            any.into_iter().flat_map(|a| any.map(|b| (a, b))).flat_map(|(a, b)| any.map(|c| (a, b, c)))
        {
            let stretch = [DVec3::splat(before); CELLS];
            let mut history = MindlinDeresiewiczHistory { cell, radius: before, stretch };
            history.set_radius(radius);
            assert!(history.radius.to_bits() == radius.to_bits() || history == MindlinDeresiewiczHistory::default());
            let _ = law().force(&contact(radius, before, DVec3::splat(cell)), &mut history);
        }
    }

    #[test]
    fn what_is_seen_from_the_other_body_is_turned_around() {
        let mut history = MindlinDeresiewiczHistory::default();
        let _ = law().force(&contact(1e-3, 10.0, DVec3::new(1e-5, -2e-5, 0.0)), &mut history);
        let reversed = history.turned(&-DMat3::IDENTITY);
        assert!(reversed.turned(&-DMat3::IDENTITY) == history && reversed != history);
        let forward = law().force(&contact(1e-3, 10.0, DVec3::X * 1e-6), &mut history.clone());
        let back = law().force(&contact(1e-3, 10.0, DVec3::NEG_X * 1e-6), &mut reversed.clone());
        assert_eq!(forward, -back);
    }
}
