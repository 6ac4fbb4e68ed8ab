//! The contacts of a subdomain in the order of its slots.

use std::ops::Range;

use crate::newton::sweep::coefficient::Coefficient;
use crate::problem::rows::{FIXED, Rows};

/// All contacts of the bodies of one subdomain, slot by slot, so that a Hessian is built in the order of memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactLayout<C> {
    /// Index of the first entry of each slot, and at the end the number of entries.
    start: Vec<u32>,
    /// Twice the number of each entry's contact, plus the side on which the body is.
    incident: Vec<u32>,
    /// Slot of the other body of each entry, [`FIXED`] where that body is fixed.
    other: Vec<u32>,
    /// Coefficients of the rows of contacts, `K` numbers per entry.
    coefficients: Vec<C>,
}

/// One contact of the body at a slot of the subdomain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<C, const K: usize> {
    pub(crate) contact: usize,
    /// Side of the contact on which the body is.
    pub(crate) side: usize,
    /// Slot of the other body of the contact, [`FIXED`] where that body is fixed.
    pub(crate) other: u32,
    pub(crate) coefficients: [C; K],
}

impl<C: Coefficient> ContactLayout<C> {
    /// Lays out the contacts of `bodies`, sorted by slot; `slot` holds the slots of all bodies.
    pub(crate) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, bodies: &[u32], slot: &[u32]) {
        let Self { start, incident, other, coefficients } = self;
        [&mut *start, incident, other].into_iter().for_each(Vec::clear);
        coefficients.clear();
        start.push(0);
        for &body in bodies {
            for (contact, side) in rows.of_body(body as usize) {
                let row = &rows.contacts[contact];
                incident.push((2 * contact + side) as u32);
                other.push(slot.get(row.body[1 - side] as usize).copied().unwrap_or(FIXED));
                coefficients.extend(row.coefficients.map(C::nearest));
            }
            start.push(incident.len() as u32);
        }
    }

    /// Iterates over the contacts of the body at this slot of the subdomain.
    #[inline(always)]
    pub(crate) fn of_slot<const K: usize>(&self, slot: usize) -> impl Iterator<Item = Entry<C, K>> + '_ {
        let range: Range<usize> = self.start[slot] as usize..self.start[slot + 1] as usize;
        let incident = &self.incident[range.clone()];
        let other = &self.other[range.clone()];
        let coefficients = &self.coefficients.as_chunks::<K>().0[range];
        incident.iter().zip(other).zip(coefficients).map(|((&incident, &other), &coefficients)| Entry {
            contact: (incident >> 1) as usize,
            side: (incident & 1) as usize,
            other,
            coefficients,
        })
    }
}
