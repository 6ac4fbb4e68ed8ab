//! Neighbour lists: for each body the bodies near it, kept while no others can come to touch it.

pub(crate) mod block_motion;
pub(crate) mod build;
pub(crate) mod displacement_bounds;
pub(crate) mod domain;
pub(crate) mod gather_order;
pub(crate) mod gather_positions;
pub(crate) mod list_kind;
pub(crate) mod minimum_image;
pub(crate) mod query;
pub(crate) mod rebuild_criterion;
#[cfg(feature = "serde")]
pub(crate) mod restart;
pub(crate) mod spatial_sort;
pub(crate) mod trial_list;

pub use self::domain::{Boundary, Domain};

use std::sync::OnceLock;

use rrp_geom::glam::DVec3;
use rrp_integrate::{IntegrateError, ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::error::parameter::positive;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::neighbor::block_motion::BlockMotion;
use crate::neighbor::build::cell_grid::{INDEX_MASK, shifts};
use crate::neighbor::build::size_classes::SizeClasses;
use crate::neighbor::build::{ListBuilder, NEIGHBORS, Rows};
use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::gather_order::GatherOrder;
use crate::neighbor::list_kind::ListKind;
use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::rebuild_criterion::RebuildCriterion;
use crate::parallel::blocks::Blocks;
use crate::parallel::fork_join::{PerBlock, all_blocks};

/// For each body the bodies whose surfaces are closer than the skin, found by a counting sort into cells, of different
/// widths for bodies of different sizes.
///
/// A list is valid as long as no centre is further than half the skin from where it was when the list was made, or bodies
/// that flow together are seen to have kept away from those that they are not listed with.
/// [`update`](Self::update) looks at every centre and makes a new list where that no longer holds, so no contact is
/// missed however fast a body is. Bodies of radius zero have no neighbours. What a list is depends on the positions it
/// was made for and on nothing else, which is why those are all that a restart has to keep.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::neighbor::restart::ListParts", into = "crate::neighbor::restart::ListParts")
)]
pub struct NeighborList {
    domain: Domain,
    skin: f64,
    /// Bodies that are listed with others only.
    fixed: Box<[usize]>,
    /// Pairs that are left out, in both directions, sorted.
    excluded: Box<[[u32; 2]]>,
    standing: Standing,
    /// Wrapped centres that the list accepted last was made for, by body; empty before the first one.
    reference: Vec<[f64; 3]>,
    /// No packed centre is further from its reference than this, in m; infinite if that is not known.
    moved: f64,
    /// How far they may be without another look, and what is looked at then.
    validity: RebuildCriterion,
    travels: DisplacementBounds,
    /// Whether packed centres are to stay within half the skin of periodic sides.
    keeps_inside: bool,
    /// The furthest ways of all reads since the list was made, added up, in m.
    travelled: f64,
    /// How often packed centres were read, and how they moved then, by block; empty unless someone wants to know.
    reads: u64,
    drifts: Vec<BlockMotion>,
    with_drifts: bool,
    builds: u64,
    homes: Homes,
    /// Body at each place of the cell order; the place of each body where someone asks for it.
    order: Vec<u32>,
    rank: OnceLock<Vec<u32>>,
    /// In which order blocks are read where they are read as rows refer to them.
    reading_order: OnceLock<GatherOrder>,
    /// By place: present wrapped centres with the radius.
    packed: Vec<[f64; 4]>,
    /// By block, as far as they belong to this form: rows with each pair in both, and with each in one. Of which form the next
    /// ones are to be; and the rows of all places from both sides, should someone ask for those that are not here.
    blocks: Vec<Rows>,
    halves: Vec<HalfRows>,
    form: ListKind,
    wanted: ListKind,
    both_sides: OnceLock<Rows>,
}

/// What the rows of a list are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// There are none, and none to go back to.
    Empty,
    /// They have to be made again from the reference: after a restart or a failed step.
    Lost,
    /// They were made for the packed centres, those of a state that may yet be given up; the reference is older.
    Trial,
    /// They belong to the reference.
    Accepted,
}

impl NeighborList {
    /// An empty list for bodies in `domain`; pairs are listed up to a gap of `skin` (m) between their surfaces.
    ///
    /// A thin skin makes short lists that have to be made often; a tenth of a diameter suits dense beds, of the small bodies
    /// where there are different sizes.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            skin: positive("the skin", skin)?,
            fixed: Box::default(),
            excluded: Box::default(),
            standing: Standing::Empty,
            reference: Vec::new(),
            moved: f64::INFINITY,
            validity: RebuildCriterion::of_new(skin),
            travels: DisplacementBounds::default(),
            keeps_inside: false,
            travelled: 0.0,
            reads: 0,
            drifts: Vec::new(),
            with_drifts: false,
            builds: 0,
            homes: Homes::of(0, 0),
            order: Vec::new(),
            rank: OnceLock::new(),
            reading_order: OnceLock::new(),
            packed: Vec::new(),
            blocks: Vec::new(),
            halves: Vec::new(),
            form: ListKind::default(),
            wanted: ListKind::default(),
            both_sides: OnceLock::new(),
        })
    }

    /// Where the bodies are.
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

    /// Makes the list valid for these radii and centres (m); true if it had to be made anew.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidRadius`] inside [`DemError::Integrate`], [`DemError::LengthMismatch`],
    /// [`TooManyBodies`](ListError::TooManyBodies), [`PositionNotFinite`](ListError::PositionNotFinite),
    /// [`OutsideDomain`](ListError::OutsideDomain) or
    /// [`CutoffTooLarge`](ListError::CutoffTooLarge); the list is then as before. After
    /// [`TooManyNeighbors`](ListError::TooManyNeighbors) it is empty until the next call.
    pub fn update(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Result<bool, DemError> {
        check_radii(radius)?;
        let made = self.follow(radius, position, &mut |_| ())?;
        self.accept();
        Ok(made)
    }

    /// [`update`](Self::update) for a trial state: until [`accept`](Self::accept), the next call starts from the list that
    /// was accepted last. `before_build` sees each list that is about to be replaced.
    pub(crate) fn follow(
        &mut self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        before_build: &mut dyn FnMut(&Self),
    ) -> Result<bool, DemError> {
        let builds = self.builds;
        self.restore(radius, position, before_build)?;
        if self.gather(radius, position) {
            return Ok(self.builds > builds);
        }
        self.replace(radius, position, before_build)?;
        Ok(true)
    }

    /// Makes a list for these centres: the last part of [`follow`](Self::follow), where the list does not hold for them.
    pub(crate) fn replace(
        &mut self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        before_build: &mut dyn FnMut(&Self),
    ) -> Result<(), DemError> {
        let wrap = self.check(radius, position)?;
        before_build(self);
        self.standing = if self.reference.is_empty() { Standing::Empty } else { Standing::Lost };
        self.build(radius, &wrap)?;
        self.standing = Standing::Trial;
        Ok(())
    }

    /// Goes back to the list that was accepted last, if there is one for so many bodies: the first part of
    /// [`follow`](Self::follow).
    pub(crate) fn restore(
        &mut self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        before_build: &mut dyn FnMut(&Self),
    ) -> Result<(), DemError> {
        if radius.len() != position.len() {
            return Err(DemError::LengthMismatch { what: "radii", expected: position.len(), found: radius.len() });
        }
        if self.reference.len() != radius.len() {
            before_build(self);
            self.forget();
        }
        self.rebuild(radius, before_build)
    }

    /// Makes the list that was accepted last again, should there be another one or none.
    fn rebuild(&mut self, radius: &ScalarColumn, before_build: impl FnOnce(&Self)) -> Result<(), DemError> {
        if matches!(self.standing, Standing::Trial | Standing::Lost) {
            // Radii may have changed since it was made.
            self.domain.check_cutoff(self.cutoff(radius))?;
            before_build(self);
            let reference = std::mem::take(&mut self.reference);
            self.standing = Standing::Lost;
            let built = self.build(radius, &|i| reference[i]);
            self.reference = reference;
            built?;
            self.standing = Standing::Accepted;
            self.begin();
        }
        Ok(())
    }

    /// Whether there is a list that belongs to an accepted state; it may have grown old since.
    pub(crate) fn is_accepted(&self) -> bool {
        self.standing == Standing::Accepted
    }

    /// Up to which gap (m) all pairs of the centres that were read last are listed.
    pub(crate) fn reach(&self) -> f64 {
        if self.is_accepted() { self.validity.gap(self.moved) } else { f64::NEG_INFINITY }
    }

    /// No packed centre is further than this from where it was when the list was made, in m.
    pub(crate) fn moved(&self) -> f64 {
        self.moved
    }

    /// No packed centre has gone further since the list was made, back and forth, than this has grown since then, in m.
    pub(crate) fn travelled(&self) -> f64 {
        self.travelled
    }

    /// The packed centres are those that the list was made for.
    fn begin(&mut self) {
        (self.moved, self.validity) = (0.0, RebuildCriterion::of_new(self.skin));
    }

    /// Images in the domain.
    fn near(&self) -> MinimumImage {
        MinimumImage::new(self.domain.periods().to_array())
    }

    /// An empty list of the same kind with this skin (m).
    pub(crate) fn fresh(&self, skin: f64) -> Result<Self, DemError> {
        let mut list = Self::new(self.domain, skin)?;
        list.fixed = self.fixed.clone();
        list.excluded = self.excluded.clone();
        Ok(list)
    }

    /// Lets later calls start from this list.
    pub(crate) fn accept(&mut self) {
        if self.standing == Standing::Trial {
            self.reference.resize(self.order.len(), [0.0; 3]);
            for (&i, &[x, y, z, _]) in self.order.iter().zip(&self.packed) {
                self.reference[i as usize] = [x, y, z];
            }
            self.standing = Standing::Accepted;
            self.begin();
        }
    }

    /// Drops the list and the one to go back to.
    pub(crate) fn forget(&mut self) {
        self.order.clear();
        self.drop_rows();
        self.reference.clear();
        self.standing = Standing::Empty;
    }

    /// Leaves out pairs of bodies both of which are among these, in order.
    pub(crate) fn set_fixed(&mut self, fixed: Box<[usize]>) {
        self.fixed = fixed;
        self.forget();
    }

    pub(crate) fn fixed(&self) -> &[usize] {
        &self.fixed
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of each body.
    pub(crate) fn rank(&self) -> &[u32] {
        self.rank.get_or_init(|| {
            let mut rank = vec![0; self.order.len()];
            (0..).zip(&self.order).for_each(|(place, &i)| rank[i as usize] = place);
            rank
        })
    }

    pub(crate) fn packed(&self) -> &[[f64; 4]] {
        &self.packed
    }

    /// The packed rows, to go on with centres here: whoever does says when a new list is due.
    pub(crate) fn packed_mut(&mut self) -> &mut Vec<[f64; 4]> {
        &mut self.packed
    }

    /// How often packed centres were read.
    pub(crate) fn reads(&self) -> u64 {
        self.reads
    }

    /// How they moved when they were read last, by block, once [`watch`](Self::watch) was called.
    pub(crate) fn drifts(&self) -> &[BlockMotion] {
        &self.drifts
    }

    /// Lets [`drifts`](Self::drifts) know.
    pub(crate) fn watch(&mut self) {
        self.with_drifts = true;
    }

    /// Passes centres that a list can be made for; gives them wrapped into the domain.
    fn check<'a>(
        &self,
        radius: &ScalarColumn,
        position: &'a VectorColumn,
    ) -> Result<impl Fn(usize) -> [f64; 3] + Sync + use<'a>, DemError> {
        let bodies = radius.len();
        if bodies > INDEX_MASK as usize {
            return Err(DemError::List(ListError::TooManyBodies { bodies, limit: INDEX_MASK as usize }));
        }
        let (domain, periods) = (self.domain, self.domain.periods());
        domain.check_cutoff(self.cutoff(radius))?;
        let wrapped = move |position: DVec3| {
            (position - periods * DVec3::from_array(domain.image(position).map(f64::from))).to_array()
        };
        // Further out than this are those whose images cannot be counted.
        let (least, most) = (domain.low() - periods, domain.high() + periods);
        let ([x, y, z], inside) = (position.slices(), |c: usize, x: f64| domain.low()[c] <= x && x < domain.high()[c]);
        for (body, ((&x, &y), &z)) in x.iter().zip(y).zip(z).enumerate() {
            if inside(0, x) & inside(1, y) & inside(2, z) {
                continue;
            }
            let position = DVec3::new(x, y, z);
            domain.check_position(body, position)?;
            let now = DVec3::from_array(wrapped(position));
            let lost = (now.cmplt(least) | now.cmpgt(most)) & periods.cmpgt(DVec3::ZERO);
            if let Some(direction) = (0..3).find(|&c| lost.test(c)) {
                let (low, high) = (domain.low()[direction], domain.high()[direction]);
                return Err(DemError::List(ListError::OutsideDomain { body, position, direction, low, high }));
            }
        }
        Ok(move |i| wrapped(position.get(i)))
    }

    /// Distance of centres up to which all pairs are listed.
    fn cutoff(&self, radius: &ScalarColumn) -> f64 {
        let largest =
            radius.uniform().unwrap_or_else(|| radius.iter().fold(0.0, |largest, &radius| radius.max(largest)));
        2.0 * largest + self.skin
    }

    /// Makes the list for these wrapped centres.
    fn build(&mut self, radius: &ScalarColumn, center: &(impl Fn(usize) -> [f64; 3] + Sync)) -> Result<(), DemError> {
        let (bodies, cutoff) = (radius.len(), self.cutoff(radius));
        (self.rank, self.reading_order, self.both_sides) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        self.form = self.wanted;
        self.order.resize(bodies, 0);
        self.packed.resize(bodies, [0.0; 4]);
        let blocks = Blocks::of(bodies).count();
        self.blocks.resize_with(if self.form == ListKind::Half { 0 } else { blocks }, Rows::default);
        self.halves.resize_with(if self.form == ListKind::Full { 0 } else { blocks }, HalfRows::default);
        let classes = SizeClasses::sort(&self.domain, radius, self.skin, center, &mut self.order);
        self.homes = Homes::of(bodies, classes.as_slice().len());
        let order = &self.order;
        all_blocks(bodies, &mut self.packed[..], &|first, count, packed| {
            for (row, &i) in packed.iter_mut().zip(&order[first..first + count]) {
                let [x, y, z] = center(i as usize);
                *row = [x, y, z, radius[i as usize]];
            }
            true
        });
        let mut fixed = vec![false; if self.fixed.is_empty() { 0 } else { bodies }];
        for &i in &self.fixed {
            // What was stored may be about other bodies.
            fixed.get_mut(i).into_iter().for_each(|fixed| *fixed = true);
        }
        let search = ListBuilder {
            classes: classes.as_slice(),
            packed: &self.packed,
            order: &self.order,
            fixed: &fixed,
            excluded: &self.excluded,
            shifts: self.shifts(),
            skin: self.skin,
            form: self.form,
            homes: self.homes,
        };
        let homes = self.homes;
        let output = (PerBlock(&mut self.blocks), PerBlock(&mut self.halves));
        let filled = all_blocks(bodies, output, &|first, count, (rows, halves)| {
            let mut scratch = Rows::default();
            let rows = rows.0.first_mut().unwrap_or(&mut scratch);
            let filled = search.fill(first, count, rows);
            halves.0.iter_mut().for_each(|half| half.fill(rows, first, homes));
            filled
        });
        if !filled {
            self.order.clear();
            self.drop_rows();
            return Err(DemError::List(ListError::TooManyNeighbors { limit: NEIGHBORS, cutoff }));
        }
        self.builds += 1;
        self.travelled = 0.0;
        Ok(())
    }

    fn drop_rows(&mut self) {
        self.blocks.clear();
        self.halves.clear();
        (self.rank, self.reading_order, self.both_sides) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
    }

    /// The displacements of images by the code of their shift.
    pub(crate) fn shifts(&self) -> [[f64; 4]; 32] {
        shifts(self.domain.periods())
    }
}

/// Passes radii that bodies can have.
fn check_radii(radius: &ScalarColumn) -> Result<(), IntegrateError> {
    let is_radius = |radius: f64| radius.is_finite() && radius >= 0.0;
    if radius.uniform().is_some_and(is_radius) {
        return Ok(());
    }
    match radius.iter().position(|&radius| !is_radius(radius)) {
        None => Ok(()),
        Some(body) => Err(IntegrateError::InvalidRadius { body, radius: radius[body] }),
    }
}
