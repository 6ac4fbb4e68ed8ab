//! Neighbour lists: for each body the bodies near it, kept while no centre moves far.

use rrp_geom::glam::DVec3;
use rrp_integrate::VectorColumn;

use crate::cells::{Cells, INDEX_BITS, INDEX_MASK, shifts};
use crate::error::positive;
use crate::par::{BLOCK, PerBlock, all_blocks};
use crate::search::{NEIGHBORS, Rows, Search};
use crate::{DemError, Domain};

/// For each body the bodies whose surfaces are closer than the skin, found by a counting sort into cells.
///
/// A list is valid as long as no centre is further than half the skin from where it was when the list was made.
/// [`update`](Self::update) looks at every centre and makes a new list where that no longer holds, so no contact is
/// missed however fast a body is. Bodies of radius zero have no neighbours. What a list is depends on the positions it
/// was made for and on nothing else, which is why those are all that a restart has to keep.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "parts::ListParts", into = "parts::ListParts"))]
pub struct NeighborList {
    domain: Domain,
    skin: f64,
    frozen: Box<[bool]>,
    /// Centres that the list was made for, by body, where it has yet to be made again (after a restart or a failed step).
    pub(crate) pending_reference: Option<Vec<[f64; 3]>>,
    /// Centres of the list before this one, as long as no step was accepted with this one.
    last_accepted: Option<Vec<[f64; 3]>>,
    accepted: bool,
    builds: u64,
    cells: Cells,
    /// Body at each place of the cell order, and the place of each body.
    order: Vec<u32>,
    rank: Vec<u32>,
    /// By place: centres that the list was made for, images, present wrapped centres with the radius.
    reference: Vec<[f64; 3]>,
    image: Vec<[i32; 3]>,
    packed: Vec<[f64; 4]>,
    blocks: Vec<Rows>,
}

impl NeighborList {
    /// An empty list for bodies in `domain`; pairs are listed up to a gap of `skin` (m) between their surfaces.
    ///
    /// A thin skin makes short lists that have to be made often; a tenth of a diameter suits dense beds.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `skin` is finite and positive.
    pub fn new(domain: Domain, skin: f64) -> Result<Self, DemError> {
        Ok(Self {
            domain,
            skin: positive("the skin", skin)?,
            frozen: Box::default(),
            pending_reference: None,
            last_accepted: None,
            accepted: false,
            builds: 0,
            cells: Cells::default(),
            order: Vec::new(),
            rank: Vec::new(),
            reference: Vec::new(),
            image: Vec::new(),
            packed: Vec::new(),
            blocks: Vec::new(),
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

    /// The neighbours of body `i`, in the order in which its forces are summed.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn neighbors(&self, i: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        let place = self.rank[i] as usize;
        let row = self.blocks[place / BLOCK].row(place % BLOCK);
        row.iter().map(|entry| self.order[(entry & INDEX_MASK) as usize] as usize)
    }

    /// All listed pairs `[a, b]` with a < b, sorted.
    #[must_use]
    pub fn pairs(&self) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        let mut above = Vec::new();
        for a in 0..self.len() {
            above.clear();
            above.extend(self.neighbors(a).filter(|&b| b > a));
            above.sort_unstable();
            pairs.extend(above.iter().map(|&b| [a, b]));
        }
        pairs
    }

    /// Makes the list valid for these radii and centres (m); true if it had to be made anew.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`], [`TooManyBodies`](DemError::TooManyBodies),
    /// [`PositionNotFinite`](DemError::PositionNotFinite), [`OutsideDomain`](DemError::OutsideDomain) or
    /// [`CutoffTooLarge`](DemError::CutoffTooLarge); the list is then as before. After
    /// [`TooManyNeighbors`](DemError::TooManyNeighbors) it is empty until the next call.
    pub fn update(&mut self, radius: &[f64], position: &VectorColumn) -> Result<bool, DemError> {
        let made = self.follow(radius, position, &mut |_| ())?;
        self.accept();
        Ok(made)
    }

    /// [`update`](Self::update) for a trial state: until [`accept`](Self::accept), the next call starts from the list that
    /// was accepted last. `before_build` sees each list that is about to be replaced.
    pub(crate) fn follow(
        &mut self,
        radius: &[f64],
        position: &VectorColumn,
        before_build: &mut dyn FnMut(&Self),
    ) -> Result<bool, DemError> {
        if radius.len() != position.len() {
            return Err(DemError::LengthMismatch { what: "radii", expected: position.len(), found: radius.len() });
        }
        let builds = self.builds;
        if !self.accepted {
            self.pending_reference = self.pending_reference.take().or_else(|| self.last_accepted.take());
            if self.pending_reference.is_none() {
                self.order.clear();
            }
        }
        if let Some(reference) = self.pending_reference.take().filter(|reference| reference.len() == radius.len()) {
            before_build(self);
            let built = self.build(radius, |i| reference[i]);
            self.accepted = built.is_ok();
            if built.is_err() {
                self.pending_reference = Some(reference);
            }
            built?;
        }
        if self.gather(radius, position) {
            return Ok(self.builds > builds);
        }
        before_build(self);
        let [x, y, z] = position.slices();
        let before = (self.accepted && self.len() == radius.len()).then(|| self.reference_by_body());
        if let Err(error) = self.build(radius, |i| [x[i], y[i], z[i]]) {
            if self.order.is_empty() {
                // The old list is lost too, and has to be made again.
                (self.pending_reference, self.last_accepted, self.accepted) = (before, None, false);
            }
            return Err(error);
        }
        self.last_accepted = before;
        self.accepted = false;
        Ok(true)
    }

    /// Whether the list holds for these centres.
    pub(crate) fn holds(&self, radius: &[f64], position: &VectorColumn) -> bool {
        let limit = (0.5 * self.skin * (1.0 - 1e-9)).powi(2);
        let same = self.order.len() == radius.len() && position.len() == radius.len();
        same && self.pending_reference.is_none()
            && self.rank.iter().enumerate().all(|(i, &place)| {
                let from = DVec3::from_array(self.reference[place as usize]);
                position.get(i).distance_squared(from) <= limit
                    && self.packed[place as usize][3].to_bits() == radius[i].to_bits()
            })
    }

    /// An empty list of the same kind.
    pub(crate) fn fresh(&self) -> Result<Self, DemError> {
        let mut list = Self::new(self.domain, self.skin)?;
        list.frozen = self.frozen.clone();
        Ok(list)
    }

    /// Lets later calls start from this list.
    pub(crate) fn accept(&mut self) {
        self.accepted = true;
        self.last_accepted = None;
    }

    /// The centres that the accepted list was made for, by body; `None` before the first one.
    #[cfg(feature = "serde")]
    pub(crate) fn accepted_reference(&self) -> Option<Vec<[f64; 3]>> {
        if self.pending_reference.is_some() {
            return self.pending_reference.clone();
        }
        if self.accepted { Some(self.reference_by_body()) } else { self.last_accepted.clone() }
    }

    fn reference_by_body(&self) -> Vec<[f64; 3]> {
        self.rank.iter().map(|&place| self.reference[place as usize]).collect()
    }

    /// Leaves out pairs of bodies that are both marked.
    pub(crate) fn set_frozen(&mut self, frozen: Box<[bool]>) {
        self.frozen = frozen;
        self.order.clear();
        (self.pending_reference, self.last_accepted, self.accepted) = (None, None, false);
    }

    /// Whether nothing moves body `i`.
    pub(crate) fn is_frozen(&self, i: usize) -> bool {
        self.frozen.get(i).copied().unwrap_or(false)
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn rank(&self) -> &[u32] {
        &self.rank
    }

    pub(crate) fn packed(&self) -> &[[f64; 4]] {
        &self.packed
    }

    pub(crate) fn rows(&self) -> &[Rows] {
        &self.blocks
    }

    /// Shows both places and the code of the shift of each entry.
    pub(crate) fn each_entry(&self, show: &mut dyn FnMut(usize, usize, usize)) {
        for (block, rows) in self.blocks.iter().enumerate() {
            for k in 0..rows.start.len().saturating_sub(1) {
                for entry in rows.row(k) {
                    show(block * BLOCK + k, (entry & INDEX_MASK) as usize, (entry >> INDEX_BITS) as usize);
                }
            }
        }
    }

    /// Reads the present centres; true if the list holds for them.
    fn gather(&mut self, radius: &[f64], position: &VectorColumn) -> bool {
        if self.order.len() != radius.len() {
            return false;
        }
        // Rounding in what is compared must not make half a skin longer.
        let limit = (0.5 * self.skin * (1.0 - 1e-9)).powi(2);
        let ([x, y, z], periods) = (position.slices(), self.domain.periods());
        let (order, reference, image) = (&self.order[..], &self.reference[..], &self.image[..]);
        all_blocks(radius.len(), &mut self.packed[..], &|first, count, packed| {
            let places = first..first + count;
            let mut valid = true;
            for ((row, &i), from) in packed.iter_mut().zip(&order[places.clone()]).zip(&reference[places.clone()]) {
                let i = i as usize;
                let now = [x[i], y[i], z[i]];
                let [dx, dy, dz] = [now[0] - from[0], now[1] - from[1], now[2] - from[2]];
                // Written so that NaN and a changed radius are not valid.
                valid &= (dx * dx + dy * dy + dz * dz <= limit) & (row[3].to_bits() == radius[i].to_bits());
                *row = [now[0], now[1], now[2], row[3]];
            }
            // Empty where no direction is periodic.
            for (row, image) in packed.iter_mut().zip(image.get(places).unwrap_or(&[])) {
                (0..3).for_each(|c| row[c] -= periods[c] * f64::from(image[c]));
            }
            valid
        })
    }

    /// Makes the list for the centres `position`.
    fn build(&mut self, radius: &[f64], position: impl Fn(usize) -> [f64; 3]) -> Result<(), DemError> {
        let bodies = radius.len();
        if bodies > INDEX_MASK as usize {
            return Err(DemError::TooManyBodies { bodies, limit: INDEX_MASK as usize });
        }
        let domain = self.domain;
        let periods = domain.periods();
        let cutoff = 2.0 * radius.iter().fold(0.0_f64, |largest, &radius| largest.max(radius)) + self.skin;
        domain.check_cutoff(cutoff)?;
        let wrap = |i: usize| {
            let position = DVec3::from_array(position(i));
            let image = domain.image(position);
            (position - periods * DVec3::from_array(image.map(f64::from)), image)
        };
        // Further out than this are those whose images cannot be counted.
        let (least, most) = (domain.low() - periods, domain.high() + periods);
        let mut centers = Vec::with_capacity(bodies);
        for i in 0..bodies {
            let at = DVec3::from_array(position(i));
            domain.check_position(i, at)?;
            let (wrapped, _) = wrap(i);
            let lost = (wrapped.cmplt(least) | wrapped.cmpgt(most)) & periods.cmpgt(DVec3::ZERO);
            if let Some(direction) = (0..3).find(|&c| lost.test(c)) {
                let (low, high) = (domain.low()[direction], domain.high()[direction]);
                return Err(DemError::OutsideDomain { body: i, position: at, direction, low, high });
            }
            centers.push(wrapped.to_array());
        }
        self.cells.lay_out(&domain, cutoff, &centers);
        for index in [&mut self.order, &mut self.rank] {
            index.resize(bodies, 0);
        }
        self.reference.resize(bodies, [0.0; 3]);
        self.packed.resize(bodies, [0.0; 4]);
        self.image.resize(if domain.is_periodic() { bodies } else { 0 }, [0; 3]);
        self.blocks.resize_with(bodies.div_ceil(BLOCK), Rows::default);
        self.cells.sort(&centers, &mut self.order);
        for (place, &i) in self.order.iter().enumerate() {
            let i = i as usize;
            let [x, y, z] = centers[i];
            self.rank[i] = place as u32;
            self.reference[place] = position(i);
            self.packed[place] = [x, y, z, radius[i]];
            if let Some(slot) = self.image.get_mut(place) {
                *slot = wrap(i).1;
            }
        }
        let search = Search {
            cells: &self.cells,
            packed: &self.packed,
            order: &self.order,
            frozen: &self.frozen,
            shifts: self.shifts(),
            skin: self.skin,
        };
        let filled = all_blocks(bodies, PerBlock(&mut self.blocks), &|first, count, blocks| {
            blocks.0.iter_mut().all(|rows| search.fill(first, count, rows))
        });
        if !filled {
            self.order.clear();
            self.blocks.clear();
            return Err(DemError::TooManyNeighbors { limit: NEIGHBORS, cutoff });
        }
        self.builds += 1;
        Ok(())
    }

    /// The displacements of images by the code of their shift.
    pub(crate) fn shifts(&self) -> [[f64; 4]; 32] {
        shifts(self.domain.periods())
    }
}

#[cfg(feature = "serde")]
mod parts {
    use super::NeighborList;
    use crate::{DemError, Domain};

    /// A list as it is stored: the centres that it was made for.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct ListParts {
        domain: Domain,
        skin: f64,
        frozen: Box<[bool]>,
        reference: Option<Vec<[f64; 3]>>,
    }

    impl TryFrom<ListParts> for NeighborList {
        type Error = DemError;

        fn try_from(parts: ListParts) -> Result<Self, DemError> {
            let mut list = Self::new(parts.domain, parts.skin)?;
            list.frozen = parts.frozen;
            list.pending_reference = parts.reference;
            Ok(list)
        }
    }

    impl From<NeighborList> for ListParts {
        fn from(list: NeighborList) -> Self {
            let reference = list.accepted_reference();
            Self { domain: list.domain, skin: list.skin, frozen: list.frozen, reference }
        }
    }
}
