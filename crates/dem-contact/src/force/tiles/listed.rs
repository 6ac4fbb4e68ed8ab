//! A list of tiles with the histories of its pairs, and what both are made from.

use rrp_integrate::{Bodies, Renumbering};

use crate::error::DemError;
use crate::force::tiles::carried::{Carried, CarriedHistory};
use crate::force::tiles::pair_history::TileHistory;
use crate::law::contact_history::ContactHistory;
use crate::neighbor::domain::Domain;
use crate::neighbor::tiles::{ListInput, Tiling};

/// A list, and the histories of its pairs by tile.
#[derive(Debug, Clone)]
pub(crate) struct Listed<M> {
    pub(crate) tiling: Tiling,
    pub(crate) histories: Vec<TileHistory<M>>,
    /// The fixed bodies that it was made for.
    pub(crate) fixed: Box<[usize]>,
}

/// The input that a list was made from, by number. A restart stores it: a list made from it again has the same bits.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ListOrigin<M> {
    /// Wrapped centres in m.
    pub(crate) centres: Vec<[f64; 3]>,
    pub(crate) histories: Vec<CarriedHistory<M>>,
}

/// The scene of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListScene<'a> {
    pub(crate) domain: &'a Domain,
    /// In m.
    pub(crate) skin: f64,
    /// By number; empty if ids are numbers.
    pub(crate) ids: &'a [u32],
    pub(crate) bodies: &'a Bodies,
}

impl<M: ContactHistory> Listed<M> {
    /// The list for these wrapped centres (m), with these histories.
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`](crate::error::ListError::TooManyNeighbors).
    pub(crate) fn new(
        scene: &ListScene<'_>,
        centre: &(impl Fn(usize) -> [f64; 3] + Sync),
        histories: &[CarriedHistory<M>],
    ) -> Result<Self, DemError> {
        let &ListScene { domain, skin, ids, bodies } = scene;
        let mut is_fixed = vec![false; if bodies.fixed().is_empty() { 0 } else { bodies.len() }];
        bodies.fixed().iter().for_each(|&body| is_fixed[body] = true);
        let numbers: Vec<u32>;
        let ids = if ids.is_empty() {
            numbers = (0..bodies.len() as u32).collect();
            &numbers
        } else {
            ids
        };
        let tiling = Tiling::new(&ListInput { domain, skin, ids, is_fixed: &is_fixed }, bodies.radius(), centre)?;
        let histories = Carried::of(histories, bodies.len()).distribute(&tiling);
        Ok(Self { tiling, histories, fixed: bodies.fixed().into() })
    }

    /// The committed histories of all pairs.
    pub(crate) fn committed(&self) -> Vec<CarriedHistory<M>> {
        Carried::collect(&self.tiling, &self.histories)
    }

    /// The centres that the list was made from, and the committed histories.
    pub(crate) fn origin(&self) -> ListOrigin<M> {
        let reference = self.tiling.reference();
        let centres = self.tiling.place().iter().map(|&place| {
            let [x, y, z, _] = reference[place as usize];
            [x, y, z]
        });
        ListOrigin { centres: centres.collect(), histories: self.committed() }
    }

    /// A column by place, cut into those of the tiles.
    pub(crate) fn slices<'a, V>(&self, column: &'a mut [V]) -> Vec<&'a mut [V]> {
        let mut rest = column;
        let mut slices = Vec::with_capacity(self.tiling.tiles().len());
        for tile in self.tiling.tiles() {
            let (own, later) = rest.split_at_mut(tile.places.len().min(rest.len()));
            slices.push(own);
            rest = later;
        }
        slices
    }
}

impl<M: ContactHistory> ListOrigin<M> {
    /// The same with other numbers. Histories stay as they are: they are seen from the lower id, which stays too.
    pub(crate) fn renumbered(mut self, numbering: &Renumbering) -> Self {
        self.centres = numbering.former().iter().map(|&former| self.centres[former]).collect();
        let now = numbering.inverse();
        for CarriedHistory { a, b, .. } in &mut self.histories {
            [*a, *b] = [*a, *b].map(|number| now.former()[number as usize] as u32);
        }
        self
    }
}
