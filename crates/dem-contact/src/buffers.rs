//! What forces are made of on their way, which no one has to keep.

use crate::exchange::Exchange;
use crate::moving::MovingWindow;
use crate::tray::Trays;

/// Quantities by place of the list, padded to four numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    /// Velocity and reciprocal mass.
    pub(crate) velocity: Vec<[f64; 4]>,
    pub(crate) spin: Vec<[f64; 4]>,
    /// Both, in place of them where contacts are evaluated one by one.
    pub(crate) moving: MovingWindow,
    /// What blocks send each other then.
    pub(crate) exchange: Exchange,
    pub(crate) trays: Trays,
    /// Sums: of all places, or of two chunks, one of which is computed while the other is handed on.
    pub(crate) force: Vec<[f64; 4]>,
    pub(crate) torque: Vec<[f64; 4]>,
    pub(crate) dissipative: Vec<[f64; 4]>,
}

impl Buffers {
    /// Gives up what is made again with a new list, while that needs room.
    pub(crate) fn give_up(&mut self) {
        self.moving = MovingWindow::default();
        self.exchange.clear();
        self.trays = Trays::default();
    }
}
