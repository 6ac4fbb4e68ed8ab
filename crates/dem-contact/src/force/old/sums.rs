//! Sums of forces over the rows of a list, and their way to the bodies.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rrp_integrate::{Bodies, State, Wrenches};

use crate::error::DemError;
use crate::force::ContactForce;
use crate::force::old::buffers::Buffers;
use crate::force::old::kernel::{self, Output, Scene, TANGENTIAL};
use crate::force::old::moving::Source;
use crate::force::old::pair_memory::block_memory::BlockMemory;
use crate::force::old::sink::{Sink, SumsByPlace};
use crate::force::old::touching::{self, Work};
use crate::force::old::wrench_columns::WrenchColumns;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::parallel::blocks::BLOCK;
use crate::parallel::fork_join::{all_blocks, pay_large_blocks, threads};

impl<L: ContactLaw, T: TangentialLaw> ContactForce<L, T> {
    /// The sums of all places.
    pub(crate) fn all_forces(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        motion: (&Bodies, &State),
    ) -> Result<(), DemError> {
        let len = self.list.len();
        let mut sums = std::mem::take(&mut self.buffers.sums);
        sums.resize(len, mode);
        let good = if self.uses_half_list() {
            self.sum_one_by_one(mode, (elapsed, equal), motion, &SumsByPlace::of(&mut sums))
        } else {
            let Self { list, laws, buffers: Buffers { velocity, spin, .. }, .. } = &*self;
            let (scene, cut) = (scene((list, laws), (velocity, spin), (elapsed, equal)), list.blocks());
            let Output { force, torque, dissipative } = sums.output();
            all_blocks(len, (force, torque, dissipative), &|first, _, (force, torque, dissipative)| {
                let Some(rows) = list.rows().get(cut.at(first)) else { return true };
                kernel::block(mode, &scene, first, rows, Output { force, torque, dissipative })
            })
        };
        self.buffers.sums = sums;
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
        let columns = WrenchColumns::of(mode, out);
        let good = if self.uses_half_list() {
            self.sum_one_by_one(mode, (elapsed, equal), motion, &columns)
        } else {
            let Self { list, laws, buffers: Buffers { velocity, spin, .. }, .. } = &*self;
            let scene = scene((list, laws), (velocity, spin), (elapsed, equal));
            write_places(mode, (list, &scene), 0..list.len(), &columns)
        };
        if good { Ok(()) } else { Err(self.deepest_pair()) }
    }

    /// Whether [`write_while_reading`](Self::write_while_reading) is for these contacts and the list there is.
    pub(crate) fn can_write_while_reading(&self) -> bool {
        !self.uses_half_list() && self.list.is_accepted()
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
        let Self { list, laws, buffers: places, .. } = self;
        let Buffers { velocity, spin, .. } = &*places;
        let (columns, mut good) = (WrenchColumns::of(mode, out), true);
        let holds = list.gather_while(bodies.radius(), state.position(), &mut |list, position, places| {
            let scene = Scene { position, ..scene((list, laws), (velocity, spin), (elapsed, equal)) };
            good &= write_places(mode, (list, &scene), places, &columns);
        });
        holds.then(|| if good { Ok(()) } else { Err(self.deepest_pair()) })
    }

    /// Has `sink` take the sums of all places, of contacts that are evaluated one by one: what places of a block get from its own pairs as
    /// soon as it is complete, what others send when all of them have. False if a pair is too deep.
    fn sum_one_by_one(
        &mut self,
        mode: u8,
        (elapsed, equal): (f64, bool),
        (bodies, state): (&Bodies, &State),
        sink: &impl Sink,
    ) -> bool {
        let Self { list, laws, history: memory, buffers: places, .. } = self;
        let (list, Buffers { exchange, trays, relay, .. }) = (&*list, places);
        let (len, cut) = (list.len(), list.blocks());
        let mut blocks = memory.blocks();
        let threads = if pay_large_blocks(len) { threads().min(blocks.len()) } else { 1 };
        exchange.open(threads);
        trays.open(threads);
        let (exchange, trays) = (&*exchange, &*trays);
        let (scene, source) = (scene((list, laws), (&[], &[]), (elapsed, equal)), Source { bodies, state });
        let deep = AtomicBool::new(false);
        let sum = |seat: usize, block: usize, memory: &mut BlockMemory<'_, T::History>| {
            let (places, pairs) = (cut.range(block), &list.half_rows()[block]);
            memory.renew(list, places.start);
            let BlockMemory { close, committed, pending, .. } = memory;
            trays.lend(seat, |tray| {
                tray.reserve(exchange.widest());
                exchange.send(seat, block, |sent| {
                    let tray = &mut *tray;
                    let places = places.clone();
                    let work = Work { scene: &scene, source, places, pairs, close, committed, pending, tray, sent };
                    if !touching::block(mode, work) {
                        deep.store(true, Ordering::Relaxed);
                    }
                });
                sink.put(list, places, tray);
            });
        };
        let deliver = |block: usize| exchange.deliver(list, block, &|places, parcels| sink.add(list, places, parcels));
        relay.run(threads, &mut blocks, exchange, &sum, &deliver);
        !deep.into_inner()
    }

    /// Adds the sums to those of the bodies.
    pub(crate) fn scatter(&self, mode: u8, out: &mut Wrenches) {
        let rank = self.list.slot_of_body();
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
        add(&self.buffers.sums.force, out.force.slices_mut());
        if mode >= TANGENTIAL {
            add(&self.buffers.sums.torque, out.torque.slices_mut());
        }
    }
}

/// Sums of these places, all of them or a block, while they are in the cache; false if one of their pairs is too deep.
fn write_places<L: ContactLaw, T: TangentialLaw>(
    mode: u8,
    (list, scene): (&NeighborList, &Scene<'_, L, T>),
    places: Range<usize>,
    columns: &WrenchColumns<'_>,
) -> bool {
    // As many places as a block has are one, so the blocks are those of the list.
    let cut = list.blocks();
    all_blocks(places.len(), (), &|at, count, ()| {
        let first = places.start + at;
        let (Some(rows), bodies) = (list.rows().get(cut.at(first)), &list.order()[first..first + count]) else {
            return true;
        };
        let sum = |torque: &mut [[f64; 4]]| {
            let mut force = [[0.0; 4]; BLOCK];
            let output = Output { force: &mut force[..count], torque: &mut *torque, dissipative: &mut [] };
            let good = kernel::block(mode, scene, first, rows, output);
            columns.write(bodies, [&force, torque]);
            good
        };
        if columns.have_torques() { sum(&mut [[0.0; 4]; BLOCK][..count]) } else { sum(&mut []) }
    })
}

fn scene<'a, L: ContactLaw, T: TangentialLaw>(
    (list, laws): (&'a NeighborList, &'a LawAssignment<L, T>),
    (velocity, spin): (&'a [[f64; 4]], &'a [[f64; 4]]),
    (elapsed, equal): (f64, bool),
) -> Scene<'a, L, T> {
    let (shifts, order, position) = (list.shifts(), list.order(), list.packed());
    Scene { laws, elapsed, equal, shifts, order, position, velocity, spin }
}
