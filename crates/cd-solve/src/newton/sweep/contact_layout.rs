use std::ops::Range;

use crate::newton::sweep::coefficient::Coefficient;
use crate::problem::rows::{FIXED, Rows};

/// Contacts of the bodies of one subdomain, body by body in the order of slots (places in the order of the sweep), so
/// that the Hessian is built with sequential memory access.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactLayout<C> {
    /// Index, in these lists, of the first contact of each body, and at the end their length.
    start: Vec<u32>,
    /// For each body and each of its contacts: twice the contact's number, plus the side (0 or 1) of the body.
    incident: Vec<u32>,
    /// Place, in the order of the sweep, of the other body of each contact; [`FIXED`] if this body is fixed.
    other: Vec<u32>,
    /// For each body and each of its contacts: the `K` coefficients of the contact's row of the Jacobian.
    coefficients: Vec<C>,
}

/// One contact of a body: the other body and the row of the Jacobian.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<C, const K: usize> {
    pub(super) contact: usize,
    pub(super) side: usize,
    /// Slot of the other body of the contact (its place in the order of the sweep), [`FIXED`] if that body is fixed.
    pub(super) other: u32,
    pub(super) coefficients: [C; K],
}

impl<C: Coefficient> ContactLayout<C> {
    /// Lays out the contacts of `bodies`, given in the order of the sweep; `slot` has the place of each body in that
    /// order.
    pub(super) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, bodies: &[u32], slot: &[u32]) {
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

    /// Iterates over the contacts of the body at the place `slot` of the subdomain's order.
    #[inline(always)]
    pub(super) fn of_slot<const K: usize>(&self, slot: usize) -> impl Iterator<Item = Entry<C, K>> + '_ {
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
