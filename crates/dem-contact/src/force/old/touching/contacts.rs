//! How the pairs of a batch touch.

use rrp_geom::glam::DVec3;

use crate::force::old::slots::BATCH;

/// One number of each pair of a batch.
pub(super) type Column = [f64; BATCH];

/// How pairs touch, by columns; apart from [`Batch`](crate::force::old::touching::batch::Batch), so that it is seen that they do not overlap.
#[repr(align(64))]
pub(super) struct Contacts {
    /// From the body that laws see the contact from to the other.
    pub(super) normal: [Column; 3],
    /// At the point of contact, of the other relative to that one.
    pub(super) velocity: [Column; 3],
    pub(super) overlap: Column,
    /// Reduced mass.
    pub(super) mass: Column,
    /// 1 if a is the body that laws see the contact from, else −1.
    pub(super) side: Column,
}

impl Contacts {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let column = [0.0; BATCH];
        Self { normal: [column; 3], velocity: [column; 3], overlap: column, mass: column, side: column }
    }
}

#[inline(always)]
pub(super) fn get([x, y, z]: &[Column; 3], slot: usize) -> DVec3 {
    DVec3::new(x[slot], y[slot], z[slot])
}

#[inline(always)]
pub(super) fn set([x, y, z]: &mut [Column; 3], slot: usize, vector: DVec3) {
    (x[slot], y[slot], z[slot]) = (vector.x, vector.y, vector.z);
}
