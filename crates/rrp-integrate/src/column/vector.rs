use rrp_geom::glam::DVec3;

use crate::error::IntegrateError;

/// One vector for each body, stored as three columns x, y, z, which the vectorised kernels read. The length is fixed.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[Box<[f64]>; 3]", into = "[Box<[f64]>; 3]"))]
pub struct VectorColumn {
    components: [Box<[f64]>; 3],
}

impl VectorColumn {
    /// Makes a column of `len` zero vectors.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self { components: std::array::from_fn(|_| vec![0.0; len].into_boxed_slice()) }
    }

    /// Number of bodies that the vector column has a row for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components[0].len()
    }

    /// Whether there are no bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column's vector for body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> DVec3 {
        let [x, y, z] = &self.components;
        DVec3::new(x[i], y[i], z[i])
    }

    /// Overwrites the vector of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    pub fn set(&mut self, i: usize, vector: DVec3) {
        let [x, y, z] = &mut self.components;
        (x[i], y[i], z[i]) = vector.into();
    }

    /// Adds to the vector of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    pub fn add(&mut self, i: usize, vector: DVec3) {
        self.set(i, self.get(i) + vector);
    }

    /// The vectors of all bodies in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Sets all vectors of the column to zero.
    pub fn clear(&mut self) {
        self.components.iter_mut().for_each(|component| component.fill(0.0));
    }

    /// Sets the number of vectors to `len`; if the number changes, all vectors become zero.
    pub(crate) fn resize(&mut self, len: usize) {
        if self.len() != len {
            *self = Self::zeros(len);
        }
    }

    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.components.iter_mut().zip(&other.components) {
            to.copy_from_slice(from);
        }
    }

    /// The columns x, y, z of the vectors.
    #[must_use]
    pub fn slices(&self) -> [&[f64]; 3] {
        self.components.each_ref().map(|component| &component[..])
    }

    /// The columns x, y, z of the vectors, to write to.
    #[must_use]
    pub fn slices_mut(&mut self) -> [&mut [f64]; 3] {
        self.components.each_mut().map(|component| &mut component[..])
    }
}

impl FromIterator<DVec3> for VectorColumn {
    fn from_iter<I: IntoIterator<Item = DVec3>>(vectors: I) -> Self {
        let rows: Vec<DVec3> = vectors.into_iter().collect();
        Self { components: std::array::from_fn(|c| rows.iter().map(|row| row[c]).collect()) }
    }
}

impl TryFrom<[Box<[f64]>; 3]> for VectorColumn {
    type Error = IntegrateError;

    fn try_from(components: [Box<[f64]>; 3]) -> Result<Self, IntegrateError> {
        let expected = components[0].len();
        for (column, component) in [("y components", &components[1]), ("z components", &components[2])] {
            if component.len() != expected {
                return Err(IntegrateError::LengthMismatch { column, expected, found: component.len() });
            }
        }
        Ok(Self { components })
    }
}

impl From<VectorColumn> for [Box<[f64]>; 3] {
    fn from(column: VectorColumn) -> Self {
        column.components
    }
}

/// Reborrows mutable columns x, y, z as shared ones, for a kernel that reads what another kernel has written.
pub(crate) fn shared(columns: [&mut [f64]; 3]) -> [&[f64]; 3] {
    columns.map(|column| &*column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_columns() {
        let rows = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 5.0, 0.5)];
        let mut column: VectorColumn = rows.into_iter().collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), rows);
        column.add(1, DVec3::ONE);
        assert_eq!(column.slices(), [&[1.0, -3.0][..], &[2.0, 6.0], &[3.0, 1.5]]);
    }

    #[test]
    fn components_of_different_lengths_are_refused() {
        let components = [vec![0.0; 2].into(), vec![0.0; 2].into(), vec![0.0; 3].into()];
        let error = VectorColumn::try_from(components).unwrap_err();
        assert!(matches!(error, IntegrateError::LengthMismatch { column: "z components", expected: 2, found: 3 }));
    }
}
