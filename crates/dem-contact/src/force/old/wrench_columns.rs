//! Forces and torques of all bodies, written block by block by whoever has summed one, and added to by whoever hands it on.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use rrp_integrate::Wrenches;

use crate::force::old::apart::Apart;
use crate::force::old::exchange::Parcels;
use crate::force::old::kernel::TANGENTIAL;
use crate::force::old::prefetch::fetch_ahead;
use crate::force::old::sink::Sink;
use crate::force::old::tray::Tray;
use crate::neighbor::NeighborList;

/// How often a thread looks for columns that no one writes, before it waits for some.
const LOOKS: usize = 1000;

/// The components of one vector of all bodies.
type Columns<'a> = [&'a mut [f64]; 3];

/// Where forces and torques are written, by body. To each body what its own block has comes first, then what others send, in their
/// order: which thread comes first changes nothing.
pub(crate) struct WrenchColumns<'a> {
    force: Apart<Mutex<Columns<'a>>>,
    torque: Option<Apart<Mutex<Columns<'a>>>>,
}

impl<'a> WrenchColumns<'a> {
    /// Those of `out`, which are to be overwritten; torques where the mode has some.
    pub(crate) fn of(mode: u8, out: &'a mut Wrenches) -> Self {
        let torque = (mode >= TANGENTIAL).then(|| Apart(Mutex::new(out.torque.overwrite())));
        Self { force: Apart(Mutex::new(out.force.overwrite())), torque }
    }

    /// Whether there are torques.
    pub(crate) fn have_torques(&self) -> bool {
        self.torque.is_some()
    }

    /// Hands the sums of some bodies over to them; torques, where there are any.
    pub(crate) fn write(&self, bodies: &[u32], [force, torque]: [&[[f64; 4]]; 2]) {
        self.each(&|columns| scatter(bodies, force.iter(), columns), &|columns| {
            scatter(bodies, torque.iter(), columns)
        });
    }

    /// Has forces and torques written, those where there are some. Of two threads one begins with what the other is not at: to be
    /// woken up takes longer than to write.
    fn each(&self, write_forces: &dyn Fn(&mut Columns<'a>), write_torques: &dyn Fn(&mut Columns<'a>)) {
        let (mut forces, mut torques) = (Some(&self.force), self.torque.as_ref());
        for look in 0.. {
            for (left, write) in [(&mut forces, write_forces), (&mut torques, write_torques)] {
                if let Some(mut columns) = left.and_then(|Apart(columns)| enter(columns, look >= LOOKS)) {
                    write(&mut columns);
                    *left = None;
                }
            }
            if forces.is_none() && torques.is_none() {
                return;
            }
            std::hint::spin_loop();
        }
    }
}

impl Sink for WrenchColumns<'_> {
    fn put(&self, list: &NeighborList, places: Range<usize>, tray: &Tray) {
        let (bodies, sums) = (&list.order()[places], &tray.sums);
        self.each(&|columns| scatter(bodies, sums.iter().map(|sum| &sum.force), columns), &|columns| {
            scatter(bodies, sums.iter().map(|sum| &sum.torque), columns)
        });
    }

    fn add(&self, list: &NeighborList, places: &[u32], parcels: Parcels<'_>) {
        let bodies = || places.iter().map(|&place| list.order()[place as usize]).zip(parcels.wrenches);
        self.each(&|columns| bodies().for_each(|(i, [x, y, z, _, _, _])| push(i, [x, y, z], columns)), &|columns| {
            bodies().for_each(|(i, [_, _, _, x, y, z])| push(i, [x, y, z], columns))
        });
    }
}

/// What is behind a lock if it is free, or if that is waited for.
fn enter<T>(guarded: &Mutex<T>, wait: bool) -> Option<MutexGuard<'_, T>> {
    if wait {
        return Some(guarded.lock().unwrap_or_else(PoisonError::into_inner));
    }
    match guarded.try_lock() {
        Ok(entered) => Some(entered),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Hands sums over to their bodies.
fn scatter<'s>(bodies: &[u32], sums: impl Iterator<Item = &'s [f64; 4]>, [x, y, z]: &mut Columns<'_>) {
    for (at, (&i, sum)) in bodies.iter().zip(sums).enumerate() {
        fetch_ahead(bodies, at, [*x, *y, *z]);
        let i = i as usize;
        (x[i], y[i], z[i]) = (sum[0], sum[1], sum[2]);
    }
}

/// Adds to the sum of a body.
#[inline(always)]
fn push(body: u32, more: [&f64; 3], columns: &mut Columns<'_>) {
    columns.iter_mut().zip(more).for_each(|(column, more)| column[body as usize] += more);
}
