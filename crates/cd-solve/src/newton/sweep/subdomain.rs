use crate::newton::sweep::coefficient::Coefficient;
use crate::newton::sweep::contact_layout::ContactLayout;
use crate::newton::sweep::couplings::Couplings;
use crate::newton::sweep::level_order::LevelOrder;
use crate::problem::body_blocks::{BodyBlocks, cholesky};
use crate::problem::rows::{FIXED, Row, Rows};

/// Input from which the Hessian of one subdomain, the bodies that one thread sweeps, is built.
#[derive(Debug, Clone, Copy)]
pub(super) struct HessianParts<'a, const D: usize> {
    pub(super) order: &'a LevelOrder,
    /// Square roots of the weights (stiffnesses) of all contacts, divided by the scale factor `unit`.
    pub(super) roots: &'a [f64],
    pub(super) unit: f64,
    pub(super) ridge: &'a [[f64; D]],
    pub(super) mass: Option<&'a BodyBlocks>,
    /// Relaxation factor ω (SSOR) by which the diagonal blocks of the Hessian are divided.
    pub(super) relaxation: f64,
}

/// The Hessian of the bodies of one subdomain, which one thread sweeps: diagonal blocks, and couplings with other
/// bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Subdomain<C> {
    contacts: ContactLayout<C>,
    /// Couplings with earlier and with later bodies of the subdomain; bodies are numbered within the subdomain.
    pub(super) lower: Couplings<C>,
    pub(super) upper: Couplings<C>,
    /// Couplings with subdomains of the other colour; bodies are numbered within that colour.
    pub(super) other_colour: Couplings<C>,
    /// Couplings with other subdomains of the same colour; all bodies are numbered by their place in the order of the
    /// sweep.
    pub(super) same_colour: Couplings<C>,
    /// Inverse of the Cholesky factor G of D/ω for the diagonal block D of each body: the lower triangle row by row.
    inverse_factor: Vec<f64>,
}

impl<C: Coefficient> Subdomain<C> {
    pub(super) fn lay_out<const D: usize, const K: usize>(
        &mut self,
        number: usize,
        rows: &Rows<D, K>,
        order: &LevelOrder,
    ) {
        self.contacts.lay_out(rows, &order.order[order.slots(number)], &order.slot);
    }

    pub(super) fn build<const D: usize, const K: usize>(&mut self, number: usize, from: &HessianParts<'_, D>) {
        self.each_couplings(Couplings::clear);
        self.inverse_factor.clear();
        let slots = from.order.slots(number);
        let first = slots.start;
        let middle = from.order.first_colour();
        for slot in slots.clone() {
            let body = from.order.order[slot] as usize;
            let mut block = [0.0; 36];
            for d in 0..D {
                (0..D).for_each(|e| block[d * D + e] = from.mass.map_or(0.0, |mass| mass.entry(body, d, e)));
                block[d * D + d] += from.ridge[body][d];
                (0..D).for_each(|e| block[d * D + e] /= from.unit * from.unit);
            }
            for entry in self.contacts.of_slot::<K>(slot - first) {
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
                let (couplings, number) = if slots.contains(&other) {
                    (if other < slot { &mut self.lower } else { &mut self.upper }, other - first)
                } else if (other < middle) != (slot < middle) {
                    (&mut self.other_colour, if other < middle { other } else { other - middle })
                } else {
                    (&mut self.same_colour, other)
                };
                couplings.push::<D, K>(number, coefficients, entry.side);
            }
            for couplings in [&mut self.lower, &mut self.upper, &mut self.other_colour, &mut self.same_colour] {
                couplings.close();
            }
            block.iter_mut().for_each(|entry| *entry /= from.relaxation);
            self.push_inverse_factor(D, &block);
        }
    }

    fn each_couplings(&mut self, work: fn(&mut Couplings<C>)) {
        [&mut self.lower, &mut self.upper, &mut self.other_colour, &mut self.same_colour].into_iter().for_each(work);
    }

    #[inline(always)]
    fn push_inverse_factor(&mut self, dof: usize, block: &[f64; 36]) {
        let mut factor = [0.0; 36];
        if cholesky(dof, block, &mut factor).is_err() {
            // Rounding can make a singular block indefinite: its diagonal is an equally good preconditioner.
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

    /// Computes G⁻¹ `x` for the body at the place `slot` of the sweep, with the Cholesky factor G of its diagonal block
    /// over ω.
    #[inline(always)]
    pub(crate) fn scale<const D: usize>(&self, slot: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = self.inverse(D, slot);
        std::array::from_fn(|r| (0..=r).map(|c| inverse[r * (r + 1) / 2 + c] * x[c]).sum())
    }

    /// Computes G⁻ᵀ `x` for the body at the place `slot` of the sweep, with the Cholesky factor G of its diagonal block
    /// over ω.
    #[inline(always)]
    pub(super) fn scale_transposed<const D: usize>(&self, slot: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = self.inverse(D, slot);
        std::array::from_fn(|r| (r..D).map(|c| inverse[c * (c + 1) / 2 + r] * x[c]).sum())
    }

    #[inline(always)]
    fn inverse(&self, dof: usize, slot: usize) -> &[f64] {
        let size = dof * (dof + 1) / 2;
        &self.inverse_factor[slot * size..(slot + 1) * size]
    }
}
