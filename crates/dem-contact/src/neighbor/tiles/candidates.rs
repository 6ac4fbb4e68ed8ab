//! The spheres around the spheres of one class in one tile.

use std::ops::Range;

use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::neighbor::tiles::bounds::{Bounds, ITSELF, Reach};
use crate::neighbor::tiles::boxes::BoxGroups;
use crate::neighbor::tiles::columns::Columns;
use crate::neighbor::tiles::f32_frame::F32Frame;
use crate::neighbor::tiles::marks::{Bits, WORD};
use crate::neighbor::tiles::tile_class::{Strip, TileClass};

/// A sphere that may be in a pair, seen through one shift.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Candidate {
    /// The place in the low bits, the code of the shift in the others.
    image: u32,
    pub(crate) id: u32,
}

impl Candidate {
    pub(crate) fn new(place: usize, code: u32, id: u32) -> Self {
        Self { image: place as u32 | code << INDEX_BITS, id }
    }

    #[inline(always)]
    pub(crate) fn place(&self) -> usize {
        (self.image & INDEX_MASK) as usize
    }

    /// The code of the shift.
    #[inline(always)]
    pub(crate) fn code(&self) -> u32 {
        self.image >> INDEX_BITS
    }
}

/// Candidates in the order of their places and codes, cut into strips.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// Those beyond the last strip mean nothing.
    pub(crate) all: Vec<Candidate>,
    /// Their centres and radii in `frame`.
    pub(crate) columns: Columns,
    pub(crate) frame: F32Frame,
    /// The end index of each strip.
    ends: Vec<usize>,
    /// The box of each strip.
    pub(crate) boxes: BoxGroups,
    /// Room for marks of strips.
    marked: Vec<u32>,
}

/// The columns that candidates are read from.
#[derive(Debug)]
pub(crate) struct CandidateSource<'a> {
    pub(crate) reach: &'a Reach,
    pub(crate) shifts: [[f64; 4]; 32],
    /// By place: centre and radius, in m.
    pub(crate) reference: &'a [[f64; 4]],
    /// By place.
    pub(crate) ids: &'a [u32],
}

impl Candidates {
    /// Forgets all candidates. Others will be around `own`, with radii up to `largest` (m).
    pub(crate) fn clear(&mut self, own: &TileClass, largest: f64, skin: f64) {
        self.frame = F32Frame::new(own.bounds.low, own.bounds.largest + largest + skin);
        self.ends.clear();
        self.boxes.clear();
    }

    /// Number of strips.
    pub(crate) fn strips(&self) -> usize {
        self.ends.len()
    }

    /// The index of the first candidate of a strip.
    #[inline(always)]
    fn start(&self, strip: usize) -> usize {
        if strip > 0 { self.ends[strip - 1] } else { 0 }
    }

    /// The indices of the candidates in a strip.
    #[inline(always)]
    pub(crate) fn strip(&self, strip: usize) -> Range<usize> {
        self.start(strip)..self.ends[strip]
    }

    /// Adds the images of spheres of `other` that may be near a sphere of `own`. Strips without any are left out.
    #[inline(always)]
    pub(crate) fn add(&mut self, source: &CandidateSource<'_>, own: &TileClass, other: &TileClass) {
        let images = source.reach.near_images(&own.bounds, &other.bounds, source.reach.images());
        other.boxes.unmark(&mut self.marked);
        for code in Bits(images) {
            let [sx, sy, sz, _] = source.shifts[code];
            other.boxes.mark(&own.bounds.moved([-sx, -sy, -sz]), source.reach, &mut self.marked);
        }
        for word in 0..self.marked.len() {
            for bit in Bits(self.marked[word]) {
                let strip = &other.strips[word * WORD + bit];
                let images = source.reach.near_images(&own.bounds, &strip.bounds, images);
                let start = self.start(self.strips());
                let (end, bounds) = self.write(source, &own.bounds, strip, images, start);
                if end > start {
                    self.ends.push(end);
                    self.boxes.push(&bounds);
                }
            }
        }
    }

    /// Adds the spheres of `own` itself, and those images of them that may be near one of them. Strip by strip: none is
    /// left out.
    #[inline(always)]
    pub(crate) fn add_own(&mut self, source: &CandidateSource<'_>, own: &TileClass) {
        let images = source.reach.near_images(&own.bounds, &own.bounds, source.reach.images());
        for strip in &own.strips {
            let start = self.start(self.strips());
            let (end, bounds) = self.write(source, &own.bounds, strip, images | ITSELF, start);
            self.ends.push(end);
            self.boxes.push(&bounds);
        }
    }

    /// Writes those of the images `images` of the spheres of a strip that may be near spheres within `bounds`, from
    /// index `start` on. Returns the index of the end, and a box around them.
    #[inline(always)]
    fn write(
        &mut self,
        source: &CandidateSource<'_>,
        bounds: &Bounds,
        strip: &Strip,
        images: u32,
        start: usize,
    ) -> (usize, Bounds) {
        let room = start + strip.places.len() * images.count_ones() as usize + 1;
        if self.all.len() < room {
            self.all.resize(2 * room, Candidate::default());
        }
        self.columns.reserve(room);
        let (mut end, mut found) = (start, Bounds::EMPTY);
        for place in strip.places.clone() {
            let [x, y, z, radius] = source.reference[place];
            let reach = source.reach.between(radius, bounds.largest);
            let mut left = images;
            while left != 0 {
                let code = left.trailing_zeros() % 32;
                let [sx, sy, sz, _] = source.shifts[code as usize];
                let centre = [x + sx, y + sy, z + sz];
                if bounds.square_distance(centre) < reach * reach && radius > 0.0 {
                    self.all[end] = Candidate::new(place, code, source.ids[place]);
                    self.columns.set(end, self.frame.image([x, y, z], [sx, sy, sz]), self.frame.length(radius));
                    found.add(centre, radius);
                    end += 1;
                }
                left &= left - 1;
            }
        }
        (end, found)
    }
}
