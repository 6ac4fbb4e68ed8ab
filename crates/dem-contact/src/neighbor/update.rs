//! Keeping a list valid while bodies move.
//!
//! A list belongs to an accepted state. A trial state, whose step may yet be given up, gets a list of its own where the
//! accepted one does not hold for it; the next call goes back to the accepted one, unless
//! [`accept`](NeighborList::accept) was called. So repeated evaluations of a step give the same bits.

use rrp_geom::glam::DVec3;
use rrp_integrate::{IntegrateError, ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::image_shift::INDEX_MASK;
use crate::neighbor::rebuild_criterion::RebuildCriterion;
use crate::neighbor::{ListState, NeighborList};

impl NeighborList {
    /// Makes the list valid for these radii and centres (m); true if it had to be made anew.
    ///
    /// # Errors
    /// [`IntegrateError::InvalidRadius`] inside [`DemError::Integrate`], [`DemError::LengthMismatch`],
    /// [`TooManyBodies`](ListError::TooManyBodies), [`PositionNotFinite`](ListError::PositionNotFinite),
    /// [`OutsideDomain`](ListError::OutsideDomain) or [`CutoffTooLarge`](ListError::CutoffTooLarge): the list is then
    /// as before. After [`TooManyNeighbors`](ListError::TooManyNeighbors) it is empty until the next call.
    pub fn update(&mut self, radius: &ScalarColumn, position: &VectorColumn) -> Result<bool, DemError> {
        check_radii(radius)?;
        let is_new = self.update_trial(radius, position, &mut |_| ())?;
        self.accept();
        Ok(is_new)
    }

    /// [`update`](Self::update) for a trial state: until [`accept`](Self::accept), the next call starts from the list
    /// that was accepted last. `before_build` is called with each list that is about to be replaced.
    pub(crate) fn update_trial(
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

    /// Makes a trial list for these centres: the last part of [`update_trial`](Self::update_trial), where the list does
    /// not hold for them.
    pub(crate) fn replace(
        &mut self,
        radius: &ScalarColumn,
        position: &VectorColumn,
        before_build: &mut dyn FnMut(&Self),
    ) -> Result<(), DemError> {
        let wrap = self.check(radius, position)?;
        before_build(self);
        self.mark_outdated();
        self.build(radius, &wrap)?;
        self.state = ListState::Trial;
        Ok(())
    }

    /// Goes back to the list that was accepted last, if it is for so many bodies: the first part of
    /// [`update_trial`](Self::update_trial).
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

    /// Makes the list that was accepted last again, if the present rows are others or none.
    pub(super) fn rebuild(&mut self, radius: &ScalarColumn, before_build: impl FnOnce(&Self)) -> Result<(), DemError> {
        if matches!(self.state, ListState::Trial | ListState::Outdated) {
            // Radii may have changed since it was made.
            self.domain.check_cutoff(self.cutoff(radius))?;
            before_build(self);
            let reference = std::mem::take(&mut self.reference);
            self.state = ListState::Outdated;
            let built = self.build(radius, &|i| reference[i]);
            self.reference = reference;
            built?;
            self.state = ListState::Accepted;
            self.start_at_reference();
        }
        Ok(())
    }

    /// Lets later calls start from this list.
    pub(crate) fn accept(&mut self) {
        if self.state == ListState::Trial {
            self.reference.resize(self.order.len(), [0.0; 3]);
            for (&body, &[x, y, z, _]) in self.order.iter().zip(&self.packed) {
                self.reference[body as usize] = [x, y, z];
            }
            self.state = ListState::Accepted;
            self.start_at_reference();
        }
    }

    /// Drops the list and its reference.
    pub(crate) fn forget(&mut self) {
        self.order.clear();
        self.drop_rows();
        self.reference.clear();
        self.state = ListState::Empty;
    }

    /// Has the next call make rows from the reference, if there is one.
    pub(super) fn mark_outdated(&mut self) {
        self.state = if self.reference.is_empty() { ListState::Empty } else { ListState::Outdated };
    }

    /// Records that the packed centres are those of the reference.
    fn start_at_reference(&mut self) {
        (self.displacement, self.criterion) = (0.0, RebuildCriterion::at_build(self.skin));
    }

    /// Checks that a list can be made for these radii and centres (m). Returns the wrapped centre of each body.
    pub(super) fn check<'a>(
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
        // The images of centres beyond these corners cannot be counted.
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
}

/// Checks that all radii are finite and not negative.
pub(super) fn check_radii(radius: &ScalarColumn) -> Result<(), IntegrateError> {
    let is_radius = |radius: f64| radius.is_finite() && radius >= 0.0;
    if radius.uniform().is_some_and(is_radius) {
        return Ok(());
    }
    match radius.iter().position(|&radius| !is_radius(radius)) {
        None => Ok(()),
        Some(body) => Err(IntegrateError::InvalidRadius { body, radius: radius[body] }),
    }
}
