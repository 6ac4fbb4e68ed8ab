use crate::newton::sweep::coefficient::Coefficient;
use crate::problem::rows::{Row, add_scaled, dot};

/// Off-diagonal blocks w bᵢᵀ bⱼ (couplings) of a Hessian Bᵀ diag(w) B, body by body: Jacobian B, stiffnesses w.
#[derive(Debug, Clone, Default)]
pub(super) struct Couplings<C> {
    /// Index of the first coupling of each body, and at the end the number of couplings.
    start: Vec<u32>,
    other: Vec<u32>,
    /// `K` coefficients of each coupling: the row of its contact, times the root of the weight of the contact.
    coefficients: Vec<C>,
    /// Side (0 or 1) of the body at the contact of each coupling; empty if the sides have opposite coefficients.
    side: Vec<u8>,
}

impl<C: Coefficient> Couplings<C> {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.other.clear();
        self.coefficients.clear();
        self.side.clear();
    }

    /// Whether no contact couples these bodies with other bodies.
    pub(super) fn is_empty(&self) -> bool {
        self.other.is_empty()
    }

    /// Adds a coupling to the row of the body that was added last: its contact with the body `other`, with these
    /// `coefficients`. The body that was added last is on this `side` (0 or 1) of the contact.
    pub(super) fn push<const D: usize, const K: usize>(&mut self, other: usize, coefficients: [C; K], side: usize) {
        self.other.push(other as u32);
        self.coefficients.extend(coefficients);
        if K != D {
            self.side.push(side as u8);
        }
    }

    /// Ends the list of couplings (off-diagonal blocks) of one body: the next ones are of the next body.
    pub(super) fn close(&mut self) {
        self.start.push(self.other.len() as u32);
    }

    #[inline(always)]
    pub(super) fn times<const D: usize, const K: usize>(&self, body: usize, x: &[[f64; D]]) -> [f64; D] {
        let range = self.start[body] as usize..self.start[body + 1] as usize;
        let mut sum = [0.0; D];
        let entries = self.coefficients.as_chunks::<K>().0[range.clone()].iter().zip(&self.other[range.clone()]);
        if K == D {
            for (coefficients, &other) in entries {
                let own: [f64; D] = std::array::from_fn(|d| coefficients[d].into());
                add_scaled(&mut sum, -dot(&own, &x[other as usize]), &own);
            }
        } else {
            for ((&coefficients, &other), &side) in entries.zip(&self.side[range]) {
                let row = Row { coefficients: coefficients.map(C::into), body: [0, 0] };
                let own = row.side::<D>(side as usize);
                let opposite = row.side::<D>(1 - side as usize);
                add_scaled(&mut sum, dot(&opposite, &x[other as usize]), &own);
            }
        }
        sum
    }
}
