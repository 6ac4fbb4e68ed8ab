//! Lists for the trial points of implicit steps, and lists with pairs left out.

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::{ListState, NeighborList};

impl NeighborList {
    /// The same list without these pairs of bodies, such as those that a [tie](crate::bond::Ties) joins. The next call
    /// makes it anew.
    #[must_use]
    pub fn without_pairs(mut self, pairs: impl IntoIterator<Item = [usize; 2]>) -> Self {
        // Numbers that are too large name no body.
        let narrow = |pair: [usize; 2]| Some([u32::try_from(pair[0]).ok()?, u32::try_from(pair[1]).ok()?]);
        let mut excluded: Vec<[u32; 2]> = pairs.into_iter().filter_map(narrow).collect();
        excluded.extend(self.excluded.iter());
        self.exclude(excluded);
        self.forget();
        self
    }

    /// Leaves exactly these pairs out of the next list.
    pub(super) fn exclude(&mut self, mut pairs: Vec<[u32; 2]>) {
        let reversed: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        pairs.extend(reversed);
        pairs.sort_unstable();
        pairs.dedup();
        self.excluded = pairs.into();
    }

    /// The wrapped centres (m), by body, that the list was made for, and the skin (m) it was made with.
    pub(crate) fn basis(&self) -> (&[[f64; 3]], f64) {
        (&self.reference, self.skin)
    }

    /// Makes the accepted list again if the present rows are others or none. Returns whether there is an accepted list
    /// for so many bodies. `before_build` is called with the list that is about to be replaced.
    pub(crate) fn revive(&mut self, radius: &ScalarColumn, before_build: impl FnOnce(&Self)) -> Result<bool, DemError> {
        if self.state == ListState::Empty || self.reference.len() != radius.len() {
            return Ok(false);
        }
        self.rebuild(radius, before_build)?;
        Ok(true)
    }

    /// Makes and accepts a list for these centres (m) with this skin (m), even where the present one holds.
    ///
    /// # Errors
    /// As [`update`](Self::update); the skin is then as before.
    pub(crate) fn remake(&mut self, radius: &ScalarColumn, position: &VectorColumn, skin: f64) -> Result<(), DemError> {
        let former = std::mem::replace(&mut self.skin, skin);
        let outcome = self.check(radius, position).and_then(|wrap| {
            self.mark_outdated();
            self.build(radius, &wrap)
        });
        if let Err(error) = outcome {
            self.skin = former;
            return Err(error);
        }
        self.state = ListState::Trial;
        self.accept();
        Ok(())
    }

    /// Goes back to an earlier [basis](Self::basis); the list is made from it when it is needed.
    pub(crate) fn put_back(&mut self, (reference, skin): (Vec<[f64; 3]>, f64)) {
        (self.reference, self.skin) = (reference, skin);
        self.mark_outdated();
        self.displacement = f64::INFINITY;
    }
}
