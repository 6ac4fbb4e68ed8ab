//! What forces are made of on their way, which no one has to keep.

use crate::force::old::exchange::Exchange;
use crate::force::old::kernel::{Output, SPLIT, TANGENTIAL};
use crate::force::old::pool::Pool;
use crate::force::old::relay::Relay;
use crate::force::old::tray::Tray;

/// Quantities by place of the list, padded to four numbers.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Velocity and reciprocal mass.
    pub(crate) velocity: Vec<[f64; 4]>,
    pub(crate) spin: Vec<[f64; 4]>,
    /// Sums of all places, where they are not written to the columns of the bodies at once.
    pub(crate) sums: Sums,
    /// Where contacts are evaluated one by one: what blocks send each other, one tray for each thread, and the blocks on the way.
    pub(crate) exchange: Exchange,
    pub(crate) trays: Pool<Tray>,
    pub(crate) relay: Relay,
}

/// Sums by place.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(crate) force: Vec<[f64; 4]>,
    pub(crate) torque: Vec<[f64; 4]>,
    /// Forces that are not elastic.
    pub(crate) dissipative: Vec<[f64; 4]>,
}

impl Sums {
    /// Makes room for so many bodies; what was there stays.
    pub(crate) fn resize(&mut self, bodies: usize, mode: u8) {
        self.force.resize(bodies, [0.0; 4]);
        self.torque.resize(if mode >= TANGENTIAL { bodies } else { 0 }, [0.0; 4]);
        self.dissipative.resize(if mode >= SPLIT { bodies } else { 0 }, [0.0; 4]);
    }

    pub(crate) fn output(&mut self) -> Output<'_> {
        let Self { force, torque, dissipative } = self;
        Output { force, torque, dissipative }
    }
}

/// What is here is made anew by each evaluation.
impl Clone for Buffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Buffers {
    /// Gives up what is made again with a new list, while that needs room.
    pub(crate) fn give_up(&mut self) {
        self.exchange.clear();
        (self.trays, self.relay) = (Pool::default(), Relay::default());
    }
}
