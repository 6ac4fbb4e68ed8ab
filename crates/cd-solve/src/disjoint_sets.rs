//! Sets of items that links join (union-find).

/// Disjoint sets of items, each item alone at first. The name of a set is its smallest item, whatever the order of
/// joins.
///
/// ```
/// use cd_solve::disjoint_sets::DisjointSets;
///
/// let mut sets = DisjointSets::new(5);
/// sets.join(4, 1);
/// sets.join(3, 4);
/// assert_eq!(sets.names(), [0, 1, 2, 1, 1]);
/// ```
#[derive(Debug, Clone)]
pub struct DisjointSets {
    /// Parent of each item in the union-find forest: a smaller item of its set; the smallest item is its own parent.
    parent: Vec<usize>,
}

impl DisjointSets {
    /// Makes as many sets as there are items, with one item in each.
    #[must_use]
    pub fn new(items: usize) -> Self {
        Self { parent: (0..items).collect() }
    }

    /// Returns the name of the set of an item.
    ///
    /// # Panics
    /// If the item does not exist.
    fn name_of(&mut self, mut item: usize) -> usize {
        while self.parent[item] != item {
            self.parent[item] = self.parent[self.parent[item]];
            item = self.parent[item];
        }
        item
    }

    /// Joins the sets of the items `a` and `b`.
    ///
    /// # Panics
    /// If one of the items does not exist.
    pub fn join(&mut self, a: usize, b: usize) {
        let a = self.name_of(a);
        let b = self.name_of(b);
        self.parent[a.max(b)] = a.min(b);
    }

    /// Returns the name of the set of each item: the smallest item of the set.
    #[must_use]
    pub fn names(mut self) -> Vec<usize> {
        (0..self.parent.len()).map(|item| self.name_of(item)).collect()
    }

    #[must_use]
    pub(crate) fn sets(self) -> Vec<Vec<usize>> {
        let names = self.names();
        let mut sets = vec![Vec::new(); names.len()];
        names.into_iter().enumerate().for_each(|(item, name)| sets[name].push(item));
        sets.retain(|set| !set.is_empty());
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets_do_not_depend_on_the_order_of_links() {
        let links = [[7, 3], [5, 6], [3, 5], [1, 2]];
        let forwards = links.to_vec();
        let backwards = links.iter().rev().map(|&[a, b]| [b, a]).collect::<Vec<_>>();
        for links in [forwards, backwards] {
            let mut sets = DisjointSets::new(9);
            links.iter().for_each(|&[a, b]| sets.join(a, b));
            assert_eq!(sets.clone().names(), [0, 1, 1, 3, 4, 3, 3, 3, 8]);
            assert_eq!(sets.sets(), [vec![0], vec![1, 2], vec![3, 5, 6, 7], vec![4], vec![8]]);
        }
        assert!(DisjointSets::new(0).sets().is_empty());
    }
}
