//! The second stage: normals and overlaps at the end of the step, the slip in the middle of the step.
//!
//! Forces belong to the end of a step of the length h, the slip to its middle: `d_m = d_{n+1} − h/2 (V_b − V_a)`, with
//! the separation d and the velocities V. A spring that is stretched by the velocity in the middle, but with the normal
//! and the lever arms at the end, mixes two times. The error is of first order wherever lever arms turn, and lets small
//! spheres stick to large ones. See docs/decisions/0016.

use pulp::Arch;
use rrp_geom::glam::DVec3;

use crate::force::contact_model::relative_velocity;
use crate::force::tiles::batch::{Batch, Relative, Rows};
use crate::force::tiles::scene::{LawNeeds, Needs};
use crate::law::batch::{BATCH, Column, Contacts, get, set};
use crate::law::least_rotation::LeastRotation;
use crate::util::vectorized::vectorized;

#[inline(always)]
fn row(rows: &Rows, slot: usize) -> (DVec3, f64) {
    let [x, y, z, last] = rows.0[slot];
    (DVec3::new(x, y, z), last)
}

/// Computes normals, overlaps and slip of the pairs of a batch; returns whether a pair overlaps by a radius or more.
pub(super) fn find_kinematics(arch: Arch, needs: &Needs, law: &LawNeeds, batch: &mut Batch) -> bool {
    let lanes = batch.pairs.lanes();
    batch.contacts.lanes = lanes;
    let Batch { relative, distance, contacts, .. } = batch;
    vectorized(
        arch,
        #[inline(always)]
        || match (law.motion, needs.radius) {
            (true, Some(_)) => {
                let is_too_deep = meet::<true, true>(relative, distance, contacts, lanes);
                slip::<true>(law, relative, distance, contacts, lanes);
                is_too_deep
            }
            (true, None) => {
                let is_too_deep = meet::<true, false>(relative, distance, contacts, lanes);
                slip::<false>(law, relative, distance, contacts, lanes);
                is_too_deep
            }
            (false, Some(_)) => meet::<false, true>(relative, distance, contacts, lanes),
            (false, None) => meet::<false, false>(relative, distance, contacts, lanes),
        },
    )
}

/// Computes normals, overlaps and normal velocities of a batch of pairs at the end of the step. `ONE_RADIUS` says that
/// all spheres have one radius, `MOTION` that normals and velocities are wanted. Returns whether a pair overlaps by a
/// radius or more.
#[expect(clippy::needless_range_loop, reason = "all columns are indexed alike, so that loops are vectorised")]
#[inline(always)]
fn meet<const MOTION: bool, const ONE_RADIUS: bool>(
    relative: &Relative,
    distances: &mut Column,
    contacts: &mut Contacts,
    lanes: usize,
) -> bool {
    let mut deep = 0_u64;
    for slot in 0..lanes.min(BATCH) {
        let (separation, radii) = row(&relative.separation, slot);
        let (velocity, radius_difference) = row(&relative.velocity, slot);
        let distance = separation.length_squared().sqrt();
        let overlap = radii - distance;
        deep += u64::from(overlap >= 0.5 * (radii - radius_difference.abs()));
        distances[slot] = distance;
        contacts.overlap[slot] = overlap;
        if !ONE_RADIUS {
            contacts.radius[slot] = 0.25 * (radii - radius_difference) * (radii + radius_difference) / radii;
        }
        if MOTION {
            let normal = separation * distance.recip();
            set(&mut contacts.normal, slot, normal);
            contacts.rate[slot] = velocity.dot(normal);
        }
    }
    deep > 0
}

/// Computes reduced masses, slip, and spin about the normal of a batch of contacts, at the time in the step at which
/// the law reads the slip.
#[inline(always)]
fn slip<const ONE_RADIUS: bool>(
    law: &LawNeeds,
    relative: &Relative,
    distance: &Column,
    contacts: &mut Contacts,
    lanes: usize,
) {
    if !law.tangential && !law.spin {
        return masses(relative, contacts, lanes);
    }
    match (law.slip_before_end > 0.0, law.spin) {
        (true, false) => slip_in_the_middle::<ONE_RADIUS, false>(law.slip_before_end, relative, contacts, lanes),
        (true, true) => slip_in_the_middle::<ONE_RADIUS, true>(law.slip_before_end, relative, contacts, lanes),
        (false, false) => slip_at_the_end::<ONE_RADIUS, false>(law.lever, relative, distance, contacts, lanes),
        (false, true) => slip_at_the_end::<ONE_RADIUS, true>(law.lever, relative, distance, contacts, lanes),
    }
}

#[inline(always)]
fn masses(relative: &Relative, contacts: &mut Contacts, lanes: usize) {
    for (slot, mass) in contacts.mass.iter_mut().enumerate().take(lanes) {
        *mass = relative.turning.0[slot][3].recip();
    }
}

/// Computes slip, spin about the normal and reduced masses of a batch of contacts at the end of the step.
#[expect(clippy::needless_range_loop, reason = "all columns are indexed alike, so that loops are vectorised")]
#[inline(always)]
fn slip_at_the_end<const ONE_RADIUS: bool, const SPIN: bool>(
    lever: f64,
    relative: &Relative,
    distance: &Column,
    contacts: &mut Contacts,
    lanes: usize,
) {
    for slot in 0..lanes.min(BATCH) {
        let normal = get(&contacts.normal, slot);
        let (velocity, radius_difference) = row(&relative.velocity, slot);
        let (turning, inverse_mass) = row(&relative.turning, slot);
        let radii = relative.separation.0[slot][3];
        // `l_a Ω_a + l_b Ω_b`, with lever arms that are shorter than radii by `give`.
        let give = 0.5 * ((radii - distance[slot]) * lever);
        let rolling = if ONE_RADIUS {
            turning * (0.5 * (radii - radius_difference) - give)
        } else {
            vector(relative.rolling[slot]) - turning * give
        };
        let velocity = relative_velocity(velocity, rolling, normal);
        set(&mut contacts.slip, slot, velocity - normal * velocity.dot(normal));
        contacts.mass[slot] = inverse_mass.recip();
        if SPIN {
            set(&mut contacts.spin, slot, vector(relative.spin[slot]));
            contacts.turning[slot] = 0.5 * turning.dot(normal);
        }
    }
}

/// Computes reduced masses of a batch of contacts, and slip and spin about the normal in the middle of the step, turned
/// to the frame at the end of the step.
#[inline(always)]
fn slip_in_the_middle<const ONE_RADIUS: bool, const SPIN: bool>(
    slip_before_end: f64,
    relative: &Relative,
    contacts: &mut Contacts,
    lanes: usize,
) {
    for slot in 0..lanes.min(BATCH) {
        let normal = get(&contacts.normal, slot);
        let (centres, radius_difference) = row(&relative.velocity, slot);
        let (turning, inverse_mass) = row(&relative.turning, slot);
        let (separation, radii) = row(&relative.separation, slot);
        let separation = separation - centres * slip_before_end;
        let turn = LeastRotation::new(separation, normal);
        // `l_a Ω_a + l_b Ω_b`, with lever arms to the middle of the overlap. The difference of radii is read even if it
        // is zero: leaving out one number of a row is slower (see `batch`).
        let give = 0.5 * (radii - turn.length);
        let arm = 0.5 * (radii - radius_difference) - give;
        let rolling = if ONE_RADIUS { turning * arm } else { vector(relative.rolling[slot]) - turning * give };
        let velocity = relative_velocity(centres, rolling * turn.inverse_length, separation);
        set(&mut contacts.slip, slot, turn.across(velocity));
        contacts.mass[slot] = inverse_mass.recip();
        if SPIN {
            set(&mut contacts.spin, slot, turn.turn(vector(relative.spin[slot])));
            contacts.turning[slot] = 0.5 * turn.along(turning);
        }
    }
}

#[inline(always)]
fn vector([x, y, z]: [f64; 3]) -> DVec3 {
    DVec3::new(x, y, z)
}
