//! Spheres at random places that do not overlap.

use rrp_geom::glam::DVec3;
use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::cells::{INDEX_BITS, INDEX_MASK};
use crate::error::positive;
use crate::par::{BLOCK, all_blocks};
use crate::{Boundary, DemError, Domain, NeighborList};

/// Relative growth of the radii that are pushed apart, so that an end is reached.
const MARGIN: f64 = 2e-3;
/// Share of an overlap that is removed at once, and of the last displacement that is kept.
const PUSH: f64 = 0.5;
const MEMORY: f64 = 0.8;
/// Iterations without success.
const PATIENCE: usize = 5000;
/// No arrangement of equal spheres is denser than π/√18, and of mixes none that could be found here.
const DENSEST: f64 = 0.85;

/// Centres (m) of spheres of these radii (m) at random places in `domain`, so that none overlap: what a pour starts from.
///
/// Spheres lie wholly within the box of the domain, except across periodic sides. They begin anywhere and are pushed
/// apart until they are free, small ones out of the way of large ones. Equal spheres are packed up to about 0.6 of the
/// volume in a time that grows with density, mixes of sizes more densely. The same radii and seed give the same centres,
/// for any number of threads.
///
/// # Errors
/// [`DemError::InvalidParameter`] for a radius that is not finite and positive, [`DemError::DoesNotFit`] if no room was
/// found, or the errors of [`NeighborList::update`] for too small a periodic domain.
pub fn random_packing(domain: &Domain, radii: &[f64], seed: u64) -> Result<Vec<DVec3>, DemError> {
    let mut smallest = f64::INFINITY;
    for &radius in radii {
        smallest = smallest.min(positive("the radius", radius)?);
    }
    let (low, high) = (domain.low(), domain.high());
    let size = high - low;
    let volume = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).sum::<f64>();
    let fraction = volume / (size.x * size.y * size.z);
    let bodies = radii.len();
    let too_large = |&r: &f64| (0..3).any(|c| domain.boundary()[c] != Boundary::Periodic && 2.0 * r > size[c]);
    if fraction > DENSEST || radii.iter().any(too_large) {
        return Err(DemError::DoesNotFit { bodies, fraction, overlap: f64::NAN });
    }
    if bodies == 0 {
        return Ok(Vec::new());
    }
    let mut bits = seed;
    let grown: ScalarColumn = radii.iter().map(|r| r * (1.0 + MARGIN)).collect();
    let anywhere = radii.iter().map(|&r| {
        let share = DVec3::from_array(std::array::from_fn(|_| uniform(&mut bits)));
        within(domain, low + size * share, r)
    });
    let mut position: VectorColumn = anywhere.collect();
    let mut list = NeighborList::new(*domain, 0.2 * smallest)?;
    let (mut push, mut way) = (vec![[0.0; 4]; bodies], vec![DVec3::ZERO; bodies]);
    let mut overlap = f64::INFINITY;
    for _ in 0..PATIENCE {
        list.update(&grown, &position)?;
        overlap = pushes(&list, &mut push);
        if overlap <= 0.0 {
            return Ok(position.iter().collect());
        }
        for (&i, &[x, y, z, _]) in list.order().iter().zip(&push) {
            let i = i as usize;
            // Those who are thrown out of a large body must not be shot through others.
            way[i] = (way[i] * MEMORY + DVec3::new(x, y, z) * PUSH).clamp_length_max(0.5 * radii[i]);
            position.set(i, within(domain, position.get(i) + way[i], radii[i]));
        }
    }
    Err(DemError::DoesNotFit { bodies, fraction, overlap })
}

/// What moves each body, by place, out of the others; returns the largest overlap of the radii without their margin, in
/// terms of the smaller one.
fn pushes(list: &NeighborList, push: &mut [[f64; 4]]) -> f64 {
    let (packed, shifts) = (list.packed(), list.shifts());
    all_blocks(packed.len(), &mut *push, &|first, _, push| {
        let rows = &list.rows()[first / BLOCK];
        for (k, push) in push.iter_mut().enumerate() {
            let a = packed[first + k];
            *push = [0.0, 0.0, 0.0, f64::NEG_INFINITY];
            for entry in rows.row(k) {
                let (other, shift) = ((entry & INDEX_MASK) as usize, shifts[(entry >> INDEX_BITS) as usize]);
                let b = packed[other];
                let mut way: [f64; 3] = std::array::from_fn(|c| (b[c] - a[c]) + shift[c]);
                let distance = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                if distance <= 0.0 {
                    // At one point: any direction will do that is opposite for the other one.
                    way = [if other > first + k { a[3] } else { -a[3] }, 0.0, 0.0];
                }
                let length = distance.max(if distance > 0.0 { 0.0 } else { a[3] });
                let overlap = a[3] + b[3] - distance;
                if overlap > 0.0 {
                    // The lighter gives way.
                    let share = b[3].powi(3) / (a[3].powi(3) + b[3].powi(3));
                    (0..3).for_each(|c| push[c] -= way[c] / length * overlap * share);
                }
                let true_overlap = (a[3] + b[3]) / (1.0 + MARGIN) - distance;
                push[3] = push[3].max(true_overlap / a[3].min(b[3]));
            }
        }
        true
    });
    push.iter().fold(f64::NEG_INFINITY, |most, push| most.max(push[3]))
}

/// The nearest centre at which a sphere is within the domain.
fn within(domain: &Domain, center: DVec3, radius: f64) -> DVec3 {
    let inside = center.clamp(domain.low() + radius, (domain.high() - radius).max(domain.low() + radius));
    DVec3::from_array(std::array::from_fn(|c| {
        if domain.boundary()[c] == Boundary::Periodic { center[c] } else { inside[c] }
    }))
}

/// The next number in [0, 1) of a stream (splitmix64).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
