//! Neighbour lists: for each body the bodies near it, kept until others might touch it.
//!
//! [`NeighborList`] sorts the bodies by cell. The index of a body in that order is its **slot**, or sorted index; rows,
//! packed centres and blocks are by slot. `update` decides whether the list still holds, and `build` makes it.
//! `gather_positions` reads present centres in slot order, `inspection` bounds how near unlisted bodies may have come,
//! and `query` reads pairs. A **full** list has each pair in the rows of both bodies, a **half** list in one of them
//! (`list_kind`). This folder knows no law and no wall; `force` and all methods use it.

pub(crate) mod block_motion;
pub(crate) mod build;
pub(crate) mod displacement_bounds;
pub(crate) mod domain;
pub(crate) mod full_list;
pub(crate) mod gather_order;
pub(crate) mod gather_positions;
pub(crate) mod image_shift;
pub(crate) mod inspection;
pub(crate) mod list_kind;
pub(crate) mod minimum_image;
pub(crate) mod query;
pub(crate) mod rebuild_criterion;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod spatial_sort;
pub(crate) mod tiles;
pub(crate) mod trial_list;
pub(crate) mod update;

pub use self::domain::{Boundary, Domain};

use std::sync::OnceLock;

use rrp_integrate::ScalarColumn;

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::neighbor::block_motion::BlockMotion;
use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::full_list::Rows;
use crate::neighbor::gather_order::GatherOrder;
use crate::neighbor::image_shift::shifts;
use crate::neighbor::list_kind::ListKind;
use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::rebuild_criterion::RebuildCriterion;

/// For each body the bodies whose surfaces are closer than the skin.
///
/// Bodies are sorted into cells by a counting sort; bodies of different sizes have cells of different widths. A list
/// holds as long as no centre is further than half the skin from where it was when the list was made. It also holds
/// for bodies that flow together, as long as bounds show that they kept away from all bodies they are not listed with.
/// [`update`](Self::update) looks at every centre and makes a new list where neither is so: no contact is missed,
/// however fast a body is. Bodies of radius zero have no neighbours.
///
/// A list depends on the positions it was made for and on nothing else. A restart keeps only those.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::neighbor::restart::StoredList", into = "crate::neighbor::restart::StoredList")
)]
pub struct NeighborList {
    domain: Domain,
    /// In m.
    skin: f64,
    /// Fixed bodies, sorted: they are listed with movable bodies only.
    fixed: Box<[usize]>,
    /// Pairs that are left out, in both directions, sorted.
    excluded: Box<[[u32; 2]]>,
    state: ListState,
    /// Wrapped centres (m), by body, that the last accepted list was made for; empty before the first one.
    reference: Vec<[f64; 3]>,
    /// Bound in m on the distance of packed centres from their reference; infinite if it is not known.
    displacement: f64,
    /// Up to which displacement the list holds.
    criterion: RebuildCriterion,
    /// Room for the bounds that the criterion is made from.
    displacement_bounds: DisplacementBounds,
    /// Whether packed centres have to stay within half the skin of periodic sides.
    keeps_inside: bool,
    /// Sum in m of the largest displacements of all gathers since the list was made.
    path_length: f64,
    /// How often centres were gathered.
    gathers: u64,
    /// How centres moved in the last gather, by block; empty unless `tracks_block_motion`.
    block_motions: Vec<BlockMotion>,
    tracks_block_motion: bool,
    /// How often a list was made.
    builds: u64,
    /// Which block owns each pair of a half list.
    homes: Homes,
    /// The body in each slot.
    order: Vec<u32>,
    /// The slot of each body, made when it is first asked for.
    slot_of_body: OnceLock<Vec<u32>>,
    /// The order in which blocks are gathered just before rows refer to them.
    gather_order: OnceLock<GatherOrder>,
    /// By slot: present wrapped centre (m) and radius (m).
    packed: Vec<[f64; 4]>,
    /// Full rows by block; empty in a half list.
    full_rows: Vec<Rows>,
    /// Half rows by block; empty in a full list.
    half_rows: Vec<HalfRows>,
    /// The kind of the present rows, and of the next ones.
    kind: ListKind,
    wanted_kind: ListKind,
    /// Full rows of all slots, made from half rows when they are first asked for.
    expanded_rows: OnceLock<Rows>,
}

/// The state that the rows of a list belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListState {
    /// There are no rows, and no reference to make them from.
    Empty,
    /// Rows have to be made again from the reference: after a restart or a failed step.
    Outdated,
    /// Rows were made for the packed centres of a trial state, which may be given up; the reference is older.
    Trial,
    /// Rows belong to the reference.
    Accepted,
}

impl NeighborList {
    /// An empty list for bodies in `domain`; pairs are listed up to a gap of `skin` (m) between their surfaces.
    ///
    /// A thin skin makes short lists that are rebuilt often. A tenth of a diameter suits dense beds; where sizes
    /// differ, a tenth of that of the small bodies.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            skin: positive("the skin", skin)?,
            fixed: Box::default(),
            excluded: Box::default(),
            state: ListState::Empty,
            reference: Vec::new(),
            displacement: f64::INFINITY,
            criterion: RebuildCriterion::at_build(skin),
            displacement_bounds: DisplacementBounds::default(),
            keeps_inside: false,
            path_length: 0.0,
            gathers: 0,
            block_motions: Vec::new(),
            tracks_block_motion: false,
            builds: 0,
            homes: Homes::of(0, 0),
            order: Vec::new(),
            slot_of_body: OnceLock::new(),
            gather_order: OnceLock::new(),
            packed: Vec::new(),
            full_rows: Vec::new(),
            half_rows: Vec::new(),
            kind: ListKind::default(),
            wanted_kind: ListKind::default(),
            expanded_rows: OnceLock::new(),
        })
    }

    /// The domain that bodies are in.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Largest gap between listed surfaces when the list is made, in m.
    #[must_use]
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How often a list was made.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// An empty list of the same kind with this skin (m).
    pub(crate) fn fresh(&self, skin: f64) -> Result<Self, DemError> {
        let mut list = Self::new(self.domain, skin)?;
        list.fixed = self.fixed.clone();
        list.excluded = self.excluded.clone();
        Ok(list)
    }

    /// Lists no pair of two fixed bodies from the next list on; `fixed` is sorted.
    pub(crate) fn set_fixed(&mut self, fixed: Box<[usize]>) {
        self.fixed = fixed;
        self.forget();
    }

    /// The fixed bodies, sorted.
    pub(crate) fn fixed(&self) -> &[usize] {
        &self.fixed
    }

    /// Makes rows of this kind from now on. Present rows of another kind are made again from the same centres, so that
    /// only the kind differs.
    pub(crate) fn use_kind(&mut self, kind: ListKind) {
        self.wanted_kind = kind;
        if self.kind != kind && self.kind != ListKind::Both && self.state == ListState::Accepted {
            self.state = ListState::Outdated;
        }
    }

    /// Whether the list belongs to an accepted state; centres may have moved since.
    pub(crate) fn is_accepted(&self) -> bool {
        self.state == ListState::Accepted
    }

    /// Up to this gap (m) all pairs of the centres gathered last are listed.
    pub(crate) fn covered_gap(&self) -> f64 {
        if self.is_accepted() { self.criterion.covered_gap(self.displacement) } else { f64::NEG_INFINITY }
    }

    /// Bound in m on the distance of packed centres from where the list was made for them.
    pub(crate) fn displacement(&self) -> f64 {
        self.displacement
    }

    /// Bound in m on the path of each packed centre since the list was made, back and forth.
    pub(crate) fn path_length(&self) -> f64 {
        self.path_length
    }

    /// The body in each slot.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The slot of each body.
    pub(crate) fn slot_of_body(&self) -> &[u32] {
        self.slot_of_body.get_or_init(|| {
            let mut slots = vec![0; self.order.len()];
            (0..).zip(&self.order).for_each(|(slot, &body)| slots[body as usize] = slot);
            slots
        })
    }

    /// By slot: wrapped centre (m) and radius (m).
    pub(crate) fn packed(&self) -> &[[f64; 4]] {
        &self.packed
    }

    /// The packed rows, for a caller that moves bodies in slot order and itself decides when a new list is due.
    pub(crate) fn packed_mut(&mut self) -> &mut Vec<[f64; 4]> {
        &mut self.packed
    }

    /// How often packed centres were gathered.
    pub(crate) fn gathers(&self) -> u64 {
        self.gathers
    }

    /// How centres moved in the last gather, by block, after [`track_block_motion`](Self::track_block_motion).
    pub(crate) fn block_motions(&self) -> &[BlockMotion] {
        &self.block_motions
    }

    /// Records the [motions of blocks](Self::block_motions) from the next gather on.
    pub(crate) fn track_block_motion(&mut self) {
        self.tracks_block_motion = true;
    }

    /// The displacements (m) of images by the code of their shift.
    pub(crate) fn shifts(&self) -> [[f64; 4]; 32] {
        shifts(self.domain.periods())
    }

    /// Nearest images in the domain.
    fn minimum_image(&self) -> MinimumImage {
        MinimumImage::new(self.domain.periods().to_array())
    }

    /// Distance of centres (m) up to which all pairs are listed.
    fn cutoff(&self, radius: &ScalarColumn) -> f64 {
        let largest =
            radius.uniform().unwrap_or_else(|| radius.iter().fold(0.0, |largest, &radius| radius.max(largest)));
        2.0 * largest + self.skin
    }

    fn drop_rows(&mut self) {
        self.full_rows.clear();
        self.half_rows.clear();
        self.drop_derived();
    }

    /// Drops the columns that are made from order and rows on demand.
    fn drop_derived(&mut self) {
        (self.slot_of_body, self.gather_order, self.expanded_rows) =
            (OnceLock::new(), OnceLock::new(), OnceLock::new());
    }
}
