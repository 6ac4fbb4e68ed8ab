use rrp_geom::Attitude;
use rrp_geom::glam::DQuat;

/// One attitude for each body, stored as four columns w, x, y, z of unit quaternions (body to world).
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Attitude>", into = "Vec<Attitude>"))]
pub struct AttitudeColumn {
    components: [Box<[f64]>; 4],
}

impl AttitudeColumn {
    /// Makes a column of `len` identity attitudes: body axes along world axes.
    #[must_use]
    pub fn identity(len: usize) -> Self {
        let component = |c| vec![if c == 0 { 1.0 } else { 0.0 }; len].into_boxed_slice();
        Self { components: std::array::from_fn(component) }
    }

    /// Number of bodies that the attitude column has a row for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components[0].len()
    }

    /// Whether the attitude column has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The attitude of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> Attitude {
        let [w, x, y, z] = &self.components;
        Attitude::from_quaternion_unchecked(DQuat::from_xyzw(x[i], y[i], z[i], w[i]))
    }

    /// Overwrites the attitude of body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    pub fn set(&mut self, i: usize, attitude: Attitude) {
        let [w, x, y, z] = &mut self.components;
        (x[i], y[i], z[i], w[i]) = attitude.to_quaternion().into();
    }

    /// The attitudes of all bodies, in the order of their numbers.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Attitude> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The four columns w, x, y, z of the unit quaternions.
    #[must_use]
    pub fn slices(&self) -> [&[f64]; 4] {
        self.components.each_ref().map(|component| &component[..])
    }

    /// Columns w, x, y, z of the quaternions, for kernels that write unit quaternions.
    pub(crate) fn slices_mut(&mut self) -> [&mut [f64]; 4] {
        self.components.each_mut().map(|component| &mut component[..])
    }
}

impl FromIterator<Attitude> for AttitudeColumn {
    fn from_iter<I: IntoIterator<Item = Attitude>>(attitudes: I) -> Self {
        let rows: Vec<[f64; 4]> = attitudes
            .into_iter()
            .map(|attitude| {
                let [x, y, z, w] = attitude.to_quaternion().to_array();
                [w, x, y, z]
            })
            .collect();
        Self { components: std::array::from_fn(|c| rows.iter().map(|row| row[c]).collect()) }
    }
}

impl From<Vec<Attitude>> for AttitudeColumn {
    fn from(attitudes: Vec<Attitude>) -> Self {
        attitudes.into_iter().collect()
    }
}

impl From<AttitudeColumn> for Vec<Attitude> {
    fn from(column: AttitudeColumn) -> Self {
        column.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rrp_geom::glam::DVec3;

    #[test]
    fn rows_come_back_from_columns() {
        let rows = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 5.0, 0.5)];
        let attitudes = rows.map(|row| Attitude::from_rotation_vector(row).unwrap());
        let column: AttitudeColumn = attitudes.into_iter().collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), attitudes);
    }
}
