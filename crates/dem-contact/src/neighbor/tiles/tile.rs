//! One tile of a neighbour list.

use std::ops::Range;

use crate::neighbor::tiles::pair::Pair;

/// A box of space: the spheres that the tile owns, and the pairs that they are in.
///
/// Pairs name spheres by **row**: an own sphere by its index in `places`, a ghost by the number of own spheres plus its
/// index in `ghosts`. An evaluation can copy these rows into a small array of its own and use the pairs as indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tile {
    /// Range of the spheres that the spatial tile owns, in the order of the neighbour list.
    pub(crate) places: Range<usize>,
    /// Places of this tile's ghosts in the order of the neighbour list, each once, ascending. In a
    /// [subdomain](crate::neighbor::Subdomain) ghosts have other places, but keep the order of the cut of all bodies,
    /// so that rows are the same on all ranks.
    pub(crate) ghosts: Vec<u32>,
    /// Rows (numbers within the tile) of the two spheres of each pair, the sphere with the lower id first.
    ///
    /// Pairs are sorted by kinds, then by image, as `segments` say. Within a segment pairs are in the order of the own
    /// sphere with the lower place, then of the other place. Sums over pairs depend on this order, so it must not
    /// depend on rows or places of ghosts.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Groups of consecutive pairs with the same kinds and periodic image, none of them empty.
    pub(crate) segments: Vec<Segment>,
}

/// Consecutive pairs, in a spatial tile, of two kinds (of contact laws) seen through one periodic image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Kinds (of contact laws) of the two spheres of each pair, the smaller one first; not in the order of the spheres.
    pub(crate) kinds: [u16; 2],
    /// Code of the periodic shift that is added to the separation from the first sphere of a pair to the second one.
    pub(crate) code: u8,
    /// Index, among the pairs of the spatial tile, after the last pair of the segment.
    pub(crate) end: u32,
}

/// Consecutive pairs of a spatial tile of the same two kinds of spheres, and so of one contact law.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    /// Index, among the pairs of the spatial tile, of the first pair of the run.
    pub(crate) first: usize,
    /// Segments that make up the run, at least one; the pairs of a segment are seen through one periodic image.
    pub(crate) segments: &'a [Segment],
}

impl<'a> Run<'a> {
    /// Returns the kinds (of contact laws) of the two spheres of all pairs of the run, the smaller one first.
    pub(crate) fn kinds(self) -> [u16; 2] {
        self.segments.first().map_or([0; 2], |segment| segment.kinds)
    }

    /// Returns the indices, among the pairs of the spatial tile, of the pairs of this run, segment by segment,
    /// each segment with the code of its periodic shift.
    pub(crate) fn parts(self) -> impl Iterator<Item = (Range<usize>, u8)> + Clone + use<'a> {
        self.segments.iter().scan(self.first, |first, segment| {
            let end = segment.end as usize;
            Some((std::mem::replace(first, end)..end, segment.code))
        })
    }
}

impl Tile {
    /// Makes a spatial tile without pairs that owns this range of spheres.
    pub(crate) fn without_pairs(places: Range<usize>) -> Self {
        Self { places, ghosts: Vec::new(), pairs: Vec::new(), segments: Vec::new() }
    }

    /// Number of rows of the spatial tile: own spheres and ghosts.
    pub(crate) fn rows(&self) -> usize {
        self.places.len() + self.ghosts.len()
    }

    /// Returns the place in the neighbour list of the sphere with this number (row) within the spatial tile.
    #[inline(always)]
    pub(crate) fn place_of_row(&self, row: u32) -> usize {
        let row = row as usize;
        match row.checked_sub(self.places.len()) {
            None => self.places.start + row,
            Some(ghost) => self.ghosts[ghost] as usize,
        }
    }

    /// Returns the pairs of the spatial tile in order, spheres given by their places in the neighbour list.
    pub(crate) fn iter_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.runs()
            .flat_map(Run::parts)
            .flat_map(move |(range, code)| self.pairs[range].iter().map(move |&rows| self.by_place(rows, code)))
    }

    /// Returns the pair of this index, its spheres given by their places in the order of the neighbour list.
    pub(crate) fn pair(&self, index: usize) -> Pair {
        let segment = self.segments.partition_point(|segment| segment.end as usize <= index);
        self.by_place(self.pairs[index], self.segments[segment].code)
    }

    /// Returns the runs of the spatial tile: consecutive pairs of the same two kinds, and so of one contact law.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run<'_>> + Clone {
        self.segments.chunk_by(|one, next| one.kinds == next.kinds).scan(0, |end, segments| {
            let first = *end;
            *end = segments.last().map_or(first, |last| last.end as usize);
            Some(Run { first, segments })
        })
    }

    #[inline(always)]
    fn by_place(&self, rows: [u32; 2], code: u8) -> Pair {
        Pair::new(rows.map(|row| self.place_of_row(row) as u32), code.into())
    }
}
