use std::ops::Index;

use rrp_parallel::BLOCK;

use crate::leaves::Piece;

/// One constant number for each body, such as a mass. A number that all bodies share is stored once.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarColumn {
    /// One value for each body; for a shared value, up to [`BLOCK`] copies, so that a leaf of a loop can borrow a
    /// slice.
    values: Box<[f64]>,
    len: usize,
    uniform: bool,
}

impl ScalarColumn {
    /// Number of bodies that the scalar column has a value for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the scalar column has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The column's value for body `i`.
    ///
    /// # Panics
    /// If there is no body `i`.
    #[must_use]
    #[inline]
    pub fn get(&self, i: usize) -> f64 {
        self[i]
    }

    /// The values of all bodies in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &f64> + '_ {
        (0..self.len).map(|i| &self[i])
    }

    /// The value that all bodies share; `None` if values differ, or if there is no body.
    #[must_use]
    pub fn uniform(&self) -> Option<f64> {
        if self.uniform { self.values.first().copied() } else { None }
    }

    /// The values of all bodies in order; `None` if all bodies share [one value](Self::uniform).
    #[must_use]
    pub fn slice(&self) -> Option<&[f64]> {
        if self.uniform { None } else { Some(&self.values[..self.len]) }
    }

    pub(crate) fn piece(&self) -> Piece<'_> {
        Piece { values: &self.values, bodies: self.len, repeated: self.uniform }
    }
}

impl Index<usize> for ScalarColumn {
    type Output = f64;

    #[inline]
    fn index(&self, i: usize) -> &f64 {
        assert!(i < self.len, "there are {} bodies, none has the number {i}", self.len);
        &self.values[if self.uniform { 0 } else { i }]
    }
}

impl FromIterator<f64> for ScalarColumn {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        let len = values.len();
        let uniform = values.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits());
        if uniform {
            values.truncate(BLOCK);
        }
        Self { values: values.into(), len, uniform }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_take_some_places_and_others_one_each() {
        let equal: ScalarColumn = std::iter::repeat_n(0.5, 3000).collect();
        assert_eq!((equal.len(), equal.values.len(), equal.uniform()), (3000, BLOCK, Some(0.5)));
        let mixed: ScalarColumn = [1.0, 2.0, 3.0].into_iter().collect();
        assert_eq!((mixed.uniform(), mixed.iter().sum::<f64>(), mixed[2]), (None, 6.0, 3.0));
        assert_eq!((equal.slice(), mixed.slice()), (None, Some(&[1.0, 2.0, 3.0][..])));
        assert_eq!(ScalarColumn::from_iter([]).uniform(), None);
    }

    #[test]
    fn leaves_have_the_numbers_of_their_bodies() {
        for bodies in [0, 1, 2, BLOCK - 1, BLOCK] {
            let equal = std::iter::repeat_n(0.5, bodies);
            let mixed = (0..bodies).map(|i| i as f64);
            for column in [equal.collect::<ScalarColumn>(), mixed.collect()] {
                assert!(column.piece().leaf().iter().eq(column.iter()), "{bodies}");
                assert!((0..bodies).all(|i| column.piece().get(i).to_bits() == column[i].to_bits()), "{bodies}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "none has the number 2")]
    fn a_body_that_is_not_there_has_no_number() {
        let column: ScalarColumn = [1.0; 2].into_iter().collect();
        let _ = column[2];
    }
}
