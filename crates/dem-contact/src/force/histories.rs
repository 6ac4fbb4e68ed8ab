//! The histories of all contacts, by the tiles of a list.
//!
//! Histories are laid out for one list. For the next list they are carried over by the numbers of the bodies. Histories
//! of pairs that are not in the list of a trial state are kept until the trial is accepted, so nothing is lost if the
//! trial is rejected. A history is a row of numbers: `keyed_rows`. `pair_history` and `wall_history` are the histories
//! of one tile; `carried` transfers them to the next list and to files. The folder builds on `neighbor` and `law`.

pub(crate) mod carried;
pub(crate) mod keyed_rows;
pub(crate) mod pair_history;
pub(crate) mod wall_history;

use std::sync::Arc;

use rrp_integrate::Renumbering;

use crate::force::histories::carried::{CarriedHistories, collect, distribute};
use crate::force::histories::pair_history::PairHistories;
use crate::force::histories::wall_history::{KnownAtWall, WallHistories, by_tile};
use crate::law::material::assignment::LawAssignment;
use crate::neighbor::NeighborList;
use crate::neighbor::tiles::Tiling;

/// Histories of all contacts: those of contacts in the neighbour list (`listed`), and those that no tile of this list
/// has (`carried`).
#[derive(Debug, Clone)]
pub(super) struct ContactHistories {
    pub(super) listed: ListedHistories,
    /// Histories at the accepted state that are not in `listed`: all histories before there is a list, and while the
    /// list of a trial state is in use the few histories of pairs that are not in this list.
    carried: CarriedHistories,
}

/// Histories of the contacts of one neighbour list, between bodies and with walls, by tile.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListedHistories {
    pub(super) tiling: Arc<Tiling>,
    pub(crate) pairs: Vec<TileHistory<PairHistories>>,
    /// Histories of wall contacts, by tile; within a tile sorted by the place of the body, then by wall.
    pub(super) walls: Vec<TileHistory<WallHistories>>,
}

/// Contact histories of one tile: at the accepted state and of the last evaluation.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileHistory<C> {
    pub(crate) committed: C,
    pub(super) pending: C,
    pub(super) is_evaluated: bool,
}

impl<C: Default> TileHistory<C> {
    fn new(committed: C) -> Self {
        Self { committed, ..Self::default() }
    }

    fn set_pending(&mut self, pending: C) {
        (self.pending, self.is_evaluated) = (pending, true);
    }

    fn drop_pending(&mut self) {
        (self.pending, self.is_evaluated) = (C::default(), false);
    }

    /// Commits the histories of the last evaluation, if there was one since the last commit.
    fn commit(&mut self) {
        if std::mem::take(&mut self.is_evaluated) {
            std::mem::swap(&mut self.committed, &mut self.pending);
        }
    }
}

impl ContactHistories {
    pub(super) fn new(carried: CarriedHistories) -> Self {
        Self { listed: ListedHistories::default(), carried }
    }

    /// Moves the histories at the accepted state out of the tiles of a neighbour list that is about to be replaced, and
    /// drops those of the last evaluation.
    pub(super) fn carry(&mut self, laws: &LawAssignment) {
        if self.listed.tiling.len() == 0 {
            return;
        }
        // Free these first, so that the copy below does not add to the peak memory.
        self.listed.pairs.iter_mut().for_each(TileHistory::drop_pending);
        self.listed.walls.iter_mut().for_each(TileHistory::drop_pending);
        self.carried = self.committed(laws);
        self.listed = ListedHistories::default();
    }

    /// Moves the contact histories into the tiles of the neighbour list if this list is new. Then drops the histories
    /// of pairs that are not in this list, unless it is the list of a trial state.
    pub(super) fn follow(&mut self, list: &NeighborList, laws: &LawAssignment) {
        if !Arc::ptr_eq(&self.listed.tiling, list.tiling()) {
            self.carry(laws);
            let tiling = Arc::clone(list.tiling());
            let CarriedHistories { pairs, walls } = &mut self.carried;
            let pairs = distribute(pairs, &tiling, laws).into_iter().map(TileHistory::new).collect();
            let walls = by_tile(walls, &tiling).into_iter().map(TileHistory::new).collect();
            self.listed = ListedHistories { tiling, pairs, walls };
        }
        if !list.is_trial() {
            self.accept();
        }
    }

    pub(super) fn committed(&self, laws: &LawAssignment) -> CarriedHistories {
        self.unsorted(laws).sorted()
    }

    pub(super) fn committed_of(&self, laws: &LawAssignment, is_among: &dyn Fn(usize) -> bool) -> CarriedHistories {
        let CarriedHistories { pairs, walls } = self.unsorted(laws);
        let pairs = pairs.filtered(|key| is_among(key.a as usize) || is_among(key.b as usize));
        let walls = walls.filtered(|key| is_among(key.body as usize));
        CarriedHistories { pairs, walls }.sorted()
    }

    fn unsorted(&self, laws: &LawAssignment) -> CarriedHistories {
        let ListedHistories { tiling, pairs, walls } = &self.listed;
        let mut all = CarriedHistories { pairs: collect(tiling, laws, pairs), walls: WallHistories::new() };
        all.pairs.extend(&self.carried.pairs);
        walls.iter().for_each(|tile| all.walls.extend(&tile.committed));
        all.walls.extend(&self.carried.walls);
        all
    }

    /// Least number of bodies that is consistent with the body numbers in the contact histories.
    pub(super) fn bodies(&self) -> usize {
        self.listed.tiling.len().max(self.carried.bodies())
    }

    /// Drops the histories of pairs that are not in the neighbour list, once the state of this list is accepted.
    pub(super) fn accept(&mut self) {
        if self.listed.tiling.len() > 0 {
            self.carried = CarriedHistories::NONE;
        }
    }

    pub(super) fn commit(&mut self) {
        self.accept();
        self.listed.pairs.iter_mut().for_each(TileHistory::commit);
        self.listed.walls.iter_mut().for_each(TileHistory::commit);
    }

    pub(super) fn change_walls(&mut self, change: impl Fn(&WallHistories) -> WallHistories) {
        for tile in &mut self.listed.walls {
            tile.committed = change(&tile.committed);
            // The pending histories belong to an evaluation with other walls.
            tile.drop_pending();
        }
        self.carried.walls = change(&self.carried.walls);
    }

    /// Renumbers the bodies of all histories between two steps. `now` is the inverse of the renumbering: it has the
    /// present number of each former body, and removed bodies are new ones in it. `laws` has the former numbers.
    pub(super) fn renumber(&mut self, laws: &LawAssignment, now: &Renumbering) {
        let number = |body: usize| (!now.is_new(body)).then(|| now.former()[body]);
        *self = Self::new(self.unsorted(laws).renumbered(number));
    }
}

impl ListedHistories {
    pub(crate) fn pairs_of(&self, place: usize) -> &PairHistories {
        &self.pairs[self.tiling.tile_of(place)].committed
    }

    pub(crate) fn histories_at_wall(&self, body: u32, wall: usize) -> KnownAtWall<'_> {
        let place = self.tiling.place[body as usize] as usize;
        KnownAtWall::of(&self.walls[self.tiling.tile_of(place)].committed, &self.tiling, place, wall as u32)
    }

    pub(super) fn set_pending_walls(&mut self, mut pending: WallHistories) {
        let pending = by_tile(&mut pending, &self.tiling);
        self.walls.iter_mut().zip(pending).for_each(|(tile, pending)| tile.set_pending(pending));
    }

    pub(super) fn set_pending_pairs(&mut self, pending: Vec<PairHistories>) {
        self.pairs.iter_mut().zip(pending).for_each(|(tile, pending)| tile.set_pending(pending));
    }
}
