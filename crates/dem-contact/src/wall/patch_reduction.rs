//! Which pieces of a surface are contacts of their own.

use smallvec::SmallVec;

/// The pieces of a surface, such as triangles, that are within reach of a centre, and the seams between them.
///
/// The part of a surface inside of a sphere that grows around the centre falls into islands. Each begins with the piece that is
/// nearest there, and ends at the seam where it meets one that began before. So a sphere touches a surface in one place as long
/// as what it overlaps is one island from the start, and its second contact begins with nothing where an island parts.
#[derive(Debug, Default)]
pub(crate) struct PatchReduction {
    pieces: SmallVec<[Piece; 12]>,
    seams: SmallVec<[Seam; 24]>,
}

/// A piece within reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) number: u32,
    /// Of its nearest point from the centre in m, not negative.
    pub(crate) distance: f64,
    /// Where in the list the piece is that the island of this one began with, as far as is known; its own place at the start.
    island: u32,
    is_behind: Option<bool>,
    pub(crate) end: End,
}

/// What becomes of the island that begins with a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It meets none that began before.
    Stays,
    /// It is a part of another one from the start.
    Part,
    /// It becomes a part of another one at the seam of this number.
    Joins(u32),
}

/// A seam between two pieces within reach.
#[derive(Debug, Clone, Copy)]
struct Seam {
    number: u32,
    distance: f64,
    /// Where in the list the pieces are.
    between: [u32; 2],
}

/// Distances closer than this, in terms of the reach, are one.
const ALIKE: f64 = 1e-12;

impl PatchReduction {
    pub(crate) fn push(&mut self, number: u32, distance: f64) {
        self.pieces.push(Piece { number, distance, island: 0, is_behind: None, end: End::Stays });
    }

    /// The pieces, the nearest first once they are [sorted](Self::sort).
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn sort(&mut self) {
        self.pieces
            .sort_unstable_by(|one, other| one.distance.total_cmp(&other.distance).then(one.number.cmp(&other.number)));
        for (place, piece) in (0..).zip(&mut self.pieces) {
            piece.island = place;
        }
    }

    /// Adds the seam of this number between the pieces at two places of the list, which need not be in any order.
    pub(crate) fn push_seam(&mut self, number: u32, distance: f64, between: [u32; 2]) {
        self.seams.push(Seam { number, distance, between });
    }

    /// Finds the ends of all sorted pieces. An island that lasts for no longer than distances are exact is a part of the other
    /// one; `largest` (m) is the largest coordinate that they come from. Those that begin behind the surface count for nothing, but
    /// for being a way from one to another.
    pub(crate) fn join(&mut self, reach: f64, largest: f64, is_behind: impl Fn(u32) -> bool) {
        let tolerance = (ALIKE * reach).max(16.0 * f64::EPSILON * largest);
        self.seams
            .sort_unstable_by(|one, other| one.distance.total_cmp(&other.distance).then(one.number.cmp(&other.number)));
        let Self { pieces, seams } = self;
        for seam in seams.iter() {
            let [one, other] = seam.between.map(|place| island(pieces, place));
            if one == other {
                continue;
            }
            let (mut elder, mut younger) = (one.min(other), one.max(other));
            let end = if seam.distance - pieces[younger].distance <= tolerance {
                End::Part
            } else {
                let mut looks_behind = |place: usize| {
                    let piece = &mut pieces[place];
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

/// Where the piece is that the island of another one began with.
fn island(pieces: &mut [Piece], place: u32) -> usize {
    let mut place = place as usize;
    while pieces[place].island as usize != place {
        let beyond = pieces[pieces[place].island as usize].island;
        pieces[place].island = beyond;
        place = beyond as usize;
    }
    place
}
