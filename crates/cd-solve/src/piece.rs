//! A piece of a Hessian that is swept through in one go.

use crate::BodyBlocks;
use crate::body_blocks::cholesky;
use crate::coefficient::Coefficient;
use crate::couplings::Couplings;
use crate::level_order::LevelOrder;
use crate::plan::Plan;
use crate::rows::{FIXED, Row, Rows};

/// What a piece of the Hessian is built from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blueprint<'a, const D: usize> {
    pub(crate) order: &'a LevelOrder,
    /// Roots of the weights of the contacts, in terms of the unit.
    pub(crate) roots: &'a [f64],
    pub(crate) unit: f64,
    pub(crate) ridge: &'a [[f64; D]],
    pub(crate) mass: Option<&'a BodyBlocks>,
    /// What the diagonal blocks are divided by.
    pub(crate) relaxation: f64,
}

/// The bodies of one piece: diagonal blocks, and couplings by what they lead to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece<C> {
    plan: Plan<C>,
    /// Earlier and later places of the piece, numbered within it.
    pub(crate) lower: Couplings<C>,
    pub(crate) upper: Couplings<C>,
    /// Places of the other colour, numbered within that.
    pub(crate) across: Couplings<C>,
    /// Places of other pieces of the same colour, numbered from the first place of all.
    pub(crate) astray: Couplings<C>,
    /// The inverse of the Cholesky factor G of each diagonal block over the relaxation: the lower triangle row by row.
    inverse_factor: Vec<f64>,
}

impl<C: Coefficient> Piece<C> {
    /// Lays out the contacts of the piece with this number.
    pub(crate) fn lay_out<const D: usize, const K: usize>(
        &mut self,
        number: usize,
        rows: &Rows<D, K>,
        order: &LevelOrder,
    ) {
        self.plan.lay_out(rows, &order.order[order.places(number)], &order.place);
    }

    /// Builds the piece with this number, which must have been laid out.
    pub(crate) fn build<const D: usize, const K: usize>(&mut self, number: usize, from: &Blueprint<'_, D>) {
        self.each_couplings(Couplings::clear);
        self.inverse_factor.clear();
        let places = from.order.places(number);
        let first = places.start;
        let middle = from.order.first_colour();
        for place in places.clone() {
            let body = from.order.order[place] as usize;
            let mut block = [0.0; 36];
            for d in 0..D {
                (0..D).for_each(|e| block[d * D + e] = from.mass.map_or(0.0, |mass| mass.entry(body, d, e)));
                block[d * D + d] += from.ridge[body][d];
                (0..D).for_each(|e| block[d * D + e] /= from.unit * from.unit);
            }
            for entry in self.plan.of_place::<K>(place - first) {
                let root = from.roots[entry.contact];
                if root <= 0.0 {
                    continue;
                }
                let coefficients = entry.coefficients.map(|b| C::nearest(root * b.into()));
                let row = Row { coefficients: coefficients.map(C::into), body: [0, 0] };
                let own = row.side::<D>(entry.side);
                for d in 0..D {
                    (0..D).for_each(|e| block[d * D + e] += own[d] * own[e]);
                }
                if entry.other == FIXED {
                    continue;
                }
                let other = entry.other as usize;
                let (couplings, number) = if places.contains(&other) {
                    (if other < place { &mut self.lower } else { &mut self.upper }, other - first)
                } else if (other < middle) != (place < middle) {
                    (&mut self.across, if other < middle { other } else { other - middle })
                } else {
                    (&mut self.astray, other)
                };
                couplings.push::<D, K>(number, coefficients, entry.side);
            }
            for couplings in [&mut self.lower, &mut self.upper, &mut self.across, &mut self.astray] {
                couplings.close();
            }
            block.iter_mut().for_each(|entry| *entry /= from.relaxation);
            self.push_inverse_factor(D, &block);
        }
    }

    fn each_couplings(&mut self, work: fn(&mut Couplings<C>)) {
        [&mut self.lower, &mut self.upper, &mut self.across, &mut self.astray].into_iter().for_each(work);
    }

    #[inline(always)]
    fn push_inverse_factor(&mut self, dof: usize, block: &[f64; 36]) {
        let mut factor = [0.0; 36];
        if !cholesky(dof, block, &mut factor) {
            // Rounding can take a singular block below zero: its diagonal is as good a preconditioner.
            factor = [0.0; 36];
            for d in 0..dof {
                let entry = block[d * dof + d];
                factor[d * dof + d] = if entry > 0.0 { entry.sqrt() } else { 1.0 };
            }
        }
        let mut inverse = [0.0; 36];
        for c in 0..dof {
            for r in c..dof {
                let mut sum = if r == c { 1.0 } else { 0.0 };
                (c..r).for_each(|k| sum -= factor[r * dof + k] * inverse[k * dof + c]);
                inverse[r * dof + c] = sum / factor[r * dof + r];
            }
        }
        for r in 0..dof {
            self.inverse_factor.extend(&inverse[r * dof..=r * dof + r]);
        }
    }

    /// G⁻¹ `x` of the body at `place` of the piece.
    #[inline(always)]
    pub(crate) fn scale<const D: usize>(&self, place: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = self.inverse(D, place);
        std::array::from_fn(|r| (0..=r).map(|c| inverse[r * (r + 1) / 2 + c] * x[c]).sum())
    }

    /// G⁻ᵀ `x` of the body at `place` of the piece.
    #[inline(always)]
    pub(crate) fn scale_transposed<const D: usize>(&self, place: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = self.inverse(D, place);
        std::array::from_fn(|r| (r..D).map(|c| inverse[c * (c + 1) / 2 + r] * x[c]).sum())
    }

    #[inline(always)]
    fn inverse(&self, dof: usize, place: usize) -> &[f64] {
        let size = dof * (dof + 1) / 2;
        &self.inverse_factor[place * size..(place + 1) * size]
    }
}
