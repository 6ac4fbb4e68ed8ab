//! Reduction of the pieces of a surface within reach to separate contacts.

use smallvec::SmallVec;

/// The pieces of a surface, such as triangles, that are within reach of a centre, and the seams between them.
///
/// Let a sphere grow around the centre. The part of the surface inside it falls into islands. An island begins with a
/// piece at its nearest point, and ends at the seam where it meets an island that began earlier. So a sphere touches
/// the surface once while the part that it overlaps is one island from the start. Where an island splits off, the
/// second contact begins with zero force.
#[derive(Debug, Default)]
pub(crate) struct PatchReduction {
    pieces: SmallVec<[Piece; 12]>,
    seams: SmallVec<[Seam; 24]>,
}

/// A piece within reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) number: u32,
    /// Distance of its nearest point from the centre in m, not negative.
    pub(crate) distance: f64,
    /// Index of the piece with which the island of this piece began, as far as is known; at first the index of the
    /// piece itself.
    island: u32,
    is_behind: Option<bool>,
    pub(crate) end: End,
}

/// The end of the island that begins with a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The island meets no island that began earlier.
    Stays,
    /// The piece is part of another island from the start.
    Part,
    /// The island joins another one at the seam of this number.
    Joins(u32),
}

/// A seam between two pieces within reach.
#[derive(Debug, Clone, Copy)]
struct Seam {
    number: u32,
    distance: f64,
    /// Indices of the two pieces.
    between: [u32; 2],
}

/// Distances that differ by less than this, over the reach, count as equal.
const ALIKE: f64 = 1e-12;

impl PatchReduction {
    /// Adds a piece with the distance (m) of its nearest point.
    pub(crate) fn push(&mut self, number: u32, distance: f64) {
        self.pieces.push(Piece { number, distance, island: 0, is_behind: None, end: End::Stays });
    }

    /// The pieces; the nearest one first after [`sort`](Self::sort).
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Sorts the pieces by distance.
    pub(crate) fn sort(&mut self) {
        self.pieces
            .sort_unstable_by(|one, other| one.distance.total_cmp(&other.distance).then(one.number.cmp(&other.number)));
        for (index, piece) in (0..).zip(&mut self.pieces) {
            piece.island = index;
        }
    }

    /// Adds the seam of this number between two pieces, by their indices; seams may come in any order.
    pub(crate) fn push_seam(&mut self, number: u32, distance: f64, between: [u32; 2]) {
        self.seams.push(Seam { number, distance, between });
    }

    /// Finds the ends of all sorted pieces.
    ///
    /// An island that lasts no longer than distances are exact is part of the other one; `largest` (m) is the largest
    /// coordinate that goes into distances. Pieces that begin behind the surface are no contacts, but connect others.
    pub(crate) fn join(&mut self, reach: f64, largest: f64, is_behind: impl Fn(u32) -> bool) {
        let tolerance = (ALIKE * reach).max(16.0 * f64::EPSILON * largest);
        self.seams
            .sort_unstable_by(|one, other| one.distance.total_cmp(&other.distance).then(one.number.cmp(&other.number)));
        let Self { pieces, seams } = self;
        for seam in seams.iter() {
            let [one, other] = seam.between.map(|index| island(pieces, index));
            if one == other {
                continue;
            }
            let mut elder = one.min(other);
            let mut younger = one.max(other);
            let end = if seam.distance - pieces[younger].distance <= tolerance {
                End::Part
            } else {
                let mut looks_behind = |index: usize| {
                    let piece = &mut pieces[index];
                    *piece.is_behind.get_or_insert_with(|| is_behind(piece.number))
                };
                match [elder, younger].map(&mut looks_behind) {
                    [true, false] => {
                        (elder, younger) = (younger, elder);
                        End::Part
                    }
                    [_, true] => End::Part,
                    [false, false] => End::Joins(seam.number),
                }
            };
            pieces[younger].end = end;
            pieces[younger].island = elder as u32;
        }
        for piece in pieces.iter_mut().filter(|piece| piece.end == End::Stays) {
            if piece.is_behind.unwrap_or_else(|| is_behind(piece.number)) {
                piece.end = End::Part;
            }
        }
    }
}

/// Index of the piece with which the island of another piece began.
fn island(pieces: &mut [Piece], index: u32) -> usize {
    let mut index = index as usize;
    while pieces[index].island as usize != index {
        let beyond = pieces[pieces[index].island as usize].island;
        pieces[index].island = beyond;
        index = beyond as usize;
    }
    index
}
