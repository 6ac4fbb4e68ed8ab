//! The second stage: normals and overlaps at the end of the step, the slip in its middle.
//!
//! Forces belong to the end of a step, the slip to its middle: `d_m = d_{n+1} − h/2 (V_b − V_a)`. A spring that grows
//! by the velocity in the middle with the normal and the arms of the end mixes two moments. That is of first order
//! wherever arms turn, and lets small spheres stick to large ones. See docs/decisions/0016.

use pulp::Arch;

use crate::force::contact_model::relative_velocity;
use crate::force::tiles::batch::{Approach, Batch, Slip, Touch, get, set};
use crate::force::tiles::scene::Needs;
use crate::law::least_rotation::LeastRotation;
use crate::util::vectorized::vectorized;

/// Finds normals, overlaps and slip of a batch; true if a pair overlaps by a radius or more.
pub(crate) fn find_kinematics(arch: Arch, needs: &Needs, batch: &mut Batch) -> bool {
    vectorized(
        arch,
        #[inline(always)]
        || match needs.radius {
            Some(radius) => with_radii::<true>(radius, needs, batch),
            None => with_radii::<false>(0.0, needs, batch),
        },
    )
}

/// The kinematics of pairs of spheres that have `ONE` radius (m), or radii of their own.
#[inline(always)]
fn with_radii<const ONE: bool>(radius: f64, needs: &Needs, batch: &mut Batch) -> bool {
    let (lanes, Batch { approach, touch, slip, .. }) = (batch.pairs.lanes(), batch);
    let is_too_deep = meet::<ONE>(radius, needs, approach, touch, lanes);
    if needs.motion && needs.slip_before_end > 0.0 {
        slip_in_the_middle::<ONE>(needs, approach, touch, slip, lanes);
    } else if needs.motion {
        slip_at_the_end::<ONE>(radius, needs, approach, touch, slip, lanes);
    }
    is_too_deep
}

/// Normals and overlaps at the end of the step.
#[inline(always)]
fn meet<const ONE: bool>(radius: f64, needs: &Needs, approach: &Approach, touch: &mut Touch, lanes: usize) -> bool {
    let mut deep = 0_u64;
    for slot in 0..lanes {
        let separation = get(&approach.separation, slot);
        let [ra, rb] = if ONE { [radius; 2] } else { [0, 1].map(|side| approach.radius[side][slot]) };
        let distance = separation.length_squared().sqrt();
        let gap = distance - (ra + rb);
        deep += u64::from(-gap >= ra.min(rb));
        touch.overlap[slot] = (-gap).max(0.0 - needs.range);
        touch.radius[slot] = if ONE { 0.5 * radius } else { ra * rb / (ra + rb) };
        touch.mass[slot] = approach.inverse_mass[slot].recip();
        touch.distance[slot] = distance;
        set(&mut touch.normal, slot, separation * distance.recip());
    }
    deep > 0
}

/// Slip and turning at the end of the step.
#[inline(always)]
fn slip_at_the_end<const ONE: bool>(
    radius: f64,
    needs: &Needs,
    approach: &Approach,
    touch: &Touch,
    slip: &mut Slip,
    lanes: usize,
) {
    for slot in 0..lanes {
        let (normal, turning) = (get(&touch.normal, slot), get(&approach.turning, slot));
        // `l_a Ω_a + l_b Ω_b`, with arms that are shorter than radii by `give`.
        let give = 0.5 * (touch.overlap[slot] * needs.lever);
        let rolling = if ONE { turning * (radius - give) } else { get(&approach.rolling, slot) - turning * give };
        let velocity = relative_velocity(get(&approach.velocity, slot), rolling, normal);
        set(&mut slip.velocity, slot, velocity - normal * velocity.dot(normal));
        set(&mut slip.spin, slot, get(&approach.spin, slot));
        slip.turning[slot] = 0.5 * turning.dot(normal);
    }
}

/// Slip and turning in the middle of the step, turned to its end.
#[inline(always)]
fn slip_in_the_middle<const ONE: bool>(
    needs: &Needs,
    approach: &Approach,
    touch: &Touch,
    slip: &mut Slip,
    lanes: usize,
) {
    for slot in 0..lanes {
        let (centres, turning) = (get(&approach.velocity, slot), get(&approach.turning, slot));
        let separation = get(&approach.separation, slot) - centres * needs.slip_before_end;
        let turn = LeastRotation::new(separation, get(&touch.normal, slot));
        // `l_a Ω_a + l_b Ω_b` by the distance of the centres, with arms that meet in the middle of the overlap.
        let rolling = if ONE {
            turning * 0.5
        } else {
            let give = 0.5 * ((approach.radius[0][slot] + approach.radius[1][slot]) - turn.length);
            (get(&approach.rolling, slot) - turning * give) * turn.inverse_length
        };
        let velocity = relative_velocity(centres, rolling, separation);
        set(&mut slip.velocity, slot, turn.across(velocity));
        if needs.spin {
            let spin = get(&approach.spin, slot);
            set(&mut slip.spin, slot, turn.turn(spin));
        }
        slip.turning[slot] = 0.5 * turn.along(turning);
    }
}
