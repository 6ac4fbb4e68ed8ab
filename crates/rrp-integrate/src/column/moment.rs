use rrp_geom::glam::DVec3;

use crate::column::scalar::ScalarColumn;
use crate::leaves::Piece;

/// Principal moments of inertia, or their reciprocals, of all bodies along their body axes.
///
/// If every body has three equal moments, one column is stored, otherwise three.
#[derive(Debug, Clone, PartialEq)]
pub struct MomentColumn {
    x: ScalarColumn,
    others: Option<[ScalarColumn; 2]>,
}

impl MomentColumn {
    /// Number of bodies that the column of moments has a row for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether the column of moments has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The three principal moments (or their reciprocals) of body `i` along its axes.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize) -> DVec3 {
        match &self.others {
            None => DVec3::splat(self.x[i]),
            Some([y, z]) => DVec3::new(self.x[i], y[i], z[i]),
        }
    }

    /// The moments as one number for each body if all bodies are spherical, that is, have three equal moments; else
    /// `None`.
    #[must_use]
    pub fn spherical(&self) -> Option<&ScalarColumn> {
        if self.others.is_none() { Some(&self.x) } else { None }
    }

    /// The three principal moments (or their reciprocals) of each body in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    pub(crate) fn pieces(&self) -> [Piece<'_>; 3] {
        match &self.others {
            None => [self.x.piece(); 3],
            Some([y, z]) => [self.x.piece(), y.piece(), z.piece()],
        }
    }
}

impl FromIterator<DVec3> for MomentColumn {
    fn from_iter<I: IntoIterator<Item = DVec3>>(vectors: I) -> Self {
        let rows: Vec<DVec3> = vectors.into_iter().collect();
        let component = |c: usize| rows.iter().map(|row| row[c]).collect();
        let spherical = rows.iter().all(|row| row.to_array().iter().all(|moment| moment.to_bits() == row.x.to_bits()));
        Self { x: component(0), others: (!spherical).then(|| [component(1), component(2)]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_whatever_the_shape() {
        for rows in [[DVec3::splat(0.4), DVec3::splat(0.7)], [DVec3::splat(0.4), DVec3::new(1.0, 2.0, 2.5)]] {
            let column: MomentColumn = rows.into_iter().collect();
            assert_eq!(column.iter().collect::<Vec<_>>(), rows);
            assert_eq!(column.spherical().map(|moment| moment[1]), (rows[1].z < 1.0).then_some(0.7));
        }
    }
}
