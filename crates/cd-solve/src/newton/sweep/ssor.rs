use rrp_parallel::{for_each_item, for_each_part, sum_parts};

use crate::leaves::leaves;
use crate::newton::sweep::coefficient::Coefficient;
use crate::newton::sweep::level_order::LevelOrder;
use crate::newton::sweep::subdomain::{HessianParts, Subdomain};
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::{Rows, add_scaled, chunks, chunks_mut, dot};

/// Relaxation factor ω of the symmetric Gauss-Seidel sweeps (SSOR), between 1 and 2.
const RELAXATION: f64 = 1.5;

/// Lower bound of the scale by which square roots of contact stiffnesses are divided. Masses are divided by the square of
/// this scale, and would overflow with a smaller one.
const SMALLEST_UNIT: f64 = 1e-100;

/// SSOR preconditioner (D̃ + L) D̃⁻¹ (D̃ + Lᵀ) of the Hessian H = Bᵀ diag(w) B + M + ridge = L + D + Lᵀ + R of contacts
/// with Jacobian B and weights w, with masses M, diagonal blocks D and D̃ = D/ω = G Gᵀ. A slot is the place of a body
/// in a [`LevelOrder`]. L couples a slot with earlier slots of its subdomain and, if it is of the second colour, with
/// all of the first. R couples subdomains of one colour. With Eisenstat's trick a product with the preconditioned
/// matrix costs one backward and one forward sweep, about as much as one with H. Vectors of the preconditioned system
/// are scaled by G and in the order of the slots. Couplings have the precision `C`, since reading them takes most of
/// the time. Single precision is sufficient without masses, because Newton's method computes the next gradient in
/// double. It is not sufficient if masses are far smaller than stiffnesses: motions that strain no contact then matter,
/// but strain rounded contacts. All of H is made from the same rounded contacts, so it is positive semidefinite in both
/// precisions.
#[derive(Debug, Clone, Default)]
pub(super) struct Ssor<C> {
    order: LevelOrder,
    subdomains: Vec<Subdomain<C>>,
    /// Square roots of the weights (stiffnesses) of contacts, divided by a power of two near the largest root.
    roots: Vec<f64>,
    unit: f64,
    /// Solutions of the backward and the forward sweep, body by body in the order of the sweep, not multiplied by the
    /// factor G of [`Ssor`].
    backward: Vec<f64>,
    forward: Vec<f64>,
}

/// Step length α, and factor β of the last direction in the next one, of an iteration of conjugate gradients.
#[derive(Debug, Clone, Copy)]
pub(super) struct CgCoefficients {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

/// Vectors of an iteration of preconditioned conjugate gradients.
#[derive(Debug)]
pub(super) struct Iterate<'a> {
    /// Solution, residual and search direction of conjugate gradients, and the matrix times the direction.
    pub(super) x: &'a mut [f64],
    pub(super) r: &'a mut [f64],
    pub(super) p: &'a mut [f64],
    pub(super) q: &'a mut [f64],
}

impl<C: Coefficient> Ssor<C> {
    /// Orders the bodies for the contacts of `rows`; to be called before [`build`](Self::build).
    pub(super) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) {
        self.lay_out_in(rows, LevelOrder::subdomains_for(rows.bodies()));
    }

    fn lay_out_in<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, subdomains: usize) {
        self.order.lay_out(rows, subdomains);
        self.backward.resize(D * rows.bodies(), 0.0);
        self.forward.resize(D * rows.bodies(), 0.0);
        self.subdomains.resize_with(self.order.subdomains(), Subdomain::default);
        let order = &self.order;
        for_each_item(&mut self.subdomains, &|number, subdomain| subdomain.lay_out(number, rows, order));
    }

    /// Builds the blocks of the Hessian for contacts with these `weights` (stiffnesses), and adds the regularisation
    /// `ridge`.
    pub(super) fn build<const D: usize, const K: usize>(
        &mut self,
        weights: &[f64],
        ridge: &[f64],
        mass: Option<&BodyBlocks>,
    ) {
        let largest = weights.iter().copied().fold(0.0, f64::max);
        self.unit = if largest > 0.0 { (0.5 * largest.log2()).round().exp2().max(SMALLEST_UNIT) } else { 1.0 };
        self.roots.resize(weights.len(), 0.0);
        let unit = self.unit;
        for_each_part(leaves(weights.len()), (&mut self.roots[..], weights), &|_, (roots, weights)| {
            roots.iter_mut().zip(weights).for_each(|(root, weight)| *root = weight.sqrt() / unit);
        });
        let parts = HessianParts {
            order: &self.order,
            roots: &self.roots,
            unit,
            ridge: chunks::<D>(ridge),
            mass,
            relaxation: RELAXATION,
        };
        for_each_item(&mut self.subdomains, &|number, subdomain| subdomain.build::<D, K>(number, &parts));
    }

    /// Maps `b` to the preconditioned system by a forward sweep: (I + G⁻¹ L G⁻ᵀ)⁻¹ G⁻¹ `b`, with L and G of [`Ssor`].
    pub(super) fn precondition<const D: usize, const K: usize>(&mut self, b: &[f64], out: &mut [f64]) {
        let Self { order, subdomains, forward, unit, .. } = self;
        let (b, size, [early, late]) = (chunks::<D>(b), order.subdomain_size(), order.colours());
        let middle = order.first_colour();
        let sweep = |first: usize, out: &mut [[f64; D]], forward: &mut [[f64; D]], other_colour: &[[f64; D]]| {
            let subdomain = &subdomains[first / size];
            for k in 0..out.len() {
                let mut right = b[order.order[first + k] as usize].map(|b| b / *unit);
                add_scaled(&mut right, -1.0, &subdomain.lower.times::<D, K>(k, forward));
                if !other_colour.is_empty() {
                    add_scaled(&mut right, -1.0, &subdomain.other_colour.times::<D, K>(k, other_colour));
                }
                out[k] = subdomain.scale(k, &right);
                forward[k] = subdomain.scale_transposed(k, &out[k]);
            }
        };
        let (out, later_out) = chunks_mut::<D>(out).split_at_mut(middle);
        let (forward, later_forward) = chunks_mut::<D>(forward).split_at_mut(middle);
        for_each_part(early, (&mut *out, &mut *forward), &|part, (out, z)| sweep(part.rows.start, out, z, &[]));
        let later = (later_out, later_forward);
        for_each_part(late, later, &|part, (out, z)| sweep(middle + part.rows.start, out, z, forward));
    }

    /// Maps `p` back from the preconditioned system by a backward sweep: G⁻ᵀ (I + G⁻¹ Lᵀ G⁻ᵀ)⁻¹ `p`, as in [`Ssor`].
    pub(super) fn recover<const D: usize, const K: usize>(&mut self, p: &[f64], x: &mut [f64]) {
        let Self { order, subdomains, backward, unit, .. } = self;
        let (size, middle, [early, late]) = (order.subdomain_size(), order.first_colour(), order.colours());
        let sweep = |first: usize, p: &[[f64; D]], y: &mut [[f64; D]], other_colour: &[[f64; D]]| {
            let subdomain = &subdomains[first / size];
            for k in (0..p.len()).rev() {
                let coupled = subdomain.backward_coupling::<D, K>(k, y, other_colour);
                y[k] = subdomain.scale_transposed(k, &std::array::from_fn(|d| p[k][d] - coupled[d]));
            }
        };
        let (p, later_p) = chunks::<D>(p).split_at(middle);
        let (y, later_y) = chunks_mut::<D>(backward).split_at_mut(middle);
        let later = (later_p, &mut *later_y);
        for_each_part(late, later, &|part, (p, y)| sweep(middle + part.rows.start, p, y, &[]));
        for_each_part(early, (p, y), &|part, (p, y)| sweep(part.rows.start, p, y, later_y));
        let y = chunks::<D>(backward);
        let slot = &order.slot;
        for_each_part(leaves(slot.len()), (chunks_mut::<D>(x), &slot[..]), &|_, (x, slot)| {
            x.iter_mut().zip(slot).for_each(|(x, &slot)| *x = y[slot as usize].map(|y| y / *unit));
        });
    }

    /// Runs the first half of an iteration of conjugate gradients, the backward sweep; returns r·r of the residual r.
    /// Updates `x` += α `p`, `r` −= α `q` and `p` = `r` + β `p`, then sweeps backwards: `q` becomes `p` minus the
    /// couplings with later bodies, `backward` the solution. One pass over the vectors does all, since memory access
    /// takes most of the time.
    pub(super) fn sweep_backward<const D: usize, const K: usize>(
        &mut self,
        CgCoefficients { alpha, beta }: CgCoefficients,
        Iterate { x, r, p, q }: Iterate<'_>,
    ) -> f64 {
        let Self { order, subdomains, backward, .. } = self;
        let (size, middle, [early, late]) = (order.subdomain_size(), order.first_colour(), order.colours());
        type Column<'a, const D: usize> = &'a mut [[f64; D]];
        type Columns<'a, const D: usize> = (Column<'a, D>, Column<'a, D>, Column<'a, D>, Column<'a, D>, Column<'a, D>);
        let sweep = |first: usize, (x, r, p, q, y): Columns<'_, D>, other_colour: &[[f64; D]]| {
            let subdomain = &subdomains[first / size];
            let mut square = 0.0;
            for k in (0..r.len()).rev() {
                add_scaled(&mut x[k], alpha, &p[k]);
                add_scaled(&mut r[k], -alpha, &q[k]);
                p[k] = std::array::from_fn(|d| r[k][d] + beta * p[k][d]);
                let coupled = subdomain.backward_coupling::<D, K>(k, y, other_colour);
                q[k] = std::array::from_fn(|d| p[k][d] - coupled[d]);
                y[k] = subdomain.scale_transposed(k, &q[k]);
                square += dot(&r[k], &r[k]);
            }
            [square]
        };
        let (x, later_x) = chunks_mut::<D>(x).split_at_mut(middle);
        let (r, later_r) = chunks_mut::<D>(r).split_at_mut(middle);
        let (p, later_p) = chunks_mut::<D>(p).split_at_mut(middle);
        let (q, later_q) = chunks_mut::<D>(q).split_at_mut(middle);
        let (y, later_y) = chunks_mut::<D>(backward).split_at_mut(middle);
        let later = (later_x, later_r, later_p, later_q, &mut *later_y);
        let [rest] = sum_parts(late, later, &|part, columns| sweep(middle + part.rows.start, columns, &[]));
        let [square] = sum_parts(early, (x, r, p, q, y), &|part, columns| sweep(part.rows.start, columns, later_y));
        square + rest
    }

    /// Runs the second half of an iteration, the forward sweep: `q` becomes the preconditioned Hessian times `p`.
    /// Returns p·q and q·q.
    pub(super) fn sweep_forward<const D: usize, const K: usize>(&mut self, p: &[f64], q: &mut [f64]) -> [f64; 2] {
        let Self { order, subdomains, backward, forward, .. } = self;
        let size = order.subdomain_size();
        let middle = order.first_colour();
        let y = chunks::<D>(backward);
        let [early, late] = order.colours();
        type Piecewise<'a, const D: usize> = (&'a [[f64; D]], &'a mut [[f64; D]], &'a mut [[f64; D]]);
        let sweep = |first: usize, (p, q, z): Piecewise<'_, D>, other_colour: &[[f64; D]]| {
            let subdomain = &subdomains[first / size];
            let mut products = [0.0; 2];
            for k in 0..p.len() {
                let mut coupled = subdomain.lower.times::<D, K>(k, z);
                if !other_colour.is_empty() {
                    add_scaled(&mut coupled, 1.0, &subdomain.other_colour.times::<D, K>(k, other_colour));
                }
                if !subdomain.same_colour.is_empty() {
                    add_scaled(&mut coupled, -1.0, &subdomain.same_colour.times::<D, K>(k, y));
                }
                let coupled = subdomain.scale(k, &coupled);
                let scaled = std::array::from_fn(|d| p[k][d] - (2.0 - RELAXATION) * q[k][d] - coupled[d]);
                z[k] = subdomain.scale_transposed(k, &scaled);
                add_scaled(&mut q[k], 1.0, &scaled);
                products[0] += dot(&p[k], &q[k]);
                products[1] += dot(&q[k], &q[k]);
            }
            products
        };
        let (p, later_p) = chunks::<D>(p).split_at(middle);
        let (q, later_q) = chunks_mut::<D>(q).split_at_mut(middle);
        let (z, later_z) = chunks_mut::<D>(forward).split_at_mut(middle);
        let early = sum_parts(early, (p, q, &mut *z), &|part, columns| sweep(part.rows.start, columns, &[]));
        let later = (later_p, later_q, later_z);
        let late = sum_parts(late, later, &|part, columns| sweep(middle + part.rows.start, columns, z));
        std::array::from_fn(|k| early[k] + late[k])
    }
}

impl<C: Coefficient> Subdomain<C> {
    /// Returns G⁻¹ Σⱼ Aᵢⱼ yⱼ for the body i at the place `slot`, summed over all bodies j that are swept after it: Aᵢⱼ couples
    /// bodies i and j, and yⱼ is the part of the vector for body j. G is that of [`Ssor`].
    #[inline(always)]
    fn backward_coupling<const D: usize, const K: usize>(
        &self,
        slot: usize,
        y: &[[f64; D]],
        other_colour: &[[f64; D]],
    ) -> [f64; D] {
        let mut coupled = self.upper.times::<D, K>(slot, y);
        if !other_colour.is_empty() {
            add_scaled(&mut coupled, 1.0, &self.other_colour.times::<D, K>(slot, other_colour));
        }
        self.scale(slot, &coupled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::dense_hessian::Sample;

    type Dense = faer::Mat<f64>;

    fn times(matrix: &Dense, x: &[f64]) -> Vec<f64> {
        (0..x.len()).map(|i| (0..x.len()).map(|j| matrix[(i, j)] * x[j]).sum()).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        for (i, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "entry {i}: {a} for {b}");
        }
    }

    /// Scales `x` by G⁻¹, or by G⁻ᵀ if `transposed`, body by body in the order of the slots.
    fn scaled<const D: usize>(sweeps: &Ssor<impl Coefficient>, x: &[f64], transposed: bool) -> Vec<f64> {
        let size = sweeps.order.subdomain_size();
        let scale = |(slot, x): (usize, &[f64; D])| {
            let subdomain = &sweeps.subdomains[slot / size];
            let k = slot % size;
            if transposed { subdomain.scale_transposed(k, x) } else { subdomain.scale(k, x) }
        };
        chunks::<D>(x).iter().enumerate().flat_map(scale).collect()
    }

    fn agree_with_dense_matrices<C: Coefficient, const D: usize, const K: usize>(subdomains: usize, with_mass: bool) {
        let sample = Sample::<D, K>::new(24, with_mass);
        let system = sample.system();
        let dense = sample.dense();
        let mut sweeps = Ssor::<C>::default();
        sweeps.lay_out_in(system.rows, subdomains);
        sweeps.build::<D, K>(system.weights, system.ridge, system.mass);
        assert_eq!(sweeps.subdomains.len(), subdomains);
        let order = sweeps.order.order.clone();
        let column = |i: usize| D * order[i / D] as usize + i % D;
        let n = 24 * D;
        let size = sweeps.order.subdomain_size();
        let middle = sweeps.order.first_colour();
        let unit = sweeps.unit;
        let hessian = Dense::from_fn(n, n, |i, j| dense[(column(i), column(j))] / (unit * unit));
        let diagonal = Dense::from_fn(n, n, |i, j| if i / D == j / D { hessian[(i, j)] / RELAXATION } else { 0.0 });
        let lower = Dense::from_fn(n, n, |i, j| {
            let a = i / D;
            let b = j / D;
            let coupled = a > b && (a / size == b / size || (a < middle) != (b < middle));
            if coupled { hessian[(i, j)] } else { diagonal[(i, j)] }
        });
        let upper = lower.transpose().to_owned();
        let astray = |i: usize, j: usize| i / D > j / D && lower[(i, j)] == 0.0 && hessian[(i, j)] != 0.0;
        assert_eq!((0..n).any(|i| (0..n).any(|j| astray(i, j))), subdomains > 2);

        let in_slots = |x: &[f64]| (0..n).map(|i| x[column(i)]).collect::<Vec<_>>();
        let b = &sample.gradient;
        let p: Vec<f64> = (0..n).map(|i| (1.3 * i as f64).cos()).collect();
        assert_near(&scaled::<D>(&sweeps, &scaled::<D>(&sweeps, &times(&diagonal, &p), false), true), &p);
        let mut out = vec![0.0; n];
        let mut x = vec![0.0; n];
        sweeps.precondition::<D, K>(b, &mut out);
        let scaled_b: Vec<f64> = in_slots(b).iter().map(|b| b / unit).collect();
        assert_near(&times(&lower, &scaled::<D>(&sweeps, &out, true)), &scaled_b);
        sweeps.recover::<D, K>(&p, &mut x);
        let x: Vec<f64> = in_slots(&x).iter().map(|x| unit * x).collect();
        assert_near(&scaled::<D>(&sweeps, &times(&upper, &x), false), &p);
        let mut direction: Vec<f64> = p.iter().map(|p| p + 1.0).collect();
        let moved: Vec<f64> = p.iter().map(|p| 0.5 * p - 0.5).collect();
        let mut solution = vec![1.0; n];
        let mut r = moved.iter().map(|r| r + 0.25 * 7.0).collect::<Vec<_>>();
        let mut q = vec![7.0; n];
        let iterate = Iterate { x: &mut solution, r: &mut r, p: &mut direction, q: &mut q };
        let square = sweeps.sweep_backward::<D, K>(CgCoefficients { alpha: 0.25, beta: 0.5 }, iterate);
        assert_near(&solution, &p.iter().map(|p| 1.25 + 0.25 * p).collect::<Vec<_>>());
        assert_near(&r, &moved);
        assert_near(&[square], &[r.iter().map(|r| r * r).sum()]);
        assert_near(&direction, &p);
        let [product, norm] = sweeps.sweep_forward::<D, K>(&p, &mut q);
        assert_near(&[norm], &[q.iter().map(|q| q * q).sum()]);
        assert_near(&times(&lower, &scaled::<D>(&sweeps, &q, true)), &times(&hessian, &x));
        assert_near(&[product], &[p.iter().zip(&q).map(|(p, q)| p * q).sum()]);
    }

    #[test]
    fn one_two_and_four_pieces() {
        for subdomains in [1, 2, 4] {
            agree_with_dense_matrices::<f32, 3, 3>(subdomains, false);
            agree_with_dense_matrices::<f64, 3, 3>(subdomains, true);
            agree_with_dense_matrices::<f32, 3, 6>(subdomains, false);
            agree_with_dense_matrices::<f64, 6, 12>(subdomains, true);
        }
    }
}
