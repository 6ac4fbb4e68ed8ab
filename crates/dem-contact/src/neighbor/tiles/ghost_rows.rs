//! Numbers of the ghosts of one tile.

const PAGE: usize = u64::BITS as usize;

/// Marks on the ghosts of a tile, by place in the order of the tiles; `number` gives the ghosts rows in ascending
/// order.
///
/// No sort or search over spheres is needed: the marks of 64 places are a word, and the row of a place follows from the
/// number of marks below it. The memory is a quarter of a byte for each sphere of the list.
#[derive(Debug, Default)]
pub(super) struct GhostRows {
    pages: Vec<Page>,
    marked: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Page {
    marks: u64,
    /// Row, in the numbering of the tile, of the first marked ghost of the page; the rows of the page's other ghosts
    /// follow.
    first: u32,
}

impl GhostRows {
    pub(super) fn clear(&mut self, places: usize) {
        for page in self.marked.drain(..) {
            self.pages[page as usize].marks = 0;
        }
        self.pages.resize(places.div_ceil(PAGE), Page::default());
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, place: usize) {
        let Page { marks, .. } = &mut self.pages[place / PAGE];
        if *marks == 0 {
            self.marked.push((place / PAGE) as u32);
        }
        *marks |= 1 << (place % PAGE);
    }

    /// Gives the marked ghosts consecutive rows from `first` on. Returns their places, ascending.
    pub(super) fn number(&mut self, first: u32) -> Vec<u32> {
        self.marked.sort_unstable();
        let mut next = first;
        for &page in &self.marked {
            let page = &mut self.pages[page as usize];
            page.first = next;
            next += page.marks.count_ones();
        }
        let mut places = Vec::with_capacity((next - first) as usize);
        for &page in &self.marked {
            let mut marks = self.pages[page as usize].marks;
            while marks != 0 {
                places.push(page * PAGE as u32 + marks.trailing_zeros());
                marks &= marks - 1;
            }
        }
        places
    }

    #[inline(always)]
    pub(super) fn row(&self, place: usize) -> u32 {
        let Page { marks, first } = self.pages[place / PAGE];
        first + (marks & ((1 << (place % PAGE)) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_places_get_rows_in_ascending_order() {
        let mut rows = GhostRows::default();
        for places in [&[63, 700, 64, 0, 64, 127, 1, 699, 63][..], &[65, 2], &[]] {
            rows.clear(701);
            places.iter().for_each(|&place| rows.mark(place));
            let mut expected: Vec<usize> = places.to_vec();
            expected.sort_unstable();
            expected.dedup();
            let found = rows.number(5);
            assert!(found.iter().map(|&place| place as usize).eq(expected.iter().copied()));
            assert!((5..).zip(&expected).all(|(row, &place)| rows.row(place) == row));
        }
    }
}
