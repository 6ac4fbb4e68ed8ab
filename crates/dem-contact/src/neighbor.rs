//! Neighbour lists: for each body the bodies near it. A list is kept until a pair that it lacks might touch.
//!
//! A [`NeighborList`] is cut into tiles, boxes of space that own the bodies in them (`tiles`). The index of a body in
//! the order of the tiles is its **place**; columns that are evaluated are ordered by place. `update` makes lists and
//! keeps them valid. `tracked` is a list with the present centres and decides how long the list holds, with
//! `displacement_bounds` on the gaps of pairs that are not listed. A `subdomain` has some of the tiles, with the bodies
//! that these tiles own or read. `deformation` is how a periodic box changes its shape with time. `query` reads pairs.
//! This folder uses no contact law and no wall.

pub(crate) mod deformation;
pub(crate) mod displacement_bounds;
pub(crate) mod domain;
pub(crate) mod image_shift;
pub(crate) mod minimum_image;
pub(crate) mod query;
pub(crate) mod renumber;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod subdomain;
pub(crate) mod tiles;
pub(crate) mod tracked;
pub(crate) mod update;

pub use self::displacement_bounds::DisplacementBounds;
pub use self::domain::{Boundary, Domain};
pub use self::subdomain::{Decomposition, Subdomain};

use std::sync::Arc;

use rrp_geom::glam::DMat3;

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::neighbor::tiles::Tiling;
use crate::neighbor::tracked::TrackedList;

/// A neighbour list: all pairs of bodies whose surfaces were closer than the skin plus the range of the contact laws
/// when the list was made. Pairs of two fixed bodies, and pairs that are [left out](Self::without_pairs), are not
/// listed.
///
/// A list is valid as long as no centre is further than half the skin from its position at the build, or, for bodies
/// that flow together, as long as bounds on their displacements show that unlisted pairs do not touch.
/// [`update`](Self::update) checks every centre, and builds a new list where neither condition is met, so that no
/// contact is missed, however fast a body is. Bodies of radius zero have no neighbours.
///
/// A list depends on the positions at its build, not on later ones. A restart stores these positions, from which the
/// list is made again.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::neighbor::restart::StoredList", into = "crate::neighbor::restart::StoredList")
)]
pub struct NeighborList {
    domain: Domain,
    /// Domain in its shape at the time of the last [`set_time`](Self::set_time).
    now: Domain,
    /// Largest gap in m between the surfaces of listed pairs at a build, for laws without a range.
    skin: f64,
    /// Id of each body, which never changes, by body number; empty if ids equal numbers.
    ids: Vec<u32>,
    /// Next id for a new body. Ids are never given twice.
    next_id: u32,
    /// Numbers of the fixed bodies, sorted. Pairs of two fixed bodies are not listed.
    fixed: Box<[usize]>,
    /// Pairs of bodies that are left out of the list, each stored in both directions, sorted.
    excluded: Box<[[u32; 2]]>,
    /// Kind of each body, a number that stands for its contact laws, by body number; empty if all kinds are 0. Pairs
    /// are sorted by kinds. A restored list has no kinds and needs [`set_kinds`](Self::set_kinds) before its use.
    kinds: Box<[u16]>,
    /// Largest gap (m) between surfaces at which contact laws act.
    range: f64,
    /// Whether the list also becomes invalid when a centre is further than half the skin beyond a periodic side.
    keeps_inside: bool,
    /// Input from which the list of the last accepted state can be made again; `None` while that list is in use, or if
    /// there is no such list.
    origin: Option<ListOrigin>,
    pub(crate) current: TrackedList,
    /// Whether the list in use was made for a trial state, whose step may still be rejected.
    is_trial: bool,
    builds: u64,
    /// Whether the list is of a [`Subdomain`], which lacks the bodies to rebuild it.
    pub(crate) is_of_subdomain: bool,
    /// Whether the list of a subdomain has read new centres since the last call of `follow`.
    is_read: bool,
}

/// Input from which a list is made: wrapped centres (m) by body number, largest gap of a listed pair (m), domain.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct ListOrigin {
    centres: Vec<[f64; 3]>,
    pub(crate) skin: f64,
    pub(crate) domain: Domain,
}

impl NeighborList {
    /// Makes an empty list for bodies in `domain`. Pairs are listed up to a gap between their surfaces of `skin` (m)
    /// plus the range of the contact laws.
    ///
    /// A thin skin makes short lists that are rebuilt often. A skin of a tenth of a diameter suits dense beds; if sizes
    /// differ, take a tenth of the diameter of the small bodies.
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            now: domain,
            skin: positive("the skin", skin)?,
            ids: Vec::new(),
            next_id: 0,
            fixed: Box::default(),
            excluded: Box::default(),
            kinds: Box::default(),
            range: 0.0,
            keeps_inside: false,
            origin: None,
            current: TrackedList::new(Tiling::default(), domain),
            is_trial: false,
            builds: 0,
            is_of_subdomain: false,
            is_read: false,
        })
    }

    /// Sets the ids of the bodies, by body number. Without this call, ids equal numbers.
    ///
    /// A body keeps its id when it gets another number. Laws see a pair from the body with the lower id, body a. The
    /// order in which forces are summed depends on ids, but not on numbers. So results do not depend on body numbers.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] if an id is given twice, or if a list was made before: contact histories refer to
    /// the ids of that list.
    pub fn with_ids(self, ids: impl IntoIterator<Item = u32>) -> Result<Self, DemError> {
        let ids: Vec<u32> = ids.into_iter().collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let parameter = "each id";
            let range = "given once";
            return Err(DemError::InvalidParameter { parameter, range, value: pair[0].into() });
        }
        if !self.is_empty() || self.origin.is_some() {
            let parameter = "the number of lists made before ids are given";
            let range = "zero";
            return Err(DemError::InvalidParameter { parameter, range, value: self.builds as f64 });
        }
        Ok(Self { next_id: sorted.last().map_or(0, |last| last.saturating_add(1)), ids, ..self })
    }

    /// Returns the domain of the bodies with the shape that it was given, not that at the present time.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Sets the time (s) of the state whose centres are read next. Only a domain that deforms depends on the time.
    ///
    /// # Errors
    /// Errors of [`Domain::at`]; nothing is then changed.
    pub fn set_time(&mut self, time: f64) -> Result<(), DemError> {
        self.now = self.domain.at(time)?;
        Ok(())
    }

    /// Makes the domain deform with this velocity gradient (1/s) from `since` (s) on, see [`Domain::deforming`].
    ///
    /// # Errors
    /// Errors of [`Domain::deforming`]; nothing is then changed.
    pub fn deform(&mut self, since: f64, velocity_gradient: DMat3) -> Result<(), DemError> {
        self.domain = self.domain.deforming(since, velocity_gradient)?;
        self.now = self.domain;
        Ok(())
    }

    pub(crate) fn set_domain(&mut self, domain: Domain) {
        (self.domain, self.now) = (domain, domain);
    }

    /// Returns the domain in its shape at the build of the list of the accepted state; `None` without a list.
    #[must_use]
    pub fn first_domain(&self) -> Option<&Domain> {
        let is_accepted = self.is_of_subdomain || !self.is_trial && !self.is_empty();
        self.origin.as_ref().map(|origin| &origin.domain).or(is_accepted.then_some(&self.current.start))
    }

    /// Skin in m: a list has the pairs whose gap at its build was below the skin plus the range of the contact laws.
    #[must_use]
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Number of bodies of the present list; zero before the first list, after a restart and after a renumbering.
    #[must_use]
    pub fn len(&self) -> usize {
        self.current.position.len()
    }

    /// Whether the neighbour list in use has no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of lists that this object has made, including those for trial states whose steps were rejected.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// Makes an empty list with the skin `skin` (m) and with the domain, ids, fixed bodies, exclusions and kinds of
    /// `self`.
    pub(crate) fn fresh(&self, skin: f64) -> Result<Self, DemError> {
        let list = Self::new(self.domain, skin)?;
        let ids = self.ids.clone();
        let fixed = self.fixed.clone();
        let excluded = self.excluded.clone();
        let kinds = self.kinds.clone();
        Ok(Self { ids, fixed, excluded, kinds, ..list })
    }

    /// Sets the fixed bodies, sorted; pairs of two fixed bodies are not listed. If they change, the next
    /// [`update`](Self::update) builds a new list.
    pub(crate) fn set_fixed(&mut self, fixed: &[usize]) {
        if *self.fixed != *fixed {
            self.fixed = fixed.into();
            self.forget();
        }
    }

    /// Sets the kind of each body, a number that stands for its contact laws, by body number; an empty slice if all are
    /// of kind 0. A tile sorts its pairs by kinds, so that the pairs of one law follow each other.
    ///
    /// If kinds change, the next [`update`](Self::update) makes the accepted list again from the centres for which that
    /// list was made, not from the present centres: a restarted run sets its kinds for the first time, and has to go on
    /// with the list of the uninterrupted run.
    pub(crate) fn set_kinds(&mut self, kinds: &[u16]) {
        if *self.kinds != *kinds {
            self.kinds = kinds.into();
            self.make_anew();
        }
    }

    pub(crate) fn fixed(&self) -> &[usize] {
        &self.fixed
    }

    /// Sets the largest gap (m) at which contact laws act: pairs are listed up to a gap of the skin plus this gap.
    pub(crate) fn set_range(&mut self, range: f64) {
        let made = self.origin.as_ref().map_or(self.current.tiling.skin, |origin| origin.skin);
        // A restored list has its range already.
        if self.range < range && made < self.skin + range {
            self.forget();
        }
        self.range = range;
    }

    /// Sets whether the list holds only while no centre is further than half the skin beyond a periodic side. Walls
    /// with periodic images need this bound.
    pub(crate) fn keep_inside(&mut self, keeps_inside: bool) {
        if self.keeps_inside != keeps_inside {
            self.keeps_inside = keeps_inside;
            self.current.inspect_anew();
        }
    }

    pub(crate) fn tiling(&self) -> &Arc<Tiling> {
        &self.current.tiling
    }

    /// Whether the list in use was made for a trial state, whose step may still be rejected.
    pub(crate) fn is_trial(&self) -> bool {
        self.is_trial
    }

    /// Returns the number of each body, in the order of the list: sorted by tile.
    pub(crate) fn order(&self) -> &[u32] {
        &self.current.tiling.order
    }

    /// Returns the place of each body (its index in the order of the tiles), by body number.
    pub(crate) fn place(&self) -> &[u32] {
        &self.current.tiling.place
    }

    /// Present wrapped centre (m) and radius (m) of each body, in the order of the tiles.
    pub(crate) fn position(&self) -> &[[f64; 4]] {
        &self.current.position
    }

    /// Returns the permanent id of a body. No other body ever gets this id.
    #[must_use]
    #[inline(always)]
    pub fn id(&self, body: u32) -> u32 {
        self.ids.get(body as usize).copied().unwrap_or(body)
    }

    /// Returns the displacement (m) of each periodic image from its body, by the code of the shift.
    pub(crate) fn shifts(&self) -> [[f64; 4]; 32] {
        self.current.domain.shifts()
    }
}
