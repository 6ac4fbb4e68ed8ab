//! The Hessian of a penalty energy, split for a symmetric Gauss-Seidel preconditioner.

use crate::BodyBlocks;
use crate::body_blocks::cholesky;
use crate::par::{each_item, sum_pieces};
use crate::rows::{Row, Rows, add_scaled, chunks, chunks_mut, dot};

/// Bodies that are swept through one after the other; pieces are swept through independently of each other, so this
/// number and not that of the threads decides the result.
const PIECE: usize = 4096;

/// Relaxation of the sweeps, 1 to 2.
const RELAXATION: f64 = 1.5;

/// Couplings of consecutive bodies with others.
#[derive(Debug, Clone, Default)]
struct Couplings {
    /// First entry of each body, and the number of entries.
    start: Vec<u32>,
    other: Vec<u32>,
    /// Rows of the contacts times the root of the weight, seen from the body.
    coefficients: Vec<f64>,
    /// Whether the body is on the first side of the contact; only rows with two sets of coefficients need it.
    side: Vec<u8>,
}

impl Couplings {
    fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.other.clear();
        self.coefficients.clear();
        self.side.clear();
    }

    fn push<const K: usize>(&mut self, other: usize, coefficients: [f64; K], side: usize) {
        self.other.push(other as u32);
        self.coefficients.extend(coefficients);
        self.side.push(side as u8);
    }

    fn close(&mut self) {
        self.start.push(self.other.len() as u32);
    }

    /// The off-diagonal blocks of `body` times `x`.
    #[inline(always)]
    fn times<const D: usize, const K: usize>(&self, body: usize, x: &[[f64; D]]) -> [f64; D] {
        let range = self.start[body] as usize..self.start[body + 1] as usize;
        let mut sum = [0.0; D];
        let coefficients = &self.coefficients.as_chunks::<K>().0[range.clone()];
        for ((&coefficients, &other), &side) in coefficients.iter().zip(&self.other[range.clone()]).zip(&self.side[range]) {
            if K == D {
                // Opposite coefficients on both sides.
                let own: [f64; D] = std::array::from_fn(|d| coefficients[d]);
                add_scaled(&mut sum, -dot(&own, &x[other as usize]), &own);
            } else {
                let row = Row { coefficients, body: [0, 0] };
                let (own, opposite) = (row.side::<D>(side as usize), row.side::<D>(1 - side as usize));
                add_scaled(&mut sum, dot(&opposite, &x[other as usize]), &own);
            }
        }
        sum
    }
}

/// The bodies of one piece and their couplings, by what they are coupled to.
#[derive(Debug, Clone, Default)]
struct Piece {
    /// Earlier and later bodies of the piece, numbered within it.
    lower: Couplings,
    upper: Couplings,
    /// Bodies of other pieces.
    outer: Couplings,
    /// The inverse of the Cholesky factor G of each diagonal block over the relaxation, row by row.
    inverse_factor: Vec<f64>,
}

/// H = Σ w bᵢᵀ bᵢ + M + ridge = L + D + Lᵀ + C, where L couples bodies of one piece and C those of different ones, and the
/// preconditioner (D̃ + L) D̃⁻¹ (D̃ + Lᵀ), D̃ = D/ω = G Gᵀ.
///
/// With Eisenstat's trick a product with the preconditioned matrix costs one sweep backwards and one forwards, about as
/// much as a product with H alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweeps {
    pieces: Vec<Piece>,
    /// Unscaled solutions of the two sweeps.
    backward: Vec<f64>,
    forward: Vec<f64>,
}

impl Sweeps {
    /// Builds the split Hessian for contacts of these `weights`. `ridge` is added to the diagonal.
    pub(crate) fn build<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        weights: &[f64],
        ridge: &[f64],
        mass: Option<&BodyBlocks>,
    ) {
        let bodies = rows.bodies();
        self.backward.resize(D * bodies, 0.0);
        self.forward.resize(D * bodies, 0.0);
        self.pieces.resize_with(bodies.div_ceil(piece_size(bodies)), Piece::default);
        each_item(&mut self.pieces, &|index, piece| {
            let first = index * piece_size(bodies);
            let last = (first + piece_size(bodies)).min(bodies);
            piece.build(rows, first..last, weights, chunks::<D>(ridge), mass);
        });
    }

    /// `out` = (I + G⁻¹ L G⁻ᵀ)⁻¹ G⁻¹ `b`: the right-hand side of the preconditioned system.
    pub(crate) fn precondition<const D: usize, const K: usize>(&mut self, b: &[f64], out: &mut [f64]) {
        let Self { pieces, forward, .. } = self;
        let size = piece_size(b.len() / D);
        let columns = (chunks::<D>(b), chunks_mut::<D>(forward), chunks_mut::<D>(out));
        let [] = sum_pieces(size, columns, &|first, (b, forward, out)| {
            let piece = &pieces[first / size];
            for body in 0..b.len() {
                let mut right = b[body];
                add_scaled(&mut right, -1.0, &piece.lower.times::<D, K>(body, forward));
                out[body] = piece.scale(body, &right);
                forward[body] = piece.scale_transposed(body, &out[body]);
            }
            []
        });
    }

    /// x = G⁻ᵀ (I + G⁻¹ Lᵀ G⁻ᵀ)⁻¹ `p`, from the preconditioned system back to the bodies.
    pub(crate) fn recover<const D: usize, const K: usize>(&mut self, p: &[f64], x: &mut [f64]) {
        let size = piece_size(p.len() / D);
        let pieces = &self.pieces;
        let [] = sum_pieces(size, (chunks::<D>(p), chunks_mut::<D>(x)), &|first, (p, x)| {
            let piece = &pieces[first / size];
            for body in (0..p.len()).rev() {
                let coupled = piece.scale(body, &piece.upper.times::<D, K>(body, x));
                x[body] = piece.scale_transposed(body, &std::array::from_fn(|d| p[body][d] - coupled[d]));
            }
            []
        });
    }

    /// `p` = `r` + `momentum` `p`, then `q` = Ĥ `p`, the preconditioned Hessian; returns p·q.
    pub(crate) fn product<const D: usize, const K: usize>(
        &mut self,
        momentum: f64,
        r: &[f64],
        p: &mut [f64],
        q: &mut [f64],
    ) -> f64 {
        let Self { pieces, backward, forward } = self;
        let size = piece_size(r.len() / D);
        let columns = (chunks::<D>(r), chunks_mut::<D>(p), chunks_mut::<D>(backward), chunks_mut::<D>(q));
        let [] = sum_pieces(size, columns, &|first, (r, p, y, scaled)| {
            let piece = &pieces[first / size];
            for body in (0..r.len()).rev() {
                p[body] = std::array::from_fn(|d| r[body][d] + momentum * p[body][d]);
                let coupled = piece.scale(body, &piece.upper.times::<D, K>(body, y));
                scaled[body] = std::array::from_fn(|d| p[body][d] - coupled[d]);
                y[body] = piece.scale_transposed(body, &scaled[body]);
            }
            []
        });
        let y = chunks::<D>(backward);
        let columns = (chunks::<D>(p), chunks_mut::<D>(forward), chunks_mut::<D>(q));
        let [product] = sum_pieces(size, columns, &|first, (p, z, q)| {
            let piece = &pieces[first / size];
            let mut product = 0.0;
            for body in 0..p.len() {
                let mut coupled = piece.lower.times::<D, K>(body, z);
                add_scaled(&mut coupled, -1.0, &piece.outer.times::<D, K>(body, y));
                let coupled = piece.scale(body, &coupled);
                let scaled: [f64; D] =
                    std::array::from_fn(|d| p[body][d] - (2.0 - RELAXATION) * q[body][d] - coupled[d]);
                z[body] = piece.scale_transposed(body, &scaled);
                add_scaled(&mut q[body], 1.0, &scaled);
                product += dot(&p[body], &q[body]);
            }
            [product]
        });
        product
    }
}

impl Piece {
    fn build<const D: usize, const K: usize>(
        &mut self,
        rows: &Rows<D, K>,
        bodies: std::ops::Range<usize>,
        weights: &[f64],
        ridge: &[[f64; D]],
        mass: Option<&BodyBlocks>,
    ) {
        for couplings in [&mut self.lower, &mut self.upper, &mut self.outer] {
            couplings.clear();
        }
        self.inverse_factor.clear();
        for body in bodies.clone() {
            let mut block = [0.0; 36];
            for d in 0..D {
                (0..D).for_each(|e| block[d * D + e] = mass.map_or(0.0, |mass| mass.entry(body, d, e)));
                block[d * D + d] += ridge[body][d];
            }
            for (contact, side) in rows.of_body(body) {
                let weight = weights[contact];
                if weight <= 0.0 {
                    continue;
                }
                let row = &rows.contacts[contact];
                let root = weight.sqrt();
                let coefficients = row.coefficients.map(|b| root * b);
                let own = Row { coefficients, body: row.body }.side::<D>(side);
                for d in 0..D {
                    (0..D).for_each(|e| block[d * D + e] += own[d] * own[e]);
                }
                let other = row.body[1 - side] as usize;
                if other >= rows.bodies() {
                    continue;
                }
                let (couplings, other) = if !bodies.contains(&other) {
                    (&mut self.outer, other)
                } else if other < body {
                    (&mut self.lower, other - bodies.start)
                } else {
                    (&mut self.upper, other - bodies.start)
                };
                couplings.push(other, coefficients, side);
            }
            for couplings in [&mut self.lower, &mut self.upper, &mut self.outer] {
                couplings.close();
            }
            block.iter_mut().for_each(|entry| *entry /= RELAXATION);
            self.push_inverse_factor(D, &block);
        }
    }

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
        self.inverse_factor.extend(&inverse[..dof * dof]);
    }

    /// G⁻¹ `x`.
    #[inline(always)]
    fn scale<const D: usize>(&self, body: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = &self.inverse_factor[body * D * D..(body + 1) * D * D];
        std::array::from_fn(|r| (0..=r).map(|c| inverse[r * D + c] * x[c]).sum())
    }

    /// G⁻ᵀ `x`.
    #[inline(always)]
    fn scale_transposed<const D: usize>(&self, body: usize, x: &[f64; D]) -> [f64; D] {
        let inverse = &self.inverse_factor[body * D * D..(body + 1) * D * D];
        std::array::from_fn(|r| (r..D).map(|c| inverse[c * D + r] * x[c]).sum())
    }
}

/// Bodies in one piece: pieces of about [`PIECE`], all of the same length but the last.
fn piece_size(bodies: usize) -> usize {
    bodies.div_ceil(bodies.div_ceil(PIECE).max(1)).max(1)
}
