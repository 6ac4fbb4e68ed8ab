//! Which blocks are whose, from one evaluation of a list to the next.

/// Where the shares of threads end.
///
/// What a thread takes from the share of another is in the caches of that one, which takes it back in the next evaluation: that may cost more
/// than to sum it. So the border between their shares moves by a block if blocks went over it the same way twice in a row.
#[derive(Debug, Default)]
pub(super) struct Division {
    /// Where shares begin, and where the last one ends.
    borders: Vec<usize>,
    /// By border, which way blocks went the last time: up (1), down (-1), or not.
    last: Vec<isize>,
}

impl Division {
    /// Where so many shares of so many blocks begin, and where the last one ends; equal ones if there were others before.
    pub(super) fn borders(&mut self, blocks: usize, shares: usize) -> &[usize] {
        if self.borders.len() != shares + 1 || self.borders.last() != Some(&blocks) {
            self.borders = (0..=shares).map(|share| (blocks * share).div_ceil(shares.max(1))).collect();
            self.last = vec![0; shares + 1];
        }
        &self.borders
    }

    /// Learns how many blocks went over each border, less those that went down.
    pub(super) fn learn(&mut self, went: impl Iterator<Item = isize>) {
        for (border, went) in went.enumerate().take(self.last.len().saturating_sub(1)).skip(1) {
            let way = went.signum();
            let moves = way != 0 && self.last[border] == way;
            self.last[border] = if moves { 0 } else { way };
            // Who gets a block moves the border away from its share, as long as the other one keeps some.
            let moved = self.borders[border].saturating_add_signed(-way);
            if moves && self.borders[border - 1] < moved && moved < self.borders[border + 1] {
                self.borders[border] = moved;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_move_by_what_goes_the_same_way_twice() {
        let mut division = Division::default();
        assert_eq!(division.borders(9, 3), [0, 3, 6, 9]);
        for (went, borders) in [
            ([0, 2, 0], [0, 3, 6, 9]),
            ([0, 1, -1], [0, 2, 6, 9]),
            ([0, 1, -4], [0, 2, 7, 9]),
            ([0, 0, -1], [0, 2, 7, 9]),
            ([0, 1, 1], [0, 2, 7, 9]),
            ([0, 1, 1], [0, 1, 6, 9]),
            // Each keeps one.
            ([0, 1, 0], [0, 1, 6, 9]),
            ([0, 1, 0], [0, 1, 6, 9]),
        ] {
            division.learn(went.into_iter());
            assert_eq!(division.borders(9, 3), borders);
        }
        assert_eq!(division.borders(8, 3), [0, 3, 6, 8]);
        assert_eq!(division.borders(8, 1), [0, 8]);
        division.learn([5].into_iter());
        assert_eq!(division.borders(2, 5), [0, 1, 1, 2, 2, 2]);
        division.learn([0, 1, 1, 1, 1].into_iter());
        division.learn([0, 1, 1, 1, 1].into_iter());
        assert_eq!(division.borders(2, 5), [0, 1, 1, 2, 2, 2]);
    }
}
