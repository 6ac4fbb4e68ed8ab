//! The histories of all contacts, by the tiles of a list.
//!
//! They are laid out for one list. When there is another one, they are carried over by the numbers of the bodies. What
//! a list of a trial state has no pair for stays aside until the trial is accepted: nothing is lost if it is given up.
//! `pair_history` and `wall_history` are the histories of one tile; `carried` takes them to the next list and to files.

pub(crate) mod carried;
pub(crate) mod pair_history;
pub(crate) mod wall_history;

use std::sync::Arc;

use rrp_integrate::Renumbering;

use crate::force::histories::carried::{CarriedHistories, collect, distribute};
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::{WallContactHistory, by_tile, histories_at_wall};
use crate::law::contact_history::ContactHistory;
use crate::neighbor::NeighborList;
use crate::neighbor::tiles::Tiling;

/// The histories of all contacts.
#[derive(Debug, Clone)]
pub(crate) struct ContactHistories<M> {
    /// Those of the list in use.
    pub(crate) listed: ListedHistories<M>,
    /// The committed ones that no list has: all while there is no list, few or none while it is that of a trial state.
    carried: CarriedHistories<M>,
}

/// The histories of the contacts of one list, by tile.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListedHistories<M> {
    pub(crate) tiling: Arc<Tiling>,
    pub(crate) pairs: Vec<TileHistory<PairHistories<M>>>,
    /// In the order of places, then walls.
    pub(crate) walls: Vec<TileHistory<Vec<WallContactHistory<M>>>>,
}

/// The histories of the pairs or wall contacts of one tile: committed ones, and those of the last evaluation.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileHistory<C> {
    pub(crate) committed: C,
    pub(crate) pending: C,
    /// Whether the pending ones are those of an evaluation.
    pub(crate) is_evaluated: bool,
}

impl<C: Default> TileHistory<C> {
    /// Those of a new list.
    fn new(committed: C) -> Self {
        Self { committed, ..Self::default() }
    }

    /// Sets the histories that the next commit takes.
    fn set_pending(&mut self, pending: C) {
        (self.pending, self.is_evaluated) = (pending, true);
    }

    /// Drops pending histories, and gives their memory back.
    fn drop_pending(&mut self) {
        (self.pending, self.is_evaluated) = (C::default(), false);
    }

    /// Makes the pending histories the committed ones, if there was an evaluation since the last time.
    fn commit(&mut self) {
        if std::mem::take(&mut self.is_evaluated) {
            std::mem::swap(&mut self.committed, &mut self.pending);
        }
    }
}

impl<M: ContactHistory> ContactHistories<M> {
    /// These, for a list to come.
    pub(crate) fn new(carried: CarriedHistories<M>) -> Self {
        Self { listed: ListedHistories::default(), carried }
    }

    /// Takes histories off their list, which is about to be replaced.
    pub(crate) fn carry(&mut self) {
        if self.listed.tiling.len() == 0 {
            return;
        }
        // Memory is given back before it is needed for others.
        self.listed.pairs.iter_mut().for_each(TileHistory::drop_pending);
        self.listed.walls.iter_mut().for_each(TileHistory::drop_pending);
        self.carried = self.committed();
        self.listed = ListedHistories::default();
    }

    /// Lays histories out for the list in use.
    pub(crate) fn follow(&mut self, list: &NeighborList) {
        if !Arc::ptr_eq(&self.listed.tiling, list.tiling()) {
            self.carry();
            let (tiling, CarriedHistories { pairs, walls }) = (Arc::clone(list.tiling()), &mut self.carried);
            let pairs = distribute(pairs, &tiling).into_iter().map(TileHistory::new).collect();
            let walls = by_tile(walls, &tiling).into_iter().map(TileHistory::new).collect();
            self.listed = ListedHistories { tiling, pairs, walls };
        }
        if !list.is_trial() {
            self.accept();
        }
    }

    /// All committed histories.
    pub(crate) fn committed(&self) -> CarriedHistories<M> {
        self.committed_of(&|_| true)
    }

    /// The committed histories of the contacts of some bodies.
    pub(crate) fn committed_of(&self, is_among: &dyn Fn(usize) -> bool) -> CarriedHistories<M> {
        let mut committed = self.unsorted();
        committed.pairs.retain(|entry| is_among(entry.a as usize) || is_among(entry.b as usize));
        committed.walls.retain(|entry| is_among(entry.body as usize));
        committed.sorted()
    }

    /// All committed histories, in any order.
    fn unsorted(&self) -> CarriedHistories<M> {
        let ListedHistories { tiling, pairs, walls } = &self.listed;
        let (mut pairs, carried) = (collect(tiling, pairs), &self.carried);
        pairs.extend_from_slice(&carried.pairs);
        let walls = walls.iter().flat_map(|tile| &tile.committed).chain(&carried.walls);
        CarriedHistories { pairs, walls: walls.copied().collect() }
    }

    /// The least number of bodies that they are of.
    pub(crate) fn bodies(&self) -> usize {
        self.listed.tiling.len().max(self.carried.bodies())
    }

    /// Makes the histories of a trial list those of the accepted one.
    pub(crate) fn accept(&mut self) {
        if self.listed.tiling.len() > 0 {
            self.carried = CarriedHistories::NONE;
        }
    }

    /// Makes the histories of the last evaluation the committed ones.
    pub(crate) fn commit(&mut self) {
        self.accept();
        for tile in &mut self.listed.pairs {
            tile.commit();
            tile.committed.shrink();
        }
        self.listed.walls.iter_mut().for_each(TileHistory::commit);
    }

    /// Changes what is committed at walls, such as when a wall is taken away.
    pub(crate) fn change_walls(&mut self, change: impl Fn(&mut Vec<WallContactHistory<M>>)) {
        for tile in &mut self.listed.walls {
            change(&mut tile.committed);
            // An evaluation with other walls.
            tile.drop_pending();
        }
        change(&mut self.carried.walls);
    }

    /// Renumbers the bodies between two steps; `now` gives the present number of each former one.
    pub(crate) fn renumber(&mut self, now: &Renumbering) {
        *self = Self::new(self.unsorted().renumbered(|body| (!now.is_new(body)).then(|| now.former()[body])));
    }
}

impl<M: ContactHistory> ListedHistories<M> {
    /// The committed histories of the pairs of the tile that owns a place.
    pub(crate) fn pairs_of(&self, place: usize) -> &PairHistories<M> {
        &self.pairs[self.tiling.tile_of(place)].committed
    }

    /// The committed histories of one body at one wall.
    pub(crate) fn histories_at_wall(&self, body: u32, wall: usize) -> &[WallContactHistory<M>] {
        let place = self.tiling.place[body as usize] as usize;
        histories_at_wall(&self.walls[self.tiling.tile_of(place)].committed, &self.tiling, place, wall as u32)
    }

    /// Sets the histories of wall contacts that the next commit takes.
    pub(crate) fn set_pending_walls(&mut self, mut pending: Vec<WallContactHistory<M>>) {
        let pending = by_tile(&mut pending, &self.tiling);
        self.walls.iter_mut().zip(pending).for_each(|(tile, pending)| tile.set_pending(pending));
    }

    /// Sets the histories of the pairs of each tile that the next commit takes.
    pub(crate) fn set_pending_pairs(&mut self, pending: Vec<PairHistories<M>>) {
        self.pairs.iter_mut().zip(pending).for_each(|(tile, pending)| tile.set_pending(pending));
    }
}
