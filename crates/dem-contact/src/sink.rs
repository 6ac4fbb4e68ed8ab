//! Where the sums of contacts that are evaluated one by one go, by several threads at the same time.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::NeighborList;
use crate::buffers::Sums;
use crate::exchange::Parcels;
use crate::tray::Tray;

/// What takes sums.
pub(crate) trait Sink: Sync {
    /// Takes what the places of a block get from its own pairs, from its tray. First of all, whatever was there.
    fn put(&self, list: &NeighborList, places: Range<usize>, tray: &Tray);

    /// Adds what some places get from the pairs of another block, when these have been put.
    fn add(&self, list: &NeighborList, places: &[u32], parcels: Parcels<'_>);
}

/// Sums by place.
pub(crate) struct SumsByPlace<'a>(Mutex<&'a mut Sums>);

impl<'a> SumsByPlace<'a> {
    /// Those with room for all places.
    pub(crate) fn of(sums: &'a mut Sums) -> Self {
        Self(Mutex::new(sums))
    }
}

impl Sink for SumsByPlace<'_> {
    fn put(&self, _: &NeighborList, places: Range<usize>, tray: &Tray) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Sums { force, torque, dissipative } = &mut **sums;
        let (force, torque) = (&mut force[places.clone()], &mut torque[places.clone()]);
        for ((force, torque), sum) in force.iter_mut().zip(torque).zip(&tray.sums) {
            (*force, *torque) = (sum.force, sum.torque);
        }
        let dissipative = dissipative.iter_mut().skip(places.start).take(places.len());
        dissipative.zip(&tray.dissipative).for_each(|(all, own)| *all = *own);
    }

    fn add(&self, _: &NeighborList, places: &[u32], parcels: Parcels<'_>) {
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Sums { force, torque, dissipative } = &mut **sums;
        let add = |sum: &mut [f64; 4], more: &[f64]| sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        for (&place, [x, y, z, turn @ ..]) in places.iter().zip(parcels.wrenches) {
            add(&mut force[place as usize], &[*x, *y, *z]);
            add(&mut torque[place as usize], turn);
        }
        for (&place, more) in places.iter().zip(parcels.dissipative) {
            add(&mut dissipative[place as usize], more);
        }
    }
}
