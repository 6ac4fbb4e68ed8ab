//! Making neighbour lists, and keeping them valid while bodies move.
//!
//! A list belongs to an accepted state. Where that list does not hold for a trial state, whose step may still be
//! rejected, the trial state gets a list of its own. The next call goes back to the accepted list, unless
//! [`accept`](NeighborList::accept) was called. So repeated evaluations of a step give the same bits.

use rrp_integrate::{Bodies, IntegrateError, ScalarColumn, State, VectorColumn};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::displacement_bounds::DisplacementBounds;
use crate::neighbor::domain::Domain;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::neighbor::tiles::partition::WANTED;
use crate::neighbor::tiles::{ListInput, Tiling};
use crate::neighbor::tracked::{TrackedList, Travel};
use crate::neighbor::{ListOrigin, NeighborList};

impl NeighborList {
    /// Makes the list valid for these radii and centres (m). Returns true if a list had to be made. In a domain that
    /// deforms, call [`set_time`](Self::set_time) before.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidRadius`] inside [`DemError::Integrate`], [`DemError::LengthMismatch`],
    /// [`TooManyBodies`](ListError::TooManyBodies), [`PositionNotFinite`](ListError::PositionNotFinite),
    /// [`OutsideDomain`](ListError::OutsideDomain) or [`CutoffTooLarge`](ListError::CutoffTooLarge): the list is then
    /// unchanged. After [`TooManyNeighbors`](ListError::TooManyNeighbors) the list is empty until the next call.
    pub fn update(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Result<bool, DemError> {
        check_radii(radius)?;
        let builds = self.builds;
        if !self.follow(radius, position)? {
            self.replace(radius, position)?;
        }
        self.accept();
        Ok(self.builds > builds)
    }

    /// Goes back to the accepted list, and reads these radii and centres (m). Returns true if that list holds for them.
    /// The list of a subdomain must have [read](Self::read) the centres before.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub(crate) fn follow(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Result<bool, DemError> {
        let is_there = self.go_back(radius)? && radius.len() == position.len();
        let was_read = std::mem::take(&mut self.is_read);
        if self.is_of_subdomain && !was_read {
            return Err(DemError::List(ListError::CentresNotRead));
        }
        let is_read = is_there && (was_read || self.read(radius, position).is_some());
        Ok(is_read && self.current.holds(&self.now, self.range, self.keeps_inside))
    }

    /// Reads these radii and centres (m) into the list in use, and returns the largest displacements. `None` if a
    /// radius is not that of the list, or if a centre is not finite or too many periods away to count.
    pub(crate) fn read(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Option<Travel> {
        let travel = self.current.read(&self.now, radius, position);
        self.is_read = self.is_of_subdomain && travel.is_some();
        travel
    }

    pub(crate) fn free_travel(&self) -> f64 {
        self.current.free_travel(self.range)
    }

    pub(crate) fn displacement_bounds(&self) -> DisplacementBounds {
        self.current.displacement_bounds(self.keeps_inside)
    }

    /// Returns the distance in m that each centre may travel until the next inspection of displacements; `None` if the
    /// list does not hold. `all` has the bounds of all ranks, `displacement` is the largest displacement (m) since the
    /// list was made on any rank. See [`TrackedList::spare`].
    pub(crate) fn spare_travel(&self, all: &DisplacementBounds, displacement: f64) -> Option<f64> {
        let finite = displacement.is_finite();
        let largest = displacement + self.current.image_way(&self.now);
        finite.then(|| self.current.spare(all, self.range, largest)).flatten().map(|spare| spare.travel)
    }

    /// Makes a list for a trial state with these centres (m), in place of the accepted list, whose memory is freed
    /// first.
    ///
    /// # Errors
    /// As [`update`](Self::update). After [`TooManyNeighbors`](ListError::TooManyNeighbors) there is no list until
    /// another call makes the accepted one again. [`SubdomainOutdated`](ListError::SubdomainOutdated) changes nothing.
    pub(crate) fn replace(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Result<(), DemError> {
        if self.is_of_subdomain {
            return Err(DemError::List(ListError::SubdomainOutdated));
        }
        let rows = self.rows(&self.now, radius, position, self.reach())?;
        self.origin = self.origin();
        self.drop_list();
        self.try_list(rows, self.reach())
    }

    /// Largest gap (m) between the surfaces of a listed pair when a list is made: skin plus range of the laws.
    pub(super) fn reach(&self) -> f64 {
        self.skin + self.range
    }

    /// Makes a list for a trial state with these centres (m) and this skin (m), even where the list in use holds. After
    /// an error the list in use stays.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub(crate) fn make_trial(
        &mut self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        skin: f64,
    ) -> Result<(), DemError> {
        self.try_list(self.rows(&self.now, radius, position, skin)?, skin)
    }

    fn try_list(&mut self, rows: Vec<[f64; 4]>, skin: f64) -> Result<(), DemError> {
        let list = self.make(&self.now, &self.fixed, rows, skin)?;
        self.origin = self.origin();
        (self.current, self.is_trial) = (list, true);
        self.builds += 1;
        Ok(())
    }

    pub(super) fn make(
        &self,
        domain: &Domain,
        fixed: &[usize],
        rows: Vec<[f64; 4]>,
        skin: f64,
    ) -> Result<TrackedList, DemError> {
        let mut is_fixed = vec![false; if fixed.is_empty() { 0 } else { rows.len() }];
        for &body in fixed {
            // A list read from storage may name bodies that do not exist.
            is_fixed.get_mut(body).into_iter().for_each(|is_fixed| *is_fixed = true);
        }
        let Self { ids, excluded, kinds, .. } = self;
        let input = ListInput { domain, skin, ids, is_fixed: &is_fixed, excluded, kinds };
        Ok(TrackedList::new(Tiling::new(&input, rows, WANTED)?, *domain))
    }

    /// Drops a trial list, and makes the accepted list again if it had been dropped. Returns true if there is an
    /// accepted list for as many bodies as there are radii.
    pub(crate) fn go_back(&mut self, radius: &ScalarColumn) -> Result<bool, DemError> {
        self.give_up();
        if let Some(ListOrigin { centres, skin, domain }) = &self.origin
            && centres.len() == radius.len()
        {
            // Radii may have changed since the list was made.
            self.check_sizes(domain, radius, *skin)?;
            let rows = centres.iter().zip(radius.iter()).map(|(&[x, y, z], &radius)| [x, y, z, radius]).collect();
            self.current = self.make(domain, &self.fixed, rows, *skin)?;
            self.builds += 1;
            self.origin = None;
        }
        Ok(self.len() == radius.len())
    }

    /// Drops the list in use if it was made for a trial state, whose step was rejected.
    pub(crate) fn give_up(&mut self) {
        if self.is_trial {
            self.drop_list();
        }
    }

    /// Makes the list in use that of the accepted state, from which later evaluations start.
    pub(crate) fn accept(&mut self) {
        if std::mem::take(&mut self.is_trial) {
            self.origin = None;
        }
    }

    pub(crate) fn forget(&mut self) {
        self.drop_list();
        self.origin = None;
    }

    /// Drops the list in use. The next [`update`](Self::update) makes the accepted list again, from the centres for
    /// which it was made, but with the present kinds. The list of a subdomain cannot be made again, since its rank
    /// lacks bodies, and stays empty.
    pub(super) fn make_anew(&mut self) {
        let origin = self.origin().filter(|_| !self.is_of_subdomain);
        self.drop_list();
        self.origin = origin;
    }

    fn drop_list(&mut self) {
        (self.current, self.is_trial) = (TrackedList::new(Tiling::default(), self.now), false);
    }

    /// Returns a copy of the list in use with the centres of this state, or a new list if the list in use does not hold
    /// for them. `self` stays as it is.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub(crate) fn at(&self, bodies: &Bodies, state: &State) -> Result<TrackedList, DemError> {
        let radius = bodies.radius();
        let position = state.position();
        let domain = &self.domain.at(state.time())?;
        if self.len() == bodies.len() && *self.fixed == *bodies.fixed() {
            let mut list = self.current.clone();
            if list.follow(domain, self.range, self.keeps_inside, radius, position) {
                return Ok(list);
            }
        }
        self.make(domain, bodies.fixed(), self.rows(domain, radius, position, self.reach())?, self.reach())
    }

    /// Returns wrapped centres and radii (m) by body number, after checking that a list with this skin (m) can be made
    /// from them.
    pub(super) fn rows(
        &self,
        domain: &Domain,
        radius: &ScalarColumn,
        position: &VectorColumn,
        skin: f64,
    ) -> Result<Vec<[f64; 4]>, DemError> {
        if radius.len() != position.len() {
            return Err(DemError::LengthMismatch { what: "radii", expected: position.len(), found: radius.len() });
        }
        self.check_sizes(domain, radius, skin)?;
        let row = |(body, (position, &radius)): (usize, (_, &f64))| {
            domain.check_position(body, position)?;
            let inside = domain.inside(position);
            domain.check_wrapped(body, position, inside)?;
            Ok([inside.x, inside.y, inside.z, radius])
        };
        position.iter().zip(radius.iter()).enumerate().map(row).collect()
    }

    /// Checks that a list can be made for these radii: their number, the number of ids, and the cutoff in the domain.
    fn check_sizes(&self, domain: &Domain, radius: &ScalarColumn, skin: f64) -> Result<(), DemError> {
        let bodies = radius.len();
        if bodies > INDEX_MASK as usize {
            return Err(DemError::List(ListError::TooManyBodies { bodies, limit: INDEX_MASK as usize }));
        }
        if !self.ids.is_empty() && self.ids.len() != bodies {
            return Err(DemError::LengthMismatch { what: "ids", expected: bodies, found: self.ids.len() });
        }
        let largest = radius.iter().copied().fold(0.0, f64::max);
        domain.check_cutoff(2.0 * largest + skin)
    }
}

pub(super) fn check_radii(radius: &ScalarColumn) -> Result<(), IntegrateError> {
    match radius.iter().position(|&radius| !radius.is_finite() || radius < 0.0) {
        None => Ok(()),
        Some(body) => Err(IntegrateError::InvalidRadius { body, radius: radius[body] }),
    }
}
