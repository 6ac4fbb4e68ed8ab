/// Bonds of each body in ascending order, each with the mark whether the body is the first or the second of the bond.
#[derive(Debug, Clone, Default)]
pub(super) struct Incidence {
    /// Index in `entries` of the first bond of each body, and the total number of entries at the end.
    starts: Vec<u32>,
    /// Bonds grouped by body: twice the number of a bond, plus one if the body is its second body.
    entries: Vec<u32>,
}

impl Incidence {
    /// Largest number of bonds: an entry has 32 bits, and the largest entry is 2 n + 1 for bond n.
    pub(super) const LIMIT: usize = (u32::MAX / 2) as usize;

    pub(super) fn new(bodies: usize, pairs: impl Iterator<Item = [u32; 2]> + Clone) -> Self {
        let mut starts = vec![0_u32; bodies + 1];
        for body in pairs.clone().flatten() {
            starts[body as usize + 1] += 1;
        }
        for i in 0..bodies {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; starts[bodies] as usize];
        for (entry, body) in (0..).zip(pairs.flatten()) {
            let slot = &mut next[body as usize];
            entries[*slot as usize] = entry;
            *slot += 1;
        }
        Self { starts, entries }
    }

    pub(super) fn bodies(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the bonds of body `i`, each with 0 if `i` is the first body of the bond or 1 if it is the second.
    #[inline(always)]
    pub(super) fn of(&self, i: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let row = &self.entries[self.starts[i] as usize..self.starts[i + 1] as usize];
        row.iter().map(|&entry| ((entry / 2) as usize, (entry % 2) as usize))
    }
}
