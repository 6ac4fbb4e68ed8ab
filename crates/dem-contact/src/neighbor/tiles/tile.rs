//! One tile of a neighbour list.

use std::ops::Range;

use crate::neighbor::tiles::pair::Pair;

/// Box of space with the spheres that it owns and all pairs of these spheres.
///
/// Pairs name spheres by **row**: an own sphere by its index in `places`, a ghost by the number of own spheres plus its
/// index in `ghosts`. An evaluation copies the spheres of these rows into a small array and uses the pairs as indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) places: Range<usize>,
    /// Places of the tile's ghosts, each once, ascending. In a [subdomain](crate::neighbor::Subdomain) ghosts have
    /// other places but keep their order, so that rows are the same on all ranks.
    pub(crate) ghosts: Vec<u32>,
    /// Rows (numbers within the tile) of the two spheres of each pair, the sphere with the lower id first.
    ///
    /// Pairs are sorted by kinds, then by image (see `segments`); within a segment by the place of the own sphere (the
    /// lower place of two own spheres), then by the other place. The order of sums of forces is the order of pairs, so
    /// it must not depend on the rows or places that ghosts have on one rank.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(in crate::neighbor) segments: Vec<Segment>,
}

/// Consecutive pairs of a tile that have the same two kinds (of contact laws) and the same periodic image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Kinds of the two spheres of each pair, the smaller kind first, whatever the order of the spheres.
    pub(super) kinds: [u16; 2],
    /// Code of the periodic shift that is added to the separation from the first sphere of a pair to the second one.
    pub(crate) code: u8,
    /// Index, among the pairs of the tile, after the last pair of the segment.
    pub(crate) end: u32,
}

/// Consecutive pairs of a tile whose spheres have the same two kinds, and so the same contact law.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) first: usize,
    /// Segments of the run, at least one; the pairs of a segment have the same periodic image.
    pub(crate) segments: &'a [Segment],
}

impl<'a> Run<'a> {
    pub(crate) fn kinds(self) -> [u16; 2] {
        self.segments.first().map_or([0; 2], |segment| segment.kinds)
    }

    /// Returns, for each segment of the run, the indices of its pairs among those of the tile, and the code of its
    /// periodic shift.
    pub(super) fn parts(self) -> impl Iterator<Item = (Range<usize>, u8)> + Clone + use<'a> {
        self.segments.iter().scan(self.first, |first, segment| {
            let end = segment.end as usize;
            Some((std::mem::replace(first, end)..end, segment.code))
        })
    }
}

impl Tile {
    pub(in crate::neighbor) fn without_pairs(places: Range<usize>) -> Self {
        Self { places, ghosts: Vec::new(), pairs: Vec::new(), segments: Vec::new() }
    }

    pub(crate) fn rows(&self) -> usize {
        self.places.len() + self.ghosts.len()
    }

    /// Returns the place, in the order of the tiles, of the sphere in this row of the tile.
    #[inline(always)]
    pub(super) fn place_of_row(&self, row: u32) -> usize {
        let row = row as usize;
        match row.checked_sub(self.places.len()) {
            None => self.places.start + row,
            Some(ghost) => self.ghosts[ghost] as usize,
        }
    }

    pub(crate) fn iter_pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.runs()
            .flat_map(Run::parts)
            .flat_map(move |(range, code)| self.pairs[range].iter().map(move |&rows| self.by_place(rows, code)))
    }

    pub(crate) fn pair(&self, index: usize) -> Pair {
        let segment = self.segments.partition_point(|segment| segment.end as usize <= index);
        self.by_place(self.pairs[index], self.segments[segment].code)
    }

    /// Returns the runs of the tile: consecutive pairs of the same two kinds, and so of one contact law.
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
