//! Where the sums of contacts that are evaluated one by one go, by several threads at the same time.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::force::old::buffers::Sums;
use crate::force::old::exchange::Parcels;
use crate::force::old::tray::Tray;
use crate::neighbor::NeighborList;

/// What takes sums.
pub(crate) trait Sink: Sync {
    /// Takes what the places of a block get from its own pairs, the first ones of its tray, over whatever was there: before anything is
    /// added to them.
    fn put(&self, list: &NeighborList, places: Range<usize>, tray: &Tray);

    /// Adds what places of one block get from the pairs of another, after that block was put. Calls for a block come one after the
    /// other, in the order of the senders.
    fn add(&self, list: &NeighborList, places: &[u32], parcels: Parcels<'_>);
}

/// Sums by place, for several threads.
pub(crate) struct SumsByPlace<'a>(Mutex<&'a mut Sums>);

impl<'a> SumsByPlace<'a> {
    /// Those with room for forces and torques of all places.
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
    use crate::force::old::exchange::Parcel;
    use crate::force::old::kernel::TANGENTIAL;
    use crate::force::old::tray::Wrench;
    use crate::force::old::wrench_columns::WrenchColumns;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::Domain;

    /// A number of its own for each place, in thirds, so that sums depend on the order.
    fn row(place: usize, at: usize) -> [f64; 4] {
        std::array::from_fn(|c| if c < 3 { (10 * place + at + c) as f64 / 3.0 } else { 0.0 })
    }

    /// Places that get something from others, twice; what they get is huge the first time and as much less the second.
    fn sent(len: usize) -> (Vec<u32>, [Vec<Parcel>; 2]) {
        let places: Vec<u32> = (0..len as u32 - 1).step_by(3).chain([len as u32 - 1]).collect();
        let parcels = [1e16, -1e16].map(|huge| {
            let parcel = |k: usize| std::array::from_fn(|c| huge + 7.0 * (k + c) as f64);
            (0..places.len()).map(parcel).collect()
        });
        (places, parcels)
    }

    /// Has two threads put all blocks, and then add what is sent.
    fn fill(sink: &impl Sink, list: &NeighborList) {
        let (cut, (places, parcels)) = (list.blocks(), sent(list.len()));
        let dissipative: Vec<[f64; 4]> = places.iter().map(|&place| row(place as usize, 1)).collect();
        let tray = |block: usize| {
            let places = cut.range(block);
            // Behind those of the block there are bodies beyond.
            let rows = |at: usize| places.clone().map(move |place| row(place, at)).chain([[7.0; 4]; 5]);
            let sums = rows(0).zip(rows(3)).map(|(force, torque)| Wrench { force, torque }).collect();
            Tray { sums, dissipative: rows(6).collect(), ..Tray::default() }
        };
        std::thread::scope(|scope| {
            for first in 0..2 {
                scope.spawn(move || {
                    // From the last one on, so that what is too much would stay.
                    let blocks = (first..cut.count()).step_by(2).rev();
                    blocks.for_each(|block| sink.put(list, cut.range(block), &tray(block)));
                });
            }
        });
        std::thread::scope(|scope| {
            let (mid, parcels, dissipative) = (places.len() / 2, &parcels, &dissipative);
            for part in [0..mid, mid..places.len()] {
                let places = &places[part.clone()];
                scope.spawn(move || {
                    for wrenches in parcels {
                        let (wrenches, dissipative) = (&wrenches[part.clone()], &dissipative[part.clone()]);
                        sink.add(list, places, Parcels { wrenches, dissipative });
                    }
                });
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
        // Whatever was there.
        let junk = vec![[7.0; 4]; count];
        let mut sums = Sums { force: junk.clone(), torque: junk.clone(), dissipative: junk };
        let mut out = Wrenches::zeros(count);
        (0..count).for_each(|i| out.force.add(i, DVec3::splat(7.0)));
        (0..count).for_each(|i| out.torque.add(i, DVec3::splat(7.0)));
        out.clear();
        fill(&SumsByPlace::of(&mut sums), &list);
        fill(&WrenchColumns::of(TANGENTIAL, &mut out), &list);
        let (places, parcels) = sent(count);
        for (place, &body) in list.order().iter().enumerate() {
            let added = places.iter().position(|&other| other as usize == place);
            let expected = |at: usize| -> [f64; 3] {
                std::array::from_fn(|c| {
                    let own = row(place, at)[c];
                    added.map_or(own, |k| (own + parcels[0][k][at + c]) + parcels[1][k][at + c])
                })
            };
            let bits = |[x, y, z]: [f64; 3]| [x, y, z].map(f64::to_bits);
            let of_body = [&out.force, &out.torque].map(|column| bits(column.get(body as usize).to_array()));
            let of_place = [&sums.force, &sums.torque].map(|rows| bits(xyz(rows[place])));
            assert_eq!([of_body, of_place], [[0, 3].map(|at| bits(expected(at))); 2], "{place}");
            let more = if added.is_some() { row(place, 1) } else { [0.0; 4] };
            let dissipative: [f64; 3] = std::array::from_fn(|c| (row(place, 6)[c] + more[c]) + more[c]);
            assert_eq!(bits(xyz(sums.dissipative[place])), bits(dissipative), "{place}");
        }
    }

    fn xyz([x, y, z, _]: [f64; 4]) -> [f64; 3] {
        [x, y, z]
    }
}
