//! An order of the bodies in which sweeps carry far, and can be cut.

use std::ops::Range;

use crate::rows::{FIXED, Rows};

/// Bodies that are swept through in one go. Pieces are swept in parallel, so their number, which depends on the number of
/// bodies only, decides the result and that of the threads does not.
const PIECE: usize = 2048;

/// Thickness of a piece in bodies, roughly: sweeps stop carrying far if it is less.
const THICKNESS: f64 = 6.0;

/// Stands for what has no number yet.
const NONE: u32 = u32::MAX;

/// Bodies by their distance, in contacts, from the fixed ones, cut across these levels into pieces of two colours.
///
/// Loads run from level to level, so sweeps in this order carry them from one end of a packing to the other, in every
/// piece. The pieces are cut by the distance from a body at the rim, so that hardly any of one colour touch: those of the first
/// colour have the first places, then come those of the second.
#[derive(Debug, Clone, Default)]
pub(crate) struct LevelOrder {
    /// Body at each place, and the place of each body.
    pub(crate) order: Vec<u32>,
    pub(crate) place: Vec<u32>,
    levels: Vec<u32>,
    across: Vec<u32>,
    /// The next free place of each piece while it is filled.
    next: Vec<usize>,
    piece: usize,
}

impl LevelOrder {
    /// The number of pieces for so many bodies: even, or one.
    pub(crate) fn pieces_for(bodies: usize) -> usize {
        if bodies < 2 * PIECE {
            return 1;
        }
        let thick_enough = ((bodies as f64).cbrt() / THICKNESS) as usize;
        ((bodies / PIECE).min(thick_enough) / 2 * 2).max(2)
    }

    /// Lays the order out for the contacts of `rows`, in so many `pieces`, of which all but the last have the same length.
    pub(crate) fn lay_out<const D: usize, const K: usize>(&mut self, rows: &Rows<D, K>, pieces: usize) {
        let Self { order, place, levels, across, next, piece } = self;
        let bodies = rows.bodies();
        let held =
            |body: usize| rows.of_body(body).any(|(contact, side)| rows.contacts[contact].body[1 - side] == FIXED);
        walk(rows, (0..bodies).filter(|&body| held(body)), place, levels);
        order.clear();
        *piece = bodies.div_ceil(pieces).max(1);
        if pieces < 2 {
            order.extend(&*levels);
        } else {
            // Where the walk from any body ends, the rim is.
            walk(rows, levels.first().map(|&body| body as usize), place, across);
            let rim = across.iter().rev().map(|&body| body as usize).find(|&body| held(body));
            walk(rows, rim.or(across.last().map(|&body| body as usize)), place, across);
            for (at, &body) in across.iter().enumerate() {
                let number = at / *piece;
                place[body as usize] = (number / 2 + number % 2 * (pieces / 2)) as u32;
            }
            next.clear();
            next.extend((0..pieces).map(|number| number * *piece));
            order.resize(bodies, 0);
            for &body in &*levels {
                let slot = &mut next[place[body as usize] as usize];
                order[*slot] = body;
                *slot += 1;
            }
        }
        place.resize(bodies, 0);
        for (at, &body) in order.iter().enumerate() {
            place[body as usize] = at as u32;
        }
    }

    /// Places in one piece; the last one may have fewer.
    pub(crate) fn piece(&self) -> usize {
        self.piece
    }

    /// The places of the piece with this number.
    pub(crate) fn places(&self, number: usize) -> Range<usize> {
        let first = number * self.piece;
        first..(first + self.piece).min(self.order.len())
    }

    /// Number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.order.len().div_ceil(self.piece.max(1))
    }

    /// Places of the first colour; the others are of the second.
    pub(crate) fn first_colour(&self) -> usize {
        let pieces = self.pieces();
        if pieces < 2 { self.order.len() } else { pieces / 2 * self.piece }
    }
}

/// Writes all bodies to `queue`, breadth first from `seeds`, then from whatever was not reached.
fn walk<const D: usize, const K: usize>(
    rows: &Rows<D, K>,
    seeds: impl IntoIterator<Item = usize>,
    seen: &mut Vec<u32>,
    queue: &mut Vec<u32>,
) {
    seen.clear();
    seen.resize(rows.bodies(), NONE);
    queue.clear();
    for body in seeds {
        seen[body] = 0;
        queue.push(body as u32);
    }
    let mut head = 0;
    for start in 0..=rows.bodies() {
        while let Some(&body) = queue.get(head) {
            head += 1;
            for (contact, side) in rows.of_body(body as usize) {
                let other = rows.contacts[contact].body[1 - side];
                if other != FIXED && seen[other as usize] == NONE {
                    seen[other as usize] = 0;
                    queue.push(other);
                }
            }
        }
        if seen.get(start) == Some(&NONE) {
            seen[start] = 0;
            queue.push(start as u32);
        }
    }
}
