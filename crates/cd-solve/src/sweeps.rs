//! The Hessian of a penalty energy, split for a symmetric Gauss-Seidel preconditioner.

use crate::BodyBlocks;
use crate::level_order::LevelOrder;
use crate::par::{each_item, each_leaf, sum_pieces};
use crate::piece::{Blueprint, Piece};
use crate::rows::{Rows, add_scaled, chunks, chunks_mut, dot};

/// Relaxation ω of the sweeps, 1 to 2.
const RELAXATION: f64 = 1.5;

/// H = Bᵀ diag(w) B + M + ridge = L + D + Lᵀ + C with the preconditioner (D̃ + L) D̃⁻¹ (D̃ + Lᵀ), D̃ = D/ω = G Gᵀ.
///
/// Places are those of a [`LevelOrder`]: L couples a place with earlier ones of its piece and, if it is of the second colour,
/// with all of the first. C is what is left, pieces of one colour that touch. With Eisenstat's trick a product with the
/// preconditioned matrix costs one sweep backwards and one forwards, about as much as one with H alone. Vectors of the
/// preconditioned system are scaled by G and in the order of the places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweeps {
    order: LevelOrder,
    pieces: Vec<Piece>,
    /// Unscaled solutions of the two sweeps.
    backward: Vec<f64>,
    forward: Vec<f64>,
}

/// The vectors of conjugate gradients.
#[derive(Debug)]
pub(crate) struct Iterate<'a> {
    /// Solution, residual and direction, and the product with the direction.
    pub(crate) x: &'a mut [f64],
    pub(crate) r: &'a mut [f64],
    pub(crate) p: &'a mut [f64],
    pub(crate) q: &'a mut [f64],
}

impl Sweeps {
    /// Lays out the places for the contacts of `rows`; to be called before [`build`](Self::build).
    pub(crate) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>) {
        self.order.lay_out(rows);
        self.backward.resize(D * rows.bodies(), 0.0);
        self.forward.resize(D * rows.bodies(), 0.0);
        self.pieces.resize_with(self.order.pieces(), Piece::default);
    }

    /// Builds the split Hessian for contacts of these `weights`. `ridge` is added to the diagonal.
    pub(crate) fn build<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        weights: &[f64],
        ridge: &[f64],
        mass: Option<&BodyBlocks>,
    ) {
        let ridge = chunks::<D>(ridge);
        let blueprint = Blueprint { rows, order: &self.order, weights, ridge, mass, relaxation: RELAXATION };
        each_item(&mut self.pieces, &|number, piece| piece.build(number, &blueprint));
    }

    /// `out` = (I + G⁻¹ L G⁻ᵀ)⁻¹ G⁻¹ `b`, from the bodies to the preconditioned system.
    pub(crate) fn precondition<const D: usize, const K: usize>(&mut self, b: &[f64], out: &mut [f64]) {
        let Self { order, pieces, forward, .. } = self;
        let (b, size, middle) = (chunks::<D>(b), order.piece(), order.first_colour());
        let sweep = |first: usize, out: &mut [[f64; D]], forward: &mut [[f64; D]], across: &[[f64; D]]| {
            let piece = &pieces[first / size];
            for k in 0..out.len() {
                let mut right = b[order.order[first + k] as usize];
                add_scaled(&mut right, -1.0, &piece.lower.times::<D, K>(k, forward));
                if !across.is_empty() {
                    add_scaled(&mut right, -1.0, &piece.across.times::<D, K>(k, across));
                }
                out[k] = piece.scale(k, &right);
                forward[k] = piece.scale_transposed(k, &out[k]);
            }
            []
        };
        let (out, later_out) = chunks_mut::<D>(out).split_at_mut(middle);
        let (forward, later_forward) = chunks_mut::<D>(forward).split_at_mut(middle);
        let [] = sum_pieces(size, (&mut *out, &mut *forward), &|first, (out, z)| sweep(first, out, z, &[]));
        let later = (later_out, later_forward);
        let [] = sum_pieces(size, later, &|first, (out, z)| sweep(middle + first, out, z, forward));
    }

    /// G⁻ᵀ (I + G⁻¹ Lᵀ G⁻ᵀ)⁻¹ `p`, from the preconditioned system back to the bodies.
    pub(crate) fn recover<const D: usize, const K: usize>(&mut self, p: &[f64], x: &mut [f64]) {
        let Self { order, pieces, backward, .. } = self;
        let (size, middle) = (order.piece(), order.first_colour());
        let sweep = |first: usize, p: &[[f64; D]], y: &mut [[f64; D]], across: &[[f64; D]]| {
            let piece = &pieces[first / size];
            for k in (0..p.len()).rev() {
                let coupled = piece.backward_coupling::<D, K>(k, y, across);
                y[k] = piece.scale_transposed(k, &std::array::from_fn(|d| p[k][d] - coupled[d]));
            }
            []
        };
        let (p, later_p) = chunks::<D>(p).split_at(middle);
        let (y, later_y) = chunks_mut::<D>(backward).split_at_mut(middle);
        let later = (later_p, &mut *later_y);
        let [] = sum_pieces(size, later, &|first, (p, y)| sweep(middle + first, p, y, &[]));
        let [] = sum_pieces(size, (p, y), &|first, (p, y)| sweep(first, p, y, later_y));
        let (y, place) = (chunks::<D>(backward), &order.place);
        each_leaf((chunks_mut::<D>(x), &place[..]), &|_, (x, place)| {
            x.iter_mut().zip(place).for_each(|(x, &place)| *x = y[place as usize]);
        });
    }

    /// The first half of an iteration of conjugate gradients: `x` += α `p`, `r` −= α `q` and `p` = `r` + β `p`, then the sweep
    /// backwards, which leaves `p` minus what later places do to it in `q`, its solution in `backward`; returns r·r.
    ///
    /// One pass does it all: the vectors are what an iteration spends its time on.
    pub(crate) fn sweep_backward<const D: usize, const K: usize>(
        &mut self,
        [alpha, beta]: [f64; 2],
        Iterate { x, r, p, q }: Iterate<'_>,
    ) -> f64 {
        let Self { order, pieces, backward, .. } = self;
        let (size, middle) = (order.piece(), order.first_colour());
        type Column<'a, const D: usize> = &'a mut [[f64; D]];
        type Columns<'a, const D: usize> = (Column<'a, D>, Column<'a, D>, Column<'a, D>, Column<'a, D>, Column<'a, D>);
        let sweep = |first: usize, (x, r, p, q, y): Columns<'_, D>, across: &[[f64; D]]| {
            let piece = &pieces[first / size];
            let mut square = 0.0;
            for k in (0..r.len()).rev() {
                add_scaled(&mut x[k], alpha, &p[k]);
                add_scaled(&mut r[k], -alpha, &q[k]);
                p[k] = std::array::from_fn(|d| r[k][d] + beta * p[k][d]);
                let coupled = piece.backward_coupling::<D, K>(k, y, across);
                q[k] = std::array::from_fn(|d| p[k][d] - coupled[d]);
                y[k] = piece.scale_transposed(k, &q[k]);
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
        let [rest] = sum_pieces(size, later, &|first, columns| sweep(middle + first, columns, &[]));
        let [square] = sum_pieces(size, (x, r, p, q, y), &|first, columns| sweep(first, columns, later_y));
        square + rest
    }

    /// The second half: the sweep forwards, which makes `q` the preconditioned Hessian times `p`; returns p·q and q·q.
    pub(crate) fn sweep_forward<const D: usize, const K: usize>(&mut self, p: &[f64], q: &mut [f64]) -> [f64; 2] {
        let Self { order, pieces, backward, forward } = self;
        let (size, middle, y) = (order.piece(), order.first_colour(), chunks::<D>(backward));
        type Piecewise<'a, const D: usize> = (&'a [[f64; D]], &'a mut [[f64; D]], &'a mut [[f64; D]]);
        let sweep = |first: usize, (p, q, z): Piecewise<'_, D>, across: &[[f64; D]]| {
            let piece = &pieces[first / size];
            let mut products = [0.0; 2];
            for k in 0..p.len() {
                let mut coupled = piece.lower.times::<D, K>(k, z);
                if !across.is_empty() {
                    add_scaled(&mut coupled, 1.0, &piece.across.times::<D, K>(k, across));
                }
                if !piece.astray.is_empty() {
                    add_scaled(&mut coupled, -1.0, &piece.astray.times::<D, K>(k, y));
                }
                let coupled = piece.scale(k, &coupled);
                let scaled = std::array::from_fn(|d| p[k][d] - (2.0 - RELAXATION) * q[k][d] - coupled[d]);
                z[k] = piece.scale_transposed(k, &scaled);
                add_scaled(&mut q[k], 1.0, &scaled);
                products[0] += dot(&p[k], &q[k]);
                products[1] += dot(&q[k], &q[k]);
            }
            products
        };
        let (p, later_p) = chunks::<D>(p).split_at(middle);
        let (q, later_q) = chunks_mut::<D>(q).split_at_mut(middle);
        let (z, later_z) = chunks_mut::<D>(forward).split_at_mut(middle);
        let early = sum_pieces(size, (p, q, &mut *z), &|first, columns| sweep(first, columns, &[]));
        let later = (later_p, later_q, later_z);
        let late = sum_pieces(size, later, &|first, columns| sweep(middle + first, columns, z));
        std::array::from_fn(|k| early[k] + late[k])
    }
}

impl Piece {
    /// What later places, of the piece and of the other colour, do to the one at `place`, scaled.
    #[inline(always)]
    fn backward_coupling<const D: usize, const K: usize>(
        &self,
        place: usize,
        y: &[[f64; D]],
        across: &[[f64; D]],
    ) -> [f64; D] {
        let mut coupled = self.upper.times::<D, K>(place, y);
        if !across.is_empty() {
            add_scaled(&mut coupled, 1.0, &self.across.times::<D, K>(place, across));
        }
        self.scale(place, &coupled)
    }
}
