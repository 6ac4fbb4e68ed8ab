//! Reduction of the pieces of a surface within reach to separate contacts.

use smallvec::SmallVec;

/// Pieces of a surface (such as triangles) within reach of a sphere's centre, and the seams between them.
///
/// Let a sphere grow around the centre. The part of the surface inside the sphere consists of islands. An island begins
/// at the nearest point of a piece, and ends at the seam where it meets an island that began earlier. So a sphere
/// touches the surface once as long as the overlapped part is one island from the start. Where an island splits off,
/// the second contact begins with zero force.
#[derive(Debug, Default)]
pub(super) struct PatchReduction {
    pieces: SmallVec<[Piece; 12]>,
    seams: SmallVec<[Seam; 24]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) number: u32,
    /// Distance in m of the nearest point of the piece from the sphere's centre, not negative.
    distance: f64,
    /// Index of the piece with which the [island](End) of this piece began, as far as is known; initially its own
    /// index.
    island: u32,
    is_behind: Option<bool>,
    pub(super) end: End,
}

/// Fate of an island (connected part of a surface inside a growing sphere): decides whether the piece with which the
/// island began is a separate contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The island meets no earlier island: a separate contact.
    Stays,
    /// The piece belongs to another island (connected part of a surface) from the start: no separate contact.
    Part,
    /// The island (connected part of a surface) joins an earlier island at the seam of this number: a contact that
    /// shares overlap with the earlier one.
    Joins(u32),
}

#[derive(Debug, Clone, Copy)]
struct Seam {
    number: u32,
    distance: f64,
    between: [u32; 2],
}

/// Difference up to which two distances count as equal, because of rounding, over the reach of the sphere.
const ALIKE: f64 = 1e-12;

impl PatchReduction {
    /// Adds a piece of the surface; `distance` (m) is that of its nearest point from the sphere's centre.
    pub(super) fn push(&mut self, number: u32, distance: f64) {
        self.pieces.push(Piece { number, distance, island: 0, is_behind: None, end: End::Stays });
    }

    /// Pieces of the surface within reach of the sphere's centre, sorted by distance after [`sort`](Self::sort).
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(super) fn sort(&mut self) {
        self.pieces
            .sort_unstable_by(|one, other| one.distance.total_cmp(&other.distance).then(one.number.cmp(&other.number)));
        for (index, piece) in (0..).zip(&mut self.pieces) {
            piece.island = index;
        }
    }

    /// Adds the seam of this number between two pieces of the surface, given by their indices among the
    /// [sorted](Self::sort) pieces; `distance` (m) is that of the seam's nearest point from the sphere's centre. Seams
    /// may be added in any order.
    pub(super) fn push_seam(&mut self, number: u32, distance: f64, between: [u32; 2]) {
        self.seams.push(Seam { number, distance, between });
    }

    /// Finds the fate of the island that begins with each of the sorted pieces of the surface: see [`End`].
    ///
    /// An island whose lifetime is below the rounding error of distances is part of the other island; `reach` (m) is
    /// the reach of the sphere, `largest` (m) the largest coordinate that enters distances. A piece for whose number
    /// `is_behind` is true begins behind the surface: it is no contact, but can connect other pieces.
    pub(super) fn join(&mut self, reach: f64, largest: f64, is_behind: impl Fn(u32) -> bool) {
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

/// Returns the index of the piece with which the [island](End) of a piece began.
fn island(pieces: &mut [Piece], index: u32) -> usize {
    let mut index = index as usize;
    while pieces[index].island as usize != index {
        let beyond = pieces[pieces[index].island as usize].island;
        pieces[index].island = beyond;
        index = beyond as usize;
    }
    index
}
