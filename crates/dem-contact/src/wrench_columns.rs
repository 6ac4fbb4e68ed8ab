//! Forces and torques of all bodies, written block by block by whoever has summed one.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use rrp_integrate::Wrenches;

use crate::apart::Apart;
use crate::kernel::TANGENTIAL;
use crate::prefetch::fetch_ahead;

/// How often a thread looks for columns that no one writes, before it waits for some.
const LOOKS: usize = 1000;

/// Where forces and torques are written, by body. Each body is written once, so who comes first changes nothing.
pub(crate) struct WrenchColumns<'a> {
    force: Apart<Mutex<[&'a mut [f64]; 3]>>,
    torque: Option<Apart<Mutex<[&'a mut [f64]; 3]>>>,
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

    /// Hands the sums of some bodies over to them; torques, where there are any. Of two threads one begins with what the other is not at: to be
    /// woken up takes longer than to write.
    pub(crate) fn write(&self, bodies: &[u32], [force, torque]: [&[[f64; 4]]; 2]) {
        let (mut forces, mut torques) = (Some(&self.force), self.torque.as_ref());
        for look in 0.. {
            for (left, sums) in [(&mut forces, force), (&mut torques, torque)] {
                if let Some(mut columns) = left.and_then(|Apart(columns)| enter(columns, look >= LOOKS)) {
                    scatter(bodies, sums, &mut columns);
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
fn scatter(bodies: &[u32], sums: &[[f64; 4]], [x, y, z]: &mut [&mut [f64]; 3]) {
    for (at, (&i, sum)) in bodies.iter().zip(sums).enumerate() {
        fetch_ahead(bodies, at, [*x, *y, *z]);
        let i = i as usize;
        (x[i], y[i], z[i]) = (sum[0], sum[1], sum[2]);
    }
}
