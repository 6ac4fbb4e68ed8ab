//! Sums of forces over the rows of a list, and their way to the bodies.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rrp_integrate::{Bodies, State, Wrenches};

use crate::buffers::Buffers;
use crate::exchange::Exchange;
use crate::kernel::{self, Output, SPLIT, Scene, TANGENTIAL};
use crate::laws::Laws;
use crate::moving::MovingWindow;
use crate::pair_memory::Memories;
use crate::par::{BLOCK, PerBlock, all_blocks, all_large_blocks, both, pay_large_blocks, threads};
use crate::slots::Slots;
use crate::touching::{self, Work};
use crate::tray::Trays;
use crate::{ContactForce, ContactLaw, DemError, NeighborList, TangentialLaw};

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// The sums of all places.
    pub(crate) fn all_forces(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        motion: (&Bodies, &State),
    ) -> Result<(), DemError> {
        let len = self.list.len();
        let one_by_one = self.one_by_one();
        let Self { list, laws, memory, places, .. } = self;
        let Buffers { velocity, spin, moving, exchange, trays, force, torque, dissipative } = places;
        for (buffer, wanted) in [(&mut *force, true), (torque, mode >= TANGENTIAL), (dissipative, mode >= SPLIT)] {
            buffer.resize(if wanted { len } else { 0 }, [0.0; 4]);
        }
        let output = Output { force: &mut force[..], torque: &mut torque[..], dissipative: &mut dissipative[..] };
        let good = if one_by_one {
            let (memories, pending) = memory.slots(list);
            moving.clear(list.blocks());
            let between = (memories, pending, exchange, moving, &*trays);
            sum_one_by_one(mode, (list, laws), (elapsed, equal), motion, 0..len, between, output)
        } else {
            let scene = scene((list, laws), (velocity, spin, moving), (elapsed, equal));
            let Output { force, torque, dissipative } = output;
            all_blocks(len, (force, torque, dissipative), &|first, _, (force, torque, dissipative)| {
                let Some(rows) = list.rows().get(first / BLOCK) else { return true };
                kernel::block(mode, &scene, first, rows, Output { force, torque, dissipative })
            })
        };
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// The sums of all places, written to the columns of the bodies while they are in the cache.
    pub(crate) fn write_forces(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        motion: (&Bodies, &State),
        out: &mut Wrenches,
    ) -> Result<(), DemError> {
        if self.one_by_one() {
            return self.write_chunks(mode, (elapsed, equal), motion, out);
        }
        let Self { list, laws, places, .. } = self;
        let Buffers { velocity, spin, moving, .. } = &*places;
        let scene = scene((list, laws), (velocity, spin, moving), (elapsed, equal));
        let good = write_places(mode, (list, &scene), 0..list.len(), &Columns::of(mode, out));
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// Whether [`write_while_reading`](Self::write_while_reading) is for these contacts and the list there is.
    pub(crate) fn can_write_while_reading(&self) -> bool {
        !self.one_by_one() && self.list.is_accepted()
    }

    /// The same while present centres are read, which [`NeighborList::restore`] went before; `None` if the list does not hold
    /// for them. What was written is to be cleared then.
    pub(crate) fn write_while_reading(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        (bodies, state): (&Bodies, &State),
        out: &mut Wrenches,
    ) -> Option<Result<(), DemError>> {
        self.gather(mode, bodies, state);
        let Self { list, laws, places, .. } = self;
        let Buffers { velocity, spin, moving, .. } = &*places;
        let (columns, mut good) = (Columns::of(mode, out), true);
        let holds = list.gather_while(bodies.radius(), state.position(), &mut |list, position, places| {
            let scene = Scene { position, ..scene((list, laws), (velocity, spin, moving), (elapsed, equal)) };
            good &= write_places(mode, (list, &scene), places, &columns);
        });
        holds.then(|| if good { Ok(()) } else { Err(self.deepest_pair()) })
    }

    /// The same chunk by chunk: what contacts that are evaluated one by one do to bodies of later blocks is to wait for them no
    /// longer than it must.
    fn write_chunks(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        motion: (&Bodies, &State),
        out: &mut Wrenches,
    ) -> Result<(), DemError> {
        let len = self.list.len();
        let Self { list, laws, memory, places, .. } = self;
        let Buffers { moving, exchange, trays, force, torque, .. } = places;
        let parallel = pay_large_blocks(len);
        let chunk = if parallel { chunk(list.blocks(), threads()) * BLOCK } else { BLOCK };
        for buffer in [&mut *force, &mut *torque] {
            buffer.resize(chunk, [0.0; 4]);
        }
        let (memories, mut pending) = memory.slots(list);
        moving.clear(list.blocks());
        let (mut forces, mut torques) = (out.force.overwrite(), out.torque.overwrite());
        let mut good = true;
        for first in (0..len).step_by(chunk) {
            let places = first..(first + chunk).min(len);
            let (mine, rest) = pending.split_at_mut(places.len().div_ceil(BLOCK));
            pending = rest;
            let output = Output { force: &mut *force, torque: &mut *torque, dissipative: &mut [] };
            let between = (memories, mine, &mut *exchange, &mut *moving, &*trays);
            good &= sum_one_by_one(mode, (list, laws), (elapsed, equal), motion, places.clone(), between, output);
            let bodies = &list.order()[places];
            both(parallel, || scatter(bodies, force, &mut forces), || scatter(bodies, torque, &mut torques));
        }
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// Adds the sums to those of the bodies.
    pub(crate) fn scatter(&self, mode: u8, out: &mut Wrenches) {
        let rank = self.list.rank();
        let add = |from: &[[f64; 4]], [x, y, z]: [&mut [f64]; 3]| {
            all_blocks(rank.len(), (x, y, z), &|first, count, (x, y, z)| {
                for (((x, y), z), &place) in x.iter_mut().zip(y).zip(z).zip(&rank[first..first + count]) {
                    let row = from[place as usize];
                    *x += row[0];
                    *y += row[1];
                    *z += row[2];
                }
                true
            });
        };
        add(&self.places.force, out.force.slices_mut());
        if mode >= TANGENTIAL {
            add(&self.places.torque, out.torque.slices_mut());
        }
    }
}

/// Where forces and torques are written, by body. Each body is written once, so who comes first changes nothing.
struct Columns<'a> {
    force: Mutex<[&'a mut [f64]; 3]>,
    torque: Option<Mutex<[&'a mut [f64]; 3]>>,
}

impl<'a> Columns<'a> {
    fn of(mode: u8, out: &'a mut Wrenches) -> Self {
        let torque = (mode >= TANGENTIAL).then(|| Mutex::new(out.torque.overwrite()));
        Self { force: Mutex::new(out.force.overwrite()), torque }
    }
}

/// Sums of these places, whole blocks but for the last one, while they are in the cache; false if one of their pairs is too deep.
fn write_places<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    (list, scene): (&NeighborList, &Scene<'_, L, T>),
    places: Range<usize>,
    columns: &Columns<'_>,
) -> bool {
    all_blocks(places.len(), (), &|at, count, ()| {
        let first = places.start + at;
        let (Some(rows), bodies) = (list.rows().get(first / BLOCK), &list.order()[first..first + count]) else {
            return true;
        };
        let sum = |torque: &mut [[f64; 4]]| {
            let mut force = [[0.0; 4]; BLOCK];
            let output = Output { force: &mut force[..count], torque, dissipative: &mut [] };
            let good = kernel::block(mode, scene, first, rows, output);
            scatter(bodies, &force, &mut columns.force.lock().unwrap_or_else(PoisonError::into_inner));
            good
        };
        let Some(torques) = &columns.torque else { return sum(&mut []) };
        let mut torque = [[0.0; 4]; BLOCK];
        let good = sum(&mut torque[..count]);
        scatter(bodies, &torque, &mut torques.lock().unwrap_or_else(PoisonError::into_inner));
        good
    })
}

/// Blocks that are summed before their forces are handed on: so many that threads seldom wait for each other, so few that
/// sums stay in the caches, and no chunk much smaller than the others.
fn chunk(blocks: usize, threads: usize) -> usize {
    let most = 8 * threads.max(1);
    blocks.div_ceil(blocks.div_ceil(most).max(1)).next_multiple_of(2)
}

/// Memory to read and to write, what blocks send each other, how bodies move, and room to work in.
type Between<'a, M> = (Memories<'a, M>, &'a mut [Slots<M>], &'a mut Exchange, &'a mut MovingWindow, &'a Trays);

/// Sums of these places, whole blocks but for the last one; false if one of their pairs is too deep. What lower places send
/// must be there.
fn sum_one_by_one<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    (list, laws): (&NeighborList, &Laws<L, T>),
    (elapsed, equal): (f64, bool),
    motion: (&Bodies, &State),
    places: Range<usize>,
    (memories, pending, exchange, moving, trays): Between<'_, T::Memory>,
    Output { force, torque, dissipative }: Output<'_>,
) -> bool {
    let (len, blocks) = (places.len(), places.start / BLOCK..places.start / BLOCK + places.len().div_ceil(BLOCK));
    let apart = len.min(dissipative.len());
    let (force, torque, dissipative) = (&mut force[..len], &mut torque[..len], &mut dissipative[..apart]);
    moving.read(exchange.within_reach(blocks.clone()), list.order(), motion);
    let scene = scene((list, laws), (&[], &[], moving), (elapsed, equal));
    let own = (PerBlock(pending), PerBlock(exchange.outboxes(blocks.clone())));
    let columns = (&mut *force, &mut *torque, &mut *dissipative);
    let good = all_large_blocks(len, (columns, own), &|at, _, ((force, torque, dissipative), (pending, outbox))| {
        let first = places.start + at;
        let ([pending], [outbox]) = (pending.0, outbox.0) else { return true };
        let block = first / BLOCK;
        let Some((pairs, close, committed)) = memories.of_block(block) else { return true };
        outbox.read_ahead(scene.position);
        let (sent, output) = (&mut outbox.storage, Output { force, torque, dissipative });
        trays.lend(|tray| {
            touching::block(mode, Work { scene: &scene, first, pairs, close, committed, pending, tray, sent, output })
        })
    });
    all_blocks(len, (force, torque, dissipative), &|at, _, (force, torque, dissipative)| {
        exchange.deliver(memories.pairs, places.start + at, Output { force, torque, dissipative });
        true
    });
    exchange.recycle(blocks.clone());
    moving.release(blocks);
    good
}

fn scene<'a, L: ContactLaw, T: TangentialLaw>(
    (list, laws): (&'a NeighborList, &'a Laws<L, T>),
    (velocity, spin, moving): (&'a [[f64; 4]], &'a [[f64; 4]], &'a MovingWindow),
    (elapsed, equal): (f64, bool),
) -> Scene<'a, L, T> {
    let (shifts, order, position) = (list.shifts(), list.order(), list.packed());
    Scene { laws, elapsed, equal, shifts, order, position, velocity, spin, moving }
}

/// Hands sums over to their bodies.
fn scatter(bodies: &[u32], sums: &[[f64; 4]], [x, y, z]: &mut [&mut [f64]; 3]) {
    for (&i, sum) in bodies.iter().zip(sums) {
        let i = i as usize;
        (x[i], y[i], z[i]) = (sum[0], sum[1], sum[2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_of_about_one_size() {
        for (blocks, threads) in (1..2000).flat_map(|blocks| [(blocks, 2), (blocks, 3), (blocks, 16)]) {
            let chunk = chunk(blocks, threads);
            assert!((2..=8 * threads).contains(&chunk), "{blocks}, {threads}: {chunk}");
            let chunks = blocks.div_ceil(chunk);
            let rest = blocks - (chunks - 1) * chunk;
            // As even as rounding allows: the last one lacks less than two blocks for each of them.
            assert!(chunk - rest < 2 * chunks, "{blocks}, {threads}: {chunk}, last {rest}");
        }
    }
}
