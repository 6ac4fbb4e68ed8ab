//! A sum of vectors per body that takes no memory and no time as long as nothing is added.

use rrp_geom::glam::DVec3;

use crate::VectorColumn;

/// Forces or torques on all bodies, to be added to: zero, without storage, until something is.
#[derive(Debug, Clone, Default)]
pub struct LoadColumn {
    len: usize,
    /// What was added, if anything was; else whatever is left from before, or nothing.
    values: VectorColumn,
    written: bool,
    /// Whether `values` are what was [set aside](Self::set_aside).
    intact: bool,
}

impl LoadColumn {
    /// Nothing on `len` bodies.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self { len, values: VectorColumn::default(), written: false, intact: false }
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether nothing was added since the last [`clear`](Self::clear), so that all vectors are zero.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        !self.written
    }

    /// The vector of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize) -> DVec3 {
        assert!(i < self.len, "there are {} bodies, none has the number {i}", self.len);
        if self.written { self.values.get(i) } else { DVec3::ZERO }
    }

    /// Overwrites the vector of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[inline]
    pub fn set(&mut self, i: usize, vector: DVec3) {
        self.touch().set(i, vector);
    }

    /// Adds to the vector of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[inline]
    pub fn add(&mut self, i: usize, vector: DVec3) {
        self.touch().add(i, vector);
    }

    /// The vectors of all bodies in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.len).map(|i| self.get(i))
    }

    /// Sets all vectors to zero, by forgetting them.
    pub fn clear(&mut self) {
        self.written = false;
    }

    /// The columns x, y, z; `None` while nothing was added.
    #[must_use]
    pub fn slices(&self) -> Option<[&[f64]; 3]> {
        self.written.then(|| self.values.slices())
    }

    /// The columns x, y, z to add to.
    pub fn slices_mut(&mut self) -> [&mut [f64]; 3] {
        self.touch().slices_mut()
    }

    /// The columns x, y, z for whoever writes every entry: they still hold what they held before.
    ///
    /// Saves the pass that sets them to zero where [`is_untouched`](Self::is_untouched) says that all is zero.
    pub fn overwrite(&mut self) -> [&mut [f64]; 3] {
        if self.values.len() != self.len {
            self.values = VectorColumn::zeros(self.len);
        }
        (self.written, self.intact) = (true, false);
        self.values.slices_mut()
    }

    /// Sets all vectors to zero, to be [resumed](Self::resume) as long as nobody writes.
    pub(crate) fn set_aside(&mut self) {
        (self.written, self.intact) = (false, self.written);
    }

    /// Has the vectors again that were set aside; false if there are none, or they were written over.
    pub(crate) fn resume(&mut self) -> bool {
        self.written = self.intact;
        self.intact
    }

    /// The vectors as a column, zero if nothing was added.
    pub(crate) fn touch(&mut self) -> &mut VectorColumn {
        if !self.written {
            self.overwrite();
            self.values.clear();
        }
        &mut self.values
    }

    /// These vectors, or none on `len` bodies.
    #[cfg(feature = "serde")]
    pub(crate) fn restored(len: usize, values: Option<VectorColumn>) -> Self {
        values
            .map_or_else(|| Self::zeros(len), |values| Self { len: values.len(), values, written: true, intact: false })
    }

    /// The vectors, if any were added.
    #[cfg(feature = "serde")]
    pub(crate) fn into_values(self) -> Option<VectorColumn> {
        self.written.then_some(self.values)
    }

    /// Takes over all vectors of a column of the same length.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        match other.written {
            true => {
                self.overwrite();
                self.values.copy_from(&other.values);
            }
            false => self.clear(),
        }
    }
}

/// Equal vectors.
impl PartialEq for LoadColumn {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_stored_until_something_is_added() {
        let mut column = LoadColumn::zeros(2);
        assert!(column.slices().is_none() && column.get(1) == DVec3::ZERO);
        column.add(1, DVec3::X);
        column.add(1, DVec3::Y);
        assert_eq!(column.iter().collect::<Vec<_>>(), [DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)]);
        column.clear();
        assert!(column.is_untouched() && column == LoadColumn::zeros(2));
        column.add(0, DVec3::Z);
        assert_eq!(column.get(1), DVec3::ZERO);
    }

    #[test]
    fn what_was_set_aside_is_there_until_someone_writes() {
        let mut column = LoadColumn::zeros(2);
        column.set_aside();
        assert!(!column.resume() && column.is_untouched());
        column.add(1, DVec3::X);
        let before = column.clone();
        column.set_aside();
        assert!(column.is_untouched());
        column.clear();
        assert!(column.resume() && column == before);
        column.set_aside();
        column.add(0, DVec3::Y);
        // Forgotten again, as a field that fails may do.
        column.clear();
        assert!(!column.resume() && column.is_untouched());
    }
}
