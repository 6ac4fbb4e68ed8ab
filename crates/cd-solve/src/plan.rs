//! The contacts of a piece in the order of its places.

use std::ops::Range;

use crate::coefficient::Coefficient;
use crate::rows::{FIXED, Rows};

/// All contacts of the bodies of one piece, place by place, so that Hessians are built without jumping about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan<C> {
    /// First entry of each place, and the number of entries.
    start: Vec<u32>,
    /// Twice the contact, plus the side on which the body is.
    incident: Vec<u32>,
    /// Place of the other body, [`FIXED`] where it is fixed.
    other: Vec<u32>,
    /// Rows of the contacts, `K` numbers per entry.
    coefficients: Vec<C>,
}

/// One contact of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<C, const K: usize> {
    pub(crate) contact: usize,
    /// Side on which the body is.
    pub(crate) side: usize,
    /// Place of the other body, [`FIXED`] where it is fixed.
    pub(crate) other: u32,
    pub(crate) coefficients: [C; K],
}

impl<C: Coefficient> Plan<C> {
    /// Lays out the contacts of these `bodies`, which are in the order of their places; `place` has those of all bodies.
    pub(crate) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, bodies: &[u32], place: &[u32]) {
        let Self { start, incident, other, coefficients } = self;
        [&mut *start, incident, other].into_iter().for_each(Vec::clear);
        coefficients.clear();
        start.push(0);
        for &body in bodies {
            for (contact, side) in rows.of_body(body as usize) {
                let row = &rows.contacts[contact];
                incident.push((2 * contact + side) as u32);
                other.push(place.get(row.body[1 - side] as usize).copied().unwrap_or(FIXED));
                coefficients.extend(row.coefficients.map(C::nearest));
            }
            start.push(incident.len() as u32);
        }
    }

    /// The contacts of the body at this place of the piece.
    #[inline(always)]
    pub(crate) fn of_place<const K: usize>(&self, place: usize) -> impl Iterator<Item = Entry<C, K>> + '_ {
        let range: Range<usize> = self.start[place] as usize..self.start[place + 1] as usize;
        let (incident, other) = (&self.incident[range.clone()], &self.other[range.clone()]);
        let coefficients = &self.coefficients.as_chunks::<K>().0[range];
        incident.iter().zip(other).zip(coefficients).map(|((&incident, &other), &coefficients)| Entry {
            contact: (incident >> 1) as usize,
            side: (incident & 1) as usize,
            other,
            coefficients,
        })
    }
}
