//! Numbering of bodies by their order in space, renumbering, and exclusion of pairs.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Renumbering, ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::neighbor::domain::Domain;
use crate::neighbor::tracked::TrackedList;
use crate::neighbor::update::check_radii;
use crate::neighbor::{ListOrigin, NeighborList};

impl NeighborList {
    /// Returns a numbering in which bodies near each other have numbers near each other: sorted by the tiles (boxes of
    /// space) of a list for these radii and centres (m).
    ///
    /// Use such a numbering for large beds whose bodies are numbered at random or have mixed: the columns of a state
    /// are then read and written in order. Contacts know bodies by number, so call
    /// [`ContactForce::renumber`](crate::force::ContactForce::renumber) too.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn spatial_order(&self, radius: &ScalarColumn, position: &VectorColumn) -> Result<Renumbering, DemError> {
        check_radii(radius)?;
        let rows = self.rows(&self.now, radius, position, self.skin)?;
        let list = self.make(&self.now, &self.fixed, rows, self.skin)?;
        Ok(Renumbering::new(list.tiling.order.iter().map(|&body| body as usize))?)
    }

    /// Leaves these pairs of bodies out of the list, such as the pairs that a [tie](crate::bond::Ties) joins. The next
    /// [`update`](Self::update) makes the list anew.
    #[must_use]
    pub fn without_pairs(mut self, pairs: impl IntoIterator<Item = [usize; 2]>) -> Self {
        // Numbers too large for u32 belong to no body.
        let narrow = |pair: [usize; 2]| Some([u32::try_from(pair[0]).ok()?, u32::try_from(pair[1]).ok()?]);
        let mut excluded: Vec<[u32; 2]> = pairs.into_iter().filter_map(narrow).collect();
        excluded.extend(self.excluded.iter());
        self.exclude(excluded);
        self.forget();
        self
    }

    pub(crate) fn leaves_out(&self, pair: [usize; 2]) -> bool {
        self.excluded.binary_search(&pair.map(|body| u32::try_from(body).unwrap_or(u32::MAX))).is_ok()
    }

    pub(super) fn exclude(&mut self, mut pairs: Vec<[u32; 2]>) {
        let reversed: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        pairs.extend(reversed);
        pairs.sort_unstable();
        pairs.dedup();
        self.excluded = pairs.into();
    }

    /// Renumbers the bodies, which keep their ids. If no body is gone or new, the next [`update`](Self::update) makes
    /// the accepted list again from the centres for which it was made, so that no bit of a run changes. Otherwise that
    /// update makes a list from the present centres.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if the list has another number of bodies, [`ListError::NoIdsLeft`]; nothing is then
    /// changed.
    pub(crate) fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let given = self.next_id.max(numbering.before() as u32);
        let new = numbering.new_bodies();
        let next_id = u32::try_from(new).ok().and_then(|new| given.checked_add(new));
        let next_id = next_id.ok_or(DemError::List(ListError::NoIdsLeft { given, new }))?;
        let origin = self.origin();
        let keeps_all = numbering.keeps_all();
        if origin.is_some() || self.builds > 0 || !keeps_all {
            self.fix_ids(numbering.before());
        }
        if !self.ids.is_empty() || !keeps_all {
            self.ids = numbering.column_with(&self.ids, &(given..next_id).collect::<Vec<_>>())?;
            self.next_id = next_id;
        }
        let now = numbering.inverse();
        let present = |i: usize| match now.former().get(i) {
            Some(&body) => (!now.is_new(i)).then_some(body),
            // A number beyond the last body stays, unless a new body could get this number.
            None => keeps_all.then_some(i),
        };
        let mut fixed: Vec<usize> = self.fixed.iter().filter_map(|&i| present(i)).collect();
        fixed.sort_unstable();
        self.fixed = fixed.into();
        // The caller sets the kinds of all bodies, the new ones included, before the next list.
        self.kinds = Box::default();
        let number = |i: u32| present(i as usize).map(|i| i as u32);
        self.exclude(self.excluded.iter().filter_map(|&[a, b]| Some([number(a)?, number(b)?])).collect());
        self.forget();
        self.origin = origin.filter(|_| keeps_all).map(|origin| {
            let centres = numbering.former().iter().map(|&former| origin.centres[former]).collect();
            ListOrigin { centres, ..origin }
        });
        Ok(())
    }

    /// Makes the present body numbers permanent ids, unless ids are set: contact histories may refer to them.
    pub(crate) fn fix_ids(&mut self, bodies: usize) {
        if self.ids.is_empty() {
            self.ids = (0..bodies as u32).collect();
            self.next_id = self.next_id.max(bodies as u32);
        }
    }

    /// Returns the input from which the list of the last accepted state was made; `None` if there is no list.
    pub(super) fn origin(&self) -> Option<ListOrigin> {
        let made = || {
            let TrackedList { tiling, start, .. } = &self.current;
            let centres = tiling.place.iter().map(|&place| {
                let [x, y, z, _] = tiling.reference[place as usize];
                [x, y, z]
            });
            ListOrigin { centres: centres.collect(), skin: tiling.skin, domain: *start }
        };
        self.origin.clone().or_else(|| (!self.is_trial && !self.is_empty()).then(made))
    }

    /// Returns the wrapped centres (m), by body number, for which the accepted list was made; `None` if there is no
    /// list. The list depends on these centres, not on the present ones.
    #[must_use]
    pub fn accepted_centres(&self) -> Option<VectorColumn> {
        let origin = self.origin()?;
        Some(origin.centres.into_iter().map(DVec3::from_array).collect())
    }

    /// Returns this list as if it had been made for these centres (m) in this domain and accepted.
    pub(crate) fn made_for(mut self, centres: &VectorColumn, domain: Domain) -> Self {
        self.forget();
        let centres = centres.iter().map(|centre| centre.to_array()).collect();
        self.origin = Some(ListOrigin { centres, skin: self.reach(), domain });
        self
    }

    /// Number of bodies of the accepted list, which is the list that is stored; 0 if there is none.
    pub(crate) fn accepted_bodies(&self) -> usize {
        self.origin().map_or(0, |origin| origin.centres.len())
    }

    pub(crate) fn ids(&self) -> usize {
        self.ids.len()
    }
}
