//! Lists for implicit steps, whose trial points are not the states that are kept, and lists with pairs left out.

use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::{NeighborList, Standing};

impl NeighborList {
    /// The same without these pairs of bodies, such as those that a [tie](crate::bond::ties::Ties) joins. The next call makes it anew.
    #[must_use]
    pub fn without_pairs(mut self, pairs: impl IntoIterator<Item = [usize; 2]>) -> Self {
        // Numbers that are too large are those of no body.
        let narrow = |pair: [usize; 2]| Some([u32::try_from(pair[0]).ok()?, u32::try_from(pair[1]).ok()?]);
        let mut excluded: Vec<[u32; 2]> = pairs.into_iter().filter_map(narrow).collect();
        excluded.extend(self.excluded.iter());
        self.exclude(excluded);
        self.forget();
        self
    }

    /// Leaves these pairs out of the next list.
    pub(super) fn exclude(&mut self, mut pairs: Vec<[u32; 2]>) {
        let turned: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
        pairs.extend(turned);
        pairs.sort_unstable();
        pairs.dedup();
        self.excluded = pairs.into();
    }

    /// The wrapped centres by body that the list was made for, and the skin it was made with.
    pub(crate) fn basis(&self) -> (&[[f64; 3]], f64) {
        (&self.reference, self.skin)
    }

    /// Makes the list again from the centres that it was made for, if it has none; false if it knows of none. `before_build` is
    /// shown the present one first.
    pub(crate) fn revive(&mut self, radius: &ScalarColumn, before_build: impl FnOnce(&Self)) -> Result<bool, DemError> {
        if self.standing == Standing::Empty || self.reference.len() != radius.len() {
            return Ok(false);
        }
        self.rebuild(radius, before_build)?;
        Ok(true)
    }

    /// Makes the list for these centres with this skin (m), whatever the present one is good for.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub(crate) fn remake(&mut self, radius: &ScalarColumn, position: &VectorColumn, skin: f64) -> Result<(), DemError> {
        let former = std::mem::replace(&mut self.skin, skin);
        let outcome = self.check(radius, position).and_then(|wrap| {
            self.standing = if self.reference.is_empty() { Standing::Empty } else { Standing::Lost };
            self.build(radius, &wrap)
        });
        if let Err(error) = outcome {
            self.skin = former;
            return Err(error);
        }
        self.standing = Standing::Trial;
        self.accept();
        Ok(())
    }

    /// Goes back to a [basis](Self::basis) that was there before, from which the list is made when it is needed.
    pub(crate) fn put_back(&mut self, (reference, skin): (Vec<[f64; 3]>, f64)) {
        self.standing = if reference.is_empty() { Standing::Empty } else { Standing::Lost };
        self.moved = f64::INFINITY;
        (self.reference, self.skin) = (reference, skin);
    }
}
