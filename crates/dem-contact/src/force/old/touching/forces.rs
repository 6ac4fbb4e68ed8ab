//! What laws say about the pairs of a batch.

use crate::force::old::slots::BATCH;
use crate::force::old::touching::contacts::Column;

/// Forces by columns: see [`ContactForces`](crate::force::contact_model::ContactForces).
#[repr(align(64))]
pub(super) struct Forces {
    pub(super) normal: Column,
    /// The part of it that is elastic, where that is asked for.
    pub(super) elastic: Column,
    pub(super) tangential: [Column; 3],
    /// Zero where no law resists rolling.
    pub(super) couple: [Column; 3],
}

impl Forces {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let column = [0.0; BATCH];
        Self { normal: column, elastic: column, tangential: [column; 3], couple: [column; 3] }
    }
}
