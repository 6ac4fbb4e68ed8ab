use crate::problem::rows::FIXED;

/// A breadth-first walk over all bodies, from each body to the bodies that it touches.
#[derive(Debug, Clone, Default)]
pub(super) struct Walk {
    /// Bodies by rising distance from the first body of each connected set.
    pub(crate) order: Vec<u32>,
    /// For each distance (in contacts) from a first body, the index in `order` after the last body at this distance.
    pub(super) level_ends: Vec<usize>,
    /// Index in `neighbour` of the first neighbour of each body, and at the end the number of entries.
    start: Vec<u32>,
    neighbour: Vec<u32>,
    /// For each body, the number (1 or 2) of the last walk that has met it.
    met: Vec<u8>,
}

impl Walk {
    /// Walks over all bodies, breadth first. Each connected set begins at a body that is farthest from some other body.
    pub(super) fn find_levels(&mut self, bodies: usize, pairs: &[[u32; 2]]) {
        self.find_neighbours(bodies, pairs);
        self.met.clear();
        self.met.resize(bodies, 0);
        self.order.clear();
        self.level_ends.clear();
        for body in 0..bodies as u32 {
            if self.met[body as usize] > 0 {
                continue;
            }
            let first = self.order.len();
            let levels = self.level_ends.len();
            self.walk(body, 1);
            let farthest = self.order.last().copied().unwrap_or(body);
            self.order.truncate(first);
            self.level_ends.truncate(levels);
            self.walk(farthest, 2);
        }
    }

    /// Appends `body` and all bodies connected with it to the order, and records that the walk `number` has met them.
    fn walk(&mut self, body: u32, number: u8) {
        let mut head = self.order.len();
        self.order.push(body);
        self.met[body as usize] = number;
        while head < self.order.len() {
            let level_end = self.order.len();
            self.level_ends.push(level_end);
            for at in head..level_end {
                let body = self.order[at] as usize;
                for k in self.start[body]..self.start[body + 1] {
                    let other = self.neighbour[k as usize];
                    if self.met[other as usize] < number {
                        self.met[other as usize] = number;
                        self.order.push(other);
                    }
                }
            }
            head = level_end;
        }
    }

    fn find_neighbours(&mut self, bodies: usize, pairs: &[[u32; 2]]) {
        let Self { start, neighbour, .. } = self;
        start.clear();
        start.resize(bodies + 2, 0);
        let free = || pairs.iter().filter(|pair| !pair.contains(&FIXED));
        for &body in free().flatten() {
            start[body as usize + 2] += 1;
        }
        for body in 0..bodies {
            start[body + 2] += start[body + 1];
        }
        neighbour.resize(start[bodies + 1] as usize, 0);
        for &[a, b] in free() {
            for (body, other) in [(a, b), (b, a)] {
                // After the loop, this is the index of the first neighbour of the next body.
                let next = &mut start[body as usize + 1];
                neighbour[*next as usize] = other;
                *next += 1;
            }
        }
    }
}
