//! The second stage: normals and overlaps at the end of the step, the slip in its middle.
//!
//! Forces belong to the end of a step, the slip to its middle: `d_m = d_{n+1} − h/2 (V_b − V_a)`. A spring that grows
//! by the velocity in the middle with the normal and the arms of the end mixes two moments. That is of first order
//! wherever arms turn, and lets small spheres stick to large ones. See docs/decisions/0016.

use pulp::{Simd, WithSimd};
use rrp_geom::glam::DVec3;

use crate::force::contact_model::relative_velocity;
use crate::force::tiles::batch::{Approach, PairsOfBatch, Slip, Touch, get, set};
use crate::force::tiles::scene::Needs;
use crate::law::least_rotation::LeastRotation;

/// Radii of a and b in m, of spheres that may differ.
struct AnyRadii;

/// The same, where all radii are this one.
struct OneRadius(f64);

/// The radii of the pairs: one for all spheres, or read for each pair.
trait Radii {
    fn of(&self, approach: &Approach, slot: usize) -> [f64; 2];

    /// `r_a r_b/(r_a + r_b)` in m.
    fn reduced(&self, approach: &Approach, slot: usize) -> f64;

    /// `(r_a − g) Ω_a + (r_b − g) Ω_b` in m/s, with arms shorter by g = `give` (m).
    fn rolling(&self, approach: &Approach, slot: usize, give: f64) -> DVec3;

    /// The same by the distance of the centres in rad/s, with arms that meet in the middle of the overlap.
    fn rolling_by_distance(&self, approach: &Approach, slot: usize, centres: &LeastRotation) -> DVec3;
}

impl Radii for AnyRadii {
    #[inline(always)]
    fn of(&self, approach: &Approach, slot: usize) -> [f64; 2] {
        [approach.radius[0][slot], approach.radius[1][slot]]
    }

    #[inline(always)]
    fn reduced(&self, approach: &Approach, slot: usize) -> f64 {
        let [ra, rb] = self.of(approach, slot);
        ra * rb / (ra + rb)
    }

    #[inline(always)]
    fn rolling(&self, approach: &Approach, slot: usize, give: f64) -> DVec3 {
        get(&approach.rolling, slot) - get(&approach.turning, slot) * give
    }

    #[inline(always)]
    fn rolling_by_distance(&self, approach: &Approach, slot: usize, centres: &LeastRotation) -> DVec3 {
        let [ra, rb] = self.of(approach, slot);
        self.rolling(approach, slot, 0.5 * ((ra + rb) - centres.length)) * centres.inverse_length
    }
}

impl Radii for OneRadius {
    #[inline(always)]
    fn of(&self, _: &Approach, _: usize) -> [f64; 2] {
        [self.0; 2]
    }

    #[inline(always)]
    fn reduced(&self, _: &Approach, _: usize) -> f64 {
        0.5 * self.0
    }

    #[inline(always)]
    fn rolling(&self, approach: &Approach, slot: usize, give: f64) -> DVec3 {
        get(&approach.turning, slot) * (self.0 - give)
    }

    #[inline(always)]
    fn rolling_by_distance(&self, approach: &Approach, slot: usize, _: &LeastRotation) -> DVec3 {
        // Both arms are half of the distance.
        get(&approach.turning, slot) * 0.5
    }
}

/// Normals, overlaps and slip of a batch; the outcome is whether a pair overlaps by a radius or more.
pub(crate) struct KinematicsStage<'a> {
    pub(crate) needs: &'a Needs,
    pub(crate) batch: &'a PairsOfBatch,
    pub(crate) approach: &'a Approach,
    pub(crate) touch: &'a mut Touch,
    pub(crate) slip: &'a mut Slip,
}

impl WithSimd for KinematicsStage<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { needs, batch, approach, touch, slip } = self;
        match needs.radius {
            Some(radius) => with_radii(&OneRadius(radius), needs, batch, approach, touch, slip),
            None => with_radii(&AnyRadii, needs, batch, approach, touch, slip),
        }
    }
}

#[inline(always)]
fn with_radii(
    radii: &impl Radii,
    needs: &Needs,
    batch: &PairsOfBatch,
    approach: &Approach,
    touch: &mut Touch,
    slip: &mut Slip,
) -> bool {
    let lanes = batch.lanes();
    let is_too_deep = meet(radii, needs, approach, touch, lanes);
    if needs.motion && needs.slip_before_end > 0.0 {
        slip_in_the_middle(radii, needs, approach, touch, slip, lanes);
    } else if needs.motion {
        slip_at_the_end(radii, needs, approach, touch, slip, lanes);
    }
    is_too_deep
}

/// Normals and overlaps at the end of the step.
#[inline(always)]
fn meet(radii: &impl Radii, needs: &Needs, approach: &Approach, touch: &mut Touch, lanes: usize) -> bool {
    let mut deep = 0_u64;
    for slot in 0..lanes {
        let separation = get(&approach.separation, slot);
        let [ra, rb] = radii.of(approach, slot);
        let distance = separation.length_squared().sqrt();
        let gap = distance - (ra + rb);
        deep += u64::from(-gap >= ra.min(rb));
        touch.overlap[slot] = (-gap).max(0.0 - needs.range);
        touch.radius[slot] = radii.reduced(approach, slot);
        touch.mass[slot] = approach.inverse_mass[slot].recip();
        touch.distance[slot] = distance;
        set(&mut touch.normal, slot, separation * distance.recip());
    }
    deep > 0
}

/// Slip and turning at the end of the step.
#[inline(always)]
fn slip_at_the_end(
    radii: &impl Radii,
    needs: &Needs,
    approach: &Approach,
    touch: &Touch,
    slip: &mut Slip,
    lanes: usize,
) {
    for slot in 0..lanes {
        let (normal, turning) = (get(&touch.normal, slot), get(&approach.turning, slot));
        let rolling = radii.rolling(approach, slot, 0.5 * (touch.overlap[slot] * needs.lever));
        let velocity = relative_velocity(get(&approach.velocity, slot), rolling, normal);
        set(&mut slip.velocity, slot, velocity - normal * velocity.dot(normal));
        set(&mut slip.spin, slot, get(&approach.spin, slot));
        slip.turning[slot] = 0.5 * turning.dot(normal);
    }
}

/// Slip and turning in the middle of the step, turned to its end.
#[inline(always)]
fn slip_in_the_middle(
    radii: &impl Radii,
    needs: &Needs,
    approach: &Approach,
    touch: &Touch,
    slip: &mut Slip,
    lanes: usize,
) {
    for slot in 0..lanes {
        let centres = get(&approach.velocity, slot);
        let separation = get(&approach.separation, slot) - centres * needs.slip_before_end;
        let turn = LeastRotation::new(separation, get(&touch.normal, slot));
        let rolling = radii.rolling_by_distance(approach, slot, &turn);
        let velocity = relative_velocity(centres, rolling, separation);
        set(&mut slip.velocity, slot, turn.across(velocity));
        if needs.spin {
            let spin = get(&approach.spin, slot);
            set(&mut slip.spin, slot, turn.turn(spin));
        }
        slip.turning[slot] = 0.5 * turn.along(get(&approach.turning, slot));
    }
}
