use rrp_geom::glam::DVec3;

use crate::column::vector::VectorColumn;

/// Sums of forces or of torques on all bodies: zero, without storage, until the first vector is added.
#[derive(Debug, Clone, Default)]
pub struct LoadColumn {
    len: usize,
    /// Vectors of all bodies if `written`; otherwise leftovers of earlier sums, or an empty column.
    values: VectorColumn,
    written: bool,
}

impl LoadColumn {
    /// Makes a column of zero forces or torques on `len` bodies, without storage.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self { len, values: VectorColumn::default(), written: false }
    }

    /// Number of rows: one for each body, also if nothing acts on it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the column of forces or torques has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether no force or torque was added since the last [`clear`](Self::clear), so that all vectors are zero.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        !self.written
    }

    /// Force or torque on body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize) -> DVec3 {
        assert!(i < self.len, "there are {} bodies, none has the number {i}", self.len);
        if self.written { self.values.get(i) } else { DVec3::ZERO }
    }

    /// Overwrites the force or torque on body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[inline]
    pub fn set(&mut self, i: usize, vector: DVec3) {
        self.touch().set(i, vector);
    }

    /// Adds a force or torque to that on body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[inline]
    pub fn add(&mut self, i: usize, vector: DVec3) {
        self.touch().add(i, vector);
    }

    /// The forces or torques on all bodies in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.len).map(|i| self.get(i))
    }

    /// Sets all forces or torques to zero. The memory is kept for the next sums.
    pub fn clear(&mut self) {
        self.written = false;
    }

    /// The columns x, y, z of the forces or torques; `None` while nothing was added.
    #[must_use]
    pub fn slices(&self) -> Option<[&[f64]; 3]> {
        self.written.then(|| self.values.slices())
    }

    /// The columns x, y, z of the forces or torques to add to, set to zero first if nothing was added yet.
    pub fn slices_mut(&mut self) -> [&mut [f64]; 3] {
        self.touch().slices_mut()
    }

    /// The columns x, y, z for a caller that overwrites every entry; the entries may hold leftovers of earlier sums.
    ///
    /// If the column [is untouched](Self::is_untouched), this method saves the pass that sets all entries to zero.
    pub fn overwrite(&mut self) -> [&mut [f64]; 3] {
        self.values.resize(self.len);
        self.written = true;
        self.values.slices_mut()
    }

    /// The forces or torques as a vector column, set to zero first if nothing was added yet.
    pub(crate) fn touch(&mut self) -> &mut VectorColumn {
        if !self.written {
            self.overwrite();
            self.values.clear();
        }
        &mut self.values
    }

    /// Makes a column from deserialised vectors; `None` stands for zeros on `len` bodies.
    #[cfg(feature = "serde")]
    pub(crate) fn restored(len: usize, values: Option<VectorColumn>) -> Self {
        values.map_or_else(|| Self::zeros(len), |values| Self { len: values.len(), values, written: true })
    }

    /// The vectors to serialise; `None` if nothing was added or there are no bodies, so that equal columns are stored
    /// alike.
    #[cfg(feature = "serde")]
    pub(crate) fn into_values(self) -> Option<VectorColumn> {
        (self.written && self.len > 0).then_some(self.values)
    }

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

/// Compares forces or torques body by body: an untouched column equals a column of zeros.
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
}
