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

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::Wrenches;

    use super::*;
    use crate::kernel::{SPLIT, TANGENTIAL};
    use crate::tray::Wrench;
    use crate::wrench_columns::WrenchColumns;
    use crate::{Domain, NeighborList};

    /// A number of its own for each place.
    fn row(place: usize, at: usize) -> [f64; 4] {
        std::array::from_fn(|c| if c < 3 { (10 * place + at + c) as f64 } else { 0.0 })
    }

    /// Has two threads put all blocks, and then add something to every third place and to the last one.
    fn fill(sink: &impl Sink, list: &NeighborList) {
        let cut = list.blocks();
        let tray = |block: usize| {
            let wrench = |place| Wrench { force: row(place, 0), torque: row(place, 3) };
            let places = cut.range(block);
            Tray {
                sums: places.clone().map(wrench).collect(),
                dissipative: places.map(|place| row(place, 6)).collect(),
                ..Tray::default()
            }
        };
        let places: Vec<u32> = (0..list.len() as u32 - 1).step_by(3).chain([list.len() as u32 - 1]).collect();
        let wrenches: Vec<[f64; 6]> = (0..places.len()).map(|k| std::array::from_fn(|c| (k + c) as f64)).collect();
        let dissipative: Vec<[f64; 4]> = places.iter().map(|&place| row(place as usize, 0)).collect();
        std::thread::scope(|scope| {
            for first in 0..2 {
                scope.spawn(move || {
                    (first..cut.count()).step_by(2).for_each(|block| sink.put(list, cut.range(block), &tray(block)));
                });
            }
        });
        std::thread::scope(|scope| {
            let mid = places.len() / 2;
            for part in [0..mid, mid..places.len()] {
                let (places, wrenches) = (&places[part.clone()], &wrenches[part.clone()]);
                let parcels = Parcels { wrenches, dissipative: &dissipative[part] };
                scope.spawn(move || sink.add(list, places, parcels));
            }
        });
    }

    #[test]
    fn sums_by_place_and_columns_of_bodies_get_the_same() {
        let count = 1500;
        // Numbered otherwise than they lie.
        let position = (0..count).map(|i| DVec3::X * ((7 * i) % count) as f64).collect();
        let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        list.update(&(0..count).map(|_| 0.5).collect(), &position).unwrap();
        assert!(list.blocks().count() > 2 && list.order().windows(2).any(|pair| pair[0] + 1 != pair[1]));
        let (mut sums, mut out) = (Sums::default(), Wrenches::zeros(count));
        sums.resize(count, SPLIT);
        // Whatever was there.
        sums.force.fill([7.0; 4]);
        fill(&SumsByPlace::of(&mut sums), &list);
        fill(&WrenchColumns::of(TANGENTIAL, &mut out), &list);
        for (place, &body) in list.order().iter().enumerate() {
            let (force, torque) = (out.force.get(body as usize), out.torque.get(body as usize));
            assert_eq!((force.to_array(), torque.to_array()), (xyz(sums.force[place]), xyz(sums.torque[place])));
            let added = if place % 3 == 0 { Some(place / 3) } else { (place == count - 1).then_some(count / 3) };
            let expected =
                |at| added.map_or(row(place, at), |k| std::array::from_fn(|c| row(place, at)[c] + (k + at + c) as f64));
            assert_eq!([force, torque].map(|sum| sum.to_array()), [0, 3].map(|at| xyz(expected(at))), "{place}");
            let times = if added.is_some() { [row(place, 6), row(place, 0)] } else { [row(place, 6), [0.0; 4]] };
            assert_eq!(
                xyz(sums.dissipative[place]).map(f64::to_bits),
                std::array::from_fn(|c| (times[0][c] + times[1][c]).to_bits())
            );
        }
    }

    fn xyz([x, y, z, _]: [f64; 4]) -> [f64; 3] {
        [x, y, z]
    }
}
